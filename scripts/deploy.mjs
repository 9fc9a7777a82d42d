// Deploys build/ to wrangler's Cloudflare account. scripts/deploy builds it first.
//
//   node scripts/deploy.mjs
//
// Variables: YES=1 answers all questions with yes. LOCATION: where a new database is (weur, eeur, apac, oc, wnam,
// enam). DRY_RUN=1 only bundles, and lists bindings and size; it needs no account. ADMIN_TOKEN: for a Worker without
// one. EXTERNAL_URL: the address to test afterwards. FORCE=1 deploys even if this build is already deployed. CONFIG: a
// file instead of wrangler.toml. The database, the namespace and the bucket are found by name or created. No file is
// edited, and every step may be repeated.
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, attended, configFile, configuration, faultOfLogin, main, say, Stop, wrangler, wranglerJson } from "./cloudflare.mjs";
import { migrate } from "./migrate.mjs";
import { smoke } from "./smoke.mjs";

const LOCATIONS = ["weur", "eeur", "apac", "oc", "wnam", "enam"];

const TOKEN = 20;

/** With this flag the addresses of web hooks are reached as the public reaches them. */
const PUBLIC = "global_fetch_strictly_public";

/** The entry of the namespace with the digest of its templates. */
const DIGEST = "licenses.digest";

const given = (name) => process.env[name]?.trim() || undefined;
const isSet = (name) => given(name) !== undefined && given(name) !== "0";
const yes = isSet("YES");
const digestOf = (...parts) =>
  parts
    .reduce((hash, part) => hash.update(part), createHash("sha256"))
    .digest("hex")
    .slice(0, 16);

/** Refuses a configuration that is unsafe in public. */
function checkConfiguration({ vars, limiters, flags }) {
  if (!flags.includes(PUBLIC)) {
    throw new Stop(
      `${configFile} lacks the compatibility flag ${PUBLIC}, without which web hooks pass the firewall of other hosts of the zone: add it to compatibility_flags`,
    );
  }
  for (const name of ["REFUSALS", "REQUESTS", "PUSHES"]) {
    const limit = Number(vars[`${name}_PER_MINUTE`] || 0);
    if (!Number.isInteger(limit) || limit < 0)
      throw new Stop(`${name}_PER_MINUTE is ${JSON.stringify(vars[`${name}_PER_MINUTE`])}: it must be a whole number`);
    const simple = limiters.find((limiter) => limiter.name === name)?.simple;
    if (limit && (simple?.limit !== limit || simple.period !== 60)) {
      throw new Stop(
        `${name}_PER_MINUTE is ${limit}, but its rate limiter has ${simple ? `${simple.limit} in ${simple.period} s` : "no binding"}: set both to the same value in ${configFile}`,
      );
    }
  }
  if (
    String(vars.COST_HEADER ?? "")
      .trim()
      .toLowerCase() === "everyone"
  ) {
    throw new Stop(
      `COST_HEADER = "everyone" shows every caller the cost of a request, and so reveals hidden records: remove it from ${configFile}`,
    );
  }
}

async function checkLogin() {
  const fault = faultOfLogin(await wrangler(["whoami"]));
  if (fault) throw new Stop(fault);
}

/** The location of a new database. The operator is asked, since it cannot be moved later. */
async function locationOf() {
  let location = given("LOCATION");
  if (!location && !yes) location = await ask(`where will most requests come from (${LOCATIONS.join(", ")}, or "any")?`, "any");
  if (!location || location === "any") return [];
  if (!LOCATIONS.includes(location)) throw new Stop(`LOCATION is one of ${LOCATIONS.join(", ")}, not ${location}`);
  return ["--location", location];
}

async function hasBucket(name) {
  const { ok, out, err, reason } = await wrangler(["r2", "bucket", "list"]);
  const advice = `enable R2 in the dashboard, or take [[r2_buckets]] out of ${configFile}: diffs are then in D1`;
  if (!ok) throw new Stop(`the R2 buckets cannot be listed: ${reason}${/10042|enable R2/i.test(out + err) ? `\n  ${advice}` : ""}`);
  return out.split("\n").some((line) => /^name: *(.*?) *$/.exec(line)?.[1] === name);
}

