//! What clients of GitLab ask of reports.

use super::sql;
use crate::areas::files::off;
use crate::areas::files::sql as files_sql;
use crate::areas::pipelines::v4::find_and;
use crate::kernel::call::path_number;
use crate::kernel::http::etag;
use crate::kernel::limits::spending::Work;
use crate::kernel::store::Piece;
use crate::kernel::{Call, Error, Reply, Result, Row};

#[derive(Debug, Row)]
pub struct Suite {
    id: i64,
    /// JSON of the sums of all suites, and of this one, each without its final brace.
    totals: String,
    head: String,
    length: i64,
    object_key: Option<String>,
}

/// A body of texts and objects, which is put together while it is sent.
#[derive(Default)]
struct Body {
    pieces: Vec<Piece>,
    length: u64,
}

impl Body {
    fn text(&mut self, text: &str) {
        self.length += text.len() as u64;
        self.pieces.push(Piece::Bytes(text.as_bytes().to_vec()));
    }

    fn object(&mut self, key: Option<String>, length: i64) {
        if let Some(key) = key {
            let size = length.unsigned_abs();
            self.length += size;
            self.pieces.push(Piece::Object { key, other: None, size });
        }
    }

    /// `what`: the records that decide the bytes.
    fn reply(self, call: &Call<'_>, what: &str) -> Result<Reply> {
        let tag = etag::strong(&etag::digest(what));
        let is_short = call.request.method == "HEAD" || etag::is_known(call.request, &tag);
        let mut reply = Reply::json_text(200, String::new()).with("ETag", tag);
        if !is_short {
            let store = call.store.objects().ok_or_else(off)?;
            call.store.work(Work::Objects(self.pieces.len() / 2));
            call.store.work(Work::Bytes(self.length));
            reply.stream = Some((store.assembled(self.pieces, false), self.length as usize));
        }
        Ok(reply)
    }
}

const NOTHING: &str = r#"{"error_count":0,"failed_count":0,"skipped_count":0,"success_count":0,"test_suites":[],"total_count":0,"total_time":0}"#;

/// The cases lie in the store as they are sent.
pub async fn test_report(call: &Call<'_>, pipeline_id: &str) -> Result<Reply> {
    let (.., suites) = find_and(call, pipeline_id, Ok(()), |(), pipeline_id| sql::suites { pipeline_id }).await?;
    let Some(first) = suites.first() else { return Ok(Reply::json_text(200, NOTHING.to_owned())) };
    let what = format!("test_report {:?}", suites.iter().map(|suite| suite.id).collect::<Vec<_>>());
    let mut body = Body::default();
    body.text(&format!("{},\"test_suites\":[", first.totals));
    for (at, suite) in suites.into_iter().enumerate() {
        body.text(&format!("{}{},\"test_cases\":[", if at > 0 { "," } else { "" }, suite.head));
        body.object(suite.object_key, suite.length);
        body.text("]}");
    }
    body.text("]}");
    body.reply(call, &what)
}

pub async fn test_report_summary(call: &Call<'_>, pipeline_id: &str) -> Result<Reply> {
    let query = |(): &(), pipeline_id| sql::summary { pipeline_id };
    let (.., summary) = find_and(call, pipeline_id, Ok(()), query).await?;
    Ok(Reply::json_text(200, summary))
}

#[derive(Debug, Row)]
pub struct Findings {
    sha256: String,
    length: i64,
    object_key: Option<String>,
}

/// As a file of GitLab's Code Quality.
pub async fn findings(call: &Call<'_>, job_id: &str) -> Result<Reply> {
    let number = path_number("job_id", job_id);
    let (_, _, row) = call.authorize_builds(number, |id| sql::findings { job_id: *id }).await?;
    let Findings { sha256, length, object_key } = row.ok_or_else(Error::no_record)?;
    let mut body = Body::default();
    body.text("[");
    body.object(object_key, length);
    body.text("]");
    body.reply(call, &format!("findings {sha256}"))
}

/// Row and object go at once, because an output may have a secret.
pub async fn delete(call: &Call<'_>, job_id: &str) -> Result<Reply> {
    let number = path_number("job_id", job_id);
    let query = |id: &i64| (files_sql::room {}, sql::keys_of_job { job_id: *id });
    let (job_id, entry, (room, keys)) = call.authorize_with(number, query).await?;
    let keys: Vec<String> = keys.ok_or_else(Error::no_record)?;
    call.write_safely(sql::remove { job_id, project_id: entry.resource.id }).await?;
    room.remove(call, keys).await;
    Ok(Reply::empty(204))
}
