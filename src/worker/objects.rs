//! R2 stores objects packed with gzip. JavaScript streams them to the client, so that wasm does not copy them.

use super::error::message;
use crate::http::Stream;
use crate::store::{Failure, Later, OBJECTS_OF_A_PAGE, Objects};
use js_sys::{Array, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

// The buffer: R2 needs the length of a body. Six lanes: the platform opens six connections at once for a request.
#[wasm_bindgen(inline_js = "
const through = (body, way) => new Response(body).body.pipeThrough(way);
const unpacked = (object) => through(object.body, new DecompressionStream('gzip'));
export const put = async (bucket, objects) => {
  const lane = async () => {
    for (let next; (next = objects.pop()); ) {
      const packed = through(next[1], new CompressionStream('gzip'));
      await bucket.put(next[0], await new Response(packed).arrayBuffer());
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(lane));
};
export const get = (bucket, key) => bucket.get(key);
export const text = async (bucket, key) => {
  const object = await bucket.get(key);
  return object && new Response(unpacked(object)).text();
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
}
