//! The readers of user input, public for tests only. They are not in the Worker.

use crate::areas::comments::lines::Anchor;
use crate::areas::issues;
use crate::areas::licenses::{render::render, template::read_list};
use crate::areas::settings::forms;
use crate::kernel::error::ValidationErrors;
use crate::kernel::http::Request;
use crate::kernel::paging::Page;
pub use crate::kernel::params::take_known;
use crate::kernel::params::{self, Params};
use crate::kernel::route::Route;
use crate::kernel::text::names;
pub use crate::kernel::text::names::slug;
use crate::kernel::text::web_address::{WEB, is_address};
pub use crate::kernel::text::wildcard::fits;
use crate::kernel::time;
pub use crate::kernel::time::{read as time, utc as shown};

pub fn query(text: &str) -> Option<Vec<(String, String)>> {
    Params::from_urlencoded(text).ok().map(|params| params.pairs())
}

pub fn body(content_type: &str, bytes: &[u8]) -> Option<Vec<(String, String)>> {
    Params::from_body(Some(content_type), bytes).ok().map(|params| params.pairs())
}

pub fn decode(text: &str) -> Option<String> {
    params::parsing::decode(text, false).ok()
}

/// Number and size of a query's page, and the next cursor if its last row has this name and id.
pub fn page(query: &str, (name, id): (&str, i64)) -> Option<(i64, i64, Option<String>)> {
    let request = Request { path: "/list".to_owned(), query: query.to_owned(), ..Request::default() };
    let page = Page::from(&request, &Route::NONE, &Params::from_urlencoded(query).ok()?).ok()?;
    let (_, skipped) = page.starts(vec!["".into(), 0.into()]);
    (skipped >= 0).then(|| (page.number, page.size, page.next(&[name.into(), id.into()])))
}

pub fn is_date(text: &str) -> bool {
    time::date(text).is_some()
}

pub fn license(content: &str, project: Option<&str>, fullname: Option<&str>) -> String {
    render(content, 2026, project, fullname)
}

/// Returns the number of licenses, and whether all of them were read.
pub fn licenses(text: &str) -> (usize, bool) {
    let (list, wrong) = read_list(text);
    (list.len(), wrong.is_none())
}

pub fn mentions(text: &str) -> Vec<String> {
    issues::mentions(&[text])
}

pub fn labels(names: Vec<String>) -> Option<Vec<String>> {
    let mut errors = ValidationErrors::default();
    let names = issues::texts::label_names(names, &mut errors);
    errors.result().is_ok().then_some(names)
}

/// Whether a text is valid as address, domain, namespace's path, project's path, and name.
pub fn forms(text: &str) -> [bool; 5] {
    let accepts = |check: &dyn Fn(&mut ValidationErrors)| {
        let mut errors = ValidationErrors::default();
        check(&mut errors);
        errors.result().is_ok()
    };
    [
        is_address(text, WEB),
        forms::is_domain(text),
        accepts(&|errors| names::check_namespace(errors, "path", text)),
        accepts(&|errors| names::check_project_path(errors, text)),
        accepts(&|errors| names::check_name(errors, text)),
    ]
}

/// `diff` and `path`: as stored.
pub fn is_changed(diff: &str, path: &str, line: i64, is_new: bool) -> bool {
    let line_type = if is_new { "new" } else { "old" };
    Anchor { path: path.to_owned(), line, line_type }.found_in(diff)
}
