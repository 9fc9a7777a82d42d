//! Sends records in batches. What came is known by its key, so a batch may be sent twice.

use std::thread;
use std::time::Duration;

use edgeforge_wire::import::{BYTES, ITEMS, LISTS, RECORDS, TOGETHER};
use serde_json::Value;

use super::api::Api;
use super::fields::{list, number};
use super::foresight::Foresight;
use super::records::Record;
use super::report::{Progress, Report};
use crate::console::Console;
use crate::error::{Error, Result};
use crate::server::packed;
use crate::transport::{Answer, Body, Content};

/// Of a request, without what is around its records.
const MOST_BYTES: usize = BYTES - 50_000;

/// How often a batch is sent again because another import wrote at the same time.
const TRIES: u32 = 20;

/// A record, and its body as it is sent.
type Sent = (Record, String);

pub struct Sender<'a> {
    api: &'a Api<'a>,
    path: String,
    /// Of a dry run, which sends nothing.
    foresight: Option<Foresight<'a>>,
    batch: Vec<Sent>,
    bytes: usize,
    items: usize,
    batches: u64,
    progress: Progress<'a>,
}

impl<'a> Sender<'a> {
    /// `project`: its path below the API. `records`: about how many come.
    pub fn new(
        api: &'a Api<'a>,
        project: &str,
        foresight: Option<Foresight<'a>>,
        records: u64,
        console: &'a Console,
    ) -> Sender<'a> {
        let progress = Progress::new(console, &api.pace, "records", records);
        let path = format!("{project}/import_records");
        Sender { api, path, foresight, batch: Vec::new(), bytes: 0, items: 0, batches: 0, progress }
    }

    pub fn add(&mut self, record: Record, report: &mut Report) -> Result<()> {
        report.of(record.kind).read += 1;
        report.of("record").read += 1;
        if let Some(why) = self.foresight.as_mut().map_or(Ok(None), |of| of.refusal(&record))? {
            report.refuse_one(record.kind, &why, &record.name);
        }
        let items = LISTS.iter().map(|name| list(&record.body, name).len()).sum::<usize>();
        let text = record.body.to_string();
        let (records, all) = (self.batch.len() + 1, self.items + items);
        let is_full =
            records > RECORDS || all > ITEMS || records + all > TOGETHER || self.bytes + text.len() > MOST_BYTES;
        if is_full {
            self.flush(report)?;
        }
        self.bytes += text.len() + 1;
        self.items += items;
        self.batch.push((record, text));
        Ok(())
    }

    fn flush(&mut self, report: &mut Report) -> Result<()> {
        let batch = std::mem::take(&mut self.batch);
        (self.bytes, self.items) = (0, 0);
        if batch.is_empty() {
            return Ok(());
        }
        self.batches += 1;
        if self.foresight.is_none() {
            self.post(&batch, report)?;
        }
        self.progress.advance(batch.len() as u64);
        Ok(())
    }

    pub fn end(mut self, report: &mut Report) -> Result<u64> {
        self.flush(report)?;
        self.progress.end();
        Ok(self.batches)
    }

    /// A batch that is refused whole is halved, until the record that is refused is alone.
    fn post(&self, batch: &[Sent], report: &mut Report) -> Result<()> {
        let answer = self.answer(batch)?;
        match (answer.status, batch) {
            (200, _) => self.count(&answer, batch, report),
            (400 | 413 | 422, [(record, _)]) => {
                report.refuse_one(record.kind, &answer.message(), &record.name);
                Ok(())
            }
            (400 | 413 | 422, _) => {
                let (first, second) = batch.split_at(batch.len() / 2);
                self.post(first, report)?;
                self.post(second, report)
            }
            (status, _) => Err(self.api.refused(&self.path, &super::api::Refusal(status, answer.message()))),
        }
    }

    fn answer(&self, batch: &[Sent]) -> Result<Answer> {
        let texts: Vec<_> = batch.iter().map(|(_, text)| &**text).collect();
        let body = packed(format!("{{\"records\":[{}]}}", texts.join(",")).as_bytes())?;
        for number in 1.. {
            let content = Body { bytes: Content::Json((&*body).into()), gzip: true };
            let answer = self.api.transport.request("POST", &self.path, Some(&content))?;
            if answer.status != 409 || number == TRIES {
                return Ok(answer);
            }
            thread::sleep(Duration::from_millis(u64::from(50 * number)));
        }
        Err(Error::Server(format!("{} is busy", self.path)))
    }

    fn count(&self, answer: &Answer, batch: &[Sent], report: &mut Report) -> Result<()> {
        let value: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let counted = |name| number(&value, name).and_then(|count| u64::try_from(count).ok());
        let (Some(new), Some(changed), Some(same)) = (counted("new"), counted("changed"), counted("same")) else {
            return Err(Error::Server(format!("{} answered without its counts: {}", self.path, answer.message())));
        };
        let all = report.of("record");
        (all.new, all.changed, all.same) = (all.new + new, all.changed + changed, all.same + same);
        let named = |index: Option<u64>| batch.get(usize::try_from(index?).ok()?);
        for index in list(&value, "kept") {
            if let Some((record, _)) = named(index.as_u64()) {
                report.of(record.kind).kept += 1;
                report.leave("records that were changed or removed here: they stay so", &record.name);
            }
        }
        for refused in list(&value, "refused") {
            if let Some((record, _)) = named(refused.get(0).and_then(Value::as_u64)) {
                let why = refused.get(1).and_then(Value::as_str).unwrap_or("no reason");
                report.refuse_one(record.kind, why, &record.name);
            }
        }
        Ok(())
    }
}
