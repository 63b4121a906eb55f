//! Structs of results, and tables.

use proc_macro2::Span;
use quote::quote;
use syn::{Expr, Item, LitInt, Stmt, Type, parse_quote};

use super::literal::literal;
use super::scope::table_names;
use super::syntax::{array, assign, code, doc, ident, index, path, prose};
use crate::ir::{FunctionOutput, NodeId, Op, Program, Shape, needed, roots};

fn number(n: usize) -> LitInt {
    LitInt::new(&n.to_string(), Span::call_site())
}

/// The type of an output.
pub fn shape_type(shape: Shape) -> Type {
    match shape {
        Shape::Scalar => parse_quote!(T),
        Shape::Vector(n) => {
            let n = number(n);
            parse_quote!([T; #n])
        }
        Shape::Matrix(rows, columns) => {
            let (rows, columns) = (number(rows), number(columns));
            parse_quote!([[T; #columns]; #rows])
        }
    }
}

/// Values in the shape of an output. Where most are zero, an array of zeros into which the others are written.
pub fn shaped(shape: Shape, values: Vec<Expr>) -> Expr {
    let zero: Expr = parse_quote!(T::ZERO);
    if mostly_zero(values.len(), values.iter().filter(|v| **v == zero).count()) {
        return sparse(shape, values, &zero);
    }
    match shape {
        Shape::Scalar => values.into_iter().next().unwrap_or(zero),
        Shape::Vector(_) => array(values),
        Shape::Matrix(_, columns) => {
            array(values.chunks(columns.max(1)).map(|row| array(row.to_vec())).collect())
        }
    }
}

/// An array of fewer values is written out.
const FEW: usize = 6;

/// Whether an array starts as zeros, because that is shorter.
fn mostly_zero(values: usize, zeros: usize) -> bool {
    values >= FEW && zeros * 2 > values
}

/// The same of an output whose entries are assigned one by one anyway: any zero is worth it.
pub fn is_sparse(output: &FunctionOutput, is_zero: &dyn Fn(NodeId) -> bool) -> bool {
    output.nodes.len() >= FEW && output.nodes.iter().filter(|n| is_zero(**n)).count() > 1
}

fn sparse(shape: Shape, values: Vec<Expr>, zero: &Expr) -> Expr {
    let zeros = zeros(shape);
    let entries: Vec<(usize, Expr)> = values.into_iter().enumerate().filter(|(_, v)| v != zero).collect();
    if entries.is_empty() {
        return zeros;
    }
    let name = path("entries");
    let place = |i: usize| match shape {
        Shape::Matrix(_, columns) => {
            let columns = columns.max(1);
            index(index(name.clone(), i / columns), i % columns)
        }
        _ => index(name.clone(), i),
    };
    let assigned: Vec<Stmt> = entries.into_iter().map(|(i, v)| assign(place(i), v)).collect();
    parse_quote!({ let mut #name = #zeros; #(#assigned)* #name })
}

/// Zeros in the shape of an output.
pub fn zeros(shape: Shape) -> Expr {
    match shape {
        Shape::Scalar => parse_quote!(T::ZERO),
        Shape::Vector(n) => {
            let n = number(n);
            parse_quote!([T::ZERO; #n])
        }
        Shape::Matrix(rows, columns) => {
            let (rows, columns) = (number(rows), number(columns));
            parse_quote!([[T::ZERO; #columns]; #rows])
        }
    }
}

/// `pub struct Name<T = f64>` with one field an output, and its `Default` (zeros).
pub fn struct_of(name: &str, about: &str, outputs: &[FunctionOutput], fields: &[String]) -> Vec<Item> {
    let ident_of = ident(name);
    let about = doc(&[about.to_owned()]);
    let types: Vec<Type> = outputs.iter().map(|o| shape_type(o.shape)).collect();
    let zeros: Vec<Expr> = outputs.iter().map(|o| zeros(o.shape)).collect();
    let docs: Vec<_> = outputs
        .iter()
        .map(|o| {
            let text = if o.description.is_empty() { &o.name } else { &o.description };
            doc(&[format!("{}, in {}.", prose(text), code(&o.unit))])
        })
        .map(|attributes| quote!(#(#attributes)*))
        .collect();
    let idents: Vec<_> = fields.iter().map(|f| ident(f)).collect();
    let style = style(fields.iter().map(String::as_str));
    vec![
        parse_quote! {
            #(#about)*
            #[derive(Clone, Copy, Debug, PartialEq)]
            #(#style)*
            pub struct #ident_of<T = f64> {
                #(#docs pub #idents: #types,)*
            }
        },
        parse_quote! {
            impl<T: ::dqdt::Real> ::core::default::Default for #ident_of<T> {
                fn default() -> Self {
                    Self { #(#idents: #zeros,)* }
                }
            }
        },
    ]
}

/// Silences what is a matter of taste: items that nobody uses, and capital letters in names where physics writes them.
pub fn style<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<syn::Attribute> {
    if names.into_iter().all(is_snake) {
        return vec![parse_quote!(#[allow(dead_code)])];
    }
    vec![parse_quote!(#[allow(dead_code, non_snake_case)])]
}

fn is_snake(name: &str) -> bool {
    !name.contains(|c: char| c.is_ascii_uppercase()) && !name.trim_end_matches('_').contains("__")
}

/// Knots and rows of the tables that are used, as statics.
pub fn tables(program: &Program) -> Vec<Item> {
    let graph = &program.graph;
    let all: Vec<NodeId> = program.functions.iter().flat_map(roots).collect();
    let mut used = std::collections::BTreeSet::new();
    for (index, _) in needed(graph, &all).iter().enumerate().filter(|(_, n)| **n) {
        if let Op::Table(t) = graph.node(NodeId(index as u32)).op {
            used.insert(t);
        }
    }
    let mut items = Vec::new();
    for t in used {
        let table = graph.table_data(t);
        let (mut knots, mut rows) = (table.knots.clone(), table.coefficients.clone());
        // The runtime keeps the first value below the first knot; a table that does not gets one more knot.
        if let (Some(knot), Some(row)) = (knots.first().copied(), rows.first().copied())
            && row[0] != table.before
        {
            knots.insert(0, knot - 1.0);
            rows.insert(0, [table.before, 0.0, 0.0, 0.0]);
        }
        let (knots_name, rows_name) = table_names(t);
        let (knots_name, rows_name) = (ident(&knots_name), ident(&rows_name));
        let (n, m) = (number(knots.len()), number(rows.len()));
        let knots = array(knots.into_iter().map(literal).collect());
        let rows = array(rows.into_iter().map(|r| array(r.map(literal).to_vec())).collect());
        items.push(parse_quote!(static #knots_name: [f64; #n] = #knots;));
        items.push(parse_quote!(static #rows_name: [[f64; 4]; #m] = #rows;));
    }
    items
}
