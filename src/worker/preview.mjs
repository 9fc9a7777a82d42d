// The preview of a link in a chat: `og:` tags for a project, an issue, a milestone, a commit or a release that
// everybody may read. The Worker requests the record from its own API without a token, so a private record looks like a
// missing one.

const LONGEST = { title: 120, description: 300 };
// used only for addresses of pages, so these are valid names
const ADDRESS = /^\/([^/]+\/[^/]+)(?:\/(?:-\/)?(issues|milestones|commit|releases)\/([^/]+))?\/?$/;

/** Browsers send Sec-Fetch-Mode with a navigation, and need no tags. Programs that follow links in chats do not send it. */
export const wantsPreview = ({ method, headers }) => method === "GET" && !headers.has("sec-fetch-mode");

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const escaped = (text) => text.toWellFormed().replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

// the path below the project, and title and description of the record
const KINDS = {
  issues: {
    path: (iid) => /^\d{1,15}$/.test(iid) && `/issues/${iid}`,
    show: (it, project) => [`${it.title} (#${it.iid}) · ${project}`, it.description],
  },
  milestones: {
    path: (iid) => /^\d{1,15}$/.test(iid) && `/milestones?iids[]=${iid}`,
    show: ([it], project) => [`${it.title} · ${project}`, it.description],
  },
  commit: {
    path: (sha) => /^[0-9a-f]{7,64}$/.test(sha) && `/repository/commits/${sha}`,
    show: (it, project) => [`${it.title} (${it.short_id}) · ${project}`, it.message.slice(it.title.length)],
  },
  releases: { path: (tag) => `/releases/${tag}`, show: (it, project) => [`${it.name} · ${project}`, it.description] },
  project: { path: () => "", show: (it, project) => [project, it.description] },
};

/** The tags for an address, or an empty text. One request to the API, without the caller's credentials. */
export async function preview({ url, headers }, api) {
  const { origin, pathname } = new URL(url);
  const [, project, kind = "project", id = ""] = ADDRESS.exec(pathname) ?? [];
  const path = project ? KINDS[kind].path(id) : false;
  if (path === false) return "";
  const from = headers.get("cf-connecting-ip");
  const asked = new Request(`${origin}/api/v4/projects/${encodeURIComponent(project)}${path}`, {
    headers: from ? { "cf-connecting-ip": from } : {},
  });
  const answer = await api(asked);
  const record = answer.ok ? await answer.json() : null;
  if (record === null || record.length === 0) return "";
  const [title, description] = KINDS[kind].show(record, project);
  const tags = {
    "og:site_name": "edgeforge",
    "og:type": "website",
    "og:url": origin + pathname,
    "og:title": cut(title, LONGEST.title),
    "og:description": cut((description ?? "").trim(), LONGEST.description),
  };
  const lines = Object.entries(tags)
    .filter(([, text]) => text)
    .map(([name, text]) => `<meta property="${name}" content="${escaped(text)}">`);
  return `${lines.join("\n    ")}\n    `;
}
