//! The parameters of a request, wherever it has them.

use super::Params;
use crate::error::{Error, Result};
use crate::http::{Body, Request, is_mirror};

/// Bytes of a path or query: lists repeat them in up to four links of a header.
const LONGEST_PART: usize = 8192;

pub fn read_query(request: &Request) -> Result<Params> {
    for (part, text) in [("path", &request.path), ("query", &request.query)] {
        if text.len() > LONGEST_PART {
            return Err(Error::framework(format!(
                "{part} is too long (maximum is {LONGEST_PART} characters)"
            )));
        }
    }
    let query = Params::from_urlencoded(&request.query)?;
    if let Some(format) = query.text("format").filter(|format| !format.is_empty() && format != "json") {
        let text = format!("The requested format '{format}' is not supported.");
        return Err(Error::Framework(406, text));
    }
    Ok(query)
}

/// Query, then body. The body of a request that is too long or no gzip is refused.
pub fn read_params(request: &Request) -> Result<Params> {
    let query = read_query(request)?;
    // the mirror reads its own body, and what only reads has its parameters in the address
    if is_mirror(&request.path) || ["GET", "HEAD"].contains(&request.method.as_str()) {
        return Ok(query);
    }
    let body = match &request.body {
        Body::Bytes(bytes) if bytes.is_empty() => Params::default(),
        Body::Bytes(bytes) => Params::from_body(request.header("content-type"), bytes)?,
        Body::TooLarge => return Err(Error::Refused(413, "413 Request Entity Too Large".to_owned())),
        Body::Broken | Body::Unread(_) => {
            return Err(Error::framework("message body does not match declared format"));
        }
    };
    Ok(query.merged(body))
}
