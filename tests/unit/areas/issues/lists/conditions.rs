use super::super::against_oracle::world::schema;
use regex::Regex;

/// Otherwise each issue that is checked costs its description, up to 900 kB.
#[test]
fn the_index_issues_narrow_has_every_column_that_a_condition_reads() {
    let text = concat!(
        include_str!("../../../../../src/areas/issues/lists/conditions.sql"),
        include_str!("../../../../../src/areas/issues/lists/lists.sql"),
        include_str!("../../../../../src/areas/issues/lists/ranges.sql"),
    );
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
