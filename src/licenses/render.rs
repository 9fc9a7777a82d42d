//! Placeholders of license texts: one pass, values literal, ASCII case ignored.

use regex::{Captures, Regex};
use std::sync::LazyLock;

/// An opener, a known name, a closer; the pair need not match.
static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"[<{\[](?:(?P<year>(?i-u:year|yyyy))",
        r"|(?P<project>(?i-u:project|description|one(?-u:\s)line(?-u:\s)(?u:.+)(?-u:\s)what(?-u:\s)it(?-u:\s)does\.))",
        r"|(?P<name>(?i-u:fullname|name(?-u:\s)of(?-u:\s)(?:author|copyright(?-u:\s)owner))))[>}\]]",
    ))
    .ok()
});

/// The text with its placeholders replaced. A value that is absent or blank leaves its placeholder.
pub fn render(content: &str, year: i32, project: Option<&str>, fullname: Option<&str>) -> String {
    let Some(pattern) = PLACEHOLDER.as_ref() else { return content.to_owned() };
    let present = |value: Option<&str>| value.filter(|text| !text.trim().is_empty()).map(str::to_owned);
    let (project, fullname, year) = (present(project), present(fullname), year.to_string());
    let replacement = |found: &Captures<'_>| {
        let whole = found.get(0).map_or("", |all| all.as_str());
        let value = if found.name("year").is_some() {
            Some(year.as_str())
        } else if found.name("project").is_some() {
            project.as_deref()
        } else {
            fullname.as_deref()
        };
        value.unwrap_or(whole).to_owned()
    };
    pattern.replace_all(content, replacement).into_owned()
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
    fn other_brackets_stay() {
        let text = "[email] {signature of Ty Coon} <http://fsf.org/> <program>\n<one line\nwhat it does.>";
        assert_eq!(render(text, 2026, Some("P"), Some("N")), text);
    }
}
