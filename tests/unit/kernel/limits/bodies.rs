use super::super::slots::Owner::Person;
use super::{Bodies, PUSHES, UNREAD};

#[test]
fn three_pushes_are_read_at_once_two_of_one_person_and_a_long_one_alone() {
    let mut bodies = Bodies::default();
    let taken: Vec<u64> = [1, 1, 2].iter().filter_map(|id| bodies.take(PUSHES, Person(*id), UNREAD, 0)).collect();
    assert_eq!(taken.len(), 3);
    assert!((1..4).all(|id| bodies.take(PUSHES, Person(id), UNREAD, 0).is_none()));
    taken.into_iter().for_each(|number| bodies.release(number));
    let long = bodies.take(PUSHES, Person(1), 8 << 20, 0).unwrap();
    assert!(bodies.take(PUSHES, Person(1), 1, 0).is_none());
    assert!(bodies.take(PUSHES, Person(2), UNREAD, 0).is_some() && bodies.take(PUSHES, Person(3), 1, 0).is_none());
    bodies.release(long);
    assert!(bodies.take(PUSHES, Person(1), 1 << 20, 0).is_some());
}

#[test]
fn a_push_that_never_ended_is_forgotten_by_its_own_time() {
    let mut bodies = Bodies::default();
    assert!(
        bodies.take(PUSHES, Person(1), UNREAD, 0).is_some()
            && bodies.take(PUSHES, Person(2), UNREAD, 100_000).is_some()
    );
    assert!(bodies.take(PUSHES, Person(1), 6 << 20, 200_000).is_none());
    assert!(bodies.take(PUSHES, Person(1), 6 << 20, 200_001).is_some());
    assert!(bodies.take(PUSHES, Person(3), UNREAD, 300_000).is_none());
    assert!(bodies.take(PUSHES, Person(3), UNREAD, 300_001).is_some());
}
