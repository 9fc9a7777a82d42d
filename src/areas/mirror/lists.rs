use serde::Serialize;

/// JSON arrays of the items, each below the 2 MB of a bind in D1: even the longest item is shorter, a message of 900 kB
/// with four names. The limit of items keeps a statement below 10,000 rows.
pub fn lists(items: impl IntoIterator<Item = impl Serialize>) -> Vec<String> {
    const MOST_ITEMS: usize = 1500;
    const MOST_BYTES: usize = 600_000;
    let (mut lists, mut count): (Vec<String>, usize) = (Vec::new(), 0);
    for item in items {
        // texts and numbers can always be serialized
        let item = serde_json::to_string(&item).unwrap_or_default();
        match lists.last_mut() {
            Some(list) if list.len() + item.len() < MOST_BYTES && count < MOST_ITEMS => {
                count += 1;
                list.push(',');
                list.push_str(&item);
            }
            _ => {
                count = 1;
                lists.push(format!("[{item}"));
            }
        }
    }
    lists.iter_mut().for_each(|list| list.push(']'));
    lists
}
