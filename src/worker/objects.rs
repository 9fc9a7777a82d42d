//! R2 stores texts packed with gzip, objects of repositories packed with zlib, and files as they are. JavaScript streams them to
//! the client. Wasm unpacks those of repositories in between, and sees nothing of the others.

use super::error::message;
use super::inflate::Inflater;
use crate::http::Stream;
use crate::store::{Failure, Later, OBJECTS_OF_A_PAGE, Objects, Packed, Piece, Span, Upload};
use js_sys::{Array, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

// The buffer: R2 needs the length of a body. Six lanes: the platform opens six connections at once for a request.
#[wasm_bindgen(inline_js = "
const through = (body, way) => new Response(body).body.pipeThrough(way);
const unpacked = (object) => through(object.body, new DecompressionStream('gzip'));
const each = async (items, act) => {
  const lane = async (of) => { for (const [at, item] of of) await act(item, at); };
  const of = items.entries();
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => lane(of)));
};
export const put = (bucket, objects) => each(objects, async ([key, text]) => {
  const packed = through(text, new CompressionStream('gzip'));
  await bucket.put(key, await new Response(packed).arrayBuffer());
});
export const get = (bucket, key) => bucket.get(key);
export const text = async (bucket, key) => {
  const object = await bucket.get(key);
  return object && new Response(unpacked(object)).text();
};
export const copy = (bucket, pairs) => each(pairs, async ([from, to]) => {
  const object = await bucket.get(from);
  if (object) await bucket.put(to, object.body);
});
const about = ({ customMetadata }) => customMetadata?.about ?? '';
export const putPacked = (bucket, objects) =>
  each(objects, ([key, bytes, about]) => bucket.put(key, bytes, { customMetadata: { about } }));
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
export const sendPlain = (object, init, length) => {
  const { readable, writable } = new FixedLengthStream(length);
  object.body.pipeTo(writable).catch(() => {});
  return new Response(readable, JSON.parse(init));
};
export const begin = (bucket, key) => bucket.createMultipartUpload(key);
export const part = (upload, number, bytes) => upload.uploadPart(number, bytes);
export const finish = (upload, parts) => upload.complete(parts);
export const abandon = (upload) => upload.abort();
// a client that does not read for so long has left
const STALL = 60_000;
const unlessStalled = (writing) => {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(reject, STALL, new Error('the client stopped reading')); });
  return Promise.race([writing, late]).finally(() => clearTimeout(timer));
};
// not free(), which does not ask whether wasm has started anew since, and would free what is there now
const endOf = (inflater) => {
  try {
    inflater.end();
  } catch {}
};
// entry.mjs waits for what is copied into the answer, so that it also ends where the client has left
const answer = (readable, to, init, inflater, ended, copy) => {
  const whole = async () => {
    try {
      await copy();
      await to.close();
    } catch (error) {
      await to.abort(error);
      throw error;
    } finally {
      endOf(inflater);
    }
  };
  const copied = whole();
  copied.catch(() => {}).finally(ended);
  return Object.assign(new Response(readable, JSON.parse(init)), { copied });
};
const SLICE = 16_384;
const PIECE = 65_536;
async function* inflated(body, inflater) {
  const from = body.getReader({ mode: 'byob' });
  try {
    inflater.begin();
    for (;;) {
      const { value, done } = await from.read(new Uint8Array(SLICE));
      if (done) return;
      inflater.give(value);
      for (let piece; (piece = inflater.take()).length; ) yield piece;
    }
  } finally {
    await from.cancel();
  }
}
// the platform's CompressionStream packs all that it is given before any of it is read, so it gets bytes only while its reader waits
const gzipped = (out) => {
  const { readable, writable } = new CompressionStream('gzip');
  const [from, to] = [readable.getReader({ mode: 'byob' }), writable.getWriter()];
  let waits;
  let wake = () => {};
  const copy = async () => {
    for (;;) {
      waits = true;
      wake();
      const { value, done } = await from.read(new Uint8Array(PIECE));
      waits = false;
      if (done) return;
      await out.write(value);
    }
  };
  const copied = copy();
  copied.catch(() => {});
  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length; at += SLICE) {
        if (!waits) await Promise.race([copied, new Promise((resolve) => { wake = resolve; })]);
        await to.write(bytes.subarray(at, at + SLICE));
      }
    },
    async close() {
      await to.close();
      await copied;
      await out.close();
    },
    async abort(error) {
      await Promise.allSettled([to.abort(error), out.abort(error)]);
    },
  };
};
// pieces of a multiple of three bytes, so that their base64 is that of the whole
async function* inBase64(pieces, before, after) {
  const encoder = new TextEncoder();
  let rest = new Uint8Array();
  const base64 = (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 24_576) text += btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576)));
    return text;
  };
  yield encoder.encode(before);
  for await (const piece of pieces) {
    const bytes = new Uint8Array(rest.length + piece.length);
    bytes.set(rest);
    bytes.set(piece, rest.length);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    if (whole) yield encoder.encode(base64(bytes.subarray(0, whole)));
  }
  yield encoder.encode(base64(rest) + after);
}
export const sendPart = (object, init, skip, length, frame, inflater, ended) => {
  let whole = inflated(object.body, inflater);
  if (frame) whole = inBase64(whole, ...frame);
  const { readable, writable } = new FixedLengthStream(length);
  const to = writable.getWriter();
  return answer(readable, to, init, inflater, ended, async () => {
    let left = length;
    for await (const value of whole) {
      const piece = value.subarray(Math.min(skip, value.length), skip + left);
      skip = Math.max(0, skip - value.length);
      left -= piece.length;
      if (piece.length) await unlessStalled(to.write(piece));
      if (!left) break;
    }
    if (left) throw new Error('an object is shorter than its size');
  });
};
// small objects are read ahead; an object that is not read holds one of the connections
const AHEAD = 4;
const SMALL = 262144;
const little = (number) => new Uint8Array(Uint32Array.of(number).buffer);
// a piece is bytes, the number of an object whose sum it is, or an object: key, other key, size
export const sendAssembled = (bucket, pieces, gzip, init, inflater, ended) => {
  const { readable, writable } = new IdentityTransformStream();
  const out = writable.getWriter();
  const to = gzip ? gzipped(out) : out;
  const find = async ([key, other]) => {
    const object = (await bucket.get(key)) ?? (other ? await bucket.get(other) : null);
    if (!object) throw new Error('an object is gone');
    return object;
  };
  const small = pieces.filter((piece) => Array.isArray(piece) && piece[2] <= SMALL);
  const waiting = new Map();
  const readAhead = () => {
    while (waiting.size < AHEAD && small.length) {
      const piece = small.shift();
      // a short file may be packed at any length
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
      if (left < 0) throw new Error('an object is longer than its size');
      await unlessStalled(to.write(value));
    }
    if (left) throw new Error('an object is shorter than its size');
    return inflater.sum();
  };
  return answer(readable, to, init, inflater, ended, async () => {
    const sums = [];
    readAhead();
    for (const piece of pieces) {
      if (Array.isArray(piece)) sums.push(await sendObject(piece));
      else await to.write(typeof piece === 'number' ? little(sums[piece]) : piece);
    }
  });
};
export const remove = (bucket, keys) => bucket.delete(keys);
export const list = async (bucket, prefix, startAfter, before, limit) => {
  const { objects, truncated } = await bucket.list({ prefix, limit, ...(startAfter && { startAfter }) });
  const old = objects.filter(({ uploaded }) => uploaded < before).map(({ key }) => key);
  return [truncated ? objects.at(-1).key : '', ...old];
};
export const send = (object, init, request) => {
  const head = JSON.parse(init);
  if (!/\\bgzip\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))/.test(request.cf?.clientAcceptEncoding)) return new Response(unpacked(object), head);
  const headers = new Headers(head.headers);
  headers.set('Content-Encoding', 'gzip');
  headers.append('Vary', 'Accept-Encoding');
  headers.set('ETag', `W/${headers.get('ETag')}`);
  return new Response(object.body, { status: head.status, headers, encodeBody: 'manual' });
};
")]
extern "C" {
    #[derive(Clone)]
    pub type Bucket;

    #[wasm_bindgen(catch)]
    fn put(bucket: &Bucket, objects: Array) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn get(bucket: &Bucket, key: &str) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn text(bucket: &Bucket, key: &str) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn copy(bucket: &Bucket, pairs: Array) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch, js_name = putPacked)]
    fn put_packed(bucket: &Bucket, objects: Array) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn packed(bucket: &Bucket, keys: Vec<String>, most: f64) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch, js_name = aboutOf)]
    fn about_of(bucket: &Bucket, key: &str) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn open(bucket: &Bucket, key: &str) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn slice(bucket: &Bucket, key: &str, offset: f64, length: f64) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch, js_name = sendPlain)]
    fn send_plain(object: &JsValue, init: &str, length: f64) -> Result<web_sys::Response, JsValue>;
    #[wasm_bindgen(catch)]
    fn begin(bucket: &Bucket, key: &str) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn part(upload: &JsValue, number: u32, bytes: Uint8Array) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn finish(upload: &JsValue, parts: &Array) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn abandon(upload: &JsValue) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch, js_name = sendPart)]
    fn send_part(
        object: &JsValue,
        init: &str,
        skip: f64,
        length: f64,
        frame: &JsValue,
        inflater: Inflater,
        ended: &JsValue,
    ) -> Result<web_sys::Response, JsValue>;
    #[wasm_bindgen(catch, js_name = sendAssembled)]
    fn send_assembled(
        bucket: &Bucket,
        pieces: &Array,
        gzip: bool,
        init: &str,
        inflater: Inflater,
        ended: &JsValue,
    ) -> Result<web_sys::Response, JsValue>;
    #[wasm_bindgen(catch)]
    fn remove(bucket: &Bucket, keys: Vec<String>) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn list(
        bucket: &Bucket,
        prefix: &str,
        after: &str,
        before: f64,
        limit: u32,
    ) -> Result<js_sys::Promise, JsValue>;
    /// Sends the object packed if the client accepts gzip. Only `cf` has what the client accepts, because the platform
    /// replaces the header.
    #[wasm_bindgen(catch)]
    pub fn send(
        object: &JsValue,
        init: &str,
        request: &web_sys::Request,
    ) -> Result<web_sys::Response, JsValue>;
}

