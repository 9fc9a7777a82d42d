//! Records what each test asks of the servers that it would also ask over HTTP, for `scripts/cover.mjs`. The environment
//! variable EDGEFORGE_RECORD names the file, which has one line for each fact:
//!
//! * `route`, API, method, pattern: a route of the tables
//! * `test`, name, seconds, number of requests
//! * `asked`, name of the test, dialect, method, pattern of the route or `-`, status

use super::tables::tables;
use edgeforge::{Dialect, Profile};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

/// What one test asked. Its servers know it, so that requests of its other threads count, too.
pub struct Asked {
    test: String,
    #[allow(clippy::disallowed_types)]
    since: std::time::Instant,
    /// Whether the test asked on which host it runs: over HTTP it may go on in another way.
    differs: AtomicBool,
    requests: AtomicU64,
    facts: Mutex<BTreeSet<String>>,
}

static FILE: LazyLock<Option<String>> = LazyLock::new(|| {
    // tests/crash has this file, too
    let file = std::env::var("EDGEFORGE_RECORD").ok().filter(|_| env!("CARGO_CRATE_NAME") == "api")?;
    let mut routes = String::new();
    for table in tables() {
        for (method, pattern) in table.routes {
            writeln!(routes, "route\t{}\t{method}\t{pattern}", table.name).unwrap();
        }
    }
    std::fs::write(&file, routes).unwrap();
    Some(file)
});

/// The record of the test of this thread, which is written when the thread ends. A thread without a name is none of a test.
pub fn here() -> Weak<Asked> {
    thread_local!(static HERE: Option<Arc<Asked>> = Asked::new());
    HERE.with(|here| here.as_ref().map_or(Weak::new(), Arc::downgrade))
}

impl Asked {
    #[allow(clippy::disallowed_types)]
    fn new() -> Option<Arc<Asked>> {
        let test = std::thread::current().name().filter(|_| FILE.is_some())?.to_owned();
        let (differs, requests, facts) = (AtomicBool::default(), AtomicU64::default(), Mutex::default());
        Some(Arc::new(Asked { test, since: std::time::Instant::now(), differs, requests, facts }))
    }

    pub fn differ(&self) {
        self.differs.store(true, Ordering::Relaxed);
    }

    pub fn note(&self, profile: Profile, method: &str, path: &str, route: &str, status: u16) {
        if self.differs.load(Ordering::Relaxed) {
            return;
        }
        let dialect = match Dialect::of(path, profile) {
            Some((Dialect::V3(Profile::Spec), _)) => "v3 spec",
            Some((Dialect::V3(Profile::Gitlab), _)) => "v3 gitlab",
            Some((Dialect::V4, _)) => "v4",
            None => "outside",
        };
        self.requests.fetch_add(1, Ordering::Relaxed);
        let fact = format!("{dialect}\t{method}\t{route}\t{status}");
        self.facts.lock().unwrap_or_else(PoisonError::into_inner).insert(fact);
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let Some(file) = FILE.as_ref() else { return };
        let (test, seconds) = (&self.test, self.since.elapsed().as_secs_f64());
        let mut text = format!("test\t{test}\t{seconds:.3}\t{}\n", self.requests.load(Ordering::Relaxed));
        for fact in self.facts.get_mut().unwrap_or_else(PoisonError::into_inner).iter() {
            text += &format!("asked\t{test}\t{fact}\n");
        }
        let written = OpenOptions::new().append(true).open(file).and_then(|mut file| file.write_all(text.as_bytes()));
        if let Err(error) = written {
            eprintln!("{file}: {error}");
        }
    }
}
