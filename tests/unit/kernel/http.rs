use super::*;

#[test]
fn what_is_unpacked_before_a_short_part_makes_its_stream_long() {
    let reply = |skipped, length| Reply { stream: Some((Stream(Rc::new(())), length)), skipped, ..Reply::default() };
    assert!(!reply(0, 1 << 20).is_long() && reply(0, (1 << 20) + 1).is_long());
    assert!(!reply((1 << 20) - 1, 1).is_long() && reply(1 << 20, 1).is_long());
    assert!(!Reply { skipped: 1 << 30, ..Reply::default() }.is_long());
}