/** The ids of the database and the namespace, configured, found by name, or of new ones; and whether the bucket exists. */
async function resources({ database, namespace, bucket }) {
  const find = async () => ({
    databaseId: database.id ?? (await wranglerJson(["d1", "list", "--json"])).find(({ name }) => name === database.name)?.uuid,
    namespaceId: namespace.id ?? (await wranglerJson(["kv", "namespace", "list"])).find(({ title }) => title === namespace.title)?.id,
    hasBucket: !bucket || (await hasBucket(bucket)),
  });
  const found = await find();
  const missing = [
    !found.databaseId && `the D1 database ${database.name}`,
    !found.namespaceId && `the KV namespace ${namespace.title}`,
    !found.hasBucket && `the R2 bucket ${bucket}`,
  ].filter(Boolean);
  if (!missing.length) return found;
  say(`this account lacks ${missing.join(", ").replace(/, (?=[^,]*$)/, " and ")}`);
  if (!yes) {
    if (!attended())
      throw new Stop(`set YES=1 to create it (and LOCATION to one of ${LOCATIONS.join(", ")}), or put the ids into ${configFile}`);
    if (!/^y/i.test(await ask("create it now?", "yes"))) throw new Stop("nothing was created, so nothing is deployed");
  }
  const make = async (args) => {
    const { ok, reason } = await wrangler(args);
    if (!ok) throw new Stop(`${args.slice(0, 3).join(" ")}: ${reason}`);
  };
  const location = found.databaseId && found.hasBucket ? [] : await locationOf();
  if (!found.databaseId) await make(["d1", "create", database.name, ...location]);
  if (!found.namespaceId) await make(["kv", "namespace", "create", namespace.title]);
  if (!found.hasBucket) await make(["r2", "bucket", "create", bucket, ...location]);
  return await find();
}

/** Throws unless the token is long enough and can be sent in a header. */
function checkToken(token) {
  if (token.length < TOKEN) throw new Stop(`ADMIN_TOKEN has ${token.length} characters: the token of root needs ${TOKEN} or more`);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Stop("ADMIN_TOKEN has a blank or a character outside of ASCII: a header cannot carry it; choose another");
  return token;
}

/** The secret to upload with the Worker; {} if the Worker has one. */
async function missingSecret({ name }) {
  const { ok, out, err, reason } = await wrangler(["secret", "list", "--format", "json"]);
  if (!ok && !/not found/.test(err)) throw new Stop(`the secrets of ${name} cannot be listed: ${reason}`);
  const secrets = ok ? JSON.parse(out) : [];
  if (secrets.some((secret) => secret.name === "COST_HEADER"))
    throw new Stop("COST_HEADER is set as a secret, so its value cannot be checked: run npx wrangler secret delete COST_HEADER");
  if (secrets.some((secret) => secret.name === "ADMIN_TOKEN")) return {};
  const token = given("ADMIN_TOKEN");
  if (token) return { token: checkToken(token) };
  const missing = `the secret ADMIN_TOKEN is not set, so the server would have no administrator`;
  if (!attended()) throw new Stop(`${missing}: set the variable ADMIN_TOKEN to ${TOKEN} random characters or more`);
  if (!/^y/i.test(await ask(`${missing}. Make one now?`, "yes"))) throw new Stop("without ADMIN_TOKEN nothing is deployed");
  return { token: randomBytes(24).toString("base64url"), made: true };
}

/** Loads the license templates, unless the same ones were loaded last. */
async function loadTemplates(namespaceId, work) {
  const pairs = JSON.parse(readFileSync("build/licenses.json", "utf8"));
  const digest = digestOf(JSON.stringify(pairs));
  const at = ["--namespace-id", namespaceId, "--remote"];
  const { ok, out } = await wrangler(["kv", "key", "get", DIGEST, "--text", ...at]);
  if (ok && out.includes(digest)) return say("the license templates are up to date");
  say(`loading ${pairs.length} license templates into KV`);
  const file = join(work, "templates.json");
  writeFileSync(file, JSON.stringify([...pairs, { key: DIGEST, value: digest }]));
  const loaded = await wrangler(["kv", "bulk", "put", file, ...at]);
  if (!loaded.ok) throw new Stop(`the license templates were not loaded: ${loaded.reason}`);
}

