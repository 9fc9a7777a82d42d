//! Patterns of paths as git has them (<https://git-scm.com/docs/gitignore#_pattern_format>). All ways that a path may fit are
//! followed at once, so that no pattern takes longer than its length times that of the path.

enum Piece {
    Byte(u8),
    /// `?`
    Any,
    /// `[..]`
    Class {
        is_negated: bool,
        ranges: Vec<(u8, u8)>,
    },
    /// `*`
    Name,
    /// `**/`: any directories, or none.
    Directories,
    /// `**` at the end.
    Rest,
}

pub struct Glob {
    pieces: Vec<Piece>,
    /// It is compared with the last name of a path.
    is_name: bool,
    is_of_directories: bool,
}

impl Glob {
    pub fn new(pattern: &[u8]) -> Glob {
        let (pattern, is_of_directories) =
            pattern.strip_suffix(b"/").map_or((pattern, false), |pattern| (pattern, true));
        let is_name = !pattern.contains(&b'/');
        let pieces = pieces(pattern.strip_prefix(b"/").unwrap_or(pattern));
        Glob { pieces, is_name, is_of_directories }
    }

    /// `path`: below the directory of the pattern. `steps` is increased by what it takes.
    pub fn fits(&self, path: &[u8], is_directory: bool, steps: &mut u64) -> bool {
        if self.is_of_directories && !is_directory {
            return false;
        }
        let name = || path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let path = if self.is_name { name() } else { path };
        let mut now = Places::new(self.pieces.len());
        now.enter(&self.pieces, 0);
        for byte in path {
            *steps += self.pieces.len() as u64 + 1;
            now = now.after(&self.pieces, *byte);
            if !now.0.contains(&true) {
                return false;
            }
        }
        now.0.last() == Some(&true)
    }
}

/// Before which pieces the comparison may be. The last place is behind all of them.
struct Places(Vec<bool>);

impl Places {
    fn new(pieces: usize) -> Places {
        Places(vec![false; pieces + 1])
    }

    /// Also what is behind pieces that may be empty.
    fn enter(&mut self, pieces: &[Piece], at: usize) {
        for at in at..self.0.len() {
            if let Some(place) = self.0.get_mut(at) {
                *place = true;
            }
            if !matches!(pieces.get(at), Some(Piece::Name | Piece::Directories | Piece::Rest)) {
                break;
            }
        }
    }

    fn after(&self, pieces: &[Piece], byte: u8) -> Places {
        let mut next = Places::new(pieces.len());
        for (at, piece) in pieces.iter().enumerate().filter(|(at, _)| self.0.get(*at) == Some(&true)) {
            let is_slash = byte == b'/';
            match piece {
                Piece::Name if !is_slash => next.enter(pieces, at),
                Piece::Rest => next.enter(pieces, at),
                Piece::Directories if is_slash => next.enter(pieces, at),
                Piece::Directories => {
                    if let Some(place) = next.0.get_mut(at) {
                        *place = true;
                    }
                }
                piece if piece.is(byte) => next.enter(pieces, at + 1),
                _ => {}
            }
        }
        next
    }
}

impl Piece {
    /// Whether it is one letter, and this one.
    fn is(&self, byte: u8) -> bool {
        match self {
            Piece::Byte(own) => *own == byte,
            Piece::Any => byte != b'/',
            Piece::Class { is_negated, ranges } => {
                byte != b'/'
                    && ranges.iter().any(|(first, last)| (*first..=*last).contains(&byte)) != *is_negated
            }
            Piece::Name | Piece::Directories | Piece::Rest => false,
        }
    }
}

fn pieces(pattern: &[u8]) -> Vec<Piece> {
    let (mut pieces, mut rest) = (Vec::new(), pattern);
    while let [first, behind @ ..] = rest {
        let is_begin = rest.len() == pattern.len()
            || matches!(pieces.last(), Some(Piece::Byte(b'/') | Piece::Directories));
        let (piece, behind) = match (*first, behind) {
            (b'*', behind) => stars(behind, is_begin),
            (b'?', behind) => (Piece::Any, behind),
            (b'[', behind) => class(behind).unwrap_or((Piece::Byte(b'['), behind)),
            (b'\\', [escaped, behind @ ..]) => (Piece::Byte(*escaped), behind),
            (byte, behind) => (Piece::Byte(byte), behind),
        };
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// Behind the first star. Two or more count as such only between slashes.
fn stars(behind: &[u8], is_begin: bool) -> (Piece, &[u8]) {
    let more = behind.iter().take_while(|byte| **byte == b'*').count();
    let rest = behind.get(more..).unwrap_or_default();
    match rest {
        [b'/', rest @ ..] if more > 0 && is_begin => (Piece::Directories, rest),
        [] if more > 0 && is_begin => (Piece::Rest, rest),
        rest => (Piece::Name, rest),
    }
}

/// None without an end.
fn class(text: &[u8]) -> Option<(Piece, &[u8])> {
    let (is_negated, mut rest) = match text {
        [b'!' | b'^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut ranges = Vec::new();
    loop {
        rest = match rest {
            [b']', behind @ ..] if !ranges.is_empty() => {
                return Some((Piece::Class { is_negated, ranges }, behind));
            }
            [b'\\', escaped, behind @ ..] => {
                ranges.push((*escaped, *escaped));
                behind
            }
            [first, b'-', last, behind @ ..] if *last != b']' => {
                ranges.push((*first, *last));
                behind
            }
            [one, behind @ ..] => {
                ranges.push((*one, *one));
                behind
            }
            [] => return None,
        };
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/contents/archive/glob.rs"]
mod tests;
