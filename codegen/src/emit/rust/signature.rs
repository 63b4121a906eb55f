//! Signatures: arguments and results of each function, and its plain version.

use syn::{Ident, Item, Type, parse_quote};

use super::names::Names;
use super::scope::Array;
use super::syntax::{doc, ident};
use crate::ir::FunctionKind;

/// Arguments besides model and time: name, type, entries.
pub struct Arguments {
    pub arrays: Vec<Array>,
    pub types: Vec<Type>,
    pub out: Option<(Ident, Type)>,
    pub returns: Option<Type>,
    pub fallible: bool,
}

/// Whether a function returns an error where it cannot divide.
pub fn is_fallible(kind: FunctionKind) -> bool {
    match kind {
        FunctionKind::Dqdt
        | FunctionKind::Rates
        | FunctionKind::Outputs
        | FunctionKind::Multipliers
        | FunctionKind::ProgramInputs
        | FunctionKind::AfterEvents
        | FunctionKind::Power
        | FunctionKind::InverseDynamicsConstrained
        | FunctionKind::Reactions => true,
        FunctionKind::MassMatrix
        | FunctionKind::Bias
        | FunctionKind::InverseDynamics
        | FunctionKind::Energy
        | FunctionKind::PositionConstraints
        | FunctionKind::VelocityConstraints
        | FunctionKind::Events
        | FunctionKind::Positions
        | FunctionKind::Saturation => false,
    }
}

/// What a function takes and gives.
pub fn arguments(kind: FunctionKind, names: &Names) -> Arguments {
    let state = || Array { name: "x", entries: [&names.q[..], &names.v, &names.z].concat() };
    let input = || Array { name: "u", entries: names.u.clone() };
    let pose = || Array { name: "q", entries: names.q.clone() };
    let acceleration = || Array { name: "a", entries: names.a.clone() };
    let (x, q, u, v): (Type, Type, Type, Type) =
        (parse_quote!(&[T; NX]), parse_quote!(&[T; NQ]), parse_quote!(&[T; NU]), parse_quote!(&[T; NV]));
    let out = |name: &str, ty: Type| Some((ident(name), ty));
    let speeds = |name| out(name, parse_quote!(&mut [T; NV]));
    let of =
        |arrays, types, out, returns| Arguments { arrays, types, out, returns, fallible: is_fallible(kind) };
    match kind {
        FunctionKind::Dqdt => {
            of(vec![state(), input()], vec![x, u], out("dx", parse_quote!(&mut [T; NX])), None)
        }
        FunctionKind::Rates => of(vec![state()], vec![x], out("dq", parse_quote!(&mut [T; NQ])), None),
        FunctionKind::MassMatrix => {
            of(vec![pose()], vec![q], out("m", parse_quote!(&mut [[T; NV]; NV])), None)
        }
        FunctionKind::Bias => of(vec![state()], vec![x], speeds("bias"), None),
        FunctionKind::InverseDynamics => {
            of(vec![state(), acceleration()], vec![x, v], speeds("effort"), None)
        }
        FunctionKind::InverseDynamicsConstrained => {
            let given = Array { name: "a", entries: names.independent.clone() };
            let (a, effort) = (parse_quote!(&[T; NI]), parse_quote!(&mut [T; NI]));
            of(vec![state(), given], vec![x, a], out("effort", effort), None)
        }
        FunctionKind::Energy => of(vec![state()], vec![x], None, Some(parse_quote!(Energy<T>))),
        FunctionKind::Outputs => {
            of(vec![state(), input()], vec![x, u], out("y", parse_quote!(&mut Outputs<T>)), None)
        }
        FunctionKind::Multipliers => {
            of(vec![state(), input()], vec![x, u], out("y", parse_quote!(&mut Multipliers<T>)), None)
        }
        FunctionKind::ProgramInputs => {
            of(vec![state(), input()], vec![x, u], out("y", parse_quote!(&mut ProgramInputs<T>)), None)
        }
        FunctionKind::PositionConstraints => {
            of(vec![state()], vec![x], None, Some(parse_quote!(PositionConstraints<T>)))
        }
        FunctionKind::VelocityConstraints => {
            of(vec![state()], vec![x], None, Some(parse_quote!(VelocityConstraints<T>)))
        }
        FunctionKind::Events => of(vec![state(), input()], vec![x, u], None, Some(parse_quote!(Events<T>))),
        FunctionKind::AfterEvents => {
            of(vec![state(), input()], vec![x, u], out("y", parse_quote!(&mut AfterEvents<T>)), None)
        }
        FunctionKind::Reactions => {
            of(vec![state(), input()], vec![x, u], out("y", parse_quote!(&mut Reactions<T>)), None)
        }
        FunctionKind::Power => {
            of(vec![state(), input()], vec![x, u], out("y", parse_quote!(&mut Power<T>)), None)
        }
        FunctionKind::Positions => of(vec![pose()], vec![q], None, Some(parse_quote!(Positions<T>))),
        FunctionKind::Saturation => {
            of(vec![state(), input()], vec![x, u], None, Some(parse_quote!(([T; NU], [T::Mask; NU]))))
        }
    }
}

