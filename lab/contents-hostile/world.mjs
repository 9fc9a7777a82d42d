// Two users: Vera has a private project, Mallory a public one in which all that is hostile lies.
import { blob, commit, record, sorted, tree } from "./objects.mjs";

/** What nobody but Vera may ever read. */
export const SECRET = "the-secret-that-only-vera-reads";

/** Sends objects and refs as the mirror's hook does, without git: a hostile hook. */
export class Project {
  constructor(client, token, { id, path_with_namespace: path }) {
    Object.assign(this, { client, token, id, path, refs: new Map() });
  }

  at = (rest) => `/api/v4/projects/${this.id}${rest}`;
  ask = (method, rest, options) => this.client.ask(this.token, method, this.at(rest), options);
  must = (method, rest, body) => this.client.must(this.token, method, this.at(rest), body);

  send = (records) => this.ask("POST", "/mirror/objects", { body: Buffer.concat(records) });

  async sendAll(objects) {
    for (let at = 0; at < objects.length; at += 500) {
      const answer = await this.send(objects.slice(at, at + 500).map(record));
      if (answer.status !== 201) throw new Error(`objects were refused: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  }

  /** Sends a commit with this root, and makes refs end there. */
  async push(root, names, about) {
    const made = commit(root, about);
    await this.must("POST", "/mirror/commits", { commits: [{ id: made.id, object_base64: made.content.toString("base64"), additions: 0, deletions: 0, diff: "[]" }] });
    const changes = names.map((name) => ({ name, old: this.refs.get(name) ?? null, new: made.id }));
    await this.must("PUT", "/mirror/refs", { default_branch: "main", changes });
    names.forEach((name) => this.refs.set(name, made.id));
    await this.must("PUT", "/mirror/contents", { extent: "tips", complete: [made.id] });
    return made;
  }
}

const plain = (name, text) => {
  const file = blob(text);
  return { file, entry: ["100644", name, file.id] };
};

/** Files of a project: `[name, content]` each. Returns the root. */
export function directory(files) {
  const made = files.map(([name, content]) => plain(name, content));
  return { objects: made.map(({ file }) => file), root: tree(sorted(made.map(({ entry }) => entry))) };
}

export async function makeWorld(client, root) {
  const [tokens, ids] = [{}, {}];
  for (const name of ["vera", "mallory", "otto"]) {
    ids[name] = (await client.must(root, "POST", "/api/v4/users", { username: name, name, email: `${name}@example.com`, password: "a long enough password", skip_confirmation: true })).id;
    tokens[name] = (await client.must(root, "POST", `/api/v4/users/${ids[name]}/personal_access_tokens`, { name, scopes: ["api"] })).token;
  }
  const made = async (name, path, visibility) => new Project(client, tokens[name], await client.must(tokens[name], "POST", "/api/v4/projects", { name: path, path, visibility }));
  const [secret, hostile] = [await made("vera", "secret", "private"), await made("mallory", "hostile", "public")];
  const { objects, root: top } = directory([["secret.txt", SECRET], ["README.md", "# Vera's\n"]]);
  await secret.sendAll([...objects, top]);
  const tip = await secret.push(top.id, ["refs/heads/main", "refs/tags/v1"], { message: `${SECRET}\n` });
  return { client, root, tokens, ids, secret, hostile, top, tip, file: objects[0] };
}
