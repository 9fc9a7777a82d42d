//! The spans of days that a list of v4 may be asked for by `due_date`.

use super::filter::Due;
use crate::params::Parameters;
use chrono::{Datelike, Days, Months, NaiveDate};

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "snake_case")]
pub enum DueName {
    #[param(rename = "0")]
    None,
    Any,
    Today,
    Tomorrow,
    Overdue,
    Week,
    Month,
    NextMonthAndPreviousTwoWeeks,
}

impl DueName {
    /// The days that it stands for.
    pub fn days(self, today: NaiveDate) -> Option<Due> {
        let first = today.with_day(1)?;
        let end_of_month = |first: NaiveDate| first.checked_add_months(Months::new(1))?.pred_opt();
        let (from, to) = match self {
            DueName::None => return Some(Due::None),
            DueName::Any => return Some(Due::Any),
            DueName::Today => (today, today),
            DueName::Tomorrow => (today.succ_opt()?, today.succ_opt()?),
            DueName::Overdue => (NaiveDate::from_ymd_opt(1, 1, 1)?, today.pred_opt()?),
            DueName::Week => {
                let monday =
                    today.checked_sub_days(Days::new(today.weekday().num_days_from_monday().into()))?;
                (monday, monday.checked_add_days(Days::new(6))?)
            }
            DueName::Month => (first, end_of_month(first)?),
            DueName::NextMonthAndPreviousTwoWeeks => {
                let next = first.checked_add_months(Months::new(1))?;
                (today.checked_sub_days(Days::new(14))?, end_of_month(next)?)
            }
        };
        Some(Due::Between(from.to_string(), to.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_due_date_is_a_span_of_days() {
        let sunday = NaiveDate::from_ymd_opt(2026, 11, 22).unwrap();
        let between = |from: &str, to: &str| Some(Due::Between(from.to_owned(), to.to_owned()));
        assert_eq!(DueName::Tomorrow.days(sunday), between("2026-11-23", "2026-11-23"));
        assert_eq!(DueName::Week.days(sunday), between("2026-11-16", "2026-11-22"));
        assert_eq!(DueName::Month.days(sunday), between("2026-11-01", "2026-11-30"));
        assert_eq!(DueName::Overdue.days(sunday), between("0001-01-01", "2026-11-21"));
        let wide = between("2026-11-08", "2026-12-31");
        assert_eq!(DueName::NextMonthAndPreviousTwoWeeks.days(sunday), wide);
    }
}
