use super::*;

fn link(url: &str, filepath: Option<&str>) -> NewLink {
    NewLink { name: "a".into(), url: url.into(), filepath: filepath.map(str::to_owned), link_type: "other".into() }
}

#[test]
fn an_address_of_a_link_has_a_scheme_and_a_host() {
    for url in ["https://example.com/a", "HTTP://x", "ftp://x/y?z"] {
        assert_eq!(link(url, None).flaws(), Vec::<&str>::new(), "{url}");
    }
    for url in [
        "javascript:alert(1)",
        "https://",
        "https:///x",
        "http://:80/",
        "http://?x",
        "//x",
        "x",
        "https://a b",
        "https://a\nb",
        "éé://xxxx",
    ] {
        assert_eq!(link(url, None).flaws(), ["Url is blocked: Only allowed schemes are http, https, ftp"], "{url}");
    }
    let long = format!("https://{}", "x".repeat(2041));
    assert_eq!(link(&long, None).flaws(), ["Url is too long (maximum is 2048 bytes)"]);
}

#[test]
fn a_path_of_a_link_is_of_plain_letters() {
    for path in ["/a", "/bin/tool-1.0_x", "/a//b"] {
        assert_eq!(link("https://x", Some(path)).flaws(), Vec::<&str>::new(), "{path}");
    }
    for path in ["a", "//a", "/a/", "/a b", "/é", "/", ""] {
        assert_eq!(link("https://x", Some(path)).flaws(), ["Filepath is in an invalid format"], "{path}");
    }
    let long = format!("/{}", "x".repeat(128));
    assert_eq!(link("https://x", Some(&long)).flaws(), ["Filepath is too long (maximum is 128 characters)"]);
}

#[test]
fn links_of_a_new_release_repeat_no_name_address_or_path() {
    let named = |name: &str, url: &str, path: Option<&str>| NewLink { name: name.into(), ..link(url, path) };
    let one = named("a", "https://a", Some("/a"));
    let repeated = |other: NewLink| match check_all(&[one.clone(), other]) {
        Err(Error::BadRequest(body)) => body["message"].as_str().unwrap().to_owned(),
        outcome => format!("{outcome:?}"),
    };
    assert_eq!(check_all(&[one.clone(), named("b", "https://b", Some("/b"))]), Ok(()));
    for (other, text) in [
        (named("a", "https://b", None), "a"),
        (named("b", "https://a", None), "https://a"),
        (named("b", "https://b", Some("/a")), "/a"),
    ] {
        assert_eq!(repeated(other), format!("Validation failed: Links have duplicate values ({text})"));
    }
}
