// Requests to a served Worker whose addresses are sent as they are written, and what they answered.
import { request as send } from "node:http";

export class Client {
  requests = 0;

  constructor(server) {
    this.server = new URL(server);
  }

  /** The answer to a request with a token. `path` is not normalized: it may have dots, NUL and wrong escapes. */
  ask(token, method, path, { body, headers = {} } = {}) {
    this.requests++;
    const isRaw = Buffer.isBuffer(body);
    const sent = body === undefined || isRaw ? body : Buffer.from(JSON.stringify(body));
    const all = { ...(token && { "PRIVATE-TOKEN": token }), ...(sent && { "Content-Length": sent.length, "Content-Type": isRaw ? "application/octet-stream" : "application/json" }), ...headers };
    return new Promise((done, failed) => {
      const request = send({ host: this.server.hostname, port: this.server.port, method, path, headers: all, agent: false, maxHeaderSize: 1 << 22 }, (answer) => {
        const pieces = [];
        answer.on("data", (piece) => pieces.push(piece));
        answer.on("error", failed);
        answer.on("end", () => done(new Answer(answer, Buffer.concat(pieces))));
      });
      request.on("error", failed);
      request.end(sent);
    });
  }

  /** The JSON of an answer that must not be a refusal. */
  async must(token, method, path, body) {
    const answer = await this.ask(token, method, path, { body });
    if (answer.status >= 400) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    return answer.bytes.length ? answer.json : null;
  }
}

class Answer {
  constructor({ statusCode, headers, rawHeaders }, bytes) {
    Object.assign(this, { status: statusCode, headers, rawHeaders, bytes });
  }

  get text() {
    return this.bytes.toString();
  }

  get json() {
    return JSON.parse(this.text);
  }
}
