// What `make -C lab search` measures of one served world.
import { pause, serve, token } from "../../scripts/workerd.mjs";

/** @returns {Promise<any>} the answer, with what it took of D1 */
export async function ask(served, path, method = "GET", body = undefined) {
  const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/json" };
  const answer = await fetch(`${served.address}/api/v4${path}`, { method, headers, body: body && JSON.stringify(body) });
  const timing = answer.headers.get("Server-Timing") ?? "";
  const figure = (name) => Number(new RegExp(`${name};desc="(\\d+)"`).exec(timing)?.[1] ?? 0);
  const text = await answer.text();
  return {
    status: answer.status,
    json: answer.ok && text ? JSON.parse(text) : null,
    total: answer.headers.get("X-Total"),
    hint: answer.headers.get("X-Hint"),
    next: /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1],
    millis: Number(/d1;dur=([\d.]+)/.exec(timing)?.[1] ?? 0),
    read: figure("rows_read"),
    written: figure("rows_written"),
  };
}

/** The processor time of workerd for a request, in the mean of some: other programs that run do not change it. */
export async function processor(served, path) {
  const TIMES = 5;
  const before = served.processor;
  for (let time = 0; time < TIMES; time++) await ask(served, path);
  return (served.processor - before) / TIMES;
}

export const cron = (served) => fetch(`${served.address}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);

async function isIndexed(served) {
  const { search_check: left } = /** @type {any} */ (await (await fetch(`${served.address}/-/readiness`)).json());
  return !left;
}

/** Somebody makes, comments on, changes and deletes issues, and searches for each at once. */
async function work(world, name) {
  for (let number = 0; !world.isOver; number++) {
    try {
      const word = `w${name}q${number}`;
      const project = `/projects/${1001 + ((number * 8 + name) % world.projects)}`;
      const made = await ask(world.served, `${project}/issues`, "POST", { title: `${word} old`, description: "while the index grows" });
      if (made.status !== 201) throw new Error(`${made.status}`);
      const path = `${project}/issues/${made.json.iid}`;
      await ask(world.served, `${path}/notes`, "POST", { body: word });
      await ask(world.served, path, "PUT", { title: `${word} new` });
      const isGone = number % 4 === 0 && (await ask(world.served, path, "DELETE")).status === 204;
      const found = await ask(world.served, `${project}/issues?scope=all&search=${word}+new`);
      if (found.status !== 200) throw new Error(`${found.status}`);
      world.wrong += Number((found.json.length === 1) === isGone);
      world.done++;
    } catch {
      // workerd has been killed
      await pause(50);
    }
  }
}

/**
 * Makes the index of a database that had none while eight clients work, and kills workerd so often meanwhile.
 * @returns {Promise<any>}
 */
export async function upgrade(state, issues, projects, kills) {
  const world = { served: await serve(state), projects, isOver: false, done: 0, wrong: 0 };
  const clients = Array.from({ length: kills ? 8 : 0 }, (_, name) => work(world, name));
  const begun = Date.now();
  let runs = 0;
  const again = async () => (world.served = await serve(state, world.served.port));
  for (; runs < kills; runs++) {
    cron(world.served).catch(() => {});
    await pause(Math.random() * Math.min(3000, issues / 30));
    await world.served.kill();
    await again();
  }
  for (; runs < 2000; runs++) {
    await cron(world.served);
    if (await isIndexed(world.served)) break;
  }
  const seconds = (Date.now() - begun) / 1000;
  world.isOver = true;
  await Promise.all(clients);
  // what the clients wrote last
  await cron(world.served);
  await world.served.stop();
  return { seconds, runs: runs + 1, done: world.done, wrong: world.wrong };
}

/** Rows that D1 writes for an issue, a comment, a change of a title and a deletion, in the mean of some. */
export async function writes(state) {
  const served = await serve(state);
  const sums = { issue: 0, comment: 0, edit: 0, deletion: 0 };
  const TIMES = 10;
  for (let number = 0; number < TIMES; number++) {
    const made = await ask(served, "/projects/1001/issues", "POST", { title: "written rows", description: "of this" });
    const path = `/projects/1001/issues/${made.json.iid}`;
    sums.issue += made.written;
    sums.comment += (await ask(served, `${path}/notes`, "POST", { body: "written rows" })).written;
    sums.edit += (await ask(served, path, "PUT", { title: "other rows" })).written;
    sums.deletion += (await ask(served, path, "DELETE")).written;
  }
  await served.stop();
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / TIMES]));
}
