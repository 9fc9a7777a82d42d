mod change;
pub mod v3;
pub mod v4;

use crate::areas::events::system::{self, Membership};
use crate::kernel::answers::person::UserRow;
use crate::kernel::lists::Listed;
use crate::kernel::policy::Access;
use crate::kernel::text::fold::patterns;
use crate::kernel::time;
use crate::kernel::{
    Action, Call, Entry, Error, Page, Parameters, Patch, PreparedQuery, Query, Result, Row, Statement, ValidationErrors,
};
use serde_json::json;

edgeforge_row::statements!(mod sql: "src/areas/members/members.sql");

#[derive(Debug, Clone, Row)]
pub struct MemberRow {
    #[row(flatten)]
    pub user: UserRow,
    pub access: i64,
    pub created_at: i64,
    /// The day on which the membership ends.
    pub expires_at: Option<String>,
}

/// `access` and `created_at` are None if the user is not a member.
#[derive(Debug, Row)]
struct SubjectRow {
    #[row(flatten)]
    user: UserRow,
    access: Option<i64>,
    /// Whether the user owns the personal namespace of the project. v3 does not count them as a member.
    is_owner: bool,
    created_at: Option<i64>,
    expires_at: Option<String>,
}

/// The new state of a membership.
#[derive(Debug)]
struct MembershipTerms {
    access: i64,
    /// The day on which it ends.
    expires_at: Patch<String>,
}

#[derive(Debug, Parameters)]
struct Expiry {
    expires_at: Patch<String>,
}

impl MembershipTerms {
    fn read(call: &Call<'_>, access: i64) -> Result<MembershipTerms> {
        check_level(access)?;
        let Expiry { expires_at } = call.edit()?;
        let mut errors = ValidationErrors::default();
        let time = errors.read_time("expires_at", expires_at.set().map(String::as_str));
        let day = time.map(time::day);
        if day.as_ref().is_some_and(|day| *day < time::day(call.now)) {
            errors.add("expires_at", "cannot be a date in the past");
        }
        errors.result()?;
        let expires_at = if expires_at == Patch::Clear { Patch::Clear } else { day.map_or(Patch::Keep, Patch::Set) };
        Ok(MembershipTerms { access, expires_at })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    Project,
    Group,
}

#[derive(Debug, Default)]
struct Filter {
    /// Includes the members of the project's group.
    is_inherited: bool,
    /// Includes the owner of the project's personal namespace.
    with_owner: bool,
    /// A part of the name or username.
    word: Option<String>,
    /// Lists only these user ids. Empty for all.
    among: Vec<i64>,
    without: Vec<i64>,
}

impl Home {
    fn of(call: &Call<'_>) -> Home {
        if call.gate.borrow().place.is_project() { Home::Project } else { Home::Group }
    }

    fn management(self) -> Action {
        match self {
            Home::Project => Action::ManageMembers,
            Home::Group => Action::ManageGroup,
        }
    }

    fn list(self, filter: &Filter, page: Page) -> PreparedQuery<Listed<MemberRow>> {
        let Filter { is_inherited, with_owner, word, among, without } = filter;
        let (search, email) = (word.as_deref().map(patterns), word.as_deref().map(str::to_lowercase));
        let ids = |ids: &[i64]| (!ids.is_empty()).then(|| json!(ids).to_string());
        let (among, without) = (ids(among), ids(without));
        match self {
            Home::Project => {
                let (is_inherited, with_owner) = (*is_inherited, *with_owner);
                sql::list_of_project { is_inherited, with_owner, search, email, among, without, page }.prepare()
            }
            Home::Group => sql::list_of_group { search, email, among, without, page }.prepare(),
        }
    }

    fn subjects(self, call: &Call<'_>, users: &[serde_json::Value]) -> PreparedQuery<Vec<SubjectRow>> {
        let (users, with_owner) = (json!(users).to_string(), call.dialect.is_v4());
        match self {
            Home::Project => sql::subjects_of_project { users, with_owner }.prepare(),
            Home::Group => sql::subjects_of_group { users }.prepare(),
        }
    }

