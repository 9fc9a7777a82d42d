use super::{Held, Kind, Places};

fn all(places: &Places, kind: Kind, owners: &[(&str, usize)], now: i64) -> Vec<Held> {
    let each = owners.iter().flat_map(|(owner, count)| std::iter::repeat_n(*owner, *count));
    each.map(|owner| places.take(kind, owner, now).unwrap()).collect()
}

#[test]
fn one_person_takes_a_part_of_the_places_of_each_kind() {
    for (kind, own, others) in [(Kind::Files, 4, 4), (Kind::Reads, 3, 1), (Kind::Streams, 3, 1)] {
        let places = Places::default();
        let mut held = all(&places, kind, &[("ann", own)], 0);
        assert!(places.take(kind, "ann", 0).is_none());
        held.extend(all(&places, kind, &[("bob", others)], 0));
        assert!(places.take(kind, "eve", 0).is_none());
        drop(held.remove(0));
        assert!(places.take(kind, "eve", 0).is_some());
    }
}

#[test]
fn kinds_do_not_take_each_others_places() {
    let places = Places::default();
    let _held = all(&places, Kind::Streams, &[("ann", 3), ("bob", 1)], 0);
    assert!(places.take(Kind::Reads, "ann", 0).is_some());
}

#[test]
fn places_that_were_never_released_are_free_after_a_minute() {
    let places = Places::default();
    std::mem::forget(all(&places, Kind::Files, &[("ann", 4)], 0));
    assert!(places.take(Kind::Files, "ann", 60_000).is_none());
    assert!(places.take(Kind::Files, "ann", 60_001).is_some());
}
