//! Signatures: arguments and results of each function, and its plain version.

use syn::{Ident, Item, Type, parse_quote};

use super::names::Names;
use super::scope::Array;
use super::syntax::{doc, ident};
use crate::ir::Declaration;
use crate::ir::declaration::{Returns, Vector};

/// Arguments besides model and time: name, type, entries.
pub struct Arguments {
    pub arrays: Vec<Array>,
    pub types: Vec<Type>,
    pub out: Option<(Ident, Type)>,
    pub returns: Option<Type>,
}

/// The constant that is the length of a vector.
fn length(vector: Vector) -> Ident {
    ident(match vector {
        Vector::State => "NX",
        Vector::Coordinates => "NQ",
        Vector::Speeds | Vector::Accelerations => "NV",
        Vector::IndependentAccelerations => "NI",
        Vector::Inputs => "NU",
    })
}

/// An array as long as these vectors.
fn array_type(dims: &[Vector], scalar: &Type) -> Type {
    dims.iter().rev().fold(scalar.clone(), |inner, vector| {
        let n = length(*vector);
        parse_quote!([#inner; #n])
    })
}

/// What a function takes and gives over a scalar with these masks.
pub fn arguments(declaration: &Declaration, names: &Names, scalar: &Type, mask: &Type) -> Arguments {
    let entries = |vector: Vector| match vector {
        Vector::State => [&names.q[..], &names.v, &names.z].concat(),
        Vector::Coordinates => names.q.clone(),
        Vector::Speeds => names.v.clone(),
        Vector::Accelerations => names.a.clone(),
        Vector::IndependentAccelerations => names.independent.clone(),
        Vector::Inputs => names.u.clone(),
    };
    let given = declaration.arguments;
    let arrays = given.iter().map(|a| Array { name: a.name, entries: entries(a.vector) }).collect();
    let types = given.iter().map(|a| {
        let ty = array_type(&[a.vector], scalar);
        parse_quote!(&#ty)
    });
    let (out, returns) = match declaration.returns {
        Returns::Array { name, dims } => {
            let ty = array_type(dims, scalar);
            (Some((ident(name), parse_quote!(&mut #ty))), None)
        }
        Returns::Struct { name, .. } => {
            let name = ident(name);
            // Beside the verdict there is no place for a value.
            if declaration.checked {
                (Some((ident("y"), parse_quote!(&mut #name<#scalar>))), None)
            } else {
                (None, Some(parse_quote!(#name<#scalar>)))
            }
        }
        Returns::Limited { of } => {
            let (values, flags) = (array_type(&[of.vector], scalar), array_type(&[of.vector], mask));
            (None, Some(parse_quote!((#values, #flags))))
        }
    };
    Arguments { arrays, types: types.collect(), out, returns }
}

/// The plain version: compiled here, whatever the crate that calls it is optimised for.
pub fn plain(declaration: &Declaration, names: &Names) -> Item {
    let of = arguments(declaration, names, &parse_quote!(f64), &parse_quote!(bool));
    let generic = ident(declaration.name);
    let name = ident(&format!("{generic}_f64"));
    let about = doc(&[format!("[`{generic}()`] for `f64`, compiled in the crate that holds this module.")]);
    let mut about = about;
    if declaration.checked {
        about.extend(doc(&[String::new(), "# Errors".to_owned(), format!("As [`{generic}()`].")]));
    }
    let arrays: Vec<Ident> = of.arrays.iter().map(|a| ident(a.name)).collect();
    let types = &of.types;
    // The function must not be hidden by an argument of its name.
    let (out, out_type): (Vec<Ident>, Vec<Type>) =
        of.out.into_iter().map(|(out, ty)| (if out == generic { ident("out") } else { out }, ty)).unzip();
    let returns: syn::ReturnType = match of.returns {
        Some(ty) => parse_quote!(-> #ty),
        None if declaration.checked => parse_quote!(-> ::core::result::Result<(), ::dqdt::Singular>),
        None => syn::ReturnType::Default,
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
