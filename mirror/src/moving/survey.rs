//! The first reading of an archive: what is in it, who is in it, and whether any of it is broken.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Value, json};

use super::archive::{
    Archive, COMMIT_NOTES, CONTRIBUTIONS, DEPLOYMENTS, ENVIRONMENTS, ISSUES, LABELS, LINKS, MEMBERS, MILESTONES,
    PIPELINES, RELEASES, STATUSES, USERS, broken,
};
use super::check::{SHAPES, check};
use super::fields::{flag, list, millis, number, picked, put, text, word};
use super::people::People;
use super::records::{Maker, Record};
use super::report::Report;
use crate::error::Result;

/// What GitLab has and this server has not.
const NOT_KEPT: &[(&str, &str)] = &[
    ("tree/project/merge_requests.ndjson", "merge requests"),
    ("tree/project/snippets.ndjson", "snippets"),
    ("tree/project/protected_branches.ndjson", "protected branches"),
    ("tree/project/protected_tags.ndjson", "protected tags"),
    ("tree/project/boards.ndjson", "boards"),
    ("tree/project/hooks.ndjson", "web hooks"),
    ("tree/project/triggers.ndjson", "triggers"),
    ("tree/project/pipeline_schedules.ndjson", "schedules of pipelines"),
];

#[derive(Debug, Default)]
pub struct Survey {
    /// By their titles.
    pub labels: BTreeMap<String, Value>,
    /// By their numbers.
    pub milestones: BTreeMap<i64, Value>,
    /// Those without a number here, by their titles: of groups, or with the number of another.
    pub others: BTreeMap<String, Value>,
    pub issues: HashSet<i64>,
    pub members: Vec<Value>,
    /// Records of all kinds.
    pub records: u64,
}

impl Survey {
    pub fn read(archive: &Archive, people: &mut People, report: &mut Report) -> Result<Survey> {
        let mut survey = Survey::default();
        survey.people(archive, people)?;
        let mut wrong = 0;
        for (path, shape) in SHAPES {
            archive.lines(path, |line, of| {
                wrong += check(&of, shape).map_err(|why| broken(path, line, &why))?;
                let iid = number(&of, "iid").unwrap_or_default();
                match path {
                    LABELS => survey.label(&of, text(&of, "type") != Some("GroupLabel")),
                    MILESTONES => survey.milestone(&of),
                    ISSUES if !survey.issues.insert(iid) => {
                        return Err(broken(path, line, &format!("a second issue has the iid {iid}")));
                    }
                    ISSUES => survey.titles_of(&of),
                    _ => {}
                }
                for note in list(&of, "notes").iter().chain([&of]) {
                    people.tell_author(note);
                }
                Ok(())
            })?;
        }
        // the people that records name, and how many come
        let mut records = 0;
        walk(archive, &survey, &mut Maker::default(), |record, _| {
            records += 1;
            let named = ["author", "assignee", "user", "closed_by"].into_iter();
            named.filter_map(|name| number(&record.body, name)).for_each(|id| people.meet(id));
            Ok(())
        })?;
        survey.records = records;
        report.leave_many("wrong values of fields that may be absent", wrong, "");
        for (path, what) in NOT_KEPT {
            archive.lines(path, |_, of| {
                let address = if *what == "web hooks" { text(&of, "url").unwrap_or_default() } else { "" };
                report.leave(&format!("{what}: they have no place here"), address);
                Ok(())
            })?;
        }
        Ok(survey)
    }

    fn people(&mut self, archive: &Archive, people: &mut People) -> Result<()> {
        archive.lines(USERS, |_, of| {
            people.tell_user(&of, text(&of, "email"));
            Ok(())
        })?;
        archive.lines(CONTRIBUTIONS, |_, of| {
            people.tell_user(&of, text(&of, "public_email"));
            Ok(())
        })?;
        archive.lines(MEMBERS, |_, of| {
            if let Some(user) = of.get("user") {
                people.tell_user(user, text(user, "public_email"));
            }
            self.members.push(of);
            Ok(())
        })
    }

    /// One of the project stands before one of a group with its title.
    fn label(&mut self, of: &Value, is_own: bool) {
        if let Some(title) = word(of, "title").map(str::trim)
            && (is_own || !self.labels.contains_key(title))
        {
            self.labels.insert(title.to_owned(), of.clone());
        }
    }

