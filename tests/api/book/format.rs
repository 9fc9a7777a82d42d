//! SQL for readers: a clause a line, what stands in parentheses further in.

/// Words that begin a line.
const CLAUSES: &[&str] = &[
    "select",
    "from",
    "where",
    "union",
    "order",
    "limit",
    "values",
    "set",
    "cross",
    "left",
    "join",
    "on",
    "returning",
    "group",
    "with",
    "insert",
    "update",
    "delete",
];
/// Behind these the next word stays on the line.
const PAIRS: &[(&str, &str)] =
    &[("cross", "join"), ("left", "join"), ("delete", "from"), ("do", "update"), ("update", "set")];
const WIDTH: usize = 110;

/// Words, texts in quotes and single signs, each with whether a blank stood before it.
fn tokens(sql: &str) -> Vec<(bool, &str)> {
    let (mut found, mut rest) = (Vec::new(), sql);
    loop {
        let trimmed = rest.trim_start();
        let blank = trimmed.len() < rest.len();
        let Some(first) = trimmed.chars().next() else { return found };
        let is_word = |letter: char| letter.is_alphanumeric() || "_.?$".contains(letter);
        let length = match first {
            '\'' => quoted(trimmed),
            first if is_word(first) => trimmed.find(|letter| !is_word(letter)).unwrap_or(trimmed.len()),
            '-' if trimmed.starts_with("->>") => 3,
            _ if ["->", "||", "<=", ">=", "<>"].iter().any(|sign| trimmed.starts_with(sign)) => 2,
            first => first.len_utf8(),
        };
        found.push((blank, &trimmed[..length]));
        rest = &trimmed[length..];
    }
}

fn quoted(text: &str) -> usize {
    let mut at = 1;
    while let Some(end) = text[at..].find('\'') {
        at += end + 1;
        if !text[at..].starts_with('\'') {
            return at;
        }
        at += 1;
    }
    text.len()
}

struct Lines {
    done: Vec<String>,
    line: String,
    depth: usize,
}

impl Lines {
    fn end(&mut self, further: usize) {
        let line = std::mem::take(&mut self.line);
        if !line.trim().is_empty() {
            self.done.push(line.trim_end().to_owned());
        }
        self.line = "  ".repeat(self.depth + further);
    }
}

/// The same statement, laid out.
pub fn formatted(sql: &str) -> String {
    let tokens = tokens(sql);
    let mut lines = Lines { done: Vec::new(), line: String::new(), depth: 0 };
    // of each open parenthesis whether it holds a select
    let mut open: Vec<bool> = Vec::new();
    for (at, (blank, token)) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |at| tokens[at].1);
        let inline = open.last() == Some(&false);
        let is_pair = PAIRS.contains(&(before, token));
        match *token {
            ")" if open.pop() == Some(true) => {
                lines.depth -= 1;
                lines.end(0);
            }
            ")" => {}
            word if CLAUSES.contains(&word) && !inline && !is_pair && at > 0 => lines.end(0),
            "and" | "or" if !inline && lines.line.len() > 60 => lines.end(1),
            _ if lines.line.len() > WIDTH && (before == "," || *token == "and" || *token == "or") => {
                lines.end(1)
            }
            _ => {}
        }
        if *blank && !lines.line.trim().is_empty() && !lines.line.ends_with(' ') {
            lines.line.push(' ');
        }
        lines.line.push_str(token);
        if *token == "(" {
            let holds = tokens.get(at + 1).is_some_and(|(_, next)| ["select", "with"].contains(next));
            // a short look-up of a bind stays where it is
            let is_bind = tokens.get(at + 1).is_some_and(|(_, next)| *next == "select")
                && tokens.get(at + 2).is_some_and(|(_, next)| next.starts_with('?'));
            open.push(holds && !is_bind);
            if holds && !is_bind {
                lines.depth += 1;
                lines.end(0);
            }
        }
    }
    lines.end(0);
    lines.done.join("\n")
}

#[test]
fn a_formatted_statement_is_the_same_statement() {
    let sql = "with a as (select x, 'a  (b' as y from t where z = (select ?1)) select json_object('k', (select 1 from a)) as v from a";
    let words = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(words(&formatted(sql)), words(sql));
    assert!(formatted(sql).contains("'a  (b'") && formatted(sql).contains("(select ?1)"));
}
