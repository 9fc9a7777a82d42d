use super::*;

#[test]
fn a_number_has_a_comma_behind_each_thousand_and_a_time_its_unit() {
    assert_eq!([0, 61_000, 1_234_567].map(thousands), ["0", "61,000", "1,234,567"]);
    assert_eq!([40.0, 840.0].map(rough), ["40 s", "14 min"]);
}