async fn done(promise: Result<js_sys::Promise, JsValue>) -> Result<JsValue, Failure> {
    let outcome = match promise {
        Ok(promise) => JsFuture::from(promise).await,
        Err(error) => Err(error),
    };
    // R2 fails only if it is out of reach
    outcome.map_err(|error| Failure::Interrupted(message(&error)))
}

/// A part of an object that is sent unpacked.
pub struct Part {
    object: JsValue,
    span: Span,
    /// The texts before and after, if the object is sent in base64. The span is that of the whole answer.
    frame: Option<[String; 2]>,
}

impl Part {
    /// `ended`: called at the end of the stream, if it is a function.
    pub fn send(&self, init: &str, ended: &JsValue) -> Result<web_sys::Response, JsValue> {
        let frame = self.frame.as_ref().map(|[before, after]| Array::of2(&before.into(), &after.into()));
        let (skip, length) = (self.span.skip as f64, self.span.length as f64);
        send_part(&self.object, init, skip, length, &frame.into(), Inflater::new(), ended)
    }
}

/// A part of an object that is sent as it is stored.
pub struct Plain {
    object: JsValue,
    length: u64,
}

impl Plain {
    pub fn send(&self, init: &str) -> Result<web_sys::Response, JsValue> {
        send_plain(&self.object, init, self.length as f64)
    }
}

