// Puts what is in build/ on the Cloudflare account that wrangler is logged in to; scripts/deploy builds it first.
//
//   node scripts/deploy.mjs
//
// Variables: YES=1 answers every question with yes, LOCATION says where a new database is to be (weur, eeur, apac, oc, wnam, enam),
// ADMIN_TOKEN is given to a Worker that has none, EXTERNAL_URL is asked afterwards, FORCE=1 deploys what is deployed already,
// CONFIG names another file than wrangler.toml.
// The database, the namespace and the bucket are found by their names, or made; no file is edited. Every step may be repeated.
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, attended, configFile, configuration, main, say, Stop, wrangler, wranglerJson } from "./cloudflare.mjs";
import { migrate } from "./migrate.mjs";
import { smoke } from "./smoke.mjs";

const LOCATIONS = ["weur", "eeur", "apac", "oc", "wnam", "enam"];

/** Characters that a private token has at least. */
const TOKEN = 20;

/** The namespace's entry that holds the digest of the templates in it. */
const DIGEST = "licenses.digest";

const given = (name) => process.env[name]?.trim() || undefined;
const yes = given("YES") !== undefined && given("YES") !== "0";
const digestOf = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex").slice(0, 16);

/** Refuses a configuration that would be unsafe in public. */
function checkVariables({ vars, limiters }) {
  for (const name of ["REFUSALS", "REQUESTS", "PUSHES"]) {
    const said = Number(vars[`${name}_PER_MINUTE`] || 0);
    if (!Number.isInteger(said) || said < 0) throw new Stop(`${name}_PER_MINUTE is ${JSON.stringify(vars[`${name}_PER_MINUTE`])}: it must be a whole number`);
    const simple = limiters.find((limiter) => limiter.name === name)?.simple;
    if (said && (simple?.limit !== said || simple.period !== 60)) {
      throw new Stop(`${name}_PER_MINUTE is ${said}, and what counts it has ${simple ? `${simple.limit} in ${simple.period} s` : "no binding"}: say the same in both places of ${configFile}`);
    }
  }
  if (String(vars.COST_HEADER ?? "").trim().toLowerCase() === "everyone") {
    throw new Stop(`COST_HEADER = "everyone" tells anyone what a request cost, and so what they may not see: take it out of ${configFile}`);
  }
}

async function checkLogin() {
  const { ok, out, reason } = await wrangler(["whoami"]);
  if (ok && !/not authenticated/.test(out)) return;
  if (!ok && /fetch failed|ECONN|ENOTFOUND|EAI_AGAIN|timed? ?out/i.test(reason)) throw new Stop(`Cloudflare's API cannot be reached: ${reason}`);
  throw new Stop(`Cloudflare does not know who you are: npx wrangler login, or set CLOUDFLARE_API_TOKEN${reason && `\n  (${reason})`}`);
}

/** Where a new database is to be; asked for, since it cannot be moved afterwards. */
async function locationOf() {
  let location = given("LOCATION");
  if (!location && !yes) location = await ask(`where will most requests come from (${LOCATIONS.join(", ")}, or "any")?`, "any");
  if (!location || location === "any") return [];
  if (!LOCATIONS.includes(location)) throw new Stop(`LOCATION is one of ${LOCATIONS.join(", ")}, not ${location}`);
  return ["--location", location];
}

/** Is there a bucket of that name? */
async function hasBucket(name) {
  const { ok, out, err, reason } = await wrangler(["r2", "bucket", "list"]);
  const advice = `enable R2 in the dashboard, or take [[r2_buckets]] out of ${configFile}: diffs are then in D1`;
  if (!ok) throw new Stop(`the R2 buckets cannot be listed: ${reason}${/10042|enable R2/i.test(out + err) ? `\n  ${advice}` : ""}`);
  return out.split("\n").some((line) => /^name: *(.*?) *$/.exec(line)?.[1] === name);
}

