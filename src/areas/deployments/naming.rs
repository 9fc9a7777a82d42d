//! What follows from the name of an environment.

use edgeforge_wire::text::hex;
use sha2::{Digest, Sha256};

/// The name if it fits an address, otherwise 17 characters of it and a hash.
pub fn slug(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    if begins && name.len() <= 24 && name.bytes().all(plain) {
        return name.to_owned();
    }
    let letters = name.chars().map(|letter| letter.to_ascii_lowercase());
    let kept = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let piece: String = letters.map(|letter| if kept(letter) { letter } else { '-' }).take(17).collect();
    let mut hash = hex(&Sha256::digest(name.as_bytes()));
    hash.truncate(6);
    format!("{piece}-{hash}")
}

/// The first tier with a word that the name contains
/// (<https://docs.gitlab.com/ci/environments/#deployment-tier-of-environments>).
pub fn tier(name: &str) -> &'static str {
    const TIERS: [(&str, &[&str]); 4] = [
        ("development", &["dev", "review", "trunk"]),
        ("testing", &["test", "tst", "int", "accept", "acpt", "qa", "qc", "control", "quality"]),
        ("staging", &["stag", "stg", "model", "modl", "pre", "demo", "non"]),
        ("production", &["prod", "prd", "live"]),
    ];
    let name = name.to_ascii_lowercase();
    let holds = |words: &&[&str]| words.iter().any(|word| name.contains(word));
    TIERS.iter().find(|(_, words)| holds(words)).map_or("other", |(tier, _)| tier)
}
