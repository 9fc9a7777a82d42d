//! The route tables of both APIs, with their descriptions.

use super::ask::Ask;
use super::contract::{Contract, contract, contract_v4};
use super::host::Server;
use edgeforge::{Dialect, Profile};
use std::sync::LazyLock;

type Routes = LazyLock<Vec<(&'static str, &'static str)>>;

/// Verb and pattern of each route, as the log has them.
pub static ROUTES: Routes = LazyLock::new(|| of(Dialect::V3(Profile::Spec)));
pub static ROUTES_V4: Routes = LazyLock::new(|| of(Dialect::V4));

fn of(dialect: Dialect) -> Vec<(&'static str, &'static str)> {
    edgeforge::routes(dialect).map(|route| (route.verb, route.pattern)).collect()
}

pub struct Table {
    pub name: &'static str,
    /// Verb and pattern, as the log has them.
    pub routes: &'static [(&'static str, &'static str)],
    pub contract: &'static Contract,
    pub dialect: Dialect,
}

pub fn tables() -> [Table; 2] {
    [
        Table { name: "v3", routes: &ROUTES, contract: contract(), dialect: Dialect::V3(Profile::Spec) },
        Table { name: "v4", routes: &ROUTES_V4, contract: contract_v4(), dialect: Dialect::V4 },
    ]
}

impl Table {
    pub fn ask(&self, server: &'static Server, method: &str, target: String) -> Ask {
        match self.dialect {
            Dialect::V3(_) => server.ask(method, target),
            // only a page of the server may send it
            Dialect::V4 if target.starts_with("/session") => server.ask_v4(method, target).by_page(),
            Dialect::V4 => server.ask_v4(method, target),
        }
    }
}
