use super::super::store::{Row, Rows};
use super::*;

#[derive(Debug, Row)]
struct Pair {
    id: i64,
    #[row(json)]
    names: Vec<String>,
}

#[derive(Debug, Row)]
struct Absent {
    #[row(flatten)]
    pair: Pair,
    #[row(default)]
    more: bool,
}

#[test]
fn a_row_crosses_as_a_list_unless_a_column_may_be_absent() {
    let sent = one_text::<Pair>("select 1".into());
    assert_eq!(sent, "select json_array([id], json([names])) as row from (select 1)");
    assert_eq!(one_text::<Absent>("select 1".into()), "select 1");
    assert_eq!(one_text::<i64>("select 1".into()), "select 1");
    let Pair { id, names } = Rows(vec!["[7,[\"a\"]]".to_owned()]).one().unwrap();
    assert_eq!((id, names), (7, vec!["a".to_owned()]));
    let Absent { pair, more } = Rows(vec![r#"{"id":7,"names":"[]"}"#.to_owned()]).one().unwrap();
    assert_eq!((pair.id, more), (7, false));
}

#[test]
fn two_statements_are_one_if_the_rows_of_both_are_lists() {
    let sent = |text: &str| format!("{BEGIN}[a], [b]{BETWEEN}{text})");
    let (one, other) = (sent("select 1 as a, 2 as b"), sent("select 3 as a, 4 as b"));
    assert_eq!(union_of(&one, &other), Some(format!("{one}\nunion all\n{other}")));
    for [first, second] in [[one.as_str(), "select 1"], ["select 1", one.as_str()]] {
        assert_eq!(union_of(first, second), None);
    }
}

#[test]
fn a_text_has_the_pieces_and_binds_that_are_named_and_no_others() {
    const BLANK: Part = Part::Text(" ");
    let piece = |parts| Piece { name: "sum", parts };
    let inner = piece(&[Part::Bind("two"), Part::Text("+"), Part::Bind("one")]);
    let sum = piece(&[Part::Word("way"), BLANK, Part::Bind("one"), BLANK, Part::Word("all")]);
    let text = Text::new(Scope::None).text("way", "asc").bind("one", 1).bind("two", 2).bind("three", 3);
    let statement = text.pieces("all", vec![inner, inner], " and ").statement::<i64>(sum);
    assert_eq!(statement.sql.trim(), "asc ?1 ?2+?1 and ?2+?1");
    assert_eq!(statement.binds, [Value::Int(1), Value::Int(2)]);
}
