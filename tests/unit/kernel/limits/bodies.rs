use super::{Bodies, UNREAD};

#[test]
fn three_pushes_are_read_at_once_and_a_long_one_alone() {
    let mut bodies = Bodies::default();
    assert!((0..3).all(|_| bodies.take(UNREAD, 0)));
    assert!(!bodies.take(UNREAD, 0));
    (0..3).for_each(|_| bodies.release(UNREAD));
    assert!(bodies.take(8 << 20, 0) && bodies.take(UNREAD, 0));
    assert!(!bodies.take(1, 0));
    bodies.release(UNREAD);
    assert!(bodies.take(1 << 20, 0));
}

#[test]
fn a_push_that_never_ended_is_forgotten_after_a_minute() {
    let mut bodies = Bodies::default();
    assert!((0..3).all(|_| bodies.take(UNREAD, 0)));
    assert!(!bodies.take(UNREAD, 60_000));
    assert!(bodies.take(UNREAD, 60_001));
}
