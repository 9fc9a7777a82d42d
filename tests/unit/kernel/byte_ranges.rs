use super::*;

#[test]
fn one_range_is_a_part_and_several_are_the_whole() {
    let part = |skip, length| Some(Some(Span { skip, length }));
    assert_eq!(span("bytes=0-", 10), part(0, 10));
    assert_eq!(span("bytes=2-4", 10), part(2, 3));
    assert_eq!(span("bytes=9-99", 10), part(9, 1));
    assert_eq!(span("bytes=-3", 10), part(7, 3));
    assert_eq!(span("bytes=-99", 10), part(0, 10));
    assert_eq!(span("Bytes=2-4", 10), part(2, 3));
    assert_eq!(span("bytes=2-99999999999999999999999", 10), part(2, 8));
    for beyond in ["bytes=10-", "bytes=10-12", "bytes=-0", "bytes=99999999999999999999999-"] {
        assert_eq!(span(beyond, 10), Some(None), "{beyond}");
    }
    assert_eq!(span("bytes=0-0", 0), Some(None));
    for other in [
        "bytes=-",
        "bytes=4-2",
        "lines=1-2",
        "bytes=a-b",
        "bytes=0-1,3-4",
        "",
        "bytes=+1-2x",
        "bytes=+0-+1",
        "bytes=-+1",
    ] {
        assert_eq!(span(other, 10), None, "{other}");
    }
}
