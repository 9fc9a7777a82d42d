//! The kinds of events that a hook asks for: bits of the column `hooks.events`.

use crate::kernel::Parameters;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// The bit of the events that every hook of the system gets.
pub const SYSTEM: i64 = 1 << 19;

/// A kind of event: its parameter, its bit, the header X-Gitlab-Event, and its name in the log.
pub struct Kind {
    pub name: &'static str,
    pub bit: i64,
    pub header: &'static str,
    pub trigger: &'static str,
}

macro_rules! kinds {
    ($($name:ident $bit:ident $place:literal $header:literal $trigger:literal;)*) => {
        $(pub const $bit: i64 = 1 << $place;)*

        /// In the order of v4's answers.
        pub const KINDS: &[Kind] = &[$(Kind { name: stringify!($name), bit: $bit, header: $header, trigger: $trigger }),*];

        #[derive(Debug, Default, Parameters)]
        #[param(default)]
        pub struct Flags { $(pub $name: Option<bool>),* }

        impl Flags {
            /// `events` with the bits that a request sets or clears.
            pub fn applied(&self, events: i64) -> i64 {
                [$((self.$name, $bit)),*].into_iter().fold(events, |events, (flag, bit)| match flag {
                    Some(true) => events | bit,
                    Some(false) => events & !bit,
                    None => events,
                })
            }
        }
    };
}

kinds! {
    push_events PUSH 0 "Push Hook" "push_hooks";
    tag_push_events TAG_PUSH 1 "Tag Push Hook" "tag_push_hooks";
    merge_requests_events MERGE_REQUESTS 6 "Merge Request Hook" "merge_request_hooks";
    repository_update_events REPOSITORY_UPDATE 18 "System Hook" "repository_update_hooks";
    issues_events ISSUES 2 "Issue Hook" "issue_hooks";
    confidential_issues_events CONFIDENTIAL_ISSUES 3 "Confidential Issue Hook" "confidential_issue_hooks";
    note_events NOTE 4 "Note Hook" "note_hooks";
    confidential_note_events CONFIDENTIAL_NOTE 5 "Confidential Note Hook" "confidential_note_hooks";
    pipeline_events PIPELINE 8 "Pipeline Hook" "pipeline_hooks";
    wiki_page_events WIKI_PAGE 9 "Wiki Page Hook" "wiki_page_hooks";
    deployment_events DEPLOYMENT 10 "Deployment Hook" "deployment_hooks";
    feature_flag_events FEATURE_FLAG 11 "Feature Flag Hook" "feature_flag_hooks";
    job_events JOB 7 "Job Hook" "job_hooks";
    releases_events RELEASES 12 "Release Hook" "release_hooks";
    milestone_events MILESTONE 13 "Milestone Hook" "milestone_hooks";
    emoji_events EMOJI 14 "Emoji Hook" "emoji_hooks";
    resource_access_token_events RESOURCE_ACCESS_TOKEN 15 "Resource Access Token Hook" "resource_access_token_hooks";
    resource_deploy_token_events RESOURCE_DEPLOY_TOKEN 16 "Resource Deploy Token Hook" "resource_deploy_token_hooks";
    vulnerability_events VULNERABILITY 17 "Vulnerability Hook" "vulnerability_hooks";
}

pub fn kind_of(bit: i64) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.bit == bit)
}

impl Flags {
    /// Only the flags of a hook of the system.
    pub fn of_system(self) -> Flags {
        let Flags { push_events, tag_push_events, merge_requests_events, repository_update_events, .. } = self;
        Flags { push_events, tag_push_events, merge_requests_events, repository_update_events, ..Flags::default() }
    }
}

/// How many of [`KINDS`], from the first, hooks of the system have, too.
pub const OF_SYSTEM: usize = 4;

/// The flags of some of [`KINDS`], as members of an answer.
#[derive(Debug)]
pub struct ShownFlags {
    pub events: i64,
    pub from: usize,
    pub to: usize,
}

impl Serialize for ShownFlags {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut members = to.serialize_map(None)?;
        for kind in KINDS.iter().take(self.to).skip(self.from) {
            members.serialize_entry(kind.name, &(self.events & kind.bit != 0))?;
        }
        members.end()
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/events/flags.rs"]
mod tests;
