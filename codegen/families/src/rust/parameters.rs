//! Emits `Params` of a family: one array per kind, with unit, meaning and default.

use syn::{Expr, Ident, Item, Type, parse_quote};

use super::names::FamilyNames;
use crate::indexed::{Default, FamilyProgram, FamilySymbol, name_with_placeholder};
use dqdt_algebra::Ratio;
use dqdt_print::rust::items::allow_upper_case;
use dqdt_print::rust::literal::number_literal;
use dqdt_print::rust::prose::{doc_attributes, escape_prose, inline_code};
use dqdt_print::rust::syntax::{div, ident, mul, name_expression};

/// Emits the struct `Params`, and its `Default` if all parameters have a default for any n.
pub(super) fn emit_params(program: &FamilyProgram, names: &FamilyNames) -> Vec<Item> {
    let kinds = &program.parameters;
    let mut about = vec![format!(
        "Parameters of {}, for any n; {{i}} is an index from 1 to n.",
        escape_prose(&program.name)
    )];
    if !all_have_defaults(program) {
        let without = kinds
            .iter()
            .filter(|k| k.default.is_none())
            .map(|k| inline_code(&name_with_placeholder(&k.stem)));
        let without = without.collect::<Vec<_>>().join(", ");
        about.extend([
            String::new(),
            format!("`Default` is not implemented, because the values of these parameters in the spec are not a known function of the index for any n: {without}."),
        ]);
    }
    let about = doc_attributes(&about);
    let fields: Vec<Ident> = names.parameters.iter().map(|f| ident(f)).collect();
    let types = kinds.iter().map(|k| -> Type {
        if k.stem.indexed { parse_quote!([T; N]) } else { parse_quote!(T) }
    });
    let docs = kinds.iter().map(|k| {
        let value =
            k.default.as_ref().map_or_else(String::new, |d| format!("; {} by default", default_text(d)));
        let attributes = doc_attributes(&[format!("{}{value}.", describe_kind(k))]);
        quote::quote!(#(#attributes)*)
    });
    // Without fields the struct would not use its type parameter.
    let none = kinds.is_empty().then(|| {
        quote::quote! {
            /// Placeholder, because the family has no parameters.
            pub none: ::core::marker::PhantomData<T>,
        }
    });
    let style = allow_upper_case(names.parameters.iter().map(String::as_str));
    let mut items: Vec<Item> = vec![parse_quote! {
        #(#about)*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(dead_code)]
        #style
        pub struct Params<T, const N: usize> {
            #(#docs pub #fields: #types,)*
            #none
        }
    }];
    if all_have_defaults(program) {
        items.push(emit_params_default(kinds, &fields));
    }
    items
}

/// Emits `Default` for `Params`, whose fields have these names.
fn emit_params_default(kinds: &[FamilySymbol], fields: &[Ident]) -> Item {
    let none = kinds.is_empty().then(|| quote::quote!(none: ::core::marker::PhantomData,));
    let values = kinds.iter().filter_map(|k| Some(default_expression(k, k.default.as_ref()?)));
    let formulas = kinds.iter().filter_map(|k| match &k.default {
        Some(Default::Formula { terms, .. }) => Some(terms),
        _ => None,
    });
    let size = formulas.flatten().any(|(_, [_, n])| *n != 0);
    let size = size.then(|| quote::quote!(let n = N as f64;));
    parse_quote! {
        impl<T: ::dqdt::Real, const N: usize> ::core::default::Default for Params<T, N> {
            fn default() -> Self {
                #size
                Self { #(#fields: #values,)* #none }
            }
        }
    }
}

/// True if each kind of parameter has a default for any n.
pub(super) fn all_have_defaults(program: &FamilyProgram) -> bool {
    program.parameters.iter().all(|k| k.default.is_some())
}

/// Description and unit of a kind of symbol, for emitted documentation.
pub(super) fn describe_kind(kind: &FamilySymbol) -> String {
    format!("{}, in {}", escape_prose(&kind.meaning), inline_code(&kind.unit))
}

/// The factors of a printed default that are not one.
fn drop_unit_factors(all: Vec<(String, bool)>) -> Vec<String> {
    all.into_iter().filter(|(_, needed)| *needed).map(|(factor, _)| factor).collect()
}

/// A default value as text such as `2*i/n`, for emitted documentation.
fn default_text(default: &Default) -> String {
    match default {
        Default::Constant(x) => format!("{:?}", x.to_f64()),
        Default::Formula { times_pi: of_pi, terms } => {
            let mut out = String::new();
            for (k, (r, [i, n])) in terms.iter().enumerate() {
                let negative = *r < Ratio::ZERO;
                out.push_str(match (k, negative) {
                    (0, true) => "-",
                    (0, false) => "",
                    (_, true) => " - ",
                    (_, false) => " + ",
                });
                let mut over = vec![(r.num().unsigned_abs().to_string(), r.num().unsigned_abs() != 1)];
                over.push(("pi".to_owned(), *of_pi));
                let mut under = vec![(r.den().to_string(), r.den() != 1)];
                for (name, exponent) in [("i", *i), ("n", *n)] {
                    let power = if exponent.abs() > 1 {
                        format!("{name}^{}", exponent.abs())
                    } else {
                        name.to_owned()
                    };
                    if exponent < 0 { &mut under } else { &mut over }.push((power, exponent != 0));
                }
                let (over, under) = (drop_unit_factors(over), drop_unit_factors(under));
                out.push_str(&if over.is_empty() { "1".to_owned() } else { over.join("*") });
                for factor in under {
                    out.push('/');
                    out.push_str(&factor);
                }
            }
            format!("`{out}`")
        }
    }
}

/// A default value as a Rust expression; an array if the parameter is indexed.
fn default_expression(kind: &FamilySymbol, default: &Default) -> Expr {
    match default {
        Default::Constant(x) => {
            let x = number_literal(x.to_f64());
            if kind.stem.indexed { parse_quote!([T::from_f64(#x); N]) } else { parse_quote!(T::from_f64(#x)) }
        }
        Default::Formula { times_pi: of_pi, terms } => {
            let mut sum: Option<Expr> = None;
            for (r, powers) in terms {
                let x = if *of_pi { r.to_f64() * std::f64::consts::PI } else { r.to_f64() };
                let x = default_term(number_literal(x), *powers);
                sum = Some(match sum {
                    Some(sum) => parse_quote!(#sum + #x),
                    None => x,
                });
            }
            let sum = sum.unwrap_or_else(|| number_literal(0.0));
            if !kind.stem.indexed {
                return parse_quote!(T::from_f64(#sum));
            }
            if terms.iter().all(|(_, [i, _])| *i == 0) {
                return parse_quote!([T::from_f64(#sum); N]);
            }
            parse_quote!(::core::array::from_fn(|k| {
                let i = (k + 1) as f64;
                T::from_f64(#sum)
            }))
        }
    }
}

/// The Rust expression of a coefficient times powers of i and n.
fn default_term(coefficient: Expr, [i, n]: [i32; 2]) -> Expr {
    [("i", i), ("n", n)].into_iter().fold(coefficient, |product, (name, exponent)| {
        let times = if exponent < 0 { div } else { mul };
        (0..exponent.unsigned_abs()).fold(product, |product, _| times(product, name_expression(name)))
    })
}
