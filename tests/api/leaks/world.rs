//! A random world as SQL, made of two streams of chance: one decides what a viewer sees, the other all that is hidden from
//! them. Two worlds with the same first stream differ in nothing that the viewer may know.

use super::random::{Ids, Random};
use edgeforge::token_hash;
use std::fmt::Write;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Viewer {
    Nobody,
    WrongToken,
    Blocked,
    External,
    Outsider,
    Guest,
    Reporter,
    Developer,
    Hook,
}

pub const VIEWERS: [Viewer; 9] = [
    Viewer::Nobody,
    Viewer::WrongToken,
    Viewer::Blocked,
    Viewer::External,
    Viewer::Outsider,
    Viewer::Guest,
    Viewer::Reporter,
    Viewer::Developer,
    Viewer::Hook,
];

/// The users: their ids are those of their namespaces.
pub const PEOPLE: [(i64, &str); 9] = [
    (2, "blocked"),
    (4, "external"),
    (6, "outsider"),
    (8, "guest"),
    (10, "reporter"),
    (12, "developer"),
    (14, "master"),
    (16, "owner"),
    (18, "other"),
];
const OTHERS: [i64; 2] = [16, 18];

impl Viewer {
    /// Whose eyes they have.
    pub fn user(self) -> Option<i64> {
        match self {
            Viewer::Nobody | Viewer::WrongToken => None,
            Viewer::Blocked => Some(2),
            Viewer::External => Some(4),
            Viewer::Outsider => Some(6),
            Viewer::Guest => Some(8),
            Viewer::Reporter => Some(10),
            Viewer::Developer => Some(12),
            Viewer::Hook => Some(14),
        }
    }

    pub fn token(self) -> Option<String> {
        match self {
            Viewer::Nobody => None,
            Viewer::WrongToken => Some("wrong".to_owned()),
            Viewer::Hook => Some("hook".to_owned()),
            _ => self.user().map(|id| format!("token-{id}")),
        }
    }

    /// Whether every answer but that of public badges is a refusal.
    pub fn is_shut_out(self) -> bool {
        matches!(self, Viewer::Nobody | Viewer::WrongToken | Viewer::Blocked)
    }

    /// Whether they may read what is in a project that they see.
    fn reads(self) -> bool {
        !self.is_shut_out() && self != Viewer::Hook
    }

    /// The least visibility of what they see without being a member.
    fn sees_from(self) -> i64 {
        if self == Viewer::External || self.is_shut_out() { 20 } else { 10 }
    }

    /// As what they are a member, where they are.
    fn level(self) -> i64 {
        match self {
            Viewer::Guest => 10,
            Viewer::Reporter => 20,
            Viewer::Developer => 30,
            Viewer::Hook => 40,
            _ => self.chosen_level(),
        }
    }

