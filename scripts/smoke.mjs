// Asks a deployed Worker two things that need its KV and its migrated D1, and waits a little for a new address to be known:
//
//   node scripts/smoke.mjs https://edgeforge.example.workers.dev
const [address] = process.argv.slice(2);
const questions = [
  ["/api/v3/licenses/mit", {}, (status, body) => status === 200 && body.key === "mit"],
  // the database alone knows that this is nobody's token
  ["/api/v3/user", { "PRIVATE-TOKEN": "nobody's" }, (status, body) => status === 401 && body.message === "401 Unauthorized"],
];

async function ask([path, headers, right]) {
  try {
    const answer = await fetch(address.replace(/\/$/, "") + path, { headers, signal: AbortSignal.timeout(30_000) });
    const text = await answer.text();
    const told = `GET ${path} answered ${answer.status} ${text.slice(0, 80)}`;
    return { told, good: right(answer.status, JSON.parse(text)) };
  } catch (error) {
    return { told: `GET ${path}: ${error.cause?.message ?? error.message}`, good: false };
  }
}

for (const question of questions) {
  let reply = await ask(question);
  for (let again = 0; again < 6 && !reply.good; again++) {
    await new Promise((done) => setTimeout(done, 5_000));
    reply = await ask(question);
  }
  console.log(reply.told);
  if (!reply.good) process.exitCode = 1;
}
