//! Files of a server, or of the web.

use std::fs::File;
use std::io;
use std::path::Path;
use std::thread;

use super::{PATIENCE, SILENCE, Transport, pause_after};
use crate::error::Result;
use crate::text::origin;

/// Bytes of a file of a text.
const LONGEST: u64 = 10 << 30;

impl Transport<'_> {
    /// Writes a file of the server, or of the web, to the disk. Only the server itself gets the token. Returns the status.
    pub fn download(&self, address: &str, to: &Path) -> Result<u16> {
        let mut attempt = 0;
        loop {
            let error = match self.download_once(address, to) {
                Ok(status @ (429 | 500..=599)) => status.to_string(),
                Ok(status) => return Ok(status),
                Err(error) => error.to_string(),
            };
            if attempt >= self.retries() {
                return Err(self.unreachable(&format!("GET {address}: {error}")));
            }
            self.console.detail(&format!("GET {address} failed: {error}"));
            thread::sleep(pause_after(attempt));
            attempt += 1;
        }
    }

    fn download_once(&self, address: &str, to: &Path) -> std::result::Result<u16, ureq::Error> {
        let mut address =
            if address.starts_with('/') { format!("{}{address}", self.project) } else { address.to_owned() };
        for _ in 0..=3 {
            if let Some(pace) = &self.pace {
                pace.begin();
            }
            let mut request = ureq::http::Request::builder().uri(&address);
            if origin(&address) == origin(&self.project) {
                request = request.header("PRIVATE-TOKEN", &self.token);
            }
            let request = self.agent.configure_request(request.body(())?).timeout_recv_response(Some(SILENCE));
            let request = request.timeout_recv_body(Some(60 * PATIENCE)).build();
            let mut response = self.agent.run(request)?;
            let header = |name: &str| response.headers().get(name)?.to_str().ok().map(str::to_owned);
            let status = response.status().as_u16();
            if let (300..=399, Some(next)) = (status, header("Location")) {
                address = if next.starts_with('/') { origin(&address).to_owned() + &next } else { next };
                continue;
            }
            if status == 200 {
                let length = header("Content-Length").and_then(|length| length.parse::<u64>().ok());
                let mut file = File::create(to)?;
                let read = io::copy(&mut response.body_mut().with_config().limit(LONGEST).reader(), &mut file)?;
                if length.is_some_and(|length| length != read) {
                    return Err(ureq::Error::Io(io::ErrorKind::UnexpectedEof.into()));
                }
                if let Some(pace) = &self.pace {
                    pace.receive(read);
                }
            }
            return Ok(status);
        }
        Ok(310)
    }
}
