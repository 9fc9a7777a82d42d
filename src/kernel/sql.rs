//! How an area's `.sql` file becomes Rust.
//!
//! ```sql
//! -- name: one
//! -- scope: project
//! -- returns: LabelRow?
//! -- The label of this project with the id :id.
//! select l.* from scope s cross join labels l on l.project_id = s.project_id and l.id = :id;
//! ```
//!
//! `edgeforge_row::statements!(mod sql: "src/areas/labels/labels.sql")` reads the file when the crate is compiled and
//! generates a struct for each named statement, `sql::one { id }`. Its fields are the statement's parameters. A missing
//! or unknown parameter, piece or scope does not compile.
//!
//! | line | meaning |
//! |---|---|
//! | `-- scope: project`, `group`, `caller` | the statement begins with `scope` or `caller`, which has no row for a request that may not (ARCHITECTURE.md, Authorization). It continues with `select`, `insert`, `update` or `delete`, or with `with` and other common table expressions. `(select ?1)` is the caller's key there |
//! | `-- returns: LabelRow?` | the type of a row, which derives `Row`, or of its only column, such as `i64`: `LabelRow` for one row, `LabelRow?` for at most one, `LabelRow*` for any number. Without this line the answer is [`Rows`](crate::kernel::store::Rows) |
//! | `-- piece: name` | a text that takes the place of `{name}`: a whole expression, condition, table or common table expression. `-- piece: name(a)` takes the place of `{name(value)}`, and `{a}` in it is the value. It serves all files of a module; `pieces.sql` has those of every module. A piece without arguments is also a constant, for a [`Text`] |
//! | `-- binds: bare` | before the first name: a parameter is `?n`. Elsewhere it is `(select ?n)`, so that SQLite does not compile the statement again for other values (ARCHITECTURE.md, How a statement is written) |
//! | `-- order: Name = lower(p.name) text (index)` | before the first name, for lists in several orders: each variant of the enum `Order` has a text of its own, which an index serves. `{sort_key}` is the key, `{index}` the index, `{order}` the text `'Name'`, `{way}` and `{beyond}` are `asc` and `>`, or `desc` and `<`. The structs have the fields `order` and `ascending` |
//! | `-- writes: events` | before the first name: the statements of the file write events for hooks |

//! A block that begins with `-- list: name` is a list. Its text returns all rows. The macro writes the statement of a
//! page and that of the total. The struct also has the field `page`, and its answer is a
//! [`Listed`](crate::kernel::lists::Listed).
//!
//! ```sql
//! -- list: list
//! -- scope: project
//! -- shows: CommentRow of comment_rows
//! -- weighs: comment_lengths
//! -- order: id
//! -- total: total
//! select id from commit_comments where commit_id = :commit_id and {after};
//! ```
//!
//! | line | meaning |
//! |---|---|
//! | `-- shows: Row of view` | the type of a row, and the table or view with its columns, joined by `id` to the list's rows `p`. Without `of` the text has the columns |
//! | `-- beside: p.iid` | more columns, of `p` or of the view `r` |
//! | `-- weighs: lengths` | a view with the columns `id`, `bytes` and `answered`: the page ends at 3 MB. `by project_id, name` follows where the rows have another key |
//! | `-- order: id` | the keys in their order. `{after}` in the text is the condition that a row comes after the page before. `created_at desc, id desc` descends. `title text` is a text and no number. `id either way` adds the field `ascending`, and the words `{way}` and `{beyond}`. With `inside` the text orders its rows itself |
//! | `-- filters: state, name` | binds that no index answers, null if the request does not filter by them; one that is always set for a condition on what the caller may see. They need not occur in the text, which has a column `fits`. A filtered page looks at a limited number of rows (behaviour 13.4), another one at no more than it shows. `-- looks: 1000` limits the first page further |
//! | `-- total: 1000` | how many rows are counted: by default 10,000, or 1,000 with filters. `none`, or the name of a statement that knows the number otherwise and returns a [`ListTotal`](crate::kernel::lists::ListTotal) |
//!
//! The text may also use what the page binds: `:after_1`, `:after_2` (the keys of the last row before it), `:from` and
//! `:to` (the bounds of the first key), `:most`, `:skip` and `:looks`.

use super::store::{Column, Scope, Statement, Value};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

/// A part of a statement, with binds and words that [`Text`] replaces while the Worker runs.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// Module and name.
    pub name: &'static str,
    pub parts: &'static [Part],
}