    fn chosen_level(self) -> i64 {
        if self == Viewer::External { 10 } else { 0 }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Issue {
    pub id: i64,
    pub notes: Vec<i64>,
    pub seen: bool,
}

/// A project by all the names that a request may have for it and what is in it.
#[derive(Debug, Clone, Default)]
pub struct Project {
    pub id: i64,
    pub path: String,
    pub seen: bool,
    pub issues: Vec<Issue>,
    pub labels: Vec<(i64, String)>,
    pub milestones: Vec<(i64, String)>,
    /// Ids, hashes and refs of commits.
    pub commits: Vec<(i64, String)>,
    pub refs: Vec<String>,
    pub statuses: Vec<i64>,
    pub deployments: Vec<i64>,
    pub standing: Standing,
}

#[derive(Debug, Clone, Default)]
pub struct Group {
    pub id: i64,
    pub path: String,
    pub visibility: i64,
    pub seen: bool,
    /// Whether the viewer is in it.
    member: bool,
}

pub struct World {
    pub sql: String,
    pub projects: Vec<Project>,
    pub groups: Vec<Group>,
    pub todos: Vec<i64>,
    pub tokens: Vec<i64>,
    viewer: Viewer,
    even: Ids,
    odd: Ids,
}

/// A value as SQL writes it. Texts here hold no quotes.
pub trait Literal {
    fn literal(&self) -> String;
}
impl Literal for i64 {
    fn literal(&self) -> String {
        self.to_string()
    }
}
impl Literal for bool {
    fn literal(&self) -> String {
        i64::from(*self).to_string()
    }
}
impl Literal for &str {
    fn literal(&self) -> String {
        format!("'{self}'")
    }
}
impl Literal for String {
    fn literal(&self) -> String {
        self.as_str().literal()
    }
}
impl<T: Literal> Literal for Option<T> {
    fn literal(&self) -> String {
        self.as_ref().map_or("null".to_owned(), Literal::literal)
    }
}

/// `add!(world, "table (columns)", values ..)`
macro_rules! add {
    ($world:expr, $into:literal, $($value:expr),+ $(,)?) => {{
        let values = [$(Literal::literal(&$value)),+].join(", ");
        writeln!($world.sql, "insert into {} values ({values});", $into).unwrap();
    }};
}
pub(super) use add;

impl World {
    pub fn new(viewer: Viewer, seen: u64, hidden: u64) -> World {
        let (mut v, mut h) = (Random(seen), Random(hidden));
        let mut world = World {
            sql: String::new(),
            projects: Vec::new(),
            groups: Vec::new(),
            todos: Vec::new(),
            tokens: Vec::new(),
            viewer,
            even: Ids::even(),
            odd: Ids::odd(),
        };
        world.bounds();
        world.people(&mut v, &mut h);
        world.all_groups(&mut v, &mut h);
        // one hidden project at least, for the notes that refer to one
        for _ in 0..1 + h.below(4) {
            world.project(None, &mut v, &mut h);
        }
        for number in 0..3 + v.below(3) {
            world.project(Some(number), &mut v, &mut h);
        }
        world.errands(&mut v, &mut h);
        world
    }

    pub(super) fn id(&mut self, seen: bool, v: &mut Random, h: &mut Random) -> i64 {
        if seen { self.even.next(v) } else { self.odd.next(h) }
    }

    /// Hidden things with the least and the greatest ids, the same in every world: where a range ends, SQLite looks at the
    /// next row of the table if there is one, and here there always is.
    fn bounds(&mut self) {
        for (id, name) in [(50, "aa"), (1_000_000_000, "zz")] {
            let sha = name.chars().next().map_or('f', |letter| if letter == 'a' { '0' } else { 'f' });
            let sha: String = std::iter::repeat_n(sha, 40).collect();
            let state = if name == "aa" { "closed" } else { "opened" };
            write!(
                self.sql,
                "insert into namespaces (id, kind, path, path_key) values ({id}, 'user', '{name}-user', '{name}-user'), ({id} + 1, 'group', '{name}', '{name}');
insert into users (id, username, name, email, email_key, state, created_at) values ({id}, '{name}-user', 'bound', '{name}', '{name}', 'blocked', 0);
insert into groups (id, name, path, visibility, created_at) values ({id} + 1, '{name}', '{name}', 0, 0);
insert into group_members (user_id, group_id, access, created_at) values ({id}, {id} + 1, 50, 0);
insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, default_branch, created_at, updated_at)
values ({id}, {id} + 1, {id}, 'bound', '{name}', '{name}/{name}', '{name}/{name}', '{name}', 0, 'master', 0, 0);
insert into project_members (user_id, project_id, access, created_at) values ({id}, {id}, 50, 0);
insert into issue_counts (project_id, last_iid) values ({id}, 1);
insert into labels (id, project_id, title, color, created_at) values ({id}, {id}, '{name}', '#000000', 0);
insert into milestones (id, project_id, iid, title, created_at, updated_at) values ({id}, {id}, 1, '{name}', 0, 0);
insert into issues (id, project_id, iid, author_id, assignee_id, milestone_id, title, state, confidential, created_at, updated_at)
values ({id}, {id}, 1, {id}, {id}, {id}, '{name}', '{state}', 1, {id}, {id});
insert into issue_labels (issue_id, label_id, state, confidential, created_at) values ({id}, {id}, '{state}', 1, {id});
insert into subscriptions (issue_id, user_id, subscribed) values ({id}, {id}, 1);
insert into notes (id, project_id, issue_id, author_id, body, created_at, updated_at) values ({id}, {id}, {id}, {id}, '{name}', 0, 0);
insert into participants (issue_id, user_id, note_id) values ({id}, {id}, {id});
insert into todos (id, user_id, author_id, project_id, issue_id, note_id, action, state, created_at, updated_at) values ({id}, {id}, {id}, {id}, {id}, {id}, 'marked', 'pending', 0, 0);
insert into tokens (hash, id, user_id, kind, project_id, name, created_at) values ('{sha}', {id}, {id}, 'hook', {id}, '{name}', 0);
insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name, committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
values ({id}, {id}, '{sha}', 'a', 'a', 0, 0, 'a', 'a', 0, 0, 'm', 0, 0, '[]', 'master');
insert into parents (child_id, position, parent_id, parent_committed_at) values ({id}, 0, {id}, 0);
insert into refs (project_id, name, commit_id) values ({id}, 'refs/heads/master', {id}), ({id}, 'refs/tags/v1', {id});
insert into diffs (commit_id, part, text) values ({id}, 0, '[]');
insert into commit_comments (id, project_id, commit_id, author_id, note, created_at) values ({id}, {id}, {id}, {id}, 'n', 0);
insert into statuses (id, project_id, commit_id, ref, name, user_id, state, created_at) values ({id}, {id}, {id}, 'master', '{name}', {id}, 'pending', 0);
insert into environments (id, project_id, number, name, created_at) values ({id}, {id}, 1, '{name}', 0);
insert into deployments (id, project_id, iid, environment_id, status_id, user_id, created_at) values ({id}, {id}, 1, {id}, {id}, {id}, 0);
"
            )
            .unwrap();
        }
    }

    fn people(&mut self, v: &mut Random, h: &mut Random) {
        for (id, name) in PEOPLE {
            let text = if self.viewer.is_shut_out() { h.word() } else { v.word() };
            let own = self.viewer.user() == Some(id);
            let limit = if own { v.below(20) } else { h.below(20) };
            add!(self, "namespaces (id, kind, path, path_key)", id, "user", name, name);
            add!(
                self,
                "users (id, username, name, email, email_key, state, external, bio, projects_limit, created_at)",
                id,
                name,
                text,
                format!("{name}@example.com"),
                format!("{name}@example.com"),
                if id == 2 { "blocked" } else { "active" },
                id == 4,
                text,
                limit,
                1_700_000_000_000
            );
            self.token(&format!("token-{id}"), id, None, true, v, h);
        }
        for _ in 0..h.below(4) {
            let (user, name) = (h.one(&OTHERS), format!("secret-{}", h.number()));
            self.token(&name, user, None, false, v, h);
        }
    }

    fn token(
        &mut self,
        text: &str,
        user: i64,
        project: Option<i64>,
        seen: bool,
        v: &mut Random,
        h: &mut Random,
    ) {
        let id = self.id(seen, v, h);
        let kind = if project.is_some() { "hook" } else { "personal" };
        add!(
            self,
            "tokens (hash, id, user_id, kind, project_id, name, created_at)",
            token_hash(text),
            id,
            user,
            kind,
            project,
            text,
            1_700_000_000_000
        );
        self.tokens.push(id);
    }

    fn all_groups(&mut self, v: &mut Random, h: &mut Random) {
        for _ in 0..2 + v.below(2) {
            let member = self.viewer.reads() && self.viewer.level() > 0 && v.chance(30);
            let levels: &[i64] = match self.viewer.sees_from() {
                _ if member => &[0, 10, 20],
                10 => &[10, 20],
                _ => &[20],
            };
            let (id, level) = (self.even.next(v), v.one(levels));
            let name = v.words();
            self.group(id, name, level, true, member);
            if member {
                let (user, level) = (self.viewer.user(), self.viewer.level());
                add!(self, "group_members (user_id, group_id, access, created_at)", user, id, level, 0);
            }
            let about = if self.viewer.reads() { &mut *v } else { &mut *h };
            if about.chance(50) {
                add!(self, "group_members (user_id, group_id, access, created_at)", 16, id, 50, 0);
            }
        }
        for _ in 0..h.below(3) {
            let levels: &[i64] = if self.viewer.sees_from() == 20 { &[0, 10] } else { &[0] };
            let (id, level, name) = (self.odd.next(h), h.one(levels), h.words());
            self.group(id, name, level, false, false);
            add!(self, "group_members (user_id, group_id, access, created_at)", 16, id, 50, 0);
        }
    }

    fn group(&mut self, id: i64, name: String, visibility: i64, seen: bool, member: bool) {
        let path = format!("g{id}");
        add!(self, "namespaces (id, kind, path, path_key)", id, "group", path, path);
        add!(self, "groups (id, name, path, visibility, created_at)", id, name, path, visibility, 0);
        self.groups.push(Group { id, path, visibility, seen, member });
    }

    /// `number`: of a project that the viewer sees.
    fn project(&mut self, number: Option<i64>, v: &mut Random, h: &mut Random) {
        let (seen, viewer) = (number.is_some(), self.viewer);
        let r = if seen { &mut *v } else { &mut *h };
        let id = if seen { self.even.next(r) } else { self.odd.next(r) };
        // in somebody's own namespace, or in a group that may hold it
        let groups: Vec<&Group> =
            self.groups.iter().filter(|group| if seen { group.seen } else { !group.member }).collect();
        let group = r.pick(&groups).filter(|_| r.0 % 5 < 3).map(|group| Group::clone(group));
        let Group { id: namespace, path, visibility: most, member, .. } =
            group.unwrap_or(Group { id: 16, path: "owner".to_owned(), visibility: 20, ..Group::default() });
        // the hook's own, and the first of a member's
        let joins = (viewer == Viewer::Hook && number == Some(0))
            || (seen && viewer.reads() && viewer.level() > 0 && (number == Some(0) || r.chance(40)));
        let own = joins || member;
        let levels: &[i64] = match viewer.sees_from() {
            _ if own => &[0, 10, 20],
            from if seen => {
                if from == 10 {
                    &[10, 20]
                } else {
                    &[20]
                }
            }
            10 => &[0],
            _ => &[0, 10],
        };
        let level = r.one(levels).min(most);
        let (name, path) = (r.words(), format!("{path}/p{id}"));
        let default = r.chance(80).then_some("master");
        let (issues, builds, archived) = (r.chance(85), r.chance(85), r.chance(20));
        let (created, text) = (r.time(), r.words());
        writeln!(
            self.sql,
            "insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name,
  description, visibility, issues_enabled, builds_enabled, archived, default_branch, created_at, updated_at)
select {id}, {namespace}, 16, '{name}', 'p{id}', '{path}', '{path}', '{name}', '{text}', {level}, {}, {}, {},
  {}, {created}, {created};",
            issues.literal(),
            builds.literal(),
            archived.literal(),
            default.literal()
        )
        .unwrap();
        add!(self, "issue_counts (project_id, last_iid)", id, 1000);
        let mut project = Project { id, path, seen, ..Project::default() };
        if joins {
            let (user, access) = (viewer.user(), viewer.level());
            add!(self, "project_members (user_id, project_id, access, created_at)", user, id, access, 0);
        }
        if joins && viewer == Viewer::Hook {
            self.token("hook", 14, Some(id), true, v, h);
        }
        for _ in 0..h.below(2) {
            let name = format!("secret-{}", h.number());
            self.token(&name, 16, Some(id), false, v, h);
        }
        let others = if seen && viewer.reads() { &mut *v } else { &mut *h };
        for (user, percent) in [(16, 60), (18, 40)] {
            if others.chance(percent) {
                let access = others.one(&[10, 20, 30, 40]);
                add!(self, "project_members (user_id, project_id, access, created_at)", user, id, access, 0);
            }
        }
        let standing = Standing::new(viewer, own, seen, level, (issues, builds));
        project.standing = standing;
        self.fill(&mut project, standing, v, h);
        self.projects.push(project);
    }

