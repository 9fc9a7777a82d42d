//! JSON from elsewhere: GitLab may write halves of surrogates, which no text in Rust can have.

use serde_json::Value;

/// Levels of lists and objects.
const DEEPEST: usize = 100;

pub fn parse(bytes: &[u8]) -> Result<Value, String> {
    let read = serde_json::from_slice(bytes).or_else(|error| match whole(bytes) {
        Some(mended) => serde_json::from_slice(&mended),
        None => Err(error),
    });
    match read {
        Ok(value) if depth(&value) > DEEPEST => Err(format!("it is deeper than {DEEPEST} levels")),
        read => read.map_err(|error| error.to_string()),
    }
}

/// serde_json reads no more than 127.
fn depth(of: &Value) -> usize {
    match of {
        Value::Array(all) => 1 + all.iter().map(depth).max().unwrap_or_default(),
        Value::Object(all) => 1 + all.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

/// The same with `\ufffd` for each half of a surrogate. None if there is none.
fn whole(bytes: &[u8]) -> Option<Vec<u8>> {
    let unit = |at: usize| {
        let escape = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(escape).ok()?, 16).ok()
    };
    let (mut mended, mut at, mut has_half) = (Vec::with_capacity(bytes.len()), 0, false);
    while let Some(byte) = bytes.get(at) {
        let length = match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => 0,
            (Some(_), _) => 6,
            (None, _) if *byte == b'\\' => 2,
            (None, _) => 1,
        };
        if length == 0 {
            mended.extend_from_slice(b"\\ufffd");
            (at, has_half) = (at + 6, true);
        } else {
            mended.extend_from_slice(bytes.get(at..(at + length).min(bytes.len()))?);
            at += length;
        }
    }
    has_half.then_some(mended)
}

#[cfg(test)]
#[path = "../../tests/unit/moving/json.rs"]
mod tests;
