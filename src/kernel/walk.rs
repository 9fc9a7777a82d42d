//! Times in parameters.

use crate::kernel::error::{Error, Result};
use crate::kernel::time;

/// Reads a time in milliseconds since 1970. A `+` that was not encoded arrives as a blank.
pub fn instant(name: &str, text: Option<&str>) -> Result<Option<i64>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let with_plus = || text.rsplit_once(' ').and_then(|(time, zone)| time::read(&format!("{time}+{zone}")));
    time::read(text).or_else(with_plus).map(Some).ok_or_else(|| Error::invalid(name))
}
