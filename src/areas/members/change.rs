//! Adds, changes and removes members.

use super::{Expiry, Home, MemberRow, MembershipTerms, SubjectRow, member, run_change};
use crate::areas::events::activity;
use crate::areas::events::system::Membership;
use crate::kernel::policy::Access;
use crate::kernel::{Call, Entry, Error, Parameters, Result, Statement};

/// A caller cannot set, change or remove a level above their own.
fn refuse_above_own(entry: &Entry, level: i64) -> Result<()> {
    if Access::from(level) > entry.resource.access { Err(Error::FORBIDDEN) } else { Ok(()) }
}

/// The member before a change. 403 if the user is the owner of the personal namespace.
fn changeable(subjects: Vec<SubjectRow>) -> Result<MemberRow> {
    if subjects.iter().any(|subject| subject.is_owner) {
        let text = "403 Forbidden - the owner of a personal project stays its owner";
        return Err(Error::Refused(403, text.to_owned()));
    }
    member(subjects)
}

/// Adds nobody if a user is unknown or already a member. Returns the last one. `input`: the level, and ids or usernames
/// in lower case.
pub(super) async fn add_members(
    call: &Call<'_>,
    input: Result<(MembershipTerms, Vec<serde_json::Value>)>,
) -> Result<(MemberRow, Entry)> {
    let home = Home::of(call);
    let ((terms, users), entry, subjects) = call.authorize_with(input, |(_, users)| home.subjects(call, users)).await?;
    refuse_above_own(&entry, terms.access)?;
    if subjects.len() < users.len() {
        return Err(Error::missing("User"));
    }
    let exists = || Error::Refused(409, "Member already exists".to_owned());
    if subjects.iter().any(|subject| subject.access.is_some()) {
        return Err(exists());
    }
    let id = entry.resource.id;
    if subjects.iter().any(|subject| Some(subject.user.id) == entry.user_id()) {
        call.acts_on(if home == Home::Project { "Project" } else { "Group" }, Some(id), None);
    }
    let add = |subject: &SubjectRow| {
        let user_id = subject.user.id;
        [home.add(id, user_id, &terms, call.now), home.event(call, id, user_id, Membership::Begins)]
    };
    let batch: Vec<Statement> = subjects.iter().flat_map(add).collect();
    call.write(batch).await.map_err(|failure| if failure.is_duplicate() { exists() } else { failure.into() })?;
    let user = subjects.into_iter().next_back().ok_or_else(exists)?.user;
    let (access, expires_at) = (terms.access, terms.expires_at.over(&None));
    Ok((MemberRow { user, access, created_at: call.now, expires_at }, entry))
}

#[derive(Debug, Parameters)]
struct Edit {
    access_level: i64,
}

pub(super) async fn change_level(call: &Call<'_>, user_id: Result<i64>) -> Result<(MemberRow, Entry)> {
    call.will_read::<Expiry>();
    let terms = |edit: Edit| MembershipTerms::read(call, edit.access_level);
    let input = user_id.and_then(|user_id| Ok((user_id, call.creation().and_then(terms)?)));
    let home = Home::of(call);
    let ((user_id, terms), entry, subjects) =
        call.authorize_with(input, |(user_id, _)| home.subject(call, *user_id)).await?;
    let before = changeable(subjects)?;
    let (access, expires_at) = (terms.access, terms.expires_at.over(&before.expires_at));
    refuse_above_own(&entry, access.max(before.access))?;
    let id = entry.resource.id;
    let event = home.event(call, id, user_id, Membership::Changes { before: before.access });
    let change = home.change(id, user_id, access, expires_at.as_deref());
    match run_change(call, Vec::new(), change, Some(event), home.is_member(id, user_id)).await? {
        true => Ok((MemberRow { access, expires_at, ..before }, entry)),
        false => Err(Error::no_record()),
    }
}

/// Every member may leave.
pub(super) async fn remove_member(call: &Call<'_>, user_id: Result<i64>) -> Result<(MemberRow, Entry)> {
    let home = Home::of(call);
    let (user_id, entry, subjects) = call.authorize_with(user_id, |user_id| home.subject(call, *user_id)).await?;
    let leaves = entry.user_id() == Some(user_id);
    if !leaves && !entry.resource.may(home.management()) {
        return Err(Error::FORBIDDEN);
    }
    let row = changeable(subjects)?;
    if !leaves {
        refuse_above_own(&entry, row.access)?;
    }
    let id = entry.resource.id;
    let left = (home == Home::Project).then(|| activity::left(call, id, user_id));
    let before = left.into_iter().chain([home.event(call, id, user_id, Membership::Ends)]).collect();
    run_change(call, before, home.remove(id, user_id), None, home.is_member(id, user_id)).await?;
    Ok((row, entry))
}
