//! How much there may be: bytes of commits and diffs, and issues and comments that somebody writes in an hour.

/// 0: any number.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quotas {
    /// Bytes of a project's commits and diffs.
    pub project_bytes: i64,
    /// The same of all projects together.
    pub instance_bytes: i64,
    /// Issues and comments that a user writes in an hour.
    pub hourly_writes: i64,
}

impl Quotas {
    /// Whether a project of so many bytes, and all that have so many, may have `more`.
    pub fn leave(&self, of_project: i64, of_all: i64, more: i64) -> bool {
        let fits = |used: i64, most: i64| most == 0 || used.saturating_add(more) <= most;
        fits(of_project, self.project_bytes) && fits(of_all, self.instance_bytes)
    }
}
