/// Limits; 0 means no limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quotas {
    /// Bytes of everything written in one project.
    pub project_bytes: i64,
    /// Bytes of everything that users write.
    pub instance_bytes: i64,
    /// Writes of one user in an hour.
    pub hourly_writes: i64,
    /// Bytes of a file of a repository.
    pub file_bytes: i64,
    /// Bytes of a file of a package.
    pub package_file_bytes: i64,
}

impl Quotas {
    /// Whether `more` bytes fit beside the bytes that the project and all projects have.
    pub fn leave(&self, of_project: i64, of_all: i64, more: i64) -> bool {
        let fits = |used: i64, most: i64| most == 0 || used.saturating_add(more) <= most;
        fits(of_project, self.project_bytes) && fits(of_all, self.instance_bytes)
    }
}
