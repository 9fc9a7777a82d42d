//! Dates of commits: git's raw form, what git does not show, and the form of the API.

/// A moment and the author's offset from UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Date {
    /// Seconds since 1970.
    pub seconds: i64,
    /// `+hhmm`.
    pub zone: String,
}

/// The years that four digits can tell; git shows what is past any calendar as 1970.
const FIRST: i64 = -62_135_596_800;
const LAST: i64 = 253_402_300_799;

impl Date {
    /// Reads `<seconds> <zone>`.
    pub fn parse(text: &str) -> Option<Date> {
        let mut words = text.split_ascii_whitespace();
        let seconds = words.next()?;
        if !seconds.strip_prefix('-').unwrap_or(seconds).bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let seconds = seconds.parse().ok().filter(|seconds| (FIRST..=LAST).contains(seconds)).unwrap_or(0);
        Some(Date { seconds, zone: zone(words.next().unwrap_or_default()) })
    }

    /// The date of the line `key` (`author`, `committer`) in a raw commit. Needed for what git shows as empty: dates
    /// before 1970 and broken lines.
    pub fn of_raw(commit: &[u8], key: &str) -> Date {
        let start = format!("{key} ");
        commit
            .split(|byte| *byte == b'\n')
            .take_while(|line| !line.is_empty())
            .find_map(|line| line.strip_prefix(start.as_bytes()))
            .and_then(|line| line.rsplit(|byte| *byte == b'>').next())
            .and_then(|text| Date::parse(&String::from_utf8_lossy(text)))
            .unwrap_or(Date { seconds: 0, zone: zone("") })
    }

    /// `2016-08-11T09:36:01+02:00`, as the API shows it.
    pub fn show(&self) -> String {
        let (sign, digits) = self.zone.split_at_checked(1).unwrap_or(("+", "0000"));
        let (hours, minutes) = digits.split_at_checked(2).unwrap_or(("00", "00"));
        let offset = hours.parse::<i64>().unwrap_or(0) * 3600 + minutes.parse::<i64>().unwrap_or(0) * 60;
        let local = self.seconds + if sign == "-" { -offset } else { offset };
        let (year, month, day) = civil(local.div_euclid(86_400));
        let second = local.rem_euclid(86_400);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{sign}{hours}:{minutes}")
    }
}

/// The offset as sign and four digits; what no clock on Earth shows is UTC.
fn zone(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', text.strip_prefix('+').unwrap_or(text)),
    };
    match digits.parse::<u32>() {
        Ok(0) => "+0000".to_owned(),
        Ok(number) if digits.len() <= 4 && number / 100 <= 23 && number % 100 <= 59 => {
            format!("{sign}{number:04}")
        }
        _ => "+0000".to_owned(),
    }
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar.
fn civil(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let month_of_year = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month_of_year <= 2), month_of_year, of_year - (153 * month + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        Date::parse(text).unwrap().show()
    }

    #[test]
    fn dates_are_shown_with_their_own_offset() {
        assert_eq!(shown("0 +0000"), "1970-01-01T00:00:00+00:00");
        assert_eq!(shown("1470900961 +0200"), "2016-08-11T09:36:01+02:00");
        assert_eq!(shown("1470900961 -0330"), "2016-08-11T04:06:01-03:30");
        assert_eq!(shown("951782400 +0545"), "2000-02-29T05:45:00+05:45");
        assert_eq!(shown("-1 +0000"), "1969-12-31T23:59:59+00:00");
    }

    #[test]
    fn zones_that_no_clock_shows_are_utc() {
        for odd in ["+051800", "+2400", "+0060", "-", "", "EST", "+12345"] {
            assert_eq!(zone(odd), "+0000", "{odd}");
        }
        assert_eq!(zone("-7"), "-0007");
        assert_eq!(zone("-0000"), "+0000");
    }

    #[test]
    fn dates_past_any_calendar_are_1970() {
        assert_eq!(Date::parse("99999999999999999999 +0100").unwrap().seconds, 0);
        assert_eq!(Date::parse("18446744073709551615 +0100").unwrap().seconds, 0);
        assert_eq!(Date::parse("yesterday"), None);
    }

    #[test]
    fn a_broken_line_has_the_date_that_is_left_of_it() {
        let raw = b"tree 1\nauthor A <a@b> -86400 +0130\ncommitter B <b@c>\n\nauthor X <x> 5 +0000\n";
        assert_eq!(Date::of_raw(raw, "author"), Date { seconds: -86_400, zone: "+0130".to_owned() });
        assert_eq!(Date::of_raw(raw, "committer"), Date { seconds: 0, zone: "+0000".to_owned() });
    }
}
