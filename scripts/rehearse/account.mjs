// The rehearsal's account: its token, and its content on disk.
import { join } from "node:path";
import { put, read } from "./host.mjs";
import { Page, Refusal } from "./api.mjs";

export const token = "a-token-that-only-the-rehearsal-knows-0";
export const accountId = "0123456789abcdef0123456789abcdef";
const owner = { id: accountId, name: "Rehearsal", type: "standard" };

/** The content of an account: `state.json` in the folder, written after every change. */
export class Account {
  databases = [];
  namespaces = [];
  buckets = [];
  scripts = {};
  bookmark = 0;
  /** Set by its owner: called after a change. */
  changed = async () => {};

  constructor(folder) {
    this.folder = folder;
    Object.assign(this, read(join(folder, "state.json"), {}));
  }

  save() {
    const { databases, namespaces, buckets, scripts, bookmark } = this;
    put(join(this.folder, "state.json"), JSON.stringify({ databases, namespaces, buckets, scripts, bookmark }, null, 1));
  }

  /** The ids of all databases, namespaces and buckets. */
  get resources() {
    return {
      databases: this.databases.map(({ uuid }) => uuid),
      namespaces: this.namespaces.map(({ id }) => id),
      buckets: this.buckets.map(({ name }) => name),
    };
  }

  /** A bookmark in D1's format, later than all earlier ones. */
  nextBookmark() {
    this.bookmark++;
    return `${this.bookmark.toString(16).padStart(8, "0")}-00000000-00004e5b-${"0".repeat(32)}`;
  }
}

/** One page of a list, by `page` and `per_page`. */
export function paged(list, query) {
  const size = Number(query.get("per_page") ?? 20);
  const page = Number(query.get("page") ?? 1);
  const count = list.slice((page - 1) * size, page * size);
  return new Page(count, { page, per_page: size, count: count.length, total_count: list.length });
}

/** Refuses a request without the account's token. Upload links have their own tokens. */
export function admit(request, path) {
  if (path.startsWith("/rehearsal/")) return;
  const given = request.headers.authorization ?? "";
  if (given === `Bearer ${token}`) {
    const [, named] = /^\/accounts\/([^/]+)/.exec(path) ?? [];
    if (named && named !== accountId) throw new Refusal(403, 10000, "Authentication error");
    return;
  }
  if (path.endsWith("/workers/assets/upload")) return; // checks its own token
  if (path === "/user/tokens/verify") throw new Refusal(401, 1000, "Invalid API Token");
  throw new Refusal(403, 9109, "Invalid access token");
}

export const accountRoutes = {
  "GET /user/tokens/verify": () => ({ id: accountId, status: "active" }),
  "GET /user": () => ({ id: accountId, email: "operator@rehearsal.example" }),
  "GET /accounts": ({ query }) => paged([owner], query),
  "GET /memberships": ({ query }) => paged([{ id: accountId, status: "accepted", account: owner, roles: ["Administrator"] }], query),
  "POST /graphql": () => ({ data: { viewer: { accounts: [{ d1AnalyticsAdaptiveGroups: [] }] } } }),
};
