//! The code that `#[derive(Row)]` generates.

use crate::attributes::Word;
use crate::item::{Item, Known, Part, Shape};

pub const KNOWN: Known = Known {
    attribute: "row",
    types: "derive(Row) supports structs with named fields, tuple structs and enums whose variants hold data in \
        parentheses or none",
    on_struct: &[],
    on_enum: &[],
    on_field: &[Word::Default, Word::Flatten],
    on_variant: &[],
};

pub fn written(item: &Item) -> String {
    let name = &item.name;
    let (bound, parameter) =
        if item.is_generic { ("<T: crate::kernel::store::Column>", "<T>") } else { ("", "") };
    let (row, body) = match &item.shape {
        Shape::Named(fields) => {
            let fields: String = fields.iter().map(field).collect();
            let row = format!(
                "impl{bound} crate::kernel::store::Row for {name}{parameter} {{
                    fn read_members(from: &mut crate::kernel::store::Members<'_, '_>) -> Self {{ {name} {{ {fields} }} }}
                }}"
            );
            let body = "if let crate::kernel::store::Tree::Text(text) = &from {
                    return crate::kernel::store::read_text(text, wrong);
                }
                let mut from = crate::kernel::store::Members::of(from, wrong);
                let read = <Self as crate::kernel::store::Row>::read_members(&mut from);
                from.end();
                read";
            (row, body.to_owned())
        }
        Shape::Tuple(count) => {
            let places = places(*count);
            (
                String::new(),
                format!("let {places} = crate::kernel::store::Column::read(from, wrong); {name} {places}"),
            )
        }
        Shape::Enum(first, others) => {
            let variants = || std::iter::once(first).chain(others);
            let known: Vec<String> = variants().map(Part::snake_case).collect();
            let arms: String = (1..).zip(others).map(|(at, part)| arm(part, &format!("{at}"))).collect();
            // `variant` notes an unknown variant, and the first variant takes its place
            let last = arm(first, "_");
            let body = format!(
                "let (variant, from) = from.variant(&{known:?}, wrong); match variant {{ {arms} {last} }}"
            );
            (String::new(), body)
        }
    };
    format!(
        "{row}
        impl{bound} crate::kernel::store::Column for {name}{parameter} {{
            fn read(from: crate::kernel::store::Tree<'_>, wrong: &crate::kernel::store::WrongColumns) -> Self {{ {body} }}
        }}"
    )
}

fn field(field: &Part) -> String {
    let (name, member) = (&field.name, field.plain_name());
    if field.attributes.flatten {
        format!("{name}: crate::kernel::store::Row::read_members(from),")
    } else if field.attributes.default {
        format!("{name}: from.optional({member:?}),")
    } else {
        format!("{name}: from.column({member:?}),")
    }
}

fn arm(variant: &Part, pattern: &str) -> String {
    let name = &variant.name;
    match variant.values {
        0 => format!("{pattern} => Self::{name},"),
        1 => format!("{pattern} => Self::{name}(crate::kernel::store::Column::read(from, wrong)),"),
        values => {
            let places = places(values);
            let read = format!("let {places} = crate::kernel::store::Column::read(from, wrong);");
            format!("{pattern} => {{ {read} Self::{name} {places} }}")
        }
    }
}

/// `(v0,v1,)`
fn places(count: usize) -> String {
    let names: String = (0..count).map(|at| format!("v{at},")).collect();
    format!("({names})")
}
