use super::{HeldPlace, Kind, Owner, Slots};

fn person(name: &str) -> Owner {
    Owner::Person(name.bytes().map(i64::from).sum())
}

fn all(slots: &Slots, kind: Kind, owners: &[(&str, usize)], now: i64) -> Vec<HeldPlace> {
    let each = owners.iter().flat_map(|(owner, count)| std::iter::repeat_n(*owner, *count));
    each.map(|owner| slots.take(kind, person(owner), now).unwrap()).collect()
}

#[test]
fn one_person_takes_a_part_of_the_places_of_each_kind() {
    for (kind, own, others) in [(Kind::Files, 4, 4), (Kind::Reads, 3, 1), (Kind::Streams, 3, 1)] {
        let slots = Slots::default();
        let mut held = all(&slots, kind, &[("ann", own)], 0);
        assert!(slots.take(kind, person("ann"), 0).is_none());
        held.extend(all(&slots, kind, &[("bob", others)], 0));
        assert!(slots.take(kind, person("eve"), 0).is_none());
        drop(held.remove(0));
        assert!(slots.take(kind, person("eve"), 0).is_some());
    }
}

#[test]
fn kinds_do_not_take_each_others_places() {
    let slots = Slots::default();
    let _held = all(&slots, Kind::Streams, &[("ann", 3), ("bob", 1)], 0);
    assert!(slots.take(Kind::Reads, person("ann"), 0).is_some());
}

#[test]
fn places_that_were_never_released_are_free_after_a_minute() {
    let slots = Slots::default();
    std::mem::forget(all(&slots, Kind::Reads, &[("ann", 3)], 0));
    assert!(slots.take(Kind::Reads, person("ann"), 60_000).is_none());
    assert!(slots.take(Kind::Reads, person("ann"), 60_001).is_some());
    // a slow reader takes longer
    std::mem::forget(all(&slots, Kind::Streams, &[("ann", 3)], 0));
    assert!(slots.take(Kind::Streams, person("ann"), 600_000).is_none());
    assert!(slots.take(Kind::Streams, person("ann"), 600_001).is_some());
}

#[test]
fn each_place_is_free_a_minute_after_it_was_taken_whatever_others_do() {
    let slots = Slots::default();
    let old = all(&slots, Kind::Reads, &[("ann", 2)], 0);
    let _others = all(&slots, Kind::Reads, &[("bob", 2)], 59_000);
    assert!(slots.take(Kind::Reads, person("ann"), 60_000).is_none());
    let _new = all(&slots, Kind::Reads, &[("ann", 2)], 60_001);
    // the end of the old ones makes no room
    drop(old);
    assert!(slots.take(Kind::Reads, person("ann"), 60_001).is_none());
}

#[test]
fn a_file_that_arrives_slowly_keeps_its_place() {
    let slots = Slots::default();
    let held = all(&slots, Kind::Files, &[("ann", 4)], 0);
    for elapsed in [100_000, 200_000, 1_600_000] {
        held.iter().for_each(|place| place.renew(elapsed));
        assert!(slots.take(Kind::Files, person("ann"), elapsed + 150_000).is_none());
    }
    assert!(slots.take(Kind::Files, person("ann"), 1_750_001).is_some());
    held.iter().for_each(|place| place.renew(1_800_000));
    assert!(slots.take(Kind::Files, person("bob"), 1_750_001).is_some(), "a place that has ended stays free");
}

#[test]
fn addresses_leave_half_of_the_places_to_people() {
    let slots = Slots::default();
    let address = |name: &str| slots.take(Kind::Reads, Owner::Address(name.to_owned()), 0);
    let held = [address("a"), address("b")];
    assert!(held.iter().all(Option::is_some) && address("c").is_none());
    assert!(slots.take(Kind::Reads, person("ann"), 0).is_some());
}
