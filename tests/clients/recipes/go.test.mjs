// The Go library that goreleaser and Argo CD are built on, in the version that Debian packages, with their calls: see
// go/main.go. These programs themselves are not run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { Recipe } from "./recipe.mjs";

const GOPATH = "/usr/share/gocode";
const lacks = () => {
  if (!process.env.HOOK) return "HOOK is not set: `make clients` sets it";
  if (spawnSync("go", ["version"]).status !== 0 || !existsSync(join(GOPATH, "src/github.com/xanzy/go-gitlab")))
    return "go-gitlab is not installed: Debian has it as golang-go and golang-github-xanzy-go-gitlab-dev";
  return false;
};

describe("go-gitlab", { skip: lacks() }, () => {
  let recipe, project;
  before(async () => {
    recipe = await Recipe.begin();
    project = await recipe.project("go", { "apps/web/kustomization.yaml": "resources: []\n" });
    const { repository } = project;
    repository.git("tag", "v0.1.0");
    repository.commit("b.txt", "1\n", "feat: b");
    repository.git("tag", "v1.0.0");
    repository.push("main", "v0.1.0", "v1.0.0");
  });
  after(() => recipe?.stop());

  test("the calls of goreleaser and Argo CD, and the others for contents", async () => {
    const { code, output, requests } = await recipe.start(["go", "run", resolve("tests/clients/recipes/go/main.go")], {
      cwd: recipe.folder,
      GO111MODULE: "off",
      GOPATH,
      GOCACHE: join(recipe.folder, "cache"),
      GOFLAGS: "",
      BASE_URL: recipe.address,
      TOKEN: project.developer.token,
      GROUP_PATH: "go",
      PROJECT_PATH: "go/project",
      TAG: "v1.0.0",
    });
    assert.equal(code, 0, output);
    const sha = project.repository.git("rev-parse", "HEAD");
    const { write, ...got } = JSON.parse(output);
    assert.deepEqual(got, {
      argo: ["go", "project", `${recipe.git.address_}/go/project.git`, "main"],
      pages: [1, 1],
      branches: [sha, "main"],
      paths: [true, true, false],
      level: 30,
      changes: 1,
      before: 404,
      again: 400,
      links: 2,
      same: true,
      file: true,
      blob: true,
      archive: true,
      base: true,
      contributors: 1,
      packages: 1,
      projects: 1,
      html: "<p><strong>a</strong></p>",
    });
    assert.match(write, /403.*go\/project is a mirror: push to its git host instead/);
    assert.ok(
      requests.includes("GET /api/v4/groups/go/projects?include_subgroups=false&per_page=100&topic=&with_shared=false 200"),
      requests.join("\n"),
    );
    // there are no subgroups, and no projects of other groups
    assert.deepEqual(recipe.requests.map(({ unread }) => unread).filter(Boolean), ["include_subgroups, with_shared"]);
  });
});
