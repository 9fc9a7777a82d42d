//! The format of a `.sql` file.

use super::list::List;

#[derive(Debug, Default)]
pub struct File {
    /// `-- binds: bare`: a parameter is `?n` and not `(select ?n)`.
    pub is_bare: bool,
    /// `-- writes: events`: the statements write events for hooks.
    pub writes_events: bool,
    /// `-- order: Id = p.id (projects_within)`: the variant, the key, and perhaps the name of an index.
    pub orders: Vec<Order>,
    pub pieces: Vec<SqlPiece>,
    pub statements: Vec<SqlStatement>,
}

/// One of several orders of a list. Each has texts of its own, so that an index serves it.
#[derive(Debug)]
pub struct Order {
    /// A variant of the enum `Order` beside the module.
    pub variant: String,
    /// The same as a text of SQL.
    name: String,
    key: String,
    pub is_text: bool,
    index: Option<String>,
}

#[derive(Debug, Default)]
pub struct SqlPiece {
    pub name: String,
    pub arguments: Vec<String>,
    pub doc: String,
    pub text: String,
}

#[derive(Debug, Default)]
pub struct SqlStatement {
    pub name: String,
    pub scope: Scope,
    pub returns: Returns,
    pub doc: String,
    pub text: String,
    /// The head of a block that begins with `-- list: name`.
    pub list: Option<List>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub enum Scope {
    #[default]
    None,
    Project,
    Group,
    Caller,
}

/// The rows of a statement: `Label` one, `Label?` at most one, `Label*` any number.
#[derive(Debug, Default, PartialEq)]
pub enum Returns {
    /// The caller decides.
    #[default]
    Rows,
    One(String),
    First(String),
    All(String),
}

impl Scope {
    pub fn variant(self) -> &'static str {
        match self {
            Scope::None => "None",
            Scope::Project => "Project",
            Scope::Group => "Group",
            Scope::Caller => "Caller",
        }
    }

    /// The shared piece that the statement begins with.
    pub fn piece(self) -> Option<&'static str> {
        match self {
            Scope::None => None,
            Scope::Project => Some("project_scope"),
            Scope::Group => Some("group_scope"),
            Scope::Caller => Some("caller_scope"),
        }
    }

    /// The number of binds in that piece.
    pub fn binds(self) -> usize {
        match self {
            Scope::None => 0,
            Scope::Project => 8,
            Scope::Group => 7,
            Scope::Caller => 5,
        }
    }

    /// The common table expression that is empty for a caller who may not.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Scope::None => None,
            Scope::Project | Scope::Group => Some("scope"),
            Scope::Caller => Some("caller"),
        }
    }
}

/// The words of a list that goes either way.
pub fn way_word(word: &str, ascending: bool) -> Option<&'static str> {
    match (word, ascending) {
        ("way", true) => Some("asc"),
        ("way", false) => Some("desc"),
        ("beyond", true) => Some(">"),
        ("beyond", false) => Some("<"),
        _ => None,
    }
}

impl Order {
    pub fn word(&self, word: &str, ascending: bool) -> Option<&str> {
        match (word, ascending) {
            ("sort_key", _) => Some(&self.key),
            ("order", _) => Some(&self.name),
            ("index", _) => Some(self.index.as_deref().unwrap_or_default()),
            _ => way_word(word, ascending),
        }
    }

    fn read(text: &str) -> Result<Order, String> {
        let (variant, rest) = text.split_once('=').ok_or("an order is `Variant = key` or `Variant = key (index)`")?;
        let rest = rest.trim();
        // a key may end with a parenthesis, an index is a word behind a blank
        let index = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
        let (key, index) = match index {
            Some((key, index)) => (key.trim(), Some(index.to_owned())),
            None => (rest, None),
        };
        let (key, is_text) = key.strip_suffix(" text").map_or((key, false), |key| (key, true));
        let variant = variant.trim().to_owned();
        Ok(Order { name: format!("'{variant}'"), variant, key: key.to_owned(), is_text, index })
    }
}

impl File {
    pub fn read(text: &str) -> Result<File, String> {
        let mut file = File::default();
        for (at, block) in blocks(text).into_iter().enumerate() {
            if at == 0 {
                file.read_head(&block)?;
            } else {
                file.read_block(&block)?;
            }
        }
        Ok(file)
    }

