//! The one way to make a statement's text at run time: of a text with named places and what stands there.

/// The text with each `{name}` replaced by the part of that name, in which names are replaced, too. A name that no part has
/// stays, and is no SQL.
pub fn fill(text: &str, parts: &[(&str, &str)]) -> String {
    let (mut filled, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let named = behind.split_once('}').and_then(|(name, behind)| {
            let (_, part) = parts.iter().find(|(known, _)| *known == name)?;
            Some((fill(part, parts), behind))
        });
        if let Some((part, behind)) = named {
            filled.push_str(&part);
            rest = behind;
        } else {
            filled.push('{');
            rest = behind;
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn every_named_place_gets_its_part_and_the_places_of_that_part_theirs() {
        let parts = [("table", "heads"), ("range", "from {table} y"), ("sort", "desc")];
        assert_eq!(
            fill("select y.id {range} order by y.id {sort}, {sort}", &parts),
            "select y.id from heads y order by y.id desc, desc"
        );
    }

    #[test]
    fn what_is_no_named_place_stays() {
        for text in ["", "a {", "a } b", "{}", "{unknown} b", "'%{milestone}'"] {
            assert_eq!(fill(text, &[("b", "c")]), text);
        }
    }
}
