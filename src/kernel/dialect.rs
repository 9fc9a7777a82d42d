//! The two APIs, and the rules in which all of their requests differ.

use serde_json::{Value, json};

/// The two readings of v3 (behaviour 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    #[default]
    Spec,
    /// The rules that existing clients of v3 need.
    Gitlab,
}

impl Profile {
    /// The variable PROFILE. Empty means `spec`.
    pub fn read(text: &str) -> Result<Profile, String> {
        match text {
            "" | "spec" => Ok(Profile::Spec),
            "gitlab" => Ok(Profile::Gitlab),
            other => Err(format!("PROFILE is {other:?}; it can be \"spec\" or \"gitlab\"")),
        }
    }
}

pub const BASE_PATH: &str = "/api/v3";

/// The API of a request, by the beginning of its path.
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
    /// Returns the API of a path, and the path below its base. None if the path belongs to neither API.
    pub fn of(path: &str, profile: Profile) -> Option<(Dialect, &str)> {
        [Dialect::V3(profile), Dialect::V4].into_iter().find_map(|dialect| {
            let rest = path.strip_prefix(dialect.base_path())?;
            (rest.is_empty() || rest.starts_with('/')).then_some((dialect, rest))
        })
    }

    pub fn base_path(self) -> &'static str {
        match self {
            Dialect::V3(_) => BASE_PATH,
            Dialect::V4 => "/api/v4",
        }
    }

    pub fn is_v4(self) -> bool {
        self == Dialect::V4
    }

    /// Whether the rules are those of existing clients. v4 has kept these rules.
    fn is_customary(self) -> bool {
        self != Dialect::V3(Profile::Spec)
    }

    /// The status of a new issue or to-do item.
    pub fn created(self) -> u16 {
        if self.is_customary() { 201 } else { 200 }
    }

    /// The parameter that an invalid assignee is reported for.
    pub fn assignee_parameter(self) -> &'static str {
        if self.is_v4() { "assignee_ids" } else { "assignee_id" }
    }

    /// Whether a list of statuses has those of all refs if the request names no ref.
    pub fn lists_statuses_of_all_refs(self) -> bool {
        self.is_customary()
    }

    /// Whether an unfinished status that is posted again in its own state is 400.
    pub fn refuses_repeated_state(self) -> bool {
        self.is_customary()
    }

    /// The number of the first page of commits.
    pub fn first_page_of_commits(self) -> i64 {
        if self == Dialect::V3(Profile::Gitlab) { 0 } else { 1 }
    }

    /// The number of pages of an empty list.
    pub fn pages_of_nothing(self) -> i64 {
        i64::from(self.is_v4())
    }

    /// Whether every list has a total up to 1,000 records. A list that fits on its first page needs no count.
    pub fn counts_lists(self) -> bool {
        self.is_v4()
    }

    /// Whether every value of a wrong type is reported in `error`. v3 does so for filters only, where it
    /// ignores unclear booleans. It reports the fields of a record in `message`.
    pub fn has_strict_types(self) -> bool {
        self.is_v4()
    }

    /// Whether tokens of CI jobs are read. There are no jobs, so such a token is always wrong.
    pub fn knows_job_tokens(self) -> bool {
        self.is_v4()
    }

    /// Whether `If-Unmodified-Since` and `If-Match` are conditions of a write.
    pub fn heeds_unmodified_since(self) -> bool {
        self.is_v4()
    }

    /// v4's clients slow down if these headers are present.
    pub fn sends_rate_limits(self) -> bool {
        !self.is_v4()
    }

    /// `message` of a 403. `reason` may be empty.
    pub fn forbidden(self, reason: &str) -> String {
        match self {
            _ if reason.is_empty() => "403 Forbidden".to_owned(),
            // two blanks, which existing clients expect
            Dialect::V3(_) => format!("403 Forbidden  - {reason}"),
            Dialect::V4 => format!("403 Forbidden - {reason}"),
        }
    }

    /// `message` of a 404 for an unknown user in `SUDO`.
    pub fn no_such_user(self, name: &str) -> String {
        match self {
            Dialect::V3(_) => format!("404 No user id or username for: {name} Not Found"),
            Dialect::V4 => format!("404 User with ID or username '{name}' Not Found"),
        }
    }

    /// The body of the 400 for a missing parameter.
    pub fn not_given(self, name: &str) -> Value {
        match self {
            Dialect::V3(_) => json!({ "message": format!("400 (Bad request) \"{name}\" not given") }),
            Dialect::V4 => json!({ "error": format!("{name} is missing") }),
        }
    }

    /// The hint with the values that a parameter may have. None in v3, whose error lists them.
    pub fn hint_of_values(self, name: &str, values: &[&str]) -> Option<String> {
        (self == Dialect::V4).then(|| format!("{name} is one of {}", values.join(", ")))
    }

    pub fn no_valid_value(self, values: &[&str]) -> String {
        match self {
            Dialect::V3(_) => no_valid_value(values),
            Dialect::V4 => "does not have a valid value".to_owned(),
        }
    }
}

pub fn no_valid_value(values: &[&str]) -> String {
    format!("does not have a valid value ({})", values.join(", "))
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/dialect.rs"]
mod tests;
