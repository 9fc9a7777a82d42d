use super::super::{HookRow, Pairs};
use crate::areas::events::flags::{OF_SYSTEM, ShownFlags};
use crate::kernel::time;
use serde::Serialize;

/// `ProjectHook`, or `Hook` for one of the system, which lacks `project_id` and what follows it.
#[derive(Debug, Serialize)]
pub struct Hook {
    id: i64,
    url: String,
    name: Option<String>,
    description: Option<String>,
    created_at: String,
    #[serde(flatten)]
    first: ShownFlags,
    enable_ssl_verification: bool,
    alert_status: &'static str,
    disabled_until: Option<String>,
    url_variables: Vec<KeyName>,
    custom_headers: Vec<KeyName>,
    push_events_branch_filter: Option<String>,
    branch_filter_strategy: String,
    custom_webhook_template: Option<String>,
    token_present: bool,
    signing_token_present: bool,
    #[serde(flatten)]
    of_project: Option<ProjectHook>,
}

#[derive(Debug, Serialize)]
struct ProjectHook {
    project_id: i64,
    #[serde(flatten)]
    others: ShownFlags,
}

/// The value is never answered.
#[derive(Debug, Serialize)]
struct KeyName {
    key: String,
}

fn names(pairs: Pairs) -> Vec<KeyName> {
    pairs.0.into_iter().map(|pair| KeyName { key: pair.key }).collect()
}

impl Hook {
    pub fn new(row: HookRow, now: i64) -> Hook {
        let (alert_status, events) = (row.alert_status(now), row.events);
        let others =
            |project_id| ProjectHook { project_id, others: ShownFlags { events, from: OF_SYSTEM, to: usize::MAX } };
        Hook {
            id: row.id,
            url: row.url,
            name: row.title,
            description: row.description,
            created_at: time::utc(row.created_at),
            first: ShownFlags { events, from: 0, to: OF_SYSTEM },
            enable_ssl_verification: row.enable_ssl_verification,
            alert_status,
            disabled_until: row.disabled_until.filter(|until| *until > now).map(time::utc),
            url_variables: names(row.url_variables),
            custom_headers: names(row.custom_headers),
            push_events_branch_filter: row.push_events_branch_filter,
            branch_filter_strategy: row.branch_filter_strategy,
            custom_webhook_template: row.custom_webhook_template,
            token_present: row.token.is_some(),
            signing_token_present: row.signing_token.is_some(),
            of_project: row.project_id.map(others),
        }
    }
}
