use super::super::against_oracle::world::schema;
use crate::areas::words::pattern;
use crate::kernel::text::fold::Pattern;
use regex::Regex;

#[test]
fn a_latin_word_begins_a_word_and_another_one_stands_anywhere() {
    let whole = |glob: &str| Pattern { glob: glob.to_owned(), text: String::new() };
    assert_eq!(pattern("été2"), whole("*[^0-9a-zªµºÀ-ÖØ-öø-\u{2c1}][éÉ]t[éÉ]2*"));
    assert_eq!(pattern("日本"), whole("*日本*"));
    assert_eq!(pattern("мир"), whole("*[мМ][иИ][рР]*"));
}

#[test]
fn no_pattern_is_longer_than_the_database_takes() {
    for word in ["a".repeat(400), "é".repeat(99), "日".repeat(99), "я".repeat(30)] {
        let Pattern { glob, text } = pattern(&word);
        assert!(glob.len() <= 50 && glob.ends_with('*'), "{glob}");
        assert!(word.ends_with(&text) && !text.is_empty(), "{text}");
    }
}

/// Otherwise each issue that is checked costs its description, up to 900 kB.
#[test]
fn the_index_issues_narrow_has_every_column_that_a_condition_reads() {
    let text = include_str!("../../../../../src/areas/issues/lists/lists.sql");
    let connection = schema();
    let mut index = connection.prepare("select name from pragma_index_info('issues_narrow')").unwrap();
    // one is an expression, without a name
    let columns = index.query_map([], |row| row.get::<_, Option<String>>(0)).unwrap();
    let columns: Vec<String> = columns.filter_map(Result::unwrap).collect();
    let column = Regex::new(r"\bi\.([a-z_]+)").unwrap();
    let named: Vec<&str> = column.captures_iter(text).map(|found| found.get(1).unwrap().as_str()).collect();
    assert!(named.len() > 30, "{named:?}");
    let missing: Vec<&&str> = named.iter().filter(|name| !columns.iter().any(|known| known == **name)).collect();
    assert!(missing.is_empty(), "not in issues_narrow: {missing:?}");
}
