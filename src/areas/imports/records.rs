//! The records of a request (behaviour 21): which fields each kind has, and in what form.

use crate::areas::awards::emoji_name;
use crate::areas::deployments::naming::slugs;
use crate::areas::issues::times::MOST_SECONDS;
use crate::areas::issues::v4::NUMBERS;
use crate::areas::labels::colors;
use crate::areas::releases::link::{self, NewLink};
use crate::kernel::call::token_hash;
use crate::kernel::params::limits::too_long;
use crate::kernel::text::web_address::{WEB, is_address};
use crate::kernel::time;
use edgeforge_wire::text::{cut, is_deceptive, is_hash};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// A kind by its word. The fields by which no two new records of a request may be equal, several with `+`. Its fields,
/// each with its form; one with `?` may be absent.
pub const KINDS: [(&str, &str, &str); 12] = [
    ("label", "title", "title:label color:color description:short? at:time?"),
    (
        "milestone",
        "title iid",
        "title:line iid:number? description:long? state:active|closed? start:date? due:date? at:time updated_at:time",
    ),
    (
        "issue",
        "iid",
        "iid:number title:title description:long? author:id assignee:id? state:opened|closed confidential:flag? \
            locked:flag? due:date? milestone:line? labels:labels? at:time updated_at:time closed_at:time? \
            closed_by:id? estimate:seconds? spent:seconds?",
    ),
    ("note", "", "issue:id author:id body:long system:flag? at:time updated_at:time"),
    (
        "event",
        "",
        "issue:id user:id event:label|milestone|state action:add|remove|closed|reopened title:line? commit:sha? at:time",
    ),
    ("award", "issue+note+user+name", "issue:id note:key? user:id name:emoji at:time"),
    ("link", "issue+target", "issue:id target:id type:relates_to|blocks at:time"),
    (
        "release",
        "tag",
        "tag:tag_name name:short? description:long? author:id at:time released_at:time milestones:titles? links:links?",
    ),
    (
        "environment",
        "name",
        "name:line external_url:web? tier:production|staging|testing|development|other? description:medium? \
            state:available|stopped? at:time",
    ),
    (
        "deployment",
        "",
        "environment:line sha:sha ref:short? tag:flag? user:id state:success|failed|canceled job:line at:time \
            started_at:time? finished_at:time?",
    ),
    (
        "status",
        "",
        "sha:sha ref:short? name:line user:id state:success|failed|canceled skipped:flag? target_url:web? \
            description:medium? coverage:real? at:time started_at:time? finished_at:time?",
    ),
    ("comment", "", "sha:sha author:id note:long path:path? line:id? line_type:new|old? at:time"),
];

const IDS: RangeInclusive<i64> = 1..=(1 << 53);
/// The last year that answers can show is left to what changes here.
const TIMES: RangeInclusive<i64> = *time::YEARS.start()..=*time::YEARS.end() - 365 * time::DAY;
/// Of a release, as in the route that makes one.
const MOST_MILESTONES: usize = 100;

/// The records of a request that are right by themselves, by the place of their kind in [`KINDS`].
#[derive(Default)]
pub struct Records {
    pub of_kind: [Vec<Value>; 12],
    pub refused: Vec<(usize, String)>,
}

impl Records {
    pub fn read(sent: Vec<Value>) -> Records {
        let (mut read, mut known) = (Records::default(), HashSet::new());
        for (place, record) in sent.into_iter().enumerate() {
            match checked(record, place, &mut known) {
                Ok((kind, record)) => read.of_kind.get_mut(kind).map_or((), |list| list.push(record)),
                Err(reason) => read.refused.push((place, reason)),
            }
        }
        read
    }
}

/// The place of its kind, and the record with its digest. `known`: what the records before it are.
fn checked(record: Value, place: usize, known: &mut HashSet<String>) -> Result<(usize, Value), String> {
    let Value::Object(mut sent) = record else { return Err("it is no object".to_owned()) };
    let word = sent.get("kind").and_then(Value::as_str).unwrap_or_default();
    let mut kinds = KINDS.iter().enumerate();
    let (kind, (word, equal, fields)) = kinds.find(|(_, (kind, ..))| *kind == word).ok_or("kind: is invalid")?;
    let mut kept = Map::new();
    for (name, form) in ["key:key"].into_iter().chain(fields.split(' ')).filter_map(|field| field.split_once(':')) {
        let form = (form.trim_end_matches('?'), form.ends_with('?'));
        match (sent.remove(name).filter(|value| !value.is_null()), form) {
            (None, (_, true)) => {}
            (None, _) => return Err(format!("{name}: is missing")),
            (Some(value), (form, _)) => {
                let value = field(form, value).map_err(|text| format!("{name}: {text}"))?;
                kept.insert(name.to_owned(), value);
            }
        }
    }
    for names in ["key"].into_iter().chain(equal.split_whitespace()) {
        let mut values: Vec<String> =
            names.split('+').filter_map(|name| kept.get(name)).map(Value::to_string).collect();
        if *word == "link" {
            // a pair is linked once, either way round
            values.sort();
        }
        let kind = if names == "key" { "" } else { word };
        if !values.is_empty() && !known.insert(format!("{kind} {names} {}", values.join(" "))) {
            return Err(format!("{names}: another record of the request has the same"));
        }
    }
    if let [Some(due), Some(start)] = ["due", "start"].map(|name| kept.get(name).and_then(Value::as_str))
        && due < start
    {
        return Err("due: must be greater than start date".to_owned());
    }
    kept.insert("digest".to_owned(), digest(&kept).into());
    kept.insert("place".to_owned(), place.into());
    if *word == "environment" {
        let name = kept.get("name").and_then(Value::as_str).unwrap_or_default();
        let mut slugs: Vec<String> = serde_json::from_str(&slugs(name)).unwrap_or_default();
        // what two could have is left to the first
        slugs.retain(|slug| known.insert(format!("slug {slug}")));
        kept.insert("slugs".to_owned(), slugs.into());
    }
    Ok((kind, Value::Object(kept)))
}

