// Static assets: an upload session requests the files that are missing; tokens connect its steps.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "./api.mjs";
import { put, read } from "./host.mjs";
import { limits } from "./limits.mjs";

const BUCKET = 3;

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const tokenOf = (payload) => `${encode({ alg: "none" })}.${encode({ exp: Math.floor(Date.now() / 1000) + 3600, ...payload })}.rehearsal`;

/** The content of a token. Throws if it is invalid. */
function payloadOf(token) {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
  } catch {
    throw new Refusal(401, 10000, "Authentication error: no token of an upload session");
  }
}

export class Assets {
  #folder;

  constructor(folder) {
    this.#folder = join(folder, "assets");
  }

  #file = (hash) => join(this.#folder, hash);
  #session = (id) => join(this.#folder, "sessions", `${id}.json`);

  /** Begins a session for these files: `{"/index.html": {hash, size}}`. */
  begin(manifest) {
    const files = Object.entries(manifest);
    if (files.length > limits.assetFiles) throw new Refusal(400, 100302, `${files.length} files are more than ${limits.assetFiles}`);
    for (const [path, { hash, size }] of files) {
      if (!/^[0-9a-f]{32}$/.test(hash)) throw new Refusal(400, 100301, `the hash of ${path} is not 32 hexadecimal digits`);
      if (size > limits.assetBytes) throw new Refusal(400, 100303, `${path} is larger than 25 MiB`);
    }
    const id = crypto.randomUUID();
    put(this.#session(id), JSON.stringify(manifest));
    const missing = [...new Set(files.map(([, { hash }]) => hash))].filter((hash) => !existsSync(this.#file(hash)));
    const buckets = [];
    for (let at = 0; at < missing.length; at += BUCKET) buckets.push(missing.slice(at, at + BUCKET));
    return { jwt: tokenOf({ session: id, complete: missing.length === 0 }), buckets };
  }

  /** Takes files of a session, a form field for each, base64. The last answer has the token for uploading a Worker. */
  async take(authorization, form) {
    const { session } = payloadOf(authorization.replace(/^Bearer /, ""));
    const manifest = read(this.#session(session));
    if (!manifest) throw new Refusal(401, 10000, "Authentication error: no such upload session");
    const sizes = new Map(Object.values(manifest).map(({ hash, size }) => [hash, size]));
    for (const [hash, file] of form) {
      const bytes = Buffer.from(await file.text(), "base64");
      if (sizes.get(hash) !== bytes.length)
        throw new Refusal(400, 100304, `${hash}: ${bytes.length} bytes, announced were ${sizes.get(hash)}`);
      put(this.#file(hash), bytes);
    }
    const whole = [...sizes.keys()].every((hash) => existsSync(this.#file(hash)));
    return whole ? { jwt: tokenOf({ session, complete: true }) } : {};
  }

  /** Writes the files of a completed session to a folder. Returns how they are served. */
  layOut({ jwt, config }, folder) {
    const { session, complete } = payloadOf(jwt);
    if (!complete) throw new Refusal(400, 100305, "not all assets of this session are uploaded");
    const files = Object.entries(read(this.#session(session)));
    for (const [path, { hash }] of files) put(join(folder, path), readFileSync(this.#file(hash)));
    const { _headers, _redirects, ...options } = config ?? {};
    if (_headers) put(join(folder, "_headers"), _headers);
    if (_redirects) put(join(folder, "_redirects"), _redirects);
    return { files: files.length, options };
  }
}

export const assetRoutes = (assets) => ({
  "POST /accounts/:account/workers/scripts/:name/assets-upload-session": ({ json }) => assets.begin(json().manifest),
  "POST /accounts/:account/workers/assets/upload": async ({ headers, form }) =>
    await assets.take(headers.authorization ?? "", await form()),
});
