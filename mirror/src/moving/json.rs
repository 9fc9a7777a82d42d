//! JSON from elsewhere: GitLab may write halves of surrogates, which no text in Rust can have.

use serde_json::Value;

/// Levels of lists and objects.
const DEEPEST: usize = 100;

pub fn parse(bytes: &[u8]) -> Result<Value, String> {
    if depth(bytes) > DEEPEST {
        return Err(format!("it is deeper than {DEEPEST} levels"));
    }
    serde_json::from_slice(bytes).or_else(|error| match whole(bytes) {
        Some(mended) => serde_json::from_slice(&mended).map_err(|error| error.to_string()),
        None => Err(error.to_string()),
    })
}

fn depth(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest, mut is_text, mut is_escaped) = (0_usize, 0, false, false);
    for byte in bytes {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'[' | b'{' if !is_text => depth += 1,
            b']' | b'}' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
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
