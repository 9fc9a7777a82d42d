// Cloudflare's REST API, with wrangler's own login: CLOUDFLARE_API_TOKEN, or that of `wrangler login`.
import { wranglerJson } from "../cloudflare.mjs";

const TRIES = 6;

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

export class Api {
  #place;
  #headers;

  /** Opens the account of the variable CLOUDFLARE_ACCOUNT_ID, the configured one, or the only one of the login. */
  static async open(configured) {
    const self = new Api();
    const base = process.env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";
    self.#headers = await credentials();
    self.#place = `${base}/accounts/${process.env.CLOUDFLARE_ACCOUNT_ID ?? configured ?? (await onlyAccount())}`;
    return self;
  }

  /** The result of an answer in JSON. */
  async ask(method, path, body) {
    const headers = { "Content-Type": "application/json" };
    return await this.#send(method, path, { headers, body: body && JSON.stringify(body) }, async (answer) => {
      const { success, result, errors } = await answer.json();
      if (answer.ok && success) return result;
      throw refusal(answer, errors);
    });
  }

  /** What `read` makes of a successful answer without JSON. Null for 404. */
  async exchange(method, path, body, read) {
    return await this.#send(method, path, { headers: {}, body }, async (answer) => {
      if (answer.ok) return await read(answer);
      const { errors } = await answer.json().catch(() => ({}));
      if (answer.status === 404) return null;
      throw refusal(answer, errors);
    });
  }

  /** Requests are repeated if the network or the server fails; none of them writes twice. */
  async #send(method, path, { headers, body }, read) {
    for (let attempt = 1; ; attempt++) {
      let failure;
      try {
        const given = { method, headers: { ...this.#headers, ...headers }, body, signal: AbortSignal.timeout(300_000) };
        return await read(await fetch(this.#place + path, given));
      } catch (error) {
        failure =
          error.final === undefined ? new Error(`Cloudflare's API cannot be reached: ${error.cause?.message ?? error.message}`) : error;
      }
      if (failure.final || attempt === TRIES) throw failure;
      await pause(failure.wait || 500 * 2 ** attempt);
    }
  }
}

function refusal(answer, errors) {
  const failure = new Error(errors?.map(({ message }) => message).join("; ") || `Cloudflare's API answered ${answer.status}`);
  return Object.assign(failure, {
    final: answer.status < 500 && answer.status !== 429,
    wait: 1000 * Number(answer.headers.get("Retry-After")),
  });
}

async function credentials() {
  const { token, key, email } = await wranglerJson(["auth", "token", "--json"]);
  return token ? { Authorization: `Bearer ${token}` } : { "X-Auth-Key": key, "X-Auth-Email": email };
}

async function onlyAccount() {
  const { accounts = [] } = await wranglerJson(["whoami", "--json"]);
  if (accounts.length === 1) return accounts[0].id;
  throw new Error(
    `the login has several accounts: set CLOUDFLARE_ACCOUNT_ID to one of: ${accounts.map(({ id, name }) => `${id} (${name})`).join(", ")}`,
  );
}
