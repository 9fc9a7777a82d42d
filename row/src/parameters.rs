//! The code that `#[derive(Parameters)]` generates.

use crate::attributes::{Attributes, snake_case};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Data, DataEnum, DeriveInput, Error, Fields, FieldsNamed, Result};

const TYPES: &str = "derive(Parameters) supports structs with named fields and enums whose variants hold no data";

pub fn written(item: &DeriveInput) -> Result<TokenStream> {
    match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => of_struct(item, fields),
            _ => Err(Error::new_spanned(&item.ident, TYPES)),
        },
        Data::Enum(data) if item.generics.params.is_empty() => of_enum(item, data),
        _ => Err(Error::new_spanned(&item.ident, TYPES)),
    }
}

fn of_struct(item: &DeriveInput, fields: &FieldsNamed) -> Result<TokenStream> {
    let is_default = Attributes::read(&item.attrs, "param", &["default"])?.default;
    let mut generics = item.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!(crate::kernel::params::scalar::Parameter));
    }
    let (bounds, of, _) = generics.split_for_impl();
    let (mut names, mut reads) = (Vec::new(), Vec::new());
    for field in &fields.named {
        let Some(name) = &field.ident else { continue };
        let known = ["default", "flatten", "rename", "skip"];
        let attributes = Attributes::read(&field.attrs, "param", &known)?;
        let parameter = attributes.rename.unwrap_or_else(|| name.unraw().to_string());
        reads.push(if attributes.skip {
            quote!(#name: Default::default(),)
        } else if attributes.flatten {
            quote!(#name: from.flattened(),)
        } else if is_default || attributes.default {
            quote!(#name: from.optional(#parameter),)
        } else {
            quote!(#name: from.required(#parameter),)
        });
        if !attributes.skip && !attributes.flatten {
            names.push(parameter);
        }
    }
    let name = &item.ident;
    Ok(quote! {
        impl #bounds crate::kernel::params::read::Parameters for #name #of {
            const NAMES: &'static [&'static str] = &[#(#names),*];
            fn read_fields(from: &crate::kernel::params::read::Fields<'_>) -> Self { #name { #(#reads)* } }
        }
    })
}

fn of_enum(item: &DeriveInput, data: &DataEnum) -> Result<TokenStream> {
    let verbatim = Attributes::read(&item.attrs, "param", &["verbatim"])?.verbatim;
    let (mut variants, mut words) = (Vec::new(), Vec::new());
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(variant, TYPES));
        }
        let attributes = Attributes::read(&variant.attrs, "param", &["rename"])?;
        let name = variant.ident.unraw().to_string();
        words.push(attributes.rename.unwrap_or_else(|| if verbatim { name } else { snake_case(&name) }));
        variants.push(&variant.ident);
    }
    let first = variants.first().ok_or_else(|| Error::new_spanned(&item.ident, TYPES))?;
    let (name, at) = (&item.ident, 0..variants.len());
    Ok(quote! {
        #[allow(dead_code)]
        impl #name {
            /// The word that stands for it.
            pub fn word(self) -> &'static str { match self { #(Self::#variants => #words,)* } }
        }
        impl Default for #name {
            fn default() -> Self { Self::#first }
        }
        impl crate::kernel::params::scalar::Parameter for #name {
            fn read(from: crate::kernel::params::scalar::Scalar<'_>) -> Self {
                match from.word(Self::WORDS) { #(#at => Self::#variants,)* _ => Self::default() }
            }
            const WORDS: &'static [&'static str] = &[#(#words),*];
        }
    })
}
