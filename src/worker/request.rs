//! Reads a request of the runtime.

use super::backend::MEMORY;
use crate::dispatch::Arrival;
use crate::kernel::call::session::{secret_in, session_key};
use crate::kernel::config::token_hash;
use crate::kernel::http::gzip::{Gunzip, Unpackable};
use crate::kernel::http::{ArrivingPieces, Body, Content, NoPiece, Pieces, Request, Source};
use crate::kernel::limits::bodies::{Bodies, Room, SHORTEST};
use crate::kernel::limits::slots::Owner;
use futures_util::future::{AbortHandle, AbortRegistration, Abortable};
use futures_util::{StreamExt, stream};
use js_sys::Uint8Array;
use serde::Deserialize;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Milliseconds to wait for the next bytes of a body, so that a client that sends nothing loses its place.
const PATIENCE: f64 = 20_000.0;

/// Milliseconds for a whole body, and bytes that add one more.
const WHOLE: f64 = 60_000.0;
const SLOWEST: f64 = 64.0;

/// Bytes of a body that the platform reads whole, which is quicker: it has to come within [`PATIENCE`].
const SHORT: usize = 64 << 10;

thread_local! {
    static BODIES: RefCell<Bodies> = RefCell::default();
}

#[wasm_bindgen(module = "/src/worker/request.mjs")]
extern "C" {
    fn head(request: &web_sys::Request) -> String;
    fn next(from: &js_sys::Object, patience: f64) -> js_sys::Promise;
}

/// The JSON of [`head`], so that one call out of wasm reads it.
#[derive(Deserialize)]
struct Head {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
}

