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
        assert!(slots.take(kind, person("ann"), 0).is_err());
        held.extend(all(&slots, kind, &[("bob", others)], 0));
        assert!(slots.take(kind, person("eve"), 0).is_err());
        drop(held.remove(0));
        assert!(slots.take(kind, person("eve"), 0).is_ok());
    }
}

#[test]
fn kinds_do_not_take_each_others_places() {
    let slots = Slots::default();
    let _held = all(&slots, Kind::Streams, &[("ann", 3), ("bob", 1)], 0);
    assert!(slots.take(Kind::Reads, person("ann"), 0).is_ok());
}

#[test]
fn places_that_were_never_released_are_free_after_a_minute() {
    let slots = Slots::default();
    std::mem::forget(all(&slots, Kind::Reads, &[("ann", 3)], 0));
    assert!(slots.take(Kind::Reads, person("ann"), 60_000).is_err());
    assert!(slots.take(Kind::Reads, person("ann"), 60_001).is_ok());
    // a slow reader takes longer, and each piece that is read renews the place
    let held = all(&slots, Kind::Streams, &[("ann", 3)], 0);
    held.iter().for_each(|place| drop(place.start()));
    held.iter().for_each(|place| assert!(!place.read(1000, 100_000, 100_000)));
    std::mem::forget(held);
    assert!(slots.take(Kind::Streams, person("ann"), 250_000).is_err());
    assert!(slots.take(Kind::Streams, person("ann"), 250_001).is_ok());
}

#[test]
fn each_place_is_free_a_minute_after_it_was_taken_whatever_others_do() {
    let slots = Slots::default();
    let old = all(&slots, Kind::Reads, &[("ann", 2)], 0);
    let _others = all(&slots, Kind::Reads, &[("bob", 2)], 59_000);
    assert!(slots.take(Kind::Reads, person("ann"), 60_000).is_err());
    let _new = all(&slots, Kind::Reads, &[("ann", 2)], 60_001);
    // the end of the old ones makes no room
    drop(old);
    assert!(slots.take(Kind::Reads, person("ann"), 60_001).is_err());
}

#[test]
fn a_file_that_arrives_slowly_keeps_its_place() {
    let slots = Slots::default();
    let held = all(&slots, Kind::Files, &[("ann", 4)], 0);
    for elapsed in [100_000, 200_000, 1_600_000] {
        held.iter().for_each(|place| place.renew(elapsed));
        assert!(slots.take(Kind::Files, person("ann"), elapsed + 150_000).is_err());
    }
    assert!(slots.take(Kind::Files, person("ann"), 1_750_001).is_ok());
    held.iter().for_each(|place| place.renew(1_800_000));
    assert!(slots.take(Kind::Files, person("bob"), 1_750_001).is_ok(), "a place that has ended stays free");
}

#[test]
fn addresses_leave_half_of_the_places_to_people() {
    let slots = Slots::default();
    let address = |name: &str| slots.take(Kind::Reads, Owner::Address(name.to_owned()), 0);
    let held = [address("a"), address("b")];
    assert!(held.iter().all(Result::is_ok) && address("c").is_err());
    assert!(slots.take(Kind::Reads, person("ann"), 0).is_ok());
}

#[test]
fn who_is_refused_reads_whose_places_are_taken() {
    let slots = Slots::default();
    let _held = all(&slots, Kind::Files, &[("ann", 4), ("bob", 4)], 0);
    let refused = |name: &str| slots.take(Kind::Files, person(name), 0).unwrap_err();
    assert_eq!((refused("ann").most, refused("ann").is_own), (4, true));
    assert_eq!((refused("eve").most, refused("eve").is_own), (8, false));
}

#[test]
fn where_somebody_waits_the_slowest_of_the_slow_ends() {
    let slots = Slots::default();
    let held = all(&slots, Kind::Files, &[("ann", 4), ("bob", 4)], 0);
    let started: Vec<_> = held.iter().map(HeldPlace::start).collect();
    // bytes in ten seconds: half a megabyte a second, then less, and the rest are quick
    held[0].count(5_000_000);
    held[1].count(1_000_000);
    held[2..].iter().for_each(|place| place.count(10_000_000));
    let slow = |name: &str, now| slots.take(Kind::Files, person(name), now).unwrap_err().slow;
    assert!(slow("eve", 5000).is_none(), "all are young");
    assert!(slow("ann", 10_000).is_none(), "their own places are taken");
    slow("eve", 10_000).unwrap().abort();
    assert!(held[1].stop() && !held[0].stop() && !held[3].stop());
    // what stopped is not ended: its bytes are there
    assert!(slow("eve", 10_000).is_none());
    drop(started);
}