    fn milestone(&mut self, of: &Value) {
        let Some(title) = word(of, "title").map(str::trim) else { return };
        let number = number(of, "iid").filter(|iid| *iid > 0 && number(of, "group_id").is_none());
        if let Some(iid) = number.filter(|iid| !self.milestones.contains_key(iid)) {
            self.milestones.insert(iid, of.clone());
        } else {
            let mut of = of.clone();
            of.as_object_mut().map(|fields| fields.remove("iid"));
            self.others.entry(title.to_owned()).or_insert(of);
        }
    }

    /// The labels and the milestone of an issue.
    fn titles_of(&mut self, of: &Value) {
        for label in list(of, "label_links").iter().filter_map(|of| of.get("label")) {
            self.label(label, false);
        }
        if let Some(milestone) = of.get("milestone")
            && (number(milestone, "group_id").is_some() || !self.has(milestone))
        {
            self.milestone(milestone);
        }
    }

    fn has(&self, milestone: &Value) -> bool {
        let title = word(milestone, "title").map(str::trim);
        let own = number(milestone, "iid").and_then(|iid| self.milestones.get(&iid));
        own.and_then(|own| word(own, "title")).map(str::trim) == title
    }

    /// The titles of milestones here.
    pub fn titles(&self) -> HashMap<(String, bool), String> {
        let title = |of: &Value| word(of, "title").unwrap_or_default().trim().to_owned();
        let own: HashSet<_> = self.milestones.values().map(title).collect();
        let others = self.others.keys().map(|title| {
            let here = if own.contains(title) { format!("{title} (group)") } else { title.clone() };
            ((title.clone(), true), here)
        });
        let all: HashMap<_, _> = others.collect();
        all.into_iter().chain(own.into_iter().map(|title| ((title.clone(), false), title))).collect()
    }
}

/// The statuses of a pipeline in an archive of GitLab, as lines of `statuses.ndjson`.
pub fn statuses(pipeline: &Value) -> Vec<Value> {
    let names = ["builds", "generic_commit_statuses", "statuses"];
    let homes = list(pipeline, "stages").iter().chain([pipeline]);
    let jobs = homes.flat_map(|home| names.iter().flat_map(|name| list(home, name)));
    let status = |job: &Value| {
        let user = number(job, "user_id").or(number(pipeline, "user_id"));
        let mut of = status(text(pipeline, "sha").unwrap_or_default(), job, user);
        put(&mut of, "ref", text(job, "ref").or(text(pipeline, "ref")));
        of
    };
    jobs.filter(|job| !flag(job, "retried")).map(status).collect()
}

/// A line of `statuses.ndjson`. `of`: a status of the API, or of a pipeline in an archive.
pub fn status(sha: &str, of: &Value, user: Option<i64>) -> Value {
    let at = |name| millis(of, name);
    let (started, finished) = (at("started_at"), at("finished_at"));
    picked(
        of,
        "ref name description",
        json!({
            "sha": sha,
            "user": user,
            "state": text(of, "status"),
            "target_url": word(of, "target_url"),
            "coverage": of.get("coverage").and_then(Value::as_f64),
            "at": at("created_at"),
            "started_at": started,
            "finished_at": finished,
        }),
    )
}

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
    archive
        .lines(ISSUES, |_, of| maker.issue(&of).into_iter().try_for_each(|record| each(record, &mut maker.report)))?;
    maker.forget_equal();
    let parts: [(&str, Make); 6] = [
        (LINKS, Maker::link),
        (RELEASES, Maker::release),
        (ENVIRONMENTS, Maker::environment),
        (DEPLOYMENTS, Maker::deployment),
        (STATUSES, Maker::status),
        (COMMIT_NOTES, Maker::comment),
    ];
    for (path, make) in parts {
        archive.lines(path, |_, of| make(maker, &of).map_or(Ok(()), |record| each(record, &mut maker.report)))?;
    }
    archive.lines(PIPELINES, |_, of| {
        let statuses = statuses(&of);
        let statuses: Vec<_> = statuses.iter().filter_map(|of| maker.status(of)).collect();
        let notes: Vec<_> = list(&of, "notes").iter().filter_map(|of| maker.comment_of_pipeline(of)).collect();
        statuses.into_iter().chain(notes).try_for_each(|record| each(record, &mut maker.report))
    })
}
