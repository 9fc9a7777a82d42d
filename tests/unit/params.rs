use super::*;

#[test]
fn of_a_repeated_plain_key_the_last_wins() {
    let params = Params::from_urlencoded("iid=1&iid=2").unwrap();
    assert_eq!(params.text("iid").as_deref(), Some("2"));
}

#[test]
fn what_is_to_be_left_out_has_names_of_its_own() {
    let query = Params::from_urlencoded("not[labels]=a,b&not[iids][]=1&not[iids][]=2&labels=c").unwrap();
    let json = br#"{ "not": { "labels": "a,b", "iids": ["1", "2"] }, "labels": "c" }"#;
    assert_eq!(query, Params::from_json(json).unwrap());
    assert_eq!(query.text("not[labels]").as_deref(), Some("a,b"));
    assert_eq!(query.text("labels").as_deref(), Some("c"));
}

#[test]
fn every_one_of_repeated_user_ids_is_taken() {
    let repeated = Params::from_urlencoded("user_ids=1&user_ids=2&user_ids=3").unwrap();
    assert_eq!(repeated, Params::from_urlencoded("user_ids[]=1&user_ids[]=2&user_ids[]=3").unwrap());
}

#[test]
fn a_type_clash_is_refused() {
    assert!(Params::from_urlencoded("a=1&a[b]=2").is_err());
    assert!(Params::from_urlencoded("a[]=1&a=2").is_err());
    assert!(Params::from_urlencoded("a[b]=1&a=2").is_err());
}

#[test]
fn broken_escapes_and_invalid_utf_8_are_refused() {
    for bad in ["a=%zz", "a=%", "a=%f", "%c3%28=1", "a=%00"] {
        assert!(Params::from_urlencoded(bad).is_err(), "{bad}");
    }
    assert_eq!(decode("a%2Fb+c", true).unwrap(), "a/b c");
    assert_eq!(decode("a+c", false).unwrap(), "a+c");
}
