use super::*;

#[test]
fn a_number_is_written_as_in_json_or_nearly() {
    let numbers = [
        ("0", 0.0),
        ("87.5", 87.5),
        ("+1.5", 1.5),
        ("-.5", -0.5),
        (".25", 0.25),
        ("007", 7.0),
        ("1e3", 1000.0),
        ("00", 0.0),
        ("-0.0", 0.0),
        ("0e1", 0.0),
        (" 3 ", 3.0),
    ];
    for (text, number) in numbers {
        assert_eq!(real(text), Some(number), "{text}");
    }
    for text in [
        "",
        ".",
        "-",
        "+",
        "--1",
        "-+1",
        "+-1",
        "1.",
        "1.e3",
        "1,5",
        "nan",
        "inf",
        "-infinity",
        "1e400",
        "0x1",
        "1 2",
        "e1",
        "- 1",
        "+ 1",
        "null",
    ] {
        assert_eq!(real(text), None, "{text}");
    }
}

#[test]
fn a_number_is_whole_a_fraction_or_none() {
    for (text, whole) in [
        (" 7 ", Integer::Number(7)),
        ("-0.0", Integer::Number(0)),
        ("1e3", Integer::Number(1000)),
        ("1e300", Integer::Number(i64::MAX)),
        ("1.5", Integer::Fraction),
        ("", Integer::NoNumber),
        ("1,5", Integer::NoNumber),
        ("nan", Integer::NoNumber),
        ("1e999", Integer::NoNumber),
    ] {
        assert_eq!(Integer::from(text), whole, "{text}");
    }
}
