//! A minimal HTTP/1.1 client with one connection a request. It sends paths exactly as written, even invalid ones.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(30);

/// Status, headers (names in lower case) and body of an answer.
pub type Received = (u16, Vec<(String, String)>, Vec<u8>);

/// Sends one request to `address` (`host:port`) and reads the answer.
pub fn exchange(
    address: &str,
    method: &str,
    target: &str,
    headers: &[(String, String)],
    body: Option<&[u8]>,
) -> std::io::Result<Received> {
    assert!(!target.contains([' ', '\r', '\n']), "a request line cannot contain {target:?}: encode it first");
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = format!("{method} {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(body) = body {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    head.push_str("\r\n");
    // a server may answer and close before it has read everything
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.unwrap_or_default()));
    receive(BufReader::new(stream), method)
}

fn receive(mut from: BufReader<TcpStream>, method: &str) -> std::io::Result<Received> {
    let mut line = String::new();
    from.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
    let status: u16 = status.ok_or_else(|| std::io::Error::other(format!("no status line: {line:?}")))?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        from.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let header = |name: &str| headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let mut body = Vec::new();
    if method == "HEAD" || status == 204 || status == 304 {
        // this answer has no body; further bytes would be an error
    } else if header("transfer-encoding") == Some("chunked") {
        loop {
            line.clear();
            from.read_line(&mut line)?;
            let length = u64::from_str_radix(line.trim(), 16).map_err(std::io::Error::other)?;
            if length == 0 {
                break;
            }
            (&mut from).take(length).read_to_end(&mut body)?;
            line.clear();
            from.read_line(&mut line)?;
        }
    } else if let Some(length) = header("content-length").and_then(|text| text.parse().ok()) {
        from.take(length).read_to_end(&mut body)?;
    } else {
        from.read_to_end(&mut body)?;
    }
    Ok((status, headers, body))
}
