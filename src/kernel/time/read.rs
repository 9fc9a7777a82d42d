//! Reads times in requests: ISO 8601 in all its forms, and RFC 2822.
//!
//! A date is `2001-02-03`, `20010203`, `2001-034`, `2001034`, `2001-W05-6` or `2001W056`. A time of day is
//! `04`, `04:05`, `0405`, `04:05:06` or `040506`; its last part may have a fraction after `.` or `,`. `24:00`
//! is the end of the day, and `:60` is the start of the next minute. A zone is `Z`, `UTC`, `GMT`, `+02`,
//! `+0200` or `+02:00`. A time without a zone is UTC, and a date alone is its midnight. `T` or a blank
//! separates date and time. A `+` that was not encoded arrives as a blank, so a blank before a zone is read
//! as `+`.

use super::units::{DAY, HOUR, MINUTE, SECOND};
use chrono::{DateTime, NaiveDate, Weekday};

/// The years 0001 to 9999, which four digits can show.
pub const YEARS: std::ops::RangeInclusive<i64> = -62_135_596_800_000..=253_402_300_799_999;

/// Milliseconds since 1970. None if the text is not a time.
pub fn read(text: &str) -> Option<i64> {
    let text = text.trim();
    iso8601(text).or_else(|| rfc2822(text)).filter(|millis| YEARS.contains(millis))
}

/// The same, but a time in RFC 2822, the form of HTTP's headers, is read as the last millisecond of its second.
pub fn read_to_its_end(text: &str) -> Option<i64> {
    let read = read(text)?;
    Some(if iso8601(text.trim()).is_none() { read + SECOND - 1 } else { read })
}

fn rfc2822(text: &str) -> Option<i64> {
    DateTime::parse_from_rfc2822(text).ok().map(|time| time.timestamp_millis())
}

fn iso8601(text: &str) -> Option<i64> {
    let mut left = Scanner(text);
    let day = date(&mut left)?;
    let midnight = day.and_hms_opt(0, 0, 0)?.and_utc().timestamp_millis();
    if left.0.is_empty() {
        return Some(midnight);
    }
    if !(left.eat("T") || left.eat("t") || left.eat(" ")) {
        return None;
    }
    let of_day = time_of_day(&mut left)?;
    let east = zone(&mut left)?;
    left.0.is_empty().then_some(midnight + of_day - east)
}

pub fn whole_date(text: &str) -> Option<NaiveDate> {
    let mut left = Scanner(text);
    date(&mut left).filter(|_| left.0.is_empty())
}

fn date(left: &mut Scanner<'_>) -> Option<NaiveDate> {
    let year = left.number(4)? as i32;
    let extended = left.eat("-");
    if left.eat("W") {
        let week = left.number(2)?;
        if extended && !left.eat("-") {
            return None;
        }
        let day = left.number(1)?;
        let weekday = Weekday::try_from((day as u8).checked_sub(1)?).ok()?;
        return NaiveDate::from_isoywd_opt(year, week as u32, weekday);
    }
    match (left.digits(), extended) {
        (3, _) => NaiveDate::from_yo_opt(year, left.number(3)? as u32),
        (4, false) | (2, true) => {
            let month = left.number(2)?;
            if extended && !left.eat("-") {
                return None;
            }
            NaiveDate::from_ymd_opt(year, month as u32, left.number(2)? as u32)
        }
        _ => None,
    }
}

/// Milliseconds since midnight.
fn time_of_day(left: &mut Scanner<'_>) -> Option<i64> {
    let hour = left.number(2)?;
    let (mut minute, mut second, mut smallest) = (0, 0, HOUR);
    let extended = left.eat(":");
    if extended || left.digits() > 0 {
        minute = left.number(2)?;
        smallest = MINUTE;
        if if extended { left.eat(":") } else { left.digits() > 0 } {
            second = left.number(2)?;
            smallest = SECOND;
        }
    }
    let fraction = left.fraction(smallest)?;
    let whole = hour * HOUR + minute * MINUTE + second * SECOND;
    let ends_the_day = hour == 24 && whole + fraction == DAY;
    ((hour < 24 || ends_the_day) && minute < 60 && second <= 60).then_some(whole + fraction)
}

/// Milliseconds east of UTC.
fn zone(left: &mut Scanner<'_>) -> Option<i64> {
    let blank = left.eat(" ");
    if ["Z", "z", "UTC", "GMT"].into_iter().any(|name| left.eat(name)) || (left.0.is_empty() && !blank) {
        return Some(0);
    }
    let west = left.eat("-");
    if !west && !left.eat("+") && !blank {
        return None;
    }
    let hours = left.number(2)?;
    let minutes = if left.eat(":") || left.digits() > 0 { left.number(2)? } else { 0 };
    let size = hours * HOUR + minutes * MINUTE;
    (hours < 24 && minutes < 60).then_some(if west { -size } else { size })
}

struct Scanner<'a>(&'a str);

impl Scanner<'_> {
    fn eat(&mut self, word: &str) -> bool {
        let rest = self.0.strip_prefix(word);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn digits(&self) -> usize {
        self.0.bytes().take_while(u8::is_ascii_digit).count()
    }

    /// Reads exactly this many digits, and leaves the digits after them.
    fn number(&mut self, digits: usize) -> Option<i64> {
        if self.digits() < digits {
            return None;
        }
        let (number, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        number.parse().ok()
    }

    /// Reads a decimal fraction of `unit` milliseconds. 0 if there is no fraction, None if it has no digits.
    fn fraction(&mut self, unit: i64) -> Option<i64> {
        /// Further digits are less than a millisecond of an hour
        const READ: usize = 18;
        if !self.eat(".") && !self.eat(",") {
            return Some(0);
        }
        let (digits, rest) = self.0.split_at_checked(self.digits())?;
        self.0 = rest;
        let digits = digits.get(..digits.len().min(READ))?;
        let number: i128 = digits.parse().ok()?;
        let millis = number * i128::from(unit) / 10_i128.pow(digits.len() as u32);
        i64::try_from(millis).ok()
    }
}
