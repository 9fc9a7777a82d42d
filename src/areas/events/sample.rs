//! Events for tests of hooks, made from the newest record of a kind.

use super::{EventNeeds, EventRow, sql};
use crate::areas::events::flags::{
    CONFIDENTIAL_ISSUES, CONFIDENTIAL_NOTE, DEPLOYMENT, ISSUES, JOB, MERGE_REQUESTS, MILESTONE, NOTE, PIPELINE, PUSH,
    RELEASES, TAG_PUSH, WIKI_PAGE,
};
use crate::kernel::{Action, Call, PreparedQuery, Query};

/// Writes the event and returns it. None if this server has no records of the kind.
pub fn event(call: &Call<'_>, hook_id: i64, bit: i64) -> Option<PreparedQuery<Option<EventRow>>> {
    let hidden = bit == CONFIDENTIAL_ISSUES || bit == CONFIDENTIAL_NOTE;
    let needs = match bit {
        ISSUES | NOTE => EventNeeds::Issue,
        CONFIDENTIAL_ISSUES | CONFIDENTIAL_NOTE => EventNeeds::ConfidentialIssue,
        MILESTONE => EventNeeds::Of(Action::ReadMilestones),
        PIPELINE => EventNeeds::Of(Action::ReadStatuses),
        DEPLOYMENT => EventNeeds::Of(Action::ReadDeployments),
        _ => EventNeeds::Of(Action::ReadCommits),
    };
    let origin = needs.origin(call);
    Some(match bit {
        ISSUES | CONFIDENTIAL_ISSUES => sql::issue_sample { hook_id, bit, hidden, origin }.prepare(),
        NOTE | CONFIDENTIAL_NOTE => sql::note_sample { hook_id, bit, hidden, origin }.prepare(),
        MILESTONE => sql::milestone_sample { hook_id, origin }.prepare(),
        PUSH => sql::push_sample { hook_id, origin }.prepare(),
        TAG_PUSH => sql::tag_sample { hook_id, origin }.prepare(),
        PIPELINE => sql::pipeline_sample { hook_id, origin }.prepare(),
        DEPLOYMENT => sql::deployment_sample { hook_id, origin }.prepare(),
        RELEASES => sql::release_sample { hook_id, origin }.prepare(),
        _ => return None,
    })
}

/// The message if there is no record of the kind.
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
