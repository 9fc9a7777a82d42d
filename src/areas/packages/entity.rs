//! Packages and their files in answers.

use super::{PackageFileRow, PackageRow};
use crate::kernel::answers::constants::{Constant, Constants};
use crate::kernel::dialect::Dialect;
use crate::kernel::time;
use crate::kernel::{Action, Entry};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Package {
    id: i64,
    name: String,
    version: String,
    package_type: &'static str,
    status: String,
    _links: PackageLinks,
    #[serde(serialize_with = "time::as_utc")]
    created_at: i64,
    #[serde(flatten)]
    constants: Constants,
    /// Only in the list of a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    project_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_path: Option<String>,
}

#[derive(Debug, Serialize)]
struct PackageLinks {
    /// The path after the address of the server.
    web_path: String,
    /// Only for callers who may delete the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    delete_api_path: Option<String>,
}

const OF_PACKAGE: Constants =
    Constants(&[(Constant::Null, &["last_downloaded_at"]), (Constant::Nothing([]), &["tags"])]);

/// The address of the project in the API.
pub fn project(entry: &Entry) -> String {
    format!("{}{}/projects/{}", entry.links.base, Dialect::V4.base_path(), entry.resource.id)
}

impl Package {
    pub fn new(row: PackageRow, entry: &Entry) -> Package {
        let PackageRow { id, name, version, status, created_at } = row;
        let may_delete = entry.resource.may(Action::DeletePackage);
        let _links = PackageLinks {
            web_path: format!("/{}/-/packages/{id}", entry.resource.full_path),
            delete_api_path: may_delete.then(|| format!("{}/packages/{id}", project(entry))),
        };
        let package_type = "generic";
        let (constants, project_id, project_path) = (OF_PACKAGE, None, None);
        Package { id, name, version, package_type, status, _links, created_at, constants, project_id, project_path }
    }

    pub fn in_group(row: PackageRow, entry: &Entry) -> Package {
        let (project_id, project_path) = (Some(entry.resource.id), Some(entry.resource.full_path.clone()));
        Package { project_id, project_path, ..Package::new(row, entry) }
    }
}

#[derive(Debug, Serialize)]
pub struct PackageFile {
    id: i64,
    package_id: i64,
    #[serde(serialize_with = "time::as_utc")]
    created_at: i64,
    file_name: String,
    size: i64,
    #[serde(flatten)]
    sums: Constants,
    file_sha256: String,
}

/// The server computes only SHA-256.
const OTHER_SUMS: Constants = Constants(&[(Constant::Null, &["file_md5", "file_sha1"])]);

impl PackageFile {
    pub fn new(row: PackageFileRow) -> PackageFile {
        let PackageFileRow { id, package_id, created_at, file_name, size, sha256 } = row;
        PackageFile { id, package_id, created_at, file_name, size, sums: OTHER_SUMS, file_sha256: sha256 }
    }
}

/// A file that was published just now, as the original shows it.
#[derive(Debug, Serialize)]
pub struct PublishedFile {
    id: i64,
    package_id: i64,
    #[serde(serialize_with = "time::as_utc")]
    created_at: i64,
    #[serde(serialize_with = "time::as_utc")]
    updated_at: i64,
    size: i64,
    file_store: i64,
    #[serde(flatten)]
    sums: Constants,
    file_name: String,
    file: Address,
    file_sha256: String,
    #[serde(flatten)]
    verification: Constants,
    status: &'static str,
    file_final_path: Option<String>,
    project_id: i64,
    new_file_path: Option<String>,
}

#[derive(Debug, Serialize)]
struct Address {
    url: String,
}

const UNVERIFIED: Constants = Constants(&[
    (Constant::Null, &["verification_retry_at", "verified_at", "verification_failure"]),
    (Constant::Null, &["verification_retry_count", "verification_checksum"]),
    (Constant::Number(0), &["verification_state"]),
    (Constant::Null, &["verification_started_at"]),
]);

impl PublishedFile {
    pub fn new(row: PackageFileRow, path: &str, entry: &Entry) -> PublishedFile {
        let PackageFileRow { id, package_id, created_at, file_name, size, sha256 } = row;
        PublishedFile {
            id,
            package_id,
            created_at,
            updated_at: created_at,
            size,
            file_store: 1,
            sums: OTHER_SUMS,
            file_name,
            file: Address { url: format!("{}/{path}", project(entry)) },
            file_sha256: sha256,
            verification: UNVERIFIED,
            status: "default",
            file_final_path: None,
            project_id: entry.resource.id,
            new_file_path: None,
        }
    }
}
