//! Reads Markdown. Checkboxes, mentions and HTML all come from this parser.

use super::bare;
use super::raw::{self, OpenCode};
use pulldown_cmark::{CowStr, Event, OffsetIter, Options, Parser, Tag, TagEnd};
use std::collections::VecDeque;
use std::mem::take;

pub fn parser(text: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(text, options)
}

/// Whether each task of the text is done, in its order.
pub fn tasks(text: &str) -> impl Iterator<Item = bool> + '_ {
    // most texts have no box, and a list reads many of them
    let has_box = text.match_indices('[').any(|(at, _)| text.as_bytes().get(at + 2) == Some(&b']'));
    let events = has_box.then(|| parser(text)).into_iter().flatten();
    events.filter_map(|event| match event {
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
pub fn shown(text: &str) -> Reader<'_> {
    Reader {
        source: text,
        events: parser(text).into_offset_iter(),
        depth: 0,
        code: OpenCode::default(),
        html: String::new(),
        run: PlainText::default(),
        end: 0,
        ready: VecDeque::new(),
    }
}

#[derive(Debug)]
pub struct Reader<'a> {
    source: &'a str,
    events: OffsetIter<'a>,
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

impl Reader<'_> {
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

impl Iterator for Reader<'_> {
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