/// The plain version: compiled here, whatever the crate that calls it is optimised for.
pub fn plain(kind: FunctionKind, arguments: &Arguments) -> Item {
    let generic = ident(kind.name());
    let name = ident(&format!("{generic}_f64"));
    let about = doc(&[format!("[`{generic}()`] for `f64`, compiled in the crate that holds this module.")]);
    let mut about = about;
    if arguments.fallible {
        about.extend(doc(&[String::new(), "# Errors".to_owned(), format!("As [`{generic}()`].")]));
    }
    let arrays: Vec<Ident> = arguments.arrays.iter().map(|a| ident(a.name)).collect();
    let types: Vec<Type> = arguments
        .arrays
        .iter()
        .map(|a| match a.name {
            "x" => parse_quote!(&[f64; NX]),
            "u" => parse_quote!(&[f64; NU]),
            "q" => parse_quote!(&[f64; NQ]),
            "a" if kind == FunctionKind::InverseDynamicsConstrained => parse_quote!(&[f64; NI]),
            _ => parse_quote!(&[f64; NV]),
        })
        .collect();
    let (out, out_type): (Vec<Ident>, Vec<Type>) = arguments
        .out
        .iter()
        .map(|(name, _)| {
            let ty: Type = match kind {
                FunctionKind::Dqdt => parse_quote!(&mut [f64; NX]),
                FunctionKind::Rates => parse_quote!(&mut [f64; NQ]),
                FunctionKind::MassMatrix => parse_quote!(&mut [[f64; NV]; NV]),
                FunctionKind::InverseDynamicsConstrained => parse_quote!(&mut [f64; NI]),
                FunctionKind::Outputs => parse_quote!(&mut Outputs<f64>),
                FunctionKind::Multipliers => parse_quote!(&mut Multipliers<f64>),
                FunctionKind::AfterEvents => parse_quote!(&mut AfterEvents<f64>),
                FunctionKind::Reactions => parse_quote!(&mut Reactions<f64>),
                FunctionKind::ProgramInputs => parse_quote!(&mut ProgramInputs<f64>),
                FunctionKind::Power => parse_quote!(&mut Power<f64>),
                _ => parse_quote!(&mut [f64; NV]),
            };
            // The function `bias` must not be hidden by an argument.
            (if kind == FunctionKind::Bias { ident("out") } else { name.clone() }, ty)
        })
        .unzip();
    let returns: syn::ReturnType = match kind {
        FunctionKind::Energy => parse_quote!(-> Energy<f64>),
        FunctionKind::Positions => parse_quote!(-> Positions<f64>),
        FunctionKind::Events => parse_quote!(-> Events<f64>),
        FunctionKind::PositionConstraints => parse_quote!(-> PositionConstraints<f64>),
        FunctionKind::VelocityConstraints => parse_quote!(-> VelocityConstraints<f64>),
        FunctionKind::Saturation => parse_quote!(-> ([f64; NU], [bool; NU])),
        _ if arguments.fallible => parse_quote!(-> ::core::result::Result<(), ::dqdt::Singular>),
        _ => syn::ReturnType::Default,
    };
    parse_quote! {
        #(#about)*
        #[allow(dead_code)]
        #[inline(never)]
        pub fn #name(
            model: &Model<f64>, t: f64, #(#arrays: #types,)* #(#out: #out_type,)*
        ) #returns {
            #generic(model, t, #(#arrays,)* #(#out,)*)
        }
    }
}
