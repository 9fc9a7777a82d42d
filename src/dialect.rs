//! The two APIs that are served over the same data, and everything in which their rules differ. Shapes and parameters
//! are each area's own; what every request of one API has in common stands here.

use serde_json::{Value, json};

/// Which of the two readings of v3 is served (behaviour 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// The specification to the letter.
    #[default]
    Spec,
    /// What existing v3 clients insist on.
    Gitlab,
}

impl Profile {
    /// The variable PROFILE: `spec`, `gitlab`, or nothing, which is `spec`.
    pub fn read(text: &str) -> Result<Profile, String> {
        match text {
            "" | "spec" => Ok(Profile::Spec),
            "gitlab" => Ok(Profile::Gitlab),
            other => Err(format!("PROFILE is {other:?}; it can be \"spec\" or \"gitlab\"")),
        }
    }
}

/// Every path of v3 begins so.
pub const BASE_PATH: &str = "/api/v3";

/// Which API a request speaks: it follows from the beginning of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    V3(Profile),
    V4,
}

impl Default for Dialect {
    fn default() -> Self {
        Dialect::V3(Profile::Spec)
    }
}

impl Dialect {
    /// Of the request's path, with what follows the base; none: of neither API.
    pub fn of(path: &str, profile: Profile) -> Option<(Dialect, &str)> {
        [Dialect::V3(profile), Dialect::V4].into_iter().find_map(|dialect| {
            let rest = path.strip_prefix(dialect.base_path())?;
            (rest.is_empty() || rest.starts_with('/')).then_some((dialect, rest))
        })
    }

    /// Every path of this API begins so.
    pub fn base_path(self) -> &'static str {
        match self {
            Dialect::V3(_) => BASE_PATH,
            Dialect::V4 => "/api/v4",
        }
    }

    pub fn is_v4(self) -> bool {
        self == Dialect::V4
    }

    /// Whether this is v3 as existing clients expect it, or v4, which has kept those habits.
    fn is_customary(self) -> bool {
        self != Dialect::V3(Profile::Spec)
    }

    /// The status of a new issue and of a new todo.
    pub fn created(self) -> u16 {
        if self.is_customary() { 201 } else { 200 }
    }

    pub fn assignee_parameter(self) -> &'static str {
        if self.is_v4() { "assignee_ids" } else { "assignee_id" }
    }

    /// Whether a list of statuses without a ref has those of all refs.
    pub fn lists_statuses_of_all_refs(self) -> bool {
        self.is_customary()
    }

    /// Whether an unfinished status refuses the state that it has already.
    pub fn refuses_repeated_state(self) -> bool {
        self.is_customary()
    }

    pub fn first_page_of_commits(self) -> i64 {
        if self == Dialect::V3(Profile::Gitlab) { 0 } else { 1 }
    }

    /// How many pages a list without entries has.
    pub fn pages_of_nothing(self) -> i64 {
        i64::from(self.is_v4())
    }

    /// Whether a list that ends on its first page tells how long it is, also where it is not counted.
    pub fn counts_short_lists(self) -> bool {
        self.is_v4()
    }

    /// Whether a value of the wrong type is told by the framework (`error`) wherever it stands. v3 does so for filters
    /// alone, passes over unclear booleans there, and names wrong fields of records in `message`.
    pub fn has_strict_types(self) -> bool {
        self.is_v4()
    }

    /// Whether the token of a CI job is one that may be sent. There are no jobs, so it is a bad one.
    pub fn knows_job_tokens(self) -> bool {
        self.is_v4()
    }

    /// Whether `If-Unmodified-Since` keeps a record from being deleted that has changed since.
    pub fn heeds_unmodified_since(self) -> bool {
        self.is_v4()
    }

    /// Whether an answer tells how many requests are left. v4's clients slow themselves down by it.
    pub fn tells_rate_limits(self) -> bool {
        !self.is_v4()
    }

    /// `message` of a 403. `reason`: empty where there is none.
    pub fn forbidden(self, reason: &str) -> String {
        match self {
            _ if reason.is_empty() => "403 Forbidden".to_owned(),
            // v3 has two blanks
            Dialect::V3(_) => format!("403 Forbidden  - {reason}"),
            Dialect::V4 => format!("403 Forbidden - {reason}"),
        }
    }

    /// `message` of a 404: `SUDO` names nobody.
    pub fn no_such_user(self, name: &str) -> String {
        match self {
            Dialect::V3(_) => format!("404 No user id or username for: {name} Not Found"),
            Dialect::V4 => format!("404 User with ID or username '{name}' Not Found"),
        }
    }

    /// Body of a 400: a required parameter is missing or blank.
    pub fn not_given(self, name: &str) -> Value {
        match self {
            Dialect::V3(_) => json!({ "message": format!("400 (Bad request) \"{name}\" not given") }),
            Dialect::V4 => json!({ "error": format!("{name} is missing") }),
        }
    }

    /// What is said of a parameter whose value is none of these.
    pub fn no_valid_value(self, values: &[&str]) -> String {
        match self {
            Dialect::V3(_) => no_valid_value(values),
            Dialect::V4 => "does not have a valid value".to_owned(),
        }
    }
}

/// What is said of a value that is none of these.
pub fn no_valid_value(values: &[&str]) -> String {
    format!("does not have a valid value ({})", values.join(", "))
}

#[cfg(test)]
#[path = "../tests/unit/dialect.rs"]
mod tests;
