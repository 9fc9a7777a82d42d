//! Reads which issues a commit's message closes, and which it mentions (behaviour 12.1). It reads each byte a bounded
//! number of times.

use super::paths::path_start;
use edgeforge_wire::text::cut;

/// Bytes of a message.
const LONGEST: usize = 64 << 10;
/// References of a message.
const MOST: usize = 100;
/// The same with repeated ones.
const MOST_READ: usize = 1000;
/// Digits of a number.
const DIGITS: usize = 15;

/// The project of the commits.
#[derive(Debug)]
pub struct Home<'a> {
    /// Without a slash at its end.
    pub base: &'a str,
    pub full_path: &'a str,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    pub issue: Issue,
    pub closes: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Issue {
    /// The whole path of another project in lower case. None if the issue is of the project of the commit.
    pub project: Option<String>,
    pub iid: i64,
}

/// Each issue once, in the order of the text; those that it closes come first.
pub fn references(message: &str, home: &Home<'_>) -> Vec<Reference> {
    let text = Text { bytes: cut(message, LONGEST).as_bytes(), home };
    let mut found: Vec<Reference> = Vec::new();
    let mut add = |issue: Issue, closes: bool| {
        if found.len() < MOST && !found.iter().any(|known| known.issue == issue) {
            found.push(Reference { issue, closes });
        }
    };
    text.closed().into_iter().for_each(|issue| add(issue, true));
    text.mentioned().into_iter().for_each(|issue| add(issue, false));
    found
}

/// A letter, a digit or `_`. Bytes of other scripts count as letters.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_of_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/')
}

struct Text<'a> {
    bytes: &'a [u8],
    home: &'a Home<'a>,
}

/// A reference begins at the byte `start` and ends before the byte `end`. `issue`: None if it names no issue of this
/// server.
struct ReferenceMatch {
    issue: Option<Issue>,
    start: usize,
    end: usize,
}

