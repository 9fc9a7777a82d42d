use super::*;

#[test]
fn a_due_date_is_a_span_of_days() {
    let sunday = NaiveDate::from_ymd_opt(2026, 11, 22).unwrap();
    let between = |from: &str, to: &str| Some(DueFilter::Between(from.to_owned(), to.to_owned()));
    assert_eq!(DueName::Tomorrow.days(sunday), between("2026-11-23", "2026-11-23"));
    assert_eq!(DueName::Week.days(sunday), between("2026-11-16", "2026-11-22"));
    assert_eq!(DueName::Month.days(sunday), between("2026-11-01", "2026-11-30"));
    assert_eq!(DueName::Overdue.days(sunday), between("0001-01-01", "2026-11-21"));
    let wide = between("2026-11-08", "2026-12-31");
    assert_eq!(DueName::NextMonthAndPreviousTwoWeeks.days(sunday), wide);
}
