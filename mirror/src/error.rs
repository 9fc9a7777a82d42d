use std::fmt;

#[derive(Debug, Clone)]
pub enum Error {
    /// The command line, the configuration or the token file is invalid.
    Usage(String),
    /// The repository cannot be read or mirrored.
    Repository(String),
    /// The server cannot be reached or refused a request.
    Server(String),
    /// The server's refs changed during every attempt.
    Conflict(String),
    Unfit {
        commit: String,
        reason: String,
    },
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// `main` adds 0 for success and 1 for a difference that `status` or `verify` found.
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
        Error::Usage(format!("{error}; run edgeforge-mirror --help"))
    }
}
