//! A small HTTP server for the stand-ins.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use flate2::read::GzDecoder;
use serde_json::Value;

#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    /// Without the query, and decoded.
    pub path: String,
    pub query: HashMap<String, String>,
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(status: u16, body: &Value) -> Answer {
        let headers = vec![("Content-Type".to_owned(), "application/json".to_owned())];
        Answer { status, headers, body: body.to_string().into_bytes() }
    }

    pub fn with(mut self, name: &str, value: impl ToString) -> Answer {
        self.headers.push((name.to_owned(), value.to_string()));
        self
    }
}

/// What goes wrong with an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fault {
    TooFast,
    Broken,
    Closed,
    /// The request is carried out, and its answer is lost.
    Lost,
    Half,
    Html,
    SignIn,
}

pub const FAULTS: [Fault; 7] =
    [Fault::TooFast, Fault::Broken, Fault::Closed, Fault::Lost, Fault::Half, Fault::Html, Fault::SignIn];

/// Each so many requests one of these.
#[derive(Debug, Default)]
pub struct Faults {
    pub each: usize,
    pub faults: Vec<Fault>,
}

pub struct Http {
    pub address: String,
    pub count: Arc<AtomicUsize>,
    closed: Arc<AtomicBool>,
}

impl Http {
    pub fn new(faults: Faults, answer: impl Fn(&Request, &str) -> Answer + Send + Sync + 'static) -> Http {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (count, closed) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let shared = Arc::new((faults, answer, address.clone(), Arc::clone(&count)));
        let is_closed = Arc::clone(&closed);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if is_closed.load(Ordering::Relaxed) {
                    return;
                }
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || {
                    let (faults, answer, address, count) = &*shared;
                    serve(client, faults, count, &|request| answer(request, address));
                });
            }
        });
        Http { address, count, closed }
    }

    pub fn requests(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}

fn serve(client: TcpStream, faults: &Faults, count: &AtomicUsize, answer: &dyn Fn(&Request) -> Answer) {
    client.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    client.set_nodelay(true).unwrap();
    let mut from = BufReader::new(client.try_clone().unwrap());
    let mut to = client;
    while let Some(request) = read(&mut from) {
        let number = count.fetch_add(1, Ordering::Relaxed) + 1;
        let is_time = faults.each > 0 && number.is_multiple_of(faults.each);
        let fault = is_time.then(|| faults.faults[number / faults.each % faults.faults.len()]);
        let html = |status| Answer { status, headers: Vec::new(), body: b"<html>Sign in</html>".to_vec() };
        let mut whole = true;
        let answer = match fault {
            None => answer(&request),
            Some(Fault::TooFast) => html(429).with("Retry-After", 0),
            Some(Fault::Broken) => html(502),
            Some(Fault::Html) if request.method == "GET" => html(200),
            Some(Fault::SignIn) if request.method == "GET" => html(302).with("Location", "/users/sign_in"),
            Some(Fault::Closed) => return,
            Some(Fault::Half) => {
                whole = false;
                answer(&request)
            }
            Some(_) => {
                answer(&request);
                return;
            }
        };
        let mut bytes =
            format!("HTTP/1.1 {} X\r\nContent-Length: {}\r\n", answer.status, answer.body.len()).into_bytes();
        for (name, value) in &answer.headers {
            bytes.extend(format!("{name}: {value}\r\n").bytes());
        }
        bytes.extend(b"\r\n");
        bytes.extend(&answer.body[..if whole { answer.body.len() } else { answer.body.len() / 2 }]);
        if to.write_all(&bytes).is_err() || !whole {
            return;
        }
    }
}

fn read(from: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut first = String::new();
    from.read_line(&mut first).ok().filter(|read| *read > 0)?;
    let mut words = first.split(' ');
    let (method, address) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let mut body = Vec::new();
    if headers.get("transfer-encoding").is_some_and(|value| value == "chunked") {
        loop {
            let mut size = String::new();
            from.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            let mut chunk = vec![0; size + 2];
            from.read_exact(&mut chunk).ok()?;
            if size == 0 {
                break;
            }
            body.extend(&chunk[..size]);
        }
    } else {
        body = vec![0; headers.get("content-length").map_or(0, |length| length.parse().unwrap())];
        from.read_exact(&mut body).ok()?;
    }
    if headers.get("content-encoding").is_some_and(|encoding| encoding == "gzip") {
        let mut plain = Vec::new();
        GzDecoder::new(&body[..]).read_to_end(&mut plain).ok()?;
        body = plain;
    }
    let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (path, query) = address.split_once('?').unwrap_or((&address, ""));
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let query = pairs.map(|(name, value)| (decoded(name), decoded(value))).collect();
    Some(Request { method, path: decoded(path), query, headers, body })
}
