//! A random world as SQL, from two random streams: one for what the viewer sees, the other for what is hidden. Two
//! worlds with the same first stream look the same to the viewer.

use super::random::{Ids, Random};
use super::sql::{Literal, add};
use super::viewer::{BOT, MAKER, PEOPLE, Standing, TRUST, Viewer};
use crate::jwt::ISSUER;
use edgeforge::token_hash;
use std::fmt::Write;

/// The users that own and write the records.
const OTHERS: [i64; 2] = [16, 18];

/// The project, user and scopes of a token.
enum Opens {
    All,
    Reading,
    /// The cookie with this secret.
    Session,
    Mirror(i64),
    /// The project, the user and the scopes.
    Project(i64, i64, i64),
}

#[derive(Debug, Clone, Default)]
pub struct Issue {
    pub id: i64,
    /// Its number in the project.
    pub iid: i64,
    pub notes: Vec<i64>,
    /// Resource events.
    pub events: Vec<i64>,
    pub awards: Vec<i64>,
    pub links: Vec<i64>,
    pub seen: bool,
    /// Whether the viewer reads the commits of its project.
    pub names_commits: bool,
}

/// A project with its names in requests, and its content.
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
    pub badges: Vec<i64>,
    /// Also ids of their files.
    pub packages: Vec<i64>,
    pub uploads: Vec<i64>,
    pub standing: Standing,
}

