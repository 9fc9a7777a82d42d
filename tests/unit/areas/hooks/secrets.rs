use super::*;

#[test]
fn a_secret_opens_with_its_key_and_for_its_use_alone() {
    let sealer = Sealer { secret: [7; 32], random: [1; 16] };
    let sealed = sealer.seal("token", "swordfish").unwrap();
    assert!(!sealed.contains("swordfish"));
    assert_eq!(open(&[7; 32], "token", &sealed).as_deref(), Some("swordfish"));
    assert_eq!(open(&[8; 32], "token", &sealed), None);
    assert_eq!(open(&[7; 32], "signing_token", &sealed), None);
    assert_eq!(open(&[7; 32], "token", "AAAA"), None);
    let later = Sealer { secret: [7; 32], random: [2; 16] };
    assert_ne!(later.seal("token", "swordfish").unwrap(), sealed);
}
