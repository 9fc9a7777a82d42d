//! Placeholders of license texts: one pass, values literal, ASCII case ignored. Found by hand: a general matcher takes
//! milliseconds for a long license.

/// The text with its placeholders replaced. A value that is absent or blank leaves its placeholder.
pub fn render(content: &str, year: i32, project: Option<&str>, fullname: Option<&str>) -> String {
    let year = year.to_string();
    let is_given = |text: &&str| !text.trim().is_empty();
    let (year, project, fullname) =
        (Some(year.as_str()), project.filter(is_given), fullname.filter(is_given));
    // a blank stands for any white space
    let forms = [
        ("year", year),
        ("yyyy", year),
        ("project", project),
        ("program", project),
        ("description", project),
        ("fullname", fullname),
        ("name of author", fullname),
        ("name of copyright owner", fullname),
    ];
    let mut text = String::with_capacity(content.len() + 256);
    let mut left = content;
    while let Some((before, inside)) = left.split_once(['<', '{', '[']) {
        text.push_str(before);
        left = match placeholder(inside, &forms, project) {
            Some((Some(value), after)) => {
                text.push_str(value);
                after
            }
            _ => {
                text.extend(left.get(before.len()..left.len() - inside.len()));
                inside
            }
        };
    }
    text.push_str(left);
    text
}

/// The value of the placeholder that follows an opener, and what comes after its closer; the pair need not match.
fn placeholder<'a, 'v>(
    inside: &'a str,
    forms: &[(&str, Option<&'v str>)],
    project: Option<&'v str>,
) -> Option<(Option<&'v str>, &'a str)> {
    let found = forms.iter().find_map(|(form, value)| Some((*value, closed(phrase(inside, form)?)?)));
    found.or_else(|| Some((project, long_form(inside)?)))
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
