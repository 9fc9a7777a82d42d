use super::parsing::decode;
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

#[test]
fn objects_of_a_list_in_a_form_are_read_as_those_in_json() {
    let form = |text: &str| Params::from_urlencoded(text);
    let json = br#"{"a":{"b":[{"c":"1","d":"2"},{"c":"3"}]}}"#;
    let json = Params::from_body(Some("application/json"), json).unwrap();
    assert_eq!(form("a[b][][c]=1&a[b][][d]=2&a[b][][c]=3").unwrap(), json);
    assert_eq!(form("a[b][0][c]=1&a[b][0][d]=2&a[b][1][c]=3").unwrap(), json);
    assert_eq!(form("a=1&a[b][][c]=1"), Err(Error::invalid("a")));
    for mixed in ["a[b]=1&a[b][][c]=1", "a[b][][c]=1&a[b]=1"] {
        assert!(matches!(form(mixed).unwrap().sent()["a"], Param::Nested(_)), "{mixed}");
    }
}

#[test]
fn a_body_has_at_most_1000_names_and_10000_values() {
    let text = "the body has too many parameters (maximum is 1000, with 10000 values)";
    let names = |count: usize| (0..count).map(|n| format!("n{n}=1")).collect::<Vec<_>>().join("&");
    let members = |count: usize| (0..count).map(|n| format!("\"n{n}\":\":,\\\",\"")).collect::<Vec<_>>().join(",");
    let json = |count: usize| format!("{{{}}}", members(count));
    let nested = |count: usize| format!("{{\"a\":{{{}}}}}", members(count));
    let list = |count: usize| format!("{{\"a\":[{}]}}", vec!["1"; count].join(","));
    let values = |count: usize| vec!["a[]=1"; count].join("&");
    let form = |text: String| Params::from_body(Some("application/x-www-form-urlencoded"), text.as_bytes());
    let json_body = |text: String| Params::from_body(Some("application/json"), text.as_bytes());
    let part = |n: usize| format!("--x\r\nContent-Disposition: form-data; name=\"n{n}\"\r\n\r\n1\r\n");
    let parts = |count: usize| {
        let body = format!("{}--x--\r\n", (0..count).map(part).collect::<String>());
        Params::from_body(Some("multipart/form-data; boundary=x"), body.as_bytes())
    };
    let taken = [form(names(1000)), json_body(json(1000)), json_body(nested(999)), parts(1000)];
    assert!(taken.iter().chain(&[form(values(10_000)), json_body(list(10_000))]).all(Result::is_ok));
    let refused = [form(names(1002)), json_body(json(1001)), json_body(nested(1000)), parts(1002)];
    for refused in refused.into_iter().chain([form(values(10_001)), json_body(list(10_001)), parts(30_000)]) {
        assert!(matches!(refused, Err(Error::Framework(400, said)) if said == text));
    }
}
