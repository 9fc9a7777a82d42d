use super::*;
use crate::kernel::error::Error;
use crate::kernel::paging::Page;
use crate::kernel::route::{Place, Segment};

const ROUTE: Route = Route::new("GET", &[Segment::Word("a"), Segment::Any("id")], "", Place::Public, &[]);

fn asked(path: &str, query: &str) -> Result<Page, Error> {
    let request = Request { path: path.to_owned(), ..Request::default() };
    Page::from(&request, &ROUTE, &Params::from_urlencoded(query).unwrap())
}

fn next(path: &str, query: &str) -> String {
    asked(path, query).unwrap().next(&[5.into(), "é".into(), (-7).into()]).unwrap()
}

#[test]
fn a_cursor_brings_back_its_keys_and_its_page() {
    let page = asked("/a", &format!("sort=asc&cursor={}", next("/a", "sort=asc"))).unwrap();
    assert_eq!(page.number, 2);
    let beginning = vec![Key::Int(0), Key::Text(String::new()), Key::Int(0)];
    assert_eq!(page.starts(beginning), (vec![5.into(), "é".into(), (-7).into()], 0));
    // a cursor of another list: by number
    assert_eq!(page.starts(vec![Key::Int(9)]), (vec![Key::Int(9)], 20));
}

#[test]
fn with_another_question_it_is_dropped() {
    let cursor = next("/a", "state=opened&per_page=7");
    for (path, query, fits) in [
        ("/a", "state=opened&per_page=7", true),
        ("/a", "state=opened&per_page=7&page=2&id=4&private_token=x", true),
        ("/b", "state=opened&per_page=7", false),
        ("/a", "state=closed&per_page=7", false),
        ("/a", "state=opened&per_page=8", false),
        ("/a", "state=opened&per_page=7&sort=asc", false),
        ("/a", "state=opened&per_page=7&sha=1", false),
        ("/a", "state=opened&per_page=7&page=3", false),
        ("/a", "state=opened&per_page=7&page=1", false),
    ] {
        let page = asked(path, &format!("{query}&cursor={cursor}")).unwrap();
        assert_eq!(page.follows(), fits, "{path}?{query}");
    }
}

#[test]
fn what_is_no_cursor_is_refused() {
    let word = |json: &str| BASE64_URL_SAFE_NO_PAD.encode(json);
    let long = word(&format!("[1,1,2,\"{}\"]", "x".repeat(4500)));
    let zero = word("[1,1,2,\"\\u0000\"]");
    for junk in ["x", "17", "9_4", "a b", "[1,2,3]", &long, &zero] {
        assert_eq!(asked("/a", &format!("cursor={junk}")), Err(Error::invalid("cursor")), "{junk}");
    }
    for json in [
        "{}",
        "[]",
        "[1,1,2]",
        "[1,1,2,1,1,1,1]",
        "[1,1,2,1.5]",
        "[1,1,0,1]",
        "[1,1,1,1]",
        "[1,1,2,9007199254740993]",
        "[1,1,2,null]",
        "[1,\"1\",2,3]",
    ] {
        let cursor = word(json);
        assert_eq!(asked("/a", &format!("cursor={cursor}")), Err(Error::invalid("cursor")), "{json}");
    }
    // of an unknown version
    assert!(!asked("/a", &format!("cursor={}", word("[2,1,2,{}]".replace("{}", "3").as_str()))).unwrap().follows());
    assert!(!asked("/a", "cursor=").unwrap().follows());
}

#[test]
fn keys_that_are_too_long_make_no_cursor() {
    let page = asked("/a", "").unwrap();
    assert!(page.next(&[Key::from("x".repeat(4400).as_str())]).is_some());
    assert_eq!(page.next(&[Key::from("x".repeat(4500).as_str())]), None);
}