    /// To-do items: the viewer's own about issues that they see, and all those of others.
    fn errands(&mut self, v: &mut Random, h: &mut Random) {
        let issues: Vec<(i64, i64, bool)> = self
            .projects
            .iter()
            .flat_map(|project| project.issues.iter().map(|issue| (project.id, issue.id, issue.seen)))
            .collect();
        let seen: Vec<_> = issues.iter().filter(|issue| issue.2).copied().collect();
        if let Some(user) = self.viewer.user().filter(|_| self.viewer.reads() && !seen.is_empty()) {
            for _ in 0..v.below(5) {
                let (project, issue, _) = v.one(&seen);
                self.todo(user, project, issue, true, v, h);
            }
        }
        if !issues.is_empty() {
            for _ in 0..h.below(5) {
                let (project, issue, _) = h.one(&issues);
                let user = h.one(&OTHERS);
                self.todo(user, project, issue, false, v, h);
            }
        }
    }

    fn todo(&mut self, user: i64, project: i64, issue: i64, seen: bool, v: &mut Random, h: &mut Random) {
        let id = self.id(seen, v, h);
        let r = if seen { v } else { h };
        let (action, state) = (r.one(&["assigned", "mentioned", "marked"]), r.one(&["pending", "done"]));
        let at = r.time();
        add!(
            self,
            "todos (id, user_id, author_id, project_id, issue_id, action, state, created_at, updated_at)",
            id,
            user,
            16,
            project,
            issue,
            action,
            state,
            at,
            at
        );
        self.todos.push(id);
    }
}

/// What of a project the viewer may read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standing {
    pub user: i64,
    /// Labels, milestones, members.
    pub plans: bool,
    pub issues: bool,
    /// All confidential issues.
    pub confidential: bool,
    /// Commits, refs, statuses.
    pub repository: bool,
    pub deployments: bool,
}

impl Standing {
    fn new(
        viewer: Viewer,
        own: bool,
        seen: bool,
        visibility: i64,
        (issues, builds): (bool, bool),
    ) -> Standing {
        let access = if own { viewer.level() } else { 0 };
        let plans = seen && viewer.reads();
        let open = visibility >= viewer.sees_from();
        Standing {
            user: viewer.user().unwrap_or_default(),
            plans,
            issues: plans && issues,
            confidential: access >= 20,
            repository: seen
                && if viewer.reads() {
                    access >= 20 || open
                } else {
                    viewer.is_shut_out() || own || visibility == 20
                },
            deployments: plans && builds && (access >= 20 || visibility == 20),
        }
    }
}
