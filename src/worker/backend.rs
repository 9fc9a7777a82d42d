//! D1, KV, R2 and rate limits as the service asks for them.

use super::database::Database;
use super::objects::Bucket;
use crate::kernel::cache::Cache;
use crate::kernel::limits::rate::{Limit, Memory};
use crate::kernel::store::{
    AnswerFuture, Backend, BatchResult, Failure, Objects, OutgoingRequest, Reading, RemoteAnswer, Statement,
    StoreFuture, VerdictFuture,
};
use js_sys::Reflect;
use serde::Deserialize;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use worker::Env;
use worker::kv::KvStore;

#[wasm_bindgen(module = "/src/worker/runtime.mjs")]
extern "C" {
    fn pause(millis: f64) -> js_sys::Promise;
    /// Returns the JSON of [`FetchOutcome`]. `patience`: milliseconds until there must be a status. `most`: bytes of the body that are read.
    fn send(url: &str, headers: &str, body: &str, patience: u32, most: u32) -> js_sys::Promise;
    /// Returns the same. `patience`: milliseconds until the end of the body. `is_fresh`: no cache may answer.
    fn get(url: &str, patience: u32, most: u32, is_fresh: bool) -> js_sys::Promise;
    fn verify(modulus: &str, text: &str, signature: &[u8]) -> js_sys::Promise;
}

#[derive(Deserialize)]
#[serde(untagged)]
enum FetchOutcome {
    Answer { status: u16, headers: Vec<(String, String)>, body: String },
    Fault { fault: String },
}

#[wasm_bindgen]
extern "C" {
    #[derive(Clone)]
    pub type Limiter;
    #[wasm_bindgen(method, catch)]
    fn limit(this: &Limiter, key: &JsValue) -> Result<js_sys::Promise, JsValue>;

    type LimiterOutcome;
    #[wasm_bindgen(method, getter)]
    fn success(this: &LimiterOutcome) -> bool;
}

pub struct Cloudflare {
    pub database: Database,
    pub limiters: Limiters,
    pub bucket: Option<Bucket>,
    pub env: Env,
    pub now: i64,
}

/// None if not bound. In the order of [`LIMITERS`].
pub type Limiters = [Option<Limiter>; 3];

thread_local! {
    static CACHE: RefCell<Cache> = RefCell::default();
    pub(super) static MEMORY: RefCell<Memory> = RefCell::default();
}

/// Seconds that a data centre caches a blob: the least that KV accepts.
const EDGE_CACHE: u64 = 60;

impl Cloudflare {
    /// Looked up when a blob is read, because most requests read none.
    fn templates(&self) -> Result<KvStore, Failure> {
        self.env.kv("TEMPLATES").map_err(|error| Failure::Other(error.to_string()))
    }
}

impl Backend for Cloudflare {
    fn batch(&self, statements: Vec<Statement>, reading: Reading) -> StoreFuture<'_, BatchResult> {
        Box::pin(async move { self.database.run(&statements, &reading).await })
    }

    fn count<'a>(&'a self, limit: Limit, key: &'a str) -> Pin<Box<dyn Future<Output = bool> + 'a>> {
        Box::pin(async move {
            let counted = match self.limiters.get(limit as usize) {
                Some(Some(limiter)) => count(limiter, key).await,
                _ => return true,
            };
            // if the limiter fails, it allows the request
            counted.map_or(true, |counted| counted.unchecked_ref::<LimiterOutcome>().success())
        })
    }

    fn remember(&self, look: &mut dyn FnMut(&mut Memory)) {
        MEMORY.with_borrow_mut(look);
    }

    fn send(&self, request: OutgoingRequest) -> AnswerFuture<'_> {
        Box::pin(async move {
            let OutgoingRequest { url, headers, body } = request;
            let headers = serde_json::to_string(&headers).map_err(|error| error.to_string())?;
            answered(send(&url, &headers, &body, RemoteAnswer::PATIENCE, RemoteAnswer::MOST as u32)).await
        })
    }

    fn fetch<'a>(&'a self, address: &'a str, most: usize, is_fresh: bool) -> AnswerFuture<'a> {
        Box::pin(answered(get(address, 5_000, most as u32 + 1, is_fresh)))
    }

    fn has_signed<'a>(&'a self, modulus: &'a str, text: &'a str, signature: &'a [u8]) -> VerdictFuture<'a> {
        let verified = JsFuture::from(verify(modulus, text, signature));
        Box::pin(async move { verified.await.is_ok_and(|is_good| is_good == true) })
    }

    fn clock(&self) -> f64 {
        js_sys::Date::now()
    }

    fn pause(&self, millis: u64) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        // `worker::Delay` wakes the task before it is ready, and `task.rs` polls a task at once
        Box::pin(async move { drop(JsFuture::from(pause(millis as f64)).await) })
    }

    fn objects(&self) -> Option<&dyn Objects> {
        self.bucket.as_ref().map(|bucket| bucket as &dyn Objects)
    }

    fn has_blob<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let read = self.templates()?.get(key).bytes().await;
            read.map(|bytes| bytes.is_some()).map_err(|error| Failure::Interrupted(format!("{error:?}")))
        })
    }

    fn read_blob<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Rc<str>>> {
        Box::pin(async move {
            if let Some(text) = CACHE.with_borrow(|cache| cache.fresh(key, self.now)) {
                return Ok(Some(text));
            }
            match self.templates()?.get(key).cache_ttl(EDGE_CACHE).text().await {
                Ok(text) => {
                    let text: Option<Rc<str>> = text.map(Rc::from);
                    CACHE.with_borrow_mut(|cache| cache.put(key, text.clone(), self.now));
                    Ok(text)
                }
                // a stale text is better than an error
                Err(error) => match CACHE.with_borrow(|cache| cache.any(key)) {
                    Some(text) => Ok(Some(text)),
                    // KV fails only if it is out of reach
                    None => Err(Failure::Interrupted(format!("blob {key}: {error:?}"))),
                },
            }
        })
    }
}

async fn answered(asked: js_sys::Promise) -> Result<RemoteAnswer, String> {
    let outcome = JsFuture::from(asked).await.map_err(|error| format!("{error:?}"))?;
    match serde_json::from_str(&outcome.as_string().unwrap_or_default()) {
        Ok(FetchOutcome::Answer { status, headers, body }) => Ok(RemoteAnswer { status, headers, body }),
        Ok(FetchOutcome::Fault { fault }) => Err(fault),
        Err(error) => Err(error.to_string()),
    }
}

async fn count(limiter: &Limiter, key: &str) -> Result<JsValue, JsValue> {
    let options = js_sys::Object::new();
    Reflect::set(&options, &JsValue::from_str("key"), &JsValue::from_str(key))?;
    JsFuture::from(limiter.limit(&options)?).await
}
