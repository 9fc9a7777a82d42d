use super::{Held, Kind, Owner, Places};

fn person(name: &str) -> Owner {
    Owner::Person(name.bytes().map(i64::from).sum())
}

fn all(places: &Places, kind: Kind, owners: &[(&str, usize)], now: i64) -> Vec<Held> {
    let each = owners.iter().flat_map(|(owner, count)| std::iter::repeat_n(*owner, *count));
    each.map(|owner| places.take(kind, person(owner), now).unwrap()).collect()
}

#[test]
fn one_person_takes_a_part_of_the_places_of_each_kind() {
    for (kind, own, others) in [(Kind::Files, 4, 4), (Kind::Reads, 3, 1), (Kind::Streams, 3, 1)] {
        let places = Places::default();
        let mut held = all(&places, kind, &[("ann", own)], 0);
        assert!(places.take(kind, person("ann"), 0).is_none());
        held.extend(all(&places, kind, &[("bob", others)], 0));
        assert!(places.take(kind, person("eve"), 0).is_none());
        drop(held.remove(0));
        assert!(places.take(kind, person("eve"), 0).is_some());
    }
}

#[test]
fn kinds_do_not_take_each_others_places() {
    let places = Places::default();
    let _held = all(&places, Kind::Streams, &[("ann", 3), ("bob", 1)], 0);
    assert!(places.take(Kind::Reads, person("ann"), 0).is_some());
}

#[test]
fn places_that_were_never_released_are_free_after_a_minute() {
    let places = Places::default();
    std::mem::forget(all(&places, Kind::Files, &[("ann", 4)], 0));
    assert!(places.take(Kind::Files, person("ann"), 60_000).is_none());
    assert!(places.take(Kind::Files, person("ann"), 60_001).is_some());
}

#[test]
fn each_place_is_free_a_minute_after_it_was_taken_whatever_others_do() {
    let places = Places::default();
    let old = all(&places, Kind::Files, &[("ann", 4)], 0);
    let _others = all(&places, Kind::Files, &[("bob", 4)], 59_000);
    assert!(places.take(Kind::Files, person("ann"), 60_000).is_none());
    let _new = all(&places, Kind::Files, &[("ann", 4)], 60_001);
    // the end of the old ones makes no room
    drop(old);
    assert!(places.take(Kind::Files, person("ann"), 60_001).is_none());
}

#[test]
fn addresses_leave_half_of_the_places_to_people() {
    let places = Places::default();
    let address = |name: &str| places.take(Kind::Reads, Owner::Address(name.to_owned()), 0);
    let held = [address("a"), address("b")];
    assert!(held.iter().all(Option::is_some) && address("c").is_none());
    assert!(places.take(Kind::Reads, person("ann"), 0).is_some());
}
