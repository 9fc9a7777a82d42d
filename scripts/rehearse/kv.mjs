// The parts of KV's REST API that wrangler uses, and R2's buckets with their objects.
import { randomUUID } from "node:crypto";
import { paged } from "./account.mjs";
import { Page, Plain, Refusal } from "./api.mjs";
import { limits } from "./limits.mjs";

export function kvRoutes(account, host) {
  const base = "/accounts/:account/storage/kv/namespaces";

  function find(id) {
    const found = account.namespaces.find((namespace) => namespace.id === id);
    if (!found) throw new Refusal(404, 10013, "get namespace: 'namespace not found'");
    return found;
  }

  function check({ key, value, base64 }) {
    const bytes = base64 ? Math.floor((value.length * 3) / 4) : Buffer.byteLength(value);
    if (!key || Buffer.byteLength(key) > limits.kvKeyBytes) throw new Refusal(414, 10006, "key length must be between 1 and 512 bytes");
    if (bytes > limits.kvValueBytes) throw new Refusal(413, 10030, `value length of ${bytes} exceeds limit of ${limits.kvValueBytes}`);
  }

  async function create({ json }) {
    const { title } = json();
    if (account.namespaces.some((namespace) => namespace.title === title)) {
      throw new Refusal(400, 10014, "create namespace: 'a namespace with this account ID and title already exists'");
    }
    const namespace = { id: randomUUID().replaceAll("-", ""), title, supports_url_encoding: true };
    account.namespaces.push(namespace);
    await account.changed();
    return namespace;
  }

  async function putBulk({ path, json, bytes }) {
    const namespace = find(path.id).id;
    const pairs = json();
    if (bytes.length > limits.kvBulkBytes) throw new Refusal(413, 10030, "the request is over 100 MB");
    if (pairs.length > limits.kvBulkPairs) throw new Refusal(400, 10005, "more than 10,000 pairs");
    pairs.forEach(check);
    await host.ask("put", { namespace, pairs });
    return { successful_key_count: pairs.length, unsuccessful_keys: [] };
  }

  async function putOne({ path, query, bytes }) {
    const pair = { key: path.key, value: bytes.toString("base64"), base64: true };
    check(pair);
    await host.ask("put", {
      namespace: find(path.id).id,
      pairs: [{ ...pair, expiration_ttl: Number(query.get("expiration_ttl")) || undefined }],
    });
  }

  async function getOne({ path }) {
    const value = await host.ask("get", { namespace: find(path.id).id, key: path.key });
    if (value === null) throw new Refusal(404, 10009, "get: 'key not found'");
    return new Plain(200, { "Content-Type": "application/octet-stream" }, value);
  }

  async function keys({ path, query }) {
    const { keys: found, cursor } = await host.ask("list", {
      namespace: find(path.id).id,
      prefix: query.get("prefix") || undefined,
      cursor: query.get("cursor") || undefined,
      limit: Number(query.get("limit")) || 1000,
    });
    return new Page(found, { count: found.length, cursor: cursor ?? "" });
  }

  const remove = (read) => async (call) => host.ask("remove", { namespace: find(call.path.id).id, keys: read(call) });

  async function createBucket({ json }) {
    const { name } = json();
    if (account.buckets.some((bucket) => bucket.name === name))
      throw new Refusal(409, 10004, "The bucket you tried to create already exists, and you own it.");
    const bucket = { name, creation_date: new Date().toISOString(), storage_class: "Standard" };
    account.buckets.push(bucket);
    await account.changed();
    return bucket;
  }

  function bucket({ name: wanted }) {
    const found = account.buckets.find(({ name }) => name === wanted);
    if (!found) throw new Refusal(404, 10006, "The specified bucket does not exist.");
    return found;
  }

  async function putObject({ path, bytes }) {
    await host.ask("putObject", { bucket: bucket(path).name, key: path.key, base64: bytes.toString("base64") });
  }

  async function getObject({ path }) {
    const base64 = await host.ask("getObject", { bucket: bucket(path).name, key: path.key });
    if (base64 === null) throw new Refusal(404, 10007, "The specified key does not exist.");
    return new Plain(200, { "Content-Type": "application/octet-stream" }, Buffer.from(base64, "base64"));
  }

  return {
    [`GET ${base}`]: ({ query }) =>
      paged(
        [...account.namespaces].sort((a, b) => (a.title < b.title ? -1 : 1)),
        query,
      ),
    [`POST ${base}`]: create,
    [`GET ${base}/:id`]: ({ path }) => find(path.id),
    [`GET ${base}/:id/keys`]: keys,
    [`PUT ${base}/:id/bulk`]: putBulk,
    [`DELETE ${base}/:id/bulk`]: remove(({ json }) => json()),
    [`GET ${base}/:id/values/:key`]: getOne,
    [`PUT ${base}/:id/values/:key`]: putOne,
    [`DELETE ${base}/:id/values/:key`]: remove(({ path }) => [path.key]),
    "GET /accounts/:account/r2/buckets": () => ({ buckets: account.buckets }),
    "POST /accounts/:account/r2/buckets": createBucket,
    "GET /accounts/:account/r2/buckets/:name": ({ path }) => bucket(path),
    "GET /accounts/:account/r2/buckets/:name/objects/:key+": getObject,
    "PUT /accounts/:account/r2/buckets/:name/objects/:key+": putObject,
  };
}
