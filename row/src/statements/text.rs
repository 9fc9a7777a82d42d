//! Parameters and pieces in the text of a statement.

use super::file::SqlPiece;
use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Text(String),
    /// `:name`
    Bind(String),
    /// `{name}` of no piece: a text that depends on the order of a list, or that the Worker replaces.
    Word(String),
}

pub struct Pieces<'a>(HashMap<&'a str, &'a SqlPiece>);

/// Pieces within pieces, so that a circle ends.
const DEEPEST: usize = 12;

impl<'a> Pieces<'a> {
    pub fn new(pieces: impl Iterator<Item = &'a SqlPiece>) -> Self {
        Pieces(pieces.map(|piece| (piece.name.as_str(), piece)).collect())
    }

    /// Replaces `{pieces}` by their texts.
    pub fn expanded(&self, text: &str) -> Result<Vec<Part>, String> {
        let mut parts = Vec::new();
        self.expand(text, &HashMap::new(), DEEPEST, &mut parts)?;
        Ok(parts)
    }

    /// The text of a piece with its arguments, which may have commas.
    pub fn filled(&self, name: &str, arguments: &[(&'static str, String)]) -> Result<Vec<Part>, String> {
        let piece = self.0.get(name).ok_or_else(|| format!("{{{name}}} is no piece"))?;
        let values = arguments.iter().map(|(name, value)| (*name, value.clone())).collect();
        let mut parts = Vec::new();
        self.expand(&piece.text, &values, DEEPEST, &mut parts)?;
        Ok(parts)
    }

    fn expand(
        &self,
        text: &str,
        values: &HashMap<&str, String>,
        depth: usize,
        to: &mut Vec<Part>,
    ) -> Result<(), String> {
        let depth = depth.checked_sub(1).ok_or("pieces contain each other")?;
        let mut rest = text;
        while let Some((before, name, after)) = next_name(rest)? {
            push_text(to, before);
            rest = after;
            match name {
                Name::Bind(name) => to.push(Part::Bind(name.to_owned())),
                Name::Piece(name, given) => match (values.get(name), self.0.get(name)) {
                    (Some(value), _) => self.expand(value, &HashMap::new(), depth, to)?,
                    (_, Some(piece)) if piece.arguments.len() == given.len() => {
                        // the values may name arguments of the piece around them
                        let given = given.into_iter().map(|value| replaced(value, values));
                        let given = given.collect::<Result<Vec<_>, _>>()?;
                        let inner = piece.arguments.iter().map(String::as_str).zip(given).collect();
                        self.expand(&piece.text, &inner, depth, to)?;
                    }
                    (_, Some(piece)) => return Err(format!("{{{name}}} takes {} arguments", piece.arguments.len())),
                    _ => to.push(Part::Word(name.to_owned())),
                },
            }
        }
        push_text(to, rest);
        Ok(())
    }
}

fn push_text(to: &mut Vec<Part>, text: &str) {
    match to.last_mut() {
        Some(Part::Text(last)) => last.push_str(text),
        _ if text.is_empty() => {}
        _ => to.push(Part::Text(text.to_owned())),
    }
}

enum Name<'t> {
    Bind(&'t str),
    /// With its arguments.
    Piece(&'t str, Vec<&'t str>),
}

/// The text before the first `:name` or `{name}` that is in no string, the name, and the text behind it.
fn next_name(text: &str) -> Result<Option<(&str, Name<'_>, &str)>, String> {
    let mut is_string = false;
    for (at, letter) in text.char_indices() {
        is_string ^= letter == '\'';
        if is_string || !":{".contains(letter) {
            continue;
        }
        let (before, rest) = text.split_at(at);
        if let Some(rest) = rest.strip_prefix('{') {
            let (inner, after) = enclosed(rest, '}').ok_or_else(|| format!("{{{rest}: a brace does not end"))?;
            let [inner] = inner[..] else { return Err(format!("{{{rest}: a comma without parentheses")) };
            let (name, given) = match inner.split_once('(') {
                None => (inner, Vec::new()),
                Some((name, given)) => match enclosed(given, ')') {
                    Some((given, "")) => (name, given),
                    _ => return Err(format!("{{{inner}}}: a parenthesis does not end")),
                },
            };
            return Ok(Some((before, Name::Piece(name, given), after)));
        }
        let rest = rest.strip_prefix(':').unwrap_or_default();
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if name.starts_with(|letter: char| letter.is_ascii_lowercase()) {
            return Ok(Some((before, Name::Bind(name), after)));
        }
    }
    Ok(None)
}

/// The values up to the sign that ends them, and the text behind it. A comma within parentheses does not separate.
fn enclosed(text: &str, end: char) -> Option<(Vec<&str>, &str)> {
    let (mut values, mut depth, mut start, mut is_string) = (Vec::new(), 0, 0, false);
    for (at, letter) in text.char_indices() {
        is_string ^= letter == '\'';
        match letter {
            _ if is_string => {}
            ',' if depth == 0 => {
                values.push(text.get(start..at)?.trim());
                start = at + 1;
            }
            _ if letter == end && depth == 0 => {
                values.push(text.get(start..at)?.trim());
                return Some((values, text.get(at + 1..)?));
            }
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The text with the values of arguments.
fn replaced(text: &str, values: &HashMap<&str, String>) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, name, after)) = next_name(rest)? {
        out.push_str(before);
        match name {
            Name::Bind(name) => out.extend([":", name]),
            Name::Piece(name, given) => match values.get(name) {
                Some(value) => out.push_str(value),
                None if given.is_empty() => out.extend(["{", name, "}"]),
                None => {
                    let given =
                        given.into_iter().map(|value| replaced(value, values)).collect::<Result<Vec<_>, _>>()?;
                    out.extend(["{", name, "(", &given.join(", "), ")}"]);
                }
            },
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// Whether the text has the word.
pub fn has_word(parts: &[Part], word: &str) -> bool {
    let is_end = |letter: char| !letter.is_alphanumeric() && letter != '_';
    parts.iter().any(|part| matches!(part, Part::Text(text) if text.split(is_end).any(|part| part == word)))
}

/// Whether the statement is a `select` whose rows have columns. One with a column `row` has JSON already.
pub fn is_select(parts: &[Part]) -> bool {
    let (mut depth, mut is_string) = (0_i32, false);
    let mut outer = String::new();
    for part in parts {
        let Part::Text(text) = part else { continue };
        for letter in text.chars() {
            is_string ^= letter == '\'';
            depth += i32::from(letter == '(' && !is_string) - i32::from(letter == ')' && !is_string);
            outer.push(if depth == 0 && !is_string { letter } else { ' ' });
        }
    }
    let mut words = outer.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    !words.any(|word| ["insert", "update", "delete", "row"].contains(&word))
}

/// The binds, each once, in the order of the text.
pub fn parameters(parts: &[Part]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in parts {
        if let Part::Bind(name) = part
            && !found.contains(name)
        {
            found.push(name.clone());
        }
    }
    found
}

/// The text that is sent. `word`: what a word is replaced by.
pub fn rendered<'a>(
    parts: &[Part],
    parameters: &[String],
    first_bind: usize,
    is_bare: bool,
    word: impl Fn(&str) -> Option<&'a str>,
) -> Result<String, String> {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(more) => text.push_str(more),
            Part::Word(name) => text.push_str(word(name).ok_or_else(|| format!("{{{name}}} is no piece"))?),
            Part::Bind(name) => {
                let number = first_bind + parameters.iter().position(|one| one == name).unwrap_or_default();
                text.push_str(&if is_bare { format!("?{number}") } else { format!("(select ?{number})") });
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(name: &str, arguments: &[&str], text: &str) -> SqlPiece {
        let arguments = arguments.iter().map(|name| (*name).to_owned()).collect();
        SqlPiece { name: name.to_owned(), arguments, doc: String::new(), text: text.to_owned() }
    }

    fn sent(text: &str, pieces: &[SqlPiece]) -> Result<String, String> {
        let parts = Pieces::new(pieces.iter()).expanded(text)?;
        rendered(&parts, &parameters(&parts), 8, false, |word| (word == "way").then_some("desc"))
    }

    #[test]
    fn a_parameter_is_a_bind_and_a_word_is_replaced() {
        let text = "select :b, :a, ':no {no}', '$[0]' where x = :b order by 1 {way}";
        let expected = "select (select ?8), (select ?9), ':no {no}', '$[0]' where x = (select ?8) order by 1 desc";
        assert_eq!(sent(text, &[]).as_deref(), Ok(expected));
    }

    #[test]
    fn a_select_is_no_write_and_has_no_row_of_json() {
        let is_select = |text: &str| super::is_select(&Pieces::new([].iter()).expanded(text).unwrap());
        assert!(is_select(
            ", x as (select row from y) select x.a, (select json(b) as row) as b from x where c = 'delete'"
        ));
        for text in ["insert into a select b from c", "with x as (select 1) delete from a", "select r.row from a r"] {
            assert!(!is_select(text), "{text}");
        }
    }

    #[test]
    fn a_piece_takes_its_place_with_arguments() {
        let pieces = [
            piece("newest", &["of"], "(select max(id) from {of})"),
            piece("both", &["a", "b"], "{newest({a})} + {newest({b})} + :c"),
        ];
        let expected = "(select max(id) from notes) + (select max(id) from f(x, ')')) + (select ?8)!";
        assert_eq!(sent("{both(notes, f(x, ')'))}!", &pieces).as_deref(), Ok(expected));
    }

    #[test]
    fn a_piece_that_is_unknown_has_other_arguments_or_itself_is_refused() {
        let pieces = [piece("one", &["a"], "{a}"), piece("round", &[], "{round}")];
        for text in ["{none}", "{one}", "{one(a, b)}", "{one(a}", "{one, one}", "{one(a)", "{round}"] {
            assert!(sent(text, &pieces).is_err(), "{text}");
        }
    }
}
