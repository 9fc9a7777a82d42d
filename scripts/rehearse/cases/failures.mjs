// Deploys that fail in the middle: the old Worker stays in service, and the next attempt succeeds.

const answers = async (world) =>
  (await world.ask("/api/v3/user")).status === 200 && (await world.ask("/api/v3/licenses/mit")).status === 200;

/** A migration whose second statement is wrong. */
export async function migration(world) {
  const { check } = world;
  const versions = world.worker.versions.length;
  const good = "create table half (id integer primary key) strict;\n";
  world.write("migrations/0902_good.sql", "create table whole (id integer primary key) strict;\n");
  world.write("migrations/0903_broken.sql", `${good}insert into no_such_table values (1);\n`);
  world.edit("wrangler.toml", (text) => text.replace(/^REPOSITORY_STORAGES = .*$/m, 'REPOSITORY_STORAGES = "default,second,third"'));
  const { code, text } = await world.deploy();
  check(
    code !== 0 && /0903_broken.sql: .*no such table: no_such_table/.test(text),
    "make deploy stops and names the file and the reason",
    text,
  );
  check(
    /as it was before 0903_broken.sql/.test(text) && /run the same command again/.test(text),
    "and says what is sure and what to do",
    text,
  );
  check(!/\n\s+at /.test(text), "without a stack", text);
  check(
    world.rows("select name from sqlite_master where name = 'half'").length === 0 &&
      world.rows("select name from d1_migrations where name in ('0902_good.sql', '0903_broken.sql')").join() === "0902_good.sql",
    "nothing of the file is in the database; the one before it is, and is listed",
  );
  check(world.worker.versions.length === versions && (await answers(world)), "nothing was deployed, and the old Worker serves on");
  world.write("migrations/0903_broken.sql", good);
  const mended = await world.deploy();
  check(
    mended.code === 0 && world.rows("select name from sqlite_master where name = 'half'").length === 1,
    "mended, the same command ends well",
    mended.text,
  );
}

/**
 * The places where the connection breaks: the step, its requests, and whether they are still handled.
 * @type {[string, RegExp, "cut" | "lose"][]}
 */
const cuts = [
  ["while asking who is there", /GET \/user$/, "cut"],
  ["while asking which migrations are applied", /\/query$/, "cut"],
  ["while a migration is uploaded", /\/rehearsal\/imports\//, "cut"],
  ["before the import begins", /\/import$/, "cut"],
  ["after the import, its answer lost", /\/import$/, "lose"],
  ["while license templates are loaded", /\/bulk$/, "cut"],
  ["at the session of the page's files", /assets-upload-session$/, "cut"],
  ["while the Worker is uploaded", /POST .*\/versions$/, "cut"],
  ["at the deployment of the uploaded version", /POST .*\/deployments$/, "cut"],
  ["after the deployment, its answer lost", /POST .*\/deployments$/, "lose"],
];

/** Breaks the network at each step of an upgrade in turn. */
export async function network(world) {
  const { check } = world;
  for (const [at, [where, pattern, disturbance]] of cuts.entries()) {
    const name = `0${910 + at}_cut.sql`;
    world.write(`migrations/${name}`, `create table cut_${at} (id integer primary key) strict;\n`);
    world.edit("wrangler.toml", (text) => text.replace(/^REPOSITORY_STORAGES = .*$/m, `REPOSITORY_STORAGES = "default,second,cut${at}"`));
    if (pattern.test("/bulk"))
      world.edit("scripts/licenses.mjs", (text) =>
        text.replace("const entries = [", `const entries = [\n  { key: "licenses/cut${at}", value: "{}" },`),
      );
    let met = 0;
    world.rehearsal.interfere = (request, path) => {
      if (!pattern.test(`${request.method} ${path}`)) return undefined;
      met++;
      return disturbance;
    };
    const cut = await world.deploy();
    world.rehearsal.interfere = () => undefined;
    check(
      met > 0 && cut.code !== 0 && /^error: /m.test(cut.text) && !/\n\s+at async/.test(cut.text.slice(cut.text.lastIndexOf("error: "))),
      `cut ${where}: it stops and says so`,
      cut.text,
    );
    const serving = await answers(world);
    const again = await world.deploy();
    const applied = world.rows(`select count(*) from d1_migrations where name = '${name}'`)[0];
    check(
      serving && again.code === 0 && applied === 1 && world.rows(`select name from sqlite_master where name = 'cut_${at}'`).length === 1,
      "  the old Worker served on, and once more it ends well, the migration applied once",
      again.text,
    );
  }
}
