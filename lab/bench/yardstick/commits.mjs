// GET /projects/:id/repository/commits and GET /projects/:id/repository/commits/:sha/diff
import { enter, project, rules } from "./access.mjs";
import { notFound } from "./http.mjs";
import { listing, readPage } from "./paging.mjs";
import { commit } from "./shapes.mjs";
import { raw, sql } from "./sql.mjs";

/** The id of the commit with this hash, tag or branch in the project of the table `scope`. An abbreviated hash must match one commit. */
export function named(name, scope = "here") {
  const owner = raw(`${scope}.project_id`);
  const bare = name.replace(/^refs\/(heads|tags)\//, "");
  const ref = (kind) => sql`(select r.commit_id from refs r where r.project_id = ${owner} and r.name = ${`refs/${kind}/${bare}`})`;
  const head = sql`(select r.commit_id from projects p join refs r on r.project_id = p.id and r.name = 'refs/heads/' || p.default_branch
    where p.id = ${owner})`;
  const prefix = name.toLowerCase();
  const abbreviated = sql`(select iif(count(*) = 1, max(c.id), null) from commits c
    where c.project_id = ${owner} and c.sha >= ${prefix} and c.sha < ${`${prefix}g`})`;
  return sql`coalesce(
    (select c.id from commits c where c.project_id = ${owner} and c.sha = ${prefix}),
    ${ref("tags")}, ${name === "HEAD" ? head : ref("heads")}, ${/^[0-9a-f]{4,}$/.test(prefix) ? abbreviated : sql`null`})`;
}

/** git's order: the newest commit whose children were all shown. */
export async function listCommits(call, { id }) {
  let page;
  const { answers } = await enter(call, id, rules.readCommits, () => {
    page = readPage(call.params);
    const name = call.params.text("ref_name") ?? "HEAD";
    return [
      sql`with recursive here as (${project(id)}), walk (id, at) as (
          select c.id, c.committed_at from here join commits c on c.id = ${named(name)}
          union
          select c.id, c.committed_at from walk w join parents p on p.child_id = w.id join commits c on c.id = p.parent_id
          order by 2 desc limit ${page.size + 1} offset ${page.offset})
        select c.* from walk w join commits c on c.id = w.id`,
      sql`with here as (${project(id)}) select r.commits as total from here join refs r on r.project_id = here.project_id
        where r.commit_id = ${named(name)} limit 1`,
    ];
  });
  const [rows, [{ total = null } = {}]] = answers;
  return listing(call, page, rows, { total, path: { id }, show: commit });
}

export async function showDiff(call, { id, sha }) {
  const { answers } = await enter(call, id, rules.readCommits, () => [
    sql`with here as (${project(id)}) select d.* from here join diffs d on d.commit_id = ${named(sha)}`,
  ]);
  const [[diff]] = answers;
  if (!diff) throw notFound("Commit Not Found");
  const { text, object_key, bytes, digest } = diff;
  const headers = { ETag: `"${digest}"` };
  if (!object_key) return { text, headers };
  const object = await call.env.DIFFS.get(object_key);
  if (!object) throw notFound("Commit Not Found");
  return { stream: object.body.pipeThrough(new DecompressionStream("gzip")), bytes, headers };
}
