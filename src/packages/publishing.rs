//! A file on its way into a package.

use super::names::Named;
use super::{PackageFileRow, sql};
use crate::call::{Call, Entry};
use crate::error::{Error, Result};
use crate::files::form::Content;
use crate::files::receiving::{self, Place, Refusal, Room, Stored, is_announced_too_long};
use crate::params::Parameters;
use crate::store::{Rows, Statement};
use edgeforge_wire::text::hex;

/// Whether lists show a package.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
pub enum Status {
    Default,
    Hidden,
}

/// What the answer has.
#[derive(Debug, Parameters, Clone, Copy)]
#[param(rename_all = "snake_case")]
enum Select {
    PackageFile,
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Asked {
    status: Option<Status>,
    select: Option<Select>,
}

pub struct Publishing {
    pub named: Named,
    status: Option<Status>,
    /// Whether the answer has the file.
    pub shows_file: bool,
}

fn too_long() -> Error {
    Error::message("400 Bad request - File is too large")
}

impl Publishing {
    pub fn read(call: &Call<'_>, [name, version, file]: [&str; 3]) -> Result<Publishing> {
        // a step inside of the original, before the bytes
        if file.ends_with("/authorize") {
            return Err(Error::Framework(404, "404 Not Found".to_owned()));
        }
        let named = Named::read(name, version, file)?;
        let Asked { status, select } = call.filters()?;
        Ok(Publishing { named, status, shows_file: select.is_some() })
    }

    /// Stores the body.
    pub async fn receive(&self, call: &Call<'_>, entry: &Entry) -> Result<Stored> {
        let room = Room::of(entry)?;
        let most = call.config.quotas.package_file_bytes.unsigned_abs();
        if is_announced_too_long(call, most) {
            return Err(too_long());
        }
        let place = Place { folder: "packages", name: &hex(&call.random), most };
        let content = Content::whole(&call.request.body)?;
        receiving::receive(call, &room, place, content).await.map_err(|refusal| match refusal {
            Refusal::TooLong => too_long(),
            Refusal::Full => Error::ProjectFull,
            Refusal::Failed(error) => error,
        })
    }

    /// Adds the file to its package, which is made if need be.
    pub async fn write(&self, call: &Call<'_>, entry: &Entry, stored: Stored) -> Result<PackageFileRow> {
        let Named { name, version, file } = &self.named;
        let (project_id, now) = (entry.resource.id, call.now);
        let (status, author_id) = (self.status.map(Status::word), entry.caller()?.user.id);
        let package = sql::add_package { project_id, name, version, status, author_id, now };
        let Stored { size, sha256 } = stored;
        let object = hex(&call.random);
        let file = sql::add_file { project_id, name, version, file_name: file, object, size, sha256, now };
        let answers = call.write([package.into(), file.into()] as [Statement; 2]).await?;
        let row: Option<PackageFileRow> = answers.last().map(Rows::first).transpose()?.flatten();
        row.ok_or_else(|| Error::Internal("no row of the file".to_owned()))
    }
}
