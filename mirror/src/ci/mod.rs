//! `run`, `report` and `gate`: what a job of CI sends to the server, and asks it.

pub mod coverage;
pub mod environment;
pub mod files;
pub mod findings;
pub mod gate;
pub mod job;
pub mod junit;
pub mod kept;
pub mod report;
pub mod run;
pub mod text;
