//! Runs one future for each request.
//!
//! `wasm-bindgen-futures` queues a microtask for the start of a task and for each time it wakes up. A promise wakes its
//! task in a microtask already, so here the task is polled at once, in that one. That is a tenth of the processor time
//! of a small request.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// What is known of a task between two polls.
enum Slot {
    Waiting(Task),
    /// It is being polled; whether it was woken meanwhile.
    Polled {
        woken: bool,
    },
}

#[derive(Default)]
struct Tasks {
    slots: HashMap<u64, Slot>,
    last: u64,
}

thread_local! {
    static TASKS: RefCell<Tasks> = RefCell::default();
}

/// Starts a task, and runs it until it first waits for something.
pub fn start(task: impl Future<Output = ()> + 'static) {
    let id = TASKS.with_borrow_mut(|tasks| {
        tasks.last += 1;
        tasks.slots.insert(tasks.last, Slot::Waiting(Box::pin(task)));
        tasks.last
    });
    resume(id);
}

struct Resume(u64);

impl Wake for Resume {
    fn wake(self: Arc<Self>) {
        resume(self.0);
    }
}

/// Polls a task that waits; leaves a note at one that is being polled. One that has ended is not there any more.
fn resume(id: u64) {
    let waiting = TASKS.with_borrow_mut(|tasks| match tasks.slots.insert(id, Slot::Polled { woken: true }) {
        Some(Slot::Waiting(task)) => {
            tasks.slots.insert(id, Slot::Polled { woken: false });
            Some(task)
        }
        Some(Slot::Polled { .. }) => None,
        None => {
            tasks.slots.remove(&id);
            None
        }
    });
    let Some(mut task) = waiting else { return };
    let waker = Waker::from(Arc::new(Resume(id)));
    while task.as_mut().poll(&mut Context::from_waker(&waker)) == Poll::Pending {
        let again =
            TASKS.with_borrow_mut(|tasks| match tasks.slots.insert(id, Slot::Polled { woken: false }) {
                Some(Slot::Polled { woken: true }) => Some(task),
                _ => {
                    tasks.slots.insert(id, Slot::Waiting(task));
                    None
                }
            });
        match again {
            Some(same) => task = same,
            None => return,
        }
    }
    TASKS.with_borrow_mut(|tasks| tasks.slots.remove(&id));
}
