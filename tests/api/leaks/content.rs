//! The content of a project in a random world.

use super::random::Random;
use super::sql::{Literal, add};
use super::viewer::Standing;
use super::world::{Issue, Project, World};
use std::fmt::Write;

fn r_of<'a>(seen: bool, v: &'a mut Random, h: &'a mut Random) -> &'a mut Random {
    if seen { v } else { h }
}

/// Of the upload of a project.
pub fn secret(project_id: i64) -> String {
    format!("{project_id:032x}")
}

impl World {
    pub(super) fn fill(&mut self, project: &mut Project, standing: Standing, v: &mut Random, h: &mut Random) {
        self.plans(project, standing.plans, v, h);
        if standing.issues {
            for number in 0..v.below(6) {
                self.issue(project, 2 * number + 2, standing, true, v, h);
            }
        }
        // hidden issues: confidential ones of others if the viewer sees the project's issues, else any issue
        if !standing.confidential || !standing.issues {
            for number in 0..h.below(6) {
                self.issue(project, 2 * number + 1, standing, false, v, h);
            }
        }
        for _ in 0..(if project.seen { v.below(3) } else { h.below(3) }) {
            let id = self.id(project.seen, v, h);
            let r = r_of(project.seen, v, h);
            let address = format!("https://{}/%{{commit_sha}}/%{{latest_tag}}", r.word());
            add!(
                self,
                "badges (id, project_id, name, link_url, image_url, created_at)",
                id,
                project.id,
                r.word(),
                address,
                "https://x",
                0
            );
            project.badges.push(id);
        }
        self.files(project, standing.plans, v, h);
        self.repository(project, standing, v, h);
        self.releases(project, standing, v, h);
        self.deployments(project, standing.deployments, v, h);
    }

    /// An upload, and packages with a file each.
    fn files(&mut self, project: &mut Project, seen: bool, v: &mut Random, h: &mut Random) {
        if r_of(seen, v, h).chance(50) {
            let id = self.id(seen, v, h);
            let size = r_of(seen, v, h).below(3);
            add!(
                self,
                "uploads (id, project_id, secret, filename, size, sha256, author_id, created_at)",
                id,
                project.id,
                secret(project.id),
                "a",
                size,
                "0".repeat(64),
                16,
                0
            );
            project.uploads.push(id);
        }
        for number in 0..r_of(seen, v, h).below(4) {
            let id = self.id(seen, v, h);
            let r = r_of(seen, v, h);
            let (status, at, size) = (r.any(&["default", "hidden"]), r.time(), r.below(3));
            let version = format!("{}.0", number + 1);
            add!(
                self,
                "packages (id, project_id, name, version, status, author_id, created_at)",
                id,
                project.id,
                "tool",
                version,
                status,
                16,
                at
            );
            add!(
                self,
                "package_files (id, package_id, project_id, file_name, object, size, sha256, created_at)",
                id,
                id,
                project.id,
                "a",
                format!("{id:032x}"),
                size,
                "0".repeat(64),
                at
            );
            project.packages.push(id);
        }
    }

    fn plans(&mut self, project: &mut Project, seen: bool, v: &mut Random, h: &mut Random) {
        let r = if seen { &mut *v } else { &mut *h };
        let (labels, milestones) = (r.below(4), r.below(3));
        for number in 0..labels {
            let id = self.id(seen, v, h);
            let r = if seen { &mut *v } else { &mut *h };
            let title = format!("{}{number}", r.word());
            add!(self, "labels (id, project_id, title, color, created_at)", id, project.id, title, "#ff0000", 0);
            project.labels.push((id, title));
        }
        for number in 0..milestones {
            let id = self.id(seen, v, h);
            let r = if seen { &mut *v } else { &mut *h };
            let (title, state) = (format!("{}{number}", r.word()), r.any(&["active", "closed"]));
            add!(
                self,
                "milestones (id, project_id, iid, title, state, created_at, updated_at)",
                id,
                project.id,
                number + 1,
                title,
                state,
                0,
                0
            );
            project.milestones.push((id, title));
        }
    }

