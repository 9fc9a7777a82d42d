// Successful deploys: the first, a repeated one, an upgrade under load, a new secret, a rollback.
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { filesIn } from "../../migrations.mjs";
import { token } from "../world.mjs";

/** The first `make deploy` of an empty account. */
export async function first(world) {
  const { check } = world;
  const { code, text } = await world.deploy({ YES: "1", LOCATION: "weur", ADMIN_TOKEN: token });
  check(code === 0, "make deploy ends well on an account that has nothing", text);
  check(world.rehearsal.account.databases[0]?.created_in_region === "WEUR", "the database is where LOCATION says");
  check(
    !existsSync(join(world.project, "wrangler.deploy.toml")) &&
      readFileSync("wrangler.toml", "utf8") === readFileSync(join(world.project, "wrangler.toml"), "utf8"),
    "no file was edited",
  );
  check(!text.includes(token), "the token is not in what was printed", text);
  check(
    /\n==> edgeforge is at http\S+; sign in there with the token of root, ADMIN_TOKEN; next: docs\/mirror\.md\n$/.test(text),
    "the last line says what to do next",
    text,
  );
  check(world.calls(/POST .*\/query$/) > 0 && world.calls(/PUT \/rehearsal\/imports/) === 1, "all migrations were one import");
  check(
    world.rows("select name from d1_migrations order by id").join() === filesIn("migrations").join(),
    "and each of them is listed as applied, in order",
  );

  const listed = await world.wrangler(["d1", "migrations", "list", "DB", "--remote"]);
  check(/No migrations to apply/.test(listed.text), "wrangler d1 migrations list says that none is left", listed.text);
  const settings = world.worker.settings;
  check(
    world.worker.subdomain.previews_enabled === false && settings.observability.logs.invocation_logs === false,
    "no preview addresses, no logs of request addresses",
  );

  // the served files are the uploaded ones
  renameSync(join(world.project, "build"), join(world.project, "build-away"));
  const root = await world.ask("/api/v3/user");
  check(root.status === 200 && root.json.username === "root" && root.json.is_admin === true, "root's token is root's", root.text);
  const page = await world.ask("/", { as: null, accept: "text/html" });
  check(
    page.status === 200 && /Content-Security-Policy/i.test([...page.headers.keys()].join()) && page.text.includes("<html"),
    "the page and its headers are served from the uploaded files",
    page.text,
  );
  const [known, unknown] = [
    await world.ask("/group/project/-/issues/1", { as: null }),
    await world.ask("/no/such/page/at/all", { as: null }),
  ];
  check(
    known.status === 200 && known.text === page.text && unknown.status === 404 && unknown.json?.error === "404 Not Found",
    "an address of an issue is the page, too, and an unknown one is 404",
    `${known.text}${unknown.text}`,
  );
  const described = await world.ask("/api/v3/openapi.json", { as: null });
  check(described.json?.openapi !== undefined, "the description, too");
  const license = await world.ask("/api/v3/licenses/mit", { as: null });
  check(license.json?.key === "mit", "a license template comes from KV");
  const made = await world.ask("/api/v3/users", { method: "POST", body: { username: "ann", name: "Ann", email: "ann@example.com" } });
  check(made.status === 201, "a user is made in D1", made.text);
  renameSync(join(world.project, "build-away"), join(world.project, "build"));
}

/** The same deploy again has nothing to do. */
export async function again(world) {
  const { check } = world;
  const versions = world.worker.versions.length;
  const { code, text } = await world.deploy();
  check(
    code === 0 && /no migration is pending/.test(text) && /up to date/.test(text) && /deployed already/.test(text),
    "nothing is pending, and it says so",
    text,
  );
  check(
    world.calls(/import|\/bulk$|assets-upload/) === 0 && world.worker.versions.length === versions,
    "nothing was imported, loaded or uploaded",
  );
  const forced = await world.deploy({ FORCE: "1" });
  check(forced.code === 0 && world.worker.versions.length === versions + 1, "FORCE=1 uploads it all the same", forced.text);
  check(/No updated asset files/.test(forced.text), "and no file of the page a second time", forced.text);
}

/** Milliseconds between two requests. Four at once stay far below the rate limit of one token. */
const PAUSE = 150;

