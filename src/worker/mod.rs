//! Runs the service on Workers with D1, KV and R2. `worker/entry.mjs` calls [`answer`] and [`sweep`].

mod backend;
mod database;
mod error;
mod objects;
mod request;
mod task;
mod zlib;

use crate::areas::hooks::outbox::Run;
use crate::kernel::config::Config;
use crate::kernel::http::Reply;
use crate::kernel::limits::rate::LIMITERS;
use crate::kernel::store::Failure;
use crate::service::{Moment, Service};
use backend::{Cloudflare, Limiters};
use database::Database;
use js_sys::Reflect;
use objects::Bucket;
use serde::Serialize;
use std::cell::OnceCell;
use std::future::Future;
use wasm_bindgen::prelude::*;
use worker::Env;

#[wasm_bindgen(module = "/src/worker/runtime.mjs")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn respond(init: &str, body: Option<&[u8]>) -> Result<web_sys::Response, JsValue>;
    fn log(fields: &str, is_error: bool);
}

/// Calls `resolve` once with the response, and whether there is something to [`deliver`].
#[wasm_bindgen]
pub fn answer(request: web_sys::Request, env: Env, resolve: js_sys::Function) {
    task::start(async move {
        let (response, has_events) = match fetch(request, env).await {
            Ok((response, has_events)) => (response.into(), has_events),
            // the runtime answers for `undefined`
            Err(error) => {
                web_sys::console::error_1(&JsValue::from(error.to_string()));
                (JsValue::UNDEFINED, false)
            }
        };
        resolve.call2(&JsValue::UNDEFINED, &response, &has_events.into()).ok();
    });
}

async fn fetch(original: web_sys::Request, env: Env) -> worker::Result<(web_sys::Response, bool)> {
    let (service, now) = service(env)?;
    // it has room until the answer is there
    let (arrival, _body) = request::read(&original).await?;
    let moment = Moment { now, random: random()? };
    let (reply, record) = service.respond(&arrival, moment).await;
    // an object instead of text, because Cloudflare indexes its fields; no field is secret
    log(&serde_json::to_string(&record)?, record.cause.is_some());
    Ok((write(reply, &original)?, record.has_events))
}

fn service(env: Env) -> worker::Result<(Service<Cloudflare>, i64)> {
    let now = js_sys::Date::now() as i64;
    let (database, limiters, bucket, config) = environment(&env)?;
    Ok((Service { backend: Cloudflare { database, limiters, bucket, env, now }, config }, now))
}

/// Calls `resolve` once, with the error if the work failed.
fn run(work: impl Future<Output = worker::Result<()>> + 'static, resolve: js_sys::Function) {
    task::start(async move {
        let error = work.await.map_or_else(|error| error.to_string().into(), |()| JsValue::UNDEFINED);
        resolve.call1(&JsValue::UNDEFINED, &error).ok();
    });
}

/// Sends to hooks what is due, and calls `resolve` once, with the error if it failed. `is_cron`: it has a minute.
#[wasm_bindgen]
pub fn deliver(env: Env, is_cron: bool, resolve: js_sys::Function) {
    run(run_delivery(env, is_cron), resolve);
}

/// Limits of sending to hooks: after a request, for which the platform allows thirty seconds, and by the Cron trigger,
/// which runs each minute.
const AFTER_ANSWER: Run = Run { rounds: 4, millis: 15_000.0 };
const BY_CRON: Run = Run { rounds: 40, millis: 45_000.0 };

async fn run_delivery(env: Env, is_cron: bool) -> worker::Result<()> {
    let (service, now) = service(env)?;
    let moment = Moment { now, random: random()? };
    let sent = service.deliver(moment, if is_cron { BY_CRON } else { AFTER_ANSWER }).await.map_err(failed)?;
    if sent != Default::default() {
        log(&serde_json::to_string(&sent)?, false);
    }
    Ok(())
}

fn random() -> worker::Result<[u8; 32]> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| worker::Error::RustError(error.to_string()))?;
    Ok(random)
}