/** The ids of the database and the namespace: as configured, or by their names, or of new ones. A bucket has its name only. */
async function resources({ database, namespace, bucket }) {
  const find = async () => ({
    databaseId: database.id ?? (await wranglerJson(["d1", "list", "--json"])).find(({ name }) => name === database.name)?.uuid,
    namespaceId: namespace.id ?? (await wranglerJson(["kv", "namespace", "list"])).find(({ title }) => title === namespace.title)?.id,
    hasBucket: !bucket || (await hasBucket(bucket)),
  });
  const found = await find();
  const missing = [!found.databaseId && `the D1 database ${database.name}`, !found.namespaceId && `the KV namespace ${namespace.title}`, !found.hasBucket && `the R2 bucket ${bucket}`].filter(Boolean);
  if (!missing.length) return found;
  say(`this account lacks ${missing.join(", ").replace(/, (?=[^,]*$)/, " and ")}`);
  if (!yes) {
    if (!attended()) throw new Stop(`say YES=1 to have it made (and LOCATION=weur or another of ${LOCATIONS.join(", ")}), or put the ids into ${configFile}`);
    if (!/^y/i.test(await ask("make it now?", "yes"))) throw new Stop("nothing was made");
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

/** A token that is long enough and can stand in a header. */
function checkToken(token) {
  if (token.length < TOKEN) throw new Stop(`ADMIN_TOKEN has ${token.length} characters: the token of root needs ${TOKEN} or more`);
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Stop("ADMIN_TOKEN has a blank or a character outside of ASCII: it could not be sent in a header");
  return token;
}

/** The secret to send along with the Worker: none if it is there already. */
async function missingSecret({ name }) {
  const { ok, out, err, reason } = await wrangler(["secret", "list", "--format", "json"]);
  if (!ok && !/not found/.test(err)) throw new Stop(`the secrets of ${name} cannot be listed: ${reason}`);
  const secrets = ok ? JSON.parse(out) : [];
  if (secrets.some((secret) => secret.name === "COST_HEADER")) throw new Stop("COST_HEADER is set as a secret, where nobody can see what it says: npx wrangler secret delete COST_HEADER");
  if (secrets.some((secret) => secret.name === "ADMIN_TOKEN")) return {};
  const token = given("ADMIN_TOKEN");
  if (token) return { token: checkToken(token) };
  const missing = `the secret ADMIN_TOKEN is not set, so nobody could administer it`;
  if (!attended()) throw new Stop(`${missing}: set the variable ADMIN_TOKEN to ${TOKEN} random characters or more`);
  if (!/^y/i.test(await ask(`${missing}. Make one now?`, "yes"))) throw new Stop("without ADMIN_TOKEN nothing is deployed");
  return { token: randomBytes(24).toString("base64url"), made: true };
}

/** Loads the license templates, unless they are what was loaded last. */
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

/** The configuration with the ids in it. It stands beside it for the time of a deploy, since its paths count from there. */
function withIds({ database, namespace }, { databaseId, namespaceId }) {
  const add = (text, binding, line) => text.replace(new RegExp(`^binding *= *"${binding}".*$`, "m"), `$&\n${line}`);
  let text = readFileSync(configFile, "utf8");
  if (!database.id) text = add(text, database.binding, `database_id = "${databaseId}"`);
  if (!namespace.id) text = add(text, namespace.binding, `id = "${namespaceId}"`);
  return text;
}

/** A digest of everything that makes up the deployed Worker. */
function digestOfBuild(config) {
  const files = readdirSync("build", { recursive: true })
    .filter((name) => /^(index|page)/.test(name) && statSync(join("build", name)).isFile())
    .sort();
  return digestOf(config, ...files.flatMap((name) => [name, readFileSync(join("build", name))]));
}

/** Does the newest deployment say that it is this build? */
async function isDeployed(digest) {
  const { ok, out } = await wrangler(["deployments", "list", "--json"]);
  if (!ok || given("FORCE")) return false;
  const newest = JSON.parse(out).sort((a, b) => (a.created_on < b.created_on ? 1 : -1))[0];
  return (newest?.annotations?.["workers/message"] ?? "").includes(digest);
}

/** Uploads the Worker with its assets and its secret, and returns where it answers if wrangler says so. */
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
    if (!ok) throw new Stop(`not deployed: ${reason}\n  The Worker that was deployed before, if any, goes on serving; migrations and templates above are done. Run it again.`);
    return /https:\/\/[A-Za-z0-9.-]+\.workers\.dev/.exec(out)?.[0];
  } finally {
    rmSync(file, { force: true });
  }
}

/** The address to try: said, configured, of the first domain, or what wrangler told. */
function addressOf({ vars, routes }, told) {
  const domain = routes.find((route) => route.custom_domain)?.pattern;
  return given("EXTERNAL_URL") ?? (vars.EXTERNAL_URL || undefined) ?? (domain && `https://${domain}`) ?? told;
}

await main(async () => {
  const settings = configuration();
  checkVariables(settings);
  await checkLogin();
  const secret = await missingSecret(settings);
  const ids = await resources(settings);
  await migrate();
  const work = mkdtempSync(join(tmpdir(), "edgeforge-"));
  let told;
  try {
    await loadTemplates(ids.namespaceId, work);
    const config = withIds(settings, ids);
    const digest = digestOfBuild(config);
    if (!secret.token && (await isDeployed(digest))) say("this very Worker is deployed already");
    else told = await upload(config, secret, `make deploy, build ${digest}`, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  if (secret.made) say(`the token of root, shown only now: ${secret.token}`);
  const address = addressOf(settings, told);
  if (!address) return say("deployed; set EXTERNAL_URL to have its address tried here");
  say(`asking ${address}`);
  if (!(await smoke(address))) throw new Stop("the deployed Worker does not answer as it should: npx wrangler tail shows its log, npx wrangler rollback brings the one before back");
});
