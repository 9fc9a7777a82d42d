//! Deployments and environments.

mod v3;
mod v4;
