// Renovate, unmodified, with the settings of docs/recipes.md: it reads tags, releases, packages and a preset from here,
// and skips projects as a platform, because they have no merge requests.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { snippets } from "../snippets.mjs";
import { missing, Recipe } from "./recipe.mjs";

const snippet = snippets("docs/recipes.md");
const rules = snippet("The configuration of the bot, with a token of scope `read_api` that may be one of the project:", "json");
const extending = snippet("`renovate.json` of a repository that uses the preset:", "json");
const preset = snippet("`versions.txt`:", "json");
const [, command] = snippet("To see what Renovate finds, in a clone:", "sh").split(" npx renovate ");
const NODE = 24;

describe("Renovate", { skip: missing("renovate", NODE) }, () => {
  let recipe, project, token;
  before(async () => {
    recipe = await Recipe.begin();
    const files = {
      "default.json": recipe.filled(preset, "rn"),
      "renovate.json": JSON.stringify({ extends: ["local>rn/project"] }),
      "versions.txt": "gitlab-tags rn/project v1.0.0\n",
    };
    project = await recipe.project("rn", files);
    const { developer, api, repository } = project;
    for (const tag of ["v1.0.0", "v1.1.0", "v2.0.0"]) {
      repository.git("tag", tag);
      repository.push(tag);
    }
    for (const tag_name of ["v1.0.0", "v1.1.0"]) await developer.post(`${api}/releases`, { tag_name });
    for (const version of ["1.0.0", "1.2.0"]) {
      const address = `${recipe.server.address}/api/v4${api}/packages/generic/tool/${version}/tool.tar.gz`;
      assert.equal((await fetch(address, { method: "PUT", headers: { "PRIVATE-TOKEN": developer.token }, body: version })).status, 201);
    }
    token = await recipe.token(project, ["read_api"]);
  });
  after(() => recipe?.stop());

  /** Runs the bot with that configuration. Returns its log as records, too. */
  async function renovate(folder, args, configuration) {
    const file = join(folder, "bot.json");
    writeFileSync(file, configuration);
    const ran = await recipe.run("renovate", args, {
      cwd: folder,
      RENOVATE_CONFIG_FILE: file,
      RENOVATE_BASE_DIR: join(folder, "base"),
      LOG_LEVEL: "debug",
      LOG_FORMAT: "json",
    });
    const records = ran.output
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    return { ...ran, records, said: (text) => records.find(({ msg }) => msg.startsWith(text)) };
  }
  function folder(name) {
    const path = join(recipe.folder, name);
    mkdirSync(path);
    return path;
  }

  test("as a reader it finds tags, releases and packages by a preset of the project", async () => {
    const clone = folder("reader");
    writeFileSync(
      join(clone, "versions.txt"),
      "gitlab-tags rn/project v1.0.0\ngitlab-releases rn/project v1.0.0\ngitlab-packages rn/project:tool 1.0.0\n",
    );
    writeFileSync(join(clone, "renovate.json"), recipe.filled(extending, "rn"));
    assert.equal((await recipe.shell("git init --quiet . && git add renovate.json versions.txt", { cwd: clone })).code, 0);
    const { code, output, said, requests } = await renovate(
      clone,
      command.split(" "),
      recipe.filled(rules, "rn").replaceAll("TOKEN", token),
    );
    assert.equal(code, 0, output.slice(-2000));
    const at = "/api/v4/projects/rn%2Fproject";
    assert.deepEqual(requests.toSorted(), [
      `GET ${at}/packages?package_name=tool&per_page=100 200`,
      `GET ${at}/releases 200`,
      `GET ${at}/repository/tags?per_page=100 200`,
      "GET /rn/project/-/raw/main/default.json 200",
    ]);
    const found = said("packageFiles with updates").config.regex[0].deps;
    assert.deepEqual(
      found.map(({ datasource, updates }) => [datasource, updates.map(({ newValue }) => newValue)]),
      [
        ["gitlab-tags", ["v1.1.0", "v2.0.0"]],
        ["gitlab-releases", ["v1.1.0"]],
        ["gitlab-packages", ["1.2.0"]],
      ],
    );
  });

  const platform = (more) =>
    JSON.stringify({ platform: "gitlab", endpoint: `${recipe.address}/api/v4/`, token: project.developer.token, dryRun: "full", ...more });

  test("as a platform it finds the project, and skips it", async () => {
    const { code, output, said, requests } = await renovate(folder("skipped"), [], platform({ autodiscover: true }));
    assert.equal(code, 0, output.slice(-2000));
    assert.ok(said("Repository is disabled - skipping"));
    assert.deepEqual(said("Autodiscovered repositories").repositories, ["rn/project"]);
    assert.deepEqual(
      requests.map((line) => line.replace(/\?.*(?= )/, "")),
      ["GET /api/v4/user 200", "GET /api/v4/version 200", "GET /api/v4/projects 200", "GET /api/v4/projects/rn%2Fproject 200"],
    );
    // the filter asks for projects with merge requests, and there are none of these
    assert.deepEqual(recipe.requests.map(({ unread }) => unread).filter(Boolean), ["with_merge_requests_enabled"]);
  });

  // So that the rest of a dry run is tried, too: the answers are those of the server but for one field.
  test("if that were not so, the rest of a dry run works: configuration, preset, branches, tags", async () => {
    recipe.rewrite = (text) => text.replace('"merge_requests_access_level":"disabled"', '"merge_requests_access_level":"enabled"');
    try {
      const { code, output, said, requests } = await renovate(folder("platform"), [], platform({ repositories: ["rn/project"] }));
      assert.equal(code, 0, output.slice(-2000));
      const refused = recipe.requests.filter(({ status }) => status >= 400).map(({ path, status }) => `${status} ${path}`);
      assert.deepEqual(refused, []);
      assert.deepEqual(said("Repository config").config, { extends: ["local>rn/project"] });
      assert.ok(requests.includes("GET /api/v4/projects/rn%2Fproject/repository/files/default.json?ref=HEAD 200"));
      assert.ok(requests.includes("GET /api/v4/projects/rn%2Fproject/repository/tags?per_page=100 200"));
      assert.ok(
        requests.every((line) => line.startsWith("GET ")),
        "a dry run only reads",
      );
      for (const branch of ["renovate/rn-project-1.x", "renovate/rn-project-2.x"])
        assert.ok(said(`DRY-RUN: Would commit files to branch ${branch}`), branch);
    } finally {
      recipe.rewrite = undefined;
    }
  });
});
