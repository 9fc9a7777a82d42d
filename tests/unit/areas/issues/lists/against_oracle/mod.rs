//! Compares every list, with many combinations of filters and every kind of caller, with a plain search through all
//! issues: by `next` from the first page to the last, in order, with the right counts.

mod costs;
mod oracle;
pub mod world;

use super::filter::{Filter, Scope, State};
use super::plan::{List, Looks, MOST_COUNTED};
use super::{Count, IssueRow, ListPlace};
use crate::kernel::http::Request;
use crate::kernel::lists::Listed;
use crate::kernel::paging::Page;
use crate::kernel::params::Params;
use crate::kernel::route::Route;
use crate::kernel::store::Scope as Begins;
use crate::kernel::store::{Rows, Statement, Value};
use oracle::{filter, sees, takes};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Map, json};
use world::{PEOPLE, ROOT, Stored, stored, world};

/// Runs a statement. Each row is a JSON text.
fn ask(connection: &Connection, caller: Option<i64>, place: i64, statement: &Statement) -> Rows {
    let key = caller.map_or("anybody".to_owned(), |id| format!("user {id}"));
    let scopes = if caller.is_some() { 1 } else { 2 };
    // a project's has one more, which says whether it is changed
    let of_place = |changes: Option<i64>| {
        let binds = [key.as_str().into(), 0.into(), place.into(), 10.into(), 10.into(), scopes.into(), 20.into()];
        binds.into_iter().chain(changes.map(Value::from)).collect()
    };
    let binds: Vec<Value> = match statement.scope {
        Begins::Caller => vec![key.as_str().into(), 0.into(), scopes.into(), 0.into(), 20.into()],
        Begins::Project => of_place(Some(0)),
        _ => of_place(None),
    };
    let mut prepared = connection.prepare_cached(&statement.sql).unwrap();
    for (at, value) in binds.iter().chain(&statement.binds).enumerate() {
        match value {
            Value::Null => prepared.raw_bind_parameter(at + 1, rusqlite::types::Null),
            Value::Int(number) => prepared.raw_bind_parameter(at + 1, *number as f64),
            Value::Real(number) => prepared.raw_bind_parameter(at + 1, number),
            Value::Text(text) => prepared.raw_bind_parameter(at + 1, text),
        }
        .unwrap();
    }
    let names: Vec<String> = prepared.column_names().map(str::to_owned).collect();
    let mut rows = prepared.raw_query();
    let mut texts: Vec<String> = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        if names == ["row"] {
            texts.push(row.get(0).unwrap());
            continue;
        }
        let column = |(at, name): (usize, &String)| {
            let value = match row.get_ref(at).unwrap() {
                ValueRef::Integer(number) => json!(number),
                ValueRef::Real(number) if number.fract() == 0.0 => json!(number as i64),
                ValueRef::Text(text) => json!(std::str::from_utf8(text).unwrap()),
                _ => json!(null),
            };
            (name.clone(), value)
        };
        texts.push(json!(names.iter().enumerate().map(column).collect::<Map<_, _>>()).to_string());
    }
    Rows(texts)
}

fn page(cursor: Option<(i64, String)>, size: u64) -> Page {
    let text = match cursor {
        Some((number, cursor)) => format!("per_page={size}&page={number}&cursor={cursor}"),
        None => format!("per_page={size}"),
    };
    Page::from(&Request::default(), &Route::NONE, &Params::from_urlencoded(&text).unwrap()).unwrap()
}

/// Few, so that pages end early and some lists are too long to be sorted.
fn few_looks(list: List) -> List {
    List { looks: Looks { beyond: 3, most_sorted: 40 }, ..list }
}

/// The page of a list, and whether a further query was needed because there was too much to sort.
fn find(connection: &Connection, caller: Option<i64>, place: i64, list: &List) -> (Listed<IssueRow>, bool) {
    let ask = |statement: &Statement| ask(connection, caller, place, statement);
    let count = Count::read(&ask(&list.total())).unwrap();
    let mut attempt = 0;
    loop {
        let found = list.read(&ask(&list.page(attempt)), Some(count)).unwrap();
        if !list.is_too_long(attempt, &found) {
            return (found, attempt > 0);
        }
        attempt += 1;
    }
}

