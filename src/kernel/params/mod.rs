//! Reads query, form, multipart and JSON into one map, and the map into an endpoint's struct (behaviour 4).

mod field;
mod limits;
mod multipart;
mod number;
mod problems;
pub mod read;
pub mod scalar;
pub mod sent;
pub use edgeforge_row::Parameters;
pub use field::{Integer, Patch, Reading, RecordId};

use crate::kernel::dialect::Dialect;
use crate::kernel::error::{Error, Result};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::Number;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Param {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Param>),
    /// `name[key]=..` in a form. Only `not` may have this form.
    Nested,
    /// A JSON object, or `name[list][][member]=..` in a form.
    Object(BTreeMap<String, Param>),
}

/// Excluding filters are sent as `not[name]`, or as members of the JSON object `not`.
const EXCLUDING: &str = "not";

/// Names whose repeated values form a list, because one client sends lists so.
const COLLECTED: [&str; 1] = ["user_ids"];

impl Param {
    fn is_blank(&self) -> bool {
        match self {
            Param::Null => true,
            Param::Text(text) => text.trim().is_empty(),
            _ => false,
        }
    }

    fn text(&self) -> Option<String> {
        match self {
            Param::Text(text) => Some(text.clone()),
            Param::Number(number) => Some(number.to_string()),
            Param::Bool(truth) => Some(truth.to_string()),
            Param::Null | Param::List(_) | Param::Nested | Param::Object(_) => None,
        }
    }
}

/// Parameters by name. The body overrides the query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Params {
    sent: BTreeMap<String, Param>,
    /// Decides how a wrong type is reported.
    dialect: Dialect,
    known: RefCell<BTreeSet<&'static str>>,
}

#[cfg(not(target_arch = "wasm32"))]
thread_local! {
    /// The names that endpoints read on this thread. Tests compare them with openapi/.
    static KNOWN: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

#[cfg(not(target_arch = "wasm32"))]
pub fn take_known() -> BTreeSet<&'static str> {
    KNOWN.take()
}

impl Params {
    pub fn of(self, dialect: Dialect) -> Params {
        Params { dialect, ..self }
    }

    pub fn from_urlencoded(text: &str) -> Result<Params> {
        let mut params = Params::default();
        for (index, pair) in text.split('&').filter(|pair| !pair.is_empty()).enumerate() {
            number::check(params.sent.len(), index + 1)?;
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            params.add(&decode(name, true)?, decode(value, true)?)?;
        }
        Ok(params)
    }

    /// Reads a body by its Content-Type. Other types are ignored.
    pub fn from_body(content_type: Option<&str>, body: &[u8]) -> Result<Params> {
        let full = content_type.unwrap_or("application/x-www-form-urlencoded");
        let kind = full.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match kind.as_str() {
            "application/x-www-form-urlencoded" => {
                Params::from_urlencoded(std::str::from_utf8(body).map_err(|_| malformed())?)
            }
            "multipart/form-data" => Params::from_multipart(full, body),
            "application/json" => Params::from_json(body),
            _ => Ok(Params::default()),
        }
    }

    fn from_json(body: &[u8]) -> Result<Params> {
        if body.iter().all(u8::is_ascii_whitespace) {
            return Ok(Params::default());
        }
        number::check_json(body)?;
        let value = serde_json::from_slice(body).map_err(|_| malformed())?;
        let serde_json::Value::Object(members) = value else { return Ok(Params::default()) };
        let mut params = Params::default();
        for (name, value) in members {
            if let (EXCLUDING, serde_json::Value::Object(excluded)) = (name.as_str(), &value) {
                for (inner, value) in excluded {
                    params.sent.insert(format!("{EXCLUDING}[{inner}]"), plain(value.clone())?);
                }
                continue;
            }
            // some form libraries send `name[]` in JSON
            let name = name.strip_suffix("[]").map(str::to_owned).unwrap_or(name);
            params.sent.insert(name, plain(value)?);
        }
        Ok(params)
    }

    fn from_multipart(content_type: &str, body: &[u8]) -> Result<Params> {
        let mut params = Params::default();
        let parts = multipart::parts(content_type, body, number::MOST_VALUES).ok_or_else(malformed)?;
        for (index, (name, content)) in parts.into_iter().enumerate() {
            number::check(params.sent.len(), index + 1)?;
            params.add(&name, str::from_utf8(&content).map_err(|_| malformed())?.to_owned())?;
        }
        Ok(params)
    }

