use super::request_in_api;
use crate::kernel::http::Request;

fn address(path: &str, query: &str) -> Option<(String, String)> {
    let request = Request { path: path.to_owned(), query: query.to_owned(), ..Request::default() };
    request_in_api(&request).map(|request| (request.path, request.query))
}

#[test]
fn the_addresses_of_feeds_outside_of_the_api_are_those_of_gitlab() {
    let known = |path: &str, query: &str, expected: &str, rest: &str| {
        let expected = format!("/api/v4/projects/{expected}");
        assert_eq!(address(path, query), Some((expected, rest.to_owned())), "{path}?{query}");
    };
    known("/a/b/-/issues.atom", "", "a%2Fb/feeds/issues.atom", "");
    known("/a/b/-/issues.atom", "private_token=x&format=atom", "a%2Fb/feeds/issues.atom", "private_token=x");
    known("/a/b/-/commits/main", "format=atom", "a%2Fb/feeds/main/commits.atom", "");
    known("/a/b/-/commits/x/y%2Fz", "a=1&format=atom", "a%2Fb/feeds/x%2Fy%2Fz/commits.atom", "a=1");
    for (path, query) in [
        ("/a/b/-/commits/main", ""),
        ("/a/b/-/commits/main", "format=json"),
        ("/a/b/-/commits/", "format=atom"),
        ("/a/b/-/issues", "format=atom"),
        ("/b/-/issues.atom", ""),
        ("/a//b/-/issues.atom", ""),
        ("/api/v4/-/issues.atom", ""),
        ("/a/b/issues.atom", ""),
    ] {
        assert_eq!(address(path, query), None, "{path}?{query}");
    }
}
