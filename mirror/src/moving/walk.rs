//! Makes records of all lines of an archive.

use serde_json::Value;

use super::archive::Archive;
use super::fields::list;
use super::records::{Maker, Record};
use super::report::Report;
use super::survey::{self, Survey};
use crate::error::Result;

/// Makes a record of a line.
type Make = fn(&mut Maker, &Value) -> Option<Record>;

/// All records of an archive, in the order in which they need each other.
pub fn walk(
    archive: &Archive,
    survey: &Survey,
    maker: &mut Maker,
    mut each: impl FnMut(Record, &mut Report) -> Result<()>,
) -> Result<()> {
    for label in survey.labels.values() {
        maker.label(label).map_or(Ok(()), |record| each(record, &mut maker.report))?;
    }
    for milestone in survey.milestones.values().chain(survey.others.values()) {
        maker.milestone(milestone).map_or(Ok(()), |record| each(record, &mut maker.report))?;
    }
    archive.lines(survey::ISSUES, |_, of| {
        maker.issue(&of).into_iter().try_for_each(|record| each(record, &mut maker.report))
    })?;
    maker.forget_equal();
    let parts: [(&str, Make); 6] = [
        (survey::LINKS, Maker::link),
        (survey::RELEASES, Maker::release),
        (survey::ENVIRONMENTS, Maker::environment),
        (survey::DEPLOYMENTS, Maker::deployment),
        (survey::STATUSES, Maker::status),
        (survey::COMMIT_NOTES, Maker::comment),
    ];
    for (path, make) in parts {
        archive.lines(path, |_, of| make(maker, &of).map_or(Ok(()), |record| each(record, &mut maker.report)))?;
    }
    archive.lines(survey::PIPELINES, |_, of| {
        let statuses = survey::statuses(&of);
        let statuses: Vec<_> = statuses.iter().filter_map(|of| maker.status(of)).collect();
        let notes: Vec<_> = list(&of, "notes").iter().filter_map(|of| maker.comment_of_pipeline(of)).collect();
        statuses.into_iter().chain(notes).try_for_each(|record| each(record, &mut maker.report))
    })
}
