//! Times in requests and answers (specification, convention 7).

pub mod duration;
mod read;
#[cfg(test)]
#[path = "../../../tests/unit/kernel/time/spellings.rs"]
mod spellings;
mod units;
pub use read::{YEARS, read, read_to_its_end};
pub use units::{DAY, HOUR, MINUTE};

use chrono::{DateTime, FixedOffset, NaiveDate, Offset, SecondsFormat, Utc};
use serde::Serializer;

/// Milliseconds since 1970 as `2016-01-04T15:31:51.081Z`.
pub fn utc(millis: i64) -> String {
    DateTime::from_timestamp_millis(millis).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}

pub fn as_utc<S: Serializer>(millis: &i64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&utc(*millis))
}

pub fn as_utc_or_null<S: Serializer>(millis: &Option<i64>, to: S) -> Result<S::Ok, S::Error> {
    match millis {
        Some(millis) => as_utc(millis, to),
        None => to.serialize_none(),
    }
}

/// The day in UTC, as `2016-01-04`.
pub fn day(millis: i64) -> String {
    DateTime::from_timestamp_millis(millis).unwrap_or_default().date_naive().to_string()
}

/// Seconds since 1970 and minutes east of UTC as `2012-09-20T09:06:12+03:00`.
pub fn offset(seconds: i64, zone_minutes: i32) -> String {
    let zone = FixedOffset::east_opt(zone_minutes.saturating_mul(60)).unwrap_or(Utc.fix());
    let time = DateTime::from_timestamp(seconds, 0).unwrap_or_default().with_timezone(&zone);
    time.to_rfc3339_opts(SecondsFormat::Secs, false)
}

/// `2012-09-20T09:06:12.000+03:00`. The milliseconds are always 0, because git has none.
pub fn offset_with_millis(seconds: i64, zone_minutes: i32) -> String {
    let mut text = offset(seconds, zone_minutes);
    text.insert_str(text.len().saturating_sub(6), ".000");
    text
}

/// A valid date in the form `YYYY-MM-DD`.
pub fn date(text: &str) -> Option<NaiveDate> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if shaped { read::whole_date(text) } else { None }
}

/// Reduces a time to its day as written, whatever its zone. Any other text is returned as it is.
pub fn day_of(text: String) -> String {
    match text.trim().get(..10) {
        Some(day) if date(day).is_some() && read(&text).is_some() => day.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/time.rs"]
mod tests;
