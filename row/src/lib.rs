//! `#[derive(Row)]` reads a type from a row of the database, as `src/store/row.rs` of the Worker tells. The derived code
//! is a list of calls, one for each field. What serde derives is a parser for each type: 54 kB more of the Worker,
//! gzipped.
//!
//! | type                  | JSON                                                                          |
//! |-----------------------|-------------------------------------------------------------------------------|
//! | `struct { a, b }`     | a list of `a` and `b` in this order, where the last may be absent if they are null; |
//! |                       | or an object with the members `a` and `b`, where others are passed over        |
//! | `struct (A, B)`       | a list                                                                        |
//! | `enum { OneWay(A) }`  | an object with one member, named as the variant in snake case: `{"one_way": A}` |
//!
//! `#[row(default)]` at a field: it may be absent or null. `#[row(flatten)]`: the field is itself read from the members
//! of the whole. A type with parameters has one, `T`.
//!
//! `#[derive(Parameters)]` reads a struct from the parameters of a request, and an enum from one of them that is one of
//! some words, as `src/params/read.rs` tells. Attributes are written and meant as serde's, where it has the same ones:
//! `default` for a struct or a field, `rename`, `rename_all` in lower or snake case, `skip`.

use proc_macro::{Delimiter, TokenStream, TokenTree};

#[proc_macro_derive(Row, attributes(row))]
pub fn derive(item: TokenStream) -> TokenStream {
    finish(Item::read(item, "row").and_then(|item| item.written()))
}

#[proc_macro_derive(Parameters, attributes(serde))]
pub fn derive_parameters(item: TokenStream) -> TokenStream {
    finish(Item::read(item, "serde").and_then(|item| item.parameters()))
}

fn finish(written: Option<String>) -> TokenStream {
    let written = written.unwrap_or_else(|| "compile_error!(\"no type that is read so\");".to_owned());
    written.parse().unwrap_or_default()
}

/// The type that is derived for.
struct Item {
    /// What its attributes say.
    says: String,
    name: String,
    /// Whether it has the parameter `T`.
    is_generic: bool,
    is_enum: bool,
    delimiter: Delimiter,
    /// Fields or variants.
    parts: Vec<Part>,
}

/// A field or a variant.
#[derive(Default)]
struct Part {
    /// What its attributes say.
    says: String,
    /// Of what has none: a type.
    name: String,
    /// How many fields a variant has.
    fields: Option<usize>,
}

impl Item {
    /// `attribute`: the name of those that say something.
    fn read(item: TokenStream, attribute: &str) -> Option<Item> {
        let mut tokens = item.into_iter();
        let mut says = String::new();
        let is_enum = loop {
            let token = tokens.next()?.to_string();
            match token.as_str() {
                "struct" | "enum" => break token == "enum",
                _ if is_said(&token, attribute) => says.push_str(&token),
                _ => {}
            }
        };
        let name = tokens.next()?.to_string();
        let mut is_generic = false;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '<' => is_generic = true,
                TokenTree::Group(group) => {
                    let parts =
                        split(group.stream()).into_iter().map(|part| Part::read(part, attribute)).collect();
                    return Some(Item {
                        says,
                        name,
                        is_generic,
                        is_enum,
                        delimiter: group.delimiter(),
                        parts,
                    });
                }
                _ => {}
            }
        }
        None
    }

    fn written(&self) -> Option<String> {
        let Item { name, parts, .. } = self;
        let parameter = if self.is_generic { "<T>" } else { "" };
        let bound = if self.is_generic { "<T: crate::store::Column>" } else { "" };
        if self.delimiter == Delimiter::Brace && !self.is_enum {
            let fields: String = parts.iter().map(Part::field).collect();
            return Some(format!(
                "impl{bound} crate::store::Row for {name}{parameter} {{
                    fn read_members(from: &mut crate::store::Members<'_, '_>) -> Self {{ {name} {{ {fields} }} }}
                }}
                impl{bound} crate::store::Column for {name}{parameter} {{
                    fn read(from: crate::store::Tree<'_>, wrong: &crate::store::Wrong) -> Self {{
                        if let crate::store::Tree::Text(text) = &from {{
                            return crate::store::read_text(text, wrong);
                        }}
                        let mut from = crate::store::Members::of(from, wrong);
                        let read = <Self as crate::store::Row>::read_members(&mut from);
                        from.end();
                        read
                    }}
                }}"
            ));
        }
        let body = if self.is_enum {
            let known: Vec<String> = parts.iter().map(Part::member).collect();
            let (first, others) = parts.split_first()?;
            let arms: String = (1..).zip(others).map(|(at, part)| part.arm(&format!("{at}"))).collect();
            // a variant that nobody knows is noted, and read as the first
            format!(
                "let (variant, from) = from.variant(&{known:?}, wrong); match variant {{ {arms} {} }}",
                first.arm("_")
            )
        } else {
            format!("let {0} = crate::store::Column::read(from, wrong); {name} {0}", places(parts.len()))
        };
        Some(format!(
            "impl{bound} crate::store::Column for {name}{parameter} {{
                fn read(from: crate::store::Tree<'_>, wrong: &crate::store::Wrong) -> Self {{ {body} }}
            }}"
        ))
    }
}

