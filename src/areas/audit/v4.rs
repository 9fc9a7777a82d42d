use super::{AuditRow, Filter, Range, sql};
use crate::kernel::call::path_number;
use crate::kernel::time;
use crate::kernel::{Call, Error, Page, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct AuditEvent {
    id: i64,
    author_id: i64,
    entity_id: Option<i64>,
    entity_type: String,
    event_name: String,
    details: Details,
    created_at: String,
}

#[derive(Debug, Serialize)]
struct Details {
    author_name: String,
    author_email: String,
    custom_message: String,
    target_id: Option<i64>,
    target_type: String,
    target_details: String,
    /// The names of the settings that changed.
    change: Option<String>,
    /// Always null: no address is kept.
    ip_address: Option<()>,
}

impl AuditEvent {
    fn new(row: AuditRow) -> AuditEvent {
        let AuditRow { id, author_id, author, entity_type, entity_id, event_name, path, changes, created_at } = row;
        AuditEvent {
            id,
            author_id,
            entity_id,
            details: Details {
                author_name: author.name,
                author_email: author.email,
                custom_message: event_name.clone(),
                target_id: entity_id,
                target_type: entity_type.clone(),
                target_details: path,
                change: changes,
                ip_address: None,
            },
            entity_type,
            event_name,
            created_at: time::utc(created_at),
        }
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter.range()?, call.page_or_keyset()?)));
    let query = |(range, page): &(Range, Page)| range.query(page.clone());
    let (_, _, events) = call.authorize_with(input, query).await?;
    events.reply(call, AuditEvent::new)
}

pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (_, _, row) = call.authorize_with(path_number("id", id), |id| sql::one { id: *id }).await?;
    Ok(Reply::json(200, &AuditEvent::new(row.ok_or_else(Error::no_record)?)))
}
