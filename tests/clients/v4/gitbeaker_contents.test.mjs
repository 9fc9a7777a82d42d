// The unmodified @gitbeaker/rest 43.8.0 over contents of repositories, releases, searches and Markdown.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { after, describe, test } from "node:test";
import { Gitlab } from "@gitbeaker/rest";
import { adminToken, contents, group, project, server, token } from "../server.mjs";

/** @returns {any} its types are those of GitLab, which has more */
const as = (token) => new Gitlab({ host: server, token });
const api = as(token);
const admin = as(adminToken);
const { id, path, sha } = contents;
const unique = (name) => `${name}-${randomUUID().slice(0, 8)}`;
const hash = (name, bytes) => createHash(name).update(bytes).digest("hex");
const blobId = (text) => hash("sha1", Buffer.concat([Buffer.from(`blob ${Buffer.byteLength(text)}\0`), Buffer.from(text)]));
const PNG = Buffer.from("89504e470d0a1a0a00ff", "hex");
const bytes = async (blob) => Buffer.from(await blob.arrayBuffer());

async function refused(status, call) {
  await assert.rejects(call, (/** @type {any} */ error) => {
    assert.equal(error.cause?.response?.status, status, String(error));
    return true;
  });
}

describe("contents", { skip: process.env.PROFILE === "gitlab" && "this server has no store for files" }, () => {
  test("a tree, and all of it in pages by keyset", async () => {
    const root = await api.Repositories.allRepositoryTrees(id);
    assert.deepEqual(
      root.map(({ name, type, mode }) => [name, type, mode]),
      [
        ["a dir", "tree", "040000"],
        ["many", "tree", "040000"],
        ["src", "tree", "040000"],
        ["README.md", "blob", "100644"],
        ["image.png", "blob", "100644"],
        ["link", "blob", "120000"],
        ["run.sh", "blob", "100755"],
      ],
    );
    const all = await api.Repositories.allRepositoryTrees(id, { recursive: true, pagination: "keyset", perPage: 4 });
    const paths = all.map((entry) => entry.path);
    assert.deepEqual([paths.length, new Set(paths).size], [35, 35]);
    assert.ok(paths.includes("a dir/ü.txt"));
    const inside = await api.Repositories.allRepositoryTrees(path, { path: "src", ref: "v1.0.0" });
    assert.deepEqual(
      inside.map((entry) => entry.path),
      ["src/deep", "src/main.txt"],
    );
    await refused(404, () => api.Repositories.allRepositoryTrees(id, { ref: "none" }));
    await refused(404, () => api.Repositories.allRepositoryTrees(id, { path: "none" }));
  });

  test("a file with its content, and its bytes", async () => {
    const file = await api.RepositoryFiles.show(id, "src/main.txt", "main");
    assert.equal(Buffer.from(file.content, "base64").toString(), "one\n2\nthree\n");
    assert.deepEqual([file.blob_id, file.commit_id, file.size, file.encoding], [blobId("one\n2\nthree\n"), sha, 12, "base64"]);
    assert.equal(file.content_sha256, hash("sha256", "one\n2\nthree\n"));
    const [, change] = await api.Commits.all(id, { refName: "main" });
    assert.deepEqual([change.title, file.last_commit_id], ["Change a line", change.id]);
    assert.equal((await api.RepositoryFiles.show(id, "run.sh", "v1.0.0")).execute_filemode, true);
    assert.equal((await api.RepositoryFiles.show(path, "a dir/ü.txt", "HEAD")).file_name, "ü.txt");
    // the client gives text as text, and other bytes as a Blob
    assert.equal(await api.RepositoryFiles.showRaw(id, "src/main.txt", "topic/one"), "one\ntwo\nthree\n");
    assert.deepEqual(await bytes(await api.RepositoryFiles.showRaw(id, "image.png", "main")), PNG);
    await refused(404, () => api.RepositoryFiles.show(id, "none.txt", "main"));
    await refused(404, () => api.RepositoryFiles.show(id, "src/main.txt", "none"));
    await refused(501, () => api.RepositoryFiles.allFileBlames(id, "src/main.txt", "main"));
  });

  test("blobs by their hashes", async () => {
    const blob = await api.Repositories.showBlob(id, blobId(PNG));
    assert.deepEqual([Buffer.from(blob.content, "base64"), blob.size, blob.sha], [PNG, PNG.length, blobId(PNG)]);
    assert.deepEqual(await bytes(await api.Repositories.showBlobRaw(id, blobId(PNG))), PNG);
    await refused(404, () => api.Repositories.showBlob(project, blobId(PNG)));
  });

  test("comparisons, merge bases and contributors", async () => {
    const compared = await api.Repositories.compare(id, "v1.0.0", "main");
    assert.deepEqual(
      compared.commits.map(({ title }) => title),
      ["Change a line", "Move a file"],
    );
    assert.deepEqual([compared.commit.id, compared.compare_same_ref, compared.compare_timeout], [sha, false, false]);
    assert.deepEqual(compared.diffs.map((diff) => [diff.old_path, diff.new_path, diff.renamed_file]).sort(), [
      ["src/deep/er/file.txt", "src/moved.txt", true],
      ["src/main.txt", "src/main.txt", false],
    ]);
    assert.match(compared.diffs.find(({ new_path }) => new_path === "src/main.txt").diff, /^@@.*\n one\n-two\n\+2\n three\n$/);
    const straight = await api.Repositories.compare(id, "main", "topic/one", { straight: true });
    assert.ok(straight.diffs.length > (await api.Repositories.compare(id, "main", "topic/one")).diffs.length);
    await refused(404, () => api.Repositories.compare(id, "main", "none"));
    const base = await api.Repositories.mergeBase(id, ["main", "topic/one"]);
    assert.equal(base.id, (await api.Tags.show(id, "v1.0.0")).commit.id);
    await refused(400, () => api.Repositories.mergeBase(id, ["main"]));
    const people = await api.Repositories.allContributors(id, { orderBy: "commits", sort: "desc" });
    assert.deepEqual(
      people.map(({ email, commits }) => [email, commits]),
      [["dev@example.com", 3]],
    );
  });

  test("archives", async () => {
    const tar = gunzipSync(await bytes(await api.Repositories.showArchive(id, { sha: "v1.0.0" }))).toString("latin1");
    assert.match(tar, /contents-v1\.0\.0-[0-9a-f]{40}\/src\/main\.txt/);
    const zip = await bytes(await api.Repositories.showArchive(path, { fileType: "zip", path: "src" }));
    assert.equal(zip.subarray(0, 4).toString("latin1"), "PK\x03\x04");
    assert.ok(zip.includes("src/moved.txt") && !zip.includes("README.md"));
    await refused(404, () => api.Repositories.showArchive(id, { sha: "none" }));
  });

  test("what would change the repository is refused with the reason", async () => {
    for (const call of [
      () => api.RepositoryFiles.create(id, "new.txt", "main", "text", "Add"),
      () => api.RepositoryFiles.edit(id, "README.md", "main", "text", "Change"),
      () => api.RepositoryFiles.remove(id, "README.md", "main", "Remove"),
      () => api.Commits.create(id, "main", "Add", [{ action: "create", filePath: "new.txt", content: "text" }]),
      () => api.Branches.create(id, "new", "main"),
      () => api.Tags.create(id, "v9", "main"),
      () => api.Tags.remove(id, "v1.0.0"),
      () => api.Branches.remove(id, "topic/one"),
    ]) {
      await assert.rejects(call, (/** @type {any} */ error) => {
        assert.deepEqual(
          [error.cause?.response?.status, error.cause?.description],
          [403, `403 Forbidden - ${path} is a mirror: push to its git host instead`],
        );
        return true;
      });
    }
  });

  test("a file of a release is downloaded by its path", async () => {
    const name = unique("tool");
    await api.PackageRegistry.publish(id, name, "1.0.0", { content: new Blob(["one"]), filename: "a.txt" });
    const url = `${server}/api/v4/projects/${id}/packages/generic/${name}/1.0.0/a.txt`;
    await api.ProjectReleases.create(id, { tagName: "v1.1.0", assets: { links: [{ name: "a", url, direct_asset_path: "/bin/a.txt" }] } });
    try {
      const stored = await bytes(await api.PackageRegistry.download(id, name, "1.0.0", "a.txt"));
      assert.deepEqual(await bytes(await api.ProjectReleases.download(id, "v1.1.0", "bin/a.txt")), stored);
      assert.deepEqual(await bytes(await api.ProjectReleases.downloadLatest(id, "bin/a.txt")), stored);
    } finally {
      await api.ProjectReleases.remove(id, "v1.1.0");
    }
  });
});

