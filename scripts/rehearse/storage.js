// Runs on workerd, and gives the rehearsal's server access to all databases, namespaces and buckets of the account.
const operations = {
  /** Runs statements as one batch, which is one transaction. */
  async batch(env, { database, statements }) {
    const d1 = env[`d1 ${database}`];
    const prepared = statements.map(({ sql, params = [] }) => (params.length ? d1.prepare(sql).bind(...params) : d1.prepare(sql)));
    return await d1.batch(prepared);
  },

  /** The lines of an export, written by the same code as production's. */
  async dump(env, { database, noSchema, noData, tables }) {
    const rows = await env[`d1 ${database}`]
      .prepare("PRAGMA miniflare_d1_export(?,?,?);")
      .bind(noSchema, noData, ...tables)
      .raw();
    return rows[0];
  },

  async put(env, { namespace, pairs }) {
    for (const { key, value, base64, expiration, expiration_ttl, metadata } of pairs) {
      const bytes = base64 ? Uint8Array.from(atob(value), (character) => character.charCodeAt(0)) : value;
      await env[`kv ${namespace}`].put(key, bytes, { expiration, expirationTtl: expiration_ttl, metadata });
    }
  },

  async get(env, { namespace, key }) {
    return await env[`kv ${namespace}`].get(key);
  },

  async remove(env, { namespace, keys }) {
    for (const key of keys) await env[`kv ${namespace}`].delete(key);
  },

  async putObject(env, { bucket, key, base64 }) {
    await env[`r2 ${bucket}`].put(
      key,
      Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
    );
  },

  /** In base64. */
  async getObject(env, { bucket, key }) {
    const object = await env[`r2 ${bucket}`].get(key);
    return object && btoa(Array.from(new Uint8Array(await object.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(""));
  },

  async list(env, { namespace, prefix, cursor, limit }) {
    return await env[`kv ${namespace}`].list({ prefix, cursor, limit });
  },
};

export default {
  async fetch(request, env) {
    const { operation, ...given } = await request.json();
    try {
      return Response.json({ value: (await operations[operation](env, given)) ?? null });
    } catch (error) {
      return Response.json({ error: error.cause?.message ?? error.message });
    }
  },
};
