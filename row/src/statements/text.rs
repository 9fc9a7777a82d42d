//! Parameters and pieces in the text of a statement.

use super::file::SqlPiece;
use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Text(String),
    /// `:name`
    Name(String),
}

pub struct Pieces<'a>(HashMap<&'a str, &'a SqlPiece>);

/// Pieces within pieces, so that a circle ends.
const DEEPEST: usize = 12;

impl<'a> Pieces<'a> {
    pub fn new(pieces: impl Iterator<Item = &'a SqlPiece>) -> Self {
        Pieces(pieces.map(|piece| (piece.name.as_str(), piece)).collect())
    }

    /// Replaces the names of pieces by their texts.
    pub fn expanded(&self, text: &str) -> Result<Vec<Part>, String> {
        let mut parts = Vec::new();
        self.expand(text, &HashMap::new(), DEEPEST, &mut parts)?;
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
        while let Some((before, name, after)) = next_name(rest) {
            push_text(to, before);
            rest = after;
            if let Some(value) = values.get(name) {
                self.expand(value, &HashMap::new(), depth, to)?;
            } else if let Some(piece) = self.0.get(name) {
                let (given, after) = if piece.arguments.is_empty() { (Vec::new(), after) } else { arguments(after)? };
                if given.len() != piece.arguments.len() {
                    return Err(format!(":{name} takes {} arguments", piece.arguments.len()));
                }
                rest = after;
                // the values may name arguments of the piece around them
                let given = given.into_iter().map(|value| replaced(value, values));
                let inner = piece.arguments.iter().map(String::as_str).zip(given).collect();
                self.expand(&piece.text, &inner, depth, to)?;
            } else {
                to.push(Part::Name(name.to_owned()));
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

/// The text before the first `:name` that is in no string, the name, and the text behind it.
fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let mut is_string = false;
    for (at, letter) in text.char_indices() {
        is_string ^= letter == '\'';
        if letter != ':' || is_string {
            continue;
        }
        let (before, rest) = text.split_at(at);
        let rest = rest.strip_prefix(':')?;
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if name.starts_with(|letter: char| letter.is_ascii_lowercase()) {
            return Some((before, name, after));
        }
    }
    None
}

/// Reads `(a, b)` at the beginning. A comma within parentheses does not separate.
fn arguments(text: &str) -> Result<(Vec<&str>, &str), String> {
    let inner = text.strip_prefix('(').ok_or("a piece with arguments needs parentheses")?;
    let (mut given, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ',' | ')' if depth == 0 => {
                given.push(inner.get(start..at).unwrap_or_default().trim());
                start = at + 1;
                if letter == ')' {
                    return Ok((given, inner.get(start..).unwrap_or_default()));
                }
            }
            _ => {}
        }
    }
    Err("a parenthesis does not end".to_owned())
}

fn replaced(text: &str, values: &HashMap<&str, String>) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, name, after)) = next_name(rest) {
        out.push_str(before);
        match values.get(name) {
            Some(value) => out.push_str(value),
            None => out.extend([":", name]),
        }
        rest = after;
    }
    out.push_str(rest);
    out
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

/// The names that are no words, each once, in the order of the text.
pub fn parameters(parts: &[Part], words: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in parts {
        if let Part::Name(name) = part
            && !words.contains(&name.as_str())
            && !found.contains(name)
        {
            found.push(name.clone());
        }
    }
    found
}

/// The text that is sent. `word`: what a name is replaced by that is no parameter.
pub fn rendered<'a>(
    parts: &[Part],
    parameters: &[String],
    first_bind: usize,
    is_bare: bool,
    word: impl Fn(&str) -> Option<&'a str>,
) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(more) => text.push_str(more),
            Part::Name(name) => match parameters.iter().position(|parameter| parameter == name) {
                None => text.push_str(word(name).unwrap_or_default()),
                Some(at) if is_bare => text.push_str(&format!("?{}", first_bind + at)),
                Some(at) => text.push_str(&format!("(select ?{})", first_bind + at)),
            },
        }
    }
    text
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
        let parameters = parameters(&parts, &["way"]);
        Ok(rendered(&parts, &parameters, 8, false, |word| (word == "way").then_some("desc")))
    }

    #[test]
    fn a_parameter_is_a_bind_and_a_word_is_replaced() {
        let text = "select :b, :a, ':no', '$[0]' where x = :b order by 1 :way";
        let expected = "select (select ?8), (select ?9), ':no', '$[0]' where x = (select ?8) order by 1 desc";
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
            piece("newest", &["of"], "(select max(id) from :of)"),
            piece("both", &["a", "b"], ":newest(:a) + :newest(:b) + :c"),
        ];
        let expected = "(select max(id) from notes) + (select max(id) from f(x, y)) + (select ?8)!";
        assert_eq!(sent(":both(notes, f(x, y))!", &pieces).as_deref(), Ok(expected));
    }

    #[test]
    fn a_piece_with_other_arguments_or_in_itself_is_refused() {
        let pieces = [piece("one", &["a"], ":a"), piece("round", &[], ":round")];
        for text in [":one", ":one(a, b)", ":one(a", ":round"] {
            assert!(sent(text, &pieces).is_err(), "{text}");
        }
    }
}
