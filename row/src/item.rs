//! Reads a type from its tokens.

use crate::attributes::{Attributes, Word, known_here};
use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

pub struct Known {
    pub attribute: &'static str,
    /// The supported types, for compile errors.
    pub types: &'static str,
    pub on_struct: &'static [Word],
    pub on_enum: &'static [Word],
    pub on_field: &'static [Word],
    pub on_variant: &'static [Word],
}

pub struct Refusal {
    pub message: String,
    pub span: Span,
}

pub struct Item {
    pub attributes: Attributes,
    pub name: String,
    pub is_generic: bool,
    pub shape: Shape,
    /// The message if the macro does not support the type.
    unsupported: &'static str,
}

pub enum Shape {
    Named(Vec<Part>),
    /// The number of fields.
    Tuple(usize),
    /// The first variant and the others.
    Enum(Part, Vec<Part>),
}

pub struct Part {
    pub attributes: Attributes,
    pub name: String,
    /// The number of values in a variant.
    pub values: usize,
}

impl Item {
    pub fn read(item: TokenStream, known: &Known) -> Result<Item, Refusal> {
        let unsupported = || refusal(known.types, Span::call_site());
        let mut tokens = item.into_iter();
        let mut groups = Vec::new();
        let is_enum = loop {
            match tokens.next().ok_or_else(unsupported)? {
                TokenTree::Ident(word) if word.to_string() == "struct" => break false,
                TokenTree::Ident(word) if word.to_string() == "enum" => break true,
                token => groups.push(token),
            }
        };
        let mut attributes = Attributes::default();
        let words = if is_enum { known.on_enum } else { known.on_struct };
        for group in groups {
            add(&mut attributes, &group, known.attribute, words)?;
        }
        let name = tokens.next().ok_or_else(unsupported)?.to_string();
        let mut generics = String::new();
        let group = loop {
            match tokens.next().ok_or_else(unsupported)? {
                TokenTree::Group(group) => break group,
                token => generics.push_str(&token.to_string()),
            }
        };
        if !["", "<T>", ";"].contains(&generics.as_str()) {
            let message = "a derived type may have one type parameter, `T`, without bounds";
            return Err(refusal(message, Span::call_site()));
        }
        let parts = split(group.stream()).into_iter();
        let shape = if is_enum {
            let mut variants = parts.map(|tokens| Part::read(tokens, known, known.on_variant));
            let first = variants.next().ok_or_else(unsupported)??;
            Shape::Enum(first, variants.collect::<Result<_, _>>()?)
        } else if group.delimiter() == Delimiter::Brace {
            let fields = parts.map(|tokens| Part::read(tokens, known, known.on_field));
            Shape::Named(fields.collect::<Result<_, _>>()?)
        } else {
            Shape::Tuple(unnamed(group.stream(), known)?)
        };
        Ok(Item { attributes, name, is_generic: generics == "<T>", shape, unsupported: known.types })
    }

    pub fn unsupported(&self) -> Refusal {
        refusal(self.unsupported, Span::call_site())
    }
}

impl Part {
    /// Reads attributes, visibility, name, and a variant's values. A field's type is ignored.
    fn read(tokens: Vec<TokenTree>, known: &Known, words: &[Word]) -> Result<Part, Refusal> {
        let mut part = Part { attributes: Attributes::default(), name: String::new(), values: 0 };
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Ident(word) if word.to_string() == "pub" => {
                    tokens.next_if(|token| matches!(token, TokenTree::Group(_)));
                }
                TokenTree::Ident(word) => {
                    part.name = word.to_string();
                    break;
                }
                token => add(&mut part.attributes, token, known.attribute, words)?,
            }
        }
        if let Some(TokenTree::Group(group)) = tokens.next() {
            if group.delimiter() == Delimiter::Brace {
                return Err(refusal(known.types, Span::call_site()));
            }
            part.values = unnamed(group.stream(), known)?;
        }
        Ok(part)
    }

    /// Without `r#`.
    pub fn plain_name(&self) -> &str {
        self.name.trim_start_matches("r#")
    }

    pub fn snake_case(&self) -> String {
        let mut snake = String::new();
        for letter in self.plain_name().chars() {
            if letter.is_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.extend(letter.to_lowercase());
        }
        snake
    }
}

/// Counts fields without names, which take no attributes.
fn unnamed(tokens: TokenStream, known: &Known) -> Result<usize, Refusal> {
    let fields = split(tokens);
    for token in fields.iter().flatten() {
        add(&mut Attributes::default(), token, known.attribute, &[])?;
    }
    Ok(fields.len())
}

/// Reads the token if it is the bracketed part of `#[attribute(..)]`.
fn add(
    attributes: &mut Attributes,
    token: &TokenTree,
    attribute: &str,
    words: &[Word],
) -> Result<(), Refusal> {
    let TokenTree::Group(brackets) = token else { return Ok(()) };
    let mut tokens = brackets.stream().into_iter();
    let is_attribute = brackets.delimiter() == Delimiter::Bracket
        && matches!(tokens.next(), Some(TokenTree::Ident(name)) if name.to_string() == attribute);
    if !is_attribute {
        return Ok(());
    }
    let added = match tokens.next() {
        Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Parenthesis => {
            attributes.add(&list.stream().to_string(), words)
        }
        _ => Err(format!("a list in parentheses has to follow; {}", known_here(words))),
    };
    added.map_err(|fault| refusal(&format!("#[{attribute}(..)]: {fault}"), brackets.span()))
}

fn refusal(message: &str, span: Span) -> Refusal {
    Refusal { message: message.to_owned(), span }
}

/// Splits at commas, but not at those between the parameters of a type.
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