#[derive(Debug, Clone, Default)]
pub struct Group {
    pub id: i64,
    pub path: String,
    pub visibility: i64,
    pub seen: bool,
    /// Whether the viewer is a member.
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
        // at least one hidden project, so that notes can refer to one
        for _ in 0..1 + h.below(4) {
            world.project(None, &mut v, &mut h);
        }
        for number in 0..3 + v.below(3) {
            world.project(Some(number), &mut v, &mut h);
        }
        world.errands(&mut v, &mut h);
        world.sql.push_str(include_str!("events.sql"));
        world
    }

    pub(super) fn id(&mut self, seen: bool, v: &mut Random, h: &mut Random) -> i64 {
        if seen { self.even.next(v) } else { self.odd.next(h) }
    }

    /// Hidden records with the least and the greatest ids, the same in every world. At the end of a range SQLite reads
    /// the next row of the table, and so there always is one.
    fn bounds(&mut self) {
        const TEXT: &str = include_str!("bounds.sql");
        for (id, name, digit, state) in [("50", "aa", "0", "closed"), ("1000000000", "zz", "f", "opened")] {
            let places = [("{id}", id), ("{name}", name), ("{sha}", &digit.repeat(40)), ("{state}", state)];
            let text = places.iter().fold(TEXT.to_owned(), |text, (place, value)| text.replace(place, value));
            self.sql.push_str(&text);
        }
        // their ids come before the bots', so lists of people end before those
        self.bot(-1_000_000_000, "aa");
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
            self.token(&format!("token-{id}"), id, Opens::All, true, v, h);
        }
        self.token("reader", 12, Opens::Reading, true, v, h);
        self.token("session", 12, Opens::Session, true, v, h);
        if self.viewer.user() == Some(BOT) {
            self.bot(BOT, v.word());
        }
        for _ in 0..h.below(4) {
            let (user, name) = (h.any(&OTHERS), format!("secret-{}", h.number()));
            let opens = if h.chance(50) { Opens::All } else { Opens::Session };
            self.token(&name, user, opens, false, v, h);
        }
    }

    /// The user behind a project's token.
    fn bot(&mut self, id: i64, name: &str) {
        let path = format!("bot{id}");
        add!(self, "namespaces (id, kind, path, path_key)", id, "user", path, path);
        add!(
            self,
            "users (id, username, name, email, email_key, external, created_at)",
            id,
            path,
            name,
            path,
            path,
            true,
            1_700_000_000_000
        );
    }

    fn token(&mut self, text: &str, user: i64, opens: Opens, seen: bool, v: &mut Random, h: &mut Random) {
        let id = self.id(seen, v, h);
        let (kind, project, bot, scopes, access) = match opens {
            Opens::All => ("personal", None, None, 1, None),
            Opens::Reading => ("personal", None, None, 2, None),
            Opens::Session => ("session", None, None, 1, None),
            Opens::Mirror(id) => ("hook", Some(id), None, 64, None),
            Opens::Project(id, bot, scopes) => ("project", Some(id), Some(bot), scopes, Some(30)),
        };
        let is_trust = text == "trust";
        let hash = match kind {
            _ if is_trust => format!("trust urn:edgeforge:trust:{TRUST}"),
            "session" => format!("session {}", token_hash(text)),
            _ => token_hash(text),
        };
        add!(
            self,
            "tokens (hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at, expires_at, issuer, claims)",
            hash,
            id,
            user,
            kind,
            project,
            bot,
            scopes,
            access,
            text,
            1_700_000_000_000,
            (kind == "session").then_some(9_000_000_000_000),
            is_trust.then_some(ISSUER),
            is_trust.then_some("[\"repository_id=12\"]")
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
            let (id, level) = (self.even.next(v), v.any(levels));
            let name = v.words();
            self.group(id, name, level, true, member);
            if member {
                let (user, level) = (self.viewer.user(), self.viewer.level());
                add!(self, "group_members (user_id, group_id, access, created_at)", user, id, level, 0);
            }
            let about = if self.viewer.reads_in(true) { &mut *v } else { &mut *h };
            if about.chance(50) {
                add!(self, "group_members (user_id, group_id, access, created_at)", 16, id, 50, 0);
            }
        }
        for _ in 0..h.below(3) {
            let levels: &[i64] = if self.viewer.sees_from() == 20 { &[0, 10] } else { &[0] };
            let (id, level, name) = (self.odd.next(h), h.any(levels), h.words());
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
        // in a personal namespace, or in a group that may contain it
        let groups: Vec<&Group> =
            self.groups.iter().filter(|group| if seen { group.seen } else { !group.member }).collect();
        let group = r.pick(&groups).filter(|_| r.0 % 5 < 3).map(|group| Group::clone(group));
        let Group { id: namespace, path, visibility: most, member, .. } =
            group.unwrap_or(Group { id: 16, path: "owner".to_owned(), visibility: 20, ..Group::default() });
        // the token's project, and the first one of a member
        let joins = (viewer.is_tied() && number == Some(0))
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
        let level = r.any(levels).min(most);
        let (name, path) = (r.words(), format!("{path}/p{id}"));
        let default = r.chance(80).then_some("master");
        let (issues, builds, archived) = (r.chance(85), r.chance(85), r.chance(20));
        let (created, text) = (r.time(), r.words());
        writeln!(
            self.sql,
            "insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name,
  description, visibility, issues_enabled, builds_enabled, archived, default_branch, created_at, updated_at)
select {id}, {namespace}, 16, '{name} {id}', 'p{id}', '{path}', '{path}', '{name}', '{text}', {level}, {}, {}, {},
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
            let (user, access) = viewer.member();
            add!(
                self,
                "project_members (user_id, project_id, access, created_at, namespace_id)",
                user,
                id,
                access,
                0,
                namespace
            );
        }
        if joins {
            match viewer {
                Viewer::Hook => self.token("hook", MAKER, Opens::Mirror(id), true, v, h),
                Viewer::Project => self.token("project", MAKER, Opens::Project(id, BOT, 4), true, v, h),
                Viewer::Trust => self.token("trust", MAKER, Opens::Project(id, BOT, 4), true, v, h),
                Viewer::Statuses => self.token("statuses", MAKER, Opens::Project(id, BOT, 16), true, v, h),
                _ => {}
            }
        }
        for _ in 0..h.below(2) {
            let name = format!("secret-{}", h.number());
            self.token(&name, 16, Opens::Mirror(id), false, v, h);
        }
        for _ in 0..h.below(2) {
            let (name, bot) = (format!("secret-{}", h.number()), BOT - self.odd.next(h));
            self.bot(bot, h.word());
            self.token(&name, 16, Opens::Project(id, bot, h.any(&[4, 8, 16, 32, 60])), false, v, h);
        }
        let others = if seen && viewer.reads_in(joins) { &mut *v } else { &mut *h };
        for (user, percent) in [(16, 60), (18, 40)] {
            if others.chance(percent) {
                let access = others.any(&[10, 20, 30, 40]);
                add!(
                    self,
                    "project_members (user_id, project_id, access, created_at, namespace_id)",
                    user,
                    id,
                    access,
                    0,
                    namespace
                );
            }
        }
        let standing = Standing::new(viewer, own, seen, level, (issues, builds));
        project.standing = standing;
        self.fill(&mut project, standing, v, h);
        self.projects.push(project);
    }

    /// To-do items: the viewer's own about visible issues, and all of other users.
    fn errands(&mut self, v: &mut Random, h: &mut Random) {
        let issues: Vec<(i64, i64, bool)> = self
            .projects
            .iter()
            .flat_map(|project| project.issues.iter().map(|issue| (project.id, issue.id, issue.seen)))
            .collect();
        let seen: Vec<_> = issues.iter().filter(|issue| issue.2).copied().collect();
        if let Some(user) = self.viewer.user().filter(|_| self.viewer.reads() && !seen.is_empty()) {
            for _ in 0..v.below(5) {
                let (project, issue, _) = v.any(&seen);
                self.todo(user, project, issue, true, v, h);
            }
        }
        if !issues.is_empty() {
            for _ in 0..h.below(5) {
                let (project, issue, _) = h.any(&issues);
                let user = h.any(&OTHERS);
                self.todo(user, project, issue, false, v, h);
            }
        }
    }

    fn todo(&mut self, user: i64, project: i64, issue: i64, seen: bool, v: &mut Random, h: &mut Random) {
        let id = self.id(seen, v, h);
        let r = if seen { v } else { h };
        let (action, state) = (r.any(&["assigned", "mentioned", "marked"]), r.any(&["pending", "done"]));
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
