//! Rows and statements of members: the same of projects and of groups.

pub mod list;

use crate::call::{in_group, in_project};
use crate::error::Result;
use crate::page::Page;
use crate::person::UserRow;
use crate::policy::level;
use crate::store::{Row, Statement, Store, sql};
use crate::walk;
use serde_json::{Value, json};

/// A user as a member.
#[derive(Debug, Clone, Row)]
pub struct MemberRow {
    pub user: UserRow,
    pub access: i64,
    pub created_at: i64,
}

/// A user who is a member, or may become one.
#[derive(Debug, Row)]
pub struct Subject {
    user: UserRow,
    access: Option<i64>,
    created_at: Option<i64>,
}

impl Subject {
    pub fn user_id(&self) -> i64 {
        self.user.id
    }

    pub fn is_member(&self) -> bool {
        self.access.is_some()
    }

    pub fn member(self) -> Option<MemberRow> {
        let Subject { user, access, created_at } = self;
        Some(MemberRow { user, access: access?, created_at: created_at? })
    }
}

/// A [`MemberRow`] or a [`Subject`] of the aliases `u` and `m`.
macro_rules! member_json {
    () => {
        crate::members::sql::member_row!("m.access", "m.created_at")
    };
}

/// The same of the alias `u` and two expressions.
macro_rules! member_row {
    ($access:literal, $created_at:literal) => {
        concat!("json_array(", crate::person::user_json!("u"), ", ", $access, ", ", $created_at, ")")
    };
}

pub(crate) use member_row;

/// Which members are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search<'a> {
    /// Whether by what the place lies in, too.
    pub inherited: bool,
    /// A part of their names.
    pub word: Option<&'a str>,
    /// Only these, unless there are none.
    pub among: &'a [i64],
    pub without: &'a [i64],
}

/// The statements about members of one kind of resource.
#[derive(Debug)]
pub struct Questions {
    list: &'static str,
    subject: &'static str,
    add: &'static str,
    change: &'static str,
    remove: &'static str,
    member: &'static str,
}

/// `$owned`: what must hold of a resource after the member `?1` is an owner no longer.
macro_rules! queries {
    ($head:ident, $of:literal, $list:expr, $owned:expr) => {
        Questions {
            list: $list,
            // Which users are ?7, each an id or a name in lower case, and what are they here?
            subject: $head!(
                "union all select ", member_json!(), " from scope s cross join json_each(?7) d cross join users u
  on u.id = iif(d.type = 'text', (select n.id from namespaces n where n.path_key = d.value), d.value) and u.id > 0
  left join ", $of, "_members m on m.user_id = u.id and m.", $of, "_id = s.", $of, "_id"
            ),
            // Makes ?1 a member of ?2, unless they are one.
            add: concat!(
                "insert into ", $of, "_members (user_id, ", $of, "_id, access, created_at)
values (?1, ?2, ?3, ?4) on conflict do nothing returning 'true' as v"
            ),
            // Gives the member ?1 of ?2 the level ?3.
            change: concat!(
                "update ", $of, "_members as m set access = ?3 where m.user_id = (select ?1) and m.", $of, "_id = (select ?2)
  and (m.access < ", level!(Owner), " or ?3 = ", level!(Owner), " or ", $owned, ") returning 'true' as v"
            ),
            // Ends the membership of ?1 in ?2.
            remove: concat!(
                "delete from ", $of, "_members as m where m.user_id = (select ?1) and m.", $of, "_id = (select ?2)
  and (m.access < ", level!(Owner), " or ", $owned, ") returning 'true' as v"
            ),
            // The member ?1 of ?2.
            member: concat!(
                "select ", member_json!(), " as v from ", $of, "_members m join users u on u.id = m.user_id
where m.user_id = (select ?1) and m.", $of, "_id = (select ?2)"
            ),
        }
    };
}

pub static OF_PROJECT: Questions = queries!(in_project, "project", list::OF_PROJECT, "true");
pub static OF_GROUP: Questions = queries!(
    in_group,
    "group",
    list::OF_GROUP,
    concat!(
        "exists (select 1 from group_members o where o.group_id = (select ?2) and o.access = ",
        level!(Owner),
        " and o.user_id <> (select ?1))"
    )
);

/// What became of a change.
#[derive(Debug)]
pub enum Outcome {
    /// The member after the change; none: there is no such member.
    Done(Option<MemberRow>),
    /// Not done: the resource would have no owner.
    LastOwner,
}

impl Questions {
    pub fn subject(&self, user_id: i64) -> Statement {
        self.subjects(&[json!(user_id)])
    }

    /// The same of users by ids and names in lower case.
    pub fn subjects(&self, users: &[Value]) -> Statement {
        sql!(self.subject, json!(users).to_string())
    }

    /// A page of the members that are searched for.
    pub fn list(&self, search: &Search<'_>, page: &Page) -> Statement {
        let (after, offset) = page.after();
        let Search { inherited, word, among, without } = *search;
        let is_filtered = word.is_some() || !among.is_empty() || !without.is_empty();
        let steps = walk::steps(page, offset, is_filtered);
        let among = Some(json!(among).to_string()).filter(|_| !among.is_empty());
        let without = json!(without).to_string();
        sql!(self.list, after, offset, steps, inherited, page.size + 1, word, among, without)
    }

    /// The first member behind the one with this id, by what the place lies in, too.
    pub fn next_to(&self, user_id: i64) -> Statement {
        sql!(self.list, user_id, 0, 1, true, 1, None::<i64>, None::<i64>, "[]")
    }

    /// The last of the new members; none: it was one already.
    pub async fn add(
        &self,
        store: &Store<'_>,
        place_id: i64,
        users: &[i64],
        access: i64,
        now: i64,
    ) -> Result<Option<MemberRow>> {
        let mut batch: Vec<Statement> =
            users.iter().map(|user_id| sql!(self.add, *user_id, place_id, access, now)).collect();
        batch.extend(users.last().map(|user_id| sql!(self.member, *user_id, place_id)));
        let mut answers = store.batch(batch).await?;
        let rows = answers.pop().unwrap_or_default();
        if answers.last().is_some_and(|done| !done.is_empty()) { Ok(rows.first()?) } else { Ok(None) }
    }

    pub async fn change(
        &self,
        store: &Store<'_>,
        place_id: i64,
        user_id: i64,
        access: i64,
    ) -> Result<Outcome> {
        let change = sql!(self.change, user_id, place_id, access);
        self.settle(store, place_id, user_id, change).await
    }

    pub async fn remove(&self, store: &Store<'_>, place_id: i64, user_id: i64) -> Result<Outcome> {
        let remove = sql!(self.remove, user_id, place_id);
        self.settle(store, place_id, user_id, remove).await
    }

    /// Does it, and asks for the member.
    async fn settle(
        &self,
        store: &Store<'_>,
        place_id: i64,
        user_id: i64,
        statement: Statement,
    ) -> Result<Outcome> {
        let mut answers = store.repeat(vec![statement, sql!(self.member, user_id, place_id)]).await?;
        let member: Option<MemberRow> = answers.pop().unwrap_or_default().first()?;
        let done = answers.first().is_some_and(|done| !done.is_empty());
        Ok(if member.is_some() && !done { Outcome::LastOwner } else { Outcome::Done(member) })
    }
}
