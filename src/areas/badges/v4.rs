//! The badges of v4, and GitLab's own addresses for them, outside of the API: `/NAMESPACE/PROJECT/badges/REF/pipeline.svg`
//! and `coverage.svg` there, and `/NAMESPACE/PROJECT/-/badges/release.svg`.

use super::{picture, sent, sql};
use crate::kernel::{Call, Parameters, Query, Reply, Result};

#[derive(Debug, Parameters)]
struct Look {
    key_text: Option<String>,
    key_width: Option<i64>,
    style: Option<String>,
}

const MOST_CHARACTERS: usize = 64;

impl Look {
    /// `key`: text and width of the left half. A value out of bounds is ignored, so that the badge is still shown.
    fn draw(&self, key: (&str, i64), value: &str, value_width: i64, colour: &'static str) -> String {
        let fits = |text: &&str| !text.is_empty() && text.chars().count() <= MOST_CHARACTERS;
        let is_square = self.style.as_deref() == Some("flat-square");
        let (key, key_width) =
            (self.key_text.as_deref().filter(fits).unwrap_or(key.0), within(self.key_width, 1, 512, key.1));
        picture::Badge { key, key_width, value, value_width, colour, is_square }.draw()
    }
}

fn within(given: Option<i64>, least: i64, most: i64, usual: i64) -> i64 {
    given.filter(|number| (least..=most).contains(number)).unwrap_or(usual)
}

#[derive(Debug, Parameters)]
struct PipelineParams {
    #[param(flatten)]
    look: Look,
    /// Without effect: no pipeline here is skipped.
    #[expect(dead_code, reason = "existing addresses have it")]
    ignore_skipped: Option<bool>,
}

pub async fn show(call: &Call<'_>, git_ref: &str) -> Result<Reply> {
    let query = |_: &PipelineParams| sql::counts { sha: git_ref };
    let (asked, entry, counts) = call.authorize_with(call.filters(), query).await?;
    let (word, colour) = match super::state(counts) {
        "success" => ("passed", "#4c1"),
        "failed" => ("failed", "#e05d44"),
        word @ ("running" | "pending") => (word, "#dfb317"),
        word => (word, "#9f9f9f"),
    };
    Ok(sent(&entry, asked.look.draw(("pipeline", 62), word, 54, colour)))
}

#[derive(Debug, Parameters)]
struct CoverageParams {
    #[param(flatten)]
    look: Look,
    job: Option<String>,
    min_good: Option<i64>,
    min_acceptable: Option<i64>,
    min_medium: Option<i64>,
}

impl CoverageParams {
    fn colour(&self, coverage: f64) -> &'static str {
        let good = within(self.min_good, 3, 100, 95);
        let acceptable = within(self.min_acceptable, 2, good - 1, 90.min(good - 1));
        let medium = within(self.min_medium, 1, acceptable - 1, 75.min(acceptable - 1));
        match coverage {
            _ if !(0.0..=100.0).contains(&coverage) => "#9f9f9f",
            _ if coverage >= good as f64 => "#4c1",
            _ if coverage >= acceptable as f64 => "#a3c51c",
            _ if coverage >= medium as f64 => "#dfb317",
            _ => "#e05d44",
        }
    }
}

pub async fn coverage(call: &Call<'_>, git_ref: &str) -> Result<Reply> {
    let query = |asked: &CoverageParams| sql::coverage { git_ref, job: asked.job.as_deref() }.prepare();
    let (asked, entry, coverage) = call.authorize_with(call.filters::<CoverageParams>(), query).await?;
    let key = ("coverage", 62);
    Ok(sent(
        &entry,
        match coverage {
            Some(mean) => asked.look.draw(key, &format!("{mean:.2}%"), 54, asked.colour(mean)),
            None => asked.look.draw(key, "unknown", 58, "#9f9f9f"),
        },
    ))
}

#[derive(Debug, Parameters)]
struct ReleaseParams {
    #[param(flatten)]
    look: Look,
    value_width: Option<i64>,
}

/// The tag of the newest release.
pub async fn release(call: &Call<'_>) -> Result<Reply> {
    let query = |_: &ReleaseParams| sql::newest_release {};
    let (asked, entry, tag) = call.authorize_with(call.filters::<ReleaseParams>(), query).await?;
    let (value, colour) = tag.as_deref().map_or(("none", "#e05d44"), |tag| (tag, "#3076af"));
    let width = within(asked.value_width, 1, 200, 54);
    Ok(sent(&entry, asked.look.draw(("Latest Release", 90), value, width, colour)))
}

const PICTURES: [&str; 4] = ["pipeline.svg", "build.svg", "coverage.svg", "release.svg"];

/// The path in the API for GitLab's address of a badge. None for another address.
pub fn path_in_api(path: &str) -> Option<String> {
    let (rest, file) = path.rsplit_once('/').filter(|(_, file)| PICTURES.contains(file))?;
    let segments: Vec<&str> = rest.strip_prefix('/')?.split('/').collect();
    let at = segments.iter().skip(2).position(|segment| *segment == "badges")? + 2;
    let (project, git_ref) = (segments.get(..at)?, segments.get(at + 1..)?);
    let project = project.strip_suffix(&["-"]).unwrap_or(project);
    // a release belongs to no branch
    let names_ref = git_ref.is_empty() == (file == "release.svg");
    let is_whole = project.len() > 1 && names_ref && segments.first() != Some(&"api");
    let git_ref = if git_ref.is_empty() { String::new() } else { format!("{}/", git_ref.join("%2F")) };
    (is_whole && segments.iter().all(|segment| !segment.is_empty()))
        .then(|| format!("/api/v4/projects/{}/badges/{git_ref}{file}", project.join("%2F")))
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/badges/v4.rs"]
mod tests;
