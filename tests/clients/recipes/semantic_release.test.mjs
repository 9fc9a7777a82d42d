// semantic-release with @semantic-release/gitlab, unmodified, with the settings of docs/recipes.md: a push to a git host
// becomes a tag, the hook mirrors it, and the program writes a release with its files.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { snippets } from "../snippets.mjs";
import { missing, Recipe } from "./recipe.mjs";

const snippet = snippets("docs/recipes.md");
const settings = snippet("## semantic-release", "json");
const tool = randomBytes(100_000);
const manual = "How to use it: ./tool\n";

describe("semantic-release", { skip: missing("semantic-release") }, () => {
  let recipe;
  before(async () => {
    recipe = await Recipe.begin();
  });
  after(() => recipe?.stop());

  /** A project with a clone that is ready to release. */
  async function ready(group, kind = "project") {
    const project = await recipe[kind](group, { ".gitignore": "dist\n", ".releaserc.json": recipe.filled(settings, group) });
    const { clone } = project.repository;
    mkdirSync(join(clone, "dist"));
    writeFileSync(join(clone, "dist/tool.tar.gz"), tool);
    writeFileSync(join(clone, "dist/manual.txt"), manual);
    return project;
  }
  const release = (project, token = project.developer.token) =>
    recipe.run("semantic-release", ["--no-ci"], { cwd: project.repository.clone, GITLAB_TOKEN: token });
  const releases = ({ developer, api }) => developer.ask("GET", `${api}/releases`);

  test("a push becomes a release whose files come back byte for byte", async () => {
    const project = await ready("sr-first");
    const making = recipe.filled(snippet("## A token for releases", "sh"), "sr-first");
    const given = await recipe.shell(`curl() { command curl --silent --fail "$@"; }\n${making}`, {
      cwd: recipe.folder,
      BASE: recipe.server.address,
      TOKEN: project.maintainer.token,
    });
    const { code, output, requests } = await release(project, JSON.parse(given.output).token);
    assert.equal(code, 0, output);
    const at = "/api/v4/projects/sr-first%2Fproject";
    const sha = project.repository.git("rev-parse", "HEAD");
    assert.deepEqual(requests.toSorted(), [
      `GET ${at} 200`,
      `GET ${at}/repository/commits/${sha}/merge_requests 200`,
      `POST ${at}/releases 201`,
      `POST ${at}/uploads 201`,
      `PUT ${at}/packages/generic/tool/1.0.0/tool.tar.gz?select=package_file 200`,
    ]);
    assert.deepEqual(
      recipe.requests.filter(({ unread }) => unread).map(({ path, unread }) => [path, unread]),
      [],
    );

    const [made, ...others] = await releases(project);
    assert.deepEqual([others, made.name, made.tag_name, made.commit.id], [[], "v1.0.0", "v1.0.0", sha]);
    assert.match(made.author.username, /^project_\d+_bot_/);
    assert.match(made.description, /### Features\n\n\* begin/);
    const links = Object.fromEntries(made.assets.links.map((link) => [link.name, link]));
    assert.deepEqual(Object.keys(links).sort(), ["elsewhere", "manual.txt", "tool.tar.gz"]);
    assert.equal(links.elsewhere.url, "https://files.example.com/tool-1.0.0.tar.gz");
    assert.deepEqual([links["tool.tar.gz"].link_type, links["manual.txt"].link_type], ["package", "other"]);

    const { token } = project.developer;
    const same = async (address, bytes) => assert.deepEqual(await recipe.bytes(address, token), Buffer.from(bytes));
    await same(links["tool.tar.gz"].url, tool);
    await same(links["manual.txt"].url, manual);
    // the addresses of the document
    await same(`${recipe.address}/sr-first/project/-/releases/v1.0.0/downloads/tool.tar.gz`, tool);
    await same(`${recipe.address}/sr-first/project/-/releases/permalink/latest/downloads/tool.tar.gz`, tool);
    const [kept] = await project.developer.ask("GET", `${project.api}/packages`);
    assert.deepEqual([kept.name, kept.version, kept.package_type], ["tool", "1.0.0", "generic"]);
  });

  test("the next push becomes the next release, and without a change there is none", async () => {
    const project = await ready("sr-next");
    assert.equal((await release(project)).code, 0);
    const none = await release(project);
    assert.equal(none.code, 0);
    assert.match(none.output, /There are no relevant changes/);
    project.repository.commit("a.txt", "2\n", "fix: one line was wrong");
    project.repository.push("main");
    const { code, output } = await release(project);
    assert.equal(code, 0, output);
    const [newest, first, ...more] = await releases(project);
    assert.deepEqual([newest.tag_name, first.tag_name, more], ["v1.0.1", "v1.0.0", []]);
    assert.match(newest.description, /### Bug Fixes\n\n\* one line was wrong/);
    assert.doesNotMatch(newest.description, /begin/);
  });

  test("a tag that the mirror lacks is one 422, and the recipe for it works", async () => {
    const project = await ready("sr-late");
    const { repository } = project;
    const hook = (command, ...more) => repository.run(process.env.HOOK, command, "--repository", repository.bare, ...more);
    const configuration = Object.fromEntries(
      ["server", "project", "tokenFile"].map((name) => [name, repository.run("git", "-C", repository.bare, "config", `edgeforge.${name}`)]),
    );
    hook("uninstall");
    const late = await release(project);
    assert.equal(late.code, 1);
    assert.match(late.output, /Response code 422 \(Tag v1\.0\.0 is not in the mirror/);
    // got repeats no POST, although the plugin names 422 among the statuses to repeat
    assert.equal(late.requests.filter((line) => /^POST .*\/releases /.test(line)).length, 1);

    hook(
      "install",
      "--server",
      configuration.server,
      "--project",
      configuration.project,
      "--token-file",
      configuration.tokenFile,
      "--sync",
    );
    const none = await release(project);
    assert.deepEqual([none.code, await releases(project)], [0, []]);
    const remove = snippet("repositories, and run it again:", "sh");
    assert.equal((await recipe.shell(remove, { cwd: repository.clone })).code, 0);
    const { code, output } = await release(project);
    assert.equal(code, 0, output);
    assert.deepEqual(
      (await releases(project)).map(({ tag_name }) => tag_name),
      ["v1.0.0"],
    );
  });

  test("a wrong token is said so", async () => {
    const { code, output } = await release(await ready("sr-wrong"), "wrong");
    assert.equal(code, 1);
    assert.match(output, /EINVALIDGLTOKEN/);
  });

  // the program reads the level in `permissions` of the project
  for (const [who, name, kind, tokenOf] of /** @type {[string, string, string, (project: any) => string][]} */ ([
    ["a developer", "sr-dev", "project", ({ developer }) => developer.token],
    ["the owner of a personal project", "sr-owner", "personalProject", ({ developer }) => developer.token],
  ])) {
    test(`${who} makes a release`, async () => {
      const project = await ready(name, kind);
      const { code, output } = await release(project, await tokenOf(project));
      assert.equal(code, 0, output);
      assert.deepEqual(
        (await releases(project)).map(({ tag_name }) => tag_name),
        ["v1.0.0"],
      );
    });
  }
});
