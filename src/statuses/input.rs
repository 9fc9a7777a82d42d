//! What posts and lists of statuses are asked for.

use crate::error::{Error, Result, ValidationErrors};
use crate::params::Parameters;
use crate::settings::forms::is_web_link;

/// Parameters of `POST /projects/:id/statuses/:sha`.
#[derive(Debug, Parameters)]
pub struct NewStatus {
    pub state: String,
    #[param(rename = "ref")]
    pub git_ref: Option<String>,
    pub name: Option<String>,
    pub context: Option<String>,
    pub target_url: Option<String>,
    pub description: Option<String>,
    pub coverage: Option<f64>,
}

/// The values of `state`.
pub const STATES: [&str; 6] = ["pending", "running", "success", "failed", "canceled", SKIPPED];

/// It is stored as canceled, beside the word that it was skipped: v3 has no name for it.
pub const SKIPPED: &str = "skipped";

/// Characters: a page of a hundred statuses still fits an answer.
pub const LONGEST_TEXT: usize = 16_384;

impl NewStatus {
    pub fn check(&self) -> Result<()> {
        if !STATES.contains(&self.state.as_str()) {
            return Err(Error::message(format!("invalid state: it is none of {}", STATES.join(", "))));
        }
        self.check_texts(LONGEST_TEXT, "must be a valid URL")
    }

    /// `longest_url`: characters; `no_link`: what is said of an address that is no web link.
    pub fn check_texts(&self, longest_url: usize, no_link: &str) -> Result<()> {
        let mut errors = ValidationErrors::default();
        errors.check_length("ref", self.git_ref.as_deref(), 255);
        errors.check_length("description", self.description.as_deref(), LONGEST_TEXT);
        errors.check_length("target_url", self.target_url.as_deref(), longest_url);
        if self.target_url.as_deref().is_some_and(|url| !url.is_empty() && !is_web_link(url)) {
            errors.add("target_url", no_link);
        }
        errors.result()
    }

    /// As it is stored.
    pub fn stored_state(&self) -> &str {
        if self.state == SKIPPED { "canceled" } else { &self.state }
    }
}

/// Parameters of `GET /projects/:id/repository/commits/:sha/statuses`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct ListStatuses {
    pub ref_name: Option<String>,
    #[param(rename = "ref")]
    pub git_ref: Option<String>,
    pub stage: Option<String>,
    pub name: Option<String>,
    pub all: bool,
    /// Not a parameter of v3: whether the last id comes first.
    #[param(skip)]
    pub descends: bool,
}
