//! Two derive macros.
//!
//! `#[derive(Row)]` reads a type from a row of the database; `src/store/row.rs` holds the traits. The derived code calls
//! one function for each field.
//!
//! | type                  | JSON                                                                          |
//! |-----------------------|-------------------------------------------------------------------------------|
//! | `struct { a, b }`     | a list of `a` and `b` in this order; trailing nulls may be left out; or        |
//! |                       | an object with the members `a` and `b`; other members are ignored              |
//! | `struct (A, B)`       | a list                                                                        |
//! | `enum { OneWay(A) }`  | an object with one member, named as the variant in snake case: `{"one_way": A}` |
//! | `enum { Nothing }`    | the same; the value of the member is ignored                                  |
//!
//! A struct in a struct, or a list, may also be a text that holds its JSON, as SQLite makes it.
//!
//! A field takes one of two attributes. With `#[row(default)]` the member may be absent or null. With `#[row(flatten)]`
//! the field reads its own members from the same object. A generic type has one parameter, named `T`.
//!
//! `#[derive(Parameters)]` reads a struct from the parameters of a request, and an enum from one parameter that is one
//! of some words; `src/params/read.rs` and `src/params/scalar.rs` hold the traits. Such an enum has a method `word`, too.
//!
//! | attribute                          | place                   | meaning                                           |
//! |------------------------------------|-------------------------|---------------------------------------------------|
//! | `#[param(default)]`                | a struct or a field     | the parameter need not be sent                    |
//! | `#[param(rename = "name")]`        | a field or a variant    | the name of the parameter, or the word            |
//! | `#[param(rename_all = "..")]`      | an enum                 | words in `"lowercase"` or in `"snake_case"`       |
//! | `#[param(flatten)]`                | a field                 | a struct that reads its own parameters            |
//! | `#[param(skip)]`                   | a field                 | the field is never read and has its default value |
//!
//! Any other attribute is a compile error that names the ones that exist.

mod attributes;
mod item;
mod parameters;
mod rows;

use item::{Item, Refusal};
use proc_macro::{TokenStream, TokenTree};

#[proc_macro_derive(Row, attributes(row))]
pub fn derive_row(item: TokenStream) -> TokenStream {
    finish(Item::read(item, &rows::KNOWN).map(|item| rows::written(&item)))
}

#[proc_macro_derive(Parameters, attributes(param))]
pub fn derive_parameters(item: TokenStream) -> TokenStream {
    finish(Item::read(item, &parameters::KNOWN).and_then(|item| parameters::written(&item)))
}

/// The derived code, or the compile error at the place it is about.
fn finish(written: Result<String, Refusal>) -> TokenStream {
    match written {
        Ok(code) => code.parse().unwrap_or_default(),
        Err(Refusal { message, span }) => {
            let error: TokenStream = format!("compile_error!({message:?});").parse().unwrap_or_default();
            let at_span = |mut token: TokenTree| {
                token.set_span(span);
                token
            };
            error.into_iter().map(at_span).collect()
        }
    }
}
