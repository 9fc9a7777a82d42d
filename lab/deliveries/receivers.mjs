// Receivers of one kind of fault each, on one port. The host of a hook's address names its receiver: https://hang-1.example.com/in.
import { createServer } from "node:net";
import { portOf } from "../../scripts/workerd.mjs";

const MEGABYTE = "x".repeat(1_000_000);
const answer = (status, more = "", body = "thanks") =>
  `HTTP/1.1 ${status} x\r\nContent-Length: ${body.length}\r\nConnection: close\r\n${more}\r\n${body}`;

/** What a receiver sends. Null: no answer; "": it ends the connection. */
const KINDS = {
  well: () => answer(200),
  redirect: () => answer(302, "Location: https://elsewhere.example.com/never\r\n"),
  megabyte: () => answer(200, "", MEGABYTE),
  half: () => "HTTP/1.1 200 x\r\nContent-Length: 100\r\n\r\nhalf of",
  refuse: () => "",
  hang: () => null,
  broken: () => answer(500),
  garbage: () => "this is no answer of HTTP\r\n\r\n",
  busy: () => answer(429, "Retry-After: 90\r\n"),
  gone: () => answer(410),
  unsteady: (random) => (random() < 0.3 ? answer(503) : answer(200)),
};
/** Those that count as success. */
export const TAKERS = ["well", "redirect", "megabyte", "half", "unsteady"];
/** Each of the others comes twice: -1 takes what it gets once `mend` is called, -2 never does. */
export const NAMES = [
  ...Array.from({ length: 8 }, (_, number) => `well-${number}`),
  ...["redirect", "megabyte", "half", "unsteady"].flatMap((kind) => [`${kind}-1`, `${kind}-2`]),
  ...["refuse", "hang", "broken", "garbage", "busy", "gone"].flatMap((kind) => [`${kind}-1`, `${kind}-2`]),
];

/** Serves until `close`. `got`: each request with `took`, whether the receiver took it. */
export async function receivers(random) {
  const got = [];
  const open = new Set();
  let isMended = false;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {}).on("close", () => open.delete(socket));
    let text = Buffer.alloc(0);
    let isDone = false;
    socket.on("data", (chunk) => {
      text = Buffer.concat([text, chunk]);
      const end = text.indexOf("\r\n\r\n");
      if (isDone || end < 0) return;
      const head = text.subarray(0, end).toString();
      const header = (name) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1];
      const body = text.subarray(end + 4);
      const length = Number(header("content-length"));
      if (!(body.length >= length)) return;
      isDone = true;
      const url = header("x-outbound-url");
      const name = /https?:\/\/([a-z]+-\d)\./.exec(url)?.[1] ?? url;
      const [kind, number] = name.split("-");
      const bytes = isMended && number === "1" ? answer(200) : (KINDS[kind] ?? KINDS.well)(random);
      const took = /^HTTP\/1.1 [23]/.test(bytes ?? "");
      got.push({ name, id: header("webhook-id"), retried: header("x-gitlab-webhook-uuid"), body: body.toString(), took, mended: isMended });
      if (bytes !== null) socket.end(bytes);
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(null)));
  const close = () => {
    open.forEach((socket) => socket.destroy());
    server.close();
  };
  return { got, close, mend: () => (isMended = true), address: `http://127.0.0.1:${portOf(server)}/` };
}
