use super::Config;

fn fault(given: &[(&str, &str)]) -> Option<String> {
    let value = |name: &str| given.iter().find(|(given, _)| *given == name).map(|(_, value)| (*value).to_owned());
    Config::read(&|name| value(name).unwrap_or_default()).fault
}

#[test]
fn a_number_that_cannot_be_read_is_a_fault() {
    assert_eq!(fault(&[]), None);
    assert_eq!(fault(&[("REFUSALS_PER_MINUTE", "30"), ("STATUSES_DAYS", "0")]), None);
    for name in ["REFUSALS_PER_MINUTE", "PUSHES_PER_MINUTE", "SPENDING_PER_MINUTE", "PROJECT_BYTES", "STATUSES_DAYS"] {
        for text in ["30/min", "1GB", "-1", "1e3", "99999999999999999999", " 3"] {
            let fault = fault(&[(name, text)]).unwrap_or_else(|| panic!("{name}={text} is no fault"));
            assert!(fault.starts_with(&format!("{name} is {text:?}")), "{fault}");
        }
    }
}

#[test]
fn a_short_admin_token_is_a_fault() {
    let token = "nineteen characters";
    assert_eq!(fault(&[("ADMIN_TOKEN", token)]).unwrap(), "ADMIN_TOKEN has fewer than 20 characters");
    assert_eq!(fault(&[("ADMIN_TOKEN", &format!("{token}!"))]), None);
}

#[test]
fn an_unknown_profile_or_way_to_read_replicas_is_a_fault() {
    assert!(fault(&[("PROFILE", "other")]).is_some_and(|fault| fault.contains("PROFILE")));
    assert!(fault(&[("READ_REPLICAS", "other")]).is_some_and(|fault| fault.contains("READ_REPLICAS")));
}

#[test]
fn access_needs_a_team_and_an_audience() {
    let both = [("ACCESS_TEAM", "acme-2"), ("ACCESS_AUD", "4f1d")];
    assert_eq!(fault(&both), None);
    for word in ["", "internal", "external"] {
        assert_eq!(fault(&[both[0], both[1], ("ACCESS_CREATE_USERS", word)]), None);
    }
    let fault = |given: &[(&str, &str)]| fault(given).unwrap_or_else(|| panic!("{given:?} is no fault"));
    for one in both {
        assert_eq!(fault(&[one]), "ACCESS_TEAM and ACCESS_AUD need each other: set both or neither");
    }
    for team in ["Acme", "acme.cloudflareaccess.com", "https://acme", "a b"] {
        assert!(fault(&[("ACCESS_TEAM", team), both[1]]).starts_with(&format!("ACCESS_TEAM is {team:?}")));
    }
    assert!(fault(&[("ACCESS_CREATE_USERS", "yes")]).starts_with("ACCESS_CREATE_USERS is \"yes\""));
}

#[test]
fn an_issuer_that_is_no_address_of_https_is_a_fault() {
    assert_eq!(fault(&[("CI_ISSUERS", "none")]), None);
    assert!(fault(&[("CI_ISSUERS", "http://gitlab.com")]).is_some_and(|fault| fault.starts_with("CI_ISSUERS has")));
}
