//! Where an archive comes from: `edgeforge/manifest.json`.

use serde_json::{Value, json};

use super::archive::Archive;
use super::fields::{id_in, text};
use crate::args::Options;
use crate::error::{Error, Result};

pub const PATH: &str = "edgeforge/manifest.json";
const FORMAT: i64 = 1;

#[derive(Debug)]
pub struct Manifest {
    pub of: Value,
    /// The web address of the project there.
    pub source: String,
    pub project_id: Option<i64>,
}

impl Manifest {
    pub fn read(archive: &Archive, options: &Options) -> Result<Manifest> {
        let of = archive.object(PATH)?;
        let format = of.get("format").and_then(Value::as_i64);
        if !of.is_null() && format != Some(FORMAT) {
            return Err(Error::Repository(format!("{PATH} has the format {format:?}; {FORMAT} is read")));
        }
        let project = of.get("project").unwrap_or(&Value::Null);
        let given = options.ci.last("source-url").or(text(project, "web_url"));
        let source = given.map(|address| address.trim_end_matches('/')).filter(|address| address.contains("://"));
        let missing = "it is an archive of GitLab, which does not say where it comes from; give --source-url and the web \
                       address of the project there";
        let source = source.ok_or_else(|| Error::Usage(missing.to_owned()))?.to_owned();
        if of.get("complete").is_some_and(|complete| *complete == json!(false)) {
            return Err(Error::Repository("its export has not ended; run that again".to_owned()));
        }
        Ok(Manifest { project_id: id_in(&of, "project"), source, of })
    }
}
