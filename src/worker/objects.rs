//! R2 stores texts packed with gzip, objects of repositories packed with zlib, and files as they are. JavaScript
//! streams them to the client. Objects of repositories pass through wasm, which unpacks them. The others do not.

use super::error::message;
use super::zlib::{Inflater, Packer};
use crate::kernel::http::Stream;
use crate::kernel::limits::slots::HeldPlace;
use crate::kernel::store::{Failure, OBJECTS_OF_A_PAGE, Objects, PackedObject, Piece, Span, StoreFuture, Upload};
use js_sys::{Array, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/src/worker/objects.mjs")]
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
    #[wasm_bindgen(catch, js_name = beginOf)]
    fn begin_of(bucket: &Bucket, key: &str, length: f64) -> Result<js_sys::Promise, JsValue>;
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
        held: Option<Reading>,
    ) -> Result<web_sys::Response, JsValue>;
    #[wasm_bindgen(catch, js_name = sendAssembled)]
    fn send_assembled(
        bucket: &Bucket,
        pieces: &Array,
        init: &str,
        inflater: Inflater,
        packer: Option<Packer>,
        held: Option<Reading>,
    ) -> Result<web_sys::Response, JsValue>;
    #[wasm_bindgen(catch)]
    fn remove(bucket: &Bucket, keys: Vec<String>) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch)]
    fn list(bucket: &Bucket, prefix: &str, after: &str, before: f64, limit: u32) -> Result<js_sys::Promise, JsValue>;
    /// Sends the object packed if the client accepts gzip. Only `cf` has what the client accepts, because the platform
    /// replaces the header.
    #[wasm_bindgen(catch)]
    pub fn send(
        object: &JsValue,
        init: &str,
        request: &web_sys::Request,
        held: Option<Reading>,
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

/// The same for what returns nothing.
fn finished<'a>(promise: Result<js_sys::Promise, JsValue>) -> StoreFuture<'a, ()> {
    Box::pin(async { done(promise).await.map(drop) })
}

/// The place of a stream until its end.
#[wasm_bindgen]
pub struct Reading(pub(super) HeldPlace);

#[wasm_bindgen]
impl Reading {
    /// [`HeldPlace::read`] until now.
    pub fn read(&self, bytes: usize, millis: f64) -> bool {
        self.0.read(bytes, millis as i64, js_sys::Date::now() as i64)
    }

    /// Frees the place, as [`Inflater::end`] frees memory.
    pub fn end(self) {}
}

/// A part of an object that is sent unpacked.
pub struct Part {
    object: JsValue,
    span: Span,
    /// The texts before and after, if the object is sent in base64. The span is that of the whole answer.
    frame: Option<[String; 2]>,
}

impl Part {
    pub fn send(&self, init: &str, held: Option<Reading>) -> Result<web_sys::Response, JsValue> {
        let frame = self.frame.as_ref().map(|[before, after]| Array::of2(&before.into(), &after.into()));
        let (skip, length) = (self.span.skip as f64, self.span.length as f64);
        send_part(&self.object, init, skip, length, &frame.into(), Inflater::new(false), held)
    }
}

/// A part of an object that is sent as it is stored.
pub struct StoredPart {
    object: JsValue,
    length: u64,
}

impl StoredPart {
    pub fn send(&self, init: &str) -> Result<web_sys::Response, JsValue> {
        send_plain(&self.object, init, self.length as f64)
    }
}

fn opened(object: &Stream) -> JsValue {
    object.0.downcast_ref::<JsValue>().cloned().unwrap_or_default()
}

/// A body that is put together while it is sent.
pub struct AssembledBody {
    bucket: Bucket,
    pieces: Array,
    gzip: bool,
    sums: bool,
}

impl AssembledBody {
    pub fn send(&self, init: &str, held: Option<Reading>) -> Result<web_sys::Response, JsValue> {
        let packer = self.gzip.then(Packer::new);
        send_assembled(&self.bucket, &self.pieces, init, Inflater::new(self.sums), packer, held)
    }
}

struct Parts {
    upload: JsValue,
    parts: Array,
}

impl Upload for Parts {
    fn put(&mut self, bytes: Vec<u8>) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let number = self.parts.length() + 1;
            let stored = done(part(&self.upload, number, Uint8Array::from(bytes.as_slice()))).await?;
            self.parts.push(&stored);
            Ok(())
        })
    }

    fn finish(&mut self) -> StoreFuture<'_, ()> {
        finished(finish(&self.upload, &self.parts))
    }

    fn abandon(&mut self) -> StoreFuture<'_, ()> {
        finished(abandon(&self.upload))
    }
}