/// Its second half is of the people. If the first half is another one, more than they has changed.
fn digest(record: &Map<String, Value>) -> String {
    let (people, rest): (Map<_, _>, Map<_, _>) =
        record.clone().into_iter().partition(|(name, _)| ["author", "user"].contains(&name.as_str()));
    [rest, people].map(|part| cut(&token_hash(&Value::Object(part).to_string()), 8).to_owned()).concat()
}

const INVALID: &str = "is invalid";

/// The value of a field in its form. A form that is no other is a list of words, or the name of a text in
/// `params/limits.rs`.
fn field(form: &str, sent: Value) -> Result<Value, String> {
    let is_in = |range: RangeInclusive<i64>| sent.as_i64().is_some_and(|number| range.contains(&number));
    let fits = match form {
        "id" => is_in(IDS),
        "number" => is_in(NUMBERS),
        "time" => is_in(TIMES),
        "seconds" => is_in(0..=MOST_SECONDS),
        "flag" => sent.is_boolean(),
        "real" => sent.is_number(),
        "labels" | "titles" | "links" => return list(form, sent),
        _ => return text(form, sent.as_str().ok_or(INVALID)?).map(Value::String),
    };
    if fits { Ok(sent) } else { Err(INVALID.to_owned()) }
}

fn list(form: &str, sent: Value) -> Result<Value, String> {
    let Value::Array(items) = sent else { return Err(INVALID.to_owned()) };
    let most = if form == "titles" { MOST_MILESTONES } else { link::MOST };
    if form != "labels" && items.len() > most {
        return Err(format!("are too many (maximum is {most})"));
    }
    let read = |item: Value| match form {
        "labels" => field("label", item),
        "titles" => field("line", item),
        _ => release_link(item).ok_or_else(|| INVALID.to_owned()),
    };
    items.into_iter().map(read).collect()
}

fn release_link(sent: Value) -> Option<Value> {
    let text = |at| sent.get(at).and_then(Value::as_str).map(str::to_owned);
    let link = NewLink { name: text(0)?, url: text(1)?, filepath: text(2), link_type: text(3)? };
    let is_good =
        !link.name.trim().is_empty() && link::TYPES.contains(&link.link_type.as_str()) && link.flaws().is_empty();
    is_good.then(|| json!([link.name, link.url, link.filepath, link.link_type]))
}

fn text(form: &str, sent: &str) -> Result<String, String> {
    // the name of a text with the same limit
    let limit = match form {
        "long" => "body",
        "medium" | "web" => "target_url",
        other => other,
    };
    if let Some(reason) = too_long(limit, sent) {
        return Err(reason);
    }
    let trimmed = sent.trim();
    let is_line = || !trimmed.is_empty() && !trimmed.chars().any(is_deceptive);
    let read = match form {
        "line" => is_line().then_some(trimmed),
        "title" | "path" | "tag_name" => (!trimmed.is_empty() && !trimmed.contains('\0')).then_some(trimmed),
        // lists separate names by commas
        "label" => (is_line() && !trimmed.contains(',')).then_some(trimmed),
        "short" | "medium" | "long" => (!sent.contains('\0')).then_some(sent),
        "web" => is_address(sent, WEB).then_some(sent),
        "date" => time::date(sent).map(|_| sent),
        "sha" => is_hash(sent).then_some(sent),
        "key" => (sent.len() == 16 && sent.bytes().all(|byte| b"0123456789abcdef".contains(&byte))).then_some(sent),
        "color" => return colors::kept(sent).ok_or_else(|| INVALID.to_owned()),
        "emoji" => return emoji_name(sent).ok_or_else(|| INVALID.to_owned()),
        words => words.split('|').find(|word| *word == sent),
    };
    read.map(str::to_owned).ok_or_else(|| INVALID.to_owned())
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/imports/records.rs"]
mod tests;