describe("releases", () => {
  after(() => api.ProjectReleases.remove(id, "v1.0.0").catch(() => {}));

  test("a release from its making to its end", async () => {
    const made = await api.ProjectReleases.create(id, {
      tagName: "v1.0.0",
      name: "One",
      description: "# First",
      assets: { links: [{ name: "site", url: "https://example.com/1" }] },
    });
    assert.deepEqual([made.name, made.tag_name, made.author.username, made.assets.links.length], ["One", "v1.0.0", "client-dev", 1]);
    assert.equal(made.commit.id, (await api.Tags.show(id, "v1.0.0")).commit.id);
    assert.deepEqual((await api.Tags.show(id, "v1.0.0")).release, { tag_name: "v1.0.0", description: "# First" });
    await refused(409, () => api.ProjectReleases.create(id, { tagName: "v1.0.0" }));
    await refused(422, () => api.ProjectReleases.create(id, { tagName: "v0.0.1", ref: "main" }));
    assert.match((await api.ProjectReleases.show(id, "v1.0.0", { includeHtmlDescription: true })).description_html, /<h1[^>]*>First<\/h1>/);
    assert.deepEqual(
      (await api.ProjectReleases.all(id)).map(({ tag_name }) => tag_name),
      ["v1.0.0"],
    );
    assert.equal((await api.ProjectReleases.showLatest(id)).tag_name, "v1.0.0");
    const changed = await api.ProjectReleases.edit(id, "v1.0.0", { description: "Changed" });
    assert.deepEqual([changed.name, changed.description], ["One", "Changed"]);

    const link = await api.ReleaseLinks.create(id, "v1.0.0", "notes", "https://example.com/notes", {
      linkType: "runbook",
      directAssetPath: "/notes.txt",
    });
    assert.equal(link.direct_asset_url, `${server}/${path}/-/releases/v1.0.0/downloads/notes.txt`);
    assert.equal((await api.ReleaseLinks.show(id, "v1.0.0", link.id)).link_type, "runbook");
    assert.equal((await api.ReleaseLinks.edit(id, "v1.0.0", link.id, { name: "how to" })).name, "how to");
    assert.deepEqual(
      (await api.ReleaseLinks.all(id, "v1.0.0")).map(({ name }) => name),
      ["how to", "site"],
    );
    await refused(400, () => api.ReleaseLinks.create(id, "v1.0.0", "how to", "https://example.com/other"));
    await api.ReleaseLinks.remove(id, "v1.0.0", link.id);
    await refused(404, () => api.ReleaseLinks.show(id, "v1.0.0", link.id));

    await api.ProjectReleases.remove(id, "v1.0.0");
    await refused(404, () => api.ProjectReleases.show(id, "v1.0.0"));
    assert.equal((await api.Tags.show(id, "v1.0.0")).release, null);
  });
});

