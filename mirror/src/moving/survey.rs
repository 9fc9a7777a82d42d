//! The first reading of an archive: what is in it, who is in it, and whether any of it is broken.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Value, json};

use super::archive::{Archive, broken};
use super::check::{SHAPES, check};
use super::fields::{flag, id_in, list, millis, number, picked, text, word};
use super::issues::is_internal;
use super::people::{People, Person};
use super::records::{Maker, Record};
use super::report::Report;
use crate::error::Result;

pub const ISSUES: &str = "tree/project/issues.ndjson";
pub const LABELS: &str = "tree/project/labels.ndjson";
pub const MILESTONES: &str = "tree/project/milestones.ndjson";
pub const RELEASES: &str = "tree/project/releases.ndjson";
pub const MEMBERS: &str = "tree/project/project_members.ndjson";
pub const COMMIT_NOTES: &str = "tree/project/commit_notes.ndjson";
pub const PIPELINES: &str = "tree/project/ci_pipelines.ndjson";
const CONTRIBUTIONS: &str = "tree/project/user_contributions.ndjson";
pub const USERS: &str = "edgeforge/users.ndjson";
pub const LINKS: &str = "edgeforge/links.ndjson";
pub const ENVIRONMENTS: &str = "edgeforge/environments.ndjson";
pub const DEPLOYMENTS: &str = "edgeforge/deployments.ndjson";
pub const STATUSES: &str = "edgeforge/statuses.ndjson";

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
                    ISSUES => survey.issue(&of, people),
                    PIPELINES => {
                        let statuses = statuses(&of);
                        statuses.iter().for_each(|status| people.meet(number(status, "user")));
                        list(&of, "notes").iter().for_each(|note| Self::author(note, people));
                        survey.records += statuses.len() as u64;
                    }
                    _ => {
                        survey.records += 1;
                        match path {
                            RELEASES | COMMIT_NOTES => Self::author(&of, people),
                            DEPLOYMENTS | STATUSES => people.meet(number(&of, "user")),
                            _ => {}
                        }
                    }
                }
                Ok(())
            })?;
        }
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
        archive.lines(MEMBERS, |_, mut of| {
            if let Some(user) = of.get("user") {
                people.tell_user(user, text(user, "public_email"));
            }
            if number(&of, "user_id").is_none()
                && let (Some(id), Some(fields)) = (id_in(&of, "user"), of.as_object_mut())
            {
                fields.insert("user_id".to_owned(), json!(id));
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
            self.records += u64::from(self.labels.insert(title.to_owned(), of.clone()).is_none());
        }
    }

    fn milestone(&mut self, of: &Value) {
        let Some(title) = word(of, "title").map(str::trim) else { return };
        let number = number(of, "iid").filter(|iid| *iid > 0 && number(of, "group_id").is_none());
        let is_new = match number.filter(|iid| !self.milestones.contains_key(iid)) {
            Some(iid) => self.milestones.insert(iid, of.clone()).is_none(),
            None if self.others.contains_key(title) => false,
            None => {
                let mut of = of.clone();
                of.as_object_mut().map(|fields| fields.remove("iid"));
                self.others.insert(title.to_owned(), of).is_none()
            }
        };
        self.records += u64::from(is_new);
    }

    fn issue(&mut self, of: &Value, people: &mut People) {
        people.meet(number(of, "author_id"));
        if let Some(id) = number(of, "closed_by_id") {
            people.meet(Some(id));
        }
        if let Some(id) = list(of, "issue_assignees").iter().find_map(|of| number(of, "user_id")) {
            people.meet(Some(id));
        }
        for label in list(of, "label_links").iter().filter_map(|of| of.get("label")) {
            self.label(label, false);
        }
        if let Some(milestone) = of.get("milestone")
            && (number(milestone, "group_id").is_some() || !self.has(milestone))
        {
            self.milestone(milestone);
        }
        let notes = list(of, "notes").iter().filter(|note| !is_internal(note) && word(note, "note").is_some());
        let mut count = 1;
        for note in notes {
            Self::author(note, people);
            count += 1 + Self::givers(note, people);
        }
        count += Self::givers(of, people);
        for name in ["resource_label_events", "resource_state_events", "resource_milestone_events"] {
            for event in list(of, name) {
                people.meet(number(event, "user_id"));
                count += 1;
            }
        }
        self.records += count;
    }

    fn has(&self, milestone: &Value) -> bool {
        let title = word(milestone, "title").map(str::trim);
        let own = number(milestone, "iid").and_then(|iid| self.milestones.get(&iid));
        own.and_then(|own| word(own, "title")).map(str::trim) == title
    }

    fn author(note: &Value, people: &mut People) {
        let id = number(note, "author_id");
        people.meet(id);
        if let (Some(id), Some(author)) = (id, note.get("author")) {
            let name = word(author, "name").unwrap_or_default().to_owned();
            people.tell(id, Person { name, ..Person::default() });
        }
    }

    fn givers(of: &Value, people: &mut People) -> u64 {
        let awards = list(of, "award_emoji");
        awards.iter().for_each(|award| people.meet(number(award, "user_id")));
        awards.len() as u64
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
    let jobs = jobs.filter(|job| !flag(job, "retried")).map(|job| {
        let user = number(job, "user_id").or(number(pipeline, "user_id"));
        let mut of = status(text(pipeline, "sha").unwrap_or_default(), job, user);
        if of["ref"].is_null() {
            of["ref"] = text(pipeline, "ref").into();
        }
        of
    });
    jobs.collect()
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
