//! Patterns of paths as git has them (<https://git-scm.com/docs/gitignore#_pattern_format>). All ways in which a path
//! may fit are followed at once, so the steps are at most four times the length of the pattern times that of the path.

use super::limits::Steps;

enum Piece {
    Byte(u8),
    /// `?`
    Any,
    /// `[..]`: a bit for each letter. A broken class has no bits, so the pattern fits nothing.
    Class(Box<[u64; 4]>),
    /// `*`
    Name,
    /// `**/`: any directories, or none.
    Directories,
    /// `**` at the end.
    Rest,
}

pub struct Glob {
    pieces: Vec<Piece>,
    /// Whether the pattern is compared only with the last name of a path.
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

    /// `path`: relative to the directory of the pattern. If `steps` are exceeded, the result is not valid.
    pub fn fits(&self, path: &[u8], is_directory: bool, steps: &mut Steps) -> bool {
        steps.add(1);
        if self.is_of_directories && !is_directory {
            return false;
        }
        let name = || path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let path = if self.is_name { name() } else { path };
        // most patterns begin or end with letters that few paths begin or end with
        let ends = self.pieces.iter().rev().zip(path.iter().rev());
        let ends = ends.take_while(|(piece, _)| matches!(piece, Piece::Byte(_))).inspect(|_| steps.add(1));
        let is_other = |(piece, byte): (&Piece, &u8)| matches!(piece, Piece::Byte(own) if own != byte);
        if self.pieces.iter().zip(path).take(1).chain(ends).any(is_other) {
            return false;
        }
        let (mut now, mut next) = (Places::new(self.pieces.len()), Places::new(self.pieces.len()));
        now.enter(&self.pieces, 0, steps);
        for byte in path {
            steps.add(self.pieces.len() as u64 + 1);
            now.step(&self.pieces, *byte, &mut next, steps);
            std::mem::swap(&mut now, &mut next);
            if !now.0.contains(&true) || steps.are_too_many() {
                return false;
            }
        }
        now.0.last() == Some(&true)
    }
}

/// Which pieces may come next: true at their index. The last index is the end of the pattern.
struct Places(Vec<bool>);

impl Places {
    fn new(pieces: usize) -> Places {
        Places(vec![false; pieces + 1])
    }

    /// Marks the piece at `at`, and those that may come next because the pieces between may be empty.
    fn enter(&mut self, pieces: &[Piece], at: usize, steps: &mut Steps) {
        for at in at..self.0.len() {
            steps.add(1);
            if let Some(place) = self.0.get_mut(at) {
                *place = true;
            }
            if !matches!(pieces.get(at), Some(Piece::Name | Piece::Directories | Piece::Rest)) {
                break;
            }
        }
    }

    fn step(&self, pieces: &[Piece], byte: u8, next: &mut Places, steps: &mut Steps) {
        next.0.fill(false);
        for (at, piece) in pieces.iter().enumerate().filter(|(at, _)| self.0.get(*at) == Some(&true)) {
            let is_slash = byte == b'/';
            match piece {
                Piece::Name if !is_slash => next.enter(pieces, at, steps),
                Piece::Rest => next.enter(pieces, at, steps),
                Piece::Directories if is_slash => next.enter(pieces, at, steps),
                Piece::Directories => {
                    if let Some(place) = next.0.get_mut(at) {
                        *place = true;
                    }
                }
                piece if piece.is(byte) => next.enter(pieces, at + 1, steps),
                _ => {}
            }
        }
    }
}

impl Piece {
    /// Whether the piece matches this one letter.
    fn is(&self, byte: u8) -> bool {
        match self {
            Piece::Byte(own) => *own == byte,
            Piece::Any => byte != b'/',
            Piece::Class(letters) => {
                let bits = letters.get(usize::from(byte >> 6)).copied().unwrap_or_default();
                byte != b'/' && bits >> (byte & 63) & 1 == 1
            }
            Piece::Name | Piece::Directories | Piece::Rest => false,
        }
    }
}

