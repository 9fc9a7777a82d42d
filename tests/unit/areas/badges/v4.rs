use super::path_in_api;

#[test]
fn the_address_of_a_badge_names_a_project_and_a_ref() {
    for (path, expected) in [
        ("/ann/site/badges/main/pipeline.svg", "ann%2Fsite/badges/main/pipeline.svg"),
        ("/ann/site/-/badges/main/pipeline.svg", "ann%2Fsite/badges/main/pipeline.svg"),
        ("/ann/site/badges/main/build.svg", "ann%2Fsite/badges/main/build.svg"),
        ("/ann/site/badges/feature/x/pipeline.svg", "ann%2Fsite/badges/feature%2Fx/pipeline.svg"),
        ("/ann/site/badges/feature%2Fx/pipeline.svg", "ann%2Fsite/badges/feature%2Fx/pipeline.svg"),
        ("/org/team/site/badges/main/pipeline.svg", "org%2Fteam%2Fsite/badges/main/pipeline.svg"),
        ("/ann/badges/badges/main/pipeline.svg", "ann%2Fbadges/badges/main/pipeline.svg"),
        ("/ann/site/badges/main/coverage.svg", "ann%2Fsite/badges/main/coverage.svg"),
        ("/ann/site/-/badges/release.svg", "ann%2Fsite/badges/release.svg"),
        ("/ann/site/badges/badges/x/pipeline.svg", "ann%2Fsite/badges/badges%2Fx/pipeline.svg"),
    ] {
        assert_eq!(path_in_api(path), Some(format!("/api/v4/projects/{expected}")), "{path}");
    }
    for path in [
        "/ann/badges/main/pipeline.svg",
        "/ann/site/badges/pipeline.svg",
        "/ann/site/badges/coverage.svg",
        "/ann/site/badges/main/release.svg",
        "/ann/site/badges/main/other.svg",
        "/ann/site/badges//pipeline.svg",
        "/ann//badges/main/pipeline.svg",
        "//site/badges/main/pipeline.svg",
        "/ann/-/badges/main/pipeline.svg",
        "/api/v3/projects/1/badges/main/build.svg",
        "/api/v4/projects/1/badges/main/pipeline.svg",
        "/pipeline.svg",
        "",
    ] {
        assert_eq!(path_in_api(path), None, "{path}");
    }
}
