//! Draws the badges. All words of v3's badge are constants. v4's badges may have a text of the request or of a tag.

use crate::kernel::http::escaped;

/// The width of the word in pixels at this font size, and the color behind it.
fn style(state: &str) -> (u32, &'static str) {
    match state {
        "success" => (48, "#2e8b3d"),
        "failed" => (36, "#c9372c"),
        "running" => (46, "#1f6fb2"),
        "pending" => (50, "#a66300"),
        "canceled" => (54, "#666"),
        _ => (54, "#767676"),
    }
}

/// Draws `build | success`. `textLength` makes the words fit with any font.
pub fn build(state: &str) -> String {
    const LABEL: u32 = 30;
    let (word, colour) = style(state);
    let (left, right) = (LABEL + 12, word + 12);
    let whole = left + right;
    let (label_at, word_at) = (left / 2, left + right / 2);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-label="build {state}">
<title>build {state}</title>
<clipPath id="c"><rect width="{whole}" height="20" rx="3"/></clipPath>
<g clip-path="url(#c)"><rect width="{left}" height="20" fill="#444"/><rect x="{left}" width="{right}" height="20" fill="{colour}"/></g>
<g fill="#fff" font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="11" text-anchor="middle">
<text x="{label_at}" y="14" textLength="{LABEL}">build</text>
<text x="{word_at}" y="14" textLength="{word}">{state}</text>
</g>
</svg>
"##
    )
}

/// GitLab's badges: `pipeline | passed`, `coverage | 91.50%`, `Latest Release | v1.0`.
#[derive(Debug)]
pub struct Badge<'a> {
    pub key: &'a str,
    pub key_width: i64,
    pub value: &'a str,
    pub value_width: i64,
    pub colour: &'static str,
    pub is_square: bool,
}

impl Badge<'_> {
    pub fn draw(&self) -> String {
        let Badge { key_width: left, value_width: right, colour, .. } = self;
        let [key, word] = [self.key, self.value].map(shown);
        let (whole, radius) = (left + right, if self.is_square { 0 } else { 3 });
        let (key_at, word_at) = (left / 2, left + right / 2);
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-label="{key} {word}">
<title>{key} {word}</title>
<clipPath id="c"><rect width="{whole}" height="20" rx="{radius}"/></clipPath>
<g clip-path="url(#c)"><rect width="{left}" height="20" fill="#555"/><rect x="{left}" width="{right}" height="20" fill="{colour}"/></g>
<g fill="#fff" font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="11" text-anchor="middle">
<text x="{key_at}" y="14">{key}</text>
<text x="{word_at}" y="14">{word}</text>
</g>
</svg>
"##
        )
    }
}

/// XML allows no control characters.
fn shown(text: &str) -> String {
    let is_bad = |character: char| character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}');
    escaped(&text.replace(is_bad, "\u{fffd}"))
}
