//! The content of a project in a random world.

use super::random::Random;
use super::sql::{Literal, add};
use super::viewer::Standing;
use super::world::{Issue, Project, World};
use std::fmt::Write;

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
        self.repository(project, standing.repository, v, h);
        self.deployments(project, standing.deployments, v, h);
    }

    fn plans(&mut self, project: &mut Project, seen: bool, v: &mut Random, h: &mut Random) {
        let r = if seen { &mut *v } else { &mut *h };
        let (labels, milestones) = (r.below(4), r.below(3));
        for number in 0..labels {
            let id = self.id(seen, v, h);
            let r = if seen { &mut *v } else { &mut *h };
            let title = format!("{}{number}", r.word());
            add!(
                self,
                "labels (id, project_id, title, color, created_at)",
                id,
                project.id,
                title,
                "#ff0000",
                0
            );
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
        let confidential = if seen {
            r.chance(30) && (standing.confidential || concerned)
        } else {
            standing.issues || r.chance(50)
        };
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
        let mut issue = Issue { id, iid, notes: Vec::new(), seen };
        let notes = if seen { v.below(4) } else { h.below(4) };
        for _ in 0..notes {
            self.note(project.id, &mut issue, v, h);
        }
        project.issues.push(issue);
    }

    fn note(&mut self, project_id: i64, issue: &mut Issue, v: &mut Random, h: &mut Random) {
        let id = self.id(issue.seen, v, h);
        // sometimes a note refers to a project that the viewer does not see
        let hidden: Vec<i64> =
            self.projects.iter().filter(|known| !known.seen).map(|known| known.id).collect();
        let r = if issue.seen { &mut *v } else { &mut *h };
        let (text, system, at) = (r.words(), r.chance(20), r.time());
        let reference =
            system.then(|| (format!("secret/{}#{}", h.word(), h.below(9)), h.pick(&hidden).copied()));
        let (reference, elsewhere) = reference.filter(|(_, id)| id.is_some()).unzip();
        add!(
            self,
            "notes (id, project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)",
            id,
            project_id,
            issue.id,
            18,
            text,
            system,
            reference,
            elsewhere.flatten(),
            at,
            at
        );
        issue.notes.push(id);
    }

    fn repository(&mut self, project: &mut Project, seen: bool, v: &mut Random, h: &mut Random) {
        let count = if seen { v.below(6) } else { h.below(6) };
        for number in 0..count {
            let id = self.id(seen, v, h);
            let r = if seen { &mut *v } else { &mut *h };
            let (sha, at, text) = (r.sha(), 1_780_000_000 + 1000 * number + r.below(900), r.words());
            let parents =
                project.commits.last().map(|(_, sha)| format!("[\"{sha}\"]")).unwrap_or("[]".into());
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
                text,
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
                    add!(
                        self,
                        "refs (project_id, name, commit_id)",
                        project.id,
                        format!("refs/{name}"),
                        *tip
                    );
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
    fn build(
        &mut self,
        project: &mut Project,
        commit: i64,
        number: i64,
        seen: bool,
        v: &mut Random,
        h: &mut Random,
    ) {
        let (id, comment) = (self.id(seen, v, h), self.id(seen, v, h));
        let r = if seen { v } else { h };
        let state = r.any(&["pending", "running", "success", "failed", "canceled"]);
        let (git_ref, name, at) = (r.any(&["master", "", "next"]), format!("{}{number}", r.word()), r.time());
        add!(
            self,
            "statuses (id, project_id, commit_id, ref, name, stage, user_id, state, created_at)",
            id,
            project.id,
            commit,
            git_ref,
            name,
            r.any(&["test", "deploy"]),
            16,
            state,
            at
        );
        add!(
            self,
            "commit_comments (id, project_id, commit_id, author_id, note, created_at)",
            comment,
            project.id,
            commit,
            18,
            r.words(),
            at
        );
        project.statuses.push(id);
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
            add!(
                self,
                "environments (id, project_id, number, name, created_at)",
                id,
                project.id,
                number,
                name,
                0
            );
            known.push(id);
        }
        for iid in 1..=count {
            let id = self.id(seen, v, h);
            let r = if seen { &mut *v } else { &mut *h };
            let (environment, status, at) = (r.any(&known), r.any(&project.statuses), r.time());
            add!(
                self,
                "deployments (id, project_id, iid, environment_id, status_id, user_id, created_at)",
                id,
                project.id,
                iid,
                environment,
                status,
                16,
                at
            );
            project.deployments.push(id);
        }
    }
}