fn opened(object: &Stream) -> JsValue {
    object.0.downcast_ref::<JsValue>().cloned().unwrap_or_default()
}

/// A body that is put together while it is sent.
pub struct Assembled {
    bucket: Bucket,
    pieces: Array,
    gzip: bool,
}

impl Assembled {
    pub fn send(&self, init: &str, ended: &JsValue) -> Result<web_sys::Response, JsValue> {
        send_assembled(&self.bucket, &self.pieces, self.gzip, init, Inflater::new(), ended)
    }
}

struct Parts {
    upload: JsValue,
    parts: Array,
}

impl Upload for Parts {
    fn put(&mut self, bytes: Vec<u8>) -> Later<'_, ()> {
        Box::pin(async move {
            let number = self.parts.length() + 1;
            let stored = done(part(&self.upload, number, Uint8Array::from(bytes.as_slice()))).await?;
            self.parts.push(&stored);
            Ok(())
        })
    }

    fn finish(&mut self) -> Later<'_, ()> {
        Box::pin(async { done(finish(&self.upload, &self.parts)).await.map(drop) })
    }

    fn abandon(&mut self) -> Later<'_, ()> {
        Box::pin(async { done(abandon(&self.upload)).await.map(drop) })
    }
}

impl Objects for Bucket {
    fn put(&self, objects: Vec<(String, String)>) -> Later<'_, ()> {
        let list = Array::new();
        for (key, text) in objects {
            list.push(&Array::of2(&key.into(), &Uint8Array::from(text.as_bytes())));
        }
        let put = put(self, list);
        Box::pin(async { done(put).await.map(drop) })
    }

    fn stream<'a>(&'a self, key: &'a str) -> Later<'a, Option<Stream>> {
        Box::pin(async {
            let object = done(get(self, key)).await?;
            Ok((!object.is_null()).then(|| Stream(Rc::new(object))))
        })
    }

    fn text<'a>(&'a self, key: &'a str) -> Later<'a, Option<String>> {
        Box::pin(async { Ok(done(text(self, key)).await?.as_string()) })
    }

    fn delete(&self, keys: Vec<String>) -> Later<'_, ()> {
        Box::pin(async { done(remove(self, keys)).await.map(drop) })
    }

    fn list(&self, prefix: &str, after: &str, before: i64) -> Later<'_, Vec<String>> {
        let page = list(self, prefix, after, before as f64, OBJECTS_OF_A_PAGE as u32);
        Box::pin(async {
            let page: Array = done(page).await?.unchecked_into();
            Ok(page.iter().filter_map(|key| key.as_string()).collect())
        })
    }

    fn put_packed(&self, objects: Vec<(String, Packed)>) -> Later<'_, ()> {
        let list = Array::new();
        for (key, Packed { bytes, about }) in objects {
            list.push(&Array::of3(&key.into(), &Uint8Array::from(bytes.as_slice()), &about.into()));
        }
        let put = put_packed(self, list);
        Box::pin(async { done(put).await.map(drop) })
    }

    fn packed(&self, keys: Vec<String>, most: usize) -> Later<'_, Vec<Option<Packed>>> {
        let found = packed(self, keys, most as f64);
        Box::pin(async {
            let found: Array = done(found).await?.unchecked_into();
            let one = |found: JsValue| {
                let pair: Array = (!found.is_null()).then(|| found.unchecked_into())?;
                let bytes: Uint8Array = pair.get(0).unchecked_into();
                Some(Packed { bytes: bytes.to_vec(), about: pair.get(1).as_string().unwrap_or_default() })
            };
            Ok(found.iter().map(one).collect())
        })
    }

    fn about<'a>(&'a self, key: &'a str) -> Later<'a, Option<String>> {
        Box::pin(async { Ok(done(about_of(self, key)).await?.as_string()) })
    }

    fn open<'a>(&'a self, key: &'a str) -> Later<'a, Option<(String, Stream)>> {
        Box::pin(async {
            let found = done(open(self, key)).await?;
            let pair: Option<Array> = (!found.is_null()).then(|| found.unchecked_into());
            Ok(pair.map(|pair| (pair.get(0).as_string().unwrap_or_default(), Stream(Rc::new(pair.get(1))))))
        })
    }

    fn part<'a>(&'a self, key: &'a str, span: Span) -> Later<'a, Option<Stream>> {
        Box::pin(async move {
            let Span { skip, length } = span;
            let object = done(slice(self, key, skip as f64, length as f64)).await?;
            Ok((!object.is_null()).then(|| Stream(Rc::new(Plain { object, length }))))
        })
    }

    fn unpacked(&self, object: &Stream, span: Span) -> Stream {
        Stream(Rc::new(Part { object: opened(object), span, frame: None }))
    }

    fn in_base64(&self, object: &Stream, frame: [String; 2], length: u64) -> Stream {
        let span = Span { skip: 0, length };
        Stream(Rc::new(Part { object: opened(object), span, frame: Some(frame) }))
    }

    fn assembled(&self, pieces: Vec<Piece>, gzip: bool) -> Stream {
        let list = Array::new();
        for piece in pieces {
            let piece: JsValue = match piece {
                Piece::Bytes(bytes) => Uint8Array::from(bytes.as_slice()).into(),
                Piece::Object { key, other, size } => {
                    Array::of3(&key.into(), &other.into(), &(size as f64).into()).into()
                }
                Piece::Sum(number) => number.into(),
            };
            list.push(&piece);
        }
        Stream(Rc::new(Assembled { bucket: self.clone(), pieces: list, gzip }))
    }

    fn copy(&self, pairs: Vec<(String, String)>) -> Later<'_, ()> {
        let list = Array::new();
        for (from, to) in pairs {
            list.push(&Array::of2(&from.into(), &to.into()));
        }
        let copy = copy(self, list);
        Box::pin(async { done(copy).await.map(drop) })
    }

    fn begin<'a>(&'a self, key: &str) -> Later<'a, Box<dyn Upload + 'a>> {
        let begun = begin(self, key);
        Box::pin(async {
            let upload = done(begun).await?;
            Ok(Box::new(Parts { upload, parts: Array::new() }) as Box<dyn Upload + 'a>)
        })
    }
}
