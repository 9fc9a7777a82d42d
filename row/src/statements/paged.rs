//! The struct of a list: a query for one page, and for the total.

use super::file::{File, Order, SqlPiece, SqlStatement};
use super::list::{List, Total, Way};
use super::text::{self, Part, Pieces};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub fn structure(
    visibility: &TokenStream,
    file: &File,
    (statement, list): (&SqlStatement, &List),
    pieces: &[&SqlPiece],
) -> Result<TokenStream, String> {
    list.check()?;
    let after = SqlPiece { name: "after".to_owned(), text: list.after(), ..SqlPiece::default() };
    let pieces = Pieces::new(pieces.iter().copied().chain([&after]));
    let has_ways = list.way == Way::Either && file.orders.is_empty();
    let scope = statement.scope;
    let parts_of =
        |(piece, arguments): (&str, Vec<_>)| super::scoped(scope, pieces.filled(piece, &arguments)?, &pieces);
    let page = parts_of(list.page(&statement.text))?;
    let count = list.count(&statement.text).map(parts_of).transpose()?;
    let counter = match &list.total {
        Total::Of(name) => Some(counter(file, name, &pieces)?),
        Total::Counted | Total::UpTo(_) | Total::None => None,
    };

    let mut fields: Vec<String> = Vec::new();
    let texts = [Some(&page), count.as_ref(), counter.as_ref().map(|(_, parts)| parts)];
    let named = texts.into_iter().flatten().flat_map(|parts| text::parameters(parts));
    for name in named.chain(list.filters.iter().cloned()) {
        if of_page(&name).is_none() && !fields.contains(&name) {
            fields.push(name);
        }
    }
    let place = |name: &String| fields.iter().position(|field| field == name).ok_or(format!("nothing binds :{name}"));
    let binds = |parts: &[Part]| {
        let bind = |name: &String| match of_page(name) {
            Some(bind) => Ok(bind),
            None => place(name).map(|at| quote!(crate::kernel::lists::Bind::Own(#at))),
        };
        text::parameters(parts).iter().map(bind).collect::<Result<Vec<_>, String>>()
    };

    let shows: syn::Type = syn::parse_str(&list.shows).map_err(|error| format!("shows {}: {error}", list.shows))?;
    let of = syn::parse_quote!(crate::kernel::lists::ListRow<#shows>);
    let (sql, page_binds) = (super::sent(file, scope, &page, Some(&of), has_ways)?, binds(&page)?);
    let total = match (&count, &counter) {
        (Some(parts), _) => {
            let of = syn::parse_quote!(crate::kernel::lists::ListTotal);
            // a total needs no order: one text is enough
            let ascending = list.way != Way::Down;
            let way = (has_ways || !file.orders.is_empty()).then_some(ascending);
            let sql = super::text_in(file, scope, parts, Some(&of), (file.orders.first(), way))?;
            let (binds, keys) = (binds(parts)?, texts_of(list, file.orders.first()));
            let name = format!("{}_total", statement.name);
            let most = list.counted().and_then(|most| most.parse::<i64>().ok()).unwrap_or_default();
            quote! {
                crate::kernel::lists::TotalOf::Rows(crate::kernel::lists::RowCount {
                    name: concat!(module_path!(), "::", #name),
                    sql: #sql,
                    binds: &[#(#binds),*],
                    order: (#keys, #ascending),
                    most: #most,
                })
            }
        }
        (None, Some((name, parts))) => {
            let names = text::parameters(parts);
            let places = names.iter().map(place).collect::<Result<Vec<_>, String>>()?;
            let names = names.iter().map(|name| format_ident!("{name}"));
            let name = format_ident!("{name}");
            quote!(crate::kernel::lists::TotalOf::Statement(#name { #(#names: values[#places].clone()),* }.into()))
        }
        (None, None) => quote!(crate::kernel::lists::TotalOf::Nothing),
    };
    let filters = list.filters.iter().map(place).collect::<Result<Vec<_>, String>>()?;

    let looks = list.looks.as_ref().and_then(|looks| looks.parse::<i64>().ok());
    let looks = looks.map_or(quote!(crate::kernel::lists::MOST_LOOKED_AT), |looks| quote!(#looks));
    let keys = keys_of(file, list);
    let ascending = match list.way {
        Way::Up => quote!(true),
        Way::Down => quote!(false),
        Way::Either => quote!(own.ascending),
    };
    let more = if file.orders.is_empty() { quote!() } else { quote!(pub order: Order,) };
    let more = if list.way == Way::Either { quote!(#more pub ascending: bool,) } else { more };
    let (name, own_name, doc) = (format_ident!("{}", statement.name), &statement.name, &statement.doc);
    let scope = format_ident!("{}", scope.variant());
    let fields: Vec<_> = fields.iter().map(|name| format_ident!("{name}")).collect();
    Ok(quote! {
        #[doc = #doc]
        #visibility struct #name<#(#fields),*> {
            #more #(pub #fields: #fields,)*
            pub page: crate::kernel::paging::Page,
        }

        impl<#(#fields: Into<crate::kernel::store::Value>),*> crate::kernel::store::Query for #name<#(#fields),*> {
            type Answer = crate::kernel::lists::Listed<#shows>;
            type Sent = crate::kernel::lists::SentList;
            fn add_to(self, batch: &mut Vec<crate::kernel::store::Statement>) -> Self::Sent {
                let own = self;
                let values: Vec<crate::kernel::store::Value> = vec![#(own.#fields.into()),*];
                let (sql, total) = (#sql, #total);
                crate::kernel::lists::ListQuery {
                    name: concat!(module_path!(), "::", #own_name),
                    scope: crate::kernel::store::Scope::#scope,
                    page: own.page,
                    order: (#keys, #ascending),
                    looks: #looks,
                    filters: &[#(#filters),*],
                    values,
                    sql,
                    binds: &[#(#page_binds),*],
                    total,
                }.add_to(batch)
            }
            fn read(
                sent: Self::Sent,
                answers: &mut crate::kernel::store::Answers,
            ) -> Result<Self::Answer, crate::kernel::store::Failure> {
                crate::kernel::lists::Listed::read(sent, answers)
            }
        }
    })
}

/// The statement of this name, which counts a list.
fn counter<'n>(file: &File, name: &'n str, pieces: &Pieces<'_>) -> Result<(&'n str, Vec<Part>), String> {
    let found = file.statements.iter().find(|statement| statement.name == name);
    let statement = found.ok_or_else(|| format!("{name} does not count it: there is no such statement"))?;
    Ok((name, super::scoped(statement.scope, pieces.expanded(&statement.text)?, pieces)?))
}

/// What the page binds, and not the caller.
fn of_page(name: &str) -> Option<TokenStream> {
    Some(match name {
        "most" => quote!(crate::kernel::lists::Bind::Most),
        "skip" => quote!(crate::kernel::lists::Bind::Skip),
        "from" => quote!(crate::kernel::lists::Bind::From),
        "to" => quote!(crate::kernel::lists::Bind::To),
        "looks" => quote!(crate::kernel::lists::Bind::Looks),
        _ => {
            let at = name.strip_prefix("after_")?.parse::<usize>().ok()?.checked_sub(1)?;
            quote!(crate::kernel::lists::Bind::After(#at))
        }
    })
}

/// Whether each key is a text, in one order of the file.
fn texts_of(list: &List, order: Option<&Order>) -> TokenStream {
    let of_order = order.is_some_and(|order| order.is_text);
    let keys = list.keys.iter().map(|key| if key.is_of_order() { of_order } else { key.is_text });
    quote!(&[#(#keys),*])
}

/// The same in the order that is asked for.
fn keys_of(file: &File, list: &List) -> TokenStream {
    if file.orders.is_empty() {
        return texts_of(list, None);
    }
    let arms = file.orders.iter().map(|order| {
        let (variant, keys) = (format_ident!("{}", order.variant), texts_of(list, Some(order)));
        quote!(Order::#variant => #keys,)
    });
    quote!(match own.order { #(#arms)* })
}
