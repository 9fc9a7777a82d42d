//! What can go wrong, in words for a person, and the exit code of each.

use std::fmt;

/// Why a run ended early.
#[derive(Debug, Clone)]
pub enum Error {
    /// The command line, the configuration or the token file is not usable.
    Usage(String),
    /// The repository cannot be read, or not by this program.
    Repository(String),
    /// The server cannot be reached, or said no.
    Server(String),
    /// The server's refs changed under every attempt to swap them.
    Conflict(String),
    /// This commit cannot be indexed.
    Unfit { commit: String, reason: String },
}

/// What the functions of this crate answer.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The exit code of the program; 0 is success and 1 a difference that `status` or `verify` found.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Usage(_) => 2,
            Error::Repository(_) | Error::Unfit { .. } => 3,
            Error::Server(_) => 4,
            Error::Conflict(_) => 5,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(text) | Error::Repository(text) | Error::Server(text) | Error::Conflict(text) => {
                to.write_str(text)
            }
            Error::Unfit { commit, reason } => write!(to, "commit {commit} cannot be indexed: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<lexopt::Error> for Error {
    fn from(error: lexopt::Error) -> Self {
        Error::Usage(format!("{error}; see edgeforge-mirror --help"))
    }
}
