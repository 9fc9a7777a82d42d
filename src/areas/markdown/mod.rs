//! Markdown as HTML (behaviour 18). Nothing in the text becomes markup of its own.

mod bare;
mod raw;
pub mod reader;
pub mod references;

use crate::kernel::call::{Gate, Place};
use crate::kernel::http::escaped;
use crate::kernel::text::bounded::BoundedText;
use crate::kernel::{Action, Call, Entry, Error, Parameters, Reply, Result};
use pulldown_cmark::{BlockQuoteKind, CowStr, Event, Tag, TagEnd, TextMergeStream, html};
use references::{Candidates, ESCAPED, Targets};
use serde::Serialize;

#[derive(Debug, Parameters)]
struct MarkdownParams {
    text: Option<String>,
    gfm: Option<bool>,
    project: Option<String>,
}

#[derive(Debug, Serialize)]
struct RenderedText {
    html: String,
}

/// The text, the project, and the references to look up.
type Input = (String, Option<String>, Option<Candidates>);

fn read(call: &Call<'_>) -> Result<Input> {
    let MarkdownParams { text, gfm, project } = call.creation()?;
    if text.is_none() && !call.params()?.sent().contains_key("text") {
        return Err(Error::framework("text is missing"));
    }
    let text = text.unwrap_or_default();
    let refers = (gfm == Some(true) && project.is_some()).then(|| references::candidates(&text));
    Ok((text, project, refers))
}

/// Answers with the HTML of a text. 404 if it names a `project` that the caller does not see.
pub async fn show(call: &Call<'_>) -> Result<Reply> {
    let input = read(call);
    if let Ok((_, Some(project), _)) = &input {
        let named = project.clone();
        let action = Some(Action::ReadProject);
        call.arrive(Gate { place: Place::Project, named, action, ..Gate::default() });
    }
    let query = |(_, _, refers): &Input| refers.as_ref().map(Candidates::query);
    let ((text, project, _), entry, found) = call.authorize_with(input, query).await?;
    let project = project.map(|_| address_of(&entry));
    let targets = found.map(|row| Targets::new(row, &entry.links.base, &entry.resource.full_path));
    match referring(&text, (project.as_deref(), targets.as_ref()), MOST) {
        Some(html) => Ok(Reply::json(201, &RenderedText { html })),
        None => Err(Error::framework(format!("text has more than {MOST} bytes of HTML"))),
    }
}

/// Schemes of addresses that a link or a picture may have.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "ftp"];

/// Whether the address may be a link. Addresses without a scheme may.
fn is_safe(address: &str) -> bool {
    let is_plain = !address.chars().any(|letter| letter.is_control() || letter.is_whitespace());
    let end = address.find([':', '/', '?', '#']);
    let scheme = end.filter(|at| address.get(*at..).is_some_and(|rest| rest.starts_with(':')));
    is_plain
        && scheme
            .and_then(|at| address.get(..at))
            .is_none_or(|scheme| SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme)))
}

/// The address of a project that its uploads are below.
pub fn address_of(entry: &Entry) -> String {
    format!("{}/-/project/{}", entry.links.base, entry.resource.id)
}

/// The whole address of an upload, which texts name without their project.
fn resolved<'a>(address: CowStr<'a>, project: Option<&str>) -> CowStr<'a> {
    match project {
        Some(project) if address.starts_with("/uploads/") => format!("{project}{address}").into(),
        _ if is_safe(&address) => address,
        _ => CowStr::Borrowed(""),
    }
}

/// Bytes of HTML in one answer. A short text can have very long HTML: rows of a table are filled up with empty cells,
/// and a link of five letters has 75 letters of markup.
pub const MOST: usize = 600_000;

/// The tag of a link. `title`: empty for none.
fn link<'a>(address: &str, title: &str) -> Event<'a> {
    let title = if title.is_empty() { String::new() } else { format!(" title=\"{}\"", escaped(title)) };
    let address = escaped(address);
    let tag = format!("<a href=\"{address}\"{title} rel=\"nofollow noreferrer noopener\" target=\"_blank\">");
    Event::InlineHtml(tag.into())
}

const LINK_END: Event<'static> = Event::InlineHtml(CowStr::Borrowed("</a>"));

/// The most links of a text. With more, its HTML would be too long.
const MOST_LINKS: usize = MOST / 70;

