//! The time forms of the wire (specification, convention 7): UTC with milliseconds, numeric offset, date.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, Offset, SecondsFormat, Utc};

/// Milliseconds since 1970 as `2016-01-04T15:31:51.081Z`.
pub fn utc(millis: i64) -> String {
    DateTime::from_timestamp_millis(millis).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Seconds since 1970 and minutes east of UTC as `2012-09-20T09:06:12+03:00`.
pub fn offset(seconds: i64, zone_minutes: i32) -> String {
    let zone = FixedOffset::east_opt(zone_minutes.saturating_mul(60)).unwrap_or(Utc.fix());
    let time = DateTime::from_timestamp(seconds, 0).unwrap_or_default().with_timezone(&zone);
    time.to_rfc3339_opts(SecondsFormat::Secs, false)
}

/// A real date in the form `YYYY-MM-DD`.
pub fn date(text: &str) -> Option<NaiveDate> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if shaped { NaiveDate::parse_from_str(text, "%Y-%m-%d").ok() } else { None }
}

/// A full time stamp `YYYY-MM-DDTHH:MM:SS[.frac][Z|±hh:mm]` (no zone: UTC) in milliseconds since 1970.
pub fn stamp(text: &str) -> Option<i64> {
    // chrono also takes a blank between date and time
    if text.as_bytes().get(10).is_none_or(|byte| !matches!(byte, b'T' | b't')) {
        return None;
    }
    DateTime::parse_from_rfc3339(text)
        .map(|time| time.timestamp_millis())
        .or_else(|_| {
            NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f")
                .map(|time| time.and_utc().timestamp_millis())
        })
        .ok()
}

/// Any time that people write: a full stamp, a date with a time, or a date alone; milliseconds since 1970.
pub fn lenient(text: &str) -> Option<i64> {
    let text = text.trim();
    stamp(text)
        .or_else(|| DateTime::parse_from_rfc3339(text).ok().map(|time| time.timestamp_millis()))
        .or_else(|| DateTime::parse_from_rfc2822(text).ok().map(|time| time.timestamp_millis()))
        .or_else(|| {
            DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S %z").ok().map(|time| time.timestamp_millis())
        })
        .or_else(|| {
            ["%Y-%m-%d %H:%M:%S%.f UTC", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]
                .iter()
                .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())
                .map(|time| time.and_utc().timestamp_millis())
        })
        .or_else(|| Some(date(text)?.and_hms_opt(0, 0, 0)?.and_utc().timestamp_millis()))
        .filter(|millis| (MIN..=MAX).contains(millis))
}

/// Years 0001 to 9999: what four digits can show.
const MIN: i64 = -62_135_596_800_000;
const MAX: i64 = 253_402_300_799_999;

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
        assert_eq!(offset(-1, -210), "1969-12-31T20:29:59-03:30");
    }

    #[test]
    fn a_date_is_ten_characters_and_real() {
        assert!(date("2016-02-29").is_some());
        for bad in ["2016-02-31", "2016-2-1", "16-02-01", "2016-02-01 ", "tomorrow", ""] {
            assert!(date(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_stamp_has_seconds_and_a_t() {
        assert_eq!(stamp("1970-01-01T00:00:01Z"), Some(1000));
        assert_eq!(stamp("1970-01-01T00:00:01"), Some(1000));
        assert_eq!(stamp("1970-01-01T01:00:01.5+01:00"), Some(1500));
        for bad in [
            "1970-01-01",
            "1970-01-01T00:00",
            "1970-01-01 00:00:01",
            "19700101T000001Z",
            "1970-01-01T01:00:01 01:00",
        ] {
            assert_eq!(stamp(bad), None, "{bad}");
        }
    }
}