/// Four streams, three of them ann's, of which those that are named were read or not.
#[test]
fn where_somebody_waits_a_stream_that_nobody_reads_ends() {
    let slots = Slots::default();
    let held = all(&slots, Kind::Streams, &[("ann", 3), ("bob", 1)], 0);
    held.iter().for_each(|place| drop(place.start()));
    let slow = |now| slots.take(Kind::Streams, person("eve"), now).unwrap_err().slow;
    // however long the object store takes: no client was asked to read
    assert!(slow(100_000).is_none());
    // a burst, and then nothing, for as long as counts
    assert!(!held[0].read(9_000_000, 1, 100_000) && !held[0].read(0, 5000, 105_000) && slow(105_000).is_none());
    // slow for long, but not at a stand: 200 bytes a millisecond, 250, and 500
    for (place, bytes) in [(1, 2000), (2, 2500), (3, 5000)] {
        (1..=1000).for_each(|piece| assert!(!held[place].read(bytes, 10, 95_000 + 10 * piece)));
    }
    let end = slow(105_000).unwrap();
    assert!(!held[0].read(0, 5001, 105_001));
    slow(105_001).unwrap().abort();
    assert!(held[0].read(0, 5002, 105_002) && !end.is_aborted(), "the one at a stand ends first");
    let _eve = slots.take(Kind::Streams, person("eve"), 105_002).unwrap();
    let joe = |now| slots.take(Kind::Streams, person("joe"), now);
    joe(105_003).unwrap_err().slow.unwrap().abort();
    assert!(end.is_aborted() && held[1].read(2000, 10, 105_004) && !held[2].read(2500, 10, 105_004));
    let _joe = joe(105_004).unwrap();
    assert!(
        slots.take(Kind::Streams, person("kim"), 105_005).unwrap_err().slow.is_none(),
        "the others are quick enough"
    );
}

#[test]
fn a_place_counts_for_its_person_as_soon_as_the_token_is_known() {
    let slots = Slots::default();
    let fresh = |token: &str| slots.take(Kind::Reads, Owner::Token(token.to_owned()), 0).unwrap();
    let held: Vec<HeldPlace> =
        ["a", "b", "c"].into_iter().map(fresh).inspect(|place| assert!(place.pass_to(person("ann")))).collect();
    assert_eq!(held.len(), 3);
    let fourth = fresh("d");
    assert!(!fourth.pass_to(person("ann")) && fourth.pass_to(person("bob")));
    assert!(slots.take(Kind::Reads, person("ann"), 0).unwrap_err().is_own);
}

#[test]
fn tokens_that_nobody_has_seen_leave_half_of_the_places_to_people() {
    let slots = Slots::default();
    let fresh = |token: &str| slots.take(Kind::Reads, Owner::Token(token.to_owned()), 0);
    let held = [fresh("a"), fresh("b")];
    assert!(held.iter().all(Result::is_ok) && fresh("c").is_err());
    assert!(slots.take(Kind::Reads, person("ann"), 0).is_ok());
}

#[test]
fn who_has_more_places_than_another_ends_none_of_theirs() {
    let slots = Slots::default();
    let held = all(&slots, Kind::Files, &[("ann", 4), ("bob", 3), ("eve", 1)], 0);
    let _started: Vec<_> = held.iter().map(HeldPlace::start).collect();
    held[..7].iter().for_each(|place| place.count(10_000_000));
    assert!(slots.take(Kind::Files, person("bob"), 10_000).unwrap_err().slow.is_none());
    assert!(slots.take(Kind::Files, person("joe"), 10_000).unwrap_err().slow.is_some());
}

#[test]
fn a_place_that_is_ended_is_free_before_its_request_has_left() {
    let slots = Slots::default();
    let held = all(&slots, Kind::Files, &[("ann", 4), ("bob", 4)], 0);
    let _started: Vec<_> = held.iter().map(HeldPlace::start).collect();
    slots.take(Kind::Files, person("eve"), 10_000).unwrap_err().slow.unwrap().abort();
    assert!(slots.take(Kind::Files, person("eve"), 10_000).is_ok());
}
