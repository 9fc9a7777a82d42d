use crate::areas::commits::diffs::{self, StoredDiff};
use crate::areas::commits::sql;
use crate::kernel::paging::Total;
use crate::kernel::store;
use crate::kernel::{Call, Error, Page, Parameters, Reply, Result};
use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Debug, Serialize)]
pub struct FileDiff {
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

impl FileDiff {
    /// `unidiff`: whether to keep the lines before the first `@@`.
    pub fn new(stored: StoredDiff, unidiff: bool) -> FileDiff {
        let StoredDiff { diff, new_path, old_path, a_mode, b_mode, .. } = stored;
        let StoredDiff { new_file, renamed_file, deleted_file, too_large, .. } = stored;
        // a file that is only changed always has a text, unless that was too long
        let in_place = !new_file && !renamed_file && !deleted_file && a_mode == b_mode;
        FileDiff {
            too_large: too_large || (diff.is_empty() && in_place),
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

/// The files of the page, and the number of all. The other files are not read: 60,000 took 39 MB of memory.
fn files(diff: &str, page: &Page) -> Result<(Vec<StoredDiff>, i64)> {
    let wrong = |error| Error::Internal(format!("a stored diff: {error}"));
    let files: Vec<&RawValue> = serde_json::from_str(diff).map_err(wrong)?;
    let number = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let shown = files.iter().skip(number(page.offset())).take(number(page.size));
    let shown = shown.map(|file| Ok(store::decode(file.get())?)).collect::<Result<_>>()?;
    Ok((shown, files.len() as i64))
}

#[derive(Parameters, Default)]
#[param(default)]
struct DiffParams {
    unidiff: bool,
}

pub async fn diff(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let input = call.filters::<DiffParams>().and_then(|params| Ok((params, call.page()?)));
    let ((params, page), _, rows) = call.authorize_with(input, |_| sql::diff { name: sha }).await?;
    let text = diffs::text(call, &rows).await?.ok_or_else(|| Error::missing("Commit"))?;
    let (stored, count) = files(&text, &page)?;
    let shown: Vec<FileDiff> = stored.into_iter().map(|stored| FileDiff::new(stored, params.unidiff)).collect();
    let total = Total::Both(count, count > page.offset() + page.size);
    Ok(call.listing(&page, total, &[], None, &shown)?.with_strong_tag())
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/commits/v4/diff.rs"]
mod tests;