impl Piece {
    /// The text of a piece without names.
    pub const fn text(self) -> &'static str {
        match self.parts {
            [Part::Text(text)] => text,
            _ => "",
        }
    }

    /// The text with another one in the place of its word.
    pub fn around(self, text: &str) -> String {
        let parts = self.parts.iter().map(|part| if let Part::Text(own) = part { *own } else { text });
        parts.collect()
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Part {
    Text(&'static str),
    /// `:name`
    Bind(&'static str),
    /// `{name}`
    Word(&'static str),
}

edgeforge_row::statements!(pub mod pieces: "src/kernel/pieces.sql");

/// D1 documents this limit for the arguments of a function, below SQLite's own:
/// <https://developers.cloudflare.com/d1/platform/limits/>
const MOST_ARGUMENTS: usize = 32;

const BEGIN: &str = "select json_array(";
const BETWEEN: &str = ") as row from (";

/// The text of a `select` with rows of type `T`, as it is sent. A row of several columns crosses from D1 as one JSON
/// list: 20 issues of 28 columns then take 0.5 ms instead of 1.0 ms.
pub fn one_text<T: Column>(text: Cow<'static, str>) -> Cow<'static, str> {
    crossing(text, T::crossing())
}

fn crossing(text: Cow<'static, str>, columns: Vec<&'static str>) -> Cow<'static, str> {
    if (2..=MOST_ARGUMENTS).contains(&columns.len()) {
        Cow::Owned(format!("{BEGIN}{}{BETWEEN}{text})", columns.join(", ")))
    } else {
        text
    }
}

/// [`one_text`] of a constant, computed once in each isolate.
pub fn constant_of<T: Column>(kept: &'static OnceLock<Cow<'static, str>>, text: &'static str) -> Cow<'static, str> {
    kept_text(kept, text, T::crossing)
}

/// Not generic: the code that fills a `OnceLock` is 1 kB of wasm for each closure.
fn kept_text(
    kept: &'static OnceLock<Cow<'static, str>>,
    text: &'static str,
    columns: fn() -> Vec<&'static str>,
) -> Cow<'static, str> {
    Cow::Borrowed(kept.get_or_init(|| crossing(Cow::Borrowed(text), columns())))
}

/// Two texts of [`one_text`] as one, whose rows are those of both. None if one of them has other rows.
pub fn union_of(first: &str, second: &str) -> Option<String> {
    [first, second].iter().all(|text| text.starts_with(BEGIN)).then(|| format!("{first}\nunion all\n{second}"))
}

/// What replaces a name of a piece in one statement.
#[derive(Debug)]
enum Word {
    Text(Cow<'static, str>),
    /// Pieces, and the text between two of them.
    Pieces(Vec<Piece>, &'static str),
}

/// A statement that is put together from pieces while the Worker runs. A name that nothing replaces stays in the text,
/// and the database refuses it.
#[derive(Debug)]
pub struct Text {
    scope: Scope,
    words: HashMap<&'static str, Word>,
    values: HashMap<&'static str, Value>,
    sql: String,
    /// The binds that the text has, in the order of their numbers.
    binds: Vec<&'static str>,
    first_bind: usize,
}

impl Text {
    pub fn new(scope: Scope) -> Text {
        let first_bind = match scope {
            Scope::None => 1,
            Scope::Project => 9,
            Scope::Group => 8,
            Scope::Caller => 6,
        };
        let (words, values) = (HashMap::new(), HashMap::new());
        Text { scope, words, values, sql: String::new(), binds: Vec::new(), first_bind }
    }

    /// Replaces `{name}` by a text.
    pub fn text(mut self, name: &'static str, text: impl Into<Cow<'static, str>>) -> Text {
        self.words.insert(name, Word::Text(text.into()));
        self
    }

    pub fn piece(self, name: &'static str, piece: Piece) -> Text {
        self.pieces(name, vec![piece], "")
    }

    /// Replaces `{name}` by pieces, with the text `between` two of them.
    pub fn pieces(mut self, name: &'static str, pieces: Vec<Piece>, between: &'static str) -> Text {
        self.words.insert(name, Word::Pieces(pieces, between));
        self
    }

    /// The value of `:name`. A bind that no piece names is not sent.
    pub fn bind(mut self, name: &'static str, value: impl Into<Value>) -> Text {
        self.values.insert(name, value.into());
        self
    }

    /// Makes the statement of `piece`, with rows of type `T`.
    pub fn statement<T: Column>(mut self, piece: Piece) -> Statement {
        match self.scope {
            Scope::None => {}
            Scope::Project => self.add(pieces::project_scope),
            Scope::Group => self.add(pieces::group_scope),
            Scope::Caller => self.add(pieces::caller_scope),
        }
        self.sql.push('\n');
        let begin = self.sql.len();
        self.add(piece);
        if self.sql.get(begin..).is_some_and(|own| own.starts_with("with ")) {
            // the scope begins with `with`, too
            self.sql.replace_range(begin..begin + 5, ", ");
        }
        Statement {
            sql: one_text::<T>(Cow::Owned(self.sql)),
            binds: self.binds.iter().filter_map(|name| self.values.remove(name)).collect(),
            name: piece.name,
            scope: self.scope,
            writes_events: false,
        }
    }

    fn add(&mut self, piece: Piece) {
        for part in piece.parts {
            match part {
                Part::Text(text) => self.sql.push_str(text),
                Part::Bind(name) if self.values.contains_key(name) => {
                    let at = self.binds.iter().position(|one| one == name).unwrap_or_else(|| {
                        self.binds.push(name);
                        self.binds.len() - 1
                    });
                    self.sql.push_str(&format!("?{}", self.first_bind + at));
                }
                Part::Bind(name) => self.sql.extend([":", name]),
                Part::Word(name) => self.add_word(name),
            }
        }
    }

    fn add_word(&mut self, name: &'static str) {
        match self.words.get(name) {
            None => self.sql.extend(["{", name, "}"]),
            Some(Word::Text(text)) => self.sql.push_str(text),
            Some(Word::Pieces(pieces, between)) => {
                let (pieces, between) = (pieces.clone(), *between);
                for (at, piece) in pieces.into_iter().enumerate() {
                    self.sql.push_str(if at > 0 { between } else { "" });
                    self.add(piece);
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/sql.rs"]
mod tests;
