//! Finds the text in the HTML of a Markdown text, without elements of code.

const OF_CODE: [&str; 5] = ["code", "pre", "script", "style", "textarea"];

/// The element of code that is open, and whether it began within a line of text. Then it ends with its block.
#[derive(Debug, Default)]
pub struct OpenCode(Option<(&'static str, bool)>);

impl OpenCode {
    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    pub fn end_block(&mut self) {
        self.0 = self.0.filter(|(_, is_inline)| !is_inline);
    }

    fn pass(&mut self, tag: &str, is_inline: bool) {
        let (is_end, name) = tag.strip_prefix('/').map_or((false, tag), |name| (true, name));
        let name = name.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        let Some(name) = OF_CODE.into_iter().find(|known| known.eq_ignore_ascii_case(name)) else {
            return;
        };
        match self.0 {
            None if !is_end => self.0 = Some((name, is_inline)),
            Some((open, _)) if is_end && open == name => self.0 = None,
            _ => {}
        }
    }
}

/// Calls `add` with each text between the tags that is not in an element of code.
pub fn read(html: &str, is_inline: bool, code: &mut OpenCode, mut add: impl FnMut(&str)) {
    let mut rest = html;
    while !rest.is_empty() {
        let (text, tag) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        if !code.is_open() {
            add(text);
        }
        let Some(inside) = tag.strip_prefix('<') else {
            return;
        };
        rest = if let Some(comment) = inside.strip_prefix("!--") {
            comment.split_once("-->").map_or("", |(_, after)| after)
        } else if inside.starts_with(|letter: char| letter.is_ascii_alphabetic() || "/!?".contains(letter)) {
            let end = end_of_tag(inside);
            code.pass(inside, is_inline);
            inside.get(end..).unwrap_or_default()
        } else {
            inside
        };
    }
}

/// The position after the `>` that ends the tag, and not one in the value of an attribute. Without it, the end of the
/// text.
fn end_of_tag(tag: &str) -> usize {
    let mut quote = None;
    for (at, byte) in tag.bytes().enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            None if byte == b'>' => return at + 1,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            _ => {}
        }
    }
    tag.len()
}