/// Reads a request, and its parameters. They take room until the body is dropped.
pub async fn read(request: &web_sys::Request) -> worker::Result<(Arrival, Option<SentBody>)> {
    let Head { method, url, headers } = serde_json::from_str(&head(request))?;
    let (origin, path, query) = parts(&url);
    let (origin, path, query) = (origin.to_owned(), path.to_owned(), query.to_owned());
    let mut arrival = Arrival::of(Request { method, origin, path, query, headers, body: Body::default() });
    let content = arrival.route().content;
    let sent = &mut arrival.request;
    let length = sent.header("content-length").and_then(|text| text.parse::<usize>().ok());
    // to ask the platform for a body costs as much as to read ten headers
    if length == Some(0) || (length.is_none() && ["GET", "HEAD"].contains(&sent.method.as_str())) {
        return Ok((arrival, None));
    }
    if content == Content::Pieces {
        sent.body = request.body().map_or_else(Body::default, |body| Body::Pieces(pieces(body)));
        return Ok((arrival, None));
    }
    let is_packed = sent.header("content-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("gzip"));
    let person = known_person(sent);
    let (is_known, is_short) = (person.is_some(), !is_packed && length.is_some_and(|length| length <= SHORT));
    let room = match content {
        Content::Message => Room::Pushes,
        _ if is_short => Room::Short { is_known },
        _ => Room::Parameters { is_known },
    };
    let owner = person.map_or_else(|| Owner::Address(sent.address()), Owner::Person);
    let body = SentBody {
        request: Clone::clone(request),
        length,
        is_packed,
        is_short,
        limit: content.limit(),
        room,
        owner,
        held: Rc::default(),
    };
    sent.body = match content {
        // only an authorized request unpacks so much
        Content::Message => body.clone().later(),
        _ => body.read().await?,
    };
    Ok((arrival, Some(body)))
}

/// The person of a token or a session in the headers that was valid when this instance last saw it.
fn known_person(sent: &Request) -> Option<i64> {
    let bearer = || sent.header("authorization").and_then(|text| text.split_once(' ')).map(|(_, token)| token);
    let token = sent.header("private-token").or_else(bearer).map(token_hash);
    let hash = token.or_else(|| secret_in(sent).map(|secret| session_key(secret, None)))?;
    MEMORY.with_borrow(|memory| memory.known.get(&hash).copied())
}

/// The room of a body, until this value is dropped.
struct HeldRoom(u64);

impl HeldRoom {
    fn begin(room: Room, owner: Owner) -> (HeldRoom, AbortRegistration) {
        let (number, registration) = BODIES.with_borrow_mut(|bodies| bodies.begin(room, owner, now() as i64));
        (HeldRoom(number), registration)
    }

    fn add(&self, bytes: usize) {
        let ended = BODIES.with_borrow_mut(|bodies| bodies.add(self.0, bytes, now() as i64));
        // runs their requests, which look into BODIES
        ended.iter().for_each(AbortHandle::abort);
    }
}

impl Drop for HeldRoom {
    fn drop(&mut self) {
        BODIES.with_borrow_mut(|bodies| bodies.release(self.0));
    }
}

/// Origin, path and query of an address that the runtime has normalized.
fn parts(address: &str) -> (&str, &str, &str) {
    let address = address.split('#').next().unwrap_or_default();
    let host = address.find(':').map_or(0, |at| at + 3);
    let path = address.get(host..).and_then(|rest| rest.find('/')).map_or(address.len(), |at| host + at);
    let (origin, rest) = address.split_at(path);
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    (origin, path, query)
}

fn now() -> f64 {
    js_sys::Date::now()
}

fn chunks(body: &web_sys::ReadableStream) -> ArrivingPieces {
    let from = (body.get_reader(), now() + WHOLE);
    Box::pin(stream::unfold(from, async move |(reader, end)| {
        let piece = match JsFuture::from(next(&reader, PATIENCE.min(end - now()))).await {
            Ok(end) if end.is_undefined() => return None,
            Ok(late) if late.is_null() => Err(NoPiece::Late),
            Ok(chunk) => chunk.dyn_into::<Uint8Array>().map(|chunk| chunk.to_vec()).map_err(|_| NoPiece::Broken),
            Err(_) => Err(NoPiece::Broken),
        };
        let length = piece.as_ref().map_or(0, Vec::len);
        Some((piece, (reader, end + length as f64 / SLOWEST)))
    }))
}

fn pieces(body: web_sys::ReadableStream) -> Pieces {
    Pieces(Rc::new(move || chunks(&body)))
}

impl From<Unpackable> for Body {
    fn from(why: Unpackable) -> Body {
        match why {
            Unpackable::TooLarge => Body::TooLarge,
            Unpackable::Broken => Body::Broken,
        }
    }
}

#[derive(Clone)]
pub struct SentBody {
    request: web_sys::Request,
    /// As announced, which may be wrong.
    length: Option<usize>,
    is_packed: bool,
    is_short: bool,
    /// The most bytes, unpacked.
    limit: usize,
    room: Room,
    owner: Owner,
    /// From when it is read.
    held: Rc<RefCell<Option<HeldRoom>>>,
}

impl SentBody {
    fn later(self) -> Body {
        let read = move || {
            let body = self.clone();
            let body = async move { body.read().await.unwrap_or(Body::Broken) };
            Box::pin(body) as Pin<Box<dyn Future<Output = Body>>>
        };
        Body::Unread(Source(Rc::new(read)))
    }

    async fn read(&self) -> worker::Result<Body> {
        if self.length.is_some_and(|length| length > self.limit) {
            return Ok(Body::TooLarge);
        }
        let (held, registration) = HeldRoom::begin(self.room, self.owner.clone());
        let Ok(body) = Abortable::new(self.arriving(&held), registration).await else { return Ok(Body::NoRoom) };
        // parameters are copied on their way, until the answer is there; short ones take little
        if !self.is_short {
            BODIES.with_borrow_mut(|bodies| bodies.is_whole(held.0));
            self.held.replace(Some(held));
        }
        body
    }

    async fn arriving(&self, held: &HeldRoom) -> worker::Result<Body> {
        if self.is_short {
            held.add(self.length.unwrap_or_default().max(SHORTEST));
            let bytes = JsFuture::from(next(&self.request, PATIENCE)).await?;
            let is_late = bytes.is_null();
            return Ok(if is_late { Body::Late } else { Body::Bytes(Uint8Array::new(&bytes).to_vec()) });
        }
        let Some(stream) = self.request.body() else { return Ok(Body::default()) };
        let mut unpacked = self.is_packed.then(|| Gunzip::new(self.limit));
        let (mut chunks, mut bytes) = (chunks(&stream), Vec::new());
        while let Some(chunk) = chunks.next().await {
            let chunk = match chunk {
                Ok(chunk) => chunk,
                Err(NoPiece::Late) => return Ok(Body::Late),
                Err(NoPiece::Broken) => return Ok(Body::Broken),
            };
            match &mut unpacked {
                Some(unpacked) => match unpacked.add(&chunk) {
                    Ok(more) => held.add(more),
                    Err(why) => return Ok(why.into()),
                },
                None if bytes.len() + chunk.len() > self.limit => return Ok(Body::TooLarge),
                None => {
                    held.add(chunk.len());
                    bytes.extend(chunk);
                }
            }
        }
        Ok(match unpacked {
            Some(unpacked) => unpacked.finish().map_or_else(Body::from, Body::Bytes),
            None => Body::Bytes(bytes),
        })
    }
}