    fn issue(
        &mut self,
        project: &mut Project,
        iid: i64,
        standing: Standing,
        seen: bool,
        v: &mut Random,
        h: &mut Random,
    ) {
        let id = self.id(seen, v, h);
        let r = if seen { &mut *v } else { &mut *h };
        let mine = seen && standing.user != 0 && r.chance(30);
        let author = if mine { standing.user } else { r.any(&[16, 18]) };
        let assignee = r.chance(40).then(|| if seen && r.chance(30) { standing.user } else { 18 });
        let assignee = assignee.filter(|id| *id != 0);
        let concerned = author == standing.user || assignee == Some(standing.user);
        let confidential =
            if seen { r.chance(30) && (standing.confidential || concerned) } else { standing.issues || r.chance(50) };
        let milestone = r.pick(&project.milestones).filter(|_| r.0 % 3 > 0).map(|(id, _)| *id);
        let (at, updated, title, text) = (r.time(), r.time(), r.words(), r.words());
        let state = r.any(&["opened", "closed"]);
        add!(
            self,
            "issues (id, project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential, created_at, updated_at)",
            id,
            project.id,
            iid,
            author,
            assignee,
            milestone,
            title,
            text,
            state,
            confidential,
            at,
            updated
        );
        let section = 2 * i64::from(confidential) + i64::from(state == "closed");
        for (label, _) in project.labels.iter().filter(|_| r.chance(40)) {
            add!(self, "issue_labels (issue_id, label_id, section, created_at)", id, *label, section, at);
        }
        if seen && standing.user != 0 && r.chance(30) {
            let says = r.chance(50);
            add!(self, "subscriptions (issue_id, user_id, subscribed)", id, standing.user, says);
        }
        if h.chance(30) {
            add!(self, "subscriptions (issue_id, user_id, subscribed)", id, 18, h.chance(50));
        }
        let mut issue = Issue { id, iid, seen, names_commits: standing.repository, ..Issue::default() };
        self.award(&mut issue, standing.user, v, h);
        self.links(&mut issue, project, v, h);
        let notes = if seen { v.below(4) } else { h.below(4) };
        for _ in 0..notes {
            self.note(project.id, &mut issue, v, h);
            self.event(project, &mut issue, v, h);
        }
        project.issues.push(issue);
    }

    fn award(&mut self, issue: &mut Issue, user: i64, v: &mut Random, h: &mut Random) {
        let count = if issue.seen { v.below(3) } else { h.below(3) };
        for number in 0..count {
            let id = self.id(issue.seen, v, h);
            let r = if issue.seen { &mut *v } else { &mut *h };
            let giver = if issue.seen && user != 0 && r.chance(30) { user } else { r.any(&[16, 18]) };
            let name = format!("{}{number}", r.any(&["star", "thumbsup"]));
            let name = name.trim_end_matches('0');
            add!(
                self,
                "awards (id, issue_id, note_id, user_id, name, created_at)",
                id,
                issue.id,
                0,
                giver,
                name,
                r.time()
            );
            issue.awards.push(id);
        }
    }

    /// Links with one visible issue of this project and one that the viewer does not see.
    fn links(&mut self, issue: &mut Issue, project: &Project, v: &mut Random, h: &mut Random) {
        let hidden = |known: &&Issue| !known.seen;
        let known = |of: &[Project], seen: bool| -> Vec<i64> {
            of.iter().flat_map(|of| &of.issues).filter(|known| hidden(known) != seen).map(|known| known.id).collect()
        };
        let seen_here: Vec<i64> = project.issues.iter().filter(|known| known.seen).map(|known| known.id).collect();
        let others = if issue.seen { known(&self.projects, false) } else { seen_here.clone() };
        for (list, seen) in [(seen_here, true), (others, false)] {
            let r = if seen { &mut *v } else { &mut *h };
            if (seen && !issue.seen) || !r.chance(40) {
                continue;
            }
            let Some(other) = r.pick(&list).copied() else { continue };
            let (kind, at, turned) = (r.any(&["relates_to", "blocks"]), r.time(), r.chance(50));
            let (source, target) = if turned { (other, issue.id) } else { (issue.id, other) };
            let id = self.id(seen, v, h);
            add!(
                self,
                "issue_links (id, source_id, target_id, link_type, created_at, project_id)",
                id,
                source,
                target,
                kind,
                at,
                project.id
            );
            issue.links.push(id);
        }
    }

