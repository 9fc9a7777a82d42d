//! The code that `#[derive(Row)]` generates.

use crate::attributes::{Attributes, snake_case};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Field, Fields, FieldsNamed, Index, Result, Variant};

const TYPES: &str = "derive(Row) supports structs with named fields, tuple structs and enums whose variants hold data \
    in parentheses or none";

pub fn written(item: &DeriveInput) -> Result<TokenStream> {
    let unsupported = || Error::new_spanned(&item.ident, TYPES);
    Attributes::read(&item.attrs, "row", &[])?;
    let mut generics = item.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!(crate::kernel::store::Column));
    }
    let (bounds, of, _) = generics.split_for_impl();
    let name = &item.ident;
    let (row, body) = match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => {
                let columns = columns(fields)?;
                let fields = members(fields)?;
                let row = quote! {
                    impl #bounds crate::kernel::store::Row for #name #of {
                        fn read_members(from: &mut crate::kernel::store::Members<'_, '_>) -> Self {
                            #name { #(#fields)* }
                        }
                        fn columns() -> Option<Vec<&'static str>> { #columns }
                    }
                };
                let body = quote! {
                    if let crate::kernel::store::Tree::Text(text) = &from {
                        return crate::kernel::store::read_text(text, wrong);
                    }
                    let mut from = crate::kernel::store::Members::of(from, wrong);
                    let read = <Self as crate::kernel::store::Row>::read_members(&mut from);
                    from.end();
                    read
                };
                (row, body)
            }
            Fields::Unnamed(fields) => (TokenStream::new(), values(&quote!(#name), fields.unnamed.len())),
            Fields::Unit => return Err(unsupported()),
        },
        Data::Enum(data) => {
            let name_of = |variant: &Variant| snake_case(&variant.ident.unraw().to_string());
            let known: Vec<String> = data.variants.iter().map(name_of).collect();
            let mut arms = data.variants.iter().enumerate().map(|(at, variant)| arm(at, variant));
            let first = arms.next().ok_or_else(unsupported)??;
            let others = arms.collect::<Result<Vec<_>>>()?;
            let body = quote! {
                let (variant, from) = from.variant(&[#(#known),*], wrong);
                match variant { #(#others)* #first }
            };
            (TokenStream::new(), body)
        }
        Data::Union(_) => return Err(unsupported()),
    };
    // only a row of columns with names has any
    let columns = (!row.is_empty()).then(|| {
        quote! {
            fn crossing() -> Vec<&'static str> {
                <Self as crate::kernel::store::Row>::columns().unwrap_or_default()
            }
        }
    });
    Ok(quote! {
        #row
        impl #bounds crate::kernel::store::Column for #name #of {
            fn read(from: crate::kernel::store::Tree<'_>, wrong: &crate::kernel::store::WrongColumns) -> Self { #body }
            #columns
        }
    })
}

fn read_attributes(field: &Field) -> Result<Attributes> {
    Attributes::read(&field.attrs, "row", &["default", "flatten", "json", "long"])
}

/// The columns in the order of the fields. None if one may be absent, or is too long beside the others.
fn columns(fields: &FieldsNamed) -> Result<TokenStream> {
    let mut names = TokenStream::new();
    for field in &fields.named {
        let attributes = read_attributes(field)?;
        let name = field.ident.as_ref().map(|name| name.unraw().to_string()).unwrap_or_default();
        let column = if attributes.json { format!("json([{name}])") } else { format!("[{name}]") };
        let of = &field.ty;
        if attributes.default || attributes.long {
            return Ok(quote!(None));
        }
        names.extend(if attributes.flatten {
            quote!(names.extend(<#of as crate::kernel::store::Row>::columns()?);)
        } else {
            quote!(names.push(#column);)
        });
    }
    Ok(quote!({ let mut names = Vec::new(); #names Some(names) }))
}

fn members(fields: &FieldsNamed) -> Result<Vec<TokenStream>> {
    let member = |field: &Field| {
        let name = &field.ident;
        let member = name.as_ref().map(|name| name.unraw().to_string());
        let attributes = read_attributes(field)?;
        Ok(if attributes.flatten {
            quote!(#name: crate::kernel::store::Row::read_members(from),)
        } else if attributes.default {
            quote!(#name: from.optional(#member),)
        } else {
            quote!(#name: from.column(#member),)
        })
    };
    fields.named.iter().map(member).collect()
}

/// `variant` of a tree notes an unknown variant, and the first variant takes its place.
fn arm(at: usize, variant: &Variant) -> Result<TokenStream> {
    Attributes::read(&variant.attrs, "row", &[])?;
    let name = &variant.ident;
    let read = match &variant.fields {
        Fields::Unit => quote!(Self::#name),
        Fields::Unnamed(fields) => values(&quote!(Self::#name), fields.unnamed.len()),
        Fields::Named(_) => return Err(Error::new_spanned(variant, TYPES)),
    };
    let at = Index::from(at);
    Ok(if at.index == 0 { quote!(_ => { #read }) } else { quote!(#at => { #read }) })
}

/// Reads one value, or a list of several.
fn values(name: &TokenStream, count: usize) -> TokenStream {
    if count == 1 {
        return quote!(#name(crate::kernel::store::Column::read(from, wrong)));
    }
    let parts: Vec<_> = (0..count).map(|at| format_ident!("v{at}")).collect();
    quote!(let (#(#parts,)*) = crate::kernel::store::Column::read(from, wrong); #name(#(#parts),*))
}
