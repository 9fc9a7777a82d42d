// The bucket of a deployed Worker, or of a local state.
//
//   const bucket = await openBucket({ state: undefined })    // with `state`, a folder: local. Null without a bucket.
//   await bucket.get(key)                                    // bytes, or null
//   await bucket.has(key)
//   await bucket.put(key, bytes)
//   await bucket.close()
import { configuration } from "../cloudflare.mjs";
import { Api } from "./api.mjs";
import { bound } from "./d1.mjs";

/** @param {{ state?: string }} where */
export async function openBucket({ state }) {
  const { account, bucket, localBucket } = configuration();
  if (!bucket) return null;
  if (state === undefined) return new Deployed(await Api.open(account), bucket);
  return new Local(await bound(state, { r2Buckets: { BUCKET: localBucket } }));
}

class Deployed {
  #api;
  #place;

  constructor(api, name) {
    this.#api = api;
    this.#place = `/r2/buckets/${name}/objects/`;
  }

  /** Keys of files have only letters, digits and slashes, which wrangler does not escape, either. */
  async get(key) {
    return await this.#api.exchange("GET", this.#place + key, undefined, async (answer) => Buffer.from(await answer.arrayBuffer()));
  }

  async has(key) {
    const found = await this.#api.exchange("GET", this.#place + key, undefined, async (answer) => {
      await answer.body?.cancel();
      return true;
    });
    return found !== null;
  }

  async put(key, bytes) {
    const put = await this.#api.exchange("PUT", this.#place + key, bytes, (answer) => answer.text());
    if (put === null) throw new Error("the bucket of wrangler.toml is not there: make it, or deploy, and run this again");
  }

  async close() {}
}

class Local {
  #runtime;
  #bucket;

  constructor(runtime) {
    this.#runtime = runtime;
  }

  async #open() {
    return (this.#bucket ??= await this.#runtime.getR2Bucket("BUCKET"));
  }

  async get(key) {
    const found = await (await this.#open()).get(key);
    return found ? Buffer.from(await found.arrayBuffer()) : null;
  }

  async has(key) {
    return (await (await this.#open()).head(key)) !== null;
  }

  async put(key, bytes) {
    await (await this.#open()).put(key, bytes);
  }

  async close() {
    await this.#runtime.dispose();
  }
}
