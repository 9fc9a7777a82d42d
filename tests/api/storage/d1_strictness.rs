//! The stand-in for D1 refuses what D1 refuses, and accepts what D1 accepts.

use crate::support::Sqlite;
use edgeforge::store::{Failure, Statement, Value};

fn stand_in() -> Sqlite {
    let sqlite = Sqlite::new(Default::default());
    sqlite.tamper("create table things (id integer primary key, name text not null unique) strict");
    sqlite
}

fn run(statements: &[Statement]) -> Result<Vec<Vec<String>>, Failure> {
    let answers = stand_in().run(statements)?;
    Ok(answers.into_iter().map(|answer| answer.rows).collect())
}

#[track_caller]
fn refuses(sql: &str, why: &str) {
    match run(&[crate::statement!(sql.to_owned())]) {
        Err(Failure::Other(text) | Failure::Unmigrated(text)) => assert!(text.contains(why), "{text}"),
        other => panic!("{sql:.80}: {other:?}"),
    }
}

#[test]
fn every_number_is_bound_as_real() {
    let rows = run(&[
        crate::statement!("select json_array(typeof(?1), 'x' || ?1, ?1 / 2, ?1) as v", 5),
        crate::statement!("select json_array(typeof(cast(?1 as integer)), cast(?1 as integer)) as v", 5),
        crate::statement!(
            "insert into things (id, name) values (?1, 'x') returning json_array(typeof(id), id) as v",
            7
        ),
    ]);
    assert_eq!(rows.unwrap().concat(), [r#"["real","x5.0",2.5,5.0]"#, r#"["integer",5]"#, r#"["integer",7]"#]);
}

#[test]
fn a_number_beyond_what_is_exact_is_refused() {
    for number in [(1 << 53) + 1, i64::MIN, i64::MAX] {
        assert!(run(&[crate::statement!("select json_array(?1) as v", number)]).is_err());
    }
    for number in [f64::NAN, f64::INFINITY] {
        let statement = crate::statement!("select json_array(?1) as v"; vec![Value::Real(number)]);
        assert!(run(&[statement]).is_err());
    }
    assert!(run(&[crate::statement!("insert into things (id, name) values (?1, 'x')", 1 << 53)]).is_ok());
    let fraction = crate::statement!("insert into things (id, name) values (?1, 'x')"; vec![Value::Real(0.5)]);
    assert!(run(&[fraction]).is_err());
}

#[test]
fn the_binds_are_as_many_as_the_places() {
    assert!(run(&[crate::statement!("select json_array(?1) as v")]).is_err());
    assert!(run(&[crate::statement!("select json_array(?1) as v", 1, 2)]).is_err());
    assert!(run(&[crate::statement!("select json_array(?2) as v", 1)]).is_err());
    assert!(run(&[crate::statement!("select json_array(?2) as v", 1, 2)]).is_ok());
}

#[test]
fn what_is_too_large_for_d1_is_refused() {
    refuses("select json_array(?101)", "variable number must be between ?1 and ?100");
    refuses(&format!("select {}", vec!["1"; 101].join(",")), "too many columns");
    refuses(&format!("select '{}'", "x".repeat(100_000)), "too long");
    refuses(&["select '1'"; 5].join(" union all "), "too many terms in compound SELECT");
    refuses(&format!("select json_array({} 0)", "1 or ".repeat(101)), "Expression tree is too large");
    refuses(&format!("select json_array('x' like '{}') as v", "x".repeat(51)), "LIKE or GLOB pattern too complex");
    refuses(&format!("select json_array({})", vec!["1"; 128].join(",")), "too many arguments");
    assert!(run(&[crate::statement!(["select '1' as v"; 4].join(" union all "))]).is_ok());
    let long = "x".repeat(2_000_001);
    assert!(run(&[crate::statement!("insert into things (name) values (?1)", long)]).is_err());
}

#[test]
fn only_reading_and_writing_are_allowed() {
    for sql in [
        "begin",
        "commit",
        "savepoint s",
        "attach ':memory:' as other",
        "pragma foreign_keys = off",
        "vacuum",
        "drop table things",
    ] {
        refuses(sql, "D1 takes no");
    }
    assert!(run(&[crate::statement!("select '1'; select '2'")]).is_err(), "one statement at a time");
}

#[test]
fn a_row_is_an_object_of_its_columns_or_one_json_text() {
    refuses("select 1 as a, 2 as a", "two columns are called a");
    refuses("select x'00' as a", "a column that no JSON holds");
    refuses("select 1 as v", "no JSON text");
    refuses("select null as v", "no JSON text");
    refuses("select 'no json' as v", "no JSON text");
    refuses("select x'00' as v", "no JSON text");
}

#[test]
fn a_word_in_double_quotes_is_never_a_text() {
    refuses("select json_array(\"typo\")", "no such column");
    refuses("insert into things (name) values (\"typo\")", "no such column");
}

#[test]
fn a_batch_is_done_whole_or_not_at_all() {
    let sqlite = stand_in();
    let failure = sqlite.run(&[
        crate::statement!("insert into things (name) values ('a')"),
        crate::statement!("insert into things (name) values ('a')"),
    ]);
    assert!(matches!(failure, Err(Failure::Constraint(text)) if text.contains("things.name")));
    let rows = sqlite.run(&[crate::statement!("select json_array(count(*)) as v from things")]).unwrap();
    assert_eq!(rows[0].rows, ["[0]"]);
}

#[test]
fn foreign_keys_are_kept() {
    let orphan = crate::statement!(
        "insert into labels (project_id, title, color, created_at) values (?1, 'x', '#000000', 0)",
        77
    );
    assert!(matches!(run(&[orphan]), Err(Failure::Constraint(_))));
}

#[test]
fn the_changes_and_the_last_row_are_known_across_a_batch() {
    let rows = run(&[
        crate::statement!("insert into things (name) values ('a')"),
        crate::statement!("select json_array(changes(), last_insert_rowid()) as v"),
        crate::statement!(
            "insert into things (name) values ('a') on conflict do nothing returning json_array(id) as v"
        ),
        crate::statement!("select json_array(changes()) as v"),
    ]);
    assert_eq!(rows.unwrap(), [vec![], vec!["[1,1]".to_owned()], vec![], vec!["[0]".to_owned()]]);
}
