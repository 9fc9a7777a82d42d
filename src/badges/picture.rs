//! The build badge. All its words are constants, so nothing needs escaping.

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
