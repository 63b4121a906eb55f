//! Sizes, index constants, `Params`.

use proc_macro2::Span;
use quote::quote;
use syn::{Item, LitInt, parse_quote};

use super::function::Names;
use super::items::style;
use super::literal::literal;
use super::syntax::{doc, ident, prose};
use crate::ir::{Program, Slot, Taken, identifier};

/// `description [unit]`, or the name where there is no description.
pub fn meaning(slot: &Slot) -> String {
    let text = if slot.description.is_empty() { &slot.name } else { &slot.description };
    let unit = if slot.unit.is_empty() { "1" } else { &slot.unit };
    format!("{} \\[{}\\]", prose(text), prose(unit))
}

fn constant(name: &str, value: usize, about: &str) -> Item {
    let value = LitInt::new(&value.to_string(), Span::call_site());
    let name = ident(name);
    let about = doc(&[about.to_owned()]);
    parse_quote!(#(#about)* pub const #name: usize = #value;)
}

/// Constants and parameters.
pub fn items(program: &Program, names: &Names) -> Vec<Item> {
    let l = &program.layout;
    let (nq, nv, nz) = (l.q.len(), l.v.len(), l.z.len());
    let mut items = vec![
        constant("NQ", nq, "Number of coordinates q."),
        constant("NV", nv, "Number of speeds v."),
        constant("NZ", nz, "Number of user states z."),
        constant("NU", l.u.len(), "Number of inputs u."),
        constant("NX", nq + nv + nz, "Length of the state x = (q, v, z)."),
        constant("NP", l.p.len(), "Number of parameters."),
    ];
    let mut taken = Taken::default();
    let groups = [("Q", &l.q, 0, "x"), ("V", &l.v, nq, "x"), ("Z", &l.z, nq + nv, "x"), ("U", &l.u, 0, "u")];
    for (letter, slots, start, array) in groups {
        for (i, slot) in slots.iter().enumerate() {
            let name = taken.unique(&format!("{letter}_{}", identifier(&slot.name).to_uppercase()));
            items.push(constant(&name, start + i, &format!("Index in {array}: {}.", meaning(slot))));
        }
    }
    items.extend(params(program, names));
    items
}

fn params(program: &Program, names: &Names) -> Vec<Item> {
    let about = doc(&[format!("Parameters of {}.", prose(&program.name))]);
    if program.layout.p.is_empty() {
        return vec![
            parse_quote! {
                #(#about)*
                #[derive(Clone, Copy, Debug, PartialEq)]
                pub struct Params<T = f64> {
                    /// There are none.
                    pub none: ::core::marker::PhantomData<T>,
                }
            },
            parse_quote! {
                impl<T: ::dqdt::Real> ::core::default::Default for Params<T> {
                    fn default() -> Self {
                        Self { none: ::core::marker::PhantomData }
                    }
                }
            },
        ];
    }
    let fields: Vec<_> = names.parameters.iter().map(|p| ident(p)).collect();
    let docs: Vec<_> = program
        .layout
        .p
        .iter()
        .map(|slot| {
            doc(&[format!("{}; {} by default.", meaning(slot), super::literal::text_signed(slot.value))])
        })
        .map(|attributes| quote!(#(#attributes)*))
        .collect();
    let values = program.layout.p.iter().map(|slot| literal(slot.value));
    let style = style(names.parameters.iter().map(String::as_str));
    vec![
        parse_quote! {
            #(#about)*
            #[derive(Clone, Copy, Debug, PartialEq)]
            #(#style)*
            pub struct Params<T = f64> {
                #(#docs pub #fields: T,)*
            }
        },
        parse_quote! {
            impl<T: ::dqdt::Real> ::core::default::Default for Params<T> {
                fn default() -> Self {
                    Self { #(#fields: T::from_f64(#values),)* }
                }
            }
        },
    ]
}