const ROUNDS: usize = 1500;
const MOST_ROUNDS: usize = 6000;

#[test]
fn every_list_is_what_a_plain_reading_finds_and_each_issue_is_shown_once() {
    let mut dice = world::Dice(0x9e37_79b9_7f4a_7c15);
    let connection = world(&mut dice);
    let issues = stored(&connection);
    let (mut shown, mut cut, mut again) = (0, 0, 0);
    for round in 0..MOST_ROUNDS {
        // a filter more or less changes what the dice draw, so the test goes on until it has seen enough
        if round >= ROUNDS && shown > 800 && cut > 80 && again > 5 {
            break;
        }
        let filter = filter(&mut dice);
        let whose = match dice.roll(3) {
            0 => ListPlace::Project,
            1 => ListPlace::Group,
            _ if filter.scope == Scope::All => ListPlace::Anywhere,
            _ => ListPlace::Caller,
        };
        let project = dice.one(&[2, 3]);
        let callers: Vec<Option<i64>> = PEOPLE.into_iter().map(Some).chain([Some(ROOT), None]).collect();
        let caller = dice.one(&callers);
        let size = 1 + dice.roll(9);
        if whose == ListPlace::Project && !sees(caller, project) {
            continue;
        }
        let place = if whose == ListPlace::Project { project } else { 50 };
        let about = || format!("{whose:?} {project} by {caller:?}: {filter:?}");
        let of = |filter: &Filter| -> Vec<&Stored> {
            let mut expected: Vec<&Stored> = issues
                .iter()
                .filter(|issue| whose != ListPlace::Project || issue.project == project)
                .filter(|issue| takes(filter, whose, caller, issue))
                .collect();
            let key = |issue: &&Stored| (if filter.by_update { issue.updated } else { issue.created }, issue.id);
            expected.sort_by_key(key);
            if !filter.ascending {
                expected.reverse();
            }
            expected
        };
        let expected: Vec<i64> = of(&filter).iter().map(|issue| issue.id).collect();
        let mut found = Vec::new();
        let mut list = few_looks(List::new(filter.clone(), page(None, size), whose));
        loop {
            let (listed, is_again) = find(&connection, caller, place, &list);
            again += usize::from(is_again);
            found.extend(listed.rows.iter().map(|row| row.id));
            if let Some(total) = listed.count.and_then(|count| count.total) {
                assert_eq!(total, i64::try_from(expected.len()).unwrap(), "total of {}", about());
            }
            let more = listed.has_more;
            assert_eq!(more, listed.cursor.is_some(), "{}", about());
            cut += usize::from(more && listed.rows.len() < usize::try_from(size).unwrap());
            let Some(cursor) = listed.cursor else { break };
            list.page = page(Some((list.page.number + 1, cursor)), size);
        }
        assert_eq!(found, expected, "{}", about());
        shown += found.len();
        let all = Filter { state: None, ..filter.clone() };
        let counting = List::new(all.clone(), Page::first(), whose).count(MOST_COUNTED);
        let count = Count::read(&ask(&connection, caller, place, &counting)).unwrap();
        let closed = of(&Filter { state: Some(State::Closed), ..filter.clone() }).len();
        // a filter with several words and labels counts fewer issues than this world has
        let Some(total) = count.all.total else { continue };
        let counted = [total, count.closed.unwrap_or_default()];
        assert_eq!(counted.map(|count| count as usize), [of(&all).len(), closed], "{}", about());
    }
    for (what, count, least) in [("issues shown", shown, 800), ("pages cut", cut, 80), ("lists read again", again, 5)] {
        assert!(count > least, "{MOST_ROUNDS} rounds met only {count} {what}: raise MOST_ROUNDS");
    }
}
