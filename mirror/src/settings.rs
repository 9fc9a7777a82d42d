use std::fs;
use std::path::{Path, PathBuf};

use ureq::tls::{PemItem, RootCerts, parse_pem};

use crate::args::Options;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::git::Repository;
use crate::server::Server;

pub const TOKEN: &str = "EDGEFORGE_TOKEN";

#[derive(Debug, Default)]
pub struct Configured {
    server: Option<String>,
    project: Option<String>,
    token_file: Option<PathBuf>,
    ca_file: Option<PathBuf>,
}

impl Configured {
    pub fn read(repository: &Repository) -> Result<Configured> {
        let arguments = ["--local", "-z", "--type=path", "--get-regexp", "^edgeforge\\."];
        let listed = repository.ask_whether("config", &arguments)?.unwrap_or_default();
        let listed = String::from_utf8_lossy(&listed);
        let mut configured = Configured::default();
        for (key, value) in listed.split('\0').filter_map(|entry| entry.split_once('\n')) {
            match key {
                "edgeforge.server" => configured.server = Some(value.to_owned()),
                "edgeforge.project" => configured.project = Some(value.to_owned()),
                "edgeforge.tokenfile" => configured.token_file = Some(PathBuf::from(value)),
                "edgeforge.cafile" => configured.ca_file = Some(PathBuf::from(value)),
                _ => {}
            }
        }
        Ok(configured)
    }
}

pub fn server<'a>(options: &Options, repository: &Repository, console: &'a Console) -> Result<Server<'a>> {
    let configured = Configured::read(repository)?;
    let address = required(&options.server, configured.server, "server")?;
    let project = required(&options.project, configured.project, "project")?;
    check_address(&address, console)?;
    let token = match (&options.token_file, std::env::var(TOKEN), configured.token_file) {
        (Some(file), _, _) => token_in(file, console)?,
        (None, Ok(token), _) if !token.trim().is_empty() => token.trim().to_owned(),
        (None, _, Some(file)) => token_in(&file, console)?,
        (None, _, None) => {
            return Err(Error::Usage(format!("the token is missing; set {TOKEN} or give --token-file")));
        }
    };
    let roots = roots(options.ca_file.clone().or(configured.ca_file))?;
    let server = Server::trusting(&address, &project, token, options.retries, roots, console);
    Ok(server.with_gzip(options.gzip))
}

/// `file`, else SSL_CERT_FILE, else the roots of webpki.
fn roots(file: Option<PathBuf>) -> Result<RootCerts> {
    let named = std::env::var_os("SSL_CERT_FILE").filter(|file| !file.is_empty()).map(PathBuf::from);
    let Some(file) = file.or(named) else { return Ok(RootCerts::WebPki) };
    let failed = |error: &dyn std::fmt::Display| {
        Error::Usage(format!("the certificates in {} cannot be read: {error}", file.display()))
    };
    let text = fs::read(&file).map_err(|error| failed(&error))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&text) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| failed(&error))? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        return Err(failed(&"the file contains no PEM certificate"));
    }
    Ok(certificates.into())
}

fn required(option: &Option<String>, configured: Option<String>, what: &str) -> Result<String> {
    option.clone().or(configured).filter(|value| !value.is_empty()).ok_or_else(|| {
        Error::Usage(format!(
            "the {what} is missing; give --{what} or set edgeforge.{what} in the repository's configuration"
        ))
    })
}

pub fn check_address(address: &str, console: &Console) -> Result<()> {
    let invalid = |address: &str| {
        Error::Usage(format!("{address} is not a server's address; give one like https://forge.example.com"))
    };
    let Some((scheme @ ("http" | "https"), rest)) = address.split_once("://") else {
        return Err(invalid(address));
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.contains('@') {
        // the hook's output may show the address to every user who pushes
        return Err(Error::Usage(
            "the server's address contains a user name or password; remove it and give --token-file"
                .to_owned(),
        ));
    }
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    };
    let valid_port = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0));
    if name.is_empty()
        || !valid_port
        || address.contains(|letter: char| letter.is_whitespace() || letter.is_control())
    {
        return Err(invalid(address));
    }
    if scheme == "http" && !matches!(name, "localhost" | "127.0.0.1" | "[::1]") {
        console.warn(&format!("the token is sent to {host} unencrypted; use an https address"));
    }
    Ok(())
}

pub fn token_in(file: &Path, console: &Console) -> Result<String> {
    let text = fs::read_to_string(file).map_err(|error| {
        Error::Usage(format!("the token file {} cannot be read: {error}", file.display()))
    })?;
    let token = text.trim();
    if token.is_empty() || token.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        return Err(Error::Usage(format!(
            "the token file {} must contain one token and nothing else",
            file.display()
        )));
    }
    #[cfg(unix)]
    if let Ok(about) = fs::metadata(file) {
        use std::os::unix::fs::PermissionsExt;
        if about.permissions().mode() & 0o077 != 0 {
            let file = file.display();
            console.warn(&format!("other users can read the token file {file}; run chmod 600 {file}"));
        }
    }
    Ok(token.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme() {
        let console = Console::new(false, true);
        for right in ["http://127.0.0.1:8787", "https://forge.example.com/", "http://[::1]:80"] {
            assert!(check_address(right, &console).is_ok(), "{right}");
        }
        for wrong in ["forge.example.com", "ftp://forge.example.com", ""] {
            assert!(check_address(wrong, &console).is_err(), "{wrong}");
        }
    }
}
