//! Two derive macros, and the macro that reads SQL.
//!
//! `statements!` generates a struct for each statement of a `.sql` file (`src/kernel/sql.rs`).
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
//! `#[row(default)]` allows a member to be absent or null. `#[row(json)]` is for JSON of many bytes: SQLite does not write it as
//! a text, whose quotes it would double. `#[row(long)]` is for JSON that has more than 2 MB with the other columns: such rows
//! do not cross as one list (`src/kernel/sql.rs`). `#[row(flatten)]` reads the field's members from
//! the same object.
//!
//! `#[derive(Parameters)]` reads a struct from a request's parameters, and an enum from one parameter that
//! takes one of some words, by the traits in `src/kernel/params/`. The word of the variant `OneWay` is `one_way`. Such
//! an enum also has a method `word`, and its first variant is its default. A field that is an `Option` or a `Patch` need not be sent.
//!
//! | attribute                          | place                   | meaning                                           |
//! |------------------------------------|-------------------------|---------------------------------------------------|
//! | `#[param(default)]`                | a struct or a field     | the parameter need not be sent                    |
//! | `#[param(rename = "name")]`        | a field or a variant    | the name of the parameter, or the word            |
//! | `#[param(verbatim)]`               | an enum                 | the words are the names of the variants           |
//! | `#[param(flatten)]`                | a field                 | a struct that reads its own parameters            |
//! | `#[param(skip)]`                   | a field                 | the field is never read and has its default value |
//!
//! Other attributes are compile errors.

mod attributes;
mod parameters;
mod rows;
mod statements;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

#[proc_macro_derive(Row, attributes(row))]
pub fn derive_row(item: TokenStream) -> TokenStream {
    finish(rows::written(&parse_macro_input!(item as DeriveInput)))
}

#[proc_macro_derive(Parameters, attributes(param))]
pub fn derive_parameters(item: TokenStream) -> TokenStream {
    finish(parameters::written(&parse_macro_input!(item as DeriveInput)))
}

#[proc_macro]
pub fn statements(input: TokenStream) -> TokenStream {
    finish(statements::written(&parse_macro_input!(input as statements::Module)))
}

fn finish(written: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    written.unwrap_or_else(|error| error.to_compile_error()).into()
}
