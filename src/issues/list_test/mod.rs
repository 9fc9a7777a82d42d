//! Every list in many combinations of filters, by every kind of caller, holds what a plain reading of all issues finds: by
//! `next` from the first page to the last, in order, with the right counts.

mod costs;
mod oracle;
mod world;

use super::filter::{Filter, State};
use super::list::{Listed, Whose, statement, statistics};
use crate::http::Request;
use crate::page::{Page, Total};
use crate::params::Params;
use crate::store::{Rows, Statement, Value};
use oracle::{filter, sees, takes};
use rusqlite::Connection;
use world::{PEOPLE, ROOT, Stored, stored, world};

/// What the statement answers, and how many rows of its own it has.
fn ask(
    connection: &Connection,
    caller: Option<i64>,
    whose: Whose,
    project: i64,
    statement: &Statement,
) -> Rows {
    let place = match whose {
        Whose::Project => Value::Text(format!("[{project}, null]")),
        Whose::Group => Value::Text("[50, null]".to_owned()),
        Whose::Caller => Value::Null,
    };
    let head = [
        Value::from(caller.map(|id| format!("[{id}]"))),
        Value::Text(String::new()),
        if caller.is_some() { Value::Null } else { Value::Int(1) },
        Value::Int(0),
        place,
        Value::Text("[10,10,1,null,0,null,39000,-1]".to_owned()),
    ];
    let mut prepared = connection.prepare_cached(&statement.sql).unwrap();
    for (at, value) in head.iter().chain(&statement.binds).enumerate() {
        match value {
            Value::Null => prepared.raw_bind_parameter(at + 1, rusqlite::types::Null),
            Value::Int(number) => prepared.raw_bind_parameter(at + 1, number),
            Value::Real(number) => prepared.raw_bind_parameter(at + 1, number),
            Value::Text(text) => prepared.raw_bind_parameter(at + 1, text),
        }
        .unwrap();
    }
    let mut rows = prepared.raw_query();
    let mut texts: Vec<String> = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        texts.push(row.get(0).unwrap());
    }
    Rows(texts.split_off(1))
}

fn page(cursor: Option<(i64, String)>, size: u64) -> Page {
    let text = match cursor {
        Some((number, cursor)) => format!("per_page={size}&page={number}&cursor={cursor}"),
        None => format!("per_page={size}"),
    };
    Page::from(&Request::default(), &Params::from_urlencoded(&text).unwrap()).unwrap()
}

#[test]
fn every_list_is_what_a_plain_reading_finds_and_each_issue_is_shown_once() {
    let mut dice = world::Dice(0x9e37_79b9_7f4a_7c15);
    let connection = world(&mut dice);
    let issues = stored(&connection);
    let (mut shown, mut cut) = (0, 0);
    for _ in 0..1000 {
        let filter = filter(&mut dice);
        let whose = dice.one(&[Whose::Project, Whose::Group, Whose::Caller]);
        let project = dice.one(&[2, 3]);
        let callers: Vec<Option<i64>> = PEOPLE.into_iter().map(Some).chain([Some(ROOT), None]).collect();
        let caller = dice.one(&callers);
        let size = 1 + dice.roll(9);
        if whose == Whose::Project && !sees(caller, project) {
            continue;
        }
        let about = || format!("{whose:?} {project} by {caller:?}: {filter:?}");
        let mut expected: Vec<&Stored> = issues
            .iter()
            .filter(|issue| whose != Whose::Project || issue.project == project)
            .filter(|issue| takes(&filter, whose, caller, issue))
            .collect();
        expected
            .sort_by_key(|issue| (if filter.by_update { issue.updated } else { issue.created }, issue.id));
        if !filter.ascending {
            expected.reverse();
        }
        let expected: Vec<i64> = expected.iter().map(|issue| issue.id).collect();
        let (mut found, mut at) = (Vec::new(), page(None, size));
        loop {
            let rows = ask(&connection, caller, whose, project, &statement(&filter, &at, whose));
            let listed = Listed::from(&rows).unwrap().finish(&filter, &at, false).unwrap();
            found.extend(listed.rows.iter().map(|row| row.id));
            if let Total::Both(total, _) = listed.total {
                assert_eq!(total, i64::try_from(expected.len()).unwrap(), "total of {}", about());
            }
            let more = listed.total.has_more();
            assert_eq!(more, listed.cursor.is_some(), "{}", about());
            cut += usize::from(more && listed.rows.len() < usize::try_from(size).unwrap());
            let Some(cursor) = listed.cursor else { break };
            at = page(Some((at.number + 1, cursor)), size);
        }
        assert_eq!(found, expected, "{}", about());
        shown += found.len();
        let rows = ask(&connection, caller, whose, project, &statistics(&filter, whose));
        let counts = Listed::from(&rows).unwrap().counts();
        let of = |state| {
            let filter = Filter { state, ..filter.clone() };
            let counted = issues
                .iter()
                .filter(|issue| whose != Whose::Project || issue.project == project)
                .filter(|issue| takes(&filter, whose, caller, issue));
            Some(i64::try_from(counted.count()).unwrap())
        };
        assert_eq!(
            [counts.opened, counts.closed],
            [of(Some(State::Opened)), of(Some(State::Closed))],
            "{}",
            about()
        );
    }
    assert!(shown > 800 && cut > 80, "{shown} issues shown and {cut} pages cut");
}
