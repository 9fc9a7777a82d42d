"""python-gitlab 1.4.0, the last release that speaks v3, unmodified, against a server of profile `gitlab`: it takes
nothing but 201 for what it makes, and sends a whole object back when it saves one. The environment is that of
tests/clients/world.mjs."""
import os
import unittest
import warnings

warnings.simplefilter("ignore")
import gitlab

SERVER, PROJECT = os.environ["BASE_URL"], int(os.environ["PROJECT_ID"])
OTHER_PROJECT, GROUP = int(os.environ["OTHER_PROJECT_ID"]), int(os.environ["GROUP_ID"])
SHA = os.environ["COMMIT_SHA"]


def connect(token):
    return gitlab.Gitlab(SERVER, token, api_version="3", timeout=20)


class PythonGitlab(unittest.TestCase):
    def setUp(self):
        self.api, self.admin = connect(os.environ["TOKEN"]), connect(os.environ["ADMIN_TOKEN"])
        self.project = self.api.projects.get(PROJECT)

    def refused(self, status, call, *args, **kwargs):
        with self.assertRaises(gitlab.GitlabError) as caught:
            call(*args, **kwargs)
        self.assertEqual(caught.exception.response_code, status)

    def test_who_it_is(self):
        self.api.auth()
        self.assertEqual(self.api.user.username, "client-dev")
        self.assertEqual(len(self.api.version()), 2)
        self.assertEqual(self.api.projects.get("client-tests/first").id, PROJECT)
        self.refused(401, connect("nobody's").auth)

    def test_an_issue_is_saved_moved_and_deleted(self):
        issue = self.project.issues.create({"title": "By python-gitlab", "labels": ["bug", "feature one"]})
        self.assertEqual(sorted(issue.labels), ["bug", "feature one"])
        issue.title, issue.state_event = "Saved", "close"
        issue.save()
        issue = self.project.issues.get(issue.id)
        self.assertEqual((issue.title, issue.state, sorted(issue.labels)), ("Saved", "closed", ["bug", "feature one"]))
        issue.notes.create({"body": "Seen"})
        self.assertIn("Seen", [note.body for note in issue.notes.list()])
        issue.unsubscribe()
        self.refused(304, issue.unsubscribe)
        issue.subscribe()
        self.refused(304, issue.subscribe)
        issue.todo()
        issue.move(OTHER_PROJECT)
        self.assertEqual(issue.project_id, OTHER_PROJECT)
        self.refused(404, self.api.project_issues.delete, issue.id, project_id=OTHER_PROJECT)
        self.admin.project_issues.delete(issue.id, project_id=OTHER_PROJECT)
        self.refused(404, self.api.project_issues.get, issue.id, project_id=OTHER_PROJECT)

    def test_lists_follow_their_links(self):
        every = self.project.issues.list(all=True, per_page=5)
        self.assertGreater(len(every), 10)
        self.assertEqual(len({issue.id for issue in every}), len(every))
        self.assertTrue(self.api.groups.get(GROUP).issues.list())
        commits = self.project.commits.list(all=True, per_page=3)
        self.assertEqual(len({commit.id for commit in commits}), 8)

    def test_a_commit_and_its_build(self):
        commit = self.project.commits.get("master")
        self.assertEqual((commit.id, commit.stats["total"]), (SHA, 2))
        for state in ["pending", "running", "success"]:
            status = commit.statuses.create({"state": state, "name": "python-gitlab", "ref": "master"})
            self.assertEqual(status.status, state)
        self.assertIn("python-gitlab", [status.name for status in commit.statuses.list(all=True)])
        self.assertEqual(self.project.branches.get("master").commit["id"], SHA)

    def test_settings_are_saved_whole(self):
        settings = self.admin.settings.get()
        limit, settings.default_projects_limit = settings.default_projects_limit, 33
        settings.save()
        settings = self.admin.settings.get()
        self.assertEqual(settings.default_projects_limit, 33)
        settings.default_projects_limit = limit
        settings.save()


if __name__ == "__main__":
    unittest.main(verbosity=2)
