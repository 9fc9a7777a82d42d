use super::*;

fn read(content_type: &str, body: &str) -> Option<Vec<(String, String)>> {
    let text = |(name, content): (String, Bytes)| (name, String::from_utf8(content.to_vec()).unwrap());
    Some(parts(content_type, body.as_bytes(), 10)?.into_iter().map(text).collect())
}

#[test]
fn each_named_part_is_a_name_and_its_content() {
    let body = "preamble\r\n--b \r\ncontent-disposition: form-data; name=\"a\\\"; é\"\r\nX-Other: 1\r\n\r\none\r\n--two\r\n\
        --b\r\nContent-Disposition: form-data; filename=\"name=x\"; name=b\r\n\r\n\r\n--b\r\nX-Other: 1\r\n\r\nno name\r\n\
        --b\r\nContent-Disposition: form-data; name=\"user_ids[]\"; filename=\"c.txt\"\r\nContent-Type: text/plain\r\n\r\n1\r\n\
        --b--\r\nepilogue";
    let found = [("a\"; é", "one\r\n--two"), ("b", ""), ("user_ids[]", "1")]
        .map(|(name, text)| (name.to_owned(), text.to_owned()));
    for content_type in ["multipart/form-data; boundary=b", "multipart/form-data; charset=x; Boundary=\"b\"; more=1"] {
        assert_eq!(read(content_type, body), Some(found.to_vec()), "{content_type}");
    }
    assert_eq!(read("multipart/form-data; boundary=b", "--b--"), Some(Vec::new()));
}

#[test]
fn the_boundaries_of_common_clients_are_known() {
    for boundary in [
        "------------------------d74496d66958873e",
        "----WebKitFormBoundary7MA4YWxkTrZu0gW",
        "---------------------------9051914041544843365972754266",
        "----formdata-undici-012345678901",
        "a3b7f6c1e5d84f0c9b2a1d0e8f7c6b5a",
        "\"----=_Part_7_1234567.1700000000000\"",
        "\"==boundary'()+_,-./:=?==\"",
    ] {
        let plain = boundary.trim_matches('"');
        let body = format!("--{plain}\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--{plain}--\r\n");
        let read = read(&format!("multipart/form-data; boundary={boundary}"), &body);
        assert_eq!(read, Some(vec![("a".to_owned(), "1".to_owned())]), "{boundary}");
    }
}

#[test]
fn what_is_cut_off_or_has_no_boundary_is_refused() {
    let whole = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--b--";
    assert!(read("multipart/form-data; boundary=b", whole).is_some());
    for end in 0..whole.len() {
        assert_eq!(read("multipart/form-data; boundary=b", whole.get(..end).unwrap()), None, "{end}");
    }
    for content_type in ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"b"] {
        assert_eq!(read(content_type, whole), None, "{content_type}");
    }
    for broken in ["--bx\r\n\r\n\r\n--b--", "--b\r\nno header\r\n\r\n\r\n--b--"] {
        assert_eq!(read("multipart/form-data; boundary=b", broken), None, "{broken}");
    }
}
