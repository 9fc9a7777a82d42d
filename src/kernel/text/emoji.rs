//! One name of each emoji (behaviour 6.10).

/// The usual aliases of GitLab's list, and the name that it stores.
const ALIASES: [(&str, &str); 30] = [
    ("+1", "thumbsup"),
    ("-1", "thumbsdown"),
    ("anguished", "frowning"),
    ("archery", "bow_and_arrow"),
    ("back_of_hand", "raised_back_of_hand"),
    ("clown_face", "clown"),
    ("drool", "drooling_face"),
    ("email", "e-mail"),
    ("face_with_rolling_eyes", "rolling_eyes"),
    ("face_with_thermometer", "thermometer_face"),
    ("facepalm", "face_palm"),
    ("flame", "fire"),
    ("hammer_and_wrench", "tools"),
    ("hankey", "poop"),
    ("hugging_face", "hugging"),
    ("memo", "pencil"),
    ("money_mouth_face", "money_mouth"),
    ("nerd_face", "nerd"),
    ("poo", "poop"),
    ("robot_face", "robot"),
    ("rolling_on_the_floor_laughing", "rofl"),
    ("satisfied", "laughing"),
    ("shaking_hands", "handshake"),
    ("shit", "poop"),
    ("sick", "nauseated_face"),
    ("slightly_frowning_face", "slight_frown"),
    ("slightly_smiling_face", "slight_smile"),
    ("thinking_face", "thinking"),
    ("unicorn_face", "unicorn"),
    ("upside_down_face", "upside_down"),
];

/// The name under which an emoji is stored. A skin tone stays: `+1_tone2` is `thumbsup_tone2`.
pub fn stored_name(name: &str) -> String {
    let (plain, tone) = name.split_at(name.find("_tone").unwrap_or(name.len()));
    let known = ALIASES.iter().find(|(alias, _)| *alias == plain);
    known.map_or_else(|| name.to_owned(), |(_, stored)| format!("{stored}{tone}"))
}
