//! The routes of both APIs.
//!
//! `Project(id) ReadIssues + DeleteIssue`: who may not read issues gets 404 or 403 at once. Then the handler asks whether
//! the caller may delete the issue, which their own rows can decide. The suite fails if a write asks for another action.

use crate::areas::{
    activity, awards, badges, comments, commits, contents, deployments, feeds, groups, hooks, issues, labels,
    licenses, links, markdown, members, milestones, mirror, notes, packages, pipelines, projects, refs,
    releases, search, settings, statuses, todos, tokens, uploads, users, version,
};
use crate::kernel::call::{Call, Gate, Place};
use crate::kernel::empty;
use crate::kernel::error::Result;
use crate::kernel::http::Reply;
use crate::kernel::policy::Action;
use std::pin::Pin;

/// Boxed, because one future for all endpoints would be one huge function.
type Outcome<'a> = Pin<Box<dyn Future<Output = Result<Reply>> + 'a>>;

macro_rules! routes {
    ($($verb:ident $pattern:pat $(, $place:ident $(($named:ident))? $($action:ident)? $(+ $decides:ident)* $(@$dear:ident)?)? => $endpoint:path $(, $segment:ident)*;)*) => {
        pub fn dispatch<'a>(call: &'a Call<'_>, method: &str, path: &'a [&str]) -> Option<(&'static str, Outcome<'a>)> {
            Some(match (method, path) {
                $((stringify!($verb), $pattern) => {
                    $(call.arrive(Gate {
                        place: Place::$place,
                        named: first!($($named.to_string(),)? String::new()),
                        action: first!($(Some(Action::$action),)? None),
                        is_costly: first!($(is!($dear),)? false),
                    });)?
                    (stringify!($pattern), Box::pin($endpoint(call $(, $segment)*)))
                })*
                _ => return None,
            })
        }

        /// The verbs of the first pattern that fits the path, in the order of the table.
        #[allow(unused_variables, reason = "the names of segments")]
        pub fn verbs(path: &[&str]) -> Vec<&'static str> {
            let (mut first, mut verbs) = (None, Vec::new());
            $(if let $pattern = path && *first.get_or_insert(stringify!($pattern)) == stringify!($pattern) {
                verbs.push(stringify!($verb));
            })*
            verbs
        }

        pub const ROUTES: &[(&str, &str)] = &[$((stringify!($verb), stringify!($pattern))),*];

        /// Place and actions, in the same order as [`ROUTES`].
        #[cfg(not(target_arch = "wasm32"))]
        pub const GATES: &[(Place, &[Action])] =
            &[$((first!($(Place::$place,)? Place::Public), &[$($(Action::$action,)? $(Action::$decides,)*)?])),*];
    };
}

/// `@dear`: the answer takes a place of the instance (`limits/slots.rs`), because it needs much memory or time.
macro_rules! is {
    (dear) => {
        true
    };
}

macro_rules! first {
    ($first:expr $(, $_second:expr)?) => {
        $first
    };
}

/// [`routes!`] with the routes of the mirror hook, which are the same in both APIs.
macro_rules! routes_and_mirror {
    ($($own:tt)*) => {
        routes! {
            $($own)*

            GET ["projects", id, "mirror"], Project(id) PushMirror => mirror::show;
            GET ["projects", id, "mirror", "commits"], Project(id) PushMirror => mirror::commits;
            POST ["projects", id, "mirror", "commits"], Project(id) PushMirror => mirror::store::push;
            GET ["projects", id, "mirror", "commits", sha], Project(id) PushMirror => mirror::has, sha;
            DELETE ["projects", id, "mirror", "commits", sha], Project(id) ForgetCommit => mirror::forget, sha;
            PUT ["projects", id, "mirror", "refs"], Project(id) PushMirror + EditAnyIssue => mirror::swap::swap;
            GET ["projects", id, "mirror", "objects"], Project(id) PushMirror => mirror::contents::list;
            POST ["projects", id, "mirror", "objects"], Project(id) PushMirror => mirror::objects::receive;
            POST ["projects", id, "mirror", "objects", "lacking"], Project(id) PushMirror => mirror::contents::lacking;
            PUT ["projects", id, "mirror", "contents"], Project(id) PushMirror => mirror::contents::note;
        }
    };
}

pub mod v3 {
    use super::*;