fn pieces(pattern: &[u8]) -> Vec<Piece> {
    let (mut pieces, mut rest) = (Vec::new(), pattern);
    // git compares the letters before the first special one by themselves
    let plain = pattern.iter().position(|byte| b"*?[\\".contains(byte)).unwrap_or(pattern.len());
    while let [first, behind @ ..] = rest {
        let is_begin = rest.len() + plain == pattern.len()
            || matches!(pieces.last(), Some(Piece::Byte(b'/') | Piece::Directories));
        let (piece, behind) = match (*first, behind) {
            (b'*', behind) => stars(behind, is_begin),
            (b'?', behind) => (Piece::Any, behind),
            (b'[', behind) => class(behind).unwrap_or((nothing(), &[])),
            (b'\\', [escaped, behind @ ..]) => (Piece::Byte(*escaped), behind),
            (b'\\', []) => (nothing(), &[][..]),
            (byte, behind) => (Piece::Byte(byte), behind),
        };
        // several in a row mean the same as one
        if !matches!((pieces.last(), &piece), (Some(Piece::Directories), Piece::Directories)) {
            pieces.push(piece);
        }
        rest = behind;
    }
    pieces
}

fn nothing() -> Piece {
    Piece::Class(Box::default())
}

/// The piece of a run of stars, and the rest. `behind` follows the first star. Two or more stars mean directories only
/// between slashes.
fn stars(behind: &[u8], is_begin: bool) -> (Piece, &[u8]) {
    let more = behind.iter().take_while(|byte| **byte == b'*').count();
    let rest = behind.get(more..).unwrap_or_default();
    match rest {
        [b'/', rest @ ..] if more > 0 && is_begin => (Piece::Directories, rest),
        [] if more > 0 && is_begin => (Piece::Rest, rest),
        rest => (Piece::Name, rest),
    }
}

/// A class in brackets, and the rest. None if it does not end.
fn class(text: &[u8]) -> Option<(Piece, &[u8])> {
    let (is_negated, mut rest) = match text {
        [b'!' | b'^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut letters = [0_u64; 4];
    let mut add = |fits: &dyn Fn(u8) -> bool| {
        for byte in (0..=u8::MAX).filter(|byte| fits(*byte)) {
            if let Some(bits) = letters.get_mut(usize::from(byte >> 6)) {
                *bits |= 1 << (byte & 63);
            }
        }
    };
    let mut is_first = true;
    loop {
        rest = match rest {
            [b']', behind @ ..] if !is_first => {
                let letters = if is_negated { letters.map(|bits| !bits) } else { letters };
                return Some((Piece::Class(Box::new(letters)), behind));
            }
            [b'[', b':', behind @ ..] => {
                let end = behind.windows(2).position(|pair| pair == b":]")?;
                let kind = behind.get(..end)?;
                add(&|byte| is_of_kind(kind, byte));
                behind.get(end + 2..)?
            }
            rest => {
                let (first, behind) = letter(rest)?;
                match behind {
                    [b'-', end, ..] if *end != b']' => {
                        let (last, behind) = letter(behind.get(1..)?)?;
                        add(&|byte| (first..=last).contains(&byte));
                        behind
                    }
                    behind => {
                        add(&|byte| byte == first);
                        behind
                    }
                }
            }
        };
        is_first = false;
    }
}

/// A letter of a class, which may be escaped, and the rest.
fn letter(text: &[u8]) -> Option<(u8, &[u8])> {
    match text {
        [b'\\', escaped, rest @ ..] => Some((*escaped, rest)),
        [b'\\'] | [] => None,
        [byte, rest @ ..] => Some((*byte, rest)),
    }
}

fn is_of_kind(kind: &[u8], byte: u8) -> bool {
    match kind {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => byte.is_ascii_graphic() || byte == b' ',
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => byte.is_ascii_whitespace() || byte == 11,
        b"upper" => byte.is_ascii_uppercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => false,
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/contents/archive/glob.rs"]
mod tests;
