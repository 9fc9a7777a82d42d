//! Times of archives and answers, in milliseconds since 1970.

/// `2016-08-11T09:36:01.123+02:00`, also with a blank before the time and with `UTC`. A date alone is its midnight.
pub fn millis(text: &str) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let [year, month, day] = numbers(date, '-')?;
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let days = days(year, month, day);
    let Some(rest) = rest.strip_prefix(['T', ' ']) else {
        return rest.is_empty().then_some(days * 86_400_000);
    };
    let (clock, rest) = rest.split_at_checked(8)?;
    let [hour, minute, second] = numbers(clock, ':')?;
    if hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.find(|of: char| !of.is_ascii_digit()).unwrap_or(rest.len())),
        None => ("", rest),
    };
    let milliseconds = digits(format!("{fraction:0<3}").get(..3)?)?;
    let offset = match zone.trim() {
        "" | "Z" | "UTC" => 0,
        zone => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let zone = zone.strip_prefix(['+', '-'])?.replace(':', "");
            let (hours, minutes) = zone.split_at_checked(2)?;
            sign * (digits(hours)? * 60 + digits(minutes)?)
        }
    };
    Some((((days * 24 + hour) * 60 + minute - offset) * 60 + second) * 1000 + milliseconds)
}

/// `2016-08-11T07:36:01.123Z`, as GitLab writes it.
pub fn shown(millis: i64) -> String {
    let seconds = millis.div_euclid(1000);
    let date = edgeforge_wire::object::Date { seconds, zone: 0 };
    let text = crate::date::show(&date);
    format!("{}.{:03}Z", text.trim_end_matches("+00:00"), millis.rem_euclid(1000))
}

pub fn now() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or_default()
}

fn numbers(text: &str, between: char) -> Option<[i64; 3]> {
    text.split(between).map(digits).collect::<Option<Vec<_>>>()?.try_into().ok()
}

fn digits(text: &str) -> Option<i64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Since 1970-01-01.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let of_era = year.rem_euclid(400) * 365 + year.rem_euclid(400) / 4 - year.rem_euclid(400) / 100 + of_year;
    era * 146_097 + of_era - 719_468
}

#[cfg(test)]
#[path = "../../tests/unit/moving/time.rs"]
mod tests;
