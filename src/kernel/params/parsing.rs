//! Reads the query and each type of body into the map.

use super::{EXCLUDING, Param, Params, multipart, number};
use crate::kernel::error::{Error, Result};
use crate::kernel::gather::Gather;
use std::collections::BTreeMap;

const MALFORMED: &str = "message body does not match declared format";

/// Names whose repeated values form a list, because one client sends lists in this way.
const COLLECTED: [&str; 1] = ["user_ids"];

impl Params {
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

    pub(super) fn from_json(body: &[u8]) -> Result<Params> {
        if body.iter().all(u8::is_ascii_whitespace) {
            return Ok(Params::default());
        }
        number::check_json(body)?;
        let value = serde_json::from_slice(body).map_err(|error| no_json(&error))?;
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

    pub(super) fn from_multipart(content_type: &str, body: &[u8]) -> Result<Params> {
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
        let text = checked(value)?;
        if let Some((base, [list, _, member])) = brackets(name) {
            return self.add_to_list(base, list, member, Param::Text(text));
        }
        let (base, subscript) = match name.strip_prefix(EXCLUDING) {
            Some(rest) if rest.starts_with('[') && rest.ends_with("][]") => {
                (name.strip_suffix("[]").unwrap_or(name), "]")
            }
            Some(rest) if rest.starts_with('[') && rest.ends_with(']') => (name, "none"),
            _ => name.split_once('[').unwrap_or((name, "none")),
        };
        let nested = |text| (format!("[{subscript}"), text);
        match (self.sent.get_mut(base), subscript) {
            (Some(Param::List(items)), "]") => items.push(Param::Text(text)),
            (None, "]") => {
                self.sent.insert(base.to_owned(), Param::List(vec![Param::Text(text)]));
            }
            (Some(Param::List(items)), "none") if COLLECTED.contains(&base) => items.push(Param::Text(text)),
            (Some(first @ Param::Text(_)), "none") if COLLECTED.contains(&base) => {
                *first = Param::List(vec![first.clone(), Param::Text(text)]);
            }
            (Some(Param::Text(_)) | None, "none") if base == name => {
                self.sent.insert(base.to_owned(), Param::Text(text));
            }
            (Some(Param::Nested(parts)), _) if base != name => parts.push(nested(text)),
            (Some(it @ Param::Object(_)), _) if base != name => *it = Param::Nested(vec![nested(text)]),
            (None, _) => {
                self.sent.insert(base.to_owned(), Param::Nested(vec![nested(text)]));
            }
            _ => return Err(Error::framework(format!("{base} is invalid"))),
        }
        Ok(())
    }

    /// `base[list][][member]`: a member of the last object of the list. If that object has the member already, a new
    /// object begins.
    fn add_to_list(&mut self, base: &str, list: &str, member: &str, value: Param) -> Result<()> {
        let object = self.sent.entry(base.to_owned()).or_insert_with(|| Param::Object(BTreeMap::new()));
        let lists = match object {
            Param::Object(lists) => lists,
            Param::Nested(_) => return Ok(()),
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
}

/// The name before three pairs of brackets, and what is in them.
fn brackets(name: &str) -> Option<(&str, [&str; 3])> {
    let (base, rest) = name.strip_suffix(']')?.split_once('[')?;
    let inner: Vec<&str> = rest.split("][").collect();
    inner.try_into().ok().filter(|_| base != EXCLUDING).map(|inner| (base, inner))
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
            Param::Object(members.try_gather()?)
        }
    })
}

/// SQLite functions end a text at its first NUL, so it is refused.
fn checked(text: String) -> Result<String> {
    if text.contains('\0') { Err(Error::framework("string contains a null byte")) } else { Ok(text) }
}

/// serde_json names the fault and its place, and repeats nothing of the body.
fn no_json(error: &serde_json::Error) -> Error {
    Error::hinted(serde_json::json!({ "error": MALFORMED }), format!("the body is no JSON: {error}"))
}

pub fn malformed() -> Error {
    Error::framework(MALFORMED)
}

/// A broken escape or invalid UTF-8 is an error.
pub fn decode(text: &str, plus_is_blank: bool) -> Result<String> {
    let broken = || Error::framework("invalid percent-encoding");
    let bytes = text.as_bytes();
    let escapes_are_whole = bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'%')
        .all(|(at, _)| bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)));
    if !escapes_are_whole {
        return Err(broken());
    }
    let spaced = if plus_is_blank { text.replace('+', " ") } else { text.to_owned() };
    let decoded = percent_encoding::percent_decode_str(&spaced).decode_utf8().map_err(|_| broken())?;
    Ok(decoded.into_owned())
}
