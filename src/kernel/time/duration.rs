//! Durations: `1mo 2w 3d 4h 5m 6s`. A day has 8 hours, a week 5 days, a month 4 weeks.

const HOUR: i64 = 3600;
const DAY: i64 = 8 * HOUR;
const WEEK: i64 = 5 * DAY;
const MONTH: i64 = 4 * WEEK;

/// The longest first, as they are written.
const UNITS: &[(&str, i64)] = &[("mo", MONTH), ("w", WEEK), ("d", DAY), ("h", HOUR), ("m", 60), ("s", 1)];

fn unit(word: &str) -> Option<i64> {
    Some(match word {
        "mo" | "mon" | "mos" | "month" | "months" => MONTH,
        "w" | "wk" | "wks" | "week" | "weeks" => WEEK,
        "d" | "day" | "days" => DAY,
        // a number without a unit
        "" | "h" | "hr" | "hrs" | "hour" | "hours" => HOUR,
        "m" | "min" | "mins" | "minute" | "minutes" => 60,
        "s" | "sec" | "secs" | "second" | "seconds" => 1,
        _ => return None,
    })
}

const LONGEST: usize = 255;

/// Seconds, below zero with a leading `-`. None if the text is no duration.
pub fn read(text: &str) -> Option<i64> {
    let text = text.trim().to_ascii_lowercase();
    let (sign, rest) = text.strip_prefix('-').map_or((1, text.as_str()), |rest| (-1, rest));
    if rest.len() > LONGEST {
        return None;
    }
    let (mut sum, mut rest) = (0_i64, rest.trim_start());
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at_checked(digits)?;
        let after = after.trim_start();
        let letters = after.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(after.len());
        let (word, further) = after.split_at_checked(letters)?;
        // `0,25h` may be a quarter of an hour, and `1,500h` more than a thousand
        if word.is_empty() && further.starts_with(',') {
            return None;
        }
        sum = sum.checked_add(times(number, unit(word)?)?)?;
        rest = passed(further);
    }
    Some(sign * sum)
}

/// The text after blanks, commas and the word `and`.
fn passed(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t', ',']);
    text.strip_prefix("and ").map_or(text, str::trim_start)
}

/// The whole seconds of a number of units, such as `1.5` hours.
fn times(number: &str, unit: i64) -> Option<i64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || whole.len() > 9 || part.len() > 6 {
        return None;
    }
    let scale = 10_i64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let part = if part.is_empty() { 0 } else { part.parse::<i64>().ok()? };
    whole.parse::<i64>().ok()?.checked_mul(unit)?.checked_add((part * unit + scale / 2) / scale)
}

/// Seconds as a duration, such as `1w 2d`. Empty for 0 and below.
pub fn write(seconds: i64) -> String {
    let mut left = seconds;
    let mut parts: Vec<String> = Vec::new();
    for (name, unit) in UNITS {
        let number = left / unit;
        left %= unit;
        if number > 0 {
            parts.push(format!("{number}{name}"));
        }
    }
    parts.join(" ")
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/time/duration.rs"]
mod tests;
