use super::{slug, tier};

#[test]
fn a_slug_is_the_name_or_what_can_be_of_it() {
    for name in ["production", "a", "eu-1"] {
        assert_eq!(slug(name), name);
    }
    for (name, begins) in
        [("Staging/EU west é!", "staging-eu-west--"), ("1a", "1a"), (&"a".repeat(25), "aaaaaaaaaaaaaaaaa")]
    {
        let slug = slug(name);
        assert!(slug.starts_with(&format!("{begins}-")) && slug.len() == begins.len() + 7, "{slug}");
    }
}

#[test]
fn a_tier_is_what_the_name_says() {
    for (name, expected) in [
        ("Production", "production"),
        ("eu-live", "production"),
        ("review/1", "development"),
        ("staging", "staging"),
        ("QA", "testing"),
        ("canary", "other"),
        ("preprod", "staging"),
    ] {
        assert_eq!(tier(name), expected, "{name}");
    }
}
