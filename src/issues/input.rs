//! What a new issue is made of.

use crate::error::ValidationErrors;
use crate::params::Parameters;
use crate::store::Value;
use crate::time;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Parameters of `POST /projects/:id/issues`.
#[derive(Debug, Parameters)]
pub struct NewIssue {
    #[serde(default)]
    pub title: String,
    pub description: Option<String>,
    #[serde(default)]
    pub confidential: bool,
    pub assignee_id: Option<i64>,
    pub milestone_id: Option<i64>,
    #[serde(default)]
    pub labels: Vec<String>,
    pub created_at: Option<String>,
    pub due_date: Option<String>,
    /// The title of its milestone, in place of the id.
    #[serde(skip)]
    pub milestone: Option<String>,
    #[serde(skip)]
    pub discussion_locked: Option<bool>,
    /// Its number, from who may say so.
    #[serde(skip)]
    pub number: Option<i64>,
}

impl NewIssue {
    /// The parameters as far as they can be judged alone; blanks around the title are cut.
    pub fn checked(mut self, errors: &mut ValidationErrors) -> NewIssue {
        self.title = self.title.trim().to_owned();
        if self.title.is_empty() && !errors.has("title") {
            errors.missing("title");
        }
        if self.due_date.as_deref().is_some_and(|date| time::date(date).is_none()) {
            errors.add("due_date", "is invalid");
        }
        self.labels = label_names(self.labels, errors);
        // 0 says none
        self.assignee_id = self.assignee_id.filter(|id| *id != 0);
        self.milestone_id = self.milestone_id.filter(|id| *id != 0);
        self
    }

    /// Its milestone as statements take it: the title or the id.
    pub fn milestone(&self) -> Value {
        self.milestone.as_deref().map_or(self.milestone_id.into(), Value::from)
    }
}

/// As many labels an issue can be given at once: each is rows to write.
const MOST_LABELS: usize = 500;

/// Names as a label may be called: tags stripped, blanks around cut, each once.
pub fn label_names(names: Vec<String>, errors: &mut ValidationErrors) -> Vec<String> {
    static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("<[^<>]*>").ok());
    let mut known = BTreeSet::new();
    for name in names {
        let bare = TAG.as_ref().map_or(name.as_str().into(), |tag| tag.replace_all(&name, ""));
        let bare = bare.trim();
        // no filter could name it
        if bare.contains(',') {
            errors.add("labels", "is invalid");
        }
        if !bare.is_empty() {
            known.insert(bare.to_owned());
        }
        if known.len() > MOST_LABELS {
            errors.add("labels", &format!("are too many (maximum is {MOST_LABELS})"));
            break;
        }
    }
    known.into_iter().collect()
}
