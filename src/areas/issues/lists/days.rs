use super::filter::DueFilter;
use crate::kernel::Parameters;
use chrono::{Datelike, Days, Months, NaiveDate};

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
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
    pub fn days(self, today: NaiveDate) -> Option<DueFilter> {
        let first = today.with_day(1)?;
        let end_of_month = |first: NaiveDate| first.checked_add_months(Months::new(1))?.pred_opt();
        let (from, to) = match self {
            DueName::None => return Some(DueFilter::None),
            DueName::Any => return Some(DueFilter::Any),
            DueName::Today => (today, today),
            DueName::Tomorrow => (today.succ_opt()?, today.succ_opt()?),
            DueName::Overdue => (NaiveDate::from_ymd_opt(1, 1, 1)?, today.pred_opt()?),
            DueName::Week => {
                let monday = today.checked_sub_days(Days::new(today.weekday().num_days_from_monday().into()))?;
                (monday, monday.checked_add_days(Days::new(6))?)
            }
            DueName::Month => (first, end_of_month(first)?),
            DueName::NextMonthAndPreviousTwoWeeks => {
                let next = first.checked_add_months(Months::new(1))?;
                (today.checked_sub_days(Days::new(14))?, end_of_month(next)?)
            }
        };
        Some(DueFilter::Between(from.to_string(), to.to_string()))
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/issues/lists/days.rs"]
mod tests;
