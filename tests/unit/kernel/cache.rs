use super::*;

#[test]
fn a_text_is_fresh_for_a_while_and_then_only_better_than_none() {
    let mut cache = Cache::default();
    cache.put("a", Some("text".into()), 1_000);
    assert_eq!(cache.fresh("a", 1_000 + AGE - 1).as_deref(), Some("text"));
    assert_eq!(cache.fresh("a", 1_000 + AGE), None);
    assert_eq!(cache.fresh("a", 999), None, "a clock that was set back ages everything");
    assert_eq!(cache.any("a").as_deref(), Some("text"));
    cache.put("a", Some("new".into()), 40_000);
    assert_eq!(cache.fresh("a", 40_000).as_deref(), Some("new"));
    cache.put("a", None, 50_000);
    assert_eq!(cache.any("a"), None);
}

#[test]
fn the_room_is_bounded() {
    let mut cache = Cache::default();
    let text: Rc<str> = "x".repeat(ROOM / 4).into();
    for key in 0..100 {
        cache.put(&key.to_string(), Some(text.clone()), 0);
        assert!(cache.texts.values().map(|(text, _)| text.len()).sum::<usize>() <= ROOM);
        assert!(cache.fresh(&key.to_string(), 0).is_some());
    }
    cache.put("long", Some("x".repeat(ROOM + 1).into()), 0);
    assert_eq!(cache.fresh("long", 0), None);
    assert_eq!(cache.bytes, 0);
}
