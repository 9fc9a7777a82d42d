use super::Params;
use crate::kernel::dialect::Dialect;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::{Body, Content, Request};

/// The most bytes of a path or query. Lists repeat both in up to four links of a header.
const LONGEST_PART: usize = 8192;

pub fn read_query(request: &Request) -> Result<Params> {
    for (part, text) in [("path", &request.path), ("query", &request.query)] {
        if text.len() > LONGEST_PART {
            return Err(Error::framework(format!("{part} is too long (maximum is {LONGEST_PART} characters)")));
        }
    }
    let query = Params::from_urlencoded(&request.query)?;
    if let Some(format) = query.text("format").filter(|format| !format.is_empty() && format != "json") {
        let text = format!("The requested format '{format}' is not supported.");
        return Err(Error::Framework(406, text));
    }
    Ok(query)
}

/// Reads query and body. 429 if there was no room for it; 413 if the body is too long, 400 if it is not gzip, unless the
/// request only reads.
pub fn read_params(request: &Request, content: Content, dialect: Dialect, now: i64) -> Result<Params> {
    let query = read_query(request)?;
    if content != Content::Parameters {
        return Ok(query);
    }
    if let Body::NoRoom = request.body {
        return Err(Error::at_once(10, "MiB of bodies at once, yours and those of others", now));
    }
    if only_reads(request) {
        return Ok(if reads_body(request, dialect) { query.merged(of_a_read(request)) } else { query });
    }
    let body = match &request.body {
        Body::Bytes(bytes) if bytes.is_empty() => Params::default(),
        Body::Bytes(bytes) => Params::from_body(request.header("content-type"), bytes)?,
        Body::TooLarge => return Err(Error::too_large()),
        Body::Late => return Err(Error::late()),
        Body::NoRoom | Body::Broken | Body::Unread(_) | Body::Pieces(_) => {
            return Err(Error::framework("message body does not match declared format"));
        }
    };
    Ok(query.merged(body))
}

fn only_reads(request: &Request) -> bool {
    ["GET", "HEAD"].contains(&request.method.as_str())
}

/// Whether the body of a GET or HEAD is read. Like GitLab, v4 reads no JSON there.
fn reads_body(request: &Request, dialect: Dialect) -> bool {
    let kind = request.header("content-type");
    !dialect.is_v4() || !kind.is_some_and(|kind| kind.to_ascii_lowercase().contains("json"))
}

/// The parameters in the body of a GET or HEAD. A body that cannot be read has none.
fn of_a_read(request: &Request) -> Params {
    match &request.body {
        Body::Bytes(bytes) if !bytes.is_empty() => {
            Params::from_body(request.header("content-type"), bytes).unwrap_or_default()
        }
        _ => Params::default(),
    }
}

/// The parameters that a client sent in the body of a GET or HEAD and that are ignored.
pub fn passed_over(request: &Request, dialect: Dialect) -> Params {
    let is_passed_over = only_reads(request) && !reads_body(request, dialect);
    if is_passed_over { of_a_read(request) } else { Params::default() }
}
