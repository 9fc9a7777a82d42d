//! Texts that are kept in the repository and compared.

use std::path::Path;

/// How a text differs from the file `path`, which `UPDATE_SNAPSHOTS=1` writes first: the first lines (new, old) that are
/// not the same. None if it does not differ.
pub fn difference(path: impl AsRef<Path>, text: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var("UPDATE_SNAPSHOTS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let first = || text.lines().zip(known.lines()).find(|(new, old)| new != old);
    (text != known).then(|| format!("first (new, old) at {:#?}", first()))
}
