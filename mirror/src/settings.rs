use std::fs;
use std::path::{Path, PathBuf};

use edgeforge_wire::contents::Extent;

use crate::args::Options;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::git::Repository;
use crate::roots::roots;
use crate::server::Server;
use crate::transport::Transport;

pub const TOKEN: &str = "EDGEFORGE_TOKEN";

#[derive(Debug, Default)]
pub struct Configured {
    server: Option<String>,
    project: Option<String>,
    token_file: Option<PathBuf>,
    ca_file: Option<PathBuf>,
    contents: Option<String>,
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
                "edgeforge.contents" => configured.contents = Some(value.to_owned()),
                "edgeforge.cafile" => configured.ca_file = Some(PathBuf::from(value)),
                _ => {}
            }
        }
        Ok(configured)
    }
}

/// Which trees and files to send. None if neither the options nor the configuration say it.
pub fn extent(options: &Options, repository: &Repository) -> Result<Option<Extent>> {
    match (options.contents, Configured::read(repository)?.contents) {
        (None, Some(word)) => Extent::read(&word).map(Some).ok_or_else(|| {
            Error::Usage(format!(
                "edgeforge.contents is {word:?} in the repository's configuration; it can be tips, history or none"
            ))
        }),
        (given, _) => Ok(given),
    }
}

pub fn server<'a>(options: &Options, repository: &Repository, console: &'a Console) -> Result<Server<'a>> {
    let configured = Configured::read(repository)?;
    let address = required(&options.server, configured.server, "server")?;
    let project = required(&options.project, configured.project, "project")?;
    let address = checked_address(&address, console)?;
    let token = match (&options.token_file, std::env::var(TOKEN), configured.token_file) {
        (Some(file), _, _) => token_in(file, console)?,
        (None, Ok(token), _) if !token.trim().is_empty() => token.trim().to_owned(),
        (None, _, Some(file)) => token_in(&file, console)?,
        (None, _, None) => {
            return Err(Error::Usage(format!("the token is missing; set {TOKEN} or give --token-file")));
        }
    };
    connect(&address, &project, token, options, configured.ca_file, console)
}

/// `ca_file` is used if the options name none.
pub fn connect<'a>(
    address: &str,
    project: &str,
    token: String,
    options: &Options,
    ca_file: Option<PathBuf>,
    console: &'a Console,
) -> Result<Server<'a>> {
    let roots = roots(options.ca_file.clone().or(ca_file))?;
    let transport = Transport::new(address, project, token, options.retries, roots, console);
    Ok(Server::new(transport, options.gzip))
}

fn required(option: &Option<String>, configured: Option<String>, what: &str) -> Result<String> {
    option.clone().or(configured).filter(|value| !value.is_empty()).ok_or_else(|| {
        Error::Usage(format!(
            "the {what} is missing; give --{what} or set edgeforge.{what} in the repository's configuration"
        ))
    })
}

/// Cuts `/api/v3` or `/api/v4` off, because many people copy the address of the API.
pub fn checked_address(given: &str, console: &Console) -> Result<String> {
    let given = given.trim_end_matches('/');
    let apis = ["/api/v3", "/api/v4"];
    let found = apis.iter().find_map(|api| Some((given.strip_suffix(api)?.trim_end_matches('/'), *api)));
    let address = found.map_or(given, |(address, _)| address);
    check_address(address, console)?;
    if let Some((address, api)) = found {
        console.say(&format!("using the server {address}, without {api}"));
    }
    Ok(address.to_owned())
}

fn check_address(address: &str, console: &Console) -> Result<()> {
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
            "the server's address contains a user name or password; remove it and give --token-file".to_owned(),
        ));
    }
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    };
    let valid_port = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0));
    if name.is_empty()
        || !valid_port
        || address.contains(|letter: char| letter.is_whitespace() || letter.is_control() || "?#".contains(letter))
    {
        return Err(invalid(address));
    }
    if scheme == "https" && !cfg!(feature = "tls") {
        return Err(Error::Usage(format!(
            "this build of the hook has no TLS, so it cannot reach {address}; build it with scripts/mirror"
        )));
    }
    if scheme == "http" && !matches!(name, "localhost" | "127.0.0.1" | "[::1]") {
        console.warn(&format!("the token is sent to {host} unencrypted; use an https address"));
    }
    Ok(())
}

pub fn token_in(file: &Path, console: &Console) -> Result<String> {
    let text = fs::read_to_string(file)
        .map_err(|error| Error::Usage(format!("the token file {} cannot be read: {error}", file.display())))?;
    let token = text.trim();
    if token.is_empty() || token.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        return Err(Error::Usage(format!("the token file {} must contain one token and nothing else", file.display())));
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
            let reached = cfg!(feature = "tls") || !right.starts_with("https");
            assert_eq!(check_address(right, &console).is_ok(), reached, "{right}");
        }
        for wrong in ["forge.example.com", "ftp://forge.example.com", ""] {
            assert!(check_address(wrong, &console).is_err(), "{wrong}");
        }
    }
}
