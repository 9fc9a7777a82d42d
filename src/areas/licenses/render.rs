//! Fills in license texts in one pass. Values are literal, and the case of ASCII letters does not matter. A general
//! matcher takes milliseconds for a long license.

/// A placeholder stays if its value is absent or blank.
pub fn render(content: &str, year: i32, project: Option<&str>, fullname: Option<&str>) -> String {
    let year = year.to_string();
    let is_given = |text: &&str| !text.trim().is_empty();
    let (year, project, fullname) = (Some(year.as_str()), project.filter(is_given), fullname.filter(is_given));
    // a space matches any white space
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

/// Returns the value and the text after the closer. `inside` follows the opener. The two brackets may differ.
fn placeholder<'a, 'v>(
    inside: &'a str,
    forms: &[(&str, Option<&'v str>)],
    project: Option<&'v str>,
) -> Option<(Option<&'v str>, &'a str)> {
    let found = forms.iter().find_map(|(form, value)| Some((*value, closed(phrase(inside, form)?)?)));
    found.or_else(|| Some((project, long_form(inside)?)))
}

/// Returns the text after the last ` what it does.` and closer on the line.
fn long_form(inside: &str) -> Option<&str> {
    let rest = phrase(inside, "one line ")?;
    let line = rest.find('\n').unwrap_or(rest.len());
    (1..=line).rev().find_map(|at| closed(phrase(rest.get(at..)?, " what it does.")?))
}

fn closed(text: &str) -> Option<&str> {
    text.strip_prefix(['>', '}', ']'])
}

fn phrase<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(words.len())?;
    let same = |(is, wanted): (u8, u8)| {
        if wanted == b' ' { is.is_ascii_whitespace() } else { is.eq_ignore_ascii_case(&wanted) }
    };
    head.bytes().zip(words.bytes()).all(same).then_some(rest)
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/licenses/render.rs"]
mod tests;
