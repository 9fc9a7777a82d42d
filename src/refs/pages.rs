//! Lists of branches and tags in v4: found by a piece of their names, in three orders. A search looks at a bounded number
//! of names; its page may end before it is full, and the next one goes on behind the last name that was looked at.

use super::sql::{RefRow, protection, ref_json};
use crate::call::in_project;
use crate::commits::sql::{abbreviation, commit_id};
use crate::page::{Key, Page, Sort, bounded};
use crate::store::{Row, Statement, fill, sql};
use crate::walk;

/// Beyond every date.
const EVER: i64 = 1 << 53;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// By the bytes of the names.
    Name(Sort),
    /// By the committer's date of the commit.
    Updated(Sort),
    /// By the numbers in the name, `1.9` before `1.10`, and what has a `-` before the same without. Of the thousand last
    /// names alone: no index knows this order.
    Version(Sort),
}

/// What a list is asked for.
#[derive(Debug)]
pub struct Search {
    /// `refs/heads/` or `refs/tags/`.
    pub kind: &'static str,
    pub order: Order,
    /// A piece of the name, `^` before its beginning, `$` behind its end; letters of ASCII in any case.
    pub search: Option<String>,
}

/// One row of the answer, behind that of the setting.
#[derive(Debug, Row)]
pub enum Part {
    Ref(Box<RefRow>),
    /// Name and date of the last one that a search looked at, if it may find more behind that.
    End(Option<(String, i64)>),
}

/// The refs of the kind `?7` (up to `?8`) after the date `?9` and the name `?10`: `?11` are looked at; of those that have
/// `?12` (null: any) in their name, at its beginning (`?13`) and end (`?14`), `?15` are passed over and `?16` taken. Then
/// where the search ended.
const LIST: &str = bounded!(in_project!(
    protection!(),
    "
union all select v from (select json_object('ref', json(",
    ref_json!(),
    ")) as v
  from (select * from ({looked} limit (select ?11)) r where coalesce(?12, '') = ''
      or case when ?13 and ?14 then lower(substr(r.name, length(?7) + 1)) = ?12
        when ?13 then substr(lower(substr(r.name, length(?7) + 1)), 1, length(?12)) = ?12
        when ?14 then substr(lower(substr(r.name, length(?7) + 1)), -length(?12)) = ?12
        else instr(lower(substr(r.name, length(?7) + 1)), ?12) end
    limit (select ?16) offset (select ?15)) r
  cross join commits c on c.id = r.commit_id)
union all select json_object('end', json(iif(coalesce(?12, '') = '', null,
  (select json_array(r.name, r.committed_at) from ({looked} limit 1 offset (select ?11 - 1)) r))))"
));

const BY_NAME: &str = "select * from refs r where r.project_id = (select project_id from scope)
        and r.name > (select ?7) and r.name < (select ?8) and r.name {beyond} (select ?10) and ?9 is not null order by r.name {sort}";

const BY_DATE: &str = "select * from refs r indexed by refs_by_date where r.project_id = (select project_id from scope)
        and substr(r.name, 6, 1) = substr((select ?7), 6, 1) and (r.committed_at, r.name) {beyond} ((select ?9), (select ?10))
        and r.name < (select ?8) order by r.committed_at {sort}, r.name {sort}";

/// The three numbers are read by hand: there is no pattern in SQLite.
const BY_VERSION: &str = "select * from (select *, substr(rest, instr(rest || '.', '.') + 1) as last from (
          select *, substr(version, instr(version || '.', '.') + 1) as rest from (
            select *, ltrim(substr(name, length(?7) + 1), 'vV') as version from refs
            where project_id = (select project_id from scope) and name > (select ?7) and name < (select ?8)
              and ?9 is not null and ?10 is not null order by name desc limit 1000))) r
        order by cast(version as integer) {sort}, cast(rest as integer) {sort}, cast(last as integer) {sort},
          instr(version, '-') = 0 {sort}, name {sort}";

/// First row: is there the commit `?7`? Then the refs that contain it: those of the 5,000 commits that descend from it most
/// nearly, and the branch that it belongs to. Their names begin with `?9` (an empty text: any) and come after `?10`; `?11`
/// are passed over and `?12` taken.
const CONTAINING: &str = in_project!(
    "union all select json_quote(c.sha) from commits c where c.id = ",
    commit_id!(),
    "
union all select v from (select json_quote(name) as v from (
  with recursive up (id) as (
    select ",
    commit_id!(),
    "
    union
    select p.child_id from up cross join parents p on p.parent_id = up.id
    limit 5000
  )
  select r.name from up cross join refs r on r.commit_id = up.id
  union
  select r.name from commits c cross join refs r on r.project_id = c.project_id and r.name = 'refs/heads/' || c.branch
  where c.id = ",
    commit_id!(),
    ") where name > (select ?10) and substr(name, 1, length(?9)) = ?9 order by name limit (select ?12) offset (select ?11))"
);

/// `kind`: how their names begin.
pub fn containing(sha: &str, kind: &str, page: &Page) -> Statement {
    let ([after], offset) = page.begin([Key::from("")]);
    sql!(CONTAINING, sha, abbreviation(sha), kind, after, offset, page.size + 1)
}

impl Order {
    fn sort(self) -> Sort {
        match self {
            Order::Name(sort) | Order::Updated(sort) | Order::Version(sort) => sort,
        }
    }

    fn source(self) -> &'static str {
        match self {
            Order::Name(_) => BY_NAME,
            Order::Updated(_) => BY_DATE,
            Order::Version(_) => BY_VERSION,
        }
    }

    /// The cursor of the page that goes on behind this name and date.
    pub fn next(self, page: &Page, (name, at): (String, i64)) -> Option<String> {
        match self {
            // such a page is found by its number
            Order::Version(_) => page.next([Key::Int(0)]),
            Order::Name(_) | Order::Updated(_) => page.next([Key::Int(at), Key::from(name.as_str())]),
        }
    }
}

pub fn query(search: &Search, page: &Page) -> Statement {
    let Search { kind, order, search } = search;
    // the character that follows the slash
    let end = format!("{}0", kind.trim_end_matches('/'));
    let descends = order.sort() == Sort::Desc;
    let (at, name) = if descends { (EVER, end.as_str()) } else { (-EVER, "") };
    let ([at, name], offset) = match order {
        Order::Version(_) => ([0.into(), "".into()], page.offset()),
        Order::Name(_) | Order::Updated(_) => page.begin([Key::Int(at), Key::from(name)]),
    };
    let needle = search.as_deref().unwrap_or_default().to_ascii_lowercase();
    let begins = needle.strip_prefix('^');
    let rest = begins.unwrap_or(&needle);
    let ends = rest.strip_suffix('$');
    let piece = ends.unwrap_or(rest);
    let looked = walk::steps(page, offset, !piece.is_empty());
    // no cursor goes on in an order that no index knows
    let looked = if let Order::Version(_) = order { looked.max(1000) } else { looked };
    let (beyond, sort) = if descends { ("<", "desc") } else { (">", "") };
    let text = fill(LIST, &[("looked", order.source()), ("beyond", beyond), ("sort", sort)]);
    let (begins, ends) = (begins.is_some(), ends.is_some());
    sql!(text, *kind, end, at, name, looked, piece, begins, ends, offset, page.size + 1)
}
