// GET /projects/:id/badges/:ref/build.svg
import { enter, project, rules } from "./access.mjs";
import { named } from "./commits.mjs";
import { strongTag } from "./http.mjs";
import { sql } from "./sql.mjs";

/** Width of a state's text, and the colour behind it. */
const STYLES = {
  success: [48, "#2e8b3d"],
  failed: [36, "#c9372c"],
  running: [46, "#1f6fb2"],
  pending: [50, "#a66300"],
  canceled: [54, "#666"],
  unknown: [54, "#767676"],
};

function stateOf(states) {
  const all = (...wanted) => states.every((state) => wanted.includes(state));
  if (states.length === 0) return "unknown";
  if (all("success")) return "success";
  if (all("pending")) return "pending";
  if (all("canceled", "success")) return "canceled";
  return states.includes("running") || states.includes("pending") ? "running" : "failed";
}

function picture(state) {
  const [label, [word, colour]] = [30, STYLES[state]];
  const [left, right] = [label + 12, word + 12];
  const whole = left + right;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="20" role="img" aria-label="build ${state}">
<title>build ${state}</title>
<clipPath id="c"><rect width="${whole}" height="20" rx="3"/></clipPath>
<g clip-path="url(#c)"><rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/></g>
<g fill="#fff" font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14" textLength="${label}">build</text>
<text x="${left + right / 2}" y="14" textLength="${word}">${state}</text>
</g>
</svg>
`;
}

/** The newest status of each job counts. */
export async function showBadge(call, { id, ref }) {
  const { isPublic, answers } = await enter(
    call,
    id,
    rules.readStatuses,
    () => [
      sql`with here as (${project(id)})
      select s.state, max(s.id) from here join statuses s on s.commit_id = ${named(ref)} group by s.ref, s.name`,
    ],
    { isOpen: true },
  );
  const text = picture(stateOf(answers[0].map(({ state }) => state)));
  const headers = {
    "Content-Type": "image/svg+xml",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    ETag: await strongTag(text),
    ...(isPublic && { "Cache-Control": "public, max-age=60" }),
  };
  return { text, headers };
}
