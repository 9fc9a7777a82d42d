//! The parameters of a change and their validation (behaviour 9).

use super::forms::is_domain;
use super::row::SettingsRow;
use crate::kernel::params::Integer;
use crate::kernel::text::web_address::{WEB, is_address};
use crate::kernel::{Parameters, Patch, Result, ValidationErrors};
use serde_json::{Map, Value, json};

/// Null and blank clear a [`Patch`]. They leave settings of other types unchanged.
#[derive(Debug, Parameters)]
pub struct EditSettings {
    pub(super) default_projects_limit: Option<Integer>,
    pub(super) signup_enabled: Option<bool>,
    pub(super) signin_enabled: Option<bool>,
    pub(super) avatar_enabled: Option<bool>,
    /// The original's name for `avatar_enabled`.
    pub(super) gravatar_enabled: Option<bool>,
    pub(super) sign_in_text: Patch<String>,
    pub(super) home_page_url: Patch<String>,
    pub(super) default_branch_protection: Option<Integer>,
    pub(super) restricted_visibility_levels: Patch<Vec<String>>,
    pub(super) max_attachment_size: Option<Integer>,
    pub(super) session_expire_delay: Option<Integer>,
    pub(super) default_project_visibility: Option<Integer>,
    pub(super) default_snippet_visibility: Option<Integer>,
    pub(super) domain_whitelist: Patch<Vec<String>>,
    pub(super) domain_blacklist_enabled: Option<bool>,
    pub(super) domain_blacklist: Patch<Vec<String>>,
    pub(super) user_oauth_applications: Option<bool>,
    pub(super) after_sign_out_path: Patch<String>,
    pub(super) container_registry_token_expire_delay: Option<Integer>,
    pub(super) repository_storage: Option<String>,
    pub(super) enabled_git_access_protocol: Patch<String>,
    /// Only v4 reads it.
    #[param(skip)]
    pub(super) push_event_hooks_limit: Option<Integer>,
}

impl EditSettings {
    /// Returns the new values by column, or all errors.
    pub(super) fn validated(
        self,
        errors: ValidationErrors,
        stored: &SettingsRow,
        storages: &[String],
    ) -> Result<Map<String, Value>> {
        let mut check = Validation { errors, members: Map::new() };
        check.at_least(0, "default_projects_limit", self.default_projects_limit);
        check.flag("signup_enabled", self.signup_enabled);
        check.flag("signin_enabled", self.signin_enabled);
        check.flag("avatar_enabled", self.avatar_enabled.or(self.gravatar_enabled));
        check.set_or_clear("sign_in_text", self.sign_in_text, Value::Null, Ok);
        check.address("home_page_url", self.home_page_url);
        check.level("default_branch_protection", self.default_branch_protection);
        check.levels("restricted_visibility_levels", self.restricted_visibility_levels);
        check.at_least(1, "max_attachment_size", self.max_attachment_size);
        check.at_least(0, "session_expire_delay", self.session_expire_delay);
        check.level("default_project_visibility", self.default_project_visibility);
        check.level("default_snippet_visibility", self.default_snippet_visibility);
        check.domains("domain_whitelist", self.domain_whitelist, Value::Null);
        check.flag("domain_blacklist_enabled", self.domain_blacklist_enabled);
        check.domains("domain_blacklist", self.domain_blacklist, json!([]));
        check.flag("user_oauth_applications", self.user_oauth_applications);
        check.address("after_sign_out_path", self.after_sign_out_path);
        let delay = self.container_registry_token_expire_delay;
        check.at_least(1, "container_registry_token_expire_delay", delay);
        let storages: Vec<&str> = storages.iter().map(String::as_str).collect();
        let storage = self.repository_storage.map_or(Patch::Keep, Patch::Set);
        check.one_of(&storages, "repository_storage", storage);
        let protocol = match self.enabled_git_access_protocol {
            Patch::Set(text) if text == "nil" => Patch::Clear,
            sent => sent,
        };
        check.one_of(&["ssh", "http"], "enabled_git_access_protocol", protocol);
        check.at_least(0, "push_event_hooks_limit", self.push_event_hooks_limit);
        check.blacklist(stored);
        check.errors.result().map(|()| check.members)
    }
}

pub(super) const EMPTY_BLACKLIST: &str = "Domain blacklist cannot be empty if Blacklist is enabled.";
const NOT_INCLUDED: &str = "is not included in the list";

/// The greatest number in the original's database.
const MOST: i64 = i32::MAX as i64;
const MOST_DOMAINS: usize = 1_000;

struct Validation {
    errors: ValidationErrors,
    members: Map<String, Value>,
}

