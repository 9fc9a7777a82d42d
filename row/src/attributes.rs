//! Reads the list in the parentheses of `#[param(..)]` and `#[row(..)]`.

#[derive(Debug, Default, PartialEq)]
pub struct Attributes {
    pub default: bool,
    pub flatten: bool,
    pub skip: bool,
    pub rename: Option<String>,
    pub rename_all: Option<Case>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Case {
    Lower,
    Snake,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Word {
    Default,
    Flatten,
    Rename,
    RenameAll,
    Skip,
}

impl Word {
    fn written(self) -> &'static str {
        match self {
            Word::Default => "`default`",
            Word::Flatten => "`flatten`",
            Word::Rename => "`rename = \"name\"`",
            Word::RenameAll => "`rename_all = \"lowercase\"` or `rename_all = \"snake_case\"`",
            Word::Skip => "`skip`",
        }
    }
}

impl Attributes {
    /// Adds the attributes in `text`. `known`: the words allowed at this place.
    pub fn add(&mut self, text: &str, known: &[Word]) -> Result<(), String> {
        for item in items(text) {
            let word = self.set(item).filter(|word| known.contains(word));
            word.ok_or_else(|| format!("unknown: `{item}`; {}", known_here(known)))?;
        }
        if (self.skip || self.flatten) && *self != Attributes::alone(self.skip) {
            return Err("`skip` and `flatten` stand alone".to_owned());
        }
        Ok(())
    }

    fn alone(skip: bool) -> Attributes {
        Attributes { skip, flatten: !skip, ..Attributes::default() }
    }

    /// None if the item is unknown or a repetition.
    fn set(&mut self, item: &str) -> Option<Word> {
        let (key, value) = match item.split_once('=') {
            Some((key, value)) => (key.trim(), Some(quoted(value.trim())?)),
            None => (item, None),
        };
        let (word, is_new) = match (key, value) {
            ("default", None) => (Word::Default, !std::mem::replace(&mut self.default, true)),
            ("flatten", None) => (Word::Flatten, !std::mem::replace(&mut self.flatten, true)),
            ("skip", None) => (Word::Skip, !std::mem::replace(&mut self.skip, true)),
            ("rename", Some(name)) => (Word::Rename, self.rename.replace(name.to_owned()).is_none()),
            ("rename_all", Some("lowercase")) => {
                (Word::RenameAll, self.rename_all.replace(Case::Lower).is_none())
            }
            ("rename_all", Some("snake_case")) => {
                (Word::RenameAll, self.rename_all.replace(Case::Snake).is_none())
            }
            _ => return None,
        };
        is_new.then_some(word)
    }
}

pub fn known_here(known: &[Word]) -> String {
    let words: Vec<&str> = known.iter().map(|word| word.written()).collect();
    match words.as_slice() {
        [] => "no attribute is known here".to_owned(),
        words => format!("known here, each once: {}", words.join(", ")),
    }
}

/// Splits a list at the commas outside of quotes. The last item may have a comma.
fn items(text: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let at_comma = |letter: char| {
        is_quoted ^= letter == '"';
        letter == ',' && !is_quoted
    };
    let mut items: Vec<&str> = text.split(at_comma).map(str::trim).collect();
    if items.len() > 1 && items.last() == Some(&"") {
        items.pop();
    }
    items
}

/// The text between quotes. Escapes are not supported.
fn quoted(value: &str) -> Option<&str> {
    let name = value.strip_prefix('"')?.strip_suffix('"')?;
    (!name.is_empty() && !name.contains(['"', '\\'])).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELD: [Word; 3] = [Word::Default, Word::Rename, Word::Skip];
    const ENUM: [Word; 1] = [Word::RenameAll];

    fn read(text: &str, known: &[Word]) -> Result<Attributes, String> {
        let mut attributes = Attributes::default();
        attributes.add(text, known).map(|()| attributes)
    }

    fn named(name: &str) -> Attributes {
        Attributes { rename: Some(name.to_owned()), ..Attributes::default() }
    }

    #[test]
    fn a_list_of_known_words_is_read() {
        let default = Attributes { default: true, ..Attributes::default() };
        assert_eq!(read("default", &FIELD), Ok(default));
        assert_eq!(read(" skip ,", &FIELD), Ok(Attributes::alone(true)));
        assert_eq!(read("flatten", &[Word::Flatten]), Ok(Attributes::alone(false)));
        let both = Attributes { default: true, ..named("ref") };
        assert_eq!(read("default, rename = \"ref\"", &FIELD), Ok(both));
        for (text, case) in [("lowercase", Case::Lower), ("snake_case", Case::Snake)] {
            let cased = Attributes { rename_all: Some(case), ..Attributes::default() };
            assert_eq!(read(&format!("rename_all=\"{text}\""), &ENUM), Ok(cased));
        }
    }

    #[test]
    fn a_name_may_hold_words_and_commas() {
        for name in ["default_branch", "skip", "not[labels]", "a,b", "a=b"] {
            assert_eq!(read(&format!("rename = \"{name}\""), &FIELD), Ok(named(name)), "{name}");
        }
    }

    #[test]
    fn two_attributes_add_up() {
        let mut attributes = named("a");
        assert_eq!(attributes.add("default", &FIELD), Ok(()));
        assert_eq!(attributes, Attributes { default: true, ..named("a") });
        assert!(attributes.add("rename = \"b\"", &FIELD).is_err());
    }

    #[test]
    fn anything_else_is_refused() {
        for said in [
            "",
            "alias = \"a\"",
            "with = \"a\"",
            "defaults",
            "default = \"a\"",
            "default(a)",
            "rename",
            "rename = a",
            "rename = \"\"",
            "rename = r\"a\"",
            "rename = \"a\\\"b\"",
            "rename_all = \"kebab-case\"",
            "skip_serializing",
        ] {
            let refused = format!("unknown: `{said}`; {}", known_here(&FIELD));
            assert_eq!(read(said, &FIELD), Err(refused));
        }
        assert!(read("default,,skip", &FIELD).is_err());
        assert!(read("default, default", &FIELD).is_err());
        assert_eq!(read("skip, default", &FIELD), Err("`skip` and `flatten` stand alone".to_owned()));
    }

    #[test]
    fn each_place_has_its_own_words() {
        let refused = "unknown: `skip`; known here, each once: `rename_all = \"lowercase\"` or \
            `rename_all = \"snake_case\"`";
        assert_eq!(read("skip", &ENUM), Err(refused.to_owned()));
        assert_eq!(read("default", &[]), Err("unknown: `default`; no attribute is known here".to_owned()));
        assert_eq!(
            read("flatten", &FIELD),
            Err("unknown: `flatten`; known here, each once: `default`, `rename = \"name\"`, `skip`"
                .to_owned())
        );
    }
}
