use super::super::slots::Owner::{Address, Person};
use super::{Bodies, Room};

const ROOMS: [Room; 5] = [
    Room::Pushes,
    Room::Parameters { is_known: true },
    Room::Parameters { is_known: false },
    Room::Short { is_known: true },
    Room::Short { is_known: false },
];

/// Does not compile with another room, until that is in ROOMS.
const _: fn(Room) = |room| match room {
    Room::Pushes | Room::Parameters { .. } | Room::Short { .. } => (),
};

/// Begins a body of which so many bytes arrive at once.
fn arrived(bodies: &mut Bodies, room: Room, id: i64, bytes: usize, now: i64) -> u64 {
    let (number, _) = bodies.begin(room, Person(id), now);
    assert_eq!(bodies.add(number, bytes, now).len(), 0);
    number
}

fn is_there(bodies: &Bodies, number: u64) -> bool {
    bodies.held.get(&number).is_some_and(|body| !body.is_ended)
}

#[test]
fn a_body_counts_what_has_arrived_of_it() {
    for room in ROOMS {
        let mut bodies = Bodies::default();
        let begun: Vec<u64> = (0..1000).map(|id| bodies.begin(room, Person(id), 0).0).collect();
        begun.iter().for_each(|number| assert!(bodies.add(*number, 10, 0).is_empty()));
        let number = arrived(&mut bodies, room, 1, 1 << 20, 60_000);
        assert!(is_there(&bodies, number) && begun.iter().all(|number| is_there(&bodies, *number)), "{room:?}");
    }
}

#[test]
fn in_a_full_room_the_body_ends_that_has_held_most_for_longest() {
    for room in ROOMS {
        let ((all, of_one), mut bodies) = (room.most(), Bodies::default());
        let stalled = arrived(&mut bodies, room, 1, of_one, 0);
        let quick = arrived(&mut bodies, room, 2, all - of_one, 9000);
        let (next, _) = bodies.begin(room, Person(3), 9001);
        assert_eq!(bodies.add(next, 1, 9001).len(), 1);
        assert_eq!([stalled, quick, next].map(|number| is_there(&bodies, number)), [false, true, true], "{room:?}");
        // who comes next has their room
        arrived(&mut bodies, room, 4, of_one - 1, 9002);
    }
}

#[test]
fn a_person_with_too_many_bytes_ends_bodies_of_their_own() {
    for room in ROOMS {
        let ((all, of_one), mut bodies) = (room.most(), Bodies::default());
        let other = arrived(&mut bodies, room, 1, all - of_one, 0);
        let own = arrived(&mut bodies, room, 2, of_one, 5000);
        let (next, _) = bodies.begin(room, Person(2), 6000);
        assert_eq!(bodies.add(next, 1, 6000).len(), 1);
        assert_eq!([other, own, next].map(|number| is_there(&bodies, number)), [true, false, true], "{room:?}");
    }
}

#[test]
fn a_body_that_is_whole_is_never_ended() {
    for room in ROOMS {
        let ((all, of_one), mut bodies) = (room.most(), Bodies::default());
        let whole = [arrived(&mut bodies, room, 1, of_one, 0), arrived(&mut bodies, room, 2, all - of_one, 0)];
        whole.iter().for_each(|number| bodies.is_whole(*number));
        let (next, _) = bodies.begin(room, Person(3), 9000);
        let ended = bodies.add(next, 1, 9000);
        assert!(ended.len() == 1 && !is_there(&bodies, next) && whole.iter().all(|one| is_there(&bodies, *one)));
        bodies.release(whole[1]);
        arrived(&mut bodies, room, 3, all - of_one, 9000);
    }
}

#[test]
fn strangers_take_no_room_of_tokens_that_were_valid_lately() {
    let mut bodies = Bodies::default();
    let known = arrived(&mut bodies, Room::Parameters { is_known: true }, 1, 4 << 20, 0);
    for id in 0..50 {
        let (number, _) = bodies.begin(Room::Parameters { is_known: false }, Address(id.to_string()), 90_000);
        bodies.add(number, 1 << 20, 90_000);
    }
    assert!(is_there(&bodies, known));
    assert_eq!(bodies.held.keys().filter(|number| is_there(&bodies, **number)).count(), 5);
}

#[test]
fn a_body_that_never_ended_is_forgotten_by_its_own_time() {
    let mut bodies = Bodies::default();
    let first = arrived(&mut bodies, Room::Pushes, 1, 1, 0);
    let second = arrived(&mut bodies, Room::Pushes, 2, 1, 100_000);
    bodies.begin(Room::Pushes, Person(3), 200_000);
    assert!(is_there(&bodies, first));
    bodies.begin(Room::Pushes, Person(3), 200_001);
    assert_eq!([first, second].map(|number| is_there(&bodies, number)), [false, true]);
}

#[test]
fn bodies_that_are_to_end_count_until_they_have_left() {
    let mut bodies = Bodies::default();
    let room = Room::Parameters { is_known: false };
    let numbers: Vec<u64> = (0..40).map(|since| bodies.begin(room, Person(1), since).0).collect();
    numbers.iter().for_each(|number| drop(bodies.add(*number, 1 << 20, 1000)));
    // a person has at most twice their share with those, and the bodies beyond end at once
    let there: Vec<u64> = numbers.iter().copied().filter(|number| is_there(&bodies, *number)).collect();
    assert!(there.len() <= 3 && there.iter().all(|number| *number <= numbers[6]), "{there:?}");
    // which keeps nobody else out
    let other = arrived(&mut bodies, room, 2, 1 << 20, 2000);
    assert!(is_there(&bodies, other));
    numbers.iter().for_each(|number| bodies.release(*number));
    arrived(&mut bodies, room, 1, 1 << 20, 2000);
}
