//! The badge of v4, and GitLab's own address for it, outside of the API: `/NAMESPACE/PROJECT/badges/REF/pipeline.svg`.

use super::{picture, sent, sql};
use crate::kernel::{Call, Parameters, Reply, Result};
use std::borrow::Cow;

#[derive(Debug, Parameters)]
struct LookParams {
    key_text: Option<String>,
    key_width: Option<i64>,
    style: Option<String>,
    /// Without effect: no pipeline here is skipped.
    #[expect(dead_code, reason = "existing addresses have it")]
    ignore_skipped: Option<bool>,
}

const MOST_CHARACTERS: usize = 64;

impl LookParams {
    /// A value out of bounds is ignored, so that the badge is still shown.
    fn draw(self, word: &'static str) -> String {
        let LookParams { key_text, key_width, style, .. } = self;
        let fits = |text: &String| !text.is_empty() && text.chars().count() <= MOST_CHARACTERS;
        let key = key_text.filter(fits).unwrap_or_else(|| "pipeline".to_owned());
        let key_width = key_width.filter(|width| (1..=512).contains(width)).unwrap_or(62);
        picture::Badge { key, key_width, word, is_square: style.as_deref() == Some("flat-square") }.draw()
    }
}

pub async fn show(call: &Call<'_>, git_ref: &str) -> Result<Reply> {
    let query = |_: &LookParams| sql::counts { sha: git_ref };
    let (look, entry, counts) = call.authorize_with(call.filters(), query).await?;
    let word = match super::state(counts) {
        "success" => "passed",
        other => other,
    };
    Ok(sent(&entry, look.draw(word)))
}

/// The path in the API for GitLab's address of a badge. None for another address.
pub fn path_in_api(path: &str) -> Option<String> {
    let (rest, file) = path.rsplit_once('/').filter(|(_, file)| matches!(*file, "pipeline.svg" | "build.svg"))?;
    let segments: Vec<&str> = rest.strip_prefix('/')?.split('/').collect();
    let at = segments.iter().skip(2).position(|segment| *segment == "badges")? + 2;
    let (project, git_ref) = (segments.get(..at)?, segments.get(at + 1..)?);
    let project = project.strip_suffix(&["-"]).unwrap_or(project);
    let is_whole = project.len() > 1 && !git_ref.is_empty() && segments.first() != Some(&"api");
    let joined = |parts: &[&str]| Cow::from(parts.join("%2F"));
    (is_whole && segments.iter().all(|segment| !segment.is_empty()))
        .then(|| format!("/api/v4/projects/{}/badges/{}/{file}", joined(project), joined(git_ref)))
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/badges/v4.rs"]
mod tests;
