//! Reads `.sql` files, and generates a struct for each statement (`src/kernel/sql.rs` shows a file).

mod file;
mod list;
mod paged;
mod text;

use file::{File, Order, Returns, Scope, SqlPiece, SqlStatement};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;
use std::path::Path;
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Token, Visibility};
use text::{Part, Pieces};

/// Pieces that every file may use, and the beginnings of statements with a scope.
const SHARED: &str = "src/kernel/pieces.sql";

/// `pub mod sql: "src/areas/labels/labels.sql", ..`
pub struct Module {
    visibility: Visibility,
    name: Ident,
    paths: Vec<LitStr>,
}

impl Parse for Module {
    fn parse(input: ParseStream<'_>) -> syn::Result<Module> {
        let visibility = input.parse()?;
        input.parse::<Token![mod]>()?;
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let paths = input.parse_terminated(<LitStr as Parse>::parse, Token![,])?;
        Ok(Module { visibility, name, paths: paths.into_iter().collect() })
    }
}

pub fn written(module: &Module) -> syn::Result<TokenStream> {
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let read = |path: &str| {
        let text = std::fs::read_to_string(Path::new(&root).join(path)).map_err(|error| error.to_string())?;
        File::read(&text).map_err(|fault| format!("{path}: {fault}"))
    };
    let Module { visibility, name, paths } = module;
    let shared = read(SHARED).map_err(|fault| syn::Error::new(Span::call_site(), fault))?;
    let inner = inner_visibility(visibility);
    let one = |path| read(&LitStr::value(path)).map_err(|fault| syn::Error::new(path.span(), fault));
    let files = paths.iter().map(one).collect::<syn::Result<Vec<File>>>()?;
    // pieces.sql itself is a module, too
    let own = || files.iter().zip(paths).filter(|(_, path)| path.value() != SHARED).flat_map(|(file, _)| &file.pieces);
    let mut names = HashSet::new();
    if let Some(piece) = shared.pieces.iter().chain(own()).find(|piece| !names.insert(&piece.name)) {
        return Err(syn::Error::new(name.span(), format!("two pieces have the name {}", piece.name)));
    }
    let all: Vec<&SqlPiece> = shared.pieces.iter().chain(own()).collect();
    let pieces = Pieces::new(all.iter().copied());
    let mut code = tracked(SHARED);
    for (path, file) in paths.iter().zip(&files) {
        let fault = |fault: String| syn::Error::new(path.span(), fault);
        code.extend(tracked(&path.value()));
        for piece in file.pieces.iter().filter(|piece| piece.arguments.is_empty()) {
            let parts = pieces.expanded(&piece.text).map_err(|why| fault(format!("{}: {why}", piece.name)))?;
            code.extend(constant(&inner, &piece.name, &piece.doc, &parts));
        }
        for statement in &file.statements {
            let written = match &statement.list {
                Some(list) => paged::structure(&inner, file, (statement, list), &all),
                None => structure(&inner, file, statement, &pieces),
            };
            code.extend(written.map_err(|why| fault(format!("{}: {why}", statement.name)))?);
        }
    }
    Ok(quote! {
        #[allow(non_camel_case_types, non_upper_case_globals, dead_code)]
        #visibility mod #name {
            #[allow(unused_imports)]
            use super::*;
            #[allow(unused_imports)]
            use crate::kernel::lists::{ListRow, ListTotal};
            #code
        }
    })
}

