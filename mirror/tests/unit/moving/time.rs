use super::*;

#[test]
fn times_of_all_forms_are_read() {
    let same = ["2016-08-11T09:36:01.123+02:00", "2016-08-11 07:36:01.123 UTC", "2016-08-11T07:36:01.123456Z"];
    assert!(same.iter().all(|text| millis(text) == Some(1_470_900_961_123)), "{same:?}");
    assert_eq!(millis("2016-08-11"), Some(1_470_873_600_000));
    assert_eq!(millis("1969-12-31T23:59:59.5Z"), Some(-500));
    assert_eq!(millis("2000-02-29T05:45:00+0545"), Some(951_782_400_000));
    for wrong in ["", "yesterday", "2016-13-01T00:00:00Z", "2016-08-11T99:00:00Z", "2016-08-11T00:00:00X", "é"] {
        assert_eq!(millis(wrong), None, "{wrong}");
    }
}

#[test]
fn what_is_shown_is_read() {
    for time in [0, -500, 1_470_900_961_123, 4_102_444_800_000] {
        assert_eq!(millis(&shown(time)), Some(time));
    }
    assert_eq!(shown(1_470_900_961_123), "2016-08-11T07:36:01.123Z");
}