    /// `name[]` appends, a repeated plain name replaces, and `not[name]` is an ordinary name.
    fn add(&mut self, name: &str, value: String) -> Result<()> {
        let value = Param::Text(checked(value)?);
        if let Some((base, [list, _, member])) = brackets(name) {
            return self.add_to_list(base, list, member, value);
        }
        let (base, subscript) = match name.strip_prefix(EXCLUDING) {
            Some(rest) if rest.starts_with('[') && rest.ends_with("][]") => {
                (name.strip_suffix("[]").unwrap_or(name), "]")
            }
            Some(rest) if rest.starts_with('[') && rest.ends_with(']') => (name, "none"),
            _ => name.split_once('[').unwrap_or((name, "none")),
        };
        match (self.sent.get_mut(base), subscript) {
            (Some(Param::List(items)), "]") => items.push(value),
            (None, "]") => {
                self.sent.insert(base.to_owned(), Param::List(vec![value]));
            }
            (Some(Param::List(items)), "none") if COLLECTED.contains(&base) => items.push(value),
            (Some(first @ Param::Text(_)), "none") if COLLECTED.contains(&base) => {
                *first = Param::List(vec![first.clone(), value]);
            }
            (Some(Param::Text(_)) | None, "none") if base == name => {
                self.sent.insert(base.to_owned(), value);
            }
            (Some(it @ (Param::Nested | Param::Object(_))), _) if base != name => *it = Param::Nested,
            (None, _) => {
                self.sent.insert(base.to_owned(), Param::Nested);
            }
            _ => return Err(Error::framework(format!("{base} is invalid"))),
        }
        Ok(())
    }

    /// `base[list][][member]`: a member of the last object of the list. A member that it has already begins the next.
    fn add_to_list(&mut self, base: &str, list: &str, member: &str, value: Param) -> Result<()> {
        let object = self.sent.entry(base.to_owned()).or_insert_with(|| Param::Object(BTreeMap::new()));
        let lists = match object {
            Param::Object(lists) => lists,
            Param::Nested => return Ok(()),
            _ => return Err(Error::invalid(base)),
        };
        let list = lists.entry(list.to_owned()).or_insert_with(|| Param::List(Vec::new()));
        let Param::List(objects) = list else { return Err(Error::invalid(base)) };
        match objects.last_mut() {
            Some(Param::Object(last)) if !last.contains_key(member) => {
                last.insert(member.to_owned(), value);
            }
            _ => objects.push(Param::Object(BTreeMap::from([(member.to_owned(), value)]))),
        }
        Ok(())
    }

    pub fn merged(mut self, later: Params) -> Params {
        self.sent.extend(later.sent);
        self
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.sent.insert(name.to_owned(), Param::Text(value.to_owned()));
    }

    pub fn only(&self, names: &[&str]) -> Params {
        let mut kept = self.clone();
        kept.sent.retain(|name, _| names.contains(&name.as_str()));
        kept
    }

    pub fn without(&self, names: &[&str]) -> Params {
        let mut kept = self.clone();
        kept.sent.retain(|name, _| !names.contains(&name.as_str()));
        kept
    }

    pub fn sent(&self) -> &BTreeMap<String, Param> {
        &self.sent
    }

    /// Whether the parameter was sent and is not blank.
    pub fn has(&self, name: &'static str) -> bool {
        self.know(&[name]);
        self.sent.get(name).is_some_and(|value| !value.is_blank())
    }

    /// For a text that may be empty, which is another value than null.
    pub fn has_blank_text(&self, name: &'static str) -> bool {
        self.know(&[name]);
        self.sent.get(name).is_some_and(|value| *value != Param::Null && value.is_blank())
    }

    pub fn refuse_blank(&self, names: &[&str]) -> Result<()> {
        let is_blank = |name: &&&str| self.sent.get(**name).is_some_and(Param::is_blank);
        let blank: Vec<String> =
            names.iter().filter(is_blank).map(|name| format!("{name} is empty")).collect();
        if blank.is_empty() { Ok(()) } else { Err(Error::framework(blank.join(", "))) }
    }

    pub fn require_one_of(&self, names: &[&str]) -> Result<()> {
        if names.iter().any(|name| self.sent.contains_key(*name)) {
            return Ok(());
        }
        let names = names.join(", ");
        Err(Error::framework(format!("{names} are missing, at least one parameter must be provided")))
    }

