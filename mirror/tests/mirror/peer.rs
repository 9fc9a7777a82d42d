use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::world::{Fault, World};

pub const TOKEN: &str = "Secret-Token_of_Ann1";

/// The form of D1's bookmarks.
pub fn bookmark(number: u32) -> String {
    format!("00000000-{number:08x}-00000000-{:032x}", 0)
}

pub struct Peer {
    pub address: String,
    shared: Arc<Shared>,
}

struct Shared {
    world: Mutex<World>,
    /// Serializes batches, as a database does.
    writing: RwLock<()>,
    under_way: AtomicUsize,
    most_under_way: AtomicUsize,
    closed: AtomicBool,
}

impl Peer {
    pub fn new() -> Peer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            world: Mutex::default(),
            writing: RwLock::new(()),
            under_way: AtomicUsize::new(0),
            most_under_way: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        });
        let inside = Arc::clone(&shared);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if inside.closed.load(Ordering::Relaxed) {
                    break;
                }
                let inside = Arc::clone(&inside);
                std::thread::spawn(move || inside.serve(client));
            }
        });
        Peer { address, shared }
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.shared.world.lock().unwrap()
    }

    pub fn most_under_way(&self) -> usize {
        self.shared.most_under_way.load(Ordering::Relaxed)
    }

    pub fn writes(&self) -> usize {
        self.world().requests.iter().filter(|(method, ..)| method != "GET").count()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address.trim_start_matches("http://"));
    }
}

struct Request {
    method: String,
    path: String,
    headers: HashMap<String, String>,
    body: Vec<u8>,
}

fn read(from: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut first = String::new();
    from.read_line(&mut first).ok().filter(|read| *read > 0)?;
    let mut words = first.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    if headers.get("transfer-encoding").is_some_and(|encoding| encoding == "chunked") {
        let mut body = Vec::new();
        loop {
            let mut line = String::new();
            from.read_line(&mut line).ok()?;
            let length = u64::from_str_radix(line.trim(), 16).ok()?;
            from.take(length).read_to_end(&mut body).ok()?;
            from.read_line(&mut line).ok()?;
            if length == 0 {
                return Some(Request { method, path, headers, body });
            }
        }
    }
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    if headers.get("content-encoding").is_some_and(|encoding| encoding == "gzip") {
        let mut plain = Vec::new();
        GzDecoder::new(&body[..]).read_to_end(&mut plain).unwrap();
        body = plain;
    }
    Some(Request { method, path, headers, body })
}

impl Shared {
    fn serve(&self, client: TcpStream) {
        let mut from = BufReader::new(client.try_clone().unwrap());
        let mut to = client;
        while let Some(request) = read(&mut from) {
            let writes = request.method != "GET";
            let fault = if writes { self.world.lock().unwrap().faults.pop_front() } else { None };
            let (status, body, after) = match fault {
                Some(Fault::Page(status)) => (status, Value::Null, None),
                Some(Fault::Said(status, text)) => (status, json!({"message": text}), None),
                Some(Fault::Dropped) => return,
                Some(Fault::Status(status, after)) => (status, json!({"error": "not now"}), after),
                Some(Fault::AnswerLost) => {
                    self.answer(&request);
                    return;
                }
                None | Some(Fault::Taken) => {
                    let (status, body) = self.answer(&request);
                    (status, body, None)
                }
            };
            let mut world = self.world.lock().unwrap();
            let mark = if writes && status < 400 {
                world.sent_bookmarks += 1;
                format!("X-D1-Bookmark: {}\r\n", bookmark(world.sent_bookmarks))
            } else {
                String::new()
            };
            if !writes {
                world.read_bookmark = request.headers.get("x-d1-bookmark").cloned();
            }
            let link = world.link(&request.path);
            world.requests.push((request.method, request.path, status));
            drop(world);
            let body = if body.is_null() { "<html>Log in</html>".to_owned() } else { body.to_string() };
            let after = after.map(|seconds| format!("Retry-After: {seconds}\r\n")).unwrap_or_default();
            let head = format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{after}{mark}{link}");
            if to.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).is_err() {
                return;
            }
        }
    }

    fn answer(&self, request: &Request) -> (u16, Value) {
        if request.headers.get("private-token").map(String::as_str) != Some(TOKEN) {
            return (401, json!({"message": "401 Unauthorized"}));
        }
        let Some(path) = request.path.strip_prefix("/api/v3/projects/ann%2Fproj/") else {
            return (404, json!({"message": "404 Project Not Found"}));
        };
        let world = || self.world.lock().unwrap();
        match (request.method.as_str(), path) {
            ("GET", "mirror") => (200, world().show("")),
            ("GET", path) if path.starts_with("mirror?") => (200, world().show(&path["mirror?".len()..])),
            ("GET", path) if path.starts_with("mirror/commits?after=") => {
                (200, world().labels(path.trim_start_matches("mirror/commits?after=")))
            }
            ("POST", "mirror/commits") => {
                let under_way = self.under_way.fetch_add(1, Ordering::Relaxed) + 1;
                self.most_under_way.fetch_max(under_way, Ordering::Relaxed);
                let (before, during) = world().delay;
                std::thread::sleep(before);
                let writing = self.writing.write().unwrap();
                let answer = world().take(&request.body);
                std::thread::sleep(during);
                drop(writing);
                self.under_way.fetch_sub(1, Ordering::Relaxed);
                answer
            }
            ("GET", path) if path.starts_with("mirror/commits/") => {
                world().has(path.trim_start_matches("mirror/commits/"))
            }
            ("PUT", "mirror/refs") => world().swap(&request.body),
            (_, path) if path.starts_with("mirror/objects") || path == "mirror/contents" => {
                let mut world = world();
                let Some(shelf) = &mut world.shelf else { return (404, json!({"error": "404 Not Found"})) };
                match (request.method.as_str(), path) {
                    ("POST", "mirror/objects/lacking") => {
                        let (status, answer) = shelf.lacking(&request.body);
                        if request.body.ends_with(b"\"recheck\":true}") {
                            world.forget(&answer["objects"]);
                        }
                        (status, answer)
                    }
                    ("POST", "mirror/objects") => shelf.take(&request.body),
                    ("PUT", "mirror/contents") => shelf.note(&request.body),
                    ("GET", path) => shelf.list(path.trim_start_matches("mirror/objects?after=")),
                    _ => (405, json!({"error": "405 Not Allowed"})),
                }
            }
            ("GET", path) => world().commit(path),
            _ => (405, json!({"error": "405 Not Allowed"})),
        }
    }
}
