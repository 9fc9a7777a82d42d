/// Limits; 0 means no limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quotas {
    /// Bytes of everything written in one project.
    pub project_bytes: i64,
    /// Bytes of the projects that one person made, without those in the object store.
    pub person_bytes: i64,
    /// Bytes of everything that users write, without those in the object store.
    pub instance_bytes: i64,
    /// Bytes in the object store.
    pub object_bytes: i64,
    /// Bytes in the object store that one person stored.
    pub person_object_bytes: i64,
    /// Writes of one user in an hour.
    pub hourly_writes: i64,
    /// Bytes of a file of a repository.
    pub file_bytes: i64,
    /// Bytes of a file of a package.
    pub package_file_bytes: i64,
}

impl Quotas {
    /// What the database holds of them, because its triggers compare with it: bytes of a project, of the projects of one
    /// person, and of the server.
    pub fn stored(&self) -> [i64; 3] {
        [self.project_bytes, self.person_bytes, self.instance_bytes]
    }

    /// Bytes of a project up to which trees and files are stored. They come before the commits of a push, so they leave
    /// a quarter of the project's bytes to all other records. Diffs, which count unpacked, may take half alone.
    pub fn bytes_for_contents(&self) -> i64 {
        (self.project_bytes * 3 + 3) / 4
    }

    /// Bytes of uploads of people who are no members of a project, all together: a twentieth of the project's.
    pub fn bytes_from_outside(&self) -> i64 {
        (self.project_bytes + 19) / 20
    }
}
