// The calls of R2 and of streams for src/worker/objects.rs.

// The buffer: R2 needs the length of a body. Six lanes: the platform opens six connections at once for a request.
const through = (body, way) => /** @type {ReadableStream} */ (new Response(body).body).pipeThrough(way);
const unpacked = (object) => through(object.body, new DecompressionStream("gzip"));
const each = async (items, act) => {
  const lane = async (of) => {
    for (const [at, item] of of) await act(item, at);
  };
  const of = items.entries();
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => lane(of)));
};
export const put = (bucket, objects) =>
  each(objects, async ([key, text]) => {
    const packed = through(text, new CompressionStream("gzip"));
    await bucket.put(key, await new Response(packed).arrayBuffer());
  });
export const get = (bucket, key) => bucket.get(key);
export const text = async (bucket, key) => {
  const object = await bucket.get(key);
  return object && new Response(unpacked(object)).text();
};
export const copy = (bucket, pairs) =>
  each(pairs, async ([from, to]) => {
    const object = await bucket.get(from);
    if (object) await bucket.put(to, object.body);
  });
const about = ({ customMetadata }) => customMetadata?.about ?? "";
export const putPacked = (bucket, objects) => each(objects, ([key, bytes, about]) => bucket.put(key, bytes, { customMetadata: { about } }));
export const packed = async (bucket, keys, most) => {
  const found = [];
  await each(keys, async (key, at) => {
    const object = await bucket.get(key);
    found[at] = object && [object.size > most ? new Uint8Array() : new Uint8Array(await object.arrayBuffer()), about(object)];
  });
  return found;
};
export const aboutOf = async (bucket, key) => {
  const object = await bucket.head(key);
  return object && about(object);
};
export const open = async (bucket, key) => {
  const object = await bucket.get(key);
  return object && [about(object), object];
};
export const slice = (bucket, key, offset, length) => bucket.get(key, { range: { offset, length } });
export const beginOf = async (bucket, key, length) => {
  const object = await slice(bucket, key, 0, length);
  return object && new Uint8Array(await object.arrayBuffer());
};
export const sendPlain = (object, init, length) => {
  const { readable, writable } = new FixedLengthStream(length);
  object.body.pipeTo(writable).catch(() => {});
  return new Response(readable, JSON.parse(init));
};
export const begin = (bucket, key) => bucket.createMultipartUpload(key);
export const part = (upload, number, bytes) => upload.uploadPart(number, bytes);
export const finish = (upload, parts) => upload.complete(parts);
export const abandon = (upload) => upload.abort();
// a client that reads nothing for this time, or fewer bytes a millisecond, counts as gone
const STALL = 60_000;
const SLOWEST = 64;
// how often it looks whether the stream has to end for those who wait: no request may wake another one
const LOOK = 1000;
export const pace = (to, held) => {
  let end = Date.now() + STALL;
  return async (bytes) => {
    const began = Date.now();
    const latest = Math.min(began + STALL, end);
    const ended = new Error("the client stopped reading, or reads slowly while others wait");
    const hasToEnd = (read) => held?.read(read, Date.now() - began);
    let timer;
    const late = new Promise((_, reject) => {
      timer = setInterval(() => (Date.now() >= latest || hasToEnd(0)) && reject(ended), LOOK);
    });
    end += bytes.length / SLOWEST;
    await Promise.race([to.write(bytes), late]).finally(() => clearInterval(timer));
    if (hasToEnd(bytes.length)) throw ended;
  };
};
// not free(): if wasm has restarted since, it would free another value at the same address
const endOf = (values) => {
  for (const value of values)
    try {
      value.end();
    } catch {}
};
// entry.mjs waits for the copy into the answer, so that the copy also ends if the client has left
const answer = (readable, to, init, values, copy) => {
  const whole = async () => {
    try {
      await copy();
      await to.close();
    } catch (error) {
      await to.abort(error);
      throw error;
    } finally {
      endOf(values);
    }
  };
  const copied = whole();
  return Object.assign(new Response(readable, JSON.parse(init)), { copied });
};
// a read without `min` gives what has just arrived, and each piece costs a timer: 1,150 ms in place of 650 for 60 MB
const SLICE = 65_536;
const PIECE = 65_536;
async function* inflated(body, inflater) {
  const from = body.getReader({ mode: "byob" });
  try {
    inflater.begin();
    for (;;) {
      const { value, done } = await from.read(new Uint8Array(SLICE), { min: SLICE });
      if (done) return;
      inflater.give(value);
      for (let piece; (piece = inflater.take()).length; ) yield piece;
    }
  } finally {
    await from.cancel();
  }
}
const packedBy = (packer, out) => ({
  async write(bytes) {
    const packed = packer.pack(bytes);
    if (packed.length) await out.write(packed);
  },
  async close() {
    await out.write(packer.finish());
    await out.close();
  },
  abort: (error) => out.abort(error),
});
// pieces of a multiple of three bytes, so that their base64 is that of the whole; one buffer, because each piece is written
// before the next is made
async function* inBase64(pieces, before, after) {
  const encoder = new TextEncoder();
  const [whole, text] = [new Uint8Array(PIECE + 3), new Uint8Array(2 * PIECE)];
  let rest = 0;
  const base64 = (bytes) => {
    let written = 0;
    for (let at = 0; at < bytes.length; at += 24_576) {
      const some = btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576)));
      written += encoder.encodeInto(some, text.subarray(written)).written;
    }
    return text.subarray(0, written);
  };
  yield encoder.encode(before);
  for await (const piece of pieces) {
    whole.set(piece, rest);
    const length = rest + piece.length;
    rest = length % 3;
    if (length > rest) yield base64(whole.subarray(0, length - rest));
    whole.copyWithin(0, length - rest, length);
  }
  yield base64(whole.subarray(0, rest));
  yield encoder.encode(after);
}
export const sendPart = (object, init, skip, length, frame, inflater, held) => {
  let whole = inflated(object.body, inflater);
  if (frame) whole = inBase64(whole, ...frame);
  const { readable, writable } = new FixedLengthStream(length);
  const to = writable.getWriter();
  const write = pace(to, held);
  return answer(readable, to, init, [inflater, held], async () => {
    let left = length;
    for await (const value of whole) {
      const piece = value.subarray(Math.min(skip, value.length), skip + left);
      skip = Math.max(0, skip - value.length);
      left -= piece.length;
      if (piece.length) await write(piece);
      if (!left) break;
    }
    if (left) throw new Error("an object is shorter than its size");
  });
};
// small objects are read ahead; an object that is not read holds one of the connections
const AHEAD = 4;
const SMALL = 262144;
const little = (number) => new Uint8Array(Uint32Array.of(number).buffer);
// a piece is bytes, the number of an object whose sum it is, or an object: key, other key, size
export const sendAssembled = (bucket, pieces, init, inflater, packer, held) => {
  const { readable, writable } = new IdentityTransformStream();
  const out = writable.getWriter();
  const to = packer ? packedBy(packer, out) : out;
  const write = pace(to, held);
  const find = async ([key, other]) => {
    const object = (await bucket.get(key)) ?? (other ? await bucket.get(other) : null);
    if (!object) throw new Error("an object is gone");
    return object;
  };
  const small = pieces.filter((piece) => Array.isArray(piece) && piece[2] <= SMALL);
  const waiting = new Map();
  const readAhead = () => {
    while (waiting.size < AHEAD && small.length) {
      const piece = small.shift();
      // a short file may be long when it is packed
      const read = find(piece).then(async (object) => (object.size > SMALL ? object : new Response(await object.arrayBuffer())).body);
      read.catch(() => {});
      waiting.set(piece, read);
    }
  };
  const sendObject = async (piece) => {
    const body = await (waiting.get(piece) ?? find(piece).then((object) => object.body));
    waiting.delete(piece);
    readAhead();
    let left = piece[2];
    for await (const value of inflated(body, inflater)) {
      left -= value.length;
      if (left < 0) throw new Error("an object is longer than its size");
      await write(value);
    }
    if (left) throw new Error("an object is shorter than its size");
    return inflater.sum();
  };
  return answer(readable, to, init, [inflater, packer, held], async () => {
    const sums = [];
    readAhead();
    for (const piece of pieces) {
      if (Array.isArray(piece)) sums.push(await sendObject(piece));
      else await write(typeof piece === "number" ? little(sums[piece]) : piece);
    }
  });
};
export const remove = (bucket, keys) => bucket.delete(keys);
export const list = async (bucket, prefix, startAfter, before, limit) => {
  const { objects, truncated } = await bucket.list({ prefix, limit, ...(startAfter && { startAfter }) });
  const old = objects.filter(({ uploaded }) => uploaded < before).map(({ key }) => key);
  return [truncated ? objects.at(-1).key : "", ...old];
};
export const send = (object, init, request, held) => {
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(request.cf?.clientAcceptEncoding)) {
    const { readable, writable } = new IdentityTransformStream();
    const to = writable.getWriter();
    const write = pace(to, held);
    return answer(readable, to, init, [held], async () => {
      for await (const value of unpacked(object)) await write(value);
    });
  }
  endOf([held]);
  const head = JSON.parse(init);
  const headers = new Headers(head.headers);
  headers.set("Content-Encoding", "gzip");
  headers.append("Vary", "Accept-Encoding");
  headers.set("ETag", `W/${headers.get("ETag")}`);
  return new Response(object.body, { status: head.status, headers, encodeBody: "manual" });
};
