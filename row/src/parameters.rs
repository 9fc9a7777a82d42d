//! The code that `#[derive(Parameters)]` generates.

use crate::attributes::{Case, Word};
use crate::item::{Item, Known, Part, Refusal, Shape};

pub const KNOWN: Known = Known {
    attribute: "param",
    types: "derive(Parameters) supports structs with named fields and enums whose variants hold no data",
    on_struct: &[Word::Default],
    on_enum: &[Word::RenameAll],
    on_field: &[Word::Default, Word::Flatten, Word::Rename, Word::Skip],
    on_variant: &[Word::Rename],
};

pub fn written(item: &Item) -> Result<String, Refusal> {
    let name = &item.name;
    let (generics, of) =
        if item.is_generic { ("<T: crate::kernel::params::scalar::Parameter>", "<T>") } else { ("", "") };
    match &item.shape {
        Shape::Named(fields) => {
            let names: Vec<String> =
                fields.iter().filter(|field| is_parameter(field)).map(parameter).collect();
            let fields: String = fields.iter().map(|field| read(field, item.attributes.default)).collect();
            Ok(format!(
                "impl{generics} crate::kernel::params::read::Parameters for {name}{of} {{
                    const NAMES: &'static [&'static str] = &{names:?};
                    fn read_fields(from: &crate::kernel::params::read::Fields<'_>) -> Self {{ {name} {{ {fields} }} }}
                }}"
            ))
        }
        Shape::Enum(first, others) => {
            let variants = || std::iter::once(first).chain(others);
            if item.is_generic || variants().any(|variant| variant.values > 0) {
                return Err(item.unsupported());
            }
            let words: Vec<String> =
                variants().map(|variant| word(variant, item.attributes.rename_all)).collect();
            let arm = |(at, variant): (usize, &Part)| format!("{at} => Self::{},", variant.name);
            let arms: String = (1..).zip(others).map(arm).collect();
            let arm_of_word =
                |(variant, word): (&Part, &String)| format!("Self::{} => {word:?},", variant.name);
            let arms_of_words: String = variants().zip(&words).map(arm_of_word).collect();
            let first = &first.name;
            Ok(format!(
                "#[allow(dead_code)]
                impl {name} {{
                    /// The word that stands for it.
                    pub fn word(self) -> &'static str {{ match self {{ {arms_of_words} }} }}
                }}
                impl crate::kernel::params::scalar::Parameter for {name} {{
                    fn read(from: crate::kernel::params::scalar::Scalar<'_>) -> Self {{
                        match from.word(Self::WORDS) {{ {arms} _ => Self::{first} }}
                    }}
                    const WORDS: &'static [&'static str] = &{words:?};
                    fn nothing() -> Self {{ Self::{first} }}
                }}"
            ))
        }
        Shape::Tuple(_) => Err(item.unsupported()),
    }
}

fn is_parameter(field: &Part) -> bool {
    !field.attributes.skip && !field.attributes.flatten
}

fn parameter(field: &Part) -> String {
    field.attributes.rename.clone().unwrap_or_else(|| field.plain_name().to_owned())
}

fn word(variant: &Part, case: Option<Case>) -> String {
    let named = || match case {
        Some(Case::Lower) => variant.name.to_lowercase(),
        Some(Case::Snake) => variant.snake_case(),
        None => variant.name.clone(),
    };
    variant.attributes.rename.clone().unwrap_or_else(named)
}

/// `is_default`: the struct has `#[param(default)]`.
fn read(field: &Part, is_default: bool) -> String {
    let (name, parameter) = (&field.name, parameter(field));
    if field.attributes.skip {
        format!("{name}: Default::default(),")
    } else if field.attributes.flatten {
        format!("{name}: from.flattened(),")
    } else if is_default || field.attributes.default {
        format!("{name}: from.optional({parameter:?}),")
    } else {
        format!("{name}: from.required({parameter:?}),")
    }
}
