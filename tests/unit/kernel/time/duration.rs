use super::{read, write};

#[test]
fn durations_are_read_in_all_units_with_decimals_and_words() {
    let known = [
        ("1mo 2w 3d 4h 5m 6s", 576_000 + 288_000 + 86_400 + 14_400 + 300 + 6),
        ("3h", 10_800),
        ("3 hours", 10_800),
        ("1.5h", 5400),
        ("2", 7200),
        ("0.5", 1800),
        ("1h30m", 5400),
        ("1 hour and 20 minutes", 4800),
        ("1d, 2h", 36_000),
        ("-30m", -1800),
        (" 1W ", 144_000),
        ("0", 0),
        ("0.000001s", 0),
    ];
    for (text, seconds) in known {
        assert_eq!(read(text), Some(seconds), "{text}");
    }
}

#[test]
fn other_texts_are_no_durations() {
    let long = "1h ".repeat(200);
    let texts = [
        "",
        " ",
        "-",
        "h",
        "1x",
        "three hours",
        "1..5h",
        ".",
        "--1h",
        "1h -2m",
        "1é",
        "9999999999h",
        "1.1234567h",
        "+1h",
        "0,25h",
        "1,500h",
        "1 , 5h",
        ",25h",
        &long,
    ];
    for text in texts {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn durations_are_written_with_the_longest_units_first() {
    let known = [
        (10_800, "3h"),
        (288_000 + 2 * 28_800 + 12_600, "2w 2d 3h 30m"),
        (576_000 + 6, "1mo 6s"),
        (28_800, "1d"),
        (144_000, "1w"),
        (59, "59s"),
    ];
    for (seconds, text) in known {
        assert_eq!((write(seconds).as_str(), read(text)), (text, Some(seconds)));
    }
}
