//! Sizes, index constants, `Params`.

use proc_macro2::Span;
use quote::quote;
use syn::{Item, LitInt, parse_quote};

use super::items::style;
use super::literal::literal;
use super::names::ModuleNames;
use super::syntax::{code, doc, ident, prose};
use crate::ir::declaration::Vector;
use crate::ir::{Program, Slot};

/// What emitted code asks of the runtime; the runtime says which of them it knows, in `dqdt::format`.
const FORMAT: u32 = 1;

/// The description, or the name where there is none.
pub fn meaning(slot: &Slot) -> String {
    prose(if slot.description.is_empty() { &slot.name } else { &slot.description })
}

fn constant(name: &str, value: usize, about: &str) -> Item {
    let value = LitInt::new(&value.to_string(), Span::call_site());
    let name = ident(name);
    let about = doc(&[about.to_owned()]);
    parse_quote!(#(#about)* pub const #name: usize = #value;)
}

/// Constants and parameters.
pub fn items(program: &Program, names: &ModuleNames) -> Vec<Item> {
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
    let groups = [(&l.q, 0, "x"), (&l.v, nq, "x"), (&l.z, nq + nv, "x"), (&l.u, 0, "u")];
    for ((slots, start, array), names) in groups.into_iter().zip(&names.indices) {
        for (i, (slot, name)) in slots.iter().zip(names).enumerate() {
            let about = format!("Index in {array} of {}, in {}.", meaning(slot), code(&slot.unit));
            items.push(constant(name, start + i, &about));
        }
    }
    // A user need not use every one of them; the compiler would warn of those in a private module.
    let used = items.iter().filter_map(|item| match item {
        Item::Const(c) => Some(c.ident.clone()),
        _ => None,
    });
    let used: Vec<syn::Ident> = used.collect();
    let n = LitInt::new(&used.len().to_string(), Span::call_site());
    items.push(parse_quote!(const _: [usize; #n] = [#(#used),*];));
    let format = LitInt::new(&FORMAT.to_string(), Span::call_site());
    items.push(parse_quote!(const _: () = ::dqdt::format::<#format>();));
    let start: Vec<_> = l.q.iter().chain(&l.v).chain(&l.z).map(|slot| literal(slot.value)).collect();
    let about = doc(&["State that the spec starts from, at the default parameters.".to_owned()]);
    items.push(parse_quote!(#(#about)* #[allow(dead_code)] pub const START: [f64; NX] = [#(#start),*];));
    items.extend(rows("NPC", "POSITION_ROWS", &l.position_rows, "constraints of the coordinates"));
    items.extend(rows("NVC", "VELOCITY_ROWS", &l.velocity_rows, "constraints of the speeds"));
    items.extend(independent(program));
    let events: Vec<String> = l.events.iter().map(|e| e.name.clone()).collect();
    items.extend(rows("NE", "EVENTS", &events, "events"));
    items.extend(params(program, names));
    items.extend(super::quantities::items(program, names));
    items
}

/// Number and names of the rows of constraints, or of events; nothing where there are none.
fn rows(size: &str, list: &str, rows: &[String], what: &str) -> Vec<Item> {
    if rows.is_empty() {
        return Vec::new();
    }
    let (size, list) = (ident(size), ident(list));
    let n = LitInt::new(&rows.len().to_string(), Span::call_site());
    let (number, names) = (doc(&[format!("Number of {what}.")]), doc(&[format!("Names of the {what}.")]));
    vec![
        parse_quote!(#(#number)* #[allow(dead_code)] pub const #size: usize = #n;),
        parse_quote!(#(#names)* #[allow(dead_code)] pub const #list: [&str; #size] = [#(#rows),*];),
    ]
}

/// The independent speeds, where a function takes their accelerations.
fn independent(program: &Program) -> Vec<Item> {
    if !program.functions.iter().any(|f| f.declaration.takes(Vector::IndependentAccelerations)) {
        return Vec::new();
    }
    let indices = &program.layout.independent_speeds;
    let number = |i: usize| LitInt::new(&i.to_string(), Span::call_site());
    let (n, all) = (number(indices.len()), indices.iter().map(|i| number(*i)));
    vec![
        parse_quote!(#[doc = " Number of independent speeds."] #[allow(dead_code)] pub const NI: usize = #n;),
        parse_quote! {
            #[doc = " Index in v of the independent speeds: the others follow from them."]
            #[allow(dead_code)]
            pub const INDEPENDENT: [usize; NI] = [#(#all),*];
        },
    ]
}

fn params(program: &Program, names: &ModuleNames) -> Vec<Item> {
    let about = doc(&[format!("Parameters of {}.", prose(&program.name))]);
    if program.layout.p.is_empty() {
        return vec![
            parse_quote! {
                            #(#about)*
                            #[allow(dead_code)]
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
            let value = super::literal::text_signed(slot.value);
            doc(&[format!("{}, in {}; {value} by default.", meaning(slot), code(&slot.unit))])
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
