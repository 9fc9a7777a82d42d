//! Coverage is one number: that of a file of LCOV or Cobertura, or of several together.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::junit::attribute;
use super::text::decoded;

/// Adds the lines that are covered, and all lines. Returns what is wrong with the file.
pub fn add(bytes: &[u8], (covered, all): &mut (f64, f64)) -> Option<String> {
    let text = decoded(bytes);
    let sum = |prefix| text.lines().filter_map(|line| line.strip_prefix(prefix)?.trim().parse::<f64>().ok()).sum();
    let lcov = || Some((sum("LH:"), sum("LF:"))).filter(|(_, all)| *all > 0.0);
    let found = cobertura(&text).or_else(lcov);
    (*covered, *all) = found.map_or((*covered, *all), |found| (*covered + found.0, *all + found.1));
    found.is_none().then(|| "has no coverage of lines".to_owned())
}

/// Of a file with a rate alone all lines are one.
fn cobertura(text: &str) -> Option<(f64, f64)> {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) | Event::Empty(tag) => {
                let number = |name| attribute(&tag, name)?.parse::<f64>().ok();
                let counted = number("lines-covered").zip(number("lines-valid")).filter(|(_, all)| *all > 0.0);
                let lines = counted.or_else(|| number("line-rate").map(|rate| (rate, 1.0)));
                return lines.filter(|_| tag.local_name().as_ref() == "coverage");
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}
