//! The limits of names and values in a body. 70,000 names took 230 to 470 ms of the Worker to read.

use crate::kernel::error::{Error, Result};

const MOST_NAMES: usize = 1000;
pub const MOST_VALUES: usize = 10_000;

/// 400 if the body has more names or values.
pub fn check(names: usize, values: usize) -> Result<()> {
    if names <= MOST_NAMES && values <= MOST_VALUES {
        return Ok(());
    }
    let text = format!("the body has too many parameters (maximum is {MOST_NAMES}, with {MOST_VALUES} values)");
    Err(Error::framework(text))
}

/// The same for JSON, also inside of lists and objects. Counts the colons and commas outside of texts, so that JSON
/// need not be parsed first.
pub fn check_json(json: &[u8]) -> Result<()> {
    let (mut names, mut values, mut in_text, mut is_escaped) = (0, 1, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => in_text = !in_text,
            b':' if !in_text => names += 1,
            b',' if !in_text => values += 1,
            _ => {}
        }
    }
    check(names, values)
}
