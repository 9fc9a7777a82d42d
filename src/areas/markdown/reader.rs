//! Reads Markdown. Checkboxes, mentions and HTML all come from this parser.

use super::bare;
use super::raw::{self, OpenCode};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};
use std::collections::VecDeque;
use std::iter;
use std::mem::take;
use std::ops::Range;

/// The events of a text, with their bytes in it. An item with a box and no text is no task, as in GitLab and on the pages:
/// its box is text.
pub fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_GFM;
    let mut events = Parser::new_ext(text, options).into_offset_iter().peekable();
    iter::from_fn(move || {
        let (event, range) = events.next()?;
        let ends = matches!(events.peek(), Some((Event::End(TagEnd::Item | TagEnd::Paragraph), _)));
        match (&event, text.get(range.clone())) {
            (Event::TaskListMarker(_), Some(sign)) if ends => Some((Event::Text(sign.into()), range)),
            _ => Some((event, range)),
        }
    })
}

/// Whether each task of the text is done, in its order.
pub fn tasks(text: &str) -> impl Iterator<Item = bool> + '_ {
    // most texts have no box, and a list reads many of them
    let has_box = text.match_indices('[').any(|(at, _)| text.as_bytes().get(at + 2) == Some(&b']'));
    has_box.then(|| events(text)).into_iter().flatten().filter_map(|(event, _)| match event {
        Event::TaskListMarker(is_done) => Some(is_done),
        _ => None,
    })
}

/// A piece of a text without markup in it.
#[derive(Debug, Default, PartialEq)]
pub struct PlainText {
    pub text: String,
    /// Whether a backslash precedes the first character, so that it is no mark.
    pub is_escaped: bool,
}

/// The parts of a text that are shown as plain text, without code, HTML, links and pictures.
pub fn shown(text: &str) -> impl Iterator<Item = PlainText> {
    Reader {
        source: text,
        events: events(text),
        depth: 0,
        code: OpenCode::default(),
        html: String::new(),
        run: PlainText::default(),
        end: 0,
        ready: VecDeque::new(),
    }
}

struct Reader<'a, E> {
    source: &'a str,
    events: E,
    /// How many links, pictures and blocks of code are open.
    depth: usize,
    code: OpenCode,
    /// The block of HTML that is being read.
    html: String,
    /// Texts that follow one another in the source, which ends at `end` there.
    run: PlainText,
    end: usize,
    ready: VecDeque<PlainText>,
}

impl<E> Reader<'_, E> {
    fn add(&mut self, text: &CowStr<'_>, start: usize, end: usize) {
        if start != self.end {
            self.finish();
            let before = self.source.as_bytes().get(..start).and_then(<[u8]>::last);
            self.run.is_escaped = before == Some(&b'\\');
        }
        self.run.text.push_str(text);
        self.end = end;
    }

    /// Ends the run, without the addresses in it.
    fn finish(&mut self) {
        let PlainText { text, mut is_escaped } = take(&mut self.run);
        let mut rest = text.as_str();
        while let Some([before, _, after]) = bare::split(rest) {
            self.ready.push_back(PlainText { text: before.to_owned(), is_escaped: take(&mut is_escaped) });
            rest = after;
        }
        self.ready.push_back(PlainText { text: rest.to_owned(), is_escaped });
    }

    fn read(&mut self, event: &Event<'_>, start: usize, end: usize) {
        match event {
            Event::Text(text) if self.depth == 0 && !self.code.is_open() => {
                return self.add(text, start, end);
            }
            Event::Html(text) => self.html.push_str(text),
            Event::InlineHtml(tag) => raw::read(tag, true, &mut self.code, |_| {}),
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_)) => self.depth += 1,
            Event::End(TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock) => self.depth -= 1,
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {}
            Event::Start(_) | Event::End(_) => self.code.end_block(),
            _ => {}
        }
        self.finish();
        // never where the next text begins: what is between them separates them
        self.end = usize::MAX;
        if matches!(event, Event::End(TagEnd::HtmlBlock)) {
            let html = take(&mut self.html);
            let ready = &mut self.ready;
            raw::read(&html, false, &mut self.code, |text| {
                ready.push_back(PlainText { text: text.to_owned(), is_escaped: false });
            });
        }
    }
}

impl<'a, E: Iterator<Item = (Event<'a>, Range<usize>)>> Iterator for Reader<'a, E> {
    type Item = PlainText;

    fn next(&mut self) -> Option<PlainText> {
        loop {
            if let Some(shown) = self.ready.pop_front() {
                if shown.text.is_empty() {
                    continue;
                }
                return Some(shown);
            }
            let (event, range) = self.events.next()?;
            self.read(&event, range.start, range.end);
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/markdown/reader.rs"]
mod tests;
