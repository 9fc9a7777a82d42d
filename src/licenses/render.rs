//! Placeholders of license texts: one pass, values literal, ASCII case ignored. Found by hand: a general matcher takes
//! milliseconds for a long license.

#[derive(Debug, Clone, Copy)]
enum Placeholder {
    Year,
    Project,
    FullName,
}

/// What stands between an opener and a closer; the pair need not match. A blank stands for any white space.
const FORMS: &[(&str, Placeholder)] = &[
    ("year", Placeholder::Year),
    ("yyyy", Placeholder::Year),
    ("project", Placeholder::Project),
    ("program", Placeholder::Project),
    ("description", Placeholder::Project),
    ("fullname", Placeholder::FullName),
    ("name of author", Placeholder::FullName),
    ("name of copyright owner", Placeholder::FullName),
];

/// The text with its placeholders replaced. A value that is absent or blank leaves its placeholder.
pub fn render(content: &str, year: i32, project: Option<&str>, fullname: Option<&str>) -> String {
    let year = year.to_string();
    let value = |placeholder| {
        let value = match placeholder {
            Placeholder::Year => Some(year.as_str()),
            Placeholder::Project => project,
            Placeholder::FullName => fullname,
        };
        value.filter(|text| !text.trim().is_empty())
    };
    let mut text = String::with_capacity(content.len() + 256);
    let mut left = content;
    while let Some((before, inside)) = left.split_once(['<', '{', '[']) {
        text.push_str(before);
        let found = placeholder(inside).and_then(|(placeholder, after)| Some((value(placeholder)?, after)));
        left = match found {
            Some((value, after)) => {
                text.push_str(value);
                after
            }
            None => {
                text.extend(left.get(before.len()..left.len() - inside.len()));
                inside
            }
        };
    }
    text.push_str(left);
    text
}

/// The placeholder that follows an opener, and what comes after its closer.
fn placeholder(inside: &str) -> Option<(Placeholder, &str)> {
    FORMS
        .iter()
        .find_map(|(form, placeholder)| Some((*placeholder, closed(phrase(inside, form)?)?)))
        .or_else(|| Some((Placeholder::Project, long_form(inside)?)))
}

/// What comes after `one line .. what it does.` and its closer; of several ends on the line, the last.
fn long_form(inside: &str) -> Option<&str> {
    let rest = phrase(inside, "one line ")?;
    let line = rest.find('\n').unwrap_or(rest.len());
    (1..=line).rev().find_map(|at| closed(phrase(rest.get(at..)?, " what it does.")?))
}

fn closed(text: &str) -> Option<&str> {
    text.strip_prefix(['>', '}', ']'])
}

/// What comes after the words.
fn phrase<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(words.len())?;
    let same = |(is, wanted): (u8, u8)| {
        if wanted == b' ' { is.is_ascii_whitespace() } else { is.eq_ignore_ascii_case(&wanted) }
    };
    head.bytes().zip(words.bytes()).all(same).then_some(rest)
}

#[cfg(test)]
#[path = "../../tests/unit/licenses/render.rs"]
mod tests;