impl Validation {
    /// Skips a setting that already has an error from reading.
    fn set<T, V: Into<Value>>(
        &mut self,
        name: &str,
        sent: Option<T>,
        rule: impl FnOnce(T) -> std::result::Result<V, Vec<String>>,
    ) {
        match sent.filter(|_| !self.errors.has(name)).map(rule) {
            None => {}
            Some(Ok(value)) => {
                self.members.insert(name.to_owned(), value.into());
            }
            Some(Err(texts)) => texts.iter().for_each(|text| self.errors.add(name, text)),
        }
    }

    fn set_or_clear<T, V: Into<Value>>(
        &mut self,
        name: &str,
        sent: Patch<T>,
        cleared: Value,
        rule: impl FnOnce(T) -> std::result::Result<V, Vec<String>>,
    ) {
        match sent {
            Patch::Keep => {}
            Patch::Clear => self.set(name, Some(cleared), Ok),
            Patch::Set(value) => self.set(name, Some(value), rule),
        }
    }

    fn flag(&mut self, name: &str, sent: Option<bool>) {
        self.set(name, sent, Ok);
    }

    fn at_least(&mut self, least: i64, name: &str, sent: Option<Integer>) {
        self.set(name, sent, |number| match number {
            Integer::NoNumber => fault("is not a number"),
            Integer::Fraction => fault("must be an integer"),
            Integer::Number(number) if number < least && least == 0 => fault("must be greater than or equal to 0"),
            Integer::Number(number) if number < least => fault(format!("must be greater than {}", least - 1)),
            Integer::Number(number) if number > MOST => fault(format!("must be less than or equal to {MOST}")),
            Integer::Number(number) => Ok(number),
        });
    }

    fn level(&mut self, name: &str, sent: Option<Integer>) {
        self.set(name, sent, |level| level.among(0..=2).ok_or_else(|| vec![NOT_INCLUDED.to_owned()]));
    }

    fn levels(&mut self, name: &str, sent: Patch<Vec<String>>) {
        let level = |text: &String| Integer::from(text.as_str()).among(0..=2);
        self.list(name, sent, json!([]), level, "is not a valid visibility level");
    }

    fn domains(&mut self, name: &str, sent: Patch<Vec<String>>, cleared: Value) {
        let domain = |text: &String| is_domain(text).then(|| text.to_lowercase());
        self.list(name, sent, cleared, domain, "is not a valid domain name");
    }

    fn list<T: PartialEq + Into<Value>>(
        &mut self,
        name: &str,
        sent: Patch<Vec<String>>,
        cleared: Value,
        read: impl Fn(&String) -> Option<T>,
        wrong: &str,
    ) {
        self.set_or_clear(name, sent, cleared, |texts| {
            if texts.len() > MOST_DOMAINS {
                return fault(format!("has too many entries (maximum is {MOST_DOMAINS})"));
            }
            let mut entries = Vec::new();
            let mut errors = Vec::new();
            for text in &texts {
                match read(text) {
                    Some(entry) if entries.contains(&entry) => {}
                    Some(entry) => entries.push(entry),
                    None => errors.push(format!("'{}' {wrong}", text.chars().take(100).collect::<String>())),
                }
            }
            if errors.is_empty() { Ok(entries) } else { Err(errors) }
        });
    }

    fn address(&mut self, name: &str, sent: Patch<String>) {
        self.set_or_clear(name, sent, Value::Null, |text| match text.trim() {
            address if is_address(address, WEB) => Ok(address.to_owned()),
            _ => fault("must be a valid URL"),
        });
    }

    fn one_of(&mut self, known: &[&str], name: &str, sent: Patch<String>) {
        self.set_or_clear(name, sent, Value::Null, |text| {
            if known.contains(&text.as_str()) { Ok(text) } else { fault(NOT_INCLUDED) }
        });
    }

    /// The only rule about two settings. For a setting that the request lacks, the stored value counts.
    fn blacklist(&mut self, stored: &SettingsRow) {
        let enabled = self.members.get("domain_blacklist_enabled").and_then(Value::as_bool);
        let domains = self.members.get("domain_blacklist").and_then(Value::as_array).map(Vec::len);
        let is_empty = domains.unwrap_or(stored.domain_blacklist.len()) == 0;
        if enabled.unwrap_or(stored.domain_blacklist_enabled) && is_empty && !self.errors.has("domain_blacklist") {
            self.errors.add("domain_blacklist", EMPTY_BLACKLIST);
        }
    }
}

fn fault<T>(text: impl Into<String>) -> std::result::Result<T, Vec<String>> {
    Err(vec![text.into()])
}
