//! An executor that polls at once. `wasm-bindgen-futures` queues a microtask at the start of a task and each wake-up,
//! though a promise already wakes it in a microtask. This saves a tenth of the processor time of a small request.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

type Task = Pin<Box<dyn Future<Output = ()>>>;

enum Slot {
    Waiting(Task),
    Polled {
        /// The task was woken during the poll.
        woken: bool,
    },
}

#[derive(Default)]
struct Tasks {
    slots: HashMap<u64, Slot>,
    last: u64,
}

thread_local! {
    /// The task under poll, 0 if there is none.
    static POLLED: Cell<u64> = const { Cell::new(0) };
    static TASKS: RefCell<Tasks> = RefCell::default();
}

pub fn start(task: impl Future<Output = ()> + 'static) {
    let id = TASKS.with_borrow_mut(|tasks| {
        tasks.last += 1;
        tasks.slots.insert(tasks.last, Slot::Waiting(Box::pin(task)));
        tasks.last
    });
    resume(id);
}

struct TaskWaker(u64);

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        // the platform lets no request work for another one: that sees at its own next event what woke it
        if [0, self.0].contains(&POLLED.get()) {
            resume(self.0);
        }
    }
}

/// Polls a waiting task, or marks a task under poll as woken. Ignores a finished task.
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
    let waker = Waker::from(Arc::new(TaskWaker(id)));
    let poll = |task: &mut Task| {
        // a task may start another one while it is polled
        let outer = POLLED.replace(id);
        let polled = task.as_mut().poll(&mut Context::from_waker(&waker));
        POLLED.set(outer);
        polled
    };
    while poll(&mut task) == Poll::Pending {
        let again = TASKS.with_borrow_mut(|tasks| match tasks.slots.insert(id, Slot::Polled { woken: false }) {
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
