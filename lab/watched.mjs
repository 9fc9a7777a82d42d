// Our built Worker. GET /watched returns D1's work of each request and each run of the Cron trigger since the last call.
import Worker from "../build/index.js";

let notes = [];
/** The work of the current request; there is one at a time. */
let note;

/** The database, recording the work of each statement. The Worker keeps the first database that it gets. */
function watched(database) {
  return new Proxy(database, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function" || name === "constructor") return member;
      if (name === "withSession") return (...from) => watched(target.withSession(...from));
      if (name !== "batch") return member.bind(target);
      return async (statements) => {
        const answers = await target.batch(statements);
        note.trips++;
        for (const [at, { meta }] of answers.entries()) {
          note.statements++;
          note.read += meta.rows_read;
          note.written += meta.rows_written;
          note.d1 += meta.duration ?? 0;
          if (Math.max(meta.rows_read, meta.rows_written) > note.most) {
            note.most = Math.max(meta.rows_read, meta.rows_written);
            note.text = statements[at].statement;
          }
        }
        return answers;
      };
    },
  });
}

async function noting(name, env, act) {
  const own = { name, trips: 0, statements: 0, read: 0, written: 0, most: 0, text: "", d1: 0, millis: 0 };
  notes.push(own);
  note = own;
  const begun = Date.now();
  try {
    return await act({ ...env, DB: watched(env.DB) });
  } finally {
    own.millis = Date.now() - begun;
  }
}

export default {
  fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname !== "/watched") return noting(`${request.method} ${pathname}`, env, (env) => Worker.fetch(request, env, context));
    const answer = Response.json(notes);
    notes = [];
    return answer;
  },
  scheduled: (event, env) => noting("scheduled", env, (env) => Worker.scheduled(event, env)),
};
