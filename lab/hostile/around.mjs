// Emoji, links, badges, web hooks and releases, up to what the server takes, uploads and packages.
import { ask, must } from "./client.mjs";
import { texts } from "./texts.mjs";

/** Emoji of an issue and of a comment; links of an issue; badges and hooks of a project. */
const AWARDS = 200;
const LINKS = 60;
const BADGES = 100;
const HOOKS = 20;
/** Releases of a project, and links of each. */
const RELEASES = 40;
const RELEASE_LINKS = 100;

/** Uploads of a project, packages, and files of one package. */
const UPLOADS = 150;
const PACKAGES = 1100;
const PACKAGE_FILES = 150;

/** Files with long names. Returns the places of one of each. */
async function sendFiles(address, token, project) {
  const put = (path) =>
    must(address, token, "PUT", `/api/v4/projects/${project}/packages/generic/${path}?select=package_file`, new Uint8Array([120]), {
      "Content-Type": "text/plain",
    });
  await inTurn(PACKAGES, (n) => put(`${"n".repeat(250)}${n}/${"1".repeat(250)}/a`));
  const [{ package_id }] = await inTurn(PACKAGE_FILES, (n) => put(`tool/1.0/${"d/".repeat(120)}${n}`));
  await put("tool/1.0/a");
  const form = (name) =>
    new TextEncoder().encode(`--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\ntext\r\n--x--\r\n`);
  const upload = (n) =>
    must(address, token, "POST", `/api/v4/projects/${project}/uploads`, form(`${n}${"u".repeat(250)}`), {
      "Content-Type": "multipart/form-data; boundary=x",
    });
  const [made] = await inTurn(UPLOADS, upload);
  const [secret, filename] = made.url.split("/").slice(2);
  return {
    "packages/{package_id}": [package_id],
    "generic/{name}": ["tool"],
    "{name}/{version}": ["1.0"],
    "{version}/{file_name}": ["a"],
    "uploads/{upload_id}": [made.id],
    "uploads/{secret}": [secret],
    "{secret}/{filename}": [filename],
  };
}

async function inTurn(count, make) {
  const made = [];
  for (let n = 0; n < count; n++) made.push(await make(n));
  return made;
}

export async function makeAround({ address, root, token, owner, projects, say }) {
  for (const name of Object.keys(texts)) {
    const [project] = projects[name]["projects/{id}"];
    const [iid] = projects[name]["issues/{issue_iid}"];
    const [note] = projects[name]["notes/{note_id}"];
    const issue = `/api/v4/projects/${project}/issues/${iid}`;
    const [award] = await inTurn(AWARDS, (n) => owner("POST", `${issue}/award_emoji`, { name: `e${n}` }));
    const [ofNote] = await inTurn(AWARDS, (n) => owner("POST", `${issue}/notes/${note}/award_emoji`, { name: `e${n}` }));
    const others = (await owner("GET", `/api/v4/projects/${project}/issues?per_page=100`))
      .filter((other) => other.iid !== iid)
      .slice(0, LINKS);
    const links = await inTurn(others.length, (n) =>
      owner("POST", `${issue}/links`, { target_project_id: project, target_issue_iid: others[n].iid }),
    );
    const listed = await owner("GET", `${issue}/links?per_page=1`);
    const address255 = (n) => `https://example.org/${n}/`.padEnd(255, "%{project_path}".repeat(4));
    const [badge] = await inTurn(BADGES, (n) =>
      owner("POST", `/api/v4/projects/${project}/badges`, { link_url: address255(n), image_url: address255(n), name: `b${n}` }),
    );
    const long = { name: "n".repeat(255), description: "\u{1F980}".repeat(2048), custom_webhook_template: `{"a":"${"x".repeat(4000)}"}` };
    const hooks = await inTurn(HOOKS, (n) =>
      owner("POST", `/api/v4/projects/${project}/hooks`, {
        url: `https://example.org/${n}/${"p".repeat(1900)}`,
        ...long,
        issues_events: false,
        push_events: false,
      }),
    );
    const assets = {
      links: Array.from({ length: RELEASE_LINKS }, (_, n) => ({
        name: `${n} ${texts.long(245)}`,
        url: `https://example.org/${n}/${"p".repeat(1900)}`,
        filepath: `/${n}`,
      })),
    };
    const of = (n) => ({ tag_name: `v${3 * n}.0`, name: "release", description: texts[name](600_000), ...(n < 20 && { assets }) });
    await inTurn(RELEASES, (n) => owner("POST", `/api/v4/projects/${project}/releases`, of(n)));
    const [link] = await owner("GET", `/api/v4/projects/${project}/releases/v0.0/assets/links`);
    Object.assign(projects[name], {
      "releases/{tag}": ["v0.0"],
      "links/{link_id}": [link.id],
      "downloads/{path}": ["0"],
      "latest/{suffix}": ["downloads/0"],
      "award_emoji/{award_id}": [award.id],
      "notes/{note_id}/award_emoji/{award_id}": [ofNote.id],
      "links/{issue_link_id}": listed.map((link) => link.issue_link_id),
      "badges/{badge_id}": [badge.id],
      "hooks/{hook_id}": [hooks[0].id],
    });
    Object.assign(projects[name], await sendFiles(address, token, project));
    // its event is as long as the log of a hook answers; nothing is sent from here, but the log has the try
    await owner("POST", `/api/v4/projects/${project}/issues`, { title: "newest", description: texts[name](58_000) });
    await ask(address, token, "POST", `/api/v4/projects/${project}/hooks/${hooks[0].id}/test/issues_events`);
    const tries = await owner("GET", `/api/v4/projects/${project}/hooks/${hooks[0].id}/events`);
    if (tries.length !== 1) throw new Error(`${tries.length} tries in the log of a hook`);
    say(`${name}: ${2 * AWARDS} emoji, ${links.length} links, ${BADGES} badges, ${HOOKS} hooks, ${RELEASES} releases`);
  }
  const system = await inTurn(20, (n) =>
    must(address, root, "POST", "/api/v4/hooks", { url: `https://example.org/${n}`, name: "n".repeat(255), push_events: false }),
  );
  return { "hooks/{hook_id}": [system[0].id] };
}
