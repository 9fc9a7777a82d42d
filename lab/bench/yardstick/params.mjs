// The parameters of a request, from query and body. Those of the body win.
import { Refusal } from "./http.mjs";

const LONGEST_BODY = 1 << 20;
const TRUE = ["true", "t", "yes", "y", "1", "on"];
const FALSE = ["false", "f", "no", "n", "0", "off"];

/** All errors of the parameters, by name. */
export class Faults {
  #texts = {};
  #missing = [];

  add(name, text) {
    (this.#texts[name] ??= []).push(text);
  }

  missing(name) {
    this.#missing.push(name);
  }

  checkLength(name, text, most) {
    if (text !== undefined && [...text].length > most) this.add(name, `is too long (maximum is ${most} characters)`);
  }

  /** Refuses the filters of a list. */
  refuseQuery() {
    const told = Object.entries(this.#texts).flatMap(([name, texts]) => texts.map((text) => `${name} ${text}`));
    if (told.length) throw new Refusal(400, { error: told.join(", ") });
  }

  /** Refuses a record. */
  refuseRecord() {
    const [first] = this.#missing;
    const told = Object.keys(this.#texts).length > 0;
    if (first && !told) throw new Refusal(400, { message: `400 (Bad request) "${first}" not given` });
    for (const name of this.#missing) this.add(name, "can't be blank");
    if (told) throw new Refusal(400, { message: this.#texts });
  }
}

export class Params {
  #values = new Map();
  #read;

  /** `known`: names that are read elsewhere. */
  constructor(pairs, known) {
    this.#read = new Set(["private_token", "access_token", ...known]);
    for (const [name, value] of pairs) {
      const list = name.endsWith("[]") && name.slice(0, -2);
      if (list) this.#values.set(list, [...(this.#values.get(list) ?? []), value]);
      else this.#values.set(name, value);
    }
  }

  #get(name) {
    this.#read.add(name);
    const value = this.#values.get(name);
    // a blank value counts as absent
    return value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;
  }

  text(name) {
    const value = this.#get(name);
    return value === undefined || Array.isArray(value) ? undefined : String(value);
  }

  /** A list: `name[]=a&name[]=b`, or a text with commas. */
  list(name) {
    const value = this.#get(name) ?? [];
    const items = Array.isArray(value) ? value : String(value).split(",");
    return items.map((item) => String(item).trim()).filter(Boolean);
  }

  number(name, faults, pattern = /^[-+]?\d+$/) {
    const text = this.text(name)?.trim();
    if (text === undefined) return undefined;
    if (!pattern.test(text)) faults.add(name, "is invalid");
    return Number(text);
  }

  /** The whole part of a number, as pages are counted. */
  whole(name, faults) {
    const number = this.number(name, faults, /^[-+]?\d+(\.\d+)?$/);
    return number === undefined ? undefined : Math.trunc(number);
  }

  flag(name, faults) {
    const text = this.text(name)?.trim().toLowerCase();
    if (text !== undefined && ![...TRUE, ...FALSE].includes(text)) faults?.add(name, "is invalid");
    return TRUE.includes(text);
  }

  word(name, words, faults) {
    const text = this.text(name);
    if (text !== undefined && !words.includes(text)) faults.add(name, `does not have a valid value (${words.join(", ")})`);
    return text;
  }

  /** Milliseconds since 1970. */
  time(name, faults) {
    const text = this.text(name);
    const millis = text === undefined ? undefined : Date.parse(text);
    if (Number.isNaN(millis)) faults.add(name, "is invalid");
    return millis;
  }

  /** The names of unread parameters. */
  get unread() {
    return [...this.#values.keys()].filter((name) => !this.#read.has(name));
  }

  /** The form in which a list's links repeat them. */
  get repeated() {
    const without = ["private_token", "access_token", "cursor"];
    const pairs = [...this.#values].filter(([name]) => !without.includes(name));
    return new URLSearchParams(
      pairs.flatMap(([name, value]) => (Array.isArray(value) ? value.map((item) => [`${name}[]`, item]) : [[name, value]])),
    );
  }
}

/** `path`: the names of the path's own values. */
export async function readParams(request, url, path) {
  if (!["POST", "PUT", "PATCH"].includes(request.method)) return new Params(url.searchParams, path);
  const type = request.headers.get("Content-Type") ?? "";
  if (Number(request.headers.get("Content-Length")) > LONGEST_BODY) throw new Refusal(413, { message: "413 Request Entity Too Large" });
  return new Params([...url.searchParams, ...(await readBody(request, type))], path);
}

async function readBody(request, type) {
  if (type.startsWith("application/x-www-form-urlencoded")) return new URLSearchParams(await request.text());
  if (type.startsWith("multipart/form-data")) return request.formData();
  if (!type.startsWith("application/json")) return [];
  try {
    const body = await request.json();
    return body && typeof body === "object" && !Array.isArray(body) ? Object.entries(body) : [];
  } catch {
    throw new Refusal(400, { error: "message body does not match declared format" });
  }
}
