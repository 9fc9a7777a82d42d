//! Checks addresses that records keep and pages link to. Addresses of hooks have more rules.

/// The schemes of a link that a browser follows.
pub const WEB: &[&str] = &["http", "https"];

/// Whether the text is an address of one of the schemes, with a host. After the host, all characters are allowed but
/// control characters and `"<>\^` and the backtick.
pub fn is_address(text: &str, schemes: &[&str]) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => (place, ""),
    };
    let is_odd = |letter: char| letter.is_control() || "\"<>\\^`".contains(letter);
    schemes.iter().any(|known| scheme.eq_ignore_ascii_case(known))
        && is_host(host)
        && (port.is_empty() || port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok())
        && !authority.contains(char::is_whitespace)
        && !text.contains(is_odd)
}

/// A host name, an IPv4 address, or an IPv6 address in brackets.
fn is_host(text: &str) -> bool {
    match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
            !text.starts_with('-') && text.split('.').all(|label| !label.is_empty() && label.bytes().all(known))
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/text/web_address.rs"]
mod tests;
