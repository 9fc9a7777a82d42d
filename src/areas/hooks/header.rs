//! Which custom headers a hook may send (behaviour 14.1). A list of what is allowed, because the platform and proxies give many headers a
//! meaning of their own: `Upgrade` makes a GET of the POST.

/// Headers of HTTP that change nothing but what the receiver makes of the request.
const ALLOWED: [&str; 7] =
    ["accept", "accept-language", "authorization", "from", "traceparent", "tracestate", "user-agent"];
/// Names with one of these words are of credentials, or of the receiver's own.
const WORDS: [&str; 9] =
    ["apikey", "auth", "authorization", "id", "key", "secret", "signature", "token", "version"];
/// Names that begin so belong to the platform, to browsers, to proxies or to the body.
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
