//! The form of a domain.

/// `*` stands for any text.
pub fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        let known = |letter: char| letter.is_alphanumeric() || "-_*".contains(letter);
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(known)
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/settings/forms.rs"]
mod tests;
