use super::*;

#[test]
fn a_list_is_made_of_the_blob_that_is_there_now() {
    let blob = |text: &str| Rc::<str>::from(text);
    let keys = |(body, fault): (String, Option<String>)| {
        let list: Vec<License> = serde_json::from_str(&body).unwrap();
        (list.into_iter().map(|license| license.key).collect::<Vec<_>>(), fault.is_some())
    };
    let first = blob(r#"[{"key":"a","content":"","featured":true},{"key":"b","content":""},{}]"#);
    for _ in 0..2 {
        assert_eq!(keys(ready(&first, false)), (vec!["a".to_owned(), "b".to_owned()], true));
        assert_eq!(keys(ready(&first, true)), (vec!["a".to_owned()], true));
    }
    // as long as the first one, and possibly at the same address
    drop(first);
    let second = blob(r#"[{"key":"c","content":"","featured":true},{"key":"d","content":""}]  "#);
    assert_eq!(keys(ready(&second, true)), (vec!["c".to_owned()], false));
    assert_eq!(keys(ready(&second, false)), (vec!["c".to_owned(), "d".to_owned()], false));
}
