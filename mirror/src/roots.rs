//! The certificates that the hook trusts. Without the feature `tls` it speaks plain http, and needs none.

use std::fs;
use std::path::PathBuf;

use ureq::config::ConfigBuilder;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::typestate::AgentScope;

use crate::error::{Error, Result};

#[derive(Debug)]
pub struct Roots(RootCerts);

impl Roots {
    pub fn trusted(self, agent: ConfigBuilder<AgentScope>) -> ConfigBuilder<AgentScope> {
        agent.tls_config(TlsConfig::builder().root_certs(self.0).build())
    }
}

/// `file`, else SSL_CERT_FILE and the files in the folders of SSL_CERT_DIR, else the roots of webpki.
pub fn roots(file: Option<PathBuf>) -> Result<Roots> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let (named, folders) = match file {
        Some(file) => (Some(file), None),
        None => (variable("SSL_CERT_FILE").map(PathBuf::from), variable("SSL_CERT_DIR")),
    };
    if named.is_none() && folders.is_none() {
        return Ok(Roots(RootCerts::WebPki));
    }
    let failed = |place: &dyn std::fmt::Display, error: &dyn std::fmt::Display| {
        Error::Usage(format!("the certificates in {place} cannot be read: {error}"))
    };
    let entries = folders.iter().flat_map(std::env::split_paths).filter_map(|folder| fs::read_dir(folder).ok());
    let inside = entries.flatten().filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file());
    let mut certificates = Vec::new();
    for file in named.iter().cloned().chain(inside) {
        let text = fs::read(&file).map_err(|error| failed(&file.display(), &error))?;
        for item in parse_pem(&text) {
            if let PemItem::Certificate(certificate) = item.map_err(|error| failed(&file.display(), &error))? {
                certificates.push(certificate);
            }
        }
    }
    if certificates.is_empty() {
        let place = named.map(PathBuf::into_os_string).or(folders).unwrap_or_default();
        return Err(failed(&place.display(), &"it contains no PEM certificate"));
    }
    Ok(Roots(certificates.into()))
}
