//! Compares the reader of times with an independent oracle on 100,000 random spellings, valid and damaged. The oracle
//! shares no code with the reader: it counts days itself and has one pattern for all forms.

use super::read;
use chrono::DateTime;
use regex::Regex;

const SPELLINGS: usize = 100_000;
const DAY: i64 = 86_400_000;

/// Pseudorandom numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as i64 % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as i64) as usize]
    }

    fn digits(&mut self, most: i64) -> String {
        (0..=self.below(most)).map(|_| self.below(10).to_string()).collect()
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of_year(year: i64) -> i64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The first of January in days since 1970.
fn new_year(year: i64) -> i64 {
    let before = year - 1;
    before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 719_162
}

fn day_number(year: i64, month: i64, day: i64) -> Option<i64> {
    let real = (1..=12).contains(&month) && (1..=days_of_month(year, month)).contains(&day);
    real.then(|| new_year(year) + (1..month).map(|month| days_of_month(year, month)).sum::<i64>() + day - 1)
}

/// The Monday of a year's first week, which has the year's first Thursday.
fn first_monday(year: i64) -> i64 {
    let fourth = new_year(year) + 3;
    fourth - (fourth + 3).rem_euclid(7)
}

/// The meaning of a text by the pattern of all forms but RFC 2822.
fn oracle(pattern: &Regex, text: &str) -> Option<i64> {
    let found = pattern.captures(text)?;
    let number = |name: &str| found.name(name).map(|part| part.as_str().parse::<i64>().unwrap());
    let either = |a: &str, b: &str| number(a).or(number(b));
    let year = number("year")?;
    let day = if let Some(week) = either("week", "week_") {
        let weeks = (first_monday(year + 1) - first_monday(year)) / 7;
        let weekday = either("weekday", "weekday_")?;
        let real = (1..=weeks).contains(&week) && (1..=7).contains(&weekday);
        real.then(|| first_monday(year) + (week - 1) * 7 + weekday - 1)?
    } else if let Some(day) = number("ordinal") {
        (1..=days_of_year(year)).contains(&day).then(|| new_year(year) + day - 1)?
    } else {
        day_number(year, either("month", "month_")?, either("day", "day_")?)?
    };
    let (hour, minute, second) =
        (number("hour").unwrap_or(0), either("minute", "minute_"), either("second", "second_"));
    let unit = if second.is_some() {
        1000
    } else if minute.is_some() {
        60_000
    } else {
        3_600_000
    };
    let fraction = found.name("fraction").map_or("", |digits| digits.as_str());
    // one digit at a time, as many as can change the millisecond of an hour
    let fraction = fraction
        .bytes()
        .take(18)
        .fold((0_i128, 1_i128), |(number, of), digit| (number * 10 + i128::from(digit - b'0'), of * 10));
    let fraction = (fraction.0 * unit / fraction.1) as i64;
    let (minute, second) = (minute.unwrap_or(0), second.unwrap_or(0));
    let of_day = (hour * 3600 + minute * 60 + second) * 1000 + fraction;
    let clock = hour < 24 && minute < 60 && second < 61 || hour == 24 && of_day == DAY;
    let (east, past) = (number("zone_hour").unwrap_or(0), number("zone_minute").unwrap_or(0));
    let sign = if found.name("sign").is_some_and(|sign| sign.as_str() == "-") { -1 } else { 1 };
    let millis = day * DAY + of_day - sign * (east * 60 + past) * 60_000;
    let shown = (new_year(1) * DAY..new_year(10_000) * DAY).contains(&millis);
    (clock && east < 24 && past < 60 && shown).then_some(millis)
}

/// Every form but RFC 2822.
fn pattern() -> Regex {
    let text = r"^(?<year>[0-9]{4})
        (?:-(?<month>[0-9]{2})-(?<day>[0-9]{2}) | (?<month_>[0-9]{2})(?<day_>[0-9]{2}) | -?(?<ordinal>[0-9]{3})
          | -W(?<week>[0-9]{2})-(?<weekday>[0-9]) | W(?<week_>[0-9]{2})(?<weekday_>[0-9]))
        (?:[Tt\x20](?<hour>[0-9]{2})
          (?: :(?<minute>[0-9]{2})(?: :(?<second>[0-9]{2}))? | (?<minute_>[0-9]{2})(?<second_>[0-9]{2})?)?
          (?:[.,](?<fraction>[0-9]+))?
          (?:\x20?(?:Z|z|UTC|GMT) | (?:\x20?(?<sign>[+-])|\x20)(?<zone_hour>[0-9]{2})(?: :?(?<zone_minute>[0-9]{2}))?)?
        )?$";
    Regex::new(&format!("(?x){text}")).unwrap()
}

/// A real instant in a random form.
fn spelling(random: &mut Random) -> String {
    let year = 1 + random.below(9999);
    let day = random.below(days_of_year(year));
    let (mut month, mut of_month) = (1, day);
    while of_month >= days_of_month(year, month) {
        of_month -= days_of_month(year, month);
        month += 1;
    }
    let of_month = of_month + 1;
    let (hour, minute, second) = (random.below(24), random.below(60), random.below(61));
    if random.below(5) == 0 {
        return mail(random, (year, month, of_month), (hour, minute, second), new_year(year) + day);
    }
    let (week, weekday) = (1 + random.below(52), 1 + random.below(7));
    let date = match random.below(6) {
        0 | 1 => format!("{year:04}-{month:02}-{of_month:02}"),
        2 => format!("{year:04}{month:02}{of_month:02}"),
        3 => format!("{year:04}{}{:03}", random.one(&["", "-"]), day + 1),
        4 => format!("{year:04}-W{week:02}-{weekday}"),
        _ => format!("{year:04}W{week:02}{weekday}"),
    };
    if random.below(20) == 0 {
        return date;
    }
    let time = match random.below(8) {
        0 => format!("{hour:02}"),
        1 => format!("{hour:02}:{minute:02}"),
        2 => format!("{hour:02}{minute:02}"),
        3 => random.one(&["24", "24:00", "2400", "24:00:00", "240000"]).to_owned(),
        4 => format!("{hour:02}{minute:02}{second:02}"),
        _ => format!("{hour:02}:{minute:02}:{second:02}"),
    };
    let fraction = if random.below(2) == 0 && !time.starts_with("24") {
        format!("{}{}", random.one(&[".", ","]), random.digits(20))
    } else {
        String::new()
    };
    let (hours, minutes) = (random.below(24), random.below(60));
    let zone = match random.below(7) {
        0 => String::new(),
        1 => random.one(&["Z", "z", " UTC", "GMT", " Z"]).to_owned(),
        2 => format!("{}{hours:02}", random.one(&["+", "-", " +", " "])),
        3 => format!("{}{hours:02}{minutes:02}", random.one(&["+", "-", " -", " "])),
        _ => format!("{}{hours:02}:{minutes:02}", random.one(&["+", "-", " "])),
    };
    format!("{date}{}{time}{fraction}{zone}", random.one(&["T", "T", "t", " "]))
}

/// A time in the form of RFC 2822.
fn mail(random: &mut Random, date: (i64, i64, i64), time: (i64, i64, i64), days: i64) -> String {
    const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let weekday = DAYS[(days + 3).rem_euclid(7) as usize];
    let weekday = if random.below(2) == 0 { format!("{weekday}, ") } else { String::new() };
    let month = MONTHS[date.1 as usize - 1];
    let zone = random.one(&["+0000", "-0330", "+1245", "GMT", "EST", "UT"]);
    format!("{weekday}{} {month} {:04} {:02}:{:02}:{:02} {zone}", date.2, date.0, time.0, time.1, time.2.min(59))
}

fn is_mail(text: &str) -> bool {
    text.contains(' ') && text.rsplit(", ").next().unwrap().split(' ').count() == 5
}

/// The meaning of a text of [`mail`].
fn mailed(text: &str) -> i64 {
    let words: Vec<&str> = text.rsplit(", ").next().unwrap().split(' ').collect();
    let [day, month, year, time, zone] = words[..] else { panic!("{text}") };
    let month = "JanFebMarAprMayJunJulAugSepOctNovDec".find(month).unwrap() as i64 / 3 + 1;
    let days = day_number(year.parse().unwrap(), month, day.parse().unwrap()).unwrap();
    let seconds = time.split(':').fold(0, |sum, part| sum * 60 + part.parse::<i64>().unwrap());
    let east = match zone {
        "-0330" => -210,
        "+1245" => 765,
        "EST" => -300,
        _ => 0,
    };
    days * DAY + (seconds - east * 60) * 1000
}

/// The text with one character added, removed or changed.
fn damaged(random: &mut Random, text: &str) -> String {
    let mut text: Vec<char> = text.chars().collect();
    let at = random.below(text.len() as i64) as usize;
    let other = random.one(&["0", "1", "9", "-", "+", ":", " ", "T", "W", ".", ",", "Z", "/", "é"]);
    match random.below(3) {
        0 => drop(text.remove(at)),
        1 => text.insert(at, other.chars().next().unwrap()),
        _ => text[at] = other.chars().next().unwrap(),
    }
    text.into_iter().collect()
}

#[test]
fn a_hundred_thousand_random_spellings_are_read_as_the_oracle_reads_them() {
    let (pattern, mut random) = (pattern(), Random(0x2545_f491_4f6c_dd1d));
    let shown = new_year(1) * DAY..new_year(10_000) * DAY;
    let (mut times, mut mails) = (0, 0);
    for number in 0..SPELLINGS {
        let whole = spelling(&mut random);
        let text = if number % 3 == 2 { damaged(&mut random, &whole) } else { whole };
        let text = text.trim();
        let expected = match oracle(&pattern, text) {
            None if number % 3 != 2 && is_mail(text) => {
                mails += 1;
                Some(mailed(text))
            }
            None => DateTime::parse_from_rfc2822(text).ok().map(|time| time.timestamp_millis()),
            known => known,
        };
        let expected = expected.filter(|millis| shown.contains(millis));
        assert_eq!(read(text), expected, "{text}");
        times += usize::from(expected.is_some());
        // chrono agrees on the forms that it supports
        if let Ok(time) = DateTime::parse_from_rfc3339(text) {
            assert!(read(text).is_none_or(|millis| millis == time.timestamp_millis()), "{text}");
        }
    }
    // most were times, and all kinds of text occurred
    assert!((60_000..95_000).contains(&times) && mails > 5_000, "{times} times, {mails} mails");
}

#[test]
fn every_form_of_iso_8601_and_rfc_2822_is_read() {
    const AT: i64 = 981_173_106_000;
    for (text, millis) in [
        ("2001-02-03T04:05:06Z", AT),
        ("20010203T040506Z", AT),
        ("2001-02-03T04:05:06", AT),
        ("2001-02-03t04:05:06z", AT),
        ("2001-02-03 04:05:06 UTC", AT),
        ("2001-02-03T06:05:06+0200", AT),
        ("2001-02-03T06:05:06+02", AT),
        ("2001-02-03T06:05:06+02:00", AT),
        ("2001-02-03T06:05:06 02:00", AT),
        ("2001-02-03 00:35:06 -0330", AT),
        ("2001-034T04:05:06Z", AT),
        ("2001034T040506Z", AT),
        ("2001-W05-6T04:05:06Z", AT),
        ("2001W056T040506Z", AT),
        ("Sat, 3 Feb 2001 06:05:06 +0200", AT),
        ("3 Feb 2001 04:05:06 GMT", AT),
        ("2001-02-03T04:05Z", AT - 6_000),
        ("2001-02-03T04Z", AT - 306_000),
        ("2001-02-03T04:05,1Z", AT),
        ("2001-02-03T04:05:06,5Z", AT + 500),
        ("2001-02-03T04:05:06.7899999Z", AT + 789),
        ("2001-02-03", AT - 14_706_000),
        ("2001-02-02T24:00:00Z", AT - 14_706_000),
        ("2001-02-03T04:04:60Z", AT - 6_000),
    ] {
        assert_eq!(read(text), Some(millis), "{text}");
    }
}

#[test]
fn what_is_no_time_is_none() {
    for text in [
        "",
        "now",
        "2001/02/03 04:05:06",
        "2001-02-30",
        "2001-13-01T00:00:00Z",
        "2001-02-03T25:00Z",
        "2001-02-03T24:00:01Z",
        "2001-02-03T04:60Z",
        "2001-02-03T04:05:61Z",
        "2001-02-03T04:05:06+24:00",
        "2001-02-03T04:05:06+1",
        "2001-02-03T04:05:06.Z",
        "2001-02-03T",
        "2001-02",
        "2001",
        "2001-366",
        "2001-W53-1",
        "2001-W05-8",
        "2001-W05-0",
        "2001-W051",
        "981173106",
        "0000-01-01",
        "0001-01-01T00:00+01",
        "9999-12-31T24:00",
        "+002001-02-03",
        "2001-02-03T04:05:06ZZ",
        "2001-02-03T4:05:06Z",
        "Mon, 3 Feb 2001 04:05:06 GMT",
        "２００１-02-03",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}