impl Objects for Bucket {
    fn put(&self, objects: Vec<(String, String)>) -> StoreFuture<'_, ()> {
        let pair = |(key, text): (String, String)| Array::of2(&key.into(), &Uint8Array::from(text.as_bytes()));
        finished(put(self, objects.into_iter().map(pair).collect()))
    }

    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Stream>> {
        Box::pin(async {
            let object = done(get(self, key)).await?;
            Ok((!object.is_null()).then(|| Stream(Rc::new(object))))
        })
    }

    fn text<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<String>> {
        Box::pin(async { Ok(done(text(self, key)).await?.as_string()) })
    }

    fn delete(&self, keys: Vec<String>) -> StoreFuture<'_, ()> {
        finished(remove(self, keys))
    }

    fn list(&self, prefix: &str, after: &str, before: i64) -> StoreFuture<'_, Vec<String>> {
        let page = list(self, prefix, after, before as f64, OBJECTS_OF_A_PAGE as u32);
        Box::pin(async {
            let page: Array = done(page).await?.unchecked_into();
            Ok(page.iter().filter_map(|key| key.as_string()).collect())
        })
    }

    fn put_packed(&self, objects: Vec<(String, PackedObject)>) -> StoreFuture<'_, ()> {
        let triple = |(key, PackedObject { bytes, about }): (String, PackedObject)| {
            Array::of3(&key.into(), &Uint8Array::from(bytes.as_slice()), &about.into())
        };
        finished(put_packed(self, objects.into_iter().map(triple).collect()))
    }

    fn packed(&self, keys: Vec<String>, most: usize) -> StoreFuture<'_, Vec<Option<PackedObject>>> {
        let found = packed(self, keys, most as f64);
        Box::pin(async {
            let found: Array = done(found).await?.unchecked_into();
            let one = |found: JsValue| {
                let pair: Array = (!found.is_null()).then(|| found.unchecked_into())?;
                let bytes: Uint8Array = pair.get(0).unchecked_into();
                Some(PackedObject { bytes: bytes.to_vec(), about: pair.get(1).as_string().unwrap_or_default() })
            };
            Ok(found.iter().map(one).collect())
        })
    }

    fn begin_of<'a>(&'a self, key: &'a str, length: u64) -> StoreFuture<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            let bytes = done(begin_of(self, key, length as f64)).await?;
            Ok((!bytes.is_null()).then(|| bytes.unchecked_into::<Uint8Array>().to_vec()))
        })
    }

    fn about<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<String>> {
        Box::pin(async { Ok(done(about_of(self, key)).await?.as_string()) })
    }

    fn open<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<(String, Stream)>> {
        Box::pin(async {
            let found = done(open(self, key)).await?;
            let pair: Option<Array> = (!found.is_null()).then(|| found.unchecked_into());
            Ok(pair.map(|pair| (pair.get(0).as_string().unwrap_or_default(), Stream(Rc::new(pair.get(1))))))
        })
    }

    fn part<'a>(&'a self, key: &'a str, span: Span) -> StoreFuture<'a, Option<Stream>> {
        Box::pin(async move {
            let Span { skip, length } = span;
            let object = done(slice(self, key, skip as f64, length as f64)).await?;
            Ok((!object.is_null()).then(|| Stream(Rc::new(StoredPart { object, length }))))
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
        let sums = pieces.iter().any(|piece| matches!(piece, Piece::Sum(_)));
        let sent = |piece| -> JsValue {
            match piece {
                Piece::Bytes(bytes) => Uint8Array::from(bytes.as_slice()).into(),
                Piece::Object { key, other, size } => {
                    Array::of3(&key.into(), &other.into(), &(size as f64).into()).into()
                }
                Piece::Sum(number) => number.into(),
            }
        };
        let pieces = pieces.into_iter().map(sent).collect();
        Stream(Rc::new(AssembledBody { bucket: self.clone(), pieces, gzip, sums }))
    }

    fn copy(&self, pairs: Vec<(String, String)>) -> StoreFuture<'_, ()> {
        let pair = |(from, to): (String, String)| Array::of2(&from.into(), &to.into());
        finished(copy(self, pairs.into_iter().map(pair).collect()))
    }

    fn begin<'a>(&'a self, key: &str) -> StoreFuture<'a, Box<dyn Upload + 'a>> {
        let begun = begin(self, key);
        Box::pin(async {
            let upload = done(begun).await?;
            Ok(Box::new(Parts { upload, parts: Array::new() }) as Box<dyn Upload + 'a>)
        })
    }
}
