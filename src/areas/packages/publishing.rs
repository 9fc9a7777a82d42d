//! A file on its way into a package.

use super::names::FileAddress;
use super::{PackageFileRow, sql};
use crate::areas::files::form::Content;
use crate::areas::files::receiving::{self, Place, Room, StoredFile, is_announced_too_long};
use crate::kernel::call::Caller;
use crate::kernel::call::reserving::Reservation;
use crate::kernel::{Call, Entry, Error, Parameters, Result};
use edgeforge_wire::text::hex;

/// Whether lists show a package.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
pub enum Status {
    Default,
    Hidden,
}

/// What the answer has.
#[derive(Debug, Parameters, Clone, Copy)]
enum Select {
    PackageFile,
}

#[derive(Debug, Parameters)]
struct PublishParams {
    status: Option<Status>,
    select: Option<Select>,
}

pub struct Publication {
    pub named: FileAddress,
    status: Option<Status>,
    /// Whether the answer has the file.
    pub shows_file: bool,
}

fn too_long() -> Error {
    Error::message("400 Bad request - File is too large")
}

impl Publication {
    pub fn read(call: &Call<'_>, [name, version, file]: [&str; 3]) -> Result<Publication> {
        // an internal step of GitLab before the upload, which this server does not have
        if file.ends_with("/authorize") {
            return Err(Error::Framework(404, "404 Not Found".to_owned()));
        }
        let named = FileAddress::read(name, version, file)?;
        if is_announced_too_long(call, call.config.quotas.package_file_bytes.unsigned_abs()) {
            return Err(too_long());
        }
        let PublishParams { status, select } = call.filters()?;
        Ok(Publication { named, status, shows_file: select.is_some() })
    }

    /// Stores the body, and adds the file to its package. Creates the package if it does not exist.
    pub async fn store(
        &self,
        call: &Call<'_>,
        entry: &Entry,
        room: &Room,
        reserved: &mut Reservation<'_, '_>,
    ) -> Result<PackageFileRow> {
        let most = call.config.quotas.package_file_bytes.unsigned_abs();
        let place = Place { folder: "packages", name: &hex(&call.random), most, too_long };
        let content = Content::whole(&call.body())?;
        let StoredFile { size, sha256 } = receiving::receive(call, room, reserved, place, content).await?;
        let FileAddress { name, version, file } = &self.named;
        let (project_id, now, object) = (entry.resource.id, call.now, hex(&call.random));
        let Caller { user, member_id: person_id, .. } = entry.caller()?;
        let (status, author_id, person_id) = (self.status.map(Status::word), user.id, *person_id);
        let package = sql::add_package { project_id, name, version, status, author_id, now };
        let file = sql::add_file { project_id, name, version, file_name: file, object, size, sha256, person_id, now };
        let (_, row) = reserved.write((package, file)).await?;
        row.ok_or_else(|| Error::Internal("no row of the file".to_owned()))
    }
}
