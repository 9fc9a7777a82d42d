//! Application settings of v4.

use crate::support::v4::has_keys;
use crate::support::{apart, spec};
use serde_json::{Value, json};

const SETTINGS: &str = "id created_at updated_at default_projects_limit signup_enabled sign_in_text home_page_url \
  default_branch_protection max_attachment_size session_expire_delay user_oauth_applications after_sign_out_path \
  container_registry_token_expire_delay enabled_git_access_protocol push_event_hooks_limit password_authentication_enabled \
  password_authentication_enabled_for_web signin_enabled gravatar_enabled restricted_visibility_levels \
  default_project_visibility default_snippet_visibility default_group_visibility domain_allowlist domain_whitelist \
  domain_denylist_enabled domain_denylist domain_blacklist_enabled domain_blacklist repository_storages \
  repository_storages_weighted after_sign_up_text can_create_group password_authentication_enabled_for_git \
  usage_ping_enabled version_check_enabled default_branch_name";
const PATH: &str = "/application/settings";

#[test]
fn settings_are_told_and_written_back_under_the_names_of_today() {
    let apart = apart();
    let server = apart.server;
    let get = || server.ask_v4("GET", PATH).by(&server.root()).gives(200).json;
    let put = |body: Value| server.ask_v4("PUT", PATH).by(&server.root()).json(body);
    let before = get();
    has_keys(&before, &[SETTINGS]);
    assert_eq!(before["default_project_visibility"], "private");
    assert_eq!(before["repository_storages_weighted"], json!({ "default": 100 }));
    let refused = |body: Value, name: &str, text: &str| put(body).refused(400, json!({ "message": { name: [text] } }));
    refused(
        json!({ "default_project_visibility": "secret" }),
        "default_project_visibility",
        "is not included in the list",
    );
    put(json!({ "signup_enabled": "perhaps" })).refused(400, json!({ "error": "signup_enabled is invalid" }));
    assert_eq!(get(), before);

    for (sent, name, told) in [
        (json!({ "default_project_visibility": "public" }), "default_project_visibility", json!("public")),
        (json!({ "default_project_visibility": 10 }), "default_project_visibility", json!("internal")),
        (json!({ "default_snippet_visibility": "2" }), "default_snippet_visibility", json!("public")),
        (
            json!({ "restricted_visibility_levels": ["public", "private"] }),
            "restricted_visibility_levels",
            json!(["public", "private"]),
        ),
        (json!({ "restricted_visibility_levels": "internal" }), "restricted_visibility_levels", json!(["internal"])),
        (json!({ "restricted_visibility_levels": [] }), "restricted_visibility_levels", json!([])),
        (json!({ "domain_allowlist": ["example.com"] }), "domain_whitelist", json!(["example.com"])),
        (json!({ "domain_denylist": ["spam.example"] }), "domain_denylist", json!(["spam.example"])),
        (json!({ "domain_denylist_enabled": true }), "domain_blacklist_enabled", json!(true)),
        (json!({ "password_authentication_enabled_for_web": false }), "signin_enabled", json!(false)),
        (json!({ "password_authentication_enabled": true }), "password_authentication_enabled_for_web", json!(true)),
        (json!({ "gravatar_enabled": false }), "gravatar_enabled", json!(false)),
    ] {
        assert_eq!(put(sent.clone()).gives(200).json[name], told, "{sent}");
        assert_eq!(get()[name], told, "{sent}");
    }
    // the whole answer can be written back
    let told = get();
    let mut again = put(told.clone()).gives(200).json;
    again["updated_at"] = told["updated_at"].clone();
    assert_eq!(again, told);
    // v3 returns the same values under its own names
    let old = server.get(PATH).by(&server.root()).gives(200).json;
    assert_eq!((&old["default_project_visibility"], &old["avatar_enabled"]), (&json!(1), &json!(false)));
}

#[test]
fn a_list_of_domains_is_refused_under_its_name_in_v3() {
    let root = &spec().cast().root;
    for (sent, told) in [("domain_denylist", "domain_blacklist"), ("domain_allowlist", "domain_whitelist")] {
        let refused = spec().ask_v4("PUT", PATH).by(root).json(json!({ sent: ["no domain"] })).gives(400);
        let names: Vec<&String> = refused.json["message"].as_object().unwrap().keys().collect();
        assert_eq!(names, [told]);
    }
}
