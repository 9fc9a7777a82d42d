//! What is asked for in a list of projects, and how such a list is read: those of v3 and of v4 are the same three statements.

use super::sql::ProjectRow;
use super::sql::list::{EVERYWHERE, OF_GROUP, OF_USER};
use crate::page::{Key, Page, Sort};
use crate::store::{Statement, fill, sql};
use crate::walk;
use serde_json::json;

/// Beyond every id and time.
const EVER: i64 = 1 << 53;

/// Where the projects are that are listed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Whose<'a> {
    /// All that the caller sees; with a least level those that they are a member of.
    Everywhere,
    /// The group's that the statement is sent with.
    Group,
    /// In the own namespace of the user with this id or name.
    User(&'a str),
    /// In the caller's own namespace.
    Own,
}

/// A project with a higher id was made later.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Order {
    #[default]
    Id,
    Name,
    Path,
    Update,
}

impl Order {
    /// What the statements call it.
    fn word(self) -> Option<&'static str> {
        match self {
            Order::Id => None,
            Order::Name => Some("name"),
            Order::Path => Some("path"),
            Order::Update => Some("update"),
        }
    }

    /// Where a row stands; SQLite's `lower` knows no other letters either.
    pub fn of_row(self, row: &ProjectRow) -> [Key; 2] {
        let key = match self {
            Order::Id => Key::Int(row.project.id),
            Order::Name => Key::Text(row.project.name.to_ascii_lowercase()),
            Order::Path => Key::Text(row.project.path.to_ascii_lowercase()),
            Order::Update => Key::Int(row.project.updated_at),
        };
        [key, Key::Int(row.project.id)]
    }
}

/// In which texts a search looks beside names and paths.
#[derive(Debug, Clone, Copy, Default)]
pub enum Searched {
    #[default]
    Names = 0,
    WholePaths = 1,
    Descriptions = 2,
}

#[derive(Debug, Default)]
pub struct Question<'a> {
    pub order: Order,
    pub ascending: bool,
    /// The least level that the caller must have as a member.
    pub least: Option<i64>,
    pub search: Option<&'a str>,
    pub searched: Searched,
    pub archived: Option<bool>,
    pub visibility: Option<i64>,
    pub with_issues: bool,
    /// Not before and not after, in milliseconds.
    pub changed: [Option<i64>; 2],
    /// Behind the first and before the second.
    pub ids: [Option<i64>; 2],
    /// Whether an administrator sees everything.
    pub all: bool,
    /// Whether to tell how many commits the default branches have.
    pub commits: bool,
    /// Whether to tell how many there are: of `search`, `archived` and `visibility` alone, and of namespaces.
    pub total: bool,
}

impl Question<'_> {
    /// Whether some of the projects that are looked at may not be listed.
    fn is_filtered(&self, whose: Whose<'_>) -> bool {
        self.search.is_some()
            || self.archived.is_some()
            || self.with_issues
            || (self.order != Order::Update && self.changed.iter().any(Option::is_some))
            || (self.order != Order::Id && self.ids.iter().any(Option::is_some))
            || (whose != Whose::Everywhere && self.least.is_some())
    }

    pub fn statement(&self, whose: Whose<'_>, page: &Page) -> Statement {
        let [after, before] = self.changed;
        let [id_after, id_before] = self.ids;
        let end = if self.ascending { 0 } else { EVER };
        // a list that goes by what bounds it begins there
        let nearest =
            |[first, last]: [Option<i64>; 2]| if self.ascending { first } else { last }.unwrap_or(end);
        let beginning = match self.order {
            Order::Id => [nearest(self.ids), nearest(self.ids)].map(Key::Int),
            Order::Update => [nearest(self.changed), end].map(Key::Int),
            Order::Name | Order::Path => {
                [Key::from(if self.ascending { "" } else { "\u{10ffff}" }), Key::Int(end)]
            }
        };
        let ([key, id], offset) = page.begin(beginning);
        let is_filtered = self.is_filtered(whose);
        let steps = walk::steps(page, offset, is_filtered);
        let text = match whose {
            Whose::Everywhere => EVERYWHERE,
            Whose::Group => OF_GROUP,
            Whose::User(_) | Whose::Own => OF_USER,
        };
        let (past, sort) = if self.ascending { (">", Sort::Asc) } else { ("<", Sort::Desc) };
        let number = if is_filtered { walk::NUMBER } else { "0" };
        let list = fill(text, &[("past", past), ("sort", Sort::word(Some(sort))), ("number", number)]);
        let mut statement = sql!(
            list,
            self.least,
            key,
            id,
            steps,
            page.size + 1,
            offset,
            self.search,
            self.searched as i64,
            self.archived,
            self.visibility,
            self.with_issues.then_some(1),
            after,
            before,
            id_after,
            id_before,
            self.order.word(),
            json!({ "all": self.all, "commits": self.commits, "total": self.total }).to_string()
        );
        match whose {
            Whose::Everywhere | Whose::Group => {}
            Whose::Own => statement.binds.push(None::<&str>.into()),
            Whose::User(user) => {
                let id = crate::call::path_id(user).ok();
                let name = id.is_none().then(|| user.to_lowercase());
                statement.binds.push(json!([id, name]).to_string().into());
            }
        }
        statement
    }
}
