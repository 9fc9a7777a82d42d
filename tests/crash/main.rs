//! What others send, in any bytes: nothing panics, and every answer is as described. LLVM's fuzzer makes the bytes up
//! (`make crash`, which builds this with `--cfg fuzzing`); as an ordinary test this replays what it kept in `corpus`.

#![cfg_attr(fuzzing, no_main)]
// the lints that keep panics out of the Worker; a test is made of them
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

#[path = "../api/support/mod.rs"]
mod support;

mod readers;
mod service;

/// Takes bytes as somebody sends them; panics where something is wrong.
type Target = fn(&[u8]);

/// By their names, which are those of the folders in `corpus`.
const TARGETS: &[(&str, Target)] = &[
    ("params", readers::params),
    ("pages", readers::pages),
    ("times", readers::times),
    ("licenses", readers::licenses),
    ("texts", readers::texts),
    ("objects", readers::objects),
    ("git", readers::git),
    ("reports", readers::reports),
    ("answers", readers::answers),
    ("requests", service::requests),
    ("pushes", service::pushes),
];

#[cfg(fuzzing)]
mod engine {
    #![allow(unsafe_code)]

    use super::{TARGETS, Target};
    use std::sync::LazyLock;

    static TARGET: LazyLock<Target> = LazyLock::new(|| {
        let name = std::env::var("TARGET").expect("TARGET names what is tried");
        TARGETS.iter().find(|(known, _)| *known == name).expect("a known target").1
    });

    libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));
}

#[cfg(not(fuzzing))]
mod replay {
    use super::TARGETS;
    use base64::{Engine, prelude::BASE64_STANDARD};
    use std::path::Path;

    #[test]
    fn all_that_the_fuzzer_kept_is_answered_without_a_panic() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crash/corpus");
        for (name, target) in TARGETS {
            let text = std::fs::read_to_string(corpus.join(format!("{name}.txt"))).unwrap();
            assert!(!text.is_empty(), "nothing for {name}");
            for line in text.lines() {
                // the runner shows this where it ends in a panic
                println!("{name}: {line}");
                target(&BASE64_STANDARD.decode(line).unwrap());
            }
        }
        assert_eq!(
            std::fs::read_dir(&corpus).unwrap().count(),
            TARGETS.len() + 1,
            "a file for each target, and README.md"
        );
    }
}
