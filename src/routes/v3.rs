//! The routes of v3.

use super::{Action, Line, Place, Route, Segment, absent};
use crate::areas::awards::v3::V3;
use crate::areas::{
    awards, badges, comments, commits, contents, deployments, groups, hooks, issues, labels, licenses, members,
    milestones, mirror, notes, projects, refs, releases, settings, statuses, todos, tokens, uploads, users, version,
};
use crate::kernel::empty_answers;

routes! {
    [] {
        GET [] Public => version::entrance;
        GET ["version"] AnyToken => version::show;
        GET ["user"] AnyToken => users::v3::show_own;
        GET ["namespaces"] User => groups::v3::list_namespaces;
        GET ["application", "settings"] Admin => settings::v3::show;
        PUT ["application", "settings"] Admin => settings::v3::update;
        GET ["licenses"] Public => licenses::v3::list;
        GET ["licenses", key] Public => licenses::show, key;
        GET ["issues"] User => issues::lists::v3::of_caller;
    }
    ["users"] {
        GET [] User => users::v3::list;
        POST [] Admin => users::v3::create;
        GET [id] User => users::v3::show, id;
        PUT [id] Admin => users::v3::update, id;
        DELETE [id] Admin => users::v3::delete, id;
        PUT [id, "block"] Admin => users::v3::set_blocked, id, true;
        PUT [id, "unblock"] Admin => users::v3::set_blocked, id, false;
        GET [id, "personal_access_tokens"] User => tokens::v3::list, id;
        POST [id, "personal_access_tokens"] User => tokens::v3::create, id;
        DELETE [id, "personal_access_tokens", token_id] User => tokens::v3::revoke, id, token_id;
    }
    ["groups"] {
        GET [] User => groups::v3::list;
        POST [] User => groups::v3::create;
        GET [id] Group ReadProject => groups::v3::show;
        PUT [id] Group ManageGroup => groups::v3::update;
        DELETE [id] Group ManageGroup => groups::v3::delete;
    }
    ["groups", id, "members"] {
        GET [] Group ReadMembers => members::v3::list;
        POST [] Group ManageGroup => members::v3::create;
        GET [user_id] Group ReadMembers => members::v3::show, user_id;
        PUT [user_id] Group ManageGroup => members::v3::update, user_id;
        DELETE [user_id] Group ReadMembers + ManageGroup => members::v3::delete, user_id;
    }
    ["projects"] {
        GET [] User => projects::v3::list_counted, false;
        POST [] User => projects::v3::create;
        GET ["all"] Admin => projects::v3::list_everywhere, true;
        GET ["owned"] User => projects::v3::list_counted, true;
        GET ["visible"] User => projects::v3::list_everywhere, false;
        POST ["user", user_id] Admin => projects::v3::create_for_user, user_id;
        GET [id] Project ReadProject => projects::v3::show;
        PUT [id] Project EditProject + DeleteProject => projects::v3::update;
        DELETE [id] Project DeleteProject => projects::v3::delete;
    }
    ["projects", id] {
        POST ["archive"] Project DeleteProject => projects::v3::set_archived, true;
        POST ["unarchive"] Project DeleteProject => projects::v3::set_archived, false;
        POST ["uploads"] Project CreateUpload @pieces @refused 4 => uploads::v3::create;
        POST ["statuses", sha] Project PostStatus @commit @trips 1 => statuses::v3::create, sha;
        GET ["badges", git_ref, "build.svg"] LenientProject ReadStatuses => badges::show, git_ref;
        GET ["merge_requests"] Project ReadProject => empty_answers::list;
        GET ["environments"] Project ReadDeployments => deployments::v3::list_environments;
    }
    ["projects", id, "members"] {
        GET [] Project ReadMembers => members::v3::list;
        POST [] Project ManageMembers => members::v3::create;
        GET [user_id] Project ReadMembers => members::v3::show, user_id;
        PUT [user_id] Project ManageMembers => members::v3::update, user_id;
        DELETE [user_id] Project ReadMembers + ManageMembers => members::v3::delete, user_id;
    }
    ["projects", id, "hook_tokens"] {
        GET [] Project ManageTokens => tokens::v3::list_in_project, tokens::HOOK;
        POST [] Project ManageTokens => tokens::v3::create_of_hook;
        DELETE [token_id] Project ManageTokens => tokens::v3::revoke_in_project, tokens::HOOK, token_id;
    }
    ["projects", id, "access_tokens"] {
        GET [] Project ManageTokens => tokens::v3::list_in_project, tokens::PROJECT;
        POST [] Project ManageTokens => tokens::v3::create_of_project;
        DELETE [token_id] Project ManageTokens => tokens::v3::revoke_in_project, tokens::PROJECT, token_id;
        POST [token_id, "rotate"] Project ManageTokens => tokens::v3::rotate_of_project, token_id;
    }
    ["groups", id] {
        GET ["issues"] Group ReadIssues => issues::lists::v3::list;
    }
    ["projects", id, "issues"] {
        GET [] Project ReadIssues => issues::lists::v3::list;
        POST [] Project CreateIssue + EditAnyIssue + SetTimes => issues::v3::create;
    }
    ["projects", id, "issues", issue_id] {
        GET [] Project ReadIssues => issues::v3::show, issue_id;
        PUT [] Project ReadIssues + EditAnyIssue + SetTimes => issues::v3::update, issue_id;
        DELETE [] Project ReadIssues + DeleteIssue => issues::v3::delete, issue_id;
        POST ["move"] Project ReadIssues + MoveIssue @trips 28 => issues::v3::relocate, issue_id;
        POST ["subscription"] Project ReadIssues => issues::v3::subscribe, issue_id, true;
        DELETE ["subscription"] Project ReadIssues => issues::v3::subscribe, issue_id, false;
        POST ["todo"] Project ReadIssues => todos::v3::create, issue_id;
        GET ["notes"] Project ReadIssues => notes::v3::list, issue_id;
        POST ["notes"] Project ReadIssues + SetTimes + EditAnyIssue => notes::v3::create, issue_id;
        GET ["notes", note_id] Project ReadIssues => notes::v3::show, issue_id, note_id;
        PUT ["notes", note_id] Project ReadIssues + EditAnyNote => notes::v3::update, issue_id, note_id;
        DELETE ["notes", note_id] Project ReadIssues + EditAnyNote => notes::v3::delete, issue_id, note_id;
        GET ["award_emoji"] Project ReadIssues => awards::list::<V3>, issue_id, None;
        POST ["award_emoji"] Project ReadIssues => awards::create::<V3>, issue_id, None;
        GET ["award_emoji", award_id] Project ReadIssues => awards::show::<V3>, issue_id, None, award_id;
        DELETE ["award_emoji", award_id] Project ReadIssues => awards::remove::<V3>, issue_id, None, award_id;
        GET ["notes", note_id, "award_emoji"] Project ReadIssues => awards::list::<V3>, issue_id, Some(note_id);
        POST ["notes", note_id, "award_emoji"] Project ReadIssues => awards::create::<V3>, issue_id, Some(note_id);
        GET ["notes", note_id, "award_emoji", award_id] Project ReadIssues => awards::show::<V3>, issue_id, Some(note_id), award_id;
        DELETE ["notes", note_id, "award_emoji", award_id] Project ReadIssues => awards::remove::<V3>, issue_id, Some(note_id), award_id;
    }
    ["projects", id, "hooks"] {
        GET [] Project ManageHooks => hooks::v3::list;
        POST [] Project ManageHooks => hooks::v3::create;
        GET [hook_id] Project ManageHooks => hooks::v3::show, hook_id;
        PUT [hook_id] Project ManageHooks => hooks::v3::update, hook_id;
        DELETE [hook_id] Project ManageHooks => hooks::v3::delete, hook_id;
    }
    ["hooks"] {
        GET [] Admin => hooks::v3::list_of_system;
        POST [] Admin => hooks::v3::create_of_system;
        GET [hook_id] Admin => hooks::v3::test_of_system, hook_id;
        DELETE [hook_id] Admin => hooks::v3::delete_of_system, hook_id;
    }
    ["projects", id, "labels"] {
        GET [] Project ReadLabels => labels::v3::list;
        POST [] Project ManageLabels => labels::v3::create;
        PUT [] Project ManageLabels => labels::v3::update;
        DELETE [] Project ManageLabels @trips 6 => labels::v3::delete;
        GET [label_id] Project ReadLabels @name => labels::v3::show, label_id;
        POST [label_id, "subscription"] Project ReadLabels => labels::v3::follow, label_id, true;
        DELETE [label_id, "subscription"] Project ReadLabels => labels::v3::follow, label_id, false;
    }
    ["projects", id, "milestones"] {
        GET [] Project ReadMilestones => milestones::v3::list;
        POST [] Project ManageMilestones => milestones::v3::create;
        GET [milestone_id] Project ReadMilestones => milestones::v3::show, milestone_id;
        PUT [milestone_id] Project ManageMilestones => milestones::v3::update, milestone_id;
        GET [milestone_id, "issues"] Project ReadMilestones => issues::lists::v3::of_milestone, milestone_id;
    }
    ["todos"] {
        GET [] User => todos::v3::list;
        DELETE [] User => todos::v3::delete_all;
        DELETE [id] User => todos::v3::delete, id;
    }
    ["projects", id, "repository", "commits"] {
        GET [] Project ReadCommits => commits::v3::list;
        GET [sha] Project ReadCommits @name => commits::v3::show, sha;
        GET [sha, "diff"] Project ReadCommits @costly @refused 2 => commits::v3::diff, sha;
        GET [sha, "comments"] Project ReadCommits => comments::v3::list, sha;
        POST [sha, "comments"] Project CommentCommit => comments::v3::create, sha;
        GET [sha, "statuses"] Project ReadStatuses => statuses::v3::list, sha;
        GET [sha, "blob"] Project ReadCommits @costly @refused 6 => contents::v3::blob, sha;
    }
    ["projects", id, "repository"] {
        GET ["branches"] Project ReadCommits => refs::v3::branches;
        POST ["branches"] Project ReadProject => contents::refuse;
        GET ["branches", name] Project ReadCommits @name => refs::v3::branch, name;
        DELETE ["branches", name] Project ReadProject @name => contents::refuse;
        GET ["tags"] Project ReadCommits => refs::v3::tags;
        POST ["tags"] Project ReadProject => contents::refuse;
        GET ["tags", name] Project ReadCommits @name => refs::v3::tag, name;
        DELETE ["tags", name] Project ReadProject @name => contents::refuse;
        GET ["archive"] Project ReadCommits @costly @trips 6 => contents::archive::show, "tar.gz";
        GET ["archive", format] Project ReadCommits @costly @trips 6 => contents::archive::show, format;
        GET ["compare"] Project ReadCommits @costly @trips 5 => contents::v3::compare;
        GET ["contributors"] Project ReadCommits => contents::contributors::v3;
        POST ["tags", name, "release"] Project ManageReleases => releases::v3::create, name;
        PUT ["tags", name, "release"] Project ManageReleases => releases::v3::update, name;
        GET ["tree"] Project ReadCommits @costly @refused 6 => contents::v3::tree;
        GET ["blobs", sha] Project ReadCommits @costly @commit @trips 6 => contents::v3::blob, sha;
        GET ["raw_blobs", sha] Project ReadCommits @costly @trips 6 => contents::v4::raw_blob, sha;
        GET ["files"] Project ReadCommits @costly @trips 6 => contents::v3::file;
        POST ["files"] Project ReadProject => contents::refuse;
        PUT ["files"] Project ReadProject => contents::refuse;
        DELETE ["files"] Project ReadProject => contents::refuse;
    }
    ["projects", id, "deployments"] {
        GET [] Project ReadDeployments => deployments::v3::list;
        POST [] Project CreateDeployment => deployments::v3::create;
        GET [deployment_id] Project ReadDeployments => deployments::v3::show, deployment_id;
        PUT [deployment_id] Project CreateDeployment => deployments::v3::update, deployment_id;
    }
}