    routes_and_mirror! {
        GET [], Public => version::entrance;
        GET ["version"], AnyToken => version::show;
        GET ["user"], AnyToken => users::v3::show_own;
        GET ["users"], User => users::v3::list;
        POST ["users"], Admin => users::v3::create;
        GET ["users", id], User => users::v3::show, id;
        PUT ["users", id], Admin => users::v3::update, id;
        DELETE ["users", id], Admin => users::v3::delete, id;
        PUT ["users", id, "block"], Admin => users::v3::block, id;
        PUT ["users", id, "unblock"], Admin => users::v3::unblock, id;
        GET ["users", id, "personal_access_tokens"], User => tokens::v3::list, id;
        POST ["users", id, "personal_access_tokens"], User => tokens::v3::create, id;
        DELETE ["users", id, "personal_access_tokens", token_id], User => tokens::v3::revoke, id, token_id;

        GET ["namespaces"], User => groups::v3::list_namespaces;
        GET ["groups"], User => groups::v3::list;
        POST ["groups"], User => groups::v3::create;
        GET ["groups", id], Group(id) ReadProject => groups::v3::show;
        PUT ["groups", id], Group(id) ManageGroup => groups::v3::update;
        DELETE ["groups", id], Group(id) ManageGroup => groups::v3::delete;
        GET ["groups", id, "members"], Group(id) ReadMembers => members::v3::list;
        POST ["groups", id, "members"], Group(id) ManageGroup => members::v3::create;
        GET ["groups", id, "members", user_id], Group(id) ReadMembers => members::v3::show, user_id;
        PUT ["groups", id, "members", user_id], Group(id) ManageGroup => members::v3::update, user_id;
        DELETE ["groups", id, "members", user_id], Group(id) ReadMembers + ManageGroup => members::v3::delete, user_id;

        GET ["projects"], User => projects::v3::list;
        POST ["projects"], User => projects::v3::create;
        GET ["projects", "all"], Admin => projects::v3::list_all;
        GET ["projects", "owned"], User => projects::v3::list_owned;
        GET ["projects", "visible"], User => projects::v3::list_visible;
        POST ["projects", "user", user_id], Admin => projects::v3::create_for_user, user_id;
        GET ["projects", id], Project(id) ReadProject => projects::v3::show;
        PUT ["projects", id], Project(id) EditProject + DeleteProject => projects::v3::update;
        DELETE ["projects", id], Project(id) DeleteProject => projects::v3::delete;
        POST ["projects", id, "archive"], Project(id) DeleteProject => projects::v3::archive;
        POST ["projects", id, "unarchive"], Project(id) DeleteProject => projects::v3::unarchive;
        GET ["projects", id, "members"], Project(id) ReadMembers => members::v3::list;
        POST ["projects", id, "members"], Project(id) ManageMembers => members::v3::create;
        GET ["projects", id, "members", user_id], Project(id) ReadMembers => members::v3::show, user_id;
        PUT ["projects", id, "members", user_id], Project(id) ManageMembers => members::v3::update, user_id;
        DELETE ["projects", id, "members", user_id], Project(id) ReadMembers + ManageMembers => members::v3::delete, user_id;
        GET ["projects", id, "hook_tokens"], Project(id) ManageTokens => tokens::v3::list_of_hooks;
        POST ["projects", id, "hook_tokens"], Project(id) ManageTokens => tokens::v3::create_of_hook;
        DELETE ["projects", id, "hook_tokens", token_id], Project(id) ManageTokens => tokens::v3::revoke_of_hook, token_id;

        GET ["projects", id, "access_tokens"], Project(id) ManageTokens => tokens::v3::list_of_project;
        POST ["projects", id, "access_tokens"], Project(id) ManageTokens => tokens::v3::create_of_project;
        DELETE ["projects", id, "access_tokens", token_id], Project(id) ManageTokens => tokens::v3::revoke_of_project, token_id;
        POST ["projects", id, "access_tokens", token_id, "rotate"], Project(id) ManageTokens => tokens::v3::rotate_of_project, token_id;

        GET ["application", "settings"], Admin => settings::v3::show;
        PUT ["application", "settings"], Admin => settings::v3::update;

        GET ["licenses"], Public => licenses::v3::list;
        GET ["licenses", key], Public => licenses::show, key;

        GET ["issues"], User => issues::lists::v3::of_caller;
        GET ["groups", id, "issues"], Group(id) ReadIssues => issues::lists::v3::in_group;
        GET ["projects", id, "issues"], Project(id) ReadIssues => issues::lists::v3::in_project;
        POST ["projects", id, "issues"], Project(id) CreateIssue + EditAnyIssue + SetTimes => issues::v3::create;
        GET ["projects", id, "issues", issue_id], Project(id) ReadIssues => issues::v3::show, issue_id;
        PUT ["projects", id, "issues", issue_id], Project(id) ReadIssues + EditAnyIssue + SetTimes => issues::v3::update, issue_id;
        DELETE ["projects", id, "issues", issue_id], Project(id) ReadIssues + DeleteIssue => issues::v3::delete, issue_id;
        POST ["projects", id, "issues", issue_id, "move"], Project(id) ReadIssues + MoveIssue => issues::v3::relocate, issue_id;
        POST ["projects", id, "issues", issue_id, "subscription"], Project(id) ReadIssues => issues::v3::subscribe, issue_id;
        DELETE ["projects", id, "issues", issue_id, "subscription"], Project(id) ReadIssues => issues::v3::unsubscribe, issue_id;
        POST ["projects", id, "issues", issue_id, "todo"], Project(id) ReadIssues => todos::v3::create, issue_id;
        GET ["projects", id, "issues", issue_id, "notes"], Project(id) ReadIssues => notes::v3::list, issue_id;
        POST ["projects", id, "issues", issue_id, "notes"], Project(id) ReadIssues + SetTimes => notes::v3::create, issue_id;
        GET ["projects", id, "issues", issue_id, "notes", note_id], Project(id) ReadIssues => notes::v3::show, issue_id, note_id;
        PUT ["projects", id, "issues", issue_id, "notes", note_id], Project(id) ReadIssues + EditAnyNote => notes::v3::update, issue_id, note_id;
        DELETE ["projects", id, "issues", issue_id, "notes", note_id], Project(id) ReadIssues + EditAnyNote => notes::v3::delete, issue_id, note_id;
        GET ["projects", id, "issues", issue_id, "award_emoji"], Project(id) ReadIssues => awards::v3::list, issue_id;
        POST ["projects", id, "issues", issue_id, "award_emoji"], Project(id) ReadIssues => awards::v3::create, issue_id;
        GET ["projects", id, "issues", issue_id, "award_emoji", award_id], Project(id) ReadIssues => awards::v3::show, issue_id, award_id;
        DELETE ["projects", id, "issues", issue_id, "award_emoji", award_id], Project(id) ReadIssues => awards::v3::remove, issue_id, award_id;
        GET ["projects", id, "issues", issue_id, "notes", note_id, "award_emoji"], Project(id) ReadIssues => awards::v3::list_on_note, issue_id, note_id;
        POST ["projects", id, "issues", issue_id, "notes", note_id, "award_emoji"], Project(id) ReadIssues => awards::v3::create_on_note, issue_id, note_id;
        GET ["projects", id, "issues", issue_id, "notes", note_id, "award_emoji", award_id], Project(id) ReadIssues => awards::v3::show_on_note, issue_id, note_id, award_id;
        DELETE ["projects", id, "issues", issue_id, "notes", note_id, "award_emoji", award_id], Project(id) ReadIssues => awards::v3::remove_from_note, issue_id, note_id, award_id;

        GET ["projects", id, "hooks"], Project(id) ManageHooks => hooks::v3::list;
        POST ["projects", id, "hooks"], Project(id) ManageHooks => hooks::v3::create;
        GET ["projects", id, "hooks", hook_id], Project(id) ManageHooks => hooks::v3::show, hook_id;
        PUT ["projects", id, "hooks", hook_id], Project(id) ManageHooks => hooks::v3::update, hook_id;
        DELETE ["projects", id, "hooks", hook_id], Project(id) ManageHooks => hooks::v3::delete, hook_id;
        GET ["hooks"], Admin => hooks::v3::list_of_system;
        POST ["hooks"], Admin => hooks::v3::create_of_system;
        GET ["hooks", hook_id], Admin => hooks::v3::test_of_system, hook_id;
        DELETE ["hooks", hook_id], Admin => hooks::v3::delete_of_system, hook_id;

        GET ["projects", id, "labels"], Project(id) ReadLabels => labels::v3::list;
        POST ["projects", id, "labels"], Project(id) ManageLabels => labels::v3::create;
        PUT ["projects", id, "labels"], Project(id) ManageLabels => labels::v3::update;
        DELETE ["projects", id, "labels"], Project(id) ManageLabels => labels::v3::delete;
        GET ["projects", id, "labels", label_id], Project(id) ReadLabels => labels::v3::show, label_id;
        POST ["projects", id, "labels", label_id, "subscription"], Project(id) ReadLabels => labels::v3::subscribe, label_id;
        DELETE ["projects", id, "labels", label_id, "subscription"], Project(id) ReadLabels => labels::v3::unsubscribe, label_id;
        GET ["projects", id, "milestones"], Project(id) ReadMilestones => milestones::v3::list;
        POST ["projects", id, "milestones"], Project(id) ManageMilestones => milestones::v3::create;
        GET ["projects", id, "milestones", milestone_id], Project(id) ReadMilestones => milestones::v3::show, milestone_id;
        PUT ["projects", id, "milestones", milestone_id], Project(id) ManageMilestones => milestones::v3::update, milestone_id;
        GET ["projects", id, "milestones", milestone_id, "issues"], Project(id) ReadMilestones => issues::lists::v3::of_milestone, milestone_id;

        GET ["todos"], User => todos::v3::list;
        DELETE ["todos"], User => todos::v3::delete_all;
        DELETE ["todos", id], User => todos::v3::delete, id;

        GET ["projects", id, "repository", "commits"], Project(id) ReadCommits => commits::v3::list;
        GET ["projects", id, "repository", "commits", sha], Project(id) ReadCommits => commits::v3::show, sha;
        GET ["projects", id, "repository", "commits", sha, "diff"], Project(id) ReadCommits => commits::v3::diff, sha;
        GET ["projects", id, "repository", "commits", sha, "comments"], Project(id) ReadCommits => comments::v3::list, sha;
        POST ["projects", id, "repository", "commits", sha, "comments"], Project(id) CommentCommit => comments::v3::create, sha;
        GET ["projects", id, "repository", "branches"], Project(id) ReadCommits => refs::v3::branches;
        GET ["projects", id, "repository", "branches", name], Project(id) ReadCommits => refs::v3::branch, name;
        GET ["projects", id, "repository", "tags"], Project(id) ReadCommits => refs::v3::tags;
        GET ["projects", id, "repository", "tags", name], Project(id) ReadCommits => refs::v3::tag, name;
        GET ["projects", id, "repository", "archive"], Project(id) ReadCommits @dear => contents::archive::whole;
        GET ["projects", id, "repository", "archive", format], Project(id) ReadCommits @dear => contents::archive::show, format;
        GET ["projects", id, "repository", "compare"], Project(id) ReadCommits @dear => contents::v3::compare;
        GET ["projects", id, "repository", "contributors"], Project(id) ReadCommits => contents::contributors::v3;
        POST ["projects", id, "uploads"], Project(id) CreateUpload => uploads::v3::create;
        POST ["projects", id, "repository", "tags", name, "release"], Project(id) ManageReleases => releases::v3::create, name;
        PUT ["projects", id, "repository", "tags", name, "release"], Project(id) ManageReleases => releases::v3::update, name;
        GET ["projects", id, "repository", "commits", sha, "statuses"], Project(id) ReadStatuses => statuses::v3::list, sha;
        POST ["projects", id, "statuses", sha], Project(id) PostStatus => statuses::v3::create, sha;
        GET ["projects", id, "badges", git_ref, "build.svg"], LenientProject(id) ReadStatuses => badges::show, git_ref;
        GET ["projects", id, "environments"], Project(id) ReadDeployments => deployments::v3::list_environments;
        GET ["projects", id, "repository", "tree"], Project(id) ReadCommits @dear => contents::v3::tree;
        GET ["projects", id, "repository", "blobs", sha], Project(id) ReadCommits @dear => contents::v3::blob, sha;
        GET ["projects", id, "repository", "commits", sha, "blob"], Project(id) ReadCommits @dear => contents::v3::blob, sha;
        GET ["projects", id, "repository", "raw_blobs", sha], Project(id) ReadCommits @dear => contents::v3::raw_blob, sha;
        GET ["projects", id, "repository", "files"], Project(id) ReadCommits @dear => contents::v3::file;
        POST ["projects", id, "repository", "files"], Project(id) ReadProject => contents::refuse;
        PUT ["projects", id, "repository", "files"], Project(id) ReadProject => contents::refuse;
        DELETE ["projects", id, "repository", "files"], Project(id) ReadProject => contents::refuse;
        POST ["projects", id, "repository", "branches"], Project(id) ReadProject => contents::refuse;
        DELETE ["projects", id, "repository", "branches", name], Project(id) ReadProject => contents::refuse_for, name;
        POST ["projects", id, "repository", "tags"], Project(id) ReadProject => contents::refuse;
        DELETE ["projects", id, "repository", "tags", name], Project(id) ReadProject => contents::refuse_for, name;
        GET ["projects", id, "deployments"], Project(id) ReadDeployments => deployments::v3::list;
        POST ["projects", id, "deployments"], Project(id) CreateDeployment => deployments::v3::create;
        GET ["projects", id, "deployments", deployment_id], Project(id) ReadDeployments => deployments::v3::show, deployment_id;
        PUT ["projects", id, "deployments", deployment_id], Project(id) CreateDeployment => deployments::v3::update, deployment_id;
    }
}

