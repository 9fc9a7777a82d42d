// Versions of a Worker: the content of an upload, checked as in production, and stored unchanged.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Refusal } from "./api.mjs";
import { put } from "./host.mjs";
import { limits } from "./limits.mjs";

const megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(2)} MiB`;

/** Checks that the resource of a binding exists. */
function checkBinding(account, { name, type, id, database_id, namespace_id, bucket_name, text, simple }) {
  const refuse = (code, why) => {
    throw new Refusal(400, code, `binding ${name} of type ${type} ${why}`);
  };
  if (type === "d1" && !account.databases.some(({ uuid }) => uuid === (id ?? database_id)))
    refuse(10021, "must have a valid `id` specified");
  if (type === "kv_namespace" && !account.namespaces.some((namespace) => namespace.id === namespace_id))
    refuse(10041, `names no namespace: ${namespace_id}`);
  if (type === "r2_bucket" && !account.buckets.some((bucket) => bucket.name === bucket_name))
    refuse(10085, `names no bucket: ${bucket_name}`);
  if (type === "ratelimit" && !(/^[1-9]\d*$/.test(namespace_id) && simple?.limit > 0 && [10, 60].includes(simple.period)))
    refuse(10021, "limits nothing that can be counted");
  if (text !== undefined && Buffer.byteLength(text) > 5 * 1024) refuse(10021, "is longer than 5 KB");
}

/** The bindings of an upload. Inherited ones come from the version before, and so do the types in `keep_bindings`. */
function bindingsOf(account, metadata, before) {
  const bindings = (metadata.bindings ?? []).map((binding) => {
    if (binding.type !== "inherit") return binding;
    const inherited = before?.bindings.find(({ name }) => name === (binding.old_name ?? binding.name));
    if (!inherited) throw new Refusal(400, 10057, `binding ${binding.name} has nothing to inherit`);
    return { ...inherited, name: binding.name };
  });
  const named = new Set(bindings.map(({ name }) => name));
  for (const kept of before?.bindings ?? []) {
    if ((metadata.keep_bindings ?? []).includes(kept.type) && !named.has(kept.name)) bindings.push(kept);
  }
  bindings.forEach((binding) => checkBinding(account, binding));
  return bindings;
}

/** The files of an upload: name, kind and bytes. */
async function modulesOf(form) {
  const modules = [];
  for (const [name, file] of form) {
    if (name === "metadata" || typeof file === "string" || file.type === "application/source-map") continue;
    modules.push({ name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) });
  }
  return modules;
}

/** Refuses a Worker too large for any plan, and warns of one too large for the free plan. */
function checkSize(modules, print) {
  const bytes = gzipSync(Buffer.concat(modules.map((module) => module.bytes)), { level: 9 }).length;
  if (bytes > limits.workerBytes)
    throw new Refusal(413, 10027, `Your Worker exceeded the size limit of 10 MiB: ${megabytes(bytes)} compressed`);
  if (bytes > limits.workerBytesFree)
    print(`the Worker has ${megabytes(bytes)} compressed; the free plan allows ${megabytes(limits.workerBytesFree)}`);
  return bytes;
}

/** A new version from an upload form. */
export async function versionOf(form, { account, assets, name, script, print }) {
  const metadata = JSON.parse(await new Response(form.get("metadata")).text());
  const before = script?.versions.at(-1);
  const modules = await modulesOf(form);
  if (!modules.some((module) => module.name === metadata.main_module))
    throw new Refusal(400, 10021, `No such module "${metadata.main_module}".`);
  const gzipped = checkSize(modules, print);
  const id = randomUUID();
  const folder = join(account.folder, "versions", id);
  for (const module of modules) put(join(folder, "modules", module.name), module.bytes);
  const laid = metadata.assets?.jwt ? assets.layOut(metadata.assets, join(folder, "assets")) : undefined;
  return {
    id,
    number: (before?.number ?? 0) + 1,
    created_on: new Date().toISOString(),
    name,
    folder,
    metadata: {
      main_module: metadata.main_module,
      compatibility_date: metadata.compatibility_date,
      compatibility_flags: metadata.compatibility_flags ?? [],
    },
    modules: modules.map((module) => ({ name: module.name, type: module.type })),
    bindings: bindingsOf(account, metadata, before),
    assets: laid,
    annotations: { "workers/triggered_by": "upload", ...metadata.annotations },
    observability: metadata.observability,
    gzipped,
  };
}

/** A binding in an answer of the API: a secret without its value. */
export const shownBinding = ({ name, type, ...rest }) => (type === "secret_text" ? { name, type } : { name, type, ...rest });

export const shownVersion = ({ id, number, created_on, annotations, bindings, metadata }) => ({
  id,
  number,
  startup_time_ms: 1,
  metadata: { author_email: "operator@rehearsal.example", author_id: "operator", created_on, modified_on: created_on, source: "wrangler" },
  annotations,
  resources: {
    bindings: bindings.map(shownBinding),
    script: { etag: id.replaceAll("-", ""), handlers: ["fetch"], last_deployed_from: "wrangler" },
    script_runtime: {
      compatibility_date: metadata.compatibility_date,
      compatibility_flags: metadata.compatibility_flags,
      usage_model: "standard",
    },
  },
});
