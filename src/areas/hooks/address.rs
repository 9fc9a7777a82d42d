//! Which addresses a hook may have (behaviour 14.2). Host names are not resolved, because `fetch` of a Worker does not
//! reach private networks.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Characters.
const LONGEST: usize = 2048;

/// Ports that are not for HTTP. Through those of mail, a hook could send e-mail.
const REFUSED_PORTS: [u16; 4] = [0, 25, 465, 587];

#[derive(Debug, Clone, PartialEq)]
pub struct Address {
    scheme: &'static str,
    /// User and password as written, percent-encoded.
    credentials: Option<(String, String)>,
    /// In lower case. A literal of IPv6 has its brackets.
    pub host: String,
    port: Option<u16>,
    /// Path and query.
    rest: String,
}

impl Address {
    /// None if the text is no address of HTTP. A host may have only ASCII letters, so that there is one way to write
    /// it.
    pub fn read(text: &str) -> Option<Address> {
        let is_odd = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '\\' | '#');
        if text.chars().count() > LONGEST || text.contains(is_odd) {
            return None;
        }
        let (scheme, rest) = text.split_once("://")?;
        let scheme = ["http", "https"].into_iter().find(|known| scheme.eq_ignore_ascii_case(known))?;
        let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let (credentials, place) = match authority.split_once('@') {
            Some((before, place)) => (Some(before.split_once(':').unwrap_or((before, ""))), place),
            None => (None, authority),
        };
        let (host, port) = match place.strip_prefix('[') {
            Some(literal) => {
                let (inner, after) = literal.split_once(']')?;
                (format!("[{inner}]"), after.strip_prefix(':').or((!after.is_empty()).then_some("?")))
            }
            None => {
                let (host, port) = place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port)));
                (host.to_owned(), port)
            }
        };
        let port = match port {
            None => None,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse().ok()?),
            Some(_) => return None,
        };
        let host = host.to_ascii_lowercase();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if !host.starts_with('[') && (host.is_empty() || !host.chars().all(is_name) || host.contains("..")) {
            return None;
        }
        let credentials = credentials.map(|(user, password)| (user.to_owned(), password.to_owned()));
        let rest = if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") };
        Some(Address { scheme, credentials, host, port, rest })
    }

    /// The reason why no hook may have this address. `own`: hosts of this server.
    pub fn refusal(&self, own: &[&str]) -> Option<&'static str> {
        let host = self.name();
        let is_own = own.iter().any(|own| host.eq_ignore_ascii_case(own) || is_sibling(host, own));
        if is_own {
            return Some("it is this server");
        }
        if self.port.is_some_and(|port| REFUSED_PORTS.contains(&port)) {
            return Some("the port is not allowed");
        }
        self.is_private().then_some("it is not on the public internet")
    }

    /// Whether the host is not on the public internet.
    pub fn is_private(&self) -> bool {
        let host = self.name();
        match host.strip_prefix('[') {
            Some(literal) => !literal.strip_suffix(']').is_some_and(is_public_literal),
            None => match number_of(host) {
                Some(address) => !address.is_some_and(is_public),
                None => is_local_name(host),
            },
        }
    }

    fn name(&self) -> &str {
        self.host.strip_suffix('.').unwrap_or(&self.host)
    }

    /// The address without user and password, which are sent in a header.
    pub fn to_send(&self) -> String {
        let Address { scheme, host, port, rest, .. } = self;
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{scheme}://{host}{port}{rest}")
    }

    /// `user:password`, decoded.
    pub fn credentials(&self) -> Option<String> {
        let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        self.credentials.as_ref().map(|(user, password)| format!("{}:{}", decoded(user), decoded(password)))
    }
}

/// Whether the host is another Worker of the same account.
fn is_sibling(host: &str, own: &str) -> bool {
    let account = |name: &str| {
        let (_, account) = name.strip_suffix(".workers.dev")?.rsplit_once('.')?;
        Some(account.to_ascii_lowercase())
    };
    let of_account = host.strip_suffix(".workers.dev").map(|rest| rest.rsplit('.').next().unwrap_or_default());
    account(own).is_some_and(|own| of_account.is_some_and(|other| other.eq_ignore_ascii_case(&own)))
}

fn is_local_name(host: &str) -> bool {
    let ends = ["localhost", "local", "internal", "localdomain", "home.arpa"];
    let is_in = |end: &&str| host == *end || host.strip_suffix(*end).is_some_and(|rest| rest.ends_with('.'));
    !host.contains('.') || ends.iter().any(is_in)
}

/// A host whose last part is a number is an address of IPv4, by the rules of
/// <https://url.spec.whatwg.org/#concept-ipv4-parser>. Some(None) if that address is not valid.
fn number_of(host: &str) -> Option<Option<Ipv4Addr>> {
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_hex = last.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if !is_hex && (last.is_empty() || !last.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    Some(composed(host))
}

fn composed(host: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u64> = host.split('.').map(part).collect::<Option<_>>()?;
    let (last, before) = parts.split_last()?;
    let fits = before.len() <= 3 && before.iter().all(|part| *part < 256);
    let room = 256_u64.checked_pow(u32::try_from(4 - before.len().min(3)).ok()?)?;
    if !fits || *last >= room {
        return None;
    }
    let high = before.iter().zip([24, 16, 8]).map(|(part, shift)| part << shift).sum::<u64>();
    u32::try_from(high + last).ok().map(Ipv4Addr::from)
}

fn part(text: &str) -> Option<u64> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some("") => return Some(0),
        Some(digits) => (digits, 16),
        None if text.len() > 1 && text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    u64::from_str_radix(digits, radix).ok()
}

fn is_public(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (18..20).contains(&b)))
}

/// Whether an IPv6 address is public. One that contains an IPv4 address is not.
fn is_public_literal(text: &str) -> bool {
    let Ok(address) = text.parse::<Ipv6Addr>() else { return false };
    let [a, b, ..] = address.segments();
    // only 2000::/3 is assigned (<https://www.iana.org/assignments/ipv6-address-space>)
    (0x2000..0x4000).contains(&a) && a != 0x2002 && !(a == 0x2001 && (b < 0x200 || b == 0xdb8)) && a != 0x3fff
}

/// The address with `*****` in place of the password, unless that is a variable.
pub fn masked(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let (authority, tail) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (before, host) = authority.rsplit_once('@')?;
    let (user, password) = before.split_once(':')?;
    let is_variable = password.starts_with('{') && password.ends_with('}');
    (!password.is_empty() && !is_variable).then(|| format!("{scheme}://{user}:*****@{host}{tail}"))
}

/// The host of an origin such as `https://forge.example.com:8443`.
pub fn host_of(origin: &str) -> &str {
    let rest = origin.split_once("://").map_or(origin, |(_, rest)| rest);
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    if authority.starts_with('[') { authority } else { authority.split(':').next().unwrap_or_default() }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/hooks/address.rs"]
mod tests;