pub mod v4 {
    use super::*;

    routes_and_mirror! {
        GET [], Public => version::entrance;
        GET ["version"], AnyToken => version::v4::show;
        GET ["metadata"], AnyToken => version::v4::metadata;

        GET ["user"], AnyToken => users::v4::show_own;
        GET ["users"], Anyone => users::v4::list;
        POST ["users"], Admin => users::v4::create;
        GET ["users", id], User => users::v4::show, id;
        PUT ["users", id], Admin => users::v4::update, id;
        DELETE ["users", id], Admin => users::v4::delete, id;
        POST ["users", id, "block"], Admin => users::v4::block, id;
        POST ["users", id, "unblock"], Admin => users::v4::unblock, id;
        GET ["personal_access_tokens"], User => tokens::v4::list;
        POST ["users", id, "personal_access_tokens"], User => tokens::v4::create, id;
        GET ["personal_access_tokens", id], AnyToken => tokens::v4::show, id;
        DELETE ["personal_access_tokens", id], AnyToken => tokens::v4::revoke, id;
        POST ["personal_access_tokens", id, "rotate"], User => tokens::v4::rotate, id;

        GET ["application", "settings"], Admin => settings::v4::show;
        PUT ["application", "settings"], Admin => settings::v4::update;
        GET ["templates", "licenses"], Public => licenses::v4::list;
        GET ["templates", "licenses", key], Public => licenses::show, key;
        // one client writes it with a capital letter
        GET ["templates", "Licenses"], Public => licenses::v4::list;
        GET ["templates", "Licenses", key], Public => licenses::show, key;
        GET ["projects", id, "templates", "licenses"], OpenProject(id) ReadProject => licenses::v4::list_for_project;
        GET ["projects", id, "templates", "licenses", key], OpenProject(id) ReadProject => licenses::v4::show_for_project, key;

        GET ["namespaces"], User => groups::v4::namespaces::list;
        GET ["namespaces", id], User => groups::v4::namespaces::show, id;
        GET ["namespaces", path, "exists"], User => groups::v4::namespaces::exists, path;
        GET ["groups"], Anyone => groups::v4::list;
        POST ["groups"], User => groups::v4::create;
        GET ["groups", id], OpenGroup(id) ReadProject => groups::v4::show;
        PUT ["groups", id], Group(id) ManageGroup => groups::v4::update;
        DELETE ["groups", id], Group(id) ManageGroup => groups::v4::delete;

        GET ["users", id, "projects"], Anyone => projects::v4::lists::list_for_user, id;
        GET ["groups", id, "projects"], OpenGroup(id) ReadProject => projects::v4::lists::list_for_group;
        GET ["projects"], Anyone => projects::v4::lists::list;
        POST ["projects"], User => projects::v4::edit::create;
        POST ["projects", "user", user_id], Admin => projects::v4::edit::create_for_user, user_id;
        GET ["projects", id], OpenProject(id) ReadProject => projects::v4::show;
        PUT ["projects", id], Project(id) EditProject + DeleteProject => projects::v4::edit::update;
        DELETE ["projects", id], Project(id) DeleteProject => projects::v4::edit::delete;
        POST ["projects", id, "archive"], Project(id) DeleteProject => projects::v4::edit::archive;
        POST ["projects", id, "unarchive"], Project(id) DeleteProject => projects::v4::edit::unarchive;
        POST ["projects", id, "restore"], Admin => projects::v4::edit::restore, id;

        GET ["issues"], Anyone => issues::lists::v4::list;
        GET ["groups", id, "issues"], OpenGroup(id) ReadIssues => issues::lists::v4::in_group;
        GET ["projects", id, "issues"], OpenProject(id) ReadIssues => issues::lists::v4::in_project;
        GET ["issues_statistics"], Anyone => issues::lists::v4::count;
        GET ["groups", id, "issues_statistics"], OpenGroup(id) ReadIssues => issues::lists::v4::count_in_group;
        GET ["projects", id, "issues_statistics"], OpenProject(id) ReadIssues => issues::lists::v4::count_in_project;
        GET ["projects", id, "milestones", milestone_id, "issues"], Project(id) ReadMilestones => issues::lists::v4::of_milestone, milestone_id;
        GET ["issues", id], Admin => issues::v4::show_anywhere, id;
        POST ["projects", id, "issues"], Project(id) CreateIssue + EditAnyIssue + SetTimes => issues::v4::create;
        GET ["projects", id, "issues", issue_iid], OpenProject(id) ReadIssues => issues::v4::show, issue_iid;
        PUT ["projects", id, "issues", issue_iid], Project(id) ReadIssues + EditAnyIssue + SetTimes => issues::v4::update, issue_iid;
        DELETE ["projects", id, "issues", issue_iid], Project(id) ReadIssues + DeleteIssue => issues::v4::delete, issue_iid;
        POST ["projects", id, "issues", issue_iid, "move"], Project(id) ReadIssues + MoveIssue => issues::v4::relocate, issue_iid;
        POST ["projects", id, "issues", issue_iid, "clone"], Project(id) ReadIssues + MoveIssue => issues::v4::clone, issue_iid;
        POST ["projects", id, "issues", issue_iid, "subscribe"], Project(id) ReadIssues => issues::v4::subscribe, issue_iid;
        POST ["projects", id, "issues", issue_iid, "unsubscribe"], Project(id) ReadIssues => issues::v4::unsubscribe, issue_iid;
        GET ["projects", id, "issues", issue_iid, "participants"], OpenProject(id) ReadIssues => issues::v4::participants, issue_iid;
        GET ["projects", id, "issues", issue_iid, "time_stats"], OpenProject(id) ReadIssues => issues::v4::times::show, issue_iid;
        POST ["projects", id, "issues", issue_iid, "time_estimate"], Project(id) ReadIssues + EditAnyIssue => issues::v4::times::estimate, issue_iid;
        POST ["projects", id, "issues", issue_iid, "reset_time_estimate"], Project(id) ReadIssues + EditAnyIssue => issues::v4::times::reset_estimate, issue_iid;
        POST ["projects", id, "issues", issue_iid, "add_spent_time"], Project(id) ReadIssues + EditAnyIssue => issues::v4::times::spend, issue_iid;
        POST ["projects", id, "issues", issue_iid, "reset_spent_time"], Project(id) ReadIssues + EditAnyIssue => issues::v4::times::reset_spent, issue_iid;
        GET ["projects", id, "issues", issue_iid, "closed_by"], OpenProject(id) ReadIssues => issues::v4::nothing, issue_iid;
        GET ["projects", id, "issues", issue_iid, "related_merge_requests"], OpenProject(id) ReadIssues => issues::v4::nothing, issue_iid;
        GET ["projects", id, "issues", issue_iid, "links"], Project(id) ReadIssues => links::list, issue_iid;
        POST ["projects", id, "issues", issue_iid, "links"], Project(id) ReadIssues + EditAnyIssue => links::create, issue_iid;
        GET ["projects", id, "issues", issue_iid, "links", issue_link_id], Project(id) ReadIssues => links::show, issue_iid, issue_link_id;
        DELETE ["projects", id, "issues", issue_iid, "links", issue_link_id], Project(id) ReadIssues + EditAnyIssue => links::delete, issue_iid, issue_link_id;
        GET ["projects", id, "issues", issue_iid, "award_emoji"], OpenProject(id) ReadIssues => awards::v4::list, issue_iid;
        POST ["projects", id, "issues", issue_iid, "award_emoji"], Project(id) ReadIssues => awards::v4::create, issue_iid;
        GET ["projects", id, "issues", issue_iid, "award_emoji", award_id], OpenProject(id) ReadIssues => awards::v4::show, issue_iid, award_id;
        DELETE ["projects", id, "issues", issue_iid, "award_emoji", award_id], Project(id) ReadIssues => awards::v4::remove, issue_iid, award_id;
        GET ["projects", id, "issues", issue_iid, "notes", note_id, "award_emoji"], OpenProject(id) ReadIssues => awards::v4::list_on_note, issue_iid, note_id;
        POST ["projects", id, "issues", issue_iid, "notes", note_id, "award_emoji"], Project(id) ReadIssues => awards::v4::create_on_note, issue_iid, note_id;
        GET ["projects", id, "issues", issue_iid, "notes", note_id, "award_emoji", award_id], OpenProject(id) ReadIssues => awards::v4::show_on_note, issue_iid, note_id, award_id;
        DELETE ["projects", id, "issues", issue_iid, "notes", note_id, "award_emoji", award_id], Project(id) ReadIssues => awards::v4::remove_from_note, issue_iid, note_id, award_id;
        GET ["projects", id, "issues", issue_iid, "resource_label_events"], Project(id) ReadIssues => issues::v4::events::list_of_labels, issue_iid;
        GET ["projects", id, "issues", issue_iid, "resource_label_events", event_id], Project(id) ReadIssues => issues::v4::events::show_of_labels, issue_iid, event_id;
        GET ["projects", id, "issues", issue_iid, "resource_milestone_events"], Project(id) ReadIssues => issues::v4::events::list_of_milestones, issue_iid;
        GET ["projects", id, "issues", issue_iid, "resource_milestone_events", event_id], Project(id) ReadIssues => issues::v4::events::show_of_milestones, issue_iid, event_id;
        GET ["projects", id, "issues", issue_iid, "resource_state_events"], Project(id) ReadIssues => issues::v4::events::list_of_state, issue_iid;
        GET ["projects", id, "issues", issue_iid, "resource_state_events", event_id], Project(id) ReadIssues => issues::v4::events::show_of_state, issue_iid, event_id;
        POST ["projects", id, "issues", issue_iid, "todo"], Project(id) ReadIssues => todos::v4::create, issue_iid;
        GET ["projects", id, "issues", issue_iid, "notes"], Project(id) ReadIssues => notes::v4::list, issue_iid;
        POST ["projects", id, "issues", issue_iid, "notes"], Project(id) ReadIssues + SetTimes => notes::v4::create, issue_iid;
        GET ["projects", id, "issues", issue_iid, "notes", note_id], Project(id) ReadIssues => notes::v4::show, issue_iid, note_id;
        PUT ["projects", id, "issues", issue_iid, "notes", note_id], Project(id) ReadIssues + EditAnyNote => notes::v4::update, issue_iid, note_id;
        DELETE ["projects", id, "issues", issue_iid, "notes", note_id], Project(id) ReadIssues + EditAnyNote => notes::v4::delete, issue_iid, note_id;
        GET ["projects", id, "issues", issue_iid, "discussions"], Project(id) ReadIssues => notes::v4::list_discussions, issue_iid;
        POST ["projects", id, "issues", issue_iid, "discussions"], Project(id) ReadIssues + SetTimes => notes::v4::create_discussion, issue_iid;
        GET ["projects", id, "issues", issue_iid, "discussions", discussion_id], Project(id) ReadIssues => notes::v4::show_discussion, issue_iid, discussion_id;
        POST ["projects", id, "issues", issue_iid, "discussions", discussion_id, "notes"], Project(id) ReadIssues + SetTimes => notes::v4::answer, issue_iid, discussion_id;
        GET ["projects", id, "issues", issue_iid, "discussions", discussion_id, "notes", note_id], Project(id) ReadIssues => notes::v4::show_within, issue_iid, discussion_id, note_id;
        PUT ["projects", id, "issues", issue_iid, "discussions", discussion_id, "notes", note_id], Project(id) ReadIssues + EditAnyNote => notes::v4::update_within, issue_iid, discussion_id, note_id;
        DELETE ["projects", id, "issues", issue_iid, "discussions", discussion_id, "notes", note_id], Project(id) ReadIssues + EditAnyNote => notes::v4::delete_within, issue_iid, discussion_id, note_id;
        GET ["todos"], User => todos::v4::list;
        POST ["todos", "mark_as_done"], User => todos::v4::mark_all_done;
        POST ["todos", id, "mark_as_done"], User => todos::v4::mark_done, id;
        GET ["projects", id, "labels"], Project(id) ReadLabels => labels::v4::list;
        POST ["projects", id, "labels"], Project(id) ManageLabels => labels::v4::create;
        PUT ["projects", id, "labels"], Project(id) ManageLabels => labels::v4::update;
        DELETE ["projects", id, "labels"], Project(id) ManageLabels => labels::v4::delete;
        GET ["projects", id, "labels", name], Project(id) ReadLabels => labels::v4::show, name;
        PUT ["projects", id, "labels", name], Project(id) ManageLabels => labels::v4::update_named, name;
        DELETE ["projects", id, "labels", name], Project(id) ManageLabels => labels::v4::delete_named, name;
        POST ["projects", id, "labels", name, "subscribe"], Project(id) ReadLabels => labels::v4::subscribe, name;
        POST ["projects", id, "labels", name, "unsubscribe"], Project(id) ReadLabels => labels::v4::unsubscribe, name;
        GET ["projects", id, "milestones"], Project(id) ReadMilestones => milestones::v4::list;
        POST ["projects", id, "milestones"], Project(id) ManageMilestones => milestones::v4::create;
        GET ["projects", id, "milestones", milestone_id], Project(id) ReadMilestones => milestones::v4::show, milestone_id;
        PUT ["projects", id, "milestones", milestone_id], Project(id) ManageMilestones => milestones::v4::update, milestone_id;
        DELETE ["projects", id, "milestones", milestone_id], Project(id) ManageMilestones => milestones::v4::delete, milestone_id;
        GET ["projects", id, "milestones", milestone_id, "merge_requests"], Project(id) ReadMilestones => milestones::v4::merge_requests, milestone_id;
        GET ["merge_requests"], User => empty::list;
        GET ["groups", id, "merge_requests"], OpenGroup(id) ReadProject => empty::list;
        GET ["projects", id, "merge_requests"], OpenProject(id) ReadProject => empty::list;

        GET ["groups", id, "members"], Group(id) ReadMembers => members::v4::list;
        POST ["groups", id, "members"], Group(id) ManageGroup => members::v4::create;
        GET ["groups", id, "members", "all"], Group(id) ReadMembers => members::v4::list_all;
        GET ["groups", id, "members", "all", user_id], Group(id) ReadMembers => members::v4::show_any, user_id;
        GET ["groups", id, "members", user_id], Group(id) ReadMembers => members::v4::show, user_id;
        PUT ["groups", id, "members", user_id], Group(id) ManageGroup => members::v4::update, user_id;
        DELETE ["groups", id, "members", user_id], Group(id) ReadMembers + ManageGroup => members::v4::delete, user_id;
        GET ["projects", id, "members"], Project(id) ReadMembers => members::v4::list;
        POST ["projects", id, "members"], Project(id) ManageMembers => members::v4::create;
        GET ["projects", id, "members", "all"], Project(id) ReadMembers => members::v4::list_all;
        GET ["projects", id, "members", "all", user_id], Project(id) ReadMembers => members::v4::show_any, user_id;
        GET ["projects", id, "members", user_id], Project(id) ReadMembers => members::v4::show, user_id;
        PUT ["projects", id, "members", user_id], Project(id) ManageMembers => members::v4::update, user_id;
        DELETE ["projects", id, "members", user_id], Project(id) ReadMembers + ManageMembers => members::v4::delete, user_id;
        GET ["projects", id, "users"], Project(id) ReadMembers => members::v4::users;

        GET ["projects", id, "access_tokens"], Project(id) ManageTokens => tokens::v4::of_project::list;
        POST ["projects", id, "access_tokens"], Project(id) ManageTokens => tokens::v4::of_project::create;
        POST ["projects", id, "access_tokens", "self", "rotate"], Project(id) ReadProject => tokens::v4::of_project::rotate_itself;
        GET ["projects", id, "access_tokens", token_id], Project(id) ManageTokens => tokens::v4::of_project::show, token_id;
        DELETE ["projects", id, "access_tokens", token_id], Project(id) ManageTokens => tokens::v4::of_project::revoke, token_id;
        POST ["projects", id, "access_tokens", token_id, "rotate"], Project(id) ManageTokens => tokens::v4::of_project::rotate, token_id;
        GET ["projects", id, "hook_tokens"], Project(id) ManageTokens => tokens::v4::of_project::list_of_hooks;
        POST ["projects", id, "hook_tokens"], Project(id) ManageTokens => tokens::v4::of_project::create_of_hook;
        DELETE ["projects", id, "hook_tokens", token_id], Project(id) ManageTokens => tokens::v4::of_project::revoke_of_hook, token_id;

        GET ["projects", id, "hooks"], Project(id) ManageHooks => hooks::v4::list;
        POST ["projects", id, "hooks"], Project(id) ManageHooks => hooks::v4::create;
        GET ["projects", id, "hooks", hook_id], Project(id) ManageHooks => hooks::v4::show, hook_id;
        PUT ["projects", id, "hooks", hook_id], Project(id) ManageHooks => hooks::v4::update, hook_id;
        DELETE ["projects", id, "hooks", hook_id], Project(id) ManageHooks => hooks::v4::delete, hook_id;
        POST ["projects", id, "hooks", hook_id, "test", trigger], Project(id) ManageHooks => hooks::v4::test, hook_id, trigger;
        GET ["projects", id, "hooks", hook_id, "events"], Project(id) ManageHooks => hooks::v4::list_events, hook_id;
        POST ["projects", id, "hooks", hook_id, "events", event_id, "resend"], Project(id) ManageHooks => hooks::v4::resend, hook_id, event_id;
        PUT ["projects", id, "hooks", hook_id, "url_variables", key], Project(id) ManageHooks => hooks::v4::set_variable, hook_id, key;
        DELETE ["projects", id, "hooks", hook_id, "url_variables", key], Project(id) ManageHooks => hooks::v4::remove_variable, hook_id, key;
        PUT ["projects", id, "hooks", hook_id, "custom_headers", key], Project(id) ManageHooks => hooks::v4::set_header, hook_id, key;
        DELETE ["projects", id, "hooks", hook_id, "custom_headers", key], Project(id) ManageHooks => hooks::v4::remove_header, hook_id, key;

        GET ["hooks"], Admin => hooks::system::list;
        POST ["hooks"], Admin => hooks::system::create;
        GET ["hooks", hook_id], Admin => hooks::system::show, hook_id;
        POST ["hooks", hook_id], Admin => hooks::system::test, hook_id;
        PUT ["hooks", hook_id], Admin => hooks::system::update, hook_id;
        DELETE ["hooks", hook_id], Admin => hooks::system::delete, hook_id;
        PUT ["hooks", hook_id, "url_variables", key], Admin => hooks::system::set_variable, hook_id, key;
        DELETE ["hooks", hook_id, "url_variables", key], Admin => hooks::system::remove_variable, hook_id, key;
        PUT ["hooks", hook_id, "custom_headers", key], Admin => hooks::system::set_header, hook_id, key;
        DELETE ["hooks", hook_id, "custom_headers", key], Admin => hooks::system::remove_header, hook_id, key;

        // records that this server does not have
        GET ["groups", id, "subgroups"], OpenGroup(id) ReadProject => empty::list;
        GET ["groups", id, "descendant_groups"], OpenGroup(id) ReadProject => empty::list;
        GET ["groups", id, "projects", "shared"], OpenGroup(id) ReadProject => empty::list;
        GET ["groups", id, "labels"], OpenGroup(id) ReadProject => empty::list;
        GET ["groups", id, "milestones"], OpenGroup(id) ReadProject => empty::list;
        GET ["groups", id, "badges"], OpenGroup(id) ReadProject => empty::list;
        POST ["groups", id, "subgroups"], Group(id) ReadProject => empty::refuse;
        POST ["groups", id, "labels"], Group(id) ReadProject => empty::refuse;
        POST ["groups", id, "milestones"], Group(id) ReadProject => empty::refuse;
        GET ["projects", id, "groups"], OpenProject(id) ReadProject => empty::list;
        GET ["projects", id, "forks"], OpenProject(id) ReadProject => empty::list;
        GET ["projects", id, "events"], OpenProject(id) ReadIssues => activity::v4::of_project;
        GET ["projects", id, "feeds", "issues.atom"], OpenProject(id) ReadIssues => feeds::issues;
        GET ["projects", id, "feeds", git_ref, "commits.atom"], OpenProject(id) ReadCommits => feeds::commits, git_ref;
        GET ["events"], User => activity::v4::own;
        GET ["users", id, "events"], Anyone => activity::v4::of_user, id;
        GET ["projects", id, "protected_branches"], OpenProject(id) ReadProject => empty::list;
        GET ["projects", id, "protected_tags"], OpenProject(id) ReadProject => empty::list;
        GET ["projects", id, "variables"], OpenProject(id) ReadProject => empty::list;
        GET ["projects", id, "snippets"], OpenProject(id) ReadProject => empty::list;
        GET ["projects", id, "languages"], OpenProject(id) ReadProject => empty::languages;

        GET ["projects", id, "pipelines"], OpenProject(id) ReadPipelines => pipelines::v4::list;
        POST ["projects", id, "pipeline"], Project(id) PostStatus => pipelines::v4::create;
        GET ["projects", id, "pipelines", "latest"], OpenProject(id) ReadPipelines => pipelines::v4::latest;
        GET ["projects", id, "pipelines", pipeline_id], OpenProject(id) ReadPipelines => pipelines::v4::show, pipeline_id;
        GET ["projects", id, "pipelines", pipeline_id, "jobs"], Project(id) ReadPipelines => pipelines::jobs::list_of_pipeline, pipeline_id;
        GET ["projects", id, "pipelines", pipeline_id, "bridges"], Project(id) ReadPipelines => pipelines::v4::nothing, pipeline_id;
        GET ["projects", id, "pipelines", pipeline_id, "variables"], Project(id) ReadPipelines => pipelines::v4::nothing, pipeline_id;
        GET ["projects", id, "pipelines", pipeline_id, "test_report"], OpenProject(id) ReadPipelines => pipelines::v4::test_report, pipeline_id;
        GET ["projects", id, "pipelines", pipeline_id, "test_report_summary"], OpenProject(id) ReadPipelines => pipelines::v4::test_report_summary, pipeline_id;
        DELETE ["projects", id, "pipelines", pipeline_id], Project(id) PostStatus => pipelines::v4::refuse, pipeline_id;
        POST ["projects", id, "pipelines", pipeline_id, "cancel"], Project(id) PostStatus => pipelines::v4::refuse, pipeline_id;
        POST ["projects", id, "pipelines", pipeline_id, "retry"], Project(id) PostStatus => pipelines::v4::refuse, pipeline_id;
        PUT ["projects", id, "pipelines", pipeline_id, "metadata"], Project(id) PostStatus => pipelines::v4::refuse, pipeline_id;
        GET ["projects", id, "jobs"], Project(id) ReadPipelines => pipelines::jobs::list;
        GET ["projects", id, "jobs", job_id], Project(id) ReadPipelines => pipelines::jobs::show, job_id;
        GET ["projects", id, "jobs", job_id, "trace"], Project(id) ReadPipelines => pipelines::jobs::trace, job_id;
        POST ["projects", id, "jobs", job_id, "cancel"], Project(id) PostStatus => pipelines::v4::refuse, job_id;
        POST ["projects", id, "jobs", job_id, "retry"], Project(id) PostStatus => pipelines::v4::refuse, job_id;
        POST ["projects", id, "jobs", job_id, "play"], Project(id) PostStatus => pipelines::v4::refuse, job_id;
        POST ["projects", id, "jobs", job_id, "erase"], Project(id) PostStatus => pipelines::v4::refuse, job_id;

        GET ["projects", id, "repository", "commits"], OpenProject(id) ReadCommits => commits::v4::list;
        GET ["projects", id, "repository", "commits", sha], OpenProject(id) ReadCommits => commits::v4::show, sha;
        GET ["projects", id, "repository", "commits", sha, "diff"], OpenProject(id) ReadCommits @dear => commits::v4::diff, sha;
        GET ["projects", id, "repository", "commits", sha, "comments"], OpenProject(id) ReadCommits => comments::v4::list, sha;
        POST ["projects", id, "repository", "commits", sha, "comments"], Project(id) CommentCommit => comments::v4::create, sha;
        GET ["projects", id, "repository", "commits", sha, "discussions"], Project(id) ReadCommits => comments::v4::list_discussions, sha;
        GET ["projects", id, "repository", "commits", sha, "refs"], OpenProject(id) ReadCommits => refs::v4::containing, sha;
        GET ["projects", id, "repository", "commits", sha, "sequence"], OpenProject(id) ReadCommits => commits::v4::sequence, sha;
        GET ["projects", id, "repository", "commits", sha, "signature"], OpenProject(id) ReadCommits => commits::v4::signature, sha;
        GET ["projects", id, "repository", "commits", sha, "merge_requests"], OpenProject(id) ReadCommits => commits::v4::merge_requests, sha;
        GET ["projects", id, "repository", "commits", sha, "statuses"], Project(id) ReadStatuses => statuses::v4::list, sha;
        POST ["projects", id, "statuses", sha], Project(id) PostStatus => statuses::v4::create, sha;
        GET ["projects", id, "badges"], OpenProject(id) ReadProject => badges::of_project::list;
        POST ["projects", id, "badges"], Project(id) EditProject => badges::of_project::create;
        GET ["projects", id, "badges", "render"], Project(id) EditProject => badges::of_project::render;
        GET ["projects", id, "badges", badge_id], OpenProject(id) ReadProject => badges::of_project::show, badge_id;
        PUT ["projects", id, "badges", badge_id], Project(id) EditProject => badges::of_project::update, badge_id;
        DELETE ["projects", id, "badges", badge_id], Project(id) EditProject => badges::of_project::remove, badge_id;
        GET ["projects", id, "badges", git_ref, "pipeline.svg"], LenientProject(id) ReadStatuses => badges::v4::show, git_ref;
        GET ["projects", id, "badges", git_ref, "build.svg"], LenientProject(id) ReadStatuses => badges::v4::show, git_ref;
        GET ["projects", id, "repository", "branches"], OpenProject(id) ReadCommits => refs::v4::branches;
        GET ["projects", id, "repository", "branches", name], OpenProject(id) ReadCommits => refs::v4::branch, name;
        GET ["projects", id, "repository", "tags"], OpenProject(id) ReadCommits => refs::v4::tags;
        GET ["projects", id, "repository", "tags", name], OpenProject(id) ReadCommits => refs::v4::tag, name;
        GET ["projects", id, "repository", "archive"], OpenProject(id) ReadCommits @dear => contents::archive::whole;
        GET ["projects", id, "repository", "archive", format], OpenProject(id) ReadCommits @dear => contents::archive::show, format;
        GET ["projects", id, "repository", "raw", name], OpenProject(id) ReadCommits @dear => contents::v4::raw_at, name;
        GET ["projects", id, "repository", "contributors"], OpenProject(id) ReadCommits => contents::contributors::v4;
        POST ["markdown"], AnyToken => markdown::show;
        GET ["search"], User => search::everywhere;
        GET ["groups", id, "search"], Group(id) ReadProject => search::in_group;
        GET ["projects", id, "search"], Project(id) ReadProject => search::in_project;
        GET ["projects", id, "releases"], OpenProject(id) ReadReleases => releases::v4::list;
        GET ["groups", id, "releases"], OpenGroup(id) ReadReleases => releases::in_group::list;
        POST ["projects", id, "releases"], Project(id) ManageReleases => releases::v4::create;
        GET ["projects", id, "releases", "permalink", "latest"], OpenProject(id) ReadCommits => releases::v4::latest;
        GET ["projects", id, "releases", "permalink", "latest", suffix], OpenProject(id) ReadCommits => releases::v4::latest_and, suffix;
        GET ["projects", id, "releases", tag], OpenProject(id) ReadCommits => releases::v4::show, tag;
        PUT ["projects", id, "releases", tag], Project(id) ManageReleases => releases::v4::update, tag;
        DELETE ["projects", id, "releases", tag], Project(id) ManageReleases => releases::v4::delete, tag;
        GET ["projects", id, "releases", tag, "downloads", path], OpenProject(id) ReadCommits => releases::links::download, tag, path;
        GET ["projects", id, "releases", tag, "assets", "links"], OpenProject(id) ReadReleases => releases::links::list, tag;
        POST ["projects", id, "releases", tag, "assets", "links"], Project(id) ManageReleases => releases::links::create, tag;
        GET ["projects", id, "releases", tag, "assets", "links", link_id], OpenProject(id) ReadReleases => releases::links::show, tag, link_id;
        PUT ["projects", id, "releases", tag, "assets", "links", link_id], Project(id) ManageReleases => releases::links::update, tag, link_id;
        DELETE ["projects", id, "releases", tag, "assets", "links", link_id], Project(id) ManageReleases => releases::links::remove, tag, link_id;
        POST ["projects", id, "uploads"], Project(id) CreateUpload => uploads::v4::create;
        GET ["projects", id, "uploads"], Project(id) ManageUploads => uploads::v4::list;
        GET ["projects", id, "uploads", upload_id], Project(id) ManageUploads => uploads::v4::show, upload_id;
        DELETE ["projects", id, "uploads", upload_id], Project(id) ManageUploads => uploads::v4::delete, upload_id;
        GET ["projects", id, "uploads", secret, filename], OpenProject(id) ReadUploads => uploads::v4::show_named, secret, filename;
        DELETE ["projects", id, "uploads", secret, filename], Project(id) ManageUploads => uploads::v4::delete_named, secret, filename;
        GET ["groups", id, "packages"], OpenGroup(id) ReadPackages => packages::v4::list_in_group;
        GET ["projects", id, "packages"], Packages(id) ReadPackages => packages::v4::list;
        GET ["projects", id, "packages", package_id], Packages(id) ReadPackages => packages::v4::show, package_id;
        DELETE ["projects", id, "packages", package_id], Packages(id) DeletePackage => packages::v4::delete, package_id;
        GET ["projects", id, "packages", package_id, "package_files"], Packages(id) ReadPackages => packages::v4::list_files, package_id;
        DELETE ["projects", id, "packages", package_id, "package_files", file_id], Packages(id) DeletePackage => packages::v4::delete_file, package_id, file_id;
        GET ["projects", id, "packages", "generic", name, version, file_name], Packages(id) ReadPackages => packages::v4::download, name, version, file_name;
        PUT ["projects", id, "packages", "generic", name, version, file_name], Packages(id) PublishPackage => packages::v4::publish, name, version, file_name;
        GET ["projects", id, "repository", "tree"], OpenProject(id) ReadCommits @dear => contents::v4::list_tree;
        GET ["projects", id, "repository", "files", file_path], OpenProject(id) ReadCommits @dear => contents::v4::show, file_path;
        GET ["projects", id, "repository", "files", file_path, "raw"], OpenProject(id) ReadCommits @dear => contents::v4::raw, file_path;
        GET ["projects", id, "repository", "files", file_path, "blame"], OpenProject(id) ReadCommits => contents::v4::blame, file_path;
        GET ["projects", id, "repository", "compare"], OpenProject(id) ReadCommits @dear => contents::v4::compare;
        GET ["projects", id, "repository", "merge_base"], OpenProject(id) ReadCommits => contents::v4::merge_base;
        POST ["projects", id, "repository", "files", file_path], Project(id) ReadProject => contents::refuse_for, file_path;
        PUT ["projects", id, "repository", "files", file_path], Project(id) ReadProject => contents::refuse_for, file_path;
        DELETE ["projects", id, "repository", "files", file_path], Project(id) ReadProject => contents::refuse_for, file_path;
        POST ["projects", id, "repository", "commits"], Project(id) ReadProject => contents::refuse;
        POST ["projects", id, "repository", "commits", sha, "cherry_pick"], Project(id) ReadProject => contents::refuse_for, sha;
        POST ["projects", id, "repository", "commits", sha, "revert"], Project(id) ReadProject => contents::refuse_for, sha;
        POST ["projects", id, "repository", "branches"], Project(id) ReadProject => contents::refuse;
        DELETE ["projects", id, "repository", "branches", name], Project(id) ReadProject => contents::refuse_for, name;
        DELETE ["projects", id, "repository", "merged_branches"], Project(id) ReadProject => contents::refuse;
        POST ["projects", id, "repository", "tags"], Project(id) ReadProject => contents::refuse;
        DELETE ["projects", id, "repository", "tags", name], Project(id) ReadProject => contents::refuse_for, name;
        POST ["projects", id, "repository", "changelog"], Project(id) ReadProject => contents::refuse;
        PUT ["projects", id, "repository", "submodules", name], Project(id) ReadProject => contents::refuse_for, name;
        POST ["projects", id, "fork"], Project(id) ReadProject => contents::refuse;
        GET ["projects", id, "repository", "blobs", sha], OpenProject(id) ReadCommits @dear => contents::v4::show_blob, sha;
        GET ["projects", id, "repository", "blobs", sha, "raw"], OpenProject(id) ReadCommits @dear => contents::v4::raw_blob, sha;
        GET ["projects", id, "deployments"], Project(id) ReadDeployments => deployments::v4::list;
        POST ["projects", id, "deployments"], Project(id) CreateDeployment => deployments::v4::create;
        GET ["projects", id, "deployments", deployment_id], Project(id) ReadDeployments => deployments::v4::show, deployment_id;
        PUT ["projects", id, "deployments", deployment_id], Project(id) CreateDeployment => deployments::v4::update, deployment_id;
        DELETE ["projects", id, "deployments", deployment_id], Project(id) CreateDeployment => deployments::v4::remove, deployment_id;
        GET ["projects", id, "deployments", deployment_id, "merge_requests"], Project(id) ReadDeployments => deployments::v4::merge_requests, deployment_id;
        GET ["projects", id, "environments"], Project(id) ReadDeployments => deployments::v4::environments::list;
        POST ["projects", id, "environments"], Project(id) CreateDeployment => deployments::v4::environments::create;
        GET ["projects", id, "environments", environment_id], Project(id) ReadDeployments => deployments::v4::environments::show, environment_id;
        PUT ["projects", id, "environments", environment_id], Project(id) CreateDeployment => deployments::v4::environments::update, environment_id;
        DELETE ["projects", id, "environments", environment_id], Project(id) CreateDeployment => deployments::v4::environments::remove, environment_id;
        POST ["projects", id, "environments", environment_id, "stop"], Project(id) CreateDeployment => deployments::v4::environments::stop, environment_id;
    }
}

pub const ROUTES: &[(&str, &str)] = v3::ROUTES;
pub const ROUTES_V4: &[(&str, &str)] = v4::ROUTES;
/// Of v3 and of v4: the place of each route, and the actions that its requests ask for. The first one is asked at once.
#[cfg(not(target_arch = "wasm32"))]
pub const GATES: [&[(Place, &[Action])]; 2] = [v3::GATES, v4::GATES];
