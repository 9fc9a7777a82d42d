// release-it with its plugin for GitLab, unmodified, with the settings of docs/recipes.md.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { snippets } from "../snippets.mjs";
import { missing, Recipe } from "./recipe.mjs";

const snippet = snippets("docs/recipes.md");
const settings = JSON.parse(snippet("## release-it", "json"));
const asPackages = JSON.parse(snippet("add this to `gitlab`:", "json"));
const files = { "tool.tar.gz": randomBytes(100_000), "manual.txt": Buffer.from("How to use it: ./tool\n") };

describe("release-it", { skip: missing("release-it") }, () => {
  let recipe;
  before(async () => {
    recipe = await Recipe.begin();
  });
  after(() => recipe?.stop());

  async function ready(group, more = {}) {
    const given = recipe.filled(JSON.stringify({ ...settings, gitlab: { ...settings.gitlab, ...more } }), group);
    const project = await recipe.project(group, { ".gitignore": "dist\n", ".release-it.json": given });
    const { clone } = project.repository;
    mkdirSync(join(clone, "dist"));
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(clone, "dist", name), bytes);
    return project;
  }
  const release = (project, token = project.developer.token) =>
    recipe.run("release-it", ["1.2.3", "--ci"], { cwd: project.repository.clone, GITLAB_TOKEN: token });

  /** The release has both files, and each comes back as it was. Returns the release. */
  async function holds(project) {
    const [made, ...others] = await project.developer.ask("GET", `${project.api}/releases`);
    assert.deepEqual(
      [others, made.name, made.tag_name, made.commit.id],
      [[], "Release 1.2.3", "v1.2.3", project.repository.git("rev-parse", "HEAD")],
    );
    assert.deepEqual(made.assets.links.map(({ name }) => name).sort(), Object.keys(files).sort());
    for (const { name, url } of made.assets.links) assert.deepEqual(await recipe.bytes(url, project.developer.token), files[name], url);
    return made;
  }

  test("files are uploaded, and a milestone is found", async () => {
    const project = await ready("ri-uploads", { milestones: ["1.2"] });
    await project.maintainer.post(`${project.api}/milestones`, { title: "1.2" });
    const { code, output, requests } = await release(project);
    assert.equal(code, 0, output);
    const at = "/api/v4/projects/ri-uploads%2Fproject";
    assert.deepEqual(requests, [
      "GET /api/v4/user 200",
      `GET ${at}/members/all/${project.developer.id} 200`,
      `GET ${at}/milestones?title=1.2&include_parent_milestones=true 200`,
      `POST ${at}/uploads 201`,
      `POST ${at}/uploads 201`,
      `POST ${at}/releases 201`,
    ]);
    const made = await holds(project);
    assert.deepEqual(
      made.milestones.map(({ title }) => title),
      ["1.2"],
    );
    assert.ok(output.includes(made._links.self.replace(recipe.server.address, recipe.address)), output);
  });

  test("files become those of a package", async () => {
    const project = await ready("ri-packages", asPackages);
    const { code, output, requests } = await release(project);
    assert.equal(code, 0, output);
    assert.equal(requests.filter((line) => /^PUT .*\/packages\/generic\/tool\/1\.2\.3\/\S+ 201$/.test(line)).length, 2);
    await holds(project);
    const [kept] = await project.developer.ask("GET", `${project.api}/packages`);
    const names = await project.developer.ask("GET", `${project.api}/packages/${kept.id}/package_files`);
    assert.deepEqual(names.map(({ file_name }) => file_name).sort(), Object.keys(files).sort());
  });

  test("a release that there is already is said so, and stays", async () => {
    const project = await ready("ri-again");
    assert.equal((await release(project)).code, 0);
    const { code, output } = await release(project);
    assert.equal(code, 1);
    assert.match(output, /ERROR Release already exists/);
    await holds(project);
  });

  test("a milestone that there is not ends it before the release", async () => {
    const project = await ready("ri-milestone", { milestones: ["none"] });
    const { code, output, requests } = await release(project);
    assert.equal(code, 1);
    assert.match(output, /Missing one or more milestones/);
    assert.deepEqual(
      requests.filter((line) => !line.startsWith("GET")),
      [],
    );
  });

  // The program looks for its user among the members, where the author of a token of the project is not.
  test("a token of the project makes a release", async () => {
    const project = await ready("ri-bot");
    const { code, output, requests } = await release(project, await recipe.token(project));
    assert.equal(code, 0, output);
    assert.ok(
      requests.some((request) => /\/members\/all\/-\d+ 200$/.test(request)),
      requests.join("\n"),
    );
    await holds(project);
  });
});
