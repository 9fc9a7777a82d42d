use super::*;

#[test]
fn a_walk_is_written_and_read() {
    let walk = Walk { waiting: vec![7, 1 << 52, 1], greatest: 1 << 40, shown: vec![(9, 1_600_000_001), (8, -5)] };
    let page = Page::from(
        &crate::kernel::http::Request::default(),
        &crate::kernel::route::Route::NONE,
        &crate::kernel::params::Params::default(),
    )
    .unwrap();
    let cursor = walk.next(&page).unwrap();
    let parts = BASE64_URL_SAFE_NO_PAD.decode(cursor).unwrap();
    let parts: serde_json::Value = serde_json::from_slice(&parts).unwrap();
    assert_eq!(Walk::read(parts[3].as_str().unwrap()), Some(walk));
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
    let walk = Walk::after(queue, vec![(9, 100), (8, 70), (7, 69)], 0);
    assert_eq!(walk, Walk { waiting: vec![1, 3, 2, 4], greatest: 70, shown: vec![(7, 69)] });
}