describe("searches and Markdown", () => {
  test("each scope that there is, and the others are refused", async () => {
    const word = unique("Searched");
    const issue = await api.Issues.create(id, word);
    const milestone = await admin.ProjectMilestones.create(id, word);
    const ids = async (scope, text, more) => (await api.Search.all(scope, text, more)).map((one) => one.id);
    for (const more of [{}, { groupId: group }, { projectId: id }])
      assert.deepEqual(await ids("issues", word, more), [issue.id], JSON.stringify(more));
    for (const more of [{}, { groupId: group }]) assert.ok((await ids("projects", "contents", more)).includes(id));
    for (const more of [{}, { projectId: id }])
      assert.ok((await api.Search.all("users", "client-dev", more)).some(({ username }) => username === "client-dev"));
    for (const more of [{}, { groupId: group }, { projectId: id }])
      assert.deepEqual(await ids("milestones", word, more), [milestone.id], JSON.stringify(more));
    for (const [scope, more] of [
      ["merge_requests", {}],
      ["merge_requests", { projectId: id }],
      ["snippet_titles", {}],
      ["wiki_blobs", { projectId: id }],
    ])
      assert.deepEqual(await ids(scope, word, more), []);
    for (const scope of ["notes", "commits", "blobs", "wiki_blobs"]) await refused(400, () => api.Search.all(scope, word));
    const note = await api.IssueNotes.create(id, issue.iid, `about ${word}`);
    assert.deepEqual(await ids("notes", `about ${word}`, { projectId: id }), [note.id]);
    const [newest] = await api.Commits.all(id, { perPage: 1, maxPages: 1 });
    assert.deepEqual(await ids("commits", newest.id.slice(0, 8), { projectId: id }), [newest.id]);
    assert.ok((await ids("commits", newest.title, { projectId: id })).includes(newest.id));
    await refused(400, () => api.Search.all("blobs", word, { projectId: id }));
    await admin.ProjectMilestones.remove(id, milestone.id);
  });

  test("Markdown becomes HTML", async () => {
    const { html } = await api.Markdown.render("**bold** <b>raw</b> [x](https://example.com)");
    assert.match(html, /<strong>bold<\/strong> &lt;b&gt;raw&lt;\/b&gt; <a [^>]*href="https:\/\/example\.com"/);
    assert.match((await api.Markdown.render("- [x] done", { gfm: true, project: path })).html, /checkbox/);
    await refused(404, () => api.Markdown.render("text", { gfm: true, project: "no/such" }));
  });
});
