use crate::call::Call;
use crate::commits::{diffs, sql};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::Page;
use crate::params::Parameters;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Deserialize)]
struct Stored {
    diff: String,
    new_path: String,
    old_path: String,
    a_mode: Option<String>,
    b_mode: Option<String>,
    new_file: bool,
    renamed_file: bool,
    deleted_file: bool,
}

#[derive(Debug, Serialize)]
struct Changed {
    diff: String,
    collapsed: bool,
    too_large: bool,
    new_path: String,
    old_path: String,
    a_mode: String,
    b_mode: String,
    new_file: bool,
    renamed_file: bool,
    deleted_file: bool,
    /// Always null: not determined.
    generated_file: Option<()>,
}

impl Changed {
    /// `unidiff`: keeps the lines before the first `@@`.
    fn new(stored: Stored, unidiff: bool) -> Changed {
        let Stored { diff, new_path, old_path, a_mode, b_mode, new_file, renamed_file, deleted_file } =
            stored;
        // a file changed in place has no text only if that was too long; a new file may be empty
        let in_place = !new_file && !renamed_file && !deleted_file && a_mode == b_mode;
        Changed {
            too_large: diff.is_empty() && in_place,
            diff: if unidiff { diff } else { without_head(diff) },
            collapsed: false,
            new_path,
            old_path,
            // "0" if the file does not exist on that side
            a_mode: a_mode.unwrap_or_else(|| "0".to_owned()),
            b_mode: b_mode.unwrap_or_else(|| "0".to_owned()),
            new_file,
            renamed_file,
            deleted_file,
            generated_file: None,
        }
    }
}

fn without_head(diff: String) -> String {
    let at = if diff.starts_with("@@") { Some(0) } else { diff.find("\n@@").map(|at| at + 1) };
    at.and_then(|at| diff.get(at..)).map(str::to_owned).unwrap_or(diff)
}

/// Reads the files of a page and counts the others. 60,000 files at once took 39 MB of memory.
struct Files {
    skip: usize,
    most: usize,
}

impl<'de> DeserializeSeed<'de> for Files {
    type Value = (Vec<Stored>, i64);

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Files {
    type Value = (Vec<Stored>, i64);

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an array of changed files")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let (mut shown, mut count) = (Vec::new(), 0);
        loop {
            let is_shown = count >= self.skip && shown.len() < self.most;
            let file = if is_shown {
                from.next_element()?.map(|file| shown.push(file))
            } else {
                from.next_element::<IgnoredAny>()?.map(|_| ())
            };
            match file {
                Some(()) => count += 1,
                None => return Ok((shown, i64::try_from(count).map_err(A::Error::custom)?)),
            }
        }
    }
}

/// The files of the page and one more, and the number of all.
fn files(diff: &str, page: &Page) -> Result<(Vec<Stored>, i64)> {
    let number = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let files = Files { skip: number(page.offset()), most: number(page.size + 1) };
    let read = files.deserialize(&mut serde_json::Deserializer::from_str(diff));
    read.map_err(|error| Error::Internal(format!("a stored diff: {error}")))
}

#[derive(Parameters, Default)]
#[param(default)]
struct DiffParams {
    unidiff: bool,
}

pub async fn diff(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let input = call.filters::<DiffParams>().and_then(|params| Ok((params, call.page()?)));
    let ((params, page), entry) = call.authorize_with(input, |_| sql::diff { name: sha }).await?;
    let text = diffs::text(call, &entry.rows).await?.ok_or_else(|| Error::missing("Commit"))?;
    let (stored, count) = files(&text, &page)?;
    let mut shown: Vec<Changed> =
        stored.into_iter().map(|stored| Changed::new(stored, params.unidiff)).collect();
    let total = page.cut_counted(&mut shown, Some(count));
    Ok(call.listing(&page, total, &[], None, &shown)?.with_strong_tag())
}

#[cfg(test)]
#[path = "../../../tests/unit/commits/v4/diff.rs"]
mod tests;
