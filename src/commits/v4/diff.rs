use crate::call::Call;
use crate::commits::{diffs, sql};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::params::Parameters;
use crate::store::{self, Row};
use serde::Serialize;

#[derive(Row)]
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

#[derive(Parameters, Default)]
#[param(default)]
struct DiffParams {
    unidiff: bool,
}

pub async fn diff(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let input = call.filters::<DiffParams>().and_then(|params| Ok((params, call.page()?)));
    let ((params, page), entry) = call.authorize_with(input, |_| sql::diff { name: sha }).await?;
    let text = diffs::text(call, &entry.rows).await?.ok_or_else(|| Error::missing("Commit"))?;
    let stored: Vec<Stored> = store::decode(&text)?;
    let count = stored.len() as i64;
    let shown = stored.into_iter().skip(usize::try_from(page.offset()).unwrap_or(usize::MAX));
    let mut shown: Vec<Changed> = shown
        .take(usize::try_from(page.size + 1).unwrap_or_default())
        .map(|stored| Changed::new(stored, params.unidiff))
        .collect();
    let total = page.cut_counted(&mut shown, Some(count));
    Ok(call.listing(&page, total, &[], None, &shown)?.with_strong_tag())
}

#[cfg(test)]
#[path = "../../../tests/unit/commits/v4/diff.rs"]
mod tests;
