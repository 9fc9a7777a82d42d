// The newest commit of an entry of a folder, and the size of a file. Finding the commit takes the database thousands of
// rows, so a reader asks for them, and only the entries that are seen are looked up, two at a time.
import { useEffect, useState } from "preact/hooks";
import { get, inProject } from "../api.mjs";
import { fetched } from "../parts/bytes.mjs";
import { sized } from "../parts/places.mjs";
import { useSeen } from "../parts/seen.mjs";
import { Time } from "../parts/time.jsx";
import { fileOf } from "../parts/tree.jsx";
import { to } from "../route.mjs";

/** The ends of two queues, of which each look-up joins one. */
const queues = [Promise.resolve(), Promise.resolve()];
let count = 0;
function inTurn(act) {
  const at = count++ % queues.length;
  const turn = queues[at].then(act);
  queues[at] = turn.catch(() => {});
  return turn;
}

/** `{ size, commit }`; `commit` is missing if it is older than the commits that the server looks at. */
async function find({ type, path }, project, ref, known, signal) {
  const list = inProject(project, "/repository/commits");
  if (type === "tree") {
    const { data } = await get(list, { ref_name: ref === "HEAD" ? undefined : ref, path, per_page: 1 }, { signal });
    return { commit: data[0] };
  }
  const { headers } = await fetched(`/api/v4${fileOf(project, path)}?${new URLSearchParams({ ref })}`, signal, "HEAD");
  const sha = headers.get("X-Gitlab-Last-Commit-Id");
  const commit = sha && (known.find(({ id }) => id === sha) ?? (await get(`${list}/${sha}`, { stats: false }, { signal })).data);
  return { size: Number(headers.get("X-Gitlab-Size")), commit };
}

/** `known`: the newest commits, null while they are asked for. */
export function FileFacts({ entry, project, ref_: ref, known }) {
  const [element, seen] = useSeen("0px");
  const [found, setFound] = useState(/** @type {any} */ (null));
  const wanted = seen && known;
  useEffect(() => {
    if (!wanted) return;
    const aborter = new AbortController();
    const { signal } = aborter;
    inTurn(async () => signal.aborted || setFound(await find(entry, project, ref, known, signal))).catch(() => {});
    return () => aborter.abort();
  }, [wanted]);
  const { size, commit } = found ?? {};
  return (
    <>
      <p class="row-text" ref={element}>
        {commit ? (
          <a href={to.commit(project, commit.id)}>{commit.title || "(no message)"}</a>
        ) : (
          found && <a href={to.history(project, ref, entry.path)}>Earlier</a>
        )}
      </p>
      <div class="row-side">
        {commit && <Time at={commit.committed_date} />}
        {found && <span class="size">{size !== undefined && sized(size)}</span>}
      </div>
    </>
  );
}
