use super::*;

#[test]
fn a_walk_is_written_and_read() {
    let walk = Walk {
        waiting: vec![Stop(7, 1_700_000_000, 0), Stop(1 << 52, -5, 3), Stop(1, 1 << 40, 0)],
        shown: vec![Stop(9, 1_600_000_000, 1)],
    };
    let page = Page::from(&crate::http::Request::default(), &crate::params::Params::default()).unwrap();
    assert!(walk.next(&page).is_some());
    let mut bytes = Vec::new();
    for number in [0, -1, 1, 63, 64, -64, -65, EVER, -EVER] {
        write(&mut bytes, number);
    }
    let mut rest = bytes.as_slice();
    let numbers: Vec<i64> = std::iter::from_fn(|| read(&mut rest)).collect();
    assert_eq!(numbers, [0, -1, 1, 63, 64, -64, -65, EVER, -EVER]);
    for junk in ["!", "gICA", "_____________", "BAI"] {
        assert_eq!(Walk::read(junk), None, "{junk}");
    }
}

#[test]
fn of_what_was_shown_only_possible_ancestors_are_kept() {
    let queue = vec![Stop(1, 50, 0), Stop(2, 40, 0), Stop(3, 50, 0), Stop(9, 100, 0), Stop(4, 10, 60)];
    let walk = Walk::after(queue, vec![Stop(9, 100, 0), Stop(8, 70, 0), Stop(7, 69, 0)], 0);
    assert_eq!(walk.waiting, [Stop(1, 50, 0), Stop(3, 50, 0), Stop(2, 40, 0), Stop(4, 10, 60)]);
    assert_eq!(walk.shown, [Stop(7, 69, 0)]);
}