    fn know(&self, names: &[&'static str]) {
        #[cfg(not(target_arch = "wasm32"))]
        KNOWN.with_borrow_mut(|known| known.extend(names));
        self.known.borrow_mut().extend(names);
    }

    /// Whether none of the parameters that the endpoint has read so far was sent.
    pub fn lacks_all(&self) -> bool {
        let known = self.known.borrow();
        !self.sent.keys().any(|name| known.contains(name.as_str()))
    }

    /// For an endpoint that ignores a parameter which its struct shares with other endpoints.
    pub fn pass_over(&self, name: &str) {
        #[cfg(not(target_arch = "wasm32"))]
        KNOWN.with_borrow_mut(|known| known.remove(name));
        self.known.borrow_mut().remove(name);
    }

    /// For an endpoint that answers by another one, which reads more parameters.
    pub fn pass_over_all_but(&self, names: &[&str]) {
        #[cfg(not(target_arch = "wasm32"))]
        KNOWN.with_borrow_mut(|known| known.retain(|name| names.contains(name)));
        self.known.borrow_mut().retain(|name| names.contains(name));
    }

    /// Names that were sent and that the endpoint does not read. `repeated`: values of the path, which links
    /// repeat as parameters.
    pub fn unread(&self, repeated: &[String]) -> BTreeSet<String> {
        const COMMON: [&str; 5] = ["private_token", "access_token", "sudo", "format", "_method"];
        let known = self.known.borrow();
        let is_repeated = |value: &Param| value.text().is_some_and(|text| repeated.contains(&text));
        let unread = self.sent.iter().filter(|(name, value)| {
            !known.contains(name.as_str()) && !COMMON.contains(&name.as_str()) && !is_repeated(value)
        });
        unread.map(|(name, _)| shown(name)).collect()
    }

    /// Numbers count as text.
    pub fn text(&self, name: &'static str) -> Option<String> {
        self.know(&[name]);
        match self.sent.get(name)? {
            Param::Text(text) => Some(text.clone()),
            Param::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Name and value pairs as in a query, sorted, `name[]` for lists.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        for (name, value) in &self.sent {
            let (name, values) = match value {
                Param::List(items) => (format!("{name}[]"), items.as_slice()),
                one => (name.clone(), std::slice::from_ref(one)),
            };
            pairs.extend(values.iter().filter_map(Param::text).map(|text| (name.clone(), text)));
        }
        pairs
    }
}

/// The name before three pairs of brackets, and what is in them.
fn brackets(name: &str) -> Option<(&str, [&str; 3])> {
    let (base, rest) = name.strip_suffix(']')?.split_once('[')?;
    let inner: Vec<&str> = rest.split("][").collect();
    inner.try_into().ok().filter(|_| base != EXCLUDING).map(|inner| (base, inner))
}

/// A parameter's name as a header may have it. A long one of other characters than names of this API have may
/// be a misplaced token, and becomes `?`.
fn shown(name: &str) -> String {
    const SHORTEST_TOKEN: usize = 20;
    const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.');
    let name = if name.starts_with(EXCLUDING) { name.split('[').next().unwrap_or(name) } else { name };
    let usual = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.".contains(&byte);
    let is_shown = name.len() < SHORTEST_TOKEN || name.len() <= 40 && name.bytes().all(usual);
    if is_shown && !name.is_empty() { utf8_percent_encode(name, PLAIN).to_string() } else { "?".to_owned() }
}

fn plain(value: serde_json::Value) -> Result<Param> {
    Ok(match value {
        serde_json::Value::Null => Param::Null,
        serde_json::Value::Bool(truth) => Param::Bool(truth),
        // serde_json reads -0 as a real number
        serde_json::Value::Number(number) => Param::Number(match number.as_f64() {
            Some(real) if real == 0.0 && real.is_sign_negative() => 0.into(),
            _ => number,
        }),
        serde_json::Value::String(text) => Param::Text(checked(text)?),
        serde_json::Value::Array(items) => Param::List(items.into_iter().map(plain).collect::<Result<_>>()?),
        serde_json::Value::Object(members) => {
            let members = members.into_iter().map(|(name, value)| Ok((name, plain(value)?)));
            Param::Object(members.collect::<Result<_>>()?)
        }
    })
}

/// SQLite functions end a text at its first NUL, so it is refused.
fn checked(text: String) -> Result<String> {
    if text.contains('\0') { Err(Error::framework("string contains a null byte")) } else { Ok(text) }
}

fn malformed() -> Error {
    Error::framework("message body does not match declared format")
}

/// A broken escape or invalid UTF-8 is an error.
pub fn decode(text: &str, plus_is_blank: bool) -> Result<String> {
    let broken = || Error::framework("invalid percent-encoding");
    let bytes = text.as_bytes();
    let escapes_are_whole = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'%').all(|(at, _)| {
        bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    });
    if !escapes_are_whole {
        return Err(broken());
    }
    let spaced = if plus_is_blank { text.replace('+', " ") } else { text.to_owned() };
    let decoded = percent_encoding::percent_decode_str(&spaced).decode_utf8().map_err(|_| broken())?;
    Ok(decoded.into_owned())
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/params.rs"]
mod tests;
