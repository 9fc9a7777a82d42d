//! The base of all suites: the two hosts, requests and answers, the description, people and projects, commit histories.

#![allow(dead_code, unused_imports)]

mod ask;
mod asked;
pub mod contents;
mod contract;
mod dice;
pub mod documents;
mod filled;
pub mod git;
mod host;
mod issues;
mod objects;
mod people;
mod snapshot;
mod sqlite;
mod tables;
pub mod templates;
pub mod v4;
mod wire;

pub use ask::{Answer, Ask, listed, urlencoded};
pub use contract::{Contract, contract, contract_of, contract_v4, templated};
pub use dice::Dice;
pub use filled::Filled;
pub use host::{Apart, Server, alone, apart, default_settings, gitlab, instant, now, random_number, spec};
pub use issues::titles;
pub use objects::Bucket;
pub use people::{Cast, Person, Project, Visibility, World, unique};
pub use snapshot::difference;
pub use sqlite::{Fault, Sqlite};
pub use tables::{ROUTES, ROUTES_V4, Table, tables};

/// A statement for a test: `statement!(TEXT, a, b)` binds `?1 = a, ?2 = b`, `statement!(TEXT; binds)` a list.
#[macro_export]
macro_rules! statement {
    ($text:expr; $binds:expr) => {
        edgeforge::store::Statement {
            sql: $text.into(),
            binds: $binds,
            name: "",
            writes_events: false,
            scope: edgeforge::store::Scope::None,
        }
    };
    ($text:expr $(, $bind:expr)* $(,)?) => {
        $crate::statement!($text; vec![$(edgeforge::store::Value::from($bind)),*])
    };
}
