/** The settings that have an effect, in sections. docs/settings.md lists the others as only stored. */
export const EFFECTIVE = {
  Projects: ["default_projects_limit", "default_project_visibility", "restricted_visibility_levels", "default_branch_protection"],
  Uploads: ["max_attachment_size"],
  Users: ["gravatar_enabled", "domain_allowlist", "domain_blacklist_enabled", "domain_denylist"],
  "Signing in": ["sign_in_text", "signup_enabled", "session_expire_delay", "after_sign_out_path"],
  "Web hooks": ["push_event_hooks_limit"],
};
