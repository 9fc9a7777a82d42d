//! Events for tests of hooks, made of the newest record of a kind.

use super::{EventNeeds, sql};
use crate::areas::events::flags::{
    CONFIDENTIAL_ISSUES, CONFIDENTIAL_NOTE, DEPLOYMENT, ISSUES, JOB, MERGE_REQUESTS, MILESTONE, NOTE,
    PIPELINE, PUSH, RELEASES, TAG_PUSH, WIKI_PAGE,
};
use crate::kernel::call::Call;
use crate::kernel::policy::Action;
use crate::kernel::store::Statement;

/// Writes the event and returns it. None if this server has no records of the kind.
pub fn statement(call: &Call<'_>, hook_id: i64, bit: i64) -> Option<Statement> {
    let needs = |needs: EventNeeds| needs.origin(call);
    Some(match bit {
        ISSUES => sql::issue_sample { hook_id, bit, hidden: 0, origin: needs(EventNeeds::Issue) }.into(),
        CONFIDENTIAL_ISSUES => {
            sql::issue_sample { hook_id, bit, hidden: 1, origin: needs(EventNeeds::ConfidentialIssue) }.into()
        }
        NOTE => sql::note_sample { hook_id, bit, hidden: 0, origin: needs(EventNeeds::Issue) }.into(),
        CONFIDENTIAL_NOTE => {
            sql::note_sample { hook_id, bit, hidden: 1, origin: needs(EventNeeds::ConfidentialIssue) }.into()
        }
        MILESTONE => {
            sql::milestone_sample { hook_id, origin: needs(EventNeeds::Of(Action::ReadMilestones)) }.into()
        }
        PUSH => sql::push_sample { hook_id, origin: needs(EventNeeds::Of(Action::ReadCommits)) }.into(),
        TAG_PUSH => sql::tag_sample { hook_id, origin: needs(EventNeeds::Of(Action::ReadCommits)) }.into(),
        PIPELINE => {
            sql::pipeline_sample { hook_id, origin: needs(EventNeeds::Of(Action::ReadStatuses)) }.into()
        }
        DEPLOYMENT => {
            sql::deployment_sample { hook_id, origin: needs(EventNeeds::Of(Action::ReadDeployments)) }.into()
        }
        RELEASES => {
            sql::release_sample { hook_id, origin: needs(EventNeeds::Of(Action::ReadCommits)) }.into()
        }
        _ => return None,
    })
}

pub fn has(bit: i64) -> bool {
    [
        ISSUES,
        CONFIDENTIAL_ISSUES,
        NOTE,
        CONFIDENTIAL_NOTE,
        MILESTONE,
        PUSH,
        TAG_PUSH,
        PIPELINE,
        DEPLOYMENT,
        RELEASES,
    ]
    .contains(&bit)
}

/// What to say if there is no record.
pub fn absent(bit: i64) -> &'static str {
    match bit {
        ISSUES | CONFIDENTIAL_ISSUES => "Ensure the project has issues.",
        NOTE | CONFIDENTIAL_NOTE => "Ensure the project has notes.",
        MERGE_REQUESTS => "Ensure the project has merge requests.",
        JOB => "Ensure the project has CI jobs.",
        PIPELINE => "Ensure the project has CI pipelines.",
        DEPLOYMENT => "Ensure the project has deployments.",
        RELEASES => "Ensure the project has releases.",
        WIKI_PAGE => "Ensure the wiki is enabled and has pages.",
        MILESTONE => "Ensure the project has milestones.",
        _ => "Ensure the project has at least one commit.",
    }
}
