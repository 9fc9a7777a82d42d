//! What every area builds on: the request, its parameters, the store, pages of lists, time, limits and errors. It
//! imports no area.

pub(crate) mod body_reader;
pub(crate) mod bounded;
pub(crate) mod byte_ranges;
pub mod cache;
pub(crate) mod call;
pub(crate) mod chunks;
pub(crate) mod config;
pub(crate) mod constants;
pub(crate) mod dialect;
pub(crate) mod discussion;
pub(crate) mod emoji;
pub(crate) mod empty;
pub(crate) mod error;
pub(crate) mod etag;
pub(crate) mod fold;
pub mod gzip;
pub mod http;
pub mod limits;
pub(crate) mod lists;
pub(crate) mod names;
pub(crate) mod paging;
pub(crate) mod params;
pub(crate) mod person;
pub mod policy;
pub mod route;
pub mod sql;
pub mod store;
pub(crate) mod time;
pub(crate) mod title;
pub(crate) mod walk;
pub(crate) mod web;
pub(crate) mod web_address;

// what nearly every endpoint names
pub(crate) use call::{Call, Entry, Links};
pub(crate) use error::{Error, Result, ValidationErrors};
pub(crate) use http::Reply;
pub(crate) use paging::Page;
pub(crate) use params::{Parameters, Patch};
pub(crate) use policy::Action;
pub(crate) use store::{PreparedQuery, Query, Row, Statement};
