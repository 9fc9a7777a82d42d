use super::*;

#[test]
fn headers_of_answers_are_capitalised() {
    assert_eq!(capitalised("content-type"), "Content-Type");
    assert_eq!(capitalised("ETAG"), "ETAG");
    assert_eq!(capitalised("x--y"), "X--Y");
}

#[test]
fn only_faults_that_may_pass_are_tried_again() {
    let outcome = |status| Outcome::of(Ok(RemoteAnswer { status, ..RemoteAnswer::default() }), json!({}), 1.0);
    for status in [408, 425, 429, 500, 502, 503, 599] {
        assert!(outcome(status).can_retry && !outcome(status).is_success(), "{status}");
    }
    for status in [200, 204, 301, 304, 400, 401, 404, 410, 422] {
        assert!(!outcome(status).can_retry, "{status}");
        assert_eq!(outcome(status).is_success(), status < 400, "{status}");
    }
    assert!(Outcome::of(Err("timeout".to_owned()), json!({}), 1.0).can_retry);
    assert!(!Outcome::unsent("URL is blocked".to_owned()).can_retry);
}

#[test]
fn retry_after_counts_in_seconds_and_as_a_date() {
    let outcome = |text: &str| {
        let headers = vec![("Retry-After".to_owned(), text.to_owned())];
        Outcome::of(Ok(RemoteAnswer { status: 503, headers, ..RemoteAnswer::default() }), json!({}), 1.0)
    };
    let now = 1_445_412_480_000;
    assert_eq!(outcome("120").asked_pause(now), 120_000);
    assert_eq!(outcome("Wed, 21 Oct 2015 07:30:00 GMT").asked_pause(now), 120_000);
    assert_eq!(outcome("soon").asked_pause(now), 0);
}