/** Reads and writes until it is stopped. Counts the answers. */
function load(world, project) {
  const statuses = new Map();
  let going = true;
  let issues = 0;
  const questions = [
    () => world.ask("/api/v3/user"),
    () => world.ask(`/api/v3/projects/${project}/issues?per_page=5`),
    async () => {
      const answer = await world.ask(`/api/v3/projects/${project}/issues`, {
        method: "POST",
        body: { title: `written under way, ${issues}` },
      });
      if (answer.status < 300) issues++;
      return answer;
    },
    () => world.ask("/api/v3/licenses"),
  ];
  const one = async (question) => {
    while (going) {
      const { status } = await question().catch((error) => ({ status: error.cause?.code ?? error.message }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  };
  const all = questions.map(one);
  return async () => {
    going = false;
    await Promise.all(all);
    return {
      issues,
      statuses: [...statuses].map(([status, count]) => `${count} x ${status}`).join(", "),
      failed: [...statuses.keys()].some((status) => !(status >= 200 && status < 300)),
    };
  };
}

/** Adds a migration and changes the configuration under load. */
export async function upgrade(world) {
  const { check } = world;
  const project = (await world.ask("/api/v3/projects", { method: "POST", body: { name: "under load" } })).json.id;
  world.write(
    "migrations/0901_rehearsed.sql",
    "create table rehearsed (id integer primary key, n integer not null) strict;\ncreate trigger rehearsed_counts after insert on rehearsed BEGIN\n  update rehearsed set n = n + 1 where id = new.id;\nEND;\n",
  );
  world.edit("wrangler.toml", (text) => text.replace(/^REPOSITORY_STORAGES = .*$/m, 'REPOSITORY_STORAGES = "default,second"'));
  const stop = load(world, project);
  const { code, text } = await world.deploy();
  const { issues, statuses, failed } = await stop();
  check(code === 0 && /0901_rehearsed.sql/.test(text), "the upgrade ends well", text);
  check(!failed && issues > 0, `no request failed meanwhile (${statuses})`);
  check(world.rows("select count(*) from issues")[0] === issues, `all ${issues} issues written meanwhile are there`);
  check(
    world.rows("select name from d1_migrations order by id desc limit 1")[0] === "0901_rehearsed.sql" &&
      world.rows("select name from sqlite_master where name = 'rehearsed_counts'").length === 1,
    "the migration with its trigger is in, and is listed as applied",
  );
  check(/bookmark of the database before the migrations: [0-9a-f-]+/.test(text), "the output has the bookmark before it", text);
  check((await settingOf(world)) === 200, "the new Worker answers");
}

/** Whether the Worker accepts the second storage, which only the new configuration has. */
const settingOf = async (world) =>
  (await world.ask("/api/v3/application/settings", { method: "PUT", body: { repository_storage: "second" } })).status;

/** Changes the secret: the new token works and the old one does not. Then changes it back. */
export async function secret(world) {
  const { check } = world;
  const other = "another-token-of-root-after-rotation";
  const put = await world.wrangler(["secret", "put", "ADMIN_TOKEN"], other);
  check(put.code === 0, "wrangler secret put", put.text);
  check(
    (await world.ask("/api/v3/user", { as: other })).status === 200 && (await world.ask("/api/v3/user")).status === 401,
    "the new token holds at once, the old one is nobody's",
  );
  await world.wrangler(["secret", "put", "ADMIN_TOKEN"], token);
  check((await world.ask("/api/v3/user")).status === 200, "and back again");
}

/** Rolls back one deployment with wrangler; the schema stays. */
export async function rollback(world) {
  const { check } = world;
  const taken = async () =>
    (await world.ask("/api/v3/application/settings", { method: "PUT", body: { repository_storage: "third" } })).status;
  world.edit("wrangler.toml", (text) => text.replace(/^REPOSITORY_STORAGES = .*$/m, 'REPOSITORY_STORAGES = "default,second,third"'));
  const deployed = await world.deploy();
  check(deployed.code === 0 && (await taken()) === 200, "a Worker with another configuration is deployed", deployed.text);
  await world.ask("/api/v3/application/settings", { method: "PUT", body: { repository_storage: "default" } });
  const listed = await world.wrangler(["deployments", "list", "--json"]);
  check(
    JSON.parse(listed.text).length === Math.min(10, world.worker.deployments.length),
    "wrangler deployments list knows it",
    listed.text,
  );
  const { code, text } = await world.wrangler(["rollback", "--yes", "--message", "rehearsed"]);
  check(code === 0 && (await taken()) === 400, "wrangler rollback brings the configuration before it back", text);
  check(
    (await world.ask("/api/v3/user")).status === 200 && (await world.ask("/api/v3/licenses/mit")).status === 200,
    "which serves on the newer schema",
  );
  const forward = await world.deploy();
  check(forward.code === 0 && (await taken()) === 200, "make deploy goes forward again", forward.text);
}
