//! What the proof knows: routes that refuse, tables that no GET reads many rows of, and costs that grow.

/// What each answers that is no 200.
pub const REFUSED: [(&str, u16); 4] = [
    (r#"v4 ["groups", id, "epics"]"#, 403),
    (r#"v4 ["projects", id, "repository", "commits", sha, "signature"]"#, 404),
    (r#"v4 ["projects", id, "repository", "tags", name, "signature"]"#, 404),
    (r#"v4 ["projects", id, "repository", "files", file_path, "blame"]?ref=master"#, 501),
];

/// Tables that no dimension fills: one row for the server, for a project or for a person, or only for writes and the sweep.
pub const UNFILLED: &[&str] = &[
    "commit_index",
    "d1_migrations",
    "expectations",
    "hook_chains",
    "hook_trials",
    "hourly_writes",
    "idempotency_keys",
    "imported",
    "issue_counts",
    "issue_index",
    "issue_remains",
    "mirrors",
    "note_index",
    "object_sweeps",
    "project_remains",
    "removed_numbers",
    "request_marks",
    "reservations",
    "settings",
    "shares",
    "staged_records",
    "staged_swaps",
    "stored",
    "sweeps",
    "unindexed_commits",
    "unindexed_issues",
    "unindexed_notes",
];

const MEMBERSHIPS: &str = "all that the caller is a member of: 40 to 90 steps each, which nothing bounds";
const DIRECTORIES: &str = "a request reads 32 MiB of directories (behaviour 15)";

const COMPARISONS: &[&str] = &[
    r#"v3 ["projects", id, "repository", "compare"]?from=old&to=master"#,
    r#"v3 ["projects", id, "repository", "compare"]?from=old&to=master&straight=true"#,
    r#"v4 ["projects", id, "repository", "compare"]?from=old&to=master"#,
    r#"v4 ["projects", id, "repository", "compare"]?from=old&to=master&straight=true"#,
];

/// What grows, where it does, and what bounds it.
pub const BOUNDED: &[(&str, &[&str], &str)] = &[
    (
        "groups",
        &[
            r#"v3 ["groups"]"#,
            r#"v3 ["namespaces"]"#,
            r#"v3 ["projects", "visible"]"#,
            r#"v3 ["projects"]"#,
            r#"v4 ["groups"]"#,
            r#"v4 ["namespaces"]"#,
            r#"v4 ["projects"]"#,
            r#"v4 ["search"]?scope=issues&search=word"#,
            r#"v4 ["search"]?scope=milestones&search=word"#,
            r#"v4 ["search"]?scope=projects&search=word"#,
        ],
        MEMBERSHIPS,
    ),
    (
        "projects of a member",
        &[
            r#"v3 ["groups", id]"#,
            r#"v3 ["groups"]"#,
            r#"v3 ["projects", "owned"]"#,
            r#"v3 ["projects", "visible"]"#,
            r#"v3 ["projects"]"#,
            r#"v4 ["groups", id, "projects"]"#,
            r#"v4 ["groups", id, "search"]?scope=projects&search=word"#,
            r#"v4 ["groups", id]"#,
            r#"v4 ["groups"]"#,
            r#"v4 ["projects"]"#,
            r#"v4 ["search"]?scope=issues&search=word"#,
            r#"v4 ["search"]?scope=projects&search=word"#,
            r#"v4 ["users", id, "projects"]"#,
        ],
        MEMBERSHIPS,
    ),
    (
        "children of a commit",
        &[r#"v4 ["projects", id, "repository", "commits", sha, "refs"]"#],
        "all children of a commit that is walked from: 8 steps each",
    ),
    (
        "deleted issues and milestones",
        &[r#"v3 ["projects", id, "milestones"]"#],
        "the numbers of deleted milestones are counted for the total: 3 steps each",
    ),
    ("files of a tree", COMPARISONS, DIRECTORIES),
    (
        "files of a tree",
        &[
            r#"v3 ["projects", id, "repository", "files"]?file_path={file}&ref=master"#,
            r#"v4 ["projects", id, "repository", "files", file_path, "raw"]?ref=master"#,
            r#"v4 ["projects", id, "repository", "files", file_path]?ref=master"#,
            r#"v4 ["projects", id, "repository", "raw", name]"#,
        ],
        DIRECTORIES,
    ),
    ("depth of a path", COMPARISONS, DIRECTORIES),
    ("rules of .gitattributes", COMPARISONS, "patches are made of 24 MiB of files (behaviour 15)"),
];
