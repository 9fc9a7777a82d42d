use super::*;
use crate::routes::{v3, v4};

fn v4(path: &[&str]) -> String {
    let [v3, v4] = [("/api/v3", v3::ROUTES), ("/api/v4", v4::ROUTES)].map(|(path, lines)| Api { path, lines });
    hint(path, &v4, &v3)
}

#[test]
fn a_slash_in_a_projects_path_is_the_likeliest_mistake() {
    let slash = "a project's path is one segment, its slash is %2F";
    assert!(v4(&["projects", "solo", "hello"]).starts_with(slash));
    assert!(v4(&["projects", "solo", "hello", "issues", "3"]).starts_with(slash));
    for other in [&["projects", "1", "hello"], &["projects", "a/b", "hello"], &["groups", "solo", "hello"]] {
        assert!(v4(other).starts_with("there is no such endpoint"), "{other:?}");
    }
}

#[test]
fn the_nearest_route_has_one_word_more_or_one_letter_else() {
    for (path, nearest) in [
        (&["projects", "1", "commits"][..], "GET /api/v4/projects/:id/repository/commits"),
        (&["projects", "1", "issue", "2"], "GET /api/v4/projects/:id/issues/:issue_iid"),
        (&["Groups"], "GET /api/v4/groups"),
        (&["personal-access-tokens"], "GET /api/v4/personal_access_tokens"),
    ] {
        assert!(v4(path).starts_with(&format!("the nearest endpoint is {nearest};")), "{}", v4(path));
    }
    let long = "x".repeat(LONGEST_SEGMENT + 1);
    for far in [&["nope"][..], &["projects", "1", "nope"], &["users", "1", &long], &["a"; 11]] {
        assert!(v4(far).starts_with("there is no such endpoint"), "{}", v4(far));
    }
    assert!(v4(&["licenses"]).starts_with("there is such an endpoint in /api/v3"));
}

#[test]
fn what_is_left_out_on_purpose_has_no_route() {
    for word in ABSENT.iter().flat_map(|(words, _)| *words) {
        for path in [&["projects", "1", word, "2"][..], &["projects", "1", "repository", word]] {
            let reason = absent(path).unwrap();
            assert!(v4(path).starts_with(reason), "{word}: {}", v4(path));
            let made = v4::ROUTES.iter().find(|line| line.route.fits(path));
            assert!(made.is_none(), "there is {word} now: take it out of ABSENT");
        }
    }
}
