"""python-gitlab 8.6.0, unmodified, over contents of repositories, releases, packages, searches and Markdown. The
environment is that of tests/clients/world.mjs."""
import base64
import hashlib
import io
import os
import tarfile
import unittest
import urllib.request
import uuid
import zipfile

import gitlab

SERVER, GROUP = os.environ["BASE_URL"], int(os.environ["GROUP_ID"])
CONTENTS, PATH, SHA = int(os.environ["CONTENTS_ID"]), os.environ["CONTENTS_PATH"], os.environ["CONTENTS_SHA"]
PNG = bytes.fromhex("89504e470d0a1a0a00ff")
MIRROR = f"403 Forbidden - {PATH} is a mirror: push to its git host instead"


def connect(token):
    return gitlab.Gitlab(SERVER, private_token=token, timeout=30)


def unique(name):
    return f"{name}-{uuid.uuid4().hex[:8]}"


def blob_id(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


class Contents(unittest.TestCase):
    def setUp(self):
        self.api, self.admin = connect(os.environ["TOKEN"]), connect(os.environ["ADMIN_TOKEN"])
        self.project, self.owned = self.api.projects.get(CONTENTS), self.admin.projects.get(CONTENTS)

    def refused(self, status, call, *args, **kwargs):
        with self.assertRaises(gitlab.GitlabError) as caught:
            call(*args, **kwargs)
        self.assertEqual(caught.exception.response_code, status)
        return caught.exception

    def test_tree(self):
        root = self.project.repository_tree(get_all=True)
        self.assertEqual([entry["name"] for entry in root], ["a dir", "many", "src", "README.md", "image.png", "link", "run.sh"])
        by_number = self.project.repository_tree(recursive=True, get_all=True, per_page=10)
        by_token = list(self.project.repository_tree(recursive=True, iterator=True, pagination="keyset", per_page=10))
        self.assertEqual(len(by_number), 35)
        self.assertEqual(by_token, by_number)
        inside = self.project.repository_tree(path="src", ref="v1.0.0", get_all=True)
        self.assertEqual([(entry["path"], entry["type"]) for entry in inside], [("src/deep", "tree"), ("src/main.txt", "blob")])
        self.refused(404, self.project.repository_tree, ref="none")
        self.refused(404, self.project.repository_tree, path="none")

    def test_files(self):
        text = b"one\n2\nthree\n"
        file = self.project.files.get(file_path="src/main.txt", ref="main")
        self.assertEqual(file.decode(), text)
        self.assertEqual((file.blob_id, file.commit_id, file.size), (blob_id(text), SHA, len(text)))
        self.assertEqual(file.content_sha256, hashlib.sha256(text).hexdigest())
        self.assertEqual(self.project.files.get(file_path="a dir/ü.txt", ref="HEAD").decode().decode(), "ümlaut\n")
        headers = self.project.files.head(file_path="run.sh", ref="v1.0.0")
        self.assertEqual((headers["X-Gitlab-File-Name"], headers["X-Gitlab-Execute-Filemode"]), ("run.sh", "true"))
        self.assertEqual(self.project.files.raw(file_path="image.png", ref="topic/one"), PNG)
        self.assertEqual(b"".join(self.project.files.raw(file_path="image.png", ref="main", iterator=True)), PNG)
        self.refused(404, self.project.files.get, file_path="none", ref="main")
        self.refused(404, self.project.files.get, file_path="README.md", ref="none")
        self.refused(501, self.project.files.blame, file_path="README.md", ref="main")

    def test_blobs(self):
        blob = self.project.repository_blob(blob_id(PNG))
        self.assertEqual((base64.b64decode(blob["content"]), blob["size"]), (PNG, len(PNG)))
        self.assertEqual(self.project.repository_raw_blob(blob_id(PNG)), PNG)
        self.refused(404, self.project.repository_blob, "0" * 40)

    def test_comparisons(self):
        compared = self.project.repository_compare("v1.0.0", "main")
        self.assertEqual([commit["title"] for commit in compared["commits"]], ["Change a line", "Move a file"])
        self.assertEqual(sorted((diff["new_path"], diff["renamed_file"]) for diff in compared["diffs"]), [("src/main.txt", False), ("src/moved.txt", True)])
        self.assertEqual(self.project.repository_compare("main", "main")["compare_same_ref"], True)
        self.refused(404, self.project.repository_compare, "main", "none")
        base = self.project.repository_merge_base(["main", "topic/one"])
        self.assertEqual(base["id"], self.project.tags.get("v1.0.0").commit["id"])
        self.refused(400, self.project.repository_merge_base, ["main"])
        people = self.project.repository_contributors(get_all=True)
        self.assertEqual([(person["email"], person["commits"]) for person in people], [("dev@example.com", 3)])

    def test_archives(self):
        packed = self.project.repository_archive(sha="v1.0.0")
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as archive:
            folder = f"contents-v1.0.0-{self.project.tags.get('v1.0.0').commit['id']}"
            self.assertEqual(archive.extractfile(f"{folder}/src/main.txt").read(), b"one\ntwo\nthree\n")
            self.assertEqual(archive.getmember(f"{folder}/link").linkname, "README.md")
            self.assertEqual(archive.getmember(f"{folder}/run.sh").mode & 0o111, 0o111)
        packed = b"".join(self.project.repository_archive(format="zip", iterator=True))
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            self.assertEqual(archive.read(f"contents-main-{SHA}/src/moved.txt"), b"deep\n")
            self.assertIsNone(archive.testzip())
        self.refused(404, self.project.repository_archive, sha="none")

    def test_writes_are_refused_with_the_reason(self):
        change = {"file_path": "new.txt", "branch": "main", "content": "text", "commit_message": "Add"}
        commit = {"branch": "main", "commit_message": "Add", "actions": [{"action": "create", "file_path": "a", "content": "b"}]}
        file = self.project.files.get(file_path="README.md", ref="main")
        for call, args in (
            (self.project.files.create, [change]),
            (self.project.files.update, ["README.md", change]),
            (file.delete, ["main", "Remove"]),
            (self.project.commits.create, [commit]),
            (self.project.branches.create, [{"branch": "new", "ref": "main"}]),
            (self.project.branches.delete, ["topic/one"]),
            (self.project.tags.create, [{"tag_name": "v9", "ref": "main"}]),
            (self.project.tags.delete, ["v1.0.0"]),
        ):
            self.assertEqual(self.refused(403, call, *args).error_message, MIRROR)

    def test_a_release_with_files(self):
        uploaded = self.project.upload("manual.txt", filedata=b"how")
        name = unique("tool")
        made = self.project.generic_packages.upload(name, "1.0.0", "tool.bin", data=PNG, select="package_file")
        links = [
            {"name": "tool", "url": made.file["url"], "direct_asset_path": "/tool.bin", "link_type": "package"},
            {"name": "manual", "url": SERVER + uploaded["full_path"]},
        ]
        milestone = self.owned.milestones.create({"title": unique("m")})
        release = self.project.releases.create(
            {"tag_name": "v1.0.0", "name": "One", "description": "# First", "milestones": [milestone.title], "assets": {"links": links}}
        )
        try:
            self.assertEqual(sorted(link["name"] for link in release.assets["links"]), ["manual", "tool"])
            # the client sends each list again that was read as `release.milestones`
            self.assertEqual([one["title"] for one in release.attributes["milestones"]], [milestone.title])
            for link in release.assets["links"]:
                for url in (link["url"], link["direct_asset_url"]):
                    request = urllib.request.Request(url, headers={"PRIVATE-TOKEN": os.environ["TOKEN"]})
                    self.assertEqual(urllib.request.urlopen(request).read(), PNG if link["name"] == "tool" else b"how")
            self.refused(409, self.project.releases.create, {"tag_name": "v1.0.0"})
            self.refused(422, self.project.releases.create, {"tag_name": "v0.0.1", "ref": "main"})
            release.description = "Changed"
            release.save()
            self.assertEqual(self.project.releases.get("v1.0.0").description, "Changed")
            self.assertEqual([one.tag_name for one in self.project.releases.list(get_all=True)], ["v1.0.0"])
            link = release.links.create({"name": "site", "url": "https://example.com/", "link_type": "other"})
            link.name = "page"
            link.save()
            self.assertEqual(release.links.get(link.id).name, "page")
            self.refused(400, release.links.create, {"name": "page", "url": "https://example.org/"})
            self.assertEqual(len(release.links.list(get_all=True)), 3)
            link.delete()
            self.assertEqual(len(release.links.list(get_all=True)), 2)
        finally:
            self.project.releases.delete("v1.0.0")
            milestone.delete()
        self.refused(404, self.project.releases.get, "v1.0.0")
        found = self.project.packages.list(package_name=name, get_all=True)[0]
        self.owned.packages.delete(found.id)

    def test_packages_and_uploads_of_a_project(self):
        name = unique("tool")
        for version in ("1.0.0", "1.1.0"):
            self.project.generic_packages.upload(name, version, "a.txt", data=version.encode())
        listed = self.project.packages.list(package_name=name, order_by="version", sort="desc", get_all=True)
        self.assertEqual([package.version for package in listed], ["1.1.0", "1.0.0"])
        self.assertEqual(b"".join(self.project.generic_packages.download(name, "1.0.0", "a.txt", iterator=True)), b"1.0.0")
        file = listed[0].package_files.list(get_all=True)[0]
        self.assertEqual(file.file_sha256, hashlib.sha256(b"1.1.0").hexdigest())
        self.owned.packages.get(listed[0].id).package_files.delete(file.id)
        self.refused(404, self.project.generic_packages.download, name, "1.1.0", "a.txt")
        for package in listed:
            self.owned.packages.delete(package.id)
        self.assertEqual(self.project.packages.list(package_name=name, get_all=True), [])

    def test_searches(self):
        word = unique("Searched")
        issue = self.project.issues.create({"title": word})
        milestone = self.owned.milestones.create({"title": word})
        group = self.api.groups.get(GROUP)
        for place in (self.api, group, self.project):
            self.assertEqual([found["id"] for found in place.search("issues", word)], [issue.id])
            self.assertEqual([found["id"] for found in place.search("milestones", word)], [milestone.id])
        for place in (self.api, group):
            self.assertIn(CONTENTS, [found["id"] for found in place.search("projects", "contents")])
        for place in (self.api, self.project):
            self.assertIn("client-dev", [found["username"] for found in place.search("users", "client-dev")])
        self.assertEqual(self.project.search("merge_requests", word), [])
        for scope in ("commits", "blobs", "notes"):
            self.refused(400, self.api.search, scope, word)
        note = issue.notes.create({"body": f"about {word}"})
        self.assertEqual([found["id"] for found in self.project.search("notes", word)], [note.id])
        newest = self.project.commits.list(per_page=1, get_all=False)[0]
        self.assertEqual([found["id"] for found in self.project.search("commits", newest.id[:8])], [newest.id])
        self.refused(400, self.project.search, "blobs", word)
        self.refused(401, gitlab.Gitlab(SERVER).search, "projects", "contents")
        milestone.delete()

    def test_markdown(self):
        self.assertIn("<strong>bold</strong>", self.api.markdown("**bold**"))
        self.assertIn("&lt;b&gt;", self.api.markdown("<b>raw</b>", gfm=True, project=PATH))
        self.refused(404, self.api.markdown, "text", gfm=True, project="no/such")
        self.refused(401, gitlab.Gitlab(SERVER).markdown, "text")


if __name__ == "__main__":
    unittest.main(verbosity=2)
