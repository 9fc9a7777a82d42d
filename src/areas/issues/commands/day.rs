//! Days in commands.

use crate::kernel::time;
use chrono::{DateTime, Days, Months, NaiveDate};

fn today(now: i64) -> NaiveDate {
    DateTime::from_timestamp_millis(now).unwrap_or_default().date_naive()
}

/// `2026-01-31`, `today`, `tomorrow`, or `in 2 weeks`.
pub fn read(text: &str, now: i64) -> Option<NaiveDate> {
    let today = today(now);
    let text = text.to_ascii_lowercase();
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["today"] => Some(today),
        ["tomorrow"] => today.checked_add_days(Days::new(1)),
        ["in", number, unit] => {
            let number: u32 = number.parse().ok().filter(|number| *number <= 10_000)?;
            match unit.trim_end_matches('s') {
                "day" => today.checked_add_days(Days::new(number.into())),
                "week" => today.checked_add_days(Days::new(7 * u64::from(number))),
                "month" => today.checked_add_months(Months::new(number)),
                _ => None,
            }
        }
        [day] => time::date(day),
        _ => None,
    }
    .filter(|date| time::date(&date.to_string()).is_some())
}

/// The two parts of `1h 2026-01-31`, of which the day may be absent. None for a day of the future.
pub fn duration_and_day(text: &str, now: i64) -> Option<(String, Option<NaiveDate>)> {
    let (days, words): (Vec<_>, Vec<_>) = text.split_whitespace().partition(|word| time::date(word).is_some());
    let day = days.first().and_then(|day| time::date(day));
    day.is_none_or(|day| day <= today(now)).then(|| (words.join(" "), day))
}
