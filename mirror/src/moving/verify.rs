use super::api::Api;
use super::archive::Archive;
use super::records::Maker;
use super::survey::Survey;
use crate::args::Options;
use crate::console::Console;
use crate::error::Result;
pub fn verify(_: &Api<'_>, _: &str, _: &Archive, _: &Survey, _: Maker, _: &Options, _: &Console) -> Result<u8> { Ok(0) }
