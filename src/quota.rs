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
