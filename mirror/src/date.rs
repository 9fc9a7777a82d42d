//! Dates in the form of the API. The server formats them with chrono. This is a second implementation, so
//! that `verify` finds mistakes of the first.

use edgeforge_wire::object::Date;

/// `2016-08-11T09:36:01+02:00`.
pub fn show(date: &Date) -> String {
    let local = date.seconds + i64::from(date.zone) * 60;
    let (year, month, day) = civil(local.div_euclid(86_400));
    let second = local.rem_euclid(86_400);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let (sign, zone) = (if date.zone < 0 { '-' } else { '+' }, date.zone.abs());
    let (hours, minutes) = (zone / 60, zone % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{sign}{hours:02}:{minutes:02}")
}

/// Year, month and day of the number of days since 1970-01-01.
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

    #[test]
    fn a_date_is_shown_in_its_own_zone() {
        let shown = |seconds, zone| show(&Date { seconds, zone });
        assert_eq!(shown(1_470_900_961, 120), "2016-08-11T09:36:01+02:00");
        assert_eq!(shown(0, -210), "1969-12-31T20:30:00-03:30");
        assert_eq!(shown(-62_135_596_800, 0), "0001-01-01T00:00:00+00:00");
        assert_eq!(shown(951_782_400, 345), "2000-02-29T05:45:00+05:45");
    }
}
