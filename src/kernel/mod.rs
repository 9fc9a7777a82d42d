//! What every area builds on: the request, its parameters, the store, pages of lists, time, limits and errors. It
//! imports no area.

pub(crate) mod answers;
pub(crate) mod body_reader;
pub(crate) mod byte_ranges;
pub mod cache;
pub(crate) mod call;
pub(crate) mod chunks;
pub(crate) mod config;
pub(crate) mod dialect;
pub(crate) mod empty_answers;
pub(crate) mod error;
pub(crate) mod gather;
pub mod http;
pub(crate) mod jwt;
pub mod limits;
pub(crate) mod lists;
pub(crate) mod paging;
pub(crate) mod params;
pub mod policy;
pub mod route;
pub mod sql;
pub mod store;
pub(crate) mod text;
pub(crate) mod time;

// what nearly every endpoint names
pub(crate) use call::{Call, Entry, Links};
pub(crate) use error::{Error, Result, ValidationErrors};
pub(crate) use http::Reply;
pub(crate) use paging::Page;
pub(crate) use params::{Parameters, Patch, instant};
pub(crate) use policy::Action;
pub(crate) use store::{PreparedQuery, Query, Row, Statement};
