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
