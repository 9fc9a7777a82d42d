//! Which custom headers a hook may send (behaviour 14.1). It lists what is allowed, because many headers have a meaning
//! for the platform and for proxies: `Upgrade` turns the POST into a GET.

/// Headers of HTTP that only the receiver reads.
const ALLOWED: [&str; 7] =
    ["accept", "accept-language", "authorization", "from", "traceparent", "tracestate", "user-agent"];
/// Names with one of these words are headers for credentials, or defined by the receiver.
const WORDS: [&str; 9] = ["apikey", "auth", "authorization", "id", "key", "secret", "signature", "token", "version"];
/// Names that begin with one of these belong to the platform, to browsers, to proxies or to the body.
const REFUSED: [&str; 13] = [
    "access-control-",
    "cdn-",
    "cf-",
    "content-",
    "if-",
    "proxy-",
    "sec-",
    "x-forwarded",
    "x-http-method",
    "x-method-override",
    "x-original-",
    "x-real-ip",
    "x-rewrite-",
];

pub fn is_allowed(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_own = name.starts_with("x-") || name.split(['-', '_', '.']).any(|word| WORDS.contains(&word));
    ALLOWED.contains(&name.as_str()) || (is_own && !REFUSED.iter().any(|begin| name.starts_with(begin)))
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/hooks/header.rs"]
mod tests;
