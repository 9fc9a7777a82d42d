//! Two derive macros.
//!
//! `#[derive(Row)]` reads a type from a row of the database, by the traits in `src/kernel/store/row.rs`.
//!
//! | type                  | JSON                                                                          |
//! |-----------------------|-------------------------------------------------------------------------------|
//! | `struct { a, b }`     | a list of `a` and `b` in this order; trailing nulls may be left out; or        |
//! |                       | an object with the members `a` and `b`; other members are ignored              |
//! | `struct (A, B)`       | a list                                                                        |
//! | `enum { OneWay(A) }`  | an object with one member, named as the variant in snake case: `{"one_way": A}` |
//! | `enum { Nothing }`    | the same; the value of the member is ignored                                  |
//!
//! SQLite may return a nested struct or list as a text that holds its JSON.
//!
//! `#[row(default)]` allows a member to be absent or null. `#[row(flatten)]` reads the field's members from
//! the same object. A generic type has one parameter, named `T`.
//!
//! `#[derive(Parameters)]` reads a struct from a request's parameters, and an enum from one parameter that
//! takes one of some words, by the traits in `src/kernel/params/`. Such an enum also has a method `word`.
//!
//! | attribute                          | place                   | meaning                                           |
//! |------------------------------------|-------------------------|---------------------------------------------------|
//! | `#[param(default)]`                | a struct or a field     | the parameter need not be sent                    |
//! | `#[param(rename = "name")]`        | a field or a variant    | the name of the parameter, or the word            |
//! | `#[param(rename_all = "..")]`      | an enum                 | words in `"lowercase"` or in `"snake_case"`       |
//! | `#[param(flatten)]`                | a field                 | a struct that reads its own parameters            |
//! | `#[param(skip)]`                   | a field                 | the field is never read and has its default value |
//!
//! Other attributes are compile errors.

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