/// The visibility, inside of the module, of what the module's parent sees.
fn inner_visibility(visibility: &Visibility) -> TokenStream {
    match visibility {
        Visibility::Public(_) => quote!(pub),
        Visibility::Inherited => quote!(pub(super)),
        Visibility::Restricted(place) if place.path.is_ident("super") => quote!(pub(in super::super)),
        Visibility::Restricted(_) => quote!(#visibility),
    }
}

/// Compiles the crate again when the file changes.
fn tracked(path: &str) -> TokenStream {
    quote! { const _: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/", #path)); }
}

/// A piece for statements that are put together while the Worker runs.
fn constant(visibility: &TokenStream, name: &str, doc: &str, parts: &[Part]) -> TokenStream {
    let constant = format_ident!("{name}");
    let parts = parts.iter().map(|part| match part {
        Part::Text(text) => quote!(crate::kernel::sql::Part::Text(#text)),
        Part::Bind(name) => quote!(crate::kernel::sql::Part::Bind(#name)),
        Part::Word(name) => quote!(crate::kernel::sql::Part::Word(#name)),
    });
    quote! {
        #[doc = #doc]
        #visibility const #constant: crate::kernel::sql::Piece = crate::kernel::sql::Piece {
            name: concat!(module_path!(), "::", #name),
            parts: &[#(#parts),*],
        };
    }
}

/// The whole text: a statement with a scope begins with that.
fn scoped(scope: Scope, mut own: Vec<Part>, pieces: &Pieces<'_>) -> Result<Vec<Part>, String> {
    if scope.word().is_some_and(|word| !text::has_word(&own, word)) {
        return Err("does not ask its scope, so it would answer a caller who may not".to_owned());
    }
    let Some(name) = scope.piece() else { return Ok(own) };
    // the scope begins with `with`, too
    if let Some(Part::Text(text)) = own.first_mut()
        && let Some(rest) = text.strip_prefix("with ")
    {
        *text = format!(", {rest}");
    }
    let begin = pieces.expanded(&format!("{{{name}}}\n"))?;
    Ok(begin.into_iter().chain(own).collect())
}

/// The expression of the text that is sent, for rows of the type `of`, in the order if the file has several. Without
/// `ascending` the text has no words for its way.
fn text_in(
    file: &File,
    scope: Scope,
    parts: &[Part],
    of: Option<&syn::Type>,
    (order, ascending): (Option<&Order>, Option<bool>),
) -> Result<TokenStream, String> {
    let parameters = text::parameters(parts);
    let sql = text::rendered(parts, &parameters, scope.binds() + 1, file.is_bare, |word| match order {
        Some(order) => order.word(word, ascending?),
        None => file::way_word(word, ascending?),
    })?;
    Ok(match of.filter(|_| text::is_select(parts)) {
        Some(of) => quote! {{
            static KEPT: std::sync::OnceLock<std::borrow::Cow<'static, str>> = std::sync::OnceLock::new();
            crate::kernel::sql::constant_of::<#of>(&KEPT, #sql)
        }},
        None => quote!(std::borrow::Cow::Borrowed(#sql)),
    })
}

/// The same in every order. `has_ways`: the text depends on `own.ascending`.
fn sent(
    file: &File,
    scope: Scope,
    parts: &[Part],
    of: Option<&syn::Type>,
    has_ways: bool,
) -> Result<TokenStream, String> {
    let ways = |order: Option<&Order>| {
        let [up, down] = [true, false].map(|ascending| text_in(file, scope, parts, of, (order, Some(ascending))));
        let (up, down) = (up?, down?);
        Ok::<_, String>(quote!(if own.ascending { #up } else { #down }))
    };
    if !file.orders.is_empty() {
        let arms = file.orders.iter().map(|order| {
            let (variant, text) = (format_ident!("{}", order.variant), ways(Some(order))?);
            Ok(quote! { Order::#variant => #text, })
        });
        let arms = arms.collect::<Result<Vec<_>, String>>()?;
        return Ok(quote! { match own.order { #(#arms)* } });
    }
    if has_ways { ways(None) } else { text_in(file, scope, parts, of, (None, None)) }
}

fn structure(
    visibility: &TokenStream,
    file: &File,
    statement: &SqlStatement,
    pieces: &Pieces<'_>,
) -> Result<TokenStream, String> {
    let parts = scoped(statement.scope, pieces.expanded(&statement.text)?, pieces)?;
    let of = row_type(&statement.returns)?;
    let sql = sent(file, statement.scope, &parts, of.as_ref(), false)?;
    let fields = if file.orders.is_empty() { quote!() } else { quote!(pub order: Order, pub ascending: bool,) };
    let name = format_ident!("{}", statement.name);
    let own_name = &statement.name;
    let doc = &statement.doc;
    let parameters: Vec<Ident> = text::parameters(&parts).iter().map(|name| format_ident!("{name}")).collect();
    let scope = format_ident!("{}", statement.scope.variant());
    let writes_events = file.writes_events;
    let (answer, read) = answer(&statement.returns)?;
    Ok(quote! {
        #[doc = #doc]
        #visibility struct #name<#(#parameters),*> { #fields #(pub #parameters: #parameters),* }

        impl<#(#parameters: Into<crate::kernel::store::Value>),*> From<#name<#(#parameters),*>>
            for crate::kernel::store::Statement
        {
            fn from(own: #name<#(#parameters),*>) -> Self {
                crate::kernel::store::Statement {
                    sql: #sql,
                    name: concat!(module_path!(), "::", #own_name),
                    scope: crate::kernel::store::Scope::#scope,
                    writes_events: #writes_events,
                    binds: vec![#(own.#parameters.into()),*],
                }
            }
        }

        impl<#(#parameters: Into<crate::kernel::store::Value>),*> crate::kernel::store::Query
            for #name<#(#parameters),*>
        {
            type Answer = #answer;
            type Sent = ();
            fn add_to(self, batch: &mut Vec<crate::kernel::store::Statement>) {
                batch.push(self.into());
            }
            fn read(
                (): Self::Sent,
                answers: &mut crate::kernel::store::Answers,
            ) -> Result<Self::Answer, crate::kernel::store::Failure> {
                let rows = answers.next_rows();
                #read
            }
        }
    })
}

fn row_type(returns: &Returns) -> Result<Option<syn::Type>, String> {
    match returns {
        Returns::Rows => Ok(None),
        Returns::One(name) | Returns::First(name) | Returns::All(name) => {
            syn::parse_str(name).map(Some).map_err(|error| format!("returns {name}: {error}"))
        }
    }
}

/// The type of the answer, and how it is read from `rows`.
fn answer(returns: &Returns) -> Result<(TokenStream, TokenStream), String> {
    let of = row_type(returns)?;
    Ok(match returns {
        Returns::Rows => (quote!(crate::kernel::store::Rows), quote!(Ok(rows))),
        Returns::One(_) => (quote!(#of), quote!(rows.one())),
        Returns::First(_) => (quote!(Option<#of>), quote!(rows.first())),
        Returns::All(_) => (quote!(Vec<#of>), quote!(rows.all())),
    })
}