/// A struct from all parameters, an enum from one.
impl Item {
    fn parameters(&self) -> Option<String> {
        let Item { name, parts, .. } = self;
        if self.is_enum {
            let words: Vec<String> = parts.iter().map(|part| part.word(&self.says)).collect();
            let (first, others) = parts.split_first()?;
            let arm = |(at, part): (usize, &Part)| format!("{at} => Self::{},", part.name);
            let arms: String = (1..).zip(others).map(arm).collect();
            let first = &first.name;
            return Some(format!(
                "impl crate::params::scalar::Parameter for {name} {{
                    fn read(from: crate::params::scalar::Scalar<'_>) -> Self {{
                        match from.word(&{words:?}) {{ {arms} _ => Self::{first} }}
                    }}
                    const IS_WORD: bool = true;
                    fn nothing() -> Self {{ Self::{first} }}
                }}"
            ));
        }
        let read: Vec<&Part> = parts.iter().filter(|part| !part.says.contains("skip")).collect();
        let names: Vec<String> = read.iter().map(|part| part.parameter()).collect();
        let fields: String = parts.iter().map(|part| part.sent(self.says.contains("default"))).collect();
        Some(format!(
            "impl crate::params::read::Parameters for {name} {{
                const NAMES: &'static [&'static str] = &{names:?};
                fn read_fields(from: &crate::params::read::Fields<'_>) -> Self {{ {name} {{ {fields} }} }}
            }}"
        ))
    }
}

impl Part {
    /// What the parameter is called.
    fn parameter(&self) -> String {
        renamed(&self.says).unwrap_or_else(|| self.name.trim_start_matches("r#").to_owned())
    }

    /// What the variant is called. `enum_says`: the attributes of the whole.
    fn word(&self, enum_says: &str) -> String {
        renamed(&self.says).unwrap_or_else(|| match enum_says {
            says if says.contains("lowercase") => self.name.to_lowercase(),
            says if says.contains("snake_case") => self.member(),
            _ => self.name.clone(),
        })
    }

    fn sent(&self, is_default: bool) -> String {
        let (name, parameter) = (&self.name, self.parameter());
        if self.says.contains("skip") {
            format!("{name}: Default::default(),")
        } else if is_default || self.says.contains("default") {
            format!("{name}: from.optional({parameter:?}),")
        } else {
            format!("{name}: from.required({parameter:?}),")
        }
    }

    /// Attributes, visibility, name; what follows is a type or the fields of a variant.
    fn read(tokens: Vec<TokenTree>, attribute: &str) -> Part {
        let mut part = Part::default();
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    let said = tokens.next().map(|group| group.to_string()).unwrap_or_default();
                    if is_said(&said, attribute) {
                        part.says.push_str(&said);
                    }
                }
                TokenTree::Ident(word) if word.to_string() == "pub" => {
                    tokens.next_if(|token| matches!(token, TokenTree::Group(_)));
                }
                TokenTree::Ident(word) => {
                    part.name = word.to_string();
                    if let Some(TokenTree::Group(group)) = tokens.next() {
                        part.fields = Some(split(group.stream()).len());
                    }
                    break;
                }
                _ => {}
            }
        }
        part
    }

    /// What the object's member is called.
    fn member(&self) -> String {
        let mut member = String::new();
        for letter in self.name.trim_start_matches("r#").chars() {
            if letter.is_uppercase() && !member.is_empty() {
                member.push('_');
            }
            member.extend(letter.to_lowercase());
        }
        member
    }

    fn field(&self) -> String {
        let (name, member) = (&self.name, self.member());
        if self.says.contains("flatten") {
            format!("{name}: crate::store::Row::read_members(from),")
        } else if self.says.contains("default") {
            format!("{name}: from.column::<Option<_>>({member:?}).unwrap_or_default(),")
        } else {
            format!("{name}: from.column({member:?}),")
        }
    }

    fn arm(&self, pattern: &str) -> String {
        let name = &self.name;
        match self.fields {
            None => format!("{pattern} => Self::{name},"),
            Some(1) => format!("{pattern} => Self::{name}(crate::store::Column::read(from, wrong)),"),
            Some(fields) => {
                let places = places(fields);
                format!(
                    "{pattern} => {{ let {places} = crate::store::Column::read(from, wrong); Self::{name} {places} }}"
                )
            }
        }
    }
}

/// Whether an attribute has that name.
fn is_said(text: &str, attribute: &str) -> bool {
    text.strip_prefix('[').is_some_and(|text| text.trim_start().starts_with(attribute))
}

/// The name that the attributes give.
fn renamed(says: &str) -> Option<String> {
    let (_, rest) = says.split_once("rename = \"")?;
    Some(rest.split_once('"')?.0.to_owned())
}

/// `(v0, v1,)`
fn places(count: usize) -> String {
    let names: String = (0..count).map(|at| format!("v{at},")).collect();
    format!("({names})")
}

/// The tokens between the commas, where those of a type's parameters are none.
fn split(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let (mut parts, mut depth) = (vec![Vec::new()], 0);
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => depth -= 1,
            TokenTree::Punct(punct) if punct.as_char() == ',' && depth == 0 => {
                parts.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(token);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}
