// Deploys that are refused before any change, and the way of applying migrations that does not work.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { token } from "../world.mjs";

/** Accounts, secrets and configurations that stop a deploy. */
export async function refused(world) {
  const { check } = world;
  const refuses = async (variables, pattern, text) => {
    const answer = await world.deploy(variables);
    check(answer.code !== 0 && pattern.test(answer.text) && !/\n\s+at /.test(answer.text), text, answer.text);
  };
  await refuses({ YES: "1" }, /ADMIN_TOKEN is not set.*20 random characters/, "a missing secret: it says what to set");
  await refuses({ YES: "1", ADMIN_TOKEN: "nineteen-characters" }, /ADMIN_TOKEN has 19 characters/, "a token of 19 characters");
  await refuses({ YES: "1", ADMIN_TOKEN: "a token with blanks in it" }, /blank/, "a token that cannot stand in a header");
  await refuses(
    { ADMIN_TOKEN: token },
    /lacks the D1 database edgeforge, the KV namespace edgeforge-templates and the R2 bucket edgeforge-diffs[\s\S]*YES=1/,
    "a missing database and namespace: nothing is made unasked",
  );
  await refuses({ YES: "1", LOCATION: "moon", ADMIN_TOKEN: token }, /LOCATION is one of/, "a location that is none");
  await refuses(
    { YES: "1", ADMIN_TOKEN: token, CLOUDFLARE_API_TOKEN: "wrong" },
    /not logged in.*CLOUDFLARE_API_TOKEN/,
    "a wrong token of Cloudflare's",
  );
  await refuses(
    { YES: "1", ADMIN_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: "f".repeat(32) },
    /Authentication error/,
    "an account that is not the token's",
  );
  await refuses(
    { YES: "1", ADMIN_TOKEN: token, CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:9/client/v4" },
    /cannot be reached/,
    "an API that is not there",
  );
  check(world.rehearsal.account.databases.length === 0 && !world.worker, "nothing was created");

  const config = world.edit.bind(world, "wrangler.toml");
  config((text) => text.replace('COST_HEADER = ""', 'COST_HEADER = "everyone"'));
  await refuses({ YES: "1", ADMIN_TOKEN: token }, /COST_HEADER/, "a cost header for everyone");
  config((text) =>
    text.replace('COST_HEADER = "everyone"', 'COST_HEADER = ""').replace('REFUSALS_PER_MINUTE = "30"', 'REFUSALS_PER_MINUTE = "40"'),
  );
  await refuses({ YES: "1", ADMIN_TOKEN: token }, /REFUSALS_PER_MINUTE is 40/, "a limit that is counted as another");
  config((text) =>
    text
      .replace('REFUSALS_PER_MINUTE = "40"', 'REFUSALS_PER_MINUTE = "30"')
      .replace('database_name = "edgeforge"', '$&\ndatabase_id = "00000000-0000-0000-0000-000000000000"'),
  );
  await refuses({ YES: "1", ADMIN_TOKEN: token }, /could not be found/, "an id in wrangler.toml that the account does not have");
  check(!world.worker, "and nothing was deployed");
}

/** The query API refuses triggers, so `migrations apply --remote` fails. */
export async function narrow(world) {
  const { check } = world;
  await world.wrangler(["d1", "create", "edgeforge"]);
  const apply = ["d1", "migrations", "apply", "DB", "--remote"];
  const now = await world.wrangler(apply);
  check(now.code !== 0 && /incomplete input/.test(now.text), "wrangler d1 migrations apply --remote fails at the first trigger", now.text);
  world.erase("migrations");
  cpSync(join(import.meta.dirname, "../refused"), join(world.project, "migrations"), { recursive: true });
  const old = await world.wrangler(apply);
  check(
    old.code !== 0 && /incomplete input/.test(old.text),
    "and at one of the migrations that were before these (lower-case begin, case .. end)",
    old.text,
  );
  check(world.rows("select count(*) from d1_migrations where name = '0006_expectations.sql'")[0] === 0, "nothing of it is applied");
  const imported = await world.script("scripts/migrate.mjs");
  check(
    imported.code === 0 && world.rows("select name from sqlite_master where name = 'expectations_judge'").length === 1,
    "the import API takes even that one",
    imported.text,
  );
}
