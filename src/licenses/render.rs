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
mod tests {
    use super::render;

    #[test]
    fn every_form_of_every_placeholder_is_replaced() {
        let text = "[year] <YYYY> {year] <project> {description} <one line to give it and what it does.> \
                    [fullname] {name of author} <name of copyright owner>";
        assert_eq!(render(text, 2026, Some("P"), Some("N")), "2026 2026 2026 P P P N N N");
    }

    #[test]
    fn absent_and_blank_values_leave_the_placeholder() {
        assert_eq!(render("[project] [fullname]", 2026, None, Some(" ")), "[project] [fullname]");
    }

    #[test]
    fn values_are_literal_and_not_read_again() {
        assert_eq!(
            render("[project] [fullname]", 2026, Some("[fullname]"), Some(r"$1 \0 ${name}")),
            r"[fullname] $1 \0 ${name}"
        );
    }

    #[test]
    fn the_long_form_ends_where_its_line_ends_for_the_last_time() {
        for (text, rendered) in [
            ("<One Line é what it does.>!", "P!"),
            ("[one line a what it does.] b what it does.] c", "P c"),
            ("<one line a\nwhat it does.>", "P"),
            ("<one line what it does.>", "<one line what it does.>"),
            ("<one line a what it does>", "<one line a what it does>"),
            ("<one line é", "<one line é"),
            ("[<[year]]> [", "[<2026]> ["),
            ("<name of\tauthor>", "<name of\tauthor>"),
        ] {
            assert_eq!(render(text, 2026, Some("P"), None), rendered);
        }
    }

    #[test]
    fn other_brackets_stay() {
        let text = "[email] {signature of Ty Coon} <http://fsf.org/> <programs>\n<one line\nwhat it does.>";
        assert_eq!(render(text, 2026, Some("P"), Some("N")), text);
    }
}
