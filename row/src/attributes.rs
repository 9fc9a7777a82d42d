//! The words in the parentheses of `#[row(..)]` and `#[param(..)]`.

use syn::{Attribute, LitStr, Result};

#[derive(Debug, Default, PartialEq)]
pub struct Attributes {
    pub default: bool,
    pub flatten: bool,
    pub json: bool,
    pub long: bool,
    pub skip: bool,
    pub rename: Option<String>,
    pub verbatim: bool,
}

impl Attributes {
    /// Reads the attributes called `name`. `known`: the words allowed at this place, each once.
    pub fn read(attributes: &[Attribute], name: &str, known: &[&str]) -> Result<Attributes> {
        let mut read = Attributes::default();
        let mut seen: Vec<String> = Vec::new();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
            attribute.parse_nested_meta(|meta| {
                let word = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                if !known.contains(&word.as_str()) || seen.contains(&word) {
                    return Err(meta.error(known_here(known)));
                }
                match word.as_str() {
                    "default" => read.default = true,
                    "flatten" => read.flatten = true,
                    "json" => read.json = true,
                    "long" => read.long = true,
                    "skip" => read.skip = true,
                    "verbatim" => read.verbatim = true,
                    _ => read.rename = Some(meta.value()?.parse::<LitStr>()?.value()),
                }
                seen.push(word);
                Ok(())
            })?;
            if (read.skip || read.flatten) && seen.len() > 1 {
                return Err(syn::Error::new_spanned(attribute, "`skip` and `flatten` stand alone"));
            }
        }
        Ok(read)
    }
}

fn known_here(known: &[&str]) -> String {
    match known {
        [] => "no attribute is known here".to_owned(),
        known => format!("known here, each once: {}", known.join(", ")),
    }
}

/// `OneWay` as `one_way`.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    const FIELD: [&str; 4] = ["default", "rename", "skip", "flatten"];

    fn read(attributes: &[Attribute], known: &[&str]) -> std::result::Result<Attributes, String> {
        Attributes::read(attributes, "param", known).map_err(|error| error.to_string())
    }

    #[test]
    fn known_words_are_read_and_two_attributes_add_up() {
        let both = Attributes { default: true, rename: Some("not[labels]".to_owned()), ..Attributes::default() };
        let one: [Attribute; 1] = [parse_quote!(#[param(default, rename = "not[labels]")])];
        let two: [Attribute; 2] = [parse_quote!(#[param(rename = "not[labels]")]), parse_quote!(#[param(default)])];
        assert_eq!(read(&one, &FIELD).as_ref(), Ok(&both));
        assert_eq!(read(&two, &FIELD).as_ref(), Ok(&both));
        let other: [Attribute; 1] = [parse_quote!(#[row(default)])];
        assert_eq!(read(&other, &FIELD), Ok(Attributes::default()));
    }

    #[test]
    fn anything_else_is_refused() {
        let refused: [Attribute; 10] = [
            parse_quote!(#[param(alias = "a")]),
            parse_quote!(#[param(defaults)]),
            parse_quote!(#[param(default = "a")]),
            parse_quote!(#[param(default(a))]),
            parse_quote!(#[param(rename)]),
            parse_quote!(#[param(rename = a)]),
            parse_quote!(#[param(verbatim = "a")]),
            parse_quote!(#[param(default, default)]),
            parse_quote!(#[param(skip, default)]),
            parse_quote!(#[param]),
        ];
        let known = ["default", "rename", "skip", "flatten", "verbatim"];
        for attribute in refused {
            let text = format!("{:?}", attribute.meta.path().get_ident());
            assert!(read(&[attribute], &known).is_err(), "{text}");
        }
    }

    #[test]
    fn each_place_has_its_own_words() {
        let skip: [Attribute; 1] = [parse_quote!(#[param(skip)])];
        assert_eq!(read(&skip, &["verbatim"]), Err("known here, each once: verbatim".to_owned()));
        assert_eq!(read(&skip, &[]), Err("no attribute is known here".to_owned()));
    }
}
