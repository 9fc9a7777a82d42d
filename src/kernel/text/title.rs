//! The title of a commit, which answers and the bodies of hooks share.

pub fn title(message: &str) -> String {
    // git takes only these for blank; a title may end in another space character
    let blank = |letter: char| matches!(letter, ' ' | '\t' | '\n' | '\r');
    let mut lines = message.split('\n').map(|line| line.trim_end_matches(blank));
    match lines.find(|line| !line.is_empty()).unwrap_or_default() {
        "" => "--no commit message".to_owned(),
        line if line.chars().count() > 100 => line.chars().take(80).chain(['…']).collect(),
        line => line.to_owned(),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/text/title.rs"]
mod tests;