fn plain(text: &str) -> Event<'static> {
    Event::Text(text.replace(ESCAPED, "").into())
}

/// A text with links in the place of its addresses and references.
fn linked<'a>(text: CowStr<'a>, targets: Option<&Targets>) -> Vec<Event<'a>> {
    let (mut events, mut rest) = (Vec::new(), text.as_ref());
    while let Some([before, address, after]) = bare::split(rest).filter(|_| events.len() / 4 < MOST_LINKS) {
        refer(before, targets, &mut events);
        events.extend([link(address, ""), plain(address), LINK_END]);
        rest = after;
    }
    if events.is_empty() && targets.is_none() {
        return vec![Event::Text(text)];
    }
    refer(rest, targets, &mut events);
    events
}

/// Adds a text with links in the place of its references.
fn refer(text: &str, targets: Option<&Targets>, events: &mut Vec<Event<'_>>) {
    let mut begun = 0;
    for (found, range) in targets.into_iter().flat_map(|_| references::references(text)) {
        if events.len() / 4 >= MOST_LINKS {
            break;
        }
        if let Some(address) = targets.and_then(|targets| targets.address(&found)) {
            let [before, own] = [begun..range.start, range.clone()].map(|at| text.get(at).unwrap_or_default());
            events.extend([plain(before), link(&address, ""), plain(own), LINK_END]);
            begun = range.end;
        }
    }
    events.push(plain(text.get(begun..).unwrap_or_default()));
}

/// The beginning of a quotation that is marked, such as `> [!NOTE]`, in the words of GitLab.
fn alert(kind: BlockQuoteKind) -> Event<'static> {
    let title = match kind {
        BlockQuoteKind::Note => "Note",
        BlockQuoteKind::Tip => "Tip",
        BlockQuoteKind::Important => "Important",
        BlockQuoteKind::Warning => "Warning",
        BlockQuoteKind::Caution => "Caution",
    };
    let class = title.to_lowercase();
    let title = format!("<p class=\"markdown-alert-title\">{title}</p>");
    Event::InlineHtml(format!("<div class=\"markdown-alert markdown-alert-{class}\">\n{title}\n").into())
}

/// The events of a text, in which [`ESCAPED`] stands before a mark that follows a backslash.
fn marked(text: &str) -> impl Iterator<Item = Event<'_>> {
    reader::events(text).map(|(event, range)| match event {
        Event::Text(piece)
            if piece.starts_with(['#', '@'])
                && text.as_bytes().get(..range.start).and_then(<[u8]>::last) == Some(&b'\\') =>
        {
            Event::Text(format!("{ESCAPED}{piece}").into())
        }
        event => event,
    })
}

/// None if the HTML has more than `most` bytes. `project`: as [`address_of`] returns it.
pub fn rendered(text: &str, project: Option<&str>, most: usize) -> Option<String> {
    referring(text, (project, None), most)
}

/// The same with links to `targets`.
fn referring(text: &str, (project, targets): (Option<&str>, Option<&Targets>), most: usize) -> Option<String> {
    // of links, pictures and code, in which an address stays text
    let mut depth = 0;
    let events = TextMergeStream::new(marked(text)).flat_map(|event| {
        match &event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_)) => depth += 1,
            Event::End(TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock) => depth -= 1,
            _ => {}
        }
        let event = match event {
            Event::Text(text) if depth == 0 => return linked(text, targets),
            Event::Text(text) => plain(&text),
            Event::Html(text) => {
                let mut events = Vec::new();
                refer(&text, targets, &mut events);
                return events;
            }
            Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::Link { dest_url, title, .. }) => link(&resolved(dest_url, project), &title),
            Event::End(TagEnd::Link) => LINK_END,
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                Event::Start(Tag::Image { link_type, dest_url: resolved(dest_url, project), title, id })
            }
            Event::Start(Tag::BlockQuote(Some(kind))) => alert(kind),
            Event::End(TagEnd::BlockQuote(Some(_))) => Event::InlineHtml("</div>\n".into()),
            event => event,
        };
        vec![event]
    });
    let mut bounded = BoundedText { text: String::new(), most };
    html::write_html_fmt(&mut bounded, events).ok()?;
    bounded.text.truncate(bounded.text.trim_end().len());
    Some(bounded.text)
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/markdown.rs"]
mod tests;
