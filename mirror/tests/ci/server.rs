//! A stand-in for the server: it keeps what it is sent, and answers what a test wants.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

#[derive(Debug, Clone)]
pub struct Request {
    pub line: String,
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The lines of a report.
    pub fn lines(&self) -> Vec<Value> {
        self.body
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect()
    }
}

/// None closes the connection.
pub type Answer = Option<(u16, Value)>;

pub struct Server {
    pub address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Takes all.
    pub fn new() -> Server {
        Server::with(|_, number| taken(number))
    }

    /// `answer` gets also the number of the request.
    pub fn with(answer: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
                std::thread::spawn(move || serve(client, &kept, &*answer));
            }
        });
        Server { address, requests }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// `POST success` and the like: what was sent, in short.
    pub fn told(&self) -> Vec<String> {
        let short = |request: &Request| match request.line.rsplit_once('/').unwrap() {
            (_, kind @ ("tests" | "quality")) => kind.to_owned(),
            _ => request.json()["state"].as_str().unwrap().to_owned(),
        };
        self.requests().iter().map(short).collect()
    }
}

pub fn taken(number: usize) -> Answer {
    Some((201, json!({"id": 700 + number})))
}

fn serve(client: TcpStream, kept: &Mutex<Vec<Request>>, answer: &dyn Fn(&Request, usize) -> Answer) {
    let mut from = BufReader::new(client.try_clone().unwrap());
    let mut to = client;
    while let Some(request) = read(&mut from) {
        let number = {
            let mut kept = kept.lock().unwrap();
            kept.push(request.clone());
            kept.len()
        };
        let Some((status, body)) = answer(&request, number) else { return };
        let after = if body["state"] == "pending" { "Retry-After: 1\r\n" } else { "" };
        let body = if body.is_null() { "<html>Log in</html>".to_owned() } else { body.to_string() };
        let length = body.len();
        let head =
            format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{after}Content-Length: {length}\r\n\r\n");
        if to.write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}

fn read(from: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut first = String::new();
    from.read_line(&mut first).ok().filter(|read| *read > 0)?;
    let line = first.trim_end().trim_end_matches(" HTTP/1.1").to_owned();
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers.get("content-length").map_or(0, |length| length.parse().unwrap())];
    from.read_exact(&mut body).ok()?;
    if headers.get("content-encoding").is_some_and(|encoding| encoding == "gzip") {
        let mut plain = Vec::new();
        GzDecoder::new(&body[..]).read_to_end(&mut plain).unwrap();
        body = plain;
    }
    Some(Request { line, headers, body })
}

/// A folder of its own.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ci-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Folder {
        fs::write(self.0.join(name), text).unwrap();
        self
    }

    /// The program in this folder, without the variables of the CI system that the tests run in.
    pub fn program(&self, server: &str, command: &str) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_edgeforge-mirror"));
        program.arg(command).current_dir(&self.0).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
        program.env("EDGEFORGE_URL", server).env("EDGEFORGE_PROJECT", "ann%2Fproj").env("EDGEFORGE_TOKEN", TOKEN);
        program
    }

    /// `run` with this script.
    pub fn run(&self, server: &str, options: &[&str], script: &str) -> Output {
        let mut program = self.program(server, "run");
        program.args(["--name", "ci/test", "--sha", SHA]).args(options).args(["--", "sh", "-c", script]);
        program.output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub const TOKEN: &str = "Secret-Token_of_CI_1";
pub const SHA: &str = "1234567890123456789012345678901234567890";
/// An address where nobody listens, and the options that end the tries soon.
pub const NOBODY: &str = "http://127.0.0.1:9";
pub const SOON: &[&str] = &["--wait", "1s"];

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Never answers.
pub fn silent() -> Server {
    Server::with(|_, _| {
        std::thread::sleep(Duration::from_secs(3600));
        None
    })
}
