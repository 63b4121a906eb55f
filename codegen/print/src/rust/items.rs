//! Emits structs of results, and tables.

use syn::{Expr, Item, Stmt, parse_quote};

use super::data::{self, MacroCall, ModulePart, string_literal};
use super::literal::number_literal;
use super::prose::{escape_prose, inline_code};
use super::syntax::{
    array_expression, assignment_statement, ident, index_expression, int_literal, name_expression,
};
use crate::code::tables;
use crate::tree::FEW_VALUES;
use dqdt_graph::ir::{FunctionOutput, NodeId, Program, ResultShape};

/// Rust expression of the values of an output in its shape; `expression` converts a node. If most
/// are zero, the others are assigned to entries of an array of zeros.
pub fn output_expression(
    output: &FunctionOutput,
    is_zero: &dyn Fn(NodeId) -> bool,
    mut expression: impl FnMut(NodeId) -> Expr,
) -> Expr {
    let (shape, nodes) = (output.shape, &output.nodes);
    let zeros = nodes.iter().filter(|n| is_zero(**n)).count();
    if is_mostly_zero(nodes.len(), zeros) {
        let others = nodes.iter().enumerate().filter(|(_, n)| !is_zero(**n));
        return sparse_array_expression(shape, others.map(|(i, n)| (i, expression(*n))).collect());
    }
    let values: Vec<Expr> = nodes.iter().map(|n| expression(*n)).collect();
    match shape {
        ResultShape::Scalar => values.into_iter().next().unwrap_or_else(|| parse_quote!(T::ZERO)),
        ResultShape::Vector(_) => array_expression(values),
        ResultShape::Matrix(_, columns) => array_expression(
            values.chunks(columns.max(1)).map(|row| array_expression(row.to_vec())).collect(),
        ),
    }
}

/// Returns `true` if an emitted array should start as zeros, because that is shorter.
fn is_mostly_zero(values: usize, zeros: usize) -> bool {
    values >= FEW_VALUES && zeros * 2 > values
}

fn sparse_array_expression(shape: ResultShape, entries: Vec<(usize, Expr)>) -> Expr {
    let zeros = zeros_expression(shape);
    if entries.is_empty() {
        return zeros;
    }
    let name = name_expression("entries");
    let assignments: Vec<Stmt> = entries
        .into_iter()
        .map(|(i, v)| assignment_statement(entry_expression(&name, shape, i), v))
        .collect();
    parse_quote!({ let mut #name = #zeros; #(#assignments)* #name })
}

/// Rust expression for entry `i` of an array of this shape.
fn entry_expression(array: &Expr, shape: ResultShape, i: usize) -> Expr {
    match shape {
        ResultShape::Matrix(_, columns) => {
            let columns = columns.max(1);
            index_expression(index_expression(array.clone(), i / columns), i % columns)
        }
        _ => index_expression(array.clone(), i),
    }
}

/// Rust expression of zeros in the shape of an output: a scalar, an array or nested arrays.
pub fn zeros_expression(shape: ResultShape) -> Expr {
    match shape {
        ResultShape::Scalar => parse_quote!(T::ZERO),
        ResultShape::Vector(n) => {
            let n = int_literal(n);
            parse_quote!([T::ZERO; #n])
        }
        ResultShape::Matrix(rows, columns) => {
            let (rows, columns) = (int_literal(rows), int_literal(columns));
            parse_quote!([[T::ZERO; #columns]; #rows])
        }
    }
}

/// Struct of a function's results, with one field for each output, as a call of the runtime macro
/// `results`.
pub fn result_struct(name: &str, about: &str, outputs: &[FunctionOutput], fields: &[String]) -> ModulePart {
    let rows: Vec<Vec<String>> =
        outputs.iter().zip(fields).map(|(output, field)| result_field_row(output, field)).collect();
    MacroCall::new("results")
        .push_doc_lines(1, [&about.to_owned()])
        .push_section(1, name, &rows)
        .finish_call()
}

/// Name, type and description of a field of a result struct, as a row of the macro call.
fn result_field_row(output: &FunctionOutput, field: &str) -> Vec<String> {
    let text = escape_prose(if output.description.is_empty() { &output.name } else { &output.description });
    // An output without a common unit describes units in its text.
    let text =
        if output.unit.is_empty() { text } else { format!("{text}, in {}", inline_code(&output.unit)) };
    vec![data::identifier_text(field) + ":", type_text(output.shape), format!("= {};", string_literal(&text))]
}

/// Text of the Rust type of an output: a scalar, an array or nested arrays.
fn type_text(shape: ResultShape) -> String {
    match shape {
        ResultShape::Scalar => "T".to_owned(),
        ResultShape::Vector(n) => format!("[T; {n}]"),
        ResultShape::Matrix(rows, columns) => format!("[[T; {columns}]; {rows}]"),
    }
}

/// Attribute that allows upper-case letters, usual in physics, if one of these names has some.
pub fn allow_upper_case<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<syn::Attribute> {
    (!names.into_iter().all(is_snake_case)).then(|| parse_quote!(#[allow(non_snake_case)]))
}

fn is_snake_case(name: &str) -> bool {
    !name.contains(|c: char| c.is_ascii_uppercase()) && !name.trim_end_matches('_').contains("__")
}

/// Rust items of the lookup tables in use: knots and coefficients as statics.
pub fn table_items(program: &Program) -> Vec<Item> {
    let mut items = Vec::new();
    for table in tables::used_table_arrays(program) {
        let (knots_name, rows_name) = (ident(&table.knots_name), ident(&table.rows_name));
        let (n, m) = (int_literal(table.knots.len()), int_literal(table.rows.len()));
        let knots = array_expression(table.knots.into_iter().map(number_literal).collect());
        let rows = array_expression(
            table.rows.into_iter().map(|r| array_expression(r.map(number_literal).to_vec())).collect(),
        );
        items.push(parse_quote!(static #knots_name: [f64; #n] = #knots;));
        items.push(parse_quote!(static #rows_name: [[f64; 4]; #m] = #rows;));
    }
    items
}