/** The configuration with the ids. It is a file in the same folder during a deploy, since its paths are relative to it. */
function withIds({ database, namespace }, { databaseId, namespaceId }) {
  const add = (text, binding, line) => text.replace(new RegExp(`^binding *= *"${binding}".*$`, "m"), `$&\n${line}`);
  let text = readFileSync(configFile, "utf8");
  if (!database.id) text = add(text, database.binding, `database_id = "${databaseId}"`);
  if (!namespace.id) text = add(text, namespace.binding, `id = "${namespaceId}"`);
  return text;
}

/** A digest of all files of the deployed Worker. */
function digestOfBuild(config) {
  const files = readdirSync("build", { recursive: true, encoding: "utf8" })
    .filter((name) => /^(index|page)/.test(name) && statSync(join("build", name)).isFile())
    .sort();
  return digestOf(config, ...files.flatMap((name) => [name, readFileSync(join("build", name))]));
}

/** Whether the newest deployment is this build, by its message. */
async function isDeployed(digest) {
  const { ok, out } = await wrangler(["deployments", "list", "--json"]);
  if (!ok || given("FORCE")) return false;
  const newest = JSON.parse(out).sort((a, b) => (a.created_on < b.created_on ? 1 : -1))[0];
  return (newest?.annotations?.["workers/message"] ?? "").includes(digest);
}

/**
 * Uploads the Worker with its assets and its secret. Returns its address if wrangler prints it.
 * @param {string} config
 * @param {{ token?: string, made?: boolean }} secret
 * @param {string} message
 * @param {string} work
 */
async function upload(config, { token }, message, work) {
  const file = `wrangler.deploy-${process.pid}.toml`;
  const args = ["deploy", "--config", file, "--message", message];
  if (token) {
    const secrets = join(work, "secrets.json");
    writeFileSync(secrets, JSON.stringify({ ADMIN_TOKEN: token }), { mode: 0o600 });
    args.push("--secrets-file", secrets);
  }
  writeFileSync(file, config);
  try {
    const { ok, out, reason } = await wrangler(args, { live: true });
    if (!ok)
      throw new Stop(
        `not deployed: ${reason}\n  An earlier Worker stays in service. The migrations and templates above are done. Run the same command again.`,
      );
    return /https:\/\/[A-Za-z0-9.-]+\.workers\.dev/.exec(out)?.[0];
  } finally {
    rmSync(file, { force: true });
  }
}

/** The address to test: EXTERNAL_URL, the configured one, the first domain, or what wrangler printed. */
function addressOf({ vars, routes }, printed) {
  const domain = routes.find((route) => route.custom_domain)?.pattern;
  return given("EXTERNAL_URL") ?? (vars.EXTERNAL_URL || undefined) ?? (domain && `https://${domain}`) ?? printed;
}

await main(async () => {
  const settings = configuration();
  checkConfiguration(settings);
  if (isSet("DRY_RUN")) {
    const { ok, reason } = await wrangler(["deploy", "--dry-run"], { live: true });
    if (!ok) throw new Stop(`wrangler deploy --dry-run: ${reason}`);
    return;
  }
  await checkLogin();
  const secret = await missingSecret(settings);
  const ids = await resources(settings);
  await migrate();
  const work = mkdtempSync(join(tmpdir(), "edgeforge-"));
  let printed;
  try {
    await loadTemplates(ids.namespaceId, work);
    const config = withIds(settings, ids);
    const digest = digestOfBuild(config);
    if (!secret.token && (await isDeployed(digest))) say("this build is deployed already");
    else printed = await upload(config, secret, `make deploy, build ${digest}`, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const address = addressOf(settings, printed);
  // shown even if the requests below fail
  if (secret.made) say(`the token of root, shown only now: ${secret.token}`);
  if (!address) return say("deployed; set EXTERNAL_URL to have its address tested here");
  say(`asking ${address}`);
  if (!(await smoke(address)))
    throw new Stop(
      "the deployed Worker does not answer as it should: read its log with npx wrangler tail, or restore the earlier one with npx wrangler rollback",
    );
  say(`edgeforge is at ${address}; sign in there with the token of root, ADMIN_TOKEN; next: docs/mirror.md`);
});
