/// Limits; 0 means no limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quotas {
    /// Bytes of commits and diffs of one project.
    pub project_bytes: i64,
    /// Bytes of commits and diffs of all projects.
    pub instance_bytes: i64,
    /// Issues and comments of one user in an hour.
    pub hourly_writes: i64,
}

impl Quotas {
    /// Whether `more` bytes fit beside the bytes that the project and all projects have.
    pub fn leave(&self, of_project: i64, of_all: i64, more: i64) -> bool {
        let fits = |used: i64, most: i64| most == 0 || used.saturating_add(more) <= most;
        fits(of_project, self.project_bytes) && fits(of_all, self.instance_bytes)
    }
}
