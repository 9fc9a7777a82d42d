// Sends a deployed Worker two requests that need its KV and its migrated D1. Waits a little for a new address to
// resolve:
//
//   node scripts/smoke.mjs https://edgeforge.example.workers.dev
/** @type {[string, Record<string, string>, (status: number, body: any) => boolean, string][]} */
const questions = [
  ["/api/v4/templates/licenses/mit", {}, (status, body) => status === 200 && body.key === "mit", "KV has the license templates"],
  [
    "/api/v4/user",
    { "PRIVATE-TOKEN": "nobody's" },
    (status, body) => status === 401 && body.message === "401 Unauthorized",
    "the database answers: it refuses a token that nobody has",
  ],
];

async function ask(address, [path, headers, right, meaning]) {
  try {
    const answer = await fetch(address.replace(/\/$/, "") + path, { headers, signal: AbortSignal.timeout(30_000) });
    const text = await answer.text();
    const summary = `GET ${path} answered ${answer.status} ${text.slice(0, 80)}`;
    const good = right(answer.status, JSON.parse(text));
    return { summary: good ? meaning : summary, good };
  } catch (error) {
    return { summary: `GET ${path}: ${error.cause?.message ?? error.message}`, good: false };
  }
}

/** Whether the Worker at that address works. Prints its answers. */
export async function smoke(address) {
  let good = true;
  for (const question of questions) {
    let reply = await ask(address, question);
    for (let again = 0; again < 6 && !reply.good; again++) {
      await new Promise((done) => setTimeout(done, 5_000));
      reply = await ask(address, question);
    }
    console.log(reply.summary);
    good &&= reply.good;
  }
  return good;
}

if (process.argv[1] === import.meta.filename && !(await smoke(process.argv[2]))) process.exitCode = 1;