    fn subject(self, call: &Call<'_>, user_id: i64) -> PreparedQuery<Vec<SubjectRow>> {
        self.subjects(call, &[user_id.into()])
    }

    fn add(self, id: i64, user_id: i64, terms: &MembershipTerms, now: i64) -> Statement {
        let (access, expires_at) = (terms.access, terms.expires_at.over(&None));
        match self {
            Home::Project => sql::add_to_project { project_id: id, user_id, access, expires_at, now }.into(),
            Home::Group => sql::add_to_group { group_id: id, user_id, access, expires_at, now }.into(),
        }
    }

    fn change(self, id: i64, user_id: i64, access: i64, expires_at: Option<&str>) -> Statement {
        match self {
            Home::Project => sql::change_in_project { project_id: id, user_id, access, expires_at }.into(),
            Home::Group => sql::change_in_group { group_id: id, user_id, access, expires_at }.into(),
        }
    }

    fn remove(self, id: i64, user_id: i64) -> Statement {
        match self {
            Home::Project => sql::remove_from_project { project_id: id, user_id }.into(),
            Home::Group => sql::remove_from_group { group_id: id, user_id }.into(),
        }
    }

    fn event(self, call: &Call<'_>, id: i64, user_id: i64, what: Membership) -> Statement {
        match self {
            Home::Project => system::member(call, id, user_id, what),
            Home::Group => system::group_member(call, id, user_id, what),
        }
    }

    fn is_member(self, id: i64, user_id: i64) -> Statement {
        match self {
            Home::Project => sql::is_in_project { project_id: id, user_id }.into(),
            Home::Group => sql::is_in_group { group_id: id, user_id }.into(),
        }
    }
}

/// Runs the change between the statements before and after it. Returns whether it was done. 403 if it would leave a group
/// without an owner, which leaves the row of `is_member`.
async fn run_change(
    call: &Call<'_>,
    before: Vec<Statement>,
    change: Statement,
    after: Option<Statement>,
    is_member: Statement,
) -> Result<bool> {
    let (_, done, _, left) = call.write((before, change, after, is_member)).await?;
    let is_done = !done.is_empty();
    if !left.is_empty() && !is_done {
        let text = "403 Forbidden - the last owner of a group stays its owner";
        return Err(Error::Refused(403, text.to_owned()));
    }
    Ok(is_done)
}

fn check_level(level: i64) -> Result<()> {
    let can_be_set = level != 0 && level != Access::Administrator.level();
    let is_valid = can_be_set && Access::from(level).level() == level;
    if is_valid { Ok(()) } else { Err(Error::field("access_level", "is not included in the list")) }
}

async fn list(call: &Call<'_>, input: Result<Filter>) -> Result<(Listed<MemberRow>, Entry)> {
    let page = || call.page().map(|page| if call.dialect.counts_lists() { page } else { page.uncounted() });
    let input = input.and_then(|filter| Ok((filter, page()?)));
    let query = |(filter, page): &(Filter, Page)| Home::of(call).list(filter, page.clone());
    let (_, entry, members) = call.authorize_with(input, query).await?;
    Ok((members, entry))
}

fn member(subjects: Vec<SubjectRow>) -> Result<MemberRow> {
    let subject = subjects.into_iter().next().ok_or_else(Error::no_record)?;
    let SubjectRow { user, access, created_at, expires_at, .. } = subject;
    let (access, created_at) = access.zip(created_at).ok_or_else(Error::no_record)?;
    Ok(MemberRow { user, access, created_at, expires_at })
}

async fn find(call: &Call<'_>, user_id: Result<i64>) -> Result<(MemberRow, Entry)> {
    let query = |user_id: &i64| Home::of(call).subject(call, *user_id);
    let (_, entry, subjects) = call.authorize_with(user_id, query).await?;
    Ok((member(subjects)?, entry))
}
