/// Checks only the scheme and control characters: a link must be safe to click.
pub fn is_web_link(text: &str) -> bool {
    let scheme = |name: &str| text.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    (scheme("http://") || scheme("https://")) && !text.chars().any(char::is_control)
}

/// Whether the text is a URL of http or https with a host.
pub fn is_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let resource = authority.rsplit_once('@').map_or(authority, |(_, resource)| resource);
    let (host, port) = match resource.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => (resource, ""),
    };
    (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
        && is_host(host)
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte))
}

/// A host name, an IPv4 address, or an IPv6 address in brackets.
fn is_host(text: &str) -> bool {
    match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte);
            !text.is_empty() && !text.starts_with(['.', '-']) && text.bytes().all(known)
        }
    }
}

/// `*` stands for any text.
pub fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        let known = |letter: char| letter.is_alphanumeric() || "-_*".contains(letter);
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(known)
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/settings/forms.rs"]
mod tests;
