//! The time forms of the wire (specification, convention 7): UTC with milliseconds, numeric offset, date.

mod read;
#[cfg(test)]
mod spellings;
pub use read::read;

use chrono::{DateTime, FixedOffset, NaiveDate, Offset, SecondsFormat, Utc};

/// Milliseconds since 1970 as `2016-01-04T15:31:51.081Z`.
pub fn utc(millis: i64) -> String {
    DateTime::from_timestamp_millis(millis).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The day of a time in UTC, as `2016-01-04`.
pub fn day(millis: i64) -> String {
    DateTime::from_timestamp_millis(millis).unwrap_or_default().date_naive().to_string()
}

/// Seconds since 1970 and minutes east of UTC as `2012-09-20T09:06:12+03:00`.
pub fn offset(seconds: i64, zone_minutes: i32) -> String {
    let zone = FixedOffset::east_opt(zone_minutes.saturating_mul(60)).unwrap_or(Utc.fix());
    let time = DateTime::from_timestamp(seconds, 0).unwrap_or_default().with_timezone(&zone);
    time.to_rfc3339_opts(SecondsFormat::Secs, false)
}

/// The same with milliseconds, which git does not keep: `2012-09-20T09:06:12.000+03:00`.
pub fn offset_with_millis(seconds: i64, zone_minutes: i32) -> String {
    let mut text = offset(seconds, zone_minutes);
    text.insert_str(text.len().saturating_sub(6), ".000");
    text
}

/// A real date in the form `YYYY-MM-DD`.
pub fn date(text: &str) -> Option<NaiveDate> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if shaped { read::whole_date(text) } else { None }
}

/// What is sent as a day: of a time the day that is written there, whatever its zone. What is neither stays as it is.
pub fn day_of(text: String) -> String {
    match text.trim().get(..10) {
        Some(day) if date(day).is_some() && read(&text).is_some() => day.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_records_are_utc_with_milliseconds() {
        assert_eq!(utc(1_451_921_511_081), "2016-01-04T15:31:51.081Z");
    }

    #[test]
    fn times_of_commits_carry_a_numeric_offset() {
        assert_eq!(offset(1_348_121_172, 180), "2012-09-20T09:06:12+03:00");
        assert_eq!(offset(0, 0), "1970-01-01T00:00:00+00:00");
        assert_eq!(offset_with_millis(1_348_121_172, 180), "2012-09-20T09:06:12.000+03:00");
        assert_eq!(offset(-1, -210), "1969-12-31T20:29:59-03:30");
    }

    #[test]
    fn a_time_names_the_day_that_is_written_there() {
        for text in ["2016-02-29", "2016-02-29T23:59:00-05:00", " 2016-02-29 00:00 "] {
            assert_eq!(day_of(text.to_owned()), "2016-02-29");
        }
        for text in ["2016-02-30T00:00:00Z", "2016-02-29x", "2016", "ä"] {
            assert_eq!(day_of(text.to_owned()), text);
        }
    }

    #[test]
    fn a_date_is_ten_characters_and_real() {
        assert!(date("2016-02-29").is_some());
        for bad in ["2016-02-31", "2016-2-1", "16-02-01", "2016-02-01 ", "tomorrow", ""] {
            assert!(date(bad).is_none(), "{bad}");
        }
    }
}
