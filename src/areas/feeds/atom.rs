//! An Atom document (RFC 4287).

use crate::kernel::Reply;

pub struct Feed {
    pub title: String,
    /// The address of the feed itself.
    pub own: String,
    /// The address of the page that the feed is about.
    pub address: String,
    pub entries: Vec<Entry>,
}

pub struct Entry {
    pub address: String,
    pub title: String,
    pub published: String,
    pub updated: String,
    pub author: String,
    pub text: String,
}

/// A browser may open the feed as a document, so it must not load or run anything.
const POLICY: &str = "default-src 'none'; sandbox";

impl Feed {
    pub fn reply(&self) -> Reply {
        Reply::of("application/atom+xml", 200, self.document()).with("Content-Security-Policy", POLICY)
    }

    fn document(&self) -> String {
        let Feed { title, own, address, entries } = self;
        let [title, own, address] = [title, own, address].map(|text| escaped(text));
        let newest = entries.iter().map(|entry| entry.updated.as_str()).max();
        let mut document = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>{title}</title>\n\
             <link href=\"{own}\" rel=\"self\" type=\"application/atom+xml\"/>\n<link href=\"{address}\" rel=\"alternate\" type=\"text/html\"/>\n\
             <id>{address}</id>\n<updated>{}</updated>\n",
            newest.unwrap_or("1970-01-01T00:00:00Z"),
        );
        entries.iter().for_each(|entry| document.push_str(&entry.element()));
        document.push_str("</feed>\n");
        document
    }
}

impl Entry {
    fn element(&self) -> String {
        let Entry { address, title, published, updated, author, text } = self;
        let [address, title, author, text] = [address, title, author, text].map(|text| escaped(text));
        format!(
            "<entry>\n<id>{address}</id>\n<link href=\"{address}\"/>\n<title>{title}</title>\n<published>{published}</published>\n\
             <updated>{updated}</updated>\n<author><name>{author}</name></author>\n<summary>{text}</summary>\n</entry>\n"
        )
    }
}

/// Escapes a text, and removes the characters that XML does not allow.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe.push(letter),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            letter => safe.push(letter),
        }
    }
    safe
}