    fn read_head(&mut self, block: &str) -> Result<(), String> {
        for line in block.lines().filter_map(|line| line.strip_prefix("-- ")) {
            match line.split_once(": ") {
                Some(("binds", "bare")) => self.is_bare = true,
                Some(("writes", "events")) => self.writes_events = true,
                Some(("order", order)) => self.orders.push(Order::read(order)?),
                Some((word @ ("binds" | "writes" | "scope" | "returns"), value)) => {
                    return Err(format!("`-- {word}: {value}` is unknown before the first name"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn read_block(&mut self, block: &str) -> Result<(), String> {
        let (first, rest) = block.split_once('\n').unwrap_or((block, ""));
        let list = first.starts_with("-- list: ").then(List::default);
        let mut statement = SqlStatement { list, ..SqlStatement::default() };
        for line in rest.lines() {
            let Some(comment) = line.trim_start().strip_prefix("--") else {
                statement.text.push_str(line);
                statement.text.push('\n');
                continue;
            };
            if !statement.text.trim().is_empty() {
                continue;
            }
            match comment.trim().split_once(": ") {
                Some((word, value)) if statement.list.as_mut().is_some_and(|list| list.read(word, value)) => {}
                Some(("scope", "project")) => statement.scope = Scope::Project,
                Some(("scope", "group")) => statement.scope = Scope::Group,
                Some(("scope", "caller")) => statement.scope = Scope::Caller,
                Some(("scope", other)) => return Err(format!("{first}: the scope {other} is unknown")),
                Some(("returns", of)) => statement.returns = Returns::read(of),
                _ => {
                    statement.doc.push_str(comment);
                    statement.doc.push('\n');
                }
            }
        }
        let text = statement.text.trim();
        let is_piece = first.starts_with("-- piece: ");
        statement.text = squeezed(if is_piece { text } else { text.strip_suffix(';').unwrap_or_default() });
        let text = &statement.text;
        if text.is_empty() || outside_of_strings(text).contains(';') {
            return Err(format!("{first}: a statement ends with its only `;`, a piece has none"));
        }
        let ends = [",", "(", " and", " or", " where", " from", " as", " ="];
        if text.starts_with(',') || ends.iter().any(|end| text.ends_with(end)) {
            return Err(format!("{first}: begins or ends in the middle of a clause"));
        }
        if let Some(piece) = first.strip_prefix("-- piece: ") {
            let (name, arguments) = match piece.trim().strip_suffix(')').and_then(|piece| piece.split_once('(')) {
                Some((name, arguments)) => (name, arguments.split(',').map(|name| name.trim().to_owned()).collect()),
                None => (piece.trim(), Vec::new()),
            };
            let SqlStatement { doc, text, .. } = statement;
            self.pieces.push(SqlPiece { name: name.to_owned(), arguments, doc, text });
            return Ok(());
        }
        let name = first.strip_prefix("-- list: ").or_else(|| first.strip_prefix("-- name: "));
        statement.name = name.unwrap_or_default().trim().to_owned();
        let is_word = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if !statement.name.chars().all(is_word) {
            return Err(format!("`{}` is no name", statement.name));
        }
        self.statements.push(statement);
        Ok(())
    }
}

impl Returns {
    fn read(text: &str) -> Returns {
        let text = text.trim();
        if let Some(of) = text.strip_suffix('*') {
            Returns::All(of.to_owned())
        } else if let Some(of) = text.strip_suffix('?') {
            Returns::First(of.to_owned())
        } else {
            Returns::One(text.to_owned())
        }
    }
}

/// Each run of blanks and line ends outside of strings as one blank: what is sent is measured in bytes.
fn squeezed(text: &str) -> String {
    let (mut out, mut is_string) = (String::new(), false);
    for letter in text.chars() {
        is_string ^= letter == '\'';
        match letter {
            ' ' | '\n' if !is_string => {
                if !out.ends_with([' ', '(']) {
                    out.push(' ');
                }
            }
            ')' if !is_string => {
                if out.ends_with(' ') {
                    out.pop();
                }
                out.push(')');
            }
            letter => out.push(letter),
        }
    }
    out
}

fn outside_of_strings(text: &str) -> String {
    text.split('\'').step_by(2).collect()
}

/// The text before the first name, and then each statement or piece with its name.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in text.lines() {
        if ["-- name: ", "-- list: ", "-- piece: "].iter().any(|first| line.starts_with(first)) {
            blocks.push(String::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: &str = "-- Labels.\n-- order: Id = p.id (within)\n-- order: Name = lower(p.name)\n\n-- name: one\n\
        -- scope: project\n-- returns: Label?\n-- The label :id.\nselect 1\n-- why\nfrom scope;\n\n\
        -- piece: seen(of)\n{of}.is_seen\n";

    #[test]
    fn a_statement_has_a_scope_an_answer_and_a_comment() {
        let file = File::read(LABELS).unwrap();
        let one = &file.statements[0];
        assert_eq!((one.name.as_str(), one.scope), ("one", Scope::Project));
        assert_eq!(one.returns, Returns::First("Label".to_owned()));
        assert_eq!((one.doc.as_str(), one.text.as_str()), (" The label :id.\n", "select 1 from scope"));
    }

    #[test]
    fn a_piece_may_have_arguments() {
        let file = File::read(LABELS).unwrap();
        assert_eq!(file.pieces[0].name, "seen");
        assert_eq!(file.pieces[0].arguments, ["of"]);
        assert_eq!(file.pieces[0].text, "{of}.is_seen");
    }

    #[test]
    fn an_order_has_a_key_and_may_have_an_index() {
        let file = File::read(LABELS).unwrap();
        let [id, name] = file.orders.as_slice() else { panic!("two orders") };
        assert_eq!((id.word("sort_key", true), id.word("index", true)), (Some("p.id"), Some("within")));
        assert_eq!((name.word("sort_key", true), name.word("index", true)), (Some("lower(p.name)"), Some("")));
        assert_eq!((name.word("way", false), name.word("beyond", false)), (Some("desc"), Some("<")));
    }

    #[test]
    fn blanks_are_sent_once_but_in_strings() {
        assert_eq!(squeezed("a (\n  b  = ' x  (' \n) c"), "a (b = ' x  (') c");
    }

    #[test]
    fn an_unknown_scope_or_sign_is_refused() {
        for text in ["-- name: one?\nselect 1;\n", "-- name: one\n-- scope: world\nselect 1;\n"] {
            assert!(File::read(text).is_err(), "{text}");
        }
        assert!(File::read("-- scope: project\n\n-- name: one\nselect 1;\n").is_err());
    }

    #[test]
    fn a_statement_ends_with_a_semicolon_and_a_piece_is_whole() {
        for text in ["-- name: one\nselect 1;", "-- piece: one\na = ';'"] {
            assert!(File::read(text).is_ok(), "{text}");
        }
        let unfinished = ["-- name: one\nselect 1", "-- name: one\nselect 1; select 2;", "-- piece: one\na;"];
        for text in unfinished.into_iter().chain(["-- piece: one\n, a", "-- piece: one\na and", "-- piece: one\n"]) {
            assert!(File::read(text).is_err(), "{text}");
        }
    }
}
