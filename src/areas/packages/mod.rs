//! Generic packages: files under a name and a version (behaviour 19).

mod entity;
mod lists;
mod names;
mod publishing;
pub mod v4;

use crate::areas::files::sending::FileRow;
use crate::kernel::Row;
use crate::kernel::call::Resource;

edgeforge_row::statements!(mod sql: "src/areas/packages/packages.sql");

#[derive(Debug, Row)]
struct PackageRow {
    id: i64,
    name: String,
    version: String,
    status: String,
    created_at: i64,
}

#[derive(Debug, Row)]
struct PackageFileRow {
    id: i64,
    package_id: i64,
    created_at: i64,
    file_name: String,
    size: i64,
    sha256: String,
}

#[derive(Debug, Row)]
struct GroupPackageRow {
    #[row(flatten)]
    package: PackageRow,
    project: Resource,
}
