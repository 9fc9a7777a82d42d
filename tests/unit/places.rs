use super::Places;

#[test]
fn one_person_takes_half_of_the_places() {
    let mut places = Places::default();
    assert!((0..4).all(|_| places.take(1, 0)));
    assert!(!places.take(1, 0));
    assert!((0..4).all(|_| places.take(2, 0)));
    assert!(!places.take(3, 0));
    places.release(1);
    assert!(places.take(3, 0) && !places.take(1, 0));
}

#[test]
fn places_that_were_never_released_are_free_after_a_minute() {
    let mut places = Places::default();
    assert!((0..4).all(|_| places.take(1, 0)));
    assert!(!places.take(1, 60_000));
    assert!(places.take(1, 60_001));
}