    fn note(&mut self, project_id: i64, issue: &mut Issue, v: &mut Random, h: &mut Random) {
        let id = self.id(issue.seen, v, h);
        // sometimes a note refers to a project that the viewer does not see
        let hidden: Vec<i64> = self.projects.iter().filter(|known| !known.seen).map(|known| known.id).collect();
        let r = if issue.seen { &mut *v } else { &mut *h };
        let (mut text, system, at) = (r.words(), r.chance(30), r.time());
        let reference = system.then(|| (format!("secret/{}#{}", h.word(), h.below(9)), h.pick(&hidden).copied()));
        // or to an issue, which nobody sees
        let of_issue = system && r_of(issue.seen, v, h).chance(40);
        let (reference, elsewhere) = reference.filter(|(_, id)| id.is_some()).unzip();
        let elsewhere = if of_issue { Some(Some(project_id)) } else { elsewhere };
        // or to a commit of this project
        if system && elsewhere.is_none() && issue.seen {
            text = format!("closed via commit {}", r_of(issue.names_commits, v, h).sha());
        }
        add!(
            self,
            "notes (id, project_id, issue_id, author_id, body, system, has_event, reference, reference_project_id, reference_issue_id, created_at, updated_at)",
            id,
            project_id,
            issue.id,
            18,
            text,
            system,
            system && reference.is_none(),
            reference,
            elsewhere.flatten(),
            of_issue.then(|| h.any(&[50, 1_000_000_000])),
            at,
            at
        );
        issue.notes.push(id);
    }

    fn event(&mut self, project: &Project, issue: &mut Issue, v: &mut Random, h: &mut Random) {
        let id = self.id(issue.seen, v, h);
        let r = r_of(issue.seen, v, h);
        let (kind, milestone, at) =
            (r.any(&["label", "milestone", "state"]), r.pick(&project.milestones).map(|(id, _)| *id), r.time());
        let action = if kind == "state" { "closed" } else { "add" };
        let milestone = milestone.filter(|_| kind == "milestone");
        let names_commits = issue.seen && issue.names_commits;
        let sha = (kind == "state").then(|| r_of(names_commits, v, h).sha());
        add!(
            self,
            "resource_events (id, issue_id, user_id, kind, action, milestone_id, source_sha, state, created_at)",
            id,
            issue.id,
            18,
            kind,
            action,
            milestone,
            sha,
            "opened",
            at
        );
        issue.events.push(id);
    }

    fn repository(&mut self, project: &mut Project, standing: Standing, v: &mut Random, h: &mut Random) {
        let seen = standing.repository;
        let count = if seen { v.below(6) } else { h.below(6) };
        for number in 0..count {
            let id = self.id(seen, v, h);
            let r = if seen { &mut *v } else { &mut *h };
            let (sha, at) = (r.sha(), 1_780_000_000 + 1000 * number + r.below(900));
            let r = r_of(standing.titles, v, h);
            let parents = project.commits.last().map(|(_, sha)| format!("[\"{sha}\"]")).unwrap_or("[]".into());
            add!(
                self,
                "commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name, committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)",
                id,
                project.id,
                sha,
                r.word(),
                "a@example.com",
                at,
                60,
                r.word(),
                "c@example.com",
                at,
                60,
                r.words(),
                r.below(9),
                r.below(9),
                parents,
                "master"
            );
            if let Some((parent, _)) = project.commits.last() {
                writeln!(
                    self.sql,
                    "insert into parents (child_id, position, parent_id, parent_committed_at)
select {id}, 0, id, committed_at from commits where id = {parent};"
                )
                .unwrap();
            }
            add!(self, "diffs (commit_id, part, text)", id, 0, "[]");
            project.commits.push((id, sha));
        }
        let r = if seen { &mut *v } else { &mut *h };
        if let Some((tip, _)) = project.commits.last() {
            for name in ["heads/master", "heads/next", "tags/v1"] {
                if name == "heads/master" || r.chance(50) {
                    add!(self, "refs (project_id, name, commit_id)", project.id, format!("refs/{name}"), *tip);
                    project.refs.push(name.split_once('/').map_or(name, |(_, name)| name).to_owned());
                }
            }
        }
        let commits = project.commits.clone();
        for (commit, _) in commits {
            let count = if seen { v.below(3) } else { h.below(3) };
            for number in 0..count {
                self.build(project, commit, number, seen, v, h);
            }
        }
    }

