// danger-js, unmodified: what it does where there are no merge requests.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { missing, Recipe } from "./recipe.mjs";

const rules = `const { danger, warn } = require("danger");
warn("changed: " + danger.git.modified_files + ", new: " + danger.git.created_files);
`;

describe("danger", { skip: missing("danger") }, () => {
  let recipe, cwd, sha, token;
  before(async () => {
    recipe = await Recipe.begin();
    const { repository, developer } = await recipe.project("dg", { "a.txt": "1\n", "dangerfile.js": rules });
    repository.git("checkout", "--quiet", "-b", "topic");
    repository.commit("a.txt", "2\n", "feat: two");
    sha = repository.commit("b.txt", "1\n", "feat: another");
    repository.push("topic");
    [cwd, token] = [repository.clone, developer.token];
  });
  after(() => recipe?.stop());
  const danger = (command, args, more) =>
    recipe.run(`danger-${command}`, args, {
      cwd,
      DANGER_GITLAB_API_TOKEN: token,
      DANGER_GITLAB_HOST: recipe.address,
      DANGER_GITLAB_API_BASE_URL: `${recipe.address}/api/v4`,
      ...more,
    });
  const job = () => ({ GITLAB_CI: "true", CI_PROJECT_PATH: "dg/project", CI_COMMIT_SHA: sha, CI_JOB_URL: "https://ci.example.com/1" });

  test("local compares branches, and asks no server", async () => {
    const { code, output, requests } = await danger("local", ["--base", "main"]);
    assert.deepEqual([code, requests], [0, []], output);
    assert.match(output, /changed: a\.txt, new: b\.txt/);
  });

  test("ci outside of a merge request ends at once", async () => {
    const { code, output, requests } = await danger("ci", ["--verbose"], job());
    assert.deepEqual([code, requests], [0, []], output);
    assert.match(output, /not executing on a PR/);
  });

  test("pr and ci of a merge request end with 404, because there are none", async () => {
    const asked = ["GET /api/v4/projects/dg%2Fproject/merge_requests/1/diffs 404"];
    const pr = await danger("pr", [`${recipe.address}/dg/project/-/merge_requests/1`]);
    const ci = await danger("ci", ["--failOnErrors"], { ...job(), CI_MERGE_REQUEST_IID: "1" });
    for (const { code, output, requests } of [pr, ci]) {
      assert.deepEqual([code, requests], [1, asked], output);
      assert.match(output, /Error: Not Found/);
    }
  });
});