impl Text<'_> {
    fn at(&self, index: usize) -> Option<u8> {
        self.bytes.get(index).copied()
    }

    fn begins(&self, at: usize, word: &str) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(word.as_bytes()))
    }

    fn is_word_at(&self, index: usize) -> bool {
        self.at(index).is_some_and(is_word)
    }

    fn blanks(&self, at: usize) -> usize {
        self.run(at, |byte| byte == b' ')
    }

    /// Blanks, of which one may be a line break.
    fn gap(&self, at: usize) -> usize {
        let first = self.blanks(at);
        let line = if self.at(first) == Some(b'\r') { first + 1 } else { first };
        if self.at(line) == Some(b'\n') { self.blanks(line + 1) } else { first }
    }

    /// The end of the keyword that begins here.
    fn keyword(&self, at: usize) -> Option<usize> {
        const WORDS: [(&str, &[&str]); 4] = [
            ("los", &["ed", "es", "ing", "e"]),
            ("ix", &["es", "ed", "ing", ""]),
            ("esolv", &["es", "ed", "ing", "e"]),
            ("mplement", &["s", "ed", "ing", ""]),
        ];
        let is_inside = at > 0 && self.is_word_at(at - 1);
        let (stem, ends) = match self.at(at).filter(|_| !is_inside)? {
            b'c' | b'C' => WORDS[0],
            b'f' | b'F' => WORDS[1],
            b'r' | b'R' => WORDS[2],
            b'i' | b'I' => WORDS[3],
            _ => return None,
        };
        let stem_end = at + 1 + stem.len();
        let fits = |end: &&&str| self.begins(stem_end, end) && !self.is_word_at(stem_end + end.len());
        let end = ends.iter().find(fits).filter(|_| self.begins(at + 1, stem))?;
        Some(stem_end + end.len())
    }

    /// The issues behind keywords: `Closes #1, #2 and group/project#3`.
    fn closed(&self) -> Vec<Issue> {
        let (mut closed, mut at) = (Vec::new(), 0);
        while at < self.bytes.len() && closed.len() < MOST_READ {
            let Some(end) = self.keyword(at) else {
                at += 1;
                continue;
            };
            let colon = if self.at(end) == Some(b':') { end + 1 } else { end };
            let first = self.blanks(colon);
            at = if first == colon { end } else { self.list(first, &mut closed) };
        }
        closed
    }

    /// Reads the list of references that begins here. Returns its end.
    fn list(&self, mut at: usize, closed: &mut Vec<Issue>) -> usize {
        let mut next = at;
        while let Some((found, after)) = self.item(next).filter(|_| closed.len() < MOST_READ) {
            closed.extend(found.issue);
            (at, next) = (found.end, after);
        }
        at
    }

    /// Skips `, and ` or `, ` or nothing.
    fn separator(&self, at: usize) -> usize {
        let blank = self.gap(at);
        let comma = if self.at(blank) == Some(b',') { self.gap(blank + 1) } else { blank };
        if comma > at && self.at(comma - 1) != Some(b',') && self.begins(comma, "and") {
            let end = self.gap(comma + 3);
            if end > comma + 3 {
                return end;
            }
        }
        comma
    }

    /// A reference, perhaps after `issue` or `issues`, or the key of another tracker. Also where the next one may begin:
    /// behind a separator, which a key has not.
    fn item(&self, at: usize) -> Option<(ReferenceMatch, usize)> {
        let word = ["issues", "issue"].into_iter().find(|word| self.begins(at, word));
        let behind = word.map(|word| (at + word.len(), self.blanks(at + word.len())));
        let start = behind.filter(|(end, start)| end < start).map_or(at, |(_, start)| start);
        let is_inside =
            |at: usize| at > 0 && self.at(at - 1).is_some_and(|byte| is_of_path(byte) && !b"-/".contains(&byte));
        let fits = |found: &ReferenceMatch| found.start == start && (self.at(start) == Some(b'#') || !is_inside(start));
        match self.reference(start).filter(fits).or_else(|| self.other_address(start)) {
            Some(found) => Some((self.separator(found.end), found)),
            None => self.key(at).map(|found| (found.end, found)),
        }
        .map(|(next, found)| (found, next))
    }

    /// An address that names no issue of this server: it closes nothing, and what follows it in the list does.
    fn other_address(&self, at: usize) -> Option<ReferenceMatch> {
        let scheme = ["https://", "http://"].into_iter().find(|scheme| self.begins(at, scheme))?;
        let host = at + scheme.len();
        let end = self.run(host, |byte| byte.is_ascii_alphanumeric() || b"-_.!~*'()%;/?:@&=+$,[]#".contains(&byte));
        (end > host).then_some(ReferenceMatch { issue: None, start: at, end })
    }

    /// `JIRA-12`.
    fn key(&self, at: usize) -> Option<ReferenceMatch> {
        let is_key = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        self.at(at).filter(u8::is_ascii_uppercase)?;
        let name = self.run(at, is_key);
        if name < at + 2 || self.at(name) != Some(b'-') {
            return None;
        }
        let end = self.run(name + 1, |byte| byte.is_ascii_digit());
        (end > name + 1).then_some(ReferenceMatch { issue: None, start: at, end })
    }

    fn run(&self, mut at: usize, is_part: impl Fn(u8) -> bool) -> usize {
        while self.at(at).is_some_and(&is_part) {
            at += 1;
        }
        at
    }

    /// `#1`, `project#1`, `group/project#1`, or the address of an issue.
    fn reference(&self, at: usize) -> Option<ReferenceMatch> {
        if let Some(found) = self.address(at) {
            return Some(found);
        }
        let hash = self.run(at, is_of_path);
        if self.at(hash) != Some(b'#') {
            return None;
        }
        let (number, end) = self.number(hash + 1)?;
        // `-#1` has no path
        let start = at + path_start(self.bytes.get(at..hash)?);
        let project = if start < hash { self.project(self.bytes.get(start..hash)?)? } else { None };
        // the end of an address of another server is no reference
        let is_own = start < hash || !self.bytes.get(at..hash)?.iter().any(|byte| is_word(*byte));
        Some(ReferenceMatch { issue: number.filter(|_| is_own).map(|iid| Issue { project, iid }), start, end })
    }

    /// The whole path of the project that `path` names. A name without a slash is a project in the same namespace.
    /// `Some(None)` for the project of the commit, None if `path` is not UTF-8.
    fn project(&self, path: &[u8]) -> Option<Option<String>> {
        let path = std::str::from_utf8(path).ok()?.to_ascii_lowercase();
        let full = self.home.full_path.to_ascii_lowercase();
        let path = match full.rsplit_once('/') {
            Some((namespace, _)) if !path.contains('/') => format!("{namespace}/{path}"),
            _ => path,
        };
        Some(Some(path).filter(|path| *path != full))
    }

    /// The number that begins here, and its end. No number if it has too many digits.
    fn number(&self, at: usize) -> Option<(Option<i64>, usize)> {
        let end = self.run(at, |byte| byte.is_ascii_digit());
        if end == at || self.is_word_at(end) {
            return None;
        }
        let digits = self.bytes.get(at..end).filter(|digits| digits.len() <= DIGITS);
        let number = digits.and_then(|digits| std::str::from_utf8(digits).ok()).and_then(|text| text.parse().ok());
        Some((number, end))
    }

    /// `BASE/group/project/-/issues/1`, `/-/work_items/1` or `/issues/1`, with the rest of the address.
    fn address(&self, at: usize) -> Option<ReferenceMatch> {
        if self.home.base.is_empty() || !self.begins(at, self.home.base) {
            return None;
        }
        let path = at + self.home.base.len();
        let end = self.run(path, is_of_path);
        let text = std::str::from_utf8(self.bytes.get(path..end)?).ok()?.strip_prefix('/')?;
        let kinds = ["/-/issues/", "/-/work_items/", "/issues/"];
        let (place, iid, end) =
            kinds.into_iter().flat_map(|kind| text.rmatch_indices(kind)).find_map(|(index, kind)| {
                let place =
                    text.get(..index).filter(|place| path_start(place.as_bytes()) == 0 && place.contains('/'))?;
                let (iid, end) = self.number(path + 1 + index + kind.len())?;
                Some((place, iid, end))
            })?;
        let project = self.project(place.as_bytes())?;
        Some(ReferenceMatch { issue: iid.map(|iid| Issue { project, iid }), start: at, end: self.rest(end) })
    }

    /// The end of what may follow the number in an address: `/further?view=1#note_5`.
    fn rest(&self, mut end: usize) -> usize {
        let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_=-".contains(&byte);
        let part = |at: usize, mark: u8| {
            let end = self.run(at + 1, is_part);
            (self.at(at) == Some(mark) && end > at + 1).then_some(end)
        };
        while let Some(next) = part(end, b'/') {
            end = next;
        }
        end = self.run(end, |byte| byte == b'/');
        if let Some(query) = part(end, b'?') {
            end = query;
            while let Some(next) = part(end, b'&') {
                end = next;
            }
        }
        part(end, b'#').unwrap_or(end)
    }

    /// Every reference of the text.
    fn mentioned(&self) -> Vec<Issue> {
        let (mut mentioned, mut at) = (Vec::new(), 0);
        while at < self.bytes.len() && mentioned.len() < MOST_READ {
            if let Some(found) = self.reference(at) {
                mentioned.extend(found.issue);
                at = found.end;
            } else {
                // continue after the path that begins here, so that it is read once
                at = self.run(at, is_of_path).max(at + 1);
            }
        }
        mentioned
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/mirror/messages.rs"]
mod tests;
