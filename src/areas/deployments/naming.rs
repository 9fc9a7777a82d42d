//! What follows from the name of an environment.

use edgeforge_wire::text::hex;
use serde_json::json;
use sha2::{Digest, Sha256};

/// The slugs that a new environment may have, a JSON list. It gets the first that no other one of the project has.
/// As in GitLab, a slug fits host names and labels: it begins with a letter, has 24 letters, digits and single dashes at
/// most, and does not end with a dash.
pub fn slugs(name: &str) -> String {
    let letters = name.to_lowercase();
    let letters = letters.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
    let begins = letters.clone().next().is_some_and(|letter| letter.is_ascii_lowercase());
    let mut plain = String::new();
    for letter in (if begins { "" } else { "env-" }).chars().chain(letters) {
        if letter != '-' || !plain.ends_with('-') {
            plain.push(letter);
        }
    }
    let fits = plain == name && plain.len() <= LONGEST_SLUG;
    let mut slugs: Vec<String> = fits.then(|| plain.trim_end_matches('-').to_owned()).into_iter().collect();
    plain.truncate(LONGEST_SLUG - 1 - HASH_DIGITS);
    let piece = plain.trim_end_matches('-');
    let mut hash = Sha256::digest(name.as_bytes());
    for _ in 0..3 {
        slugs.push(format!("{piece}-{}", last_digits(&hash)));
        hash = Sha256::digest(hash);
    }
    json!(slugs).to_string()
}

const LONGEST_SLUG: usize = 24;
const HASH_DIGITS: usize = 6;

/// The last six digits of a number to the base of 36.
pub fn last_digits(number: &[u8]) -> String {
    let rest = number.iter().fold(0, |rest, byte| (rest * 256 + u64::from(*byte)) % 36_u64.pow(HASH_DIGITS as u32));
    let digit = |at| char::from_digit((rest / 36_u64.pow(at) % 36) as u32, 36);
    (0..HASH_DIGITS as u32).rev().filter_map(digit).collect()
}

/// The slug of an environment of a version before, of which none is stored: the name if it fits an address, otherwise 17
/// characters of it and a hash.
pub fn old_slug(name: &str) -> String {
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