fn failed(error: Failure) -> worker::Error {
    worker::Error::RustError(format!("{error:?}"))
}

/// Runs retention and calls `resolve` once, with the error if it failed.
#[wasm_bindgen]
pub fn sweep(env: Env, resolve: js_sys::Function) {
    run(run_sweep(env), resolve);
}

async fn run_sweep(env: Env) -> worker::Result<()> {
    let (service, now) = service(env)?;
    let swept = service.sweep(now).await.map_err(failed)?;
    log(&serde_json::to_string(&swept)?, false);
    Ok(())
}

/// Puts issues into the index of words, and calls `resolve` once, with the error if it failed.
#[wasm_bindgen]
pub fn index(env: Env, resolve: js_sys::Function) {
    run(run_index(env), resolve);
}

async fn run_index(env: Env) -> worker::Result<()> {
    let (service, _) = service(env)?;
    let indexed = service.index().await.map_err(failed)?;
    if indexed != Default::default() {
        log(&serde_json::to_string(&indexed)?, false);
    }
    Ok(())
}

thread_local! {
    /// Bindings, variables and the secret never change during the life of an isolate.
    static ENVIRONMENT: OnceCell<(Database, Limiters, Option<Bucket>, Config)> = const { OnceCell::new() };
}

fn environment(env: &Env) -> worker::Result<(Database, Limiters, Option<Bucket>, Config)> {
    if let Some(known) = ENVIRONMENT.with(|known| known.get().cloned()) {
        return Ok(known);
    }
    let limiters = LIMITERS.map(|name| bound(env, name));
    let mut config = config(env);
    for ((most, limiter), name) in config.rates.0.iter_mut().zip(&limiters).zip(LIMITERS) {
        if *most > 0 && limiter.is_none() {
            *most = 0;
            web_sys::console::warn_1(&format!("{name} is not bound in wrangler.toml, and not limited").into());
        }
    }
    if config.admin_token_hash.is_none() {
        web_sys::console::warn_1(&"ADMIN_TOKEN is not set, so nobody can be root".into());
    }
    let found = (JsValue::from(env.d1("DB")?).unchecked_into(), limiters, bound(env, "DIFFS"), config);
    Ok(ENVIRONMENT.with(|known| known.get_or_init(|| found).clone()))
}

fn bound<T: JsCast>(env: &Env, name: &str) -> Option<T> {
    let bound = Reflect::get(env, &JsValue::from_str(name)).ok().filter(JsValue::is_object);
    bound.map(JsCast::unchecked_into)
}

fn config(env: &Env) -> Config {
    Config::read(&|name| {
        let value = Reflect::get(env, &JsValue::from_str(name)).unwrap_or_default();
        value.as_string().or_else(|| value.as_f64().map(|number| number.to_string())).unwrap_or_default()
    })
}

fn write(reply: Reply, request: &web_sys::Request) -> worker::Result<web_sys::Response> {
    #[derive(Serialize)]
    struct Init<'a> {
        status: u16,
        headers: &'a [(&'static str, String)],
    }
    let init = serde_json::to_string(&Init { status: reply.status, headers: &reply.headers })?;
    if let Some((stream, _)) = &reply.stream {
        let held = reply.held.clone().map(objects::Reading);
        if let Some(object) = stream.0.downcast_ref::<JsValue>() {
            return Ok(objects::send(object, &init, request, held)?);
        }
        if let Some(part) = stream.0.downcast_ref::<objects::Part>() {
            return Ok(part.send(&init, held)?);
        }
        if let Some(plain) = stream.0.downcast_ref::<objects::StoredPart>() {
            return Ok(plain.send(&init)?);
        }
        if let Some(assembled) = stream.0.downcast_ref::<objects::AssembledBody>() {
            return Ok(assembled.send(&init, held)?);
        }
    }
    // some statuses allow no body, not even an empty one
    let body = (!reply.body.is_empty()).then_some(reply.body.as_bytes());
    Ok(respond(&init, body)?)
}
