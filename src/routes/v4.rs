//! The routes of v4.

use super::{Action, Line, Place, Route, Segment, absent};
use crate::areas::awards::v4::V4;
use crate::areas::hooks::{HEADER, VARIABLE};
use crate::areas::issues::times::Times;
use crate::areas::issues::v4::events::Kind;
use crate::areas::{
    activity, audit, awards, badges, comments, commits, contents, deployments, feeds, groups, hooks, imports, issues,
    labels, licenses, links, markdown, members, milestones, mirror, notes, packages, pipelines, projects, refs,
    releases, reports, search, sessions, settings, statuses, todos, tokens, uploads, users, version,
};
use crate::kernel::empty_answers;

routes! {
    [] {
        GET [] Public => version::entrance;
        GET ["version"] AnyToken => version::v4::show;
        GET ["metadata"] AnyToken => version::v4::show;
        GET ["user"] AnyToken => users::v4::show_own;
        GET ["user", "status"] AnyToken => users::v4::own_status;
        GET ["user", "emails"] User => users::v4::list_addresses;
        GET ["user", "keys"] User => empty_answers::list;
        GET ["session"] Public => sessions::about;
        POST ["session"] AnyToken => sessions::start;
        DELETE ["session"] AnyToken => sessions::end;
        GET ["application", "settings"] Admin => settings::v4::show;
        PUT ["application", "settings"] Admin => settings::v4::update;
        GET ["audit_events"] Admin => audit::v4::list;
        GET ["audit_events", id] Admin => audit::v4::show, id;
        GET ["issues"] Anyone @trips 3 => issues::lists::v4::list;
        GET ["issues_statistics"] Anyone => issues::lists::v4::count;
        GET ["issues", id] Admin => issues::v4::show_anywhere, id;
        GET ["merge_requests"] User => empty_answers::list;
        GET ["events"] User => activity::v4::own;
        POST ["markdown"] AnyToken => markdown::show;
        GET ["search"] User @trips 3 => search::search;
    }
    ["users"] {
        GET [] Anyone => users::v4::list;
        POST [] Admin => users::v4::create;
        GET [id] User => users::v4::show, id;
        PUT [id] Admin => users::v4::update, id;
        DELETE [id] Admin => users::v4::delete, id;
        POST [id, "block"] Admin => users::v4::block, id;
        POST [id, "unblock"] Admin => users::v4::unblock, id;
        POST [id, "personal_access_tokens"] User => tokens::v4::create, id;
        GET [id, "sessions"] User => sessions::list, id;
        DELETE [id, "sessions", session_id] User => sessions::end_one, id, session_id;
        GET [id, "projects"] Anyone => projects::v4::lists::list_for_user, id;
        GET [id, "events"] Anyone => activity::v4::of_user, id;
        GET [id, "status"] Anyone => users::v4::status, id;
        GET [id, "keys"] Anyone => users::v4::nothing, id;
        GET [id, "starred_projects"] Anyone => users::v4::nothing, id;
    }
    ["personal_access_tokens"] {
        GET [] User => tokens::v4::list;
        GET [id] AnyToken => tokens::v4::show, id;
        DELETE [id] AnyToken => tokens::v4::revoke, id;
        POST [id, "rotate"] User => tokens::v4::rotate, id;
    }
    ["templates"] {
        GET ["licenses"] Public => licenses::v4::list;
        GET ["licenses", key] Public => licenses::show, key;
        // one client writes it with a capital letter
        GET ["Licenses"] Public => licenses::v4::list;
        GET ["Licenses", key] Public => licenses::show, key;
    }
    ["projects"] {
        GET [] AnyTokenOrNone => projects::v4::lists::list;
        POST [] User => projects::v4::edit::create;
        POST ["user", user_id] Admin => projects::v4::edit::create_for_user, user_id;
        GET [id] OpenProject ReadProject => projects::v4::show;
        PUT [id] Project EditProject + DeleteProject => projects::v4::edit::update;
        DELETE [id] Project DeleteProject => projects::v4::edit::delete;
    }
    ["namespaces"] {
        GET [] User => groups::v4::namespaces::list;
        GET [id] User => groups::v4::namespaces::show, id;
        GET [path, "exists"] User => groups::v4::namespaces::exists, path;
    }
    ["groups"] {
        GET [] Anyone => groups::v4::list;
        POST [] User => groups::v4::create;
        GET [id] OpenGroup ReadProject => groups::v4::show;
        PUT [id] Group ManageGroup => groups::v4::update;
        DELETE [id] Group ManageGroup @trips 6 => groups::v4::delete;
    }
    ["groups", id] {
        GET ["projects"] OpenGroup ReadProject => projects::v4::lists::list_in_group;
        GET ["issues"] OpenGroup ReadIssues @trips 3 => issues::lists::v4::list;
        GET ["issues_statistics"] OpenGroup ReadIssues => issues::lists::v4::count;
        GET ["merge_requests"] OpenGroup ReadProject => empty_answers::list;
        GET ["search"] Group ReadProject @trips 3 => search::search;
        GET ["releases"] OpenGroup ReadReleases => releases::in_group::list;
        GET ["packages"] OpenGroup ReadPackages @password => packages::v4::list_in_group;
        // records that this server does not have
        GET ["subgroups"] OpenGroup ReadProject => empty_answers::list;
        POST ["subgroups"] Group ReadProject => empty_answers::refuse;
        GET ["descendant_groups"] OpenGroup ReadProject => empty_answers::list;
        GET ["projects", "shared"] OpenGroup ReadProject => empty_answers::list;
        GET ["labels"] OpenGroup ReadProject => empty_answers::list;
        POST ["labels"] Group ReadProject => empty_answers::refuse;
        GET ["milestones"] OpenGroup ReadProject => empty_answers::list;
        POST ["milestones"] Group ReadProject => empty_answers::refuse;
        GET ["badges"] OpenGroup ReadProject => empty_answers::list;
        GET ["hooks"] OpenGroup ReadProject => empty_answers::list;
        GET ["variables"] OpenGroup ReadProject => empty_answers::list;
        GET ["boards"] OpenGroup ReadProject => empty_answers::list;
        GET ["epics"] Group ReadProject => empty_answers::refuse;
    }
    ["projects", id, "issues"] {
        GET [] OpenProject ReadIssues @trips 3 => issues::lists::v4::list;
        POST [] Project CreateIssue + EditAnyIssue + SetTimes => issues::v4::create;
    }
    ["projects", id, "milestones"] {
        GET [] OpenProject ReadMilestones => milestones::v4::list;
        POST [] Project ManageMilestones => milestones::v4::create;
        GET [milestone_id] OpenProject ReadMilestones => milestones::v4::show, milestone_id;
        PUT [milestone_id] Project ManageMilestones => milestones::v4::update, milestone_id;
        DELETE [milestone_id] Project ManageMilestones @trips 6 => milestones::v4::delete, milestone_id;
        GET [milestone_id, "issues"] OpenProject ReadMilestones => issues::lists::v4::of_milestone, milestone_id;
        GET [milestone_id, "merge_requests"] OpenProject ReadMilestones => milestones::v4::merge_requests, milestone_id;
    }
    ["projects", id, "issues", issue_iid] {
        GET [] OpenProject ReadIssues => issues::v4::show, issue_iid;
        PUT [] Project ReadIssues + EditAnyIssue + SetTimes => issues::v4::update, issue_iid;
        DELETE [] Project ReadIssues + DeleteIssue => issues::v4::delete, issue_iid;
        PUT ["reorder"] Project ReadIssues + EditAnyIssue => issues::v4::reorder, issue_iid;
        POST ["move"] Project ReadIssues + MoveIssue @trips 28 => issues::v4::relocate, issue_iid;
        POST ["clone"] Project ReadIssues + MoveIssue @trips 28 => issues::v4::clone, issue_iid;
        POST ["subscribe"] Project ReadIssues => issues::v4::subscribe, issue_iid, true;
        POST ["unsubscribe"] Project ReadIssues => issues::v4::subscribe, issue_iid, false;
        GET ["participants"] OpenProject ReadIssues => issues::v4::participants, issue_iid;
        GET ["time_stats"] OpenProject ReadIssues => issues::v4::times::show, issue_iid;
        POST ["time_estimate"] Project ReadIssues + EditAnyIssue => issues::v4::times::estimate, issue_iid;
        POST ["reset_time_estimate"] Project ReadIssues + EditAnyIssue => issues::v4::times::reset, issue_iid, Times::Estimate(0);
        POST ["add_spent_time"] Project ReadIssues + EditAnyIssue @refused 3 => issues::v4::times::spend, issue_iid;
        POST ["reset_spent_time"] Project ReadIssues + EditAnyIssue => issues::v4::times::reset, issue_iid, Times::ResetSpent;
        GET ["closed_by"] OpenProject ReadIssues => issues::v4::nothing, issue_iid;
        GET ["related_merge_requests"] OpenProject ReadIssues => issues::v4::nothing, issue_iid;
        GET ["links"] Project ReadIssues => links::list, issue_iid;
        POST ["links"] Project ReadIssues + EditAnyIssue @refused 3 => links::create, issue_iid;
        GET ["links", issue_link_id] Project ReadIssues => links::show, issue_iid, issue_link_id;
        DELETE ["links", issue_link_id] Project ReadIssues + EditAnyIssue => links::delete, issue_iid, issue_link_id;
        GET ["award_emoji"] OpenProject ReadIssues => awards::list::<V4>, issue_iid, None;
        POST ["award_emoji"] Project ReadIssues => awards::create::<V4>, issue_iid, None;
        GET ["award_emoji", award_id] OpenProject ReadIssues => awards::show::<V4>, issue_iid, None, award_id;
        DELETE ["award_emoji", award_id] Project ReadIssues => awards::remove::<V4>, issue_iid, None, award_id;
        GET ["notes", note_id, "award_emoji"] OpenProject ReadIssues => awards::list::<V4>, issue_iid, Some(note_id);
        POST ["notes", note_id, "award_emoji"] Project ReadIssues => awards::create::<V4>, issue_iid, Some(note_id);
        GET ["notes", note_id, "award_emoji", award_id] OpenProject ReadIssues => awards::show::<V4>, issue_iid, Some(note_id), award_id;
        DELETE ["notes", note_id, "award_emoji", award_id] Project ReadIssues => awards::remove::<V4>, issue_iid, Some(note_id), award_id;
        GET ["resource_label_events"] Project ReadIssues => issues::v4::events::list, Kind::Label, issue_iid;
        GET ["resource_label_events", event_id] Project ReadIssues => issues::v4::events::show, Kind::Label, issue_iid, event_id;
        GET ["resource_milestone_events"] Project ReadIssues => issues::v4::events::list, Kind::Milestone, issue_iid;
        GET ["resource_milestone_events", event_id] Project ReadIssues => issues::v4::events::show, Kind::Milestone, issue_iid, event_id;
        GET ["resource_state_events"] Project ReadIssues => issues::v4::events::list, Kind::State, issue_iid;
        GET ["resource_state_events", event_id] Project ReadIssues => issues::v4::events::show, Kind::State, issue_iid, event_id;
        POST ["todo"] Project ReadIssues => todos::v4::create, issue_iid;
        GET ["notes"] OpenProject ReadIssues => notes::v4::list, issue_iid;
        POST ["notes"] Project ReadIssues + SetTimes + EditAnyIssue => notes::v4::create, issue_iid;
        GET ["notes", note_id] OpenProject ReadIssues => notes::v4::show, issue_iid, None, note_id;
        PUT ["notes", note_id] Project ReadIssues + EditAnyNote => notes::v4::update, issue_iid, None, note_id;
        DELETE ["notes", note_id] Project ReadIssues + EditAnyNote => notes::v4::delete, issue_iid, None, note_id;
        GET ["discussions"] OpenProject ReadIssues => notes::v4::list_discussions, issue_iid;
        POST ["discussions"] Project ReadIssues + SetTimes + EditAnyIssue => notes::v4::create_discussion, issue_iid;
        GET ["discussions", discussion_id] OpenProject ReadIssues => notes::v4::show_discussion, issue_iid, discussion_id;
        POST ["discussions", discussion_id, "notes"] Project ReadIssues + SetTimes + EditAnyIssue @trips 3 => notes::v4::answer, issue_iid, discussion_id;
        GET ["discussions", discussion_id, "notes", note_id] OpenProject ReadIssues => notes::v4::show, issue_iid, Some(discussion_id), note_id;
        PUT ["discussions", discussion_id, "notes", note_id] Project ReadIssues + EditAnyNote @refused 3 => notes::v4::update, issue_iid, Some(discussion_id), note_id;
        DELETE ["discussions", discussion_id, "notes", note_id] Project ReadIssues + EditAnyNote @refused 3 => notes::v4::delete, issue_iid, Some(discussion_id), note_id;
    }
    ["todos"] {
        GET [] User => todos::v4::list;
        POST ["mark_as_done"] User => todos::v4::mark_all_done;
        POST [id, "mark_as_done"] User => todos::v4::mark_done, id;
    }
    ["projects", id, "labels"] {
        GET [] OpenProject ReadLabels => labels::v4::list;
        POST [] Project ManageLabels => labels::v4::create;
        PUT [] Project ManageLabels => labels::v4::update, None;
        DELETE [] Project ManageLabels @trips 6 => labels::v4::delete, None;
        GET [name] OpenProject ReadLabels @name => labels::v4::show, name;
        PUT [name] Project ManageLabels @name => labels::v4::update, Some(name);
        DELETE [name] Project ManageLabels @name @trips 6 => labels::v4::delete, Some(name);
        POST [name, "subscribe"] Project ReadLabels => labels::v4::follow, name, true;
        POST [name, "unsubscribe"] Project ReadLabels => labels::v4::follow, name, false;
    }
    ["groups", id, "members"] {
        GET [] Group ReadMembers => members::v4::list, false;
        POST [] Group ManageGroup => members::v4::create;
        GET ["all"] Group ReadMembers => members::v4::list, true;
        GET ["all", user_id] Group ReadMembers => members::v4::show_any, user_id;
        GET [user_id] Group ReadMembers => members::v4::show, user_id;
        PUT [user_id] Group ManageGroup => members::v4::update, user_id;
        DELETE [user_id] Group ReadMembers + ManageGroup => members::v4::delete, user_id;
    }
    ["projects", id, "members"] {
        GET [] OpenProject ReadMembers => members::v4::list, false;
        POST [] Project ManageMembers => members::v4::create;
        GET ["all"] OpenProject ReadMembers => members::v4::list, true;
        GET ["all", user_id] OpenProject ReadMembers => members::v4::show_any, user_id;
        GET [user_id] OpenProject ReadMembers => members::v4::show, user_id;
        PUT [user_id] Project ManageMembers => members::v4::update, user_id;
        DELETE [user_id] Project ReadMembers + ManageMembers => members::v4::delete, user_id;
    }
    ["projects", id, "access_tokens"] {
        GET [] Project ManageTokens => tokens::v4::of_project::list, tokens::PROJECT;
        POST [] Project ManageTokens => tokens::v4::of_project::create;
        POST ["self", "rotate"] Project ReadProject => tokens::v4::of_project::rotate_itself;
        GET [token_id] Project ManageTokens => tokens::v4::of_project::show, token_id;
        DELETE [token_id] Project ManageTokens => tokens::v4::of_project::revoke, token_id;
        POST [token_id, "rotate"] Project ManageTokens => tokens::v4::of_project::rotate, token_id;
    }
    ["projects", id, "hook_tokens"] {
        GET [] Project ManageTokens => tokens::v4::of_project::list, tokens::HOOK;
        POST [] Project ManageTokens => tokens::v4::of_project::create_of_hook;
        DELETE [token_id] Project ManageTokens => tokens::v4::of_project::revoke_of_hook, token_id;
    }
    ["projects", id, "hooks"] {
        GET [] Project ManageHooks => hooks::v4::list;
        POST [] Project ManageHooks => hooks::v4::create;
    }
    ["projects", id, "hooks", hook_id] {
        GET [] Project ManageHooks => hooks::v4::show, hook_id;
        PUT [] Project ManageHooks => hooks::v4::update, hook_id;
        DELETE [] Project ManageHooks => hooks::v4::delete, hook_id;
        POST ["test", trigger] Project ManageHooks => hooks::trial::test, hook_id, trigger;
        GET ["events"] Project ManageHooks => hooks::log::list, hook_id;
        POST ["events", event_id, "resend"] Project ManageHooks => hooks::trial::resend, hook_id, event_id;
        PUT ["url_variables", key] Project ManageHooks @name => hooks::change::set_one, VARIABLE, hook_id, key;
        DELETE ["url_variables", key] Project ManageHooks @name => hooks::change::remove_one, VARIABLE, hook_id, key;
        PUT ["custom_headers", key] Project ManageHooks @name => hooks::change::set_one, HEADER, hook_id, key;
        DELETE ["custom_headers", key] Project ManageHooks @name => hooks::change::remove_one, HEADER, hook_id, key;
    }
    ["hooks"] {
        GET [] Admin => hooks::v4::list;
        POST [] Admin => hooks::v4::create;
        GET [hook_id] Admin => hooks::v4::show, hook_id;
        POST [hook_id] Admin => hooks::v4::send, hook_id;
        PUT [hook_id] Admin => hooks::v4::update, hook_id;
        DELETE [hook_id] Admin => hooks::v4::delete, hook_id;
        PUT [hook_id, "url_variables", key] Admin @name => hooks::change::set_one, VARIABLE, hook_id, key;
        DELETE [hook_id, "url_variables", key] Admin @name => hooks::change::remove_one, VARIABLE, hook_id, key;
        PUT [hook_id, "custom_headers", key] Admin @name => hooks::change::set_one, HEADER, hook_id, key;
        DELETE [hook_id, "custom_headers", key] Admin @name => hooks::change::remove_one, HEADER, hook_id, key;
    }
    ["projects", id, "pipelines"] {
        GET [] OpenProject ReadPipelines => pipelines::v4::list;
        GET ["latest"] OpenProject ReadPipelines => pipelines::v4::latest;
    }
    ["projects", id, "pipelines", pipeline_id] {
        GET [] OpenProject ReadPipelines => pipelines::v4::show, pipeline_id;
        DELETE [] Project PostStatus => empty_answers::refuse;
        GET ["jobs"] OpenProject ReadPipelines => pipelines::jobs::list_of_pipeline, pipeline_id;
        GET ["bridges"] OpenProject ReadPipelines => pipelines::v4::nothing, pipeline_id;
        GET ["variables"] Project ReadPipelines => pipelines::v4::nothing, pipeline_id;
        GET ["test_report"] OpenProject ReadPipelines @costly => reports::v4::test_report, pipeline_id;
        GET ["problems"] OpenProject ReadPipelines @costly @trips 2 => reports::problems::show, pipeline_id;
        GET ["test_report_summary"] OpenProject ReadPipelines => reports::v4::test_report_summary, pipeline_id;
        // builds are cancelled and repeated where they run
        POST ["cancel"] Project PostStatus => empty_answers::refuse;
        POST ["retry"] Project PostStatus => empty_answers::refuse;
        PUT ["metadata"] Project PostStatus => empty_answers::refuse;
    }
    ["projects", id, "jobs"] {
        GET [] OpenProject ReadPipelines => pipelines::jobs::list;
        GET [job_id] OpenProject ReadPipelines => pipelines::jobs::show, job_id;
        GET [job_id, "trace"] OpenProject ReadPipelines => pipelines::jobs::trace, job_id;
        POST [job_id, "cancel"] Project PostStatus => empty_answers::refuse;
        POST [job_id, "retry"] Project PostStatus => empty_answers::refuse;
        POST [job_id, "play"] Project PostStatus => empty_answers::refuse;
        POST [job_id, "erase"] Project PostStatus => empty_answers::refuse;
        PUT [job_id, "reports", kind] Project PostStatus @pieces @trips 3 @refused 4 => reports::receiving::create, job_id, kind;
        DELETE [job_id, "artifacts"] Project ManageUploads => reports::v4::delete, job_id;
        // its name ends in .json
        GET [job_id, "artifacts", "gl-code-quality-report"] Project ReadPipelines @costly => reports::v4::findings, job_id;
    }
    ["projects", id, "repository", "commits"] {
        GET [] OpenProject ReadCommits => commits::v4::list;
        POST [] Project ReadProject => contents::refuse;
        GET [sha] OpenProject ReadCommits @name => commits::v4::show, sha;
        GET [sha, "diff"] OpenProject ReadCommits @costly @refused 2 => commits::v4::diff, sha;
        GET [sha, "comments"] OpenProject ReadCommits => comments::v4::list, sha;
        POST [sha, "comments"] Project CommentCommit => comments::v4::create, sha;
        GET [sha, "discussions"] OpenProject ReadCommits => comments::discussions::list, sha;
        POST [sha, "discussions"] Project CommentCommit => comments::discussions::create, sha;
        GET [sha, "discussions", discussion_id] OpenProject ReadCommits => comments::discussions::show, sha, discussion_id;
        POST [sha, "discussions", discussion_id, "notes"] Project CommentCommit @refused 3 => comments::discussions::answer, sha, discussion_id;
        PUT [sha, "discussions", discussion_id, "notes", note_id] Project CommentCommit + EditAnyNote @refused 3 => comments::discussions::update, sha, discussion_id, note_id;
        DELETE [sha, "discussions", discussion_id, "notes", note_id] Project CommentCommit + EditAnyNote @refused 3 => comments::discussions::delete, sha, discussion_id, note_id;
        GET [sha, "refs"] OpenProject ReadCommits => refs::v4::containing, sha;
        GET [sha, "sequence"] OpenProject ReadCommits => commits::v4::sequence, sha;
        GET [sha, "signature"] OpenProject ReadCommits => commits::v4::signature, sha;
        GET [sha, "merge_requests"] OpenProject ReadCommits => commits::v4::merge_requests, sha;
        GET [sha, "statuses"] OpenProject ReadStatuses => statuses::v4::list, sha;
        GET [sha, "gate"] OpenProject ReadGate => statuses::gate::show, sha;
        POST [sha, "cherry_pick"] Project ReadProject => contents::refuse;
        POST [sha, "revert"] Project ReadProject => contents::refuse;
    }
    ["projects", id] {
        GET ["templates", "licenses"] OpenProject ReadProject => licenses::v4::list_for_project;
        GET ["templates", "licenses", key] OpenProject ReadProject => licenses::v4::show_for_project, key;
        POST ["import_records"] Project ImportRecords @push @refused 3 => imports::import;
        POST ["archive"] Project DeleteProject => projects::v4::edit::set_archived, true;
        POST ["unarchive"] Project DeleteProject => projects::v4::edit::set_archived, false;
        POST ["restore"] Admin => projects::v4::edit::restore, id;
        GET ["issues_statistics"] OpenProject ReadIssues => issues::lists::v4::count;
        GET ["merge_requests"] OpenProject ReadProject => empty_answers::list;
        GET ["users"] OpenProject ReadMembers => members::v4::users;
        GET ["groups"] OpenProject ReadProject => empty_answers::list;
        GET ["forks"] OpenProject ReadProject => empty_answers::list;
        GET ["events"] OpenProject ReadIssues => activity::v4::of_project;
        GET ["feeds", "issues.atom"] OpenProject ReadIssues => feeds::issues;
        GET ["feeds", git_ref, "commits.atom"] OpenProject ReadCommits => feeds::commits, git_ref;
        GET ["protected_branches"] OpenProject ReadCommits => refs::protected::list;
        POST ["protected_branches"] Project EditProject => refs::protected::refuse, refs::protected::OF_BRANCHES;
        GET ["protected_branches", name] OpenProject ReadCommits @name => refs::protected::show, name;
        PATCH ["protected_branches", name] Project EditProject @name => refs::protected::refuse, refs::protected::OF_BRANCHES;
        DELETE ["protected_branches", name] Project EditProject @name => refs::protected::refuse, refs::protected::OF_BRANCHES;
        GET ["protected_tags"] OpenProject ReadProject => empty_answers::list;
        POST ["protected_tags"] Project EditProject => refs::protected::refuse, refs::protected::OF_TAGS;
        GET ["variables"] OpenProject ReadProject => empty_answers::list;
        GET ["triggers"] OpenProject ReadProject => empty_answers::list;
        GET ["runners"] OpenProject ReadProject => empty_answers::list;
        GET ["snippets"] OpenProject ReadProject => empty_answers::list;
        GET ["boards"] OpenProject ReadProject => empty_answers::list;
        GET ["cluster_agents"] OpenProject ReadProject => empty_answers::list;
        GET ["languages"] OpenProject ReadProject => empty_answers::languages;
        POST ["pipeline"] Project PostStatus => pipelines::v4::create;
        POST ["statuses", sha] Project PostStatus @commit @trips 1 => statuses::v4::create, sha;
        GET ["search"] Project ReadProject @trips 3 => search::search;
        POST ["fork"] Project ReadProject => contents::refuse;
    }
    ["projects", id, "badges"] {
        GET [] OpenProject ReadProject => badges::of_project::list;
        POST [] Project EditProject => badges::of_project::create;
        GET ["render"] Project EditProject => badges::of_project::render;
        GET ["release.svg"] OpenProject ReadCommits => badges::v4::release;
        GET [badge_id] OpenProject ReadProject => badges::of_project::show, badge_id;
        PUT [badge_id] Project EditProject => badges::of_project::update, badge_id;
        DELETE [badge_id] Project EditProject => badges::of_project::remove, badge_id;
        GET [git_ref, "pipeline.svg"] LenientProject ReadStatuses => badges::v4::show, git_ref;
        GET [git_ref, "build.svg"] LenientProject ReadStatuses => badges::v4::show, git_ref;
        GET [git_ref, "coverage.svg"] LenientProject ReadStatuses => badges::v4::coverage, git_ref;
    }
    ["projects", id, "repository"] {
        GET ["branches"] OpenProject ReadCommits => refs::v4::branches;
        POST ["branches"] Project ReadProject => contents::refuse;
        GET ["branches", name] OpenProject ReadCommits @name => refs::v4::branch, name;
        DELETE ["branches", name] Project ReadProject @name => contents::refuse;
        GET ["tags"] OpenProject ReadCommits => refs::v4::tags;
        POST ["tags"] Project ReadProject => contents::refuse;
        GET ["tags", name] OpenProject ReadCommits @name => refs::v4::tag, name;
        DELETE ["tags", name] Project ReadProject @name => contents::refuse;
        GET ["tags", name, "signature"] OpenProject ReadCommits @name => refs::v4::signature_of_tag, name;
        GET ["archive"] OpenProject ReadCommits @costly @trips 6 => contents::archive::show, "tar.gz";
        GET ["archive", format] OpenProject ReadCommits @costly @trips 6 => contents::archive::show, format;
        GET ["raw", name] OpenProject ReadCommits @costly @name @trips 6 => contents::v4::raw_at, name;
        GET ["contributors"] OpenProject ReadCommits => contents::contributors::v4;
        GET ["tree"] OpenProject ReadCommits @costly @refused 6 => contents::v4::list_tree;
        GET ["files", file_path] OpenProject ReadCommits @costly @name @trips 6 => contents::v4::show, file_path;
        POST ["files", file_path] Project ReadProject @name => contents::refuse;
        PUT ["files", file_path] Project ReadProject @name => contents::refuse;
        DELETE ["files", file_path] Project ReadProject @name => contents::refuse;
        GET ["files", file_path, "raw"] OpenProject ReadCommits @costly @trips 6 => contents::v4::raw, file_path;
        GET ["files", file_path, "blame"] OpenProject ReadCommits @trips 6 => contents::v4::blame, file_path;
        GET ["compare"] OpenProject ReadCommits @costly @trips 5 => contents::v4::compare;
        GET ["merge_base"] OpenProject ReadCommits @trips 5 => contents::v4::merge_base;
        DELETE ["merged_branches"] Project ReadProject => contents::refuse;
        POST ["changelog"] Project ReadProject => contents::refuse;
        PUT ["submodules", name] Project ReadProject => contents::refuse;
        GET ["blobs", sha] OpenProject ReadCommits @costly @trips 6 => contents::v4::show_blob, sha;
        GET ["blobs", sha, "raw"] OpenProject ReadCommits @costly @trips 6 => contents::v4::raw_blob, sha;
    }
    ["projects", id, "releases"] {
        GET [] OpenProject ReadReleases => releases::v4::list;
        POST [] Project ManageReleases @publishes @refused 7 => releases::v4::create;
        GET ["permalink", "latest"] OpenProject ReadCommits => releases::v4::latest, "";
        GET ["permalink", "latest", suffix] OpenProject ReadCommits @name => releases::v4::latest, suffix;
        GET [tag] OpenProject ReadCommits @name => releases::v4::show, tag;
        PUT [tag] Project ManageReleases @name => releases::v4::update, tag;
        DELETE [tag] Project ManageReleases @name => releases::v4::delete, tag;
        GET [tag, "downloads", path] OpenProject ReadCommits @name => releases::links::download, tag, path;
        GET [tag, "assets", "links"] OpenProject ReadReleases => releases::links::list, tag;
        POST [tag, "assets", "links"] Project ManageReleases @refused 3 => releases::links::create, tag;
        GET [tag, "assets", "links", link_id] OpenProject ReadReleases => releases::links::show, tag, link_id;
        PUT [tag, "assets", "links", link_id] Project ManageReleases => releases::links::update, tag, link_id;
        DELETE [tag, "assets", "links", link_id] Project ManageReleases => releases::links::remove, tag, link_id;
    }
    ["projects", id, "uploads"] {
        POST [] Project CreateUpload @pieces @publishes @refused 4 => uploads::v4::create;
        GET [] Project ManageUploads => uploads::v4::list;
        GET [upload_id] Project ManageUploads => uploads::v4::show, upload_id;
        DELETE [upload_id] Project ManageUploads => uploads::v4::delete, upload_id;
        GET [secret, filename] OpenProject ReadUploads @name @refused 6 => uploads::v4::show_named, secret, filename;
        DELETE [secret, filename] Project ManageUploads @name => uploads::v4::delete_named, secret, filename;
    }
    ["projects", id, "packages"] {
        GET [] Packages ReadPackages @password => packages::v4::list;
        GET [package_id] Packages ReadPackages @password => packages::v4::show, package_id;
        DELETE [package_id] Packages DeletePackage @password @trips 6 => packages::v4::delete, package_id;
        GET [package_id, "package_files"] Packages ReadPackages @password => packages::v4::list_files, package_id;
        DELETE [package_id, "package_files", file_id] Packages DeletePackage @password @trips 6 => packages::v4::delete_file, package_id, file_id;
        GET ["generic", name, version, file_name] Packages ReadPackages @name @password @refused 6 => packages::v4::download, name, version, file_name;
        PUT ["generic", name, version, file_name] Packages PublishPackage @name @pieces @publishes @password @refused 4 => packages::v4::publish, name, version, file_name;
    }
    ["projects", id, "deployments"] {
        GET [] OpenProject ReadEnvironments => deployments::v4::list;
        POST [] Project CreateDeployment => deployments::v4::create;
        GET [deployment_id] OpenProject ReadEnvironments => deployments::v4::show, deployment_id;
        PUT [deployment_id] Project CreateDeployment => deployments::v4::update, deployment_id;
        DELETE [deployment_id] Project CreateDeployment => deployments::v4::remove, deployment_id;
        GET [deployment_id, "merge_requests"] OpenProject ReadEnvironments => deployments::v4::merge_requests, deployment_id;
    }
    ["projects", id, "environments"] {
        GET [] OpenProject ReadEnvironments => deployments::v4::environments::list;
        POST [] Project CreateDeployment => deployments::v4::environments::create;
        GET [environment_id] OpenProject ReadEnvironments => deployments::v4::environments::show, environment_id;
        PUT [environment_id] Project CreateDeployment => deployments::v4::environments::update, environment_id;
        DELETE [environment_id] Project CreateDeployment => deployments::v4::environments::remove, environment_id;
        POST [environment_id, "stop"] Project CreateDeployment => deployments::v4::environments::stop, environment_id;
    }
}
