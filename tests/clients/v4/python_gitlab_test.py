"""python-gitlab 8.6.0, unmodified, against /api/v4: objects as people use them, and the lists to their ends. The
environment is that of tests/clients/world.mjs."""
import asyncio
import json
import os
import unittest
import uuid

import gitlab

SERVER, PROJECT = os.environ["BASE_URL"], int(os.environ["PROJECT_ID"])
OTHER_PROJECT, GROUP = int(os.environ["OTHER_PROJECT_ID"]), int(os.environ["GROUP_ID"])
SHA, PATH = os.environ["COMMIT_SHA"], os.environ["PROJECT_PATH"]


def connect(token, **more):
    return gitlab.Gitlab(SERVER, private_token=token, timeout=30, **more)


def unique(name):
    return f"{name}-{uuid.uuid4().hex[:8]}"


class PythonGitlab(unittest.TestCase):
    def setUp(self):
        self.api, self.admin = connect(os.environ["TOKEN"]), connect(os.environ["ADMIN_TOKEN"])
        self.project = self.api.projects.get(PROJECT)
        self.owned = self.admin.projects.get(PROJECT)

    def refused(self, status, call, *args, **kwargs):
        with self.assertRaises(gitlab.GitlabError) as caught:
            call(*args, **kwargs)
        self.assertEqual(caught.exception.response_code, status)
        return caught.exception

    def open_issue(self, **fields):
        return self.project.issues.create({"title": unique("By python-gitlab"), **fields})

    def test_who_it_is(self):
        self.api.auth()
        self.assertEqual(self.api.user.username, "client-dev")
        version, revision = self.api.version()
        self.assertEqual(len(version.split("-")[0].split(".")), 3)
        self.assertTrue(revision)
        self.refused(401, connect("nobody's").auth)
        bearer = gitlab.Gitlab(SERVER, oauth_token=os.environ["TOKEN"])
        bearer.auth()
        self.assertEqual(bearer.user.id, self.api.user.id)

    def test_projects(self):
        self.assertEqual(self.api.projects.get(PATH).id, PROJECT)
        listed = self.api.projects.list(membership=True, get_all=True)
        self.assertEqual({PROJECT, OTHER_PROJECT} - {project.id for project in listed}, set())
        keyset = self.api.projects.list(iterator=True, pagination="keyset", order_by="id", per_page=1, sort="asc")
        ids = [project.id for project in keyset]
        self.assertEqual(ids, sorted(set(ids)))
        self.assertIn(PROJECT, ids)
        self.assertEqual(self.project.visibility, "private")
        self.assertEqual(self.project.permissions["project_access"]["access_level"], 30)
        self.assertIn(PROJECT, [project.id for project in self.api.groups.get(GROUP).projects.list(get_all=True)])
        self.refused(404, self.api.projects.get, 999999999)
        made = self.admin.projects.create({"name": unique("made"), "visibility": "internal", "namespace_id": GROUP})
        made.description = "by python-gitlab"
        made.save()
        self.assertEqual(self.admin.projects.get(made.id).description, "by python-gitlab")
        made.archive()
        self.assertTrue(self.admin.projects.get(made.id).archived)
        made.unarchive()
        made.delete()
        self.refused(404, self.admin.projects.get, made.id)

    def test_an_issue_from_its_opening_to_its_end(self):
        issue = self.open_issue(labels=["bug", "feature one"], due_date="2026-12-31", description="- [x] one\n- [ ] two")
        self.assertEqual(sorted(issue.labels), ["bug", "feature one"])
        self.assertEqual(issue.task_completion_status, {"count": 2, "completed_count": 1})
        self.assertEqual(issue.references["full"], f"{PATH}#{issue.iid}")
        issue = self.project.issues.get(issue.iid)
        issue.title, issue.labels, issue.state_event = "Saved", ["bug"], "close"
        issue.save()
        issue = self.project.issues.get(issue.iid)
        self.assertEqual((issue.title, issue.labels, issue.state), ("Saved", ["bug"], "closed"))
        self.assertIsNotNone(issue.closed_at)
        # the client also has a method of this name
        self.assertEqual(issue.attributes["closed_by"]["username"], "client-dev")
        issue.state_event = "reopen"
        issue.save()
        self.assertIsNone(self.project.issues.get(issue.iid).closed_at)
        me = self.api.users.list(username="client-dev")[0]
        self.api.projects.get(PROJECT).issues.update(issue.iid, {"assignee_ids": [me.id], "add_labels": "later"})
        issue = self.project.issues.get(issue.iid)
        self.assertEqual([user["id"] for user in issue.assignees], [me.id])
        self.assertEqual(sorted(issue.labels), ["bug", "later"])
        issue.unsubscribe()
        self.refused(304, issue.unsubscribe)
        issue.subscribe()
        self.refused(304, issue.subscribe)
        self.assertIn("client-dev", [user["username"] for user in issue.participants()])
        self.assertEqual(issue.time_stats()["time_estimate"], 0)
        self.assertEqual(issue.closed_by(), [])
        self.refused(403, issue.delete)
        self.owned.issues.get(issue.iid).delete()
        self.refused(404, self.project.issues.get, issue.iid)

    def test_an_issue_moves(self):
        issue = self.open_issue()
        issue.move(OTHER_PROJECT)
        self.assertEqual(issue.project_id, OTHER_PROJECT)

    def test_issues_are_found(self):
        label = unique("only")
        mine = self.open_issue(labels=[label, "bug"], milestone_id=None)
        other = self.open_issue(labels=[label])
        found = self.project.issues.list(labels=[label], get_all=True)
        self.assertEqual({issue.iid for issue in found}, {mine.iid, other.iid})
        both = self.project.issues.list(labels=[label, "bug"], get_all=True)
        self.assertEqual([issue.iid for issue in both], [mine.iid])
        without = self.project.issues.list(labels=[label], get_all=True, **{"not[labels]": "bug"})
        self.assertEqual([issue.iid for issue in without], [other.iid])
        numbered = self.project.issues.list(iids=[mine.iid, other.iid], get_all=True)
        self.assertEqual({issue.iid for issue in numbered}, {mine.iid, other.iid})
        self.assertEqual([issue.iid for issue in self.project.issues.list(search=mine.title)], [mine.iid])
        self.assertIn(mine.id, [issue.id for issue in self.api.issues.list(get_all=True, scope="created_by_me")])
        self.assertIn(mine.id, [issue.id for issue in self.api.groups.get(GROUP).issues.list(get_all=True)])
        recent = self.project.issues.list(created_after=mine.created_at, get_all=True)
        self.assertIn(mine.iid, [issue.iid for issue in recent])
        counts = self.project.issues_statistics.get(labels=label).statistics["counts"]
        self.assertEqual(counts, {"all": 2, "closed": 0, "opened": 2})

    def test_every_page_once(self):
        whole = self.project.issues.list(get_all=True, per_page=100)
        paged = self.project.issues.list(iterator=True, per_page=5)
        self.assertGreater(len(whole), 5)
        self.assertEqual({issue.id for issue in whole} - {issue.id for issue in paged}, set())

    def test_notes_and_discussions(self):
        issue = self.open_issue()
        note = issue.notes.create({"body": "Seen"})
        note.body = "Seen twice"
        note.save()
        self.assertEqual(issue.notes.list()[0].body, "Seen twice")
        discussion = issue.discussions.create({"body": "A thread"})
        self.assertEqual(issue.discussions.get(discussion.id).attributes["notes"][0]["body"], "A thread")
        discussion.notes.create({"body": "An answer"})
        self.assertEqual(len(issue.notes.list(get_all=True)), 3)
        note.delete()
        self.assertEqual(len(issue.notes.list(get_all=True)), 2)
        for empty in (issue.resourcelabelevents, issue.resourcestateevents):
            self.assertEqual(empty.list(get_all=True), [])

    def test_emoji(self):
        issue = self.open_issue()
        note = issue.notes.create({"body": "Seen"})
        for awardable in (issue, note):
            award = awardable.awardemojis.create({"name": "thumbsup"})
            self.assertEqual([one.name for one in awardable.awardemojis.list(get_all=True)], ["thumbsup"])
            self.assertEqual(awardable.awardemojis.get(award.id).user["username"], "client-dev")
            self.refused(404, awardable.awardemojis.create, {"name": "thumbsup"})
        self.assertEqual(self.project.issues.get(issue.iid).upvotes, 1)
        found = self.project.issues.list(my_reaction_emoji="thumbsup", get_all=True)
        self.assertIn(issue.iid, [one.iid for one in found])
        issue.awardemojis.list()[0].delete()
        self.assertEqual(issue.awardemojis.list(), [])

    def test_links(self):
        issue, other = self.open_issue(), self.open_issue()
        link = issue.links.create({"target_project_id": PROJECT, "target_issue_iid": other.iid})
        self.assertEqual(issue.links.list()[0].iid, other.iid)
        self.refused(409, other.links.create, {"target_project_id": PROJECT, "target_issue_iid": issue.iid})
        issue.links.delete(issue.links.list()[0].issue_link_id)
        self.assertEqual((issue.links.list(), link[0].iid, link[1].iid), ([], issue.iid, other.iid))

    def test_times(self):
        issue = self.open_issue()
        issue.time_estimate("1w 2h")
        self.assertEqual(issue.add_spent_time("90m")["human_total_time_spent"], "1h 30m")
        # the client reads them from the issue that it has
        now = lambda: self.project.issues.get(issue.iid).time_stats()
        self.assertEqual(now()["human_time_estimate"], "1w 2h")
        issue.reset_spent_time()
        issue.reset_time_estimate()
        self.assertEqual((now()["total_time_spent"], now()["time_estimate"]), (0, 0))

    def test_badges(self):
        badge = self.owned.badges.create({"link_url": "https://example.com/%{project_path}", "image_url": "https://example.com/b.svg"})
        self.assertEqual(self.project.badges.get(badge.id).rendered_link_url, f"https://example.com/{PATH}")
        badge.name = "named"
        badge.save()
        self.assertEqual([one.name for one in self.project.badges.list(name="named", get_all=True)], ["named"])
        shown = self.owned.badges.render("https://example.com/%{project_id}", "https://example.com/b.svg")
        self.assertEqual(shown["rendered_link_url"], f"https://example.com/{PROJECT}")
        self.refused(403, self.project.badges.delete, badge.id)
        badge.delete()
        self.assertEqual(self.project.badges.list(), [])

    def test_followed_labels(self):
        self.open_issue(labels=["followed"])
        label = self.project.labels.get("followed")
        label.subscribe()
        self.assertTrue(self.project.labels.get("followed").subscribed)
        self.refused(304, label.subscribe)
        label.unsubscribe()
        self.assertFalse(self.project.labels.get("followed").subscribed)

    def test_todos(self):
        issue = self.open_issue()
        issue.todo()
        pending = [todo for todo in self.api.todos.list(get_all=True) if todo.target["id"] == issue.id]
        self.assertEqual(len(pending), 1)
        pending[0].mark_as_done()
        self.assertNotIn(issue.id, [todo.target["id"] for todo in self.api.todos.list(get_all=True)])
        self.assertIn(issue.id, [todo.target["id"] for todo in self.api.todos.list(get_all=True, state="done")])
        issue.todo()
        self.api.todos.mark_all_as_done()
        self.assertEqual(self.api.todos.list(get_all=True), [])

    def test_labels_and_milestones(self):
        name = unique("group") + "/label"
        label = self.owned.labels.create({"name": name, "color": "#ff8800"})
        self.assertEqual(label.color.upper(), "#FF8800")
        self.refused(409, self.owned.labels.create, {"name": name, "color": "#ff8800"})
        label.description = "told"
        label.save()
        self.assertEqual(self.project.labels.get(name).description, "told")
        renamed = unique("renamed")
        label.new_name = renamed
        label.save()
        label = self.owned.labels.get(renamed)
        label.delete()
        self.refused(404, self.project.labels.get, label.name)
        milestone = self.owned.milestones.create({"title": unique("m"), "start_date": "2026-01-01", "due_date": "2026-02-01"})
        self.assertTrue(milestone.expired)
        milestone.state_event = "close"
        milestone.save()
        self.assertEqual(self.project.milestones.get(milestone.id).state, "closed")
        self.assertEqual(list(milestone.issues()), [])
        milestone.delete()
        self.refused(404, self.project.milestones.get, milestone.id)

    def test_commits(self):
        commits = self.project.commits.list(get_all=True, per_page=3)
        self.assertEqual(len(commits), 8)
        self.assertEqual(commits[0].id, SHA)
        self.assertEqual(commits[0].parent_ids, [commits[1].id])
        commit = self.project.commits.get("master")
        self.assertEqual((commit.id, commit.stats["total"] > 0), (SHA, True))
        self.assertTrue(commit.diff()[0]["diff"].startswith("@@"))
        self.assertIn({"type": "branch", "name": "master"}, [dict(ref) for ref in commit.refs()])
        self.assertEqual(commit.sequence()["count"], 8)
        comment = commit.comments.create({"note": "Fine"})
        self.assertEqual(comment.note, "Fine")
        self.assertIn("Fine", [comment.note for comment in commit.comments.list(get_all=True)])
        self.assertEqual(commit.merge_requests(), [])
        self.refused(404, commit.signature)
        self.refused(404, self.project.commits.get, "0" * 40)

    def test_statuses(self):
        commit, name = self.project.commits.get(SHA), unique("ci")
        for state in ("pending", "running", "success"):
            commit.statuses.create({"state": state, "name": name, "ref": "master", "target_url": "https://ci.example.com/1"})
        listed = [status for status in commit.statuses.list(get_all=True) if status.name == name]
        self.assertEqual([status.status for status in listed], ["success"])
        commit.statuses.create({"state": "running", "name": unique("again")})
        again = unique("again")
        commit.statuses.create({"state": "running", "name": again})
        error = self.refused(400, commit.statuses.create, {"state": "running", "name": again})
        self.assertIn("Cannot transition status via :run from :running", str(error))
        skipped = commit.statuses.create({"state": "skipped", "name": unique("skipped"), "coverage": 12.5})
        self.assertEqual((skipped.status, skipped.coverage), ("skipped", 12.5))

    def test_reports_of_tests(self):
        name = unique("reported")
        job = self.project.commits.get(SHA).statuses.create({"state": "failed", "name": name, "ref": name})
        lines = [
            {"report": "tests", "version": 1},
            {"status": "failed", "name": "adds", "classname": "t.Sum", "system_output": "3 is not 4"},
            {"status": "success", "name": "subtracts", "execution_time": 0.5},
            {"end": 2},
        ]
        body = "\n".join(json.dumps(line) for line in lines)
        path = f"/projects/{PROJECT}/jobs/{job.id}/reports/tests"
        self.api.http_put(path, post_data=body, raw=True)
        pipeline = self.project.pipelines.get(self.project.jobs.get(job.id).pipeline["id"])
        report = pipeline.test_report.get()
        self.assertEqual((report.total_count, report.failed_count, report.total_time), (2, 1, 0.5))
        self.assertEqual([case["name"] for case in report.test_suites[0]["test_cases"]], ["adds", "subtracts"])
        self.assertEqual(pipeline.test_report_summary.get().total["failed"], 1)

    def test_branches_and_tags(self):
        self.assertEqual([branch.name for branch in self.project.branches.list(get_all=True)], ["master"])
        branch = self.project.branches.get("master")
        self.assertTrue(branch.default)
        self.assertEqual(branch.commit["id"], SHA)
        self.assertEqual(self.project.branches.list(search="^mas"), self.project.branches.list(search="ter$"))
        self.assertEqual(self.project.tags.list(get_all=True), [])

    def test_deployments_and_environments(self):
        made = self.project.deployments.create(
            {"environment": unique("review"), "sha": SHA, "ref": "master", "tag": False, "status": "running"}
        )
        made.status = "success"
        made.save()
        self.assertEqual(self.project.deployments.get(made.id).status, "success")
        self.assertIn(made.id, [deployment.id for deployment in self.project.deployments.list(get_all=True)])
        environment = self.project.environments.get(made.environment["id"])
        self.assertEqual((environment.state, environment.tier), ("available", "development"))
        environment.stop()
        self.assertEqual(self.project.environments.get(environment.id).state, "stopped")
        environment.delete()
        own = self.project.environments.create({"name": unique("production"), "external_url": "https://example.com"})
        own.external_url = "https://example.org"
        own.save()
        self.assertEqual(self.project.environments.get(own.id).external_url, "https://example.org")
        own.stop()
        own.delete()

    def test_members_and_groups(self):
        me = self.api.users.list(username="client-dev")[0]
        self.assertEqual(self.project.members.get(me.id).access_level, 30)
        self.assertIn(me.id, [member.id for member in self.project.members_all.list(get_all=True)])
        self.assertEqual(self.project.members_all.get(me.id).access_level, 30)
        group = self.admin.groups.create({"name": unique("Group"), "path": unique("group"), "visibility": "private"})
        member = group.members.create({"user_id": me.id, "access_level": gitlab.const.AccessLevel.REPORTER})
        self.refused(409, group.members.create, {"user_id": me.id, "access_level": 20})
        member.access_level = 40
        member.save()
        self.assertEqual(group.members.get(me.id).access_level, 40)
        self.assertIn(group.id, [found.id for found in self.api.groups.list(get_all=True)])
        self.assertTrue(self.api.namespaces.exists(group.path).exists)
        member.delete()
        group.delete()
        self.refused(404, self.admin.groups.get, group.id)

    def test_users_and_tokens(self):
        name = unique("user")
        user = self.admin.users.create({"username": name, "name": "U", "email": f"{name}@example.com", "password": "unused123"})
        self.assertTrue(user.block())
        self.assertEqual(self.admin.users.get(user.id).state, "blocked")
        self.assertTrue(user.unblock())
        made = user.personal_access_tokens.create({"name": "t", "scopes": ["api"], "expires_at": "2030-01-01"})
        self.assertEqual(made.expires_at, "2030-01-01")
        theirs = connect(made.token)
        self.assertEqual(theirs.personal_access_tokens.get("self").id, made.id)
        fresh = theirs.personal_access_tokens.get("self").rotate()
        self.refused(401, theirs.auth)
        self.assertEqual(connect(fresh["token"]).personal_access_tokens.get("self").name, "t")
        self.assertIn(fresh["id"], [token.id for token in self.admin.personal_access_tokens.list(user_id=user.id, get_all=True)])
        self.admin.personal_access_tokens.delete(fresh["id"])
        self.refused(401, connect(fresh["token"]).auth)
        with_sudo = self.admin.issues.list(sudo=user.id, scope="created_by_me", get_all=False)
        self.assertEqual(list(with_sudo), [])
        user.delete()

    def test_a_trust_is_a_token_of_the_project(self):
        project = self.admin.projects.get(PROJECT)
        issuer, claims = "https://ci.example.com", ["repository_id=74", "ref=refs/heads/main"]
        # the client asks for scopes
        made = project.access_tokens.create({"name": unique("ci"), "scopes": ["statuses"], "issuer": issuer, "claims": claims})
        self.assertIsNone(made.token)
        self.assertEqual((made.scopes, made.claims), (["statuses"], claims))
        self.assertIn(made.audience, [token.audience for token in project.access_tokens.list(get_all=True)])
        found = project.access_tokens.get(made.id)
        self.assertTrue(found.active)
        self.refused(400, found.rotate)
        found.delete()
        self.assertTrue(project.access_tokens.get(made.id).revoked)

    def test_settings_and_licenses(self):
        self.refused(403, self.api.settings.get)
        settings = self.admin.settings.get()
        self.assertIn(settings.default_project_visibility, ("private", "internal", "public"))
        before = settings.home_page_url
        settings.home_page_url = "https://example.com/"
        settings.save()
        self.assertEqual(self.admin.settings.get().home_page_url, "https://example.com/")
        settings.home_page_url = before or ""
        settings.save()
        nobody = gitlab.Gitlab(SERVER)
        self.assertIn("mit", [license.key for license in nobody.licenses.list(get_all=True, popular=True)])
        self.assertIn("Ann", nobody.licenses.get("mit", fullname="Ann").content)

    def test_what_there_is_none_of(self):
        for empty in (self.project.mergerequests, self.project.releases):
            self.assertEqual(empty.list(get_all=True), [])

    def test_uploads_and_packages(self):
        uploaded = self.project.upload("dk ü.png", filedata=b"\x89PNG")
        self.assertEqual(uploaded["alt"], "dk_ü")
        self.assertEqual(uploaded["markdown"], f"![dk_ü]({uploaded['url']})")
        name, version = unique("tool"), "1.0.0"
        told = self.project.generic_packages.upload(name, version, "a.txt", data=b"one")
        self.assertEqual(told.message, "201 Created")
        made = self.project.generic_packages.upload(name, version, "a.txt", data=b"two", select="package_file")
        self.assertTrue(made.file["url"].endswith(f"/packages/generic/{name}/{version}/a.txt"))
        self.assertEqual(self.project.generic_packages.download(name, version, "a.txt"), b"two")
        found = self.project.packages.list(package_name=name, get_all=True)
        self.assertEqual([(package.name, package.version) for package in found], [(name, version)])
        files = found[0].package_files.list(get_all=True)
        self.assertEqual([file.size for file in files], [3, 3])
        self.refused(403, self.project.packages.delete, found[0].id)
        self.owned.packages.delete(found[0].id)
        self.refused(404, self.project.generic_packages.download, name, version, "a.txt")

    def test_what_is_public_needs_no_token(self):
        public = self.admin.projects.create({"name": unique("public"), "visibility": "public"})
        nobody = gitlab.Gitlab(SERVER)
        seen = nobody.projects.get(public.id)
        self.assertEqual(seen.issues.list(get_all=True), [])
        self.assertIn(public.id, [project.id for project in nobody.projects.list(get_all=True)])
        self.refused(404, nobody.projects.get, PROJECT)
        self.assertEqual(seen.labels.list(get_all=True), [])
        self.refused(401, seen.jobs.list)
        public.delete()

    def test_many_at_once(self):
        async def all_of_them():
            numbers = [issue.iid for issue in self.project.issues.list(per_page=8, page=1)]
            return await asyncio.gather(*(asyncio.to_thread(self.project.issues.get, iid) for iid in numbers)), numbers

        found, numbers = asyncio.run(all_of_them())
        self.assertEqual([issue.iid for issue in found], numbers)


if __name__ == "__main__":
    unittest.main(verbosity=2)
