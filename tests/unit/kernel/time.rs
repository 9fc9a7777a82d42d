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
