//! Tokens of people and of projects (behaviour 2.1).

pub mod project_tokens;
mod restricted;
mod v3;
mod v4;
mod v4_project_tokens;