    /// A status and a comment of a commit.
    fn build(&mut self, project: &mut Project, commit: i64, number: i64, seen: bool, v: &mut Random, h: &mut Random) {
        let (id, comment) = (self.id(seen, v, h), self.id(seen, v, h));
        let r = if seen { &mut *v } else { &mut *h };
        let state = r.any(&["pending", "running", "success", "failed", "canceled"]);
        let (git_ref, name, at) = (r.any(&["master", "", "next"]), format!("{}{number}", r.word()), r.time());
        add!(
            self,
            "statuses (id, project_id, commit_id, ref, name, user_id, state, created_at)",
            id,
            project.id,
            commit,
            git_ref,
            name.clone(),
            16,
            state,
            at
        );
        let report = self.id(seen, v, h);
        let failed = r_of(seen, v, h).below(9);
        add!(
            self,
            "reports (id, project_id, job_id, commit_id, ref, name, kind, size, length, sha256, total, failed, errors, skipped, flaky, seconds, broken, passed, whole, slowest, created_at)",
            report,
            project.id,
            id,
            commit,
            git_ref,
            name,
            1,
            failed,
            0,
            "0".repeat(64),
            failed + 1,
            failed,
            0,
            0,
            0,
            1,
            "[]",
            "[]",
            1,
            "[]",
            at
        );
        let r = r_of(seen, v, h);
        add!(
            self,
            "commit_comments (id, project_id, commit_id, author_id, note, created_at, updated_at)",
            comment,
            project.id,
            commit,
            18,
            r.words(),
            at,
            at
        );
        project.statuses.push(id);
    }

    /// Who may not read commits sees a release without its tag, its name and its commit.
    fn releases(&mut self, project: &Project, standing: Standing, v: &mut Random, h: &mut Random) {
        for number in 0..r_of(standing.plans, v, h).below(3) {
            let id = self.id(standing.plans, v, h);
            let (text, at) = {
                let r = r_of(standing.plans, v, h);
                (r.words(), r.time())
            };
            let r = r_of(standing.plans && standing.repository, v, h);
            let tag = if number == 0 { "v1".to_owned() } else { format!("{}{number}", r.word()) };
            let sha = r.pick(&project.commits).map_or_else(|| "0".repeat(40), |(_, sha)| sha.clone());
            add!(
                self,
                "releases (id, project_id, tag, name, description, sha, author_id, created_at, updated_at, released_at)",
                id,
                project.id,
                tag,
                r.word(),
                text,
                sha,
                16,
                at,
                at,
                at
            );
        }
    }

    fn deployments(&mut self, project: &mut Project, seen: bool, v: &mut Random, h: &mut Random) {
        let r = if seen { &mut *v } else { &mut *h };
        let (environments, count) = (1 + r.below(2), r.below(4));
        if project.statuses.is_empty() {
            return;
        }
        let mut known = Vec::new();
        for number in 1..=environments {
            let id = self.id(seen, v, h);
            let name = format!("{}{number}", if seen { v.word() } else { h.word() });
            add!(self, "environments (id, project_id, number, name, created_at)", id, project.id, number, name, 0);
            known.push(id);
        }
        for iid in 1..=count {
            let id = self.id(seen, v, h);
            let r = if seen { &mut *v } else { &mut *h };
            let (environment, at) = (r.any(&known), r.time());
            let Some(&(commit, _)) = r.pick(&project.commits) else { continue };
            let state = r.any(&["success", "running", "failed"]);
            add!(
                self,
                "deployments (id, project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)",
                id,
                project.id,
                iid,
                environment,
                commit,
                "master",
                16,
                16,
                "deploy",
                state,
                at
            );
            project.deployments.push(id);
        }
    }
}
