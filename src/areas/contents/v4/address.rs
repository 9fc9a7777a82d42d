//! A file by its address in the pages of a project, `-/raw/REF/PATH`. Both parts may have slashes.

use crate::areas::contents::file::raw as raw_of;
use crate::areas::contents::reader::{Reader, Revision};
use crate::areas::contents::sql;
use crate::kernel::{Call, Error, Parameters, Reply, Result, Row};
use serde_json::json;

/// Bytes of a branch or tag, and how many names are tried.
const LONGEST_REF: usize = 1024;
const MOST_REFS: usize = 50;

#[derive(Parameters, Clone, Copy, PartialEq)]
enum Kind {
    Heads,
    Tags,
}

#[derive(Parameters)]
struct RawParams {
    inline: Option<bool>,
    ref_type: Option<Kind>,
}

impl RawParams {
    fn prefix(&self) -> &'static str {
        match self.ref_type {
            Some(Kind::Heads) => "refs/heads/",
            Some(Kind::Tags) => "refs/tags/",
            None => "",
        }
    }
}

#[derive(Row)]
pub struct RefRow {
    name: String,
    #[row(flatten)]
    at: Revision,
}

/// The beginnings of the text that may be the ref, the longest first.
fn names(text: &str, prefix: &str) -> String {
    let ends = text.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0 && *at <= LONGEST_REF);
    let mut names: Vec<String> =
        ends.take(MOST_REFS).filter_map(|at| text.get(..at)).map(|name| format!("{prefix}{name}")).collect();
    names.reverse();
    json!(names).to_string()
}

pub async fn raw_at(call: &Call<'_>, text: &str) -> Result<Reply> {
    let query = |asked: &RawParams| sql::at_longest { names: names(text, asked.prefix()) };
    let (asked, entry, found) = call.authorize_with(call.filters::<RawParams>(), query).await?;
    let RefRow { name, at } = found.ok_or_else(|| Error::missing("File"))?;
    let reader = Reader::of(call, &entry, Some(at), "File")?;
    let short = name.strip_prefix(asked.prefix()).unwrap_or(&name);
    let path = text.get(short.len() + 1..).unwrap_or_default();
    let node = reader.find(path).await?.filter(|node| !node.is_tree()).ok_or_else(|| Error::missing("File"))?;
    let mut reply = raw_of(call, &reader, &node, path, path.rsplit('/').next()).await?.1;
    if asked.inline == Some(false) {
        let shown = reply.headers.iter_mut().filter(|(name, _)| *name == "Content-Disposition");
        shown.for_each(|(_, value)| *value = value.replacen("inline;", "attachment;", 1));
    }
    Ok(reply)
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/contents/address.rs"]
mod tests;
