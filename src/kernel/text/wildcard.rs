/// Whether the pattern is the whole text. `*` stands for any number of characters.
pub fn fits(pattern: &str, text: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return pattern == text };
    let Some(rest) = text.strip_prefix(head) else { return false };
    let mut middles: Vec<&str> = tail.split('*').collect();
    let last = middles.pop().unwrap_or_default();
    let Some(mut rest) = rest.strip_suffix(last) else { return false };
    middles.iter().all(|middle| match rest.split_once(middle) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/text/wildcard.rs"]
mod tests;
