//! The log of the tries of a hook, of the last seven days.

use crate::areas::events::flags::kind_of;
use crate::areas::events::{EventRow, payload};
use crate::kernel::call::path_id;
use crate::kernel::gather::Gather;
use crate::kernel::time;
use crate::kernel::{Call, Error, Page, Parameters, Reply, Result, Row};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

edgeforge_row::statements!(pub(super) mod sql: "src/areas/hooks/log.sql");

const MOST_OF_A_PAGE: i64 = 20;
/// Bytes. The body of a longer event is left out.
const MOST_BYTES: i64 = 65_536;
const WEEK: i64 = 7 * time::DAY;
/// Rows that a page looks at for its statuses.
const LOOKS: i64 = 5_000;
/// Statuses of a request: each row that a page looks at is compared with them.
const MOST_STATUSES: usize = 20;

#[derive(Debug, Row)]
pub(super) struct LogRow {
    id: i64,
    url: String,
    log_bit: i64,
    attempt: i64,
    request_headers: String,
    response_status: Option<i64>,
    response_headers: String,
    response_body: String,
    millis: f64,
    next_attempt_at: Option<i64>,
    logged_at: i64,
    #[row(flatten)]
    event: EventRow,
}

/// A try to repeat.
#[derive(Row)]
pub(super) struct LoggedDelivery {
    pub webhook_id: String,
    pub logged_url: String,
    pub attempt: i64,
    pub may_see: bool,
    #[row(flatten)]
    pub event: EventRow,
}

#[derive(Debug, Serialize)]
struct Entry {
    id: i64,
    url: String,
    trigger: &'static str,
    request_headers: Value,
    request_data: Value,
    response_headers: Value,
    response_body: String,
    execution_duration: f64,
    response_status: String,
    created_at: String,
    attempt: i64,
    next_attempt_at: Option<String>,
}

#[derive(Debug, Parameters)]
struct Filter {
    status: Option<Vec<String>>,
}

impl Filter {
    /// JSON of the ranges of statuses, `{lowest, highest}` each.
    fn ranges(&self) -> Result<Option<String>> {
        let range = |text: &String| match text.as_str() {
            "successful" => Some((200, 399)),
            "client_failure" => Some((400, 499)),
            "server_failure" => Some((500, 599)),
            text => text.parse().ok().filter(|code| (100..600).contains(code)).map(|code: i64| (code, code)),
        };
        let Some(statuses) = &self.status else { return Ok(None) };
        let none = || Error::none_of("status", &["successful", "client_failure", "server_failure", "100 to 599"]);
        let ranges: BTreeSet<(i64, i64)> = statuses.iter().map(|text| range(text).ok_or_else(none)).try_gather()?;
        if ranges.len() > MOST_STATUSES {
            return Err(none());
        }
        let range = |(lowest, highest)| json!({ "lowest": lowest, "highest": highest });
        Ok(Some(ranges.into_iter().map(range).collect::<Value>().to_string()))
    }
}

fn read_page(call: &Call<'_>) -> Result<Page> {
    let page = call.page()?;
    match page.size {
        ..=MOST_OF_A_PAGE => Ok(page),
        _ => Err(Error::framework("per_page does not have a valid value")),
    }
}

pub async fn list(call: &Call<'_>, hook_id: &str) -> Result<Reply> {
    let input = path_id(hook_id).and_then(|id| Ok((id, call.filters::<Filter>()?, read_page(call)?)));
    let input = input.and_then(|(id, filter, page)| Ok((id, filter.ranges()?, page)));
    let query = |(hook_id, ranges, page): &(i64, Option<String>, Page)| {
        let (hook_id, ranges, page) = (*hook_id, ranges.clone(), page.clone());
        let (since, most_bytes, most_tries) = (call.now - WEEK, MOST_BYTES, LOOKS);
        let list = sql::list { hook_id, since, ranges, most_bytes, most_tries, page };
        (super::sql::one { id: hook_id }, list)
    };
    let (_, _, (hook, tries)) = call.authorize_with(input, query).await?;
    hook.ok_or_else(Error::no_record)?;
    tries.reply_at(call, &[("id", &call.named()), ("hook_id", hook_id)], |row| Entry::new(row, call))
}

impl Entry {
    fn new(row: LogRow, call: &Call<'_>) -> Entry {
        let read = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| json!({}));
        let request_data = match &row.event.snapshot {
            Some(_) => read(&payload::render(&row.event, call.config, false)),
            None => json!({ "oversize": true }),
        };
        Entry {
            id: row.id,
            url: row.url,
            trigger: kind_of(row.log_bit).map_or("system_hooks", |kind| kind.trigger),
            request_headers: read(&row.request_headers),
            request_data,
            response_headers: read(&row.response_headers),
            response_body: row.response_body,
            execution_duration: row.millis / 1000.0,
            response_status: row.response_status.map_or("internal error".to_owned(), |code| code.to_string()),
            created_at: time::utc(row.logged_at),
            attempt: row.attempt,
            next_attempt_at: row.next_attempt_at.map(time::utc),
        }
    }
}
