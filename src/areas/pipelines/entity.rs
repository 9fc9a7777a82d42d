use super::SingleRow;
use crate::areas::commits::pipeline::BasicPipeline;
use crate::areas::users::v4::BasicUser as UserBasic;
use crate::kernel::Links;
use crate::kernel::call::Resource;
use crate::kernel::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Pipeline {
    #[serde(flatten)]
    basic: BasicPipeline,
    before_sha: String,
    tag: bool,
    yaml_errors: Option<()>,
    user: UserBasic,
    started_at: Option<String>,
    finished_at: Option<String>,
    committed_at: Option<()>,
    /// Whole seconds in which a job ran.
    duration: Option<i64>,
    /// Whole seconds before the first job ran.
    queued_duration: Option<i64>,
    /// The mean of the jobs in percent, a text like the original's.
    coverage: Option<String>,
    detailed_status: DetailedStatus,
    archived: bool,
}

#[derive(Debug, Serialize)]
struct DetailedStatus {
    icon: String,
    text: &'static str,
    label: String,
    group: String,
    tooltip: String,
    has_details: bool,
    details_path: String,
    illustration: Option<()>,
    favicon: &'static str,
}

impl DetailedStatus {
    fn new(state: &str, details_path: String) -> DetailedStatus {
        let (text, label) = match state {
            "success" => ("Passed", "passed"),
            "failed" => ("Failed", "failed"),
            "running" => ("Running", "running"),
            "canceled" => ("Canceled", "canceled"),
            "skipped" => ("Skipped", "skipped"),
            _ => ("Pending", "pending"),
        };
        DetailedStatus {
            icon: format!("status_{state}"),
            text,
            label: label.to_owned(),
            group: state.to_owned(),
            tooltip: label.to_owned(),
            has_details: true,
            details_path,
            illustration: None,
            favicon: "",
        }
    }
}

/// Milliseconds that at least one of the spans covers.
fn covered(mut spans: Vec<(i64, i64)>) -> i64 {
    spans.sort_unstable();
    let (mut sum, mut reached) = (0, i64::MIN);
    for (from, to) in spans {
        sum += (to - from.max(reached)).max(0);
        reached = reached.max(to);
    }
    sum
}

impl Pipeline {
    pub fn new(row: SingleRow, resource: &Resource, links: &Links) -> Pipeline {
        let SingleRow { pipeline, author, spans, tag } = row;
        let started_at = spans.iter().filter_map(|(start, ..)| *start).min();
        let ended_at = spans.iter().filter_map(|(_, end, _)| *end).max();
        let is_finished = matches!(pipeline.state.as_str(), "success" | "failed" | "canceled");
        let ran: Vec<(i64, i64)> = spans.iter().filter_map(|(start, end, _)| start.zip(*end)).collect();
        let coverages: Vec<f64> = spans.iter().filter_map(|(.., coverage)| *coverage).collect();
        // the parts of a sum of numbers of any size are never infinite
        let mean = coverages.iter().map(|coverage| coverage / 1024.0).sum::<f64>() / coverages.len() as f64 * 1024.0;
        let queued = started_at.map(|start| (start - pipeline.created_at) / 1000);
        let path = format!("/{}/-/pipelines/{}", resource.full_path, pipeline.id);
        Pipeline {
            before_sha: "0".repeat(pipeline.sha.len()),
            tag,
            yaml_errors: None,
            user: UserBasic::new(author, links),
            started_at: started_at.map(time::utc),
            finished_at: ended_at.filter(|_| is_finished).map(time::utc),
            committed_at: None,
            duration: (!ran.is_empty()).then(|| covered(ran) / 1000),
            queued_duration: queued.filter(|seconds| *seconds > 0),
            coverage: (!coverages.is_empty()).then(|| format!("{mean:.2}")),
            detailed_status: DetailedStatus::new(&pipeline.state, path),
            archived: false,
            basic: BasicPipeline::new(pipeline, resource.id, &resource.page(links)),
        }
    }
}
