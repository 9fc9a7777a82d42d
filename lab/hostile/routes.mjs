// Asks every GET route with each value of each parameter, then with those together that make an answer dearer.
import { ask } from "./client.mjs";
import { AT_ONCE, CALLERS, MEASURES, MOST, TIMES } from "./bounds.mjs";
import { questions } from "./questions.mjs";

/** For routes that are closed to these. */
const OTHERS = ["owner", "root"];
/** A combination is looked for where an answer has reached this part of a bound. */
const NEAR = 0.1;
/** The values beside the dearest one that are tried together with it. */
const TRIED = 8;

/** Most of the repositories have commits and no files, and nobody knows who wrote a line: these answers are refusals. */
const isFault = ({ status, text }) => status >= 500 && !/are not mirrored yet|does not compute who wrote each line/.test(text());

/** The dearest answer of all callers. */
export const dearestOf = (dearest, name) =>
  Object.values(dearest)
    .map((answers) => answers[name])
    .reduce((one, other) => (other[name] > one[name] ? other : one));

/**
 * Asks the routes whose names match `only`. `start` serves the Worker, again after it ended. `done` is called with each route,
 * the questions so far and the seconds it took.
 */
export async function askRoutes(start, world, only, done) {
  let { server, inspector, processor } = await start();
  const { routes: all, missing } = questions(world);
  const routes = all.filter(({ route }) => new RegExp(only).test(route));
  const failures = [...missing];
  const retried = [];
  const growth = [];
  const most = { memory: 0, wasm: 0, what: "", work: 0, worker: "" };
  let asked = 0;

  /** Serves the Worker again, which a request has ended. */
  async function ended(who, request) {
    failures.push(`no answer for ${who}, the Worker ended, perhaps for lack of memory: ${request}`);
    ({ server, inspector, processor } = await start());
    return { status: 0, ms: 0, rows: 0, bytes: 0, processor: 0, work: 0, next: undefined, text: () => "" };
  }

  /** An answer with the processor time that it took. */
  async function timed(who, request) {
    const before = processor();
    const answer = await ask(server, world.tokens[who], "GET", request);
    return { ...answer, processor: processor() - before };
  }

  /** The cost of a question. */
  async function measure(who, path, query) {
    const names = Object.entries(query).flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((one) => [`${name}[]`, one]) : [[name, value]],
    );
    const request = path + (names.length ? `?${new URLSearchParams(names)}` : "");
    asked++;
    const answer = await timed(who, request).catch(() => ended(who, request));
    if (isFault(answer)) failures.push(`${answer.status} for ${who}: ${request}: ${answer.text().slice(0, 200)}`);
    // without the answer's text, of which thousands would not fit into memory
    const { status, ms, rows, bytes, next, work, processor } = answer;
    if (work > most.work) [most.work, most.worker] = [work, request];
    return { who, path, query, request, status, ms, rows, bytes, processor, next };
  }

  /** A slow answer is asked for again, because other programs may be running. The lowest times count. */
  async function retry(answer) {
    const answers = [answer];
    for (let again = 0; again < 2; again++) answers.push(await timed(answer.who, answer.request));
    const times = Object.fromEntries(TIMES.map((name) => [name, answers.map((one) => one[name])]));
    for (const name of TIMES) answer[name] = Math.min(...times[name]);
    retried.push({ ...answer, times });
  }

  /**
   * Asks a route's path in all ways, and keeps the dearest answers. `before` is what an earlier caller was answered to
   * each value: the next callers are asked those that were refused or dear. Returns the answers to each value, and
   * whether one of them was no refusal; null if the caller may not see the record.
   */
  async function explore(route, who, path, before) {
    const { choices, needed, known } = route;
    const dearest = (route.dearest[who] ??= {});
    const keep = async (answer) => {
      if (TIMES.some((name) => answer[name] > Math.max(MOST[name], dearest[name]?.[name] ?? 0))) await retry(answer);
      for (const name of [...MEASURES, "processor"]) if (!(dearest[name]?.[name] >= answer[name])) dearest[name] = answer;
      return answer;
    };
    const plain = { ...needed, ...("per_page" in choices && { per_page: 100 }) };
    const base = await keep(await measure(who, path, plain));
    const combined = [];
    for (const query of known) combined.push(await keep(await measure(who, path, { ...plain, ...query })));
    // names that the plain question has are of other projects: the comparisons that are dear are those of branches with other names
    const isClosed = ({ status }) => [401, 403, 404].includes(status);
    if ([base, ...combined].every(isClosed)) return null;
    if (base.next) {
      const next = new URL(base.next);
      await keep(await measure(who, next.pathname, Object.fromEntries(next.searchParams)));
    }
    const dear = before && MEASURES.flatMap((name) => before.toSorted((one, other) => other[name] - one[name]).slice(0, TRIED));
    const again = before?.filter((one) => one.status !== 200 || dear.includes(one));
    const values = again ?? Object.entries(choices).flatMap(([name, values]) => values.map((value) => ({ name, value })));
    const singles = [];
    for (const { name, value } of values)
      singles.push({ name, value, ...(await keep(await measure(who, path, { ...plain, [name]: value }))) });
    for (const name of MEASURES) {
      let best = [base, ...singles, ...combined].reduce((one, other) => (other[name] > one[name] ? other : one));
      if (best[name] < NEAR * MOST[name]) continue;
      const others = singles.filter((one) => one.status === 200).sort((one, other) => other[name] - one[name]);
      for (const one of others.filter((other) => !(other.name in best.query) || other.name === "per_page").slice(0, TRIED)) {
        const together = await keep(await measure(who, path, { ...best.query, [one.name]: one.query[one.name] }));
        if (together[name] > best[name]) best = together;
      }
    }
    return { singles, isAnswered: [base, ...singles, ...combined].some(({ status }) => status === 200) };
  }

  /** Notes how much memory the isolate has taken, and what made wasm's memory grow, which never shrinks. */
  async function weigh(what) {
    const { wasm, all } = await inspector.sizes();
    if (wasm >= most.wasm + (1 << 20)) growth.push({ what, from: most.wasm, to: wasm });
    most.wasm = Math.max(most.wasm, wasm);
    if (all > most.memory) [most.memory, most.what] = [all, what];
  }

  await weigh("the start");
  for (const route of routes) {
    route.dearest = {};
    let isOpen = false;
    const before = {};
    const began = performance.now();
    for (const who of [...CALLERS, ...OTHERS]) {
      if (isOpen && OTHERS.includes(who)) break;
      for (const path of route.paths) {
        const found = await explore(route, who, path, before[path]);
        if (found?.isAnswered) isOpen = true;
        before[path] ??= found?.singles;
      }
    }
    done(route, asked, (performance.now() - began) / 1000);
    if (isOpen !== route.isAnswered) failures.push(`${route.route}: ${isOpen ? "somebody" : "nobody"} gets an answer to ${route.paths[0]}`);
    await weigh(route.route);
  }
  for (const { route, dearest } of routes) {
    for (const { who, request } of new Set([...MEASURES, "processor"].map((name) => dearestOf(dearest, name)))) {
      const answers = Promise.all(Array.from({ length: AT_ONCE }, () => ask(server, world.tokens[who], "GET", request)));
      let answering = true;
      answers.finally(() => (answering = false)).catch(() => {});
      const what = `${AT_ONCE} at once: ${route}`;
      while (answering) await weigh(what).catch(() => {});
      const failed = (await answers.catch(async () => [await ended(who, `${AT_ONCE} at once: ${request}`)])).filter(isFault);
      if (failed.length) failures.push(`${failed.length} of ${AT_ONCE} at once failed: ${request}: ${failed[0].text().slice(0, 200)}`);
    }
  }
  inspector.close();
  return { routes, failures, retried, growth, most, asked };
}
