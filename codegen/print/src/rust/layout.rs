//! Emits the state, inputs, constraint rows, events and parameters of a module as data.

use proc_macro2::{Literal, Span};
use syn::{Expr, Item, LitInt, parse_quote};

use super::data::{MacroCall, ModulePart, identifier_text, number_text, string_literal};
use super::literal::{number_datum, number_literal};
use super::names::ModuleNames;
use super::prose::{doc_attributes, escape_prose};
use super::syntax::ident;
use crate::code::notes;
use dqdt_graph::ir::declaration::Vector;
use dqdt_graph::ir::{Program, Row, Slot};

/// Format number of emitted Rust code. The runtime lists the numbers that it supports in
/// `dqdt::format`.
const FORMAT: u32 = 5;

/// Description of a state, input or parameter in emitted code, or its name if it has none, with its
/// limits.
pub fn slot_description(slot: &Slot) -> String {
    let text = escape_prose(if slot.description.is_empty() { &slot.name } else { &slot.description });
    format!("{text}{}", notes::limits_text(slot))
}

/// Emitted check that the runtime supports the format number of the module.
pub fn format_check() -> ModulePart {
    let format = LitInt::new(&FORMAT.to_string(), Span::call_site());
    let item: Item = parse_quote!(const _: () = ::dqdt::format::<#format>(););
    item.into()
}

/// Formats indices as a list for a macro call: `3, 10`.
fn join_indices(indices: &[usize]) -> String {
    indices.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

/// Layout of state, inputs, rows and events as a call of the runtime macro `variables`.
pub fn variables_macro(program: &Program, names: &ModuleNames) -> ModulePart {
    let l = &program.layout;
    let [q, v, z, u] = &names.indices;
    let (nq, nv) = (l.q.len(), l.v.len());
    let mut call = MacroCall::new("variables")
        .define_constants([
            "NQ",
            "NV",
            "NZ",
            "NU",
            "NX",
            "ND",
            "START",
            "DEFAULT_INPUTS",
            "QUATERNIONS",
            "STATES",
            "INPUTS",
        ])
        .define_constants([q, v, z, u].into_iter().flatten().cloned())
        .push_section(1, "coordinates", &slot_rows(&l.q, q, 0))
        .push_section(1, "speeds", &slot_rows(&l.v, v, nq))
        .push_section(1, "states", &slot_rows(&l.z, z, nq + nv))
        .push_section(1, "inputs", &slot_rows(&l.u, u, 0));
    if !l.quaternions.is_empty() {
        call = call.push_line(1, &format!("quaternions {{ {} }}", join_indices(&l.quaternions)));
    }
    if program.takes(Vector::IndependentAccelerations) {
        call = call.define_constants(["NI", "INDEPENDENT"]);
        call = call.push_line(1, &format!("independent {{ {} }}", join_indices(&l.independent_speeds)));
    }
    if program.takes(Vector::DrivenAccelerations) {
        call = call.define_constants(["NDRIVEN", "DRIVEN"]);
        call = call.push_line(1, &format!("driven {{ {} }}", join_indices(&l.driven_speeds)));
    }

    let events: Vec<Row> =
        l.events.iter().map(|e| Row { name: e.name.clone(), unit: e.unit.clone() }).collect();
    call.define_constants(row_constant_names(&l.position_rows, ["NPC", "POSITION_ROWS"]))
        .define_constants(row_constant_names(&l.velocity_rows, ["NVC", "VELOCITY_ROWS"]))
        .define_constants(row_constant_names(&events, ["NE", "EVENTS"]))
        .push_section(1, "position_rows", &text_rows(&l.position_rows))
        .push_section(1, "velocity_rows", &text_rows(&l.velocity_rows))
        .push_section(1, "events", &text_rows(&events))
        .finish_call()
}

/// Entries of a vector (coordinates, speeds, user states or inputs) as rows of a macro call.
/// `first` is the index of the first entry.
fn slot_rows(slots: &[Slot], indices: &[String], first: usize) -> Vec<Vec<String>> {
    (slots.iter().zip(indices).enumerate())
        .map(|(i, (slot, index))| {
            vec![
                identifier_text(index),
                format!("= {}:", first + i),
                string_literal(&slot.name) + ",",
                string_literal(unit_or_one(&slot.unit)) + ",",
                number_text(&number_literal(slot.value)) + ",",
                string_literal(&slot_description(slot)) + ";",
            ]
        })
        .collect()
}

/// Constraint rows or events as rows of a macro call, each with its unit.
fn text_rows(rows: &[Row]) -> Vec<Vec<String>> {
    rows.iter()
        .map(|r| vec![string_literal(&r.name) + ",", string_literal(unit_or_one(&r.unit)) + ";"])
        .collect()
}

/// Names of the constants that the macro defines for these constraint rows or events; none if there
/// are no rows.
fn row_constant_names(rows: &[Row], names: [&'static str; 2]) -> Vec<&'static str> {
    if rows.is_empty() { Vec::new() } else { names.to_vec() }
}

/// Rust item of the constant `INDEPENDENT_DIFFERENCES`: indices of the independent entries of a
/// state difference. `None` if it is not needed.
pub fn independent_differences_item(program: &Program) -> Option<Item> {
    let places = program.layout.independent_differences.iter().map(|i| Literal::usize_unsuffixed(*i));
    let count = program.layout.independent_differences.len();
    let n = Literal::usize_unsuffixed(count);
    let mut item: syn::ItemConst =
        parse_quote!(pub const INDEPENDENT_DIFFERENCES: [usize; #n] = [#(#places),*];);
    item.attrs = doc_attributes(&[
        "Indices of the independent entries of the state difference `δx`, in which a quaternion has three \
         entries."
            .to_owned(),
    ]);
    item.attrs.push(parse_quote!(#[allow(dead_code)]));
    (count > 0).then_some(Item::Const(item))
}

/// Rust items of the constants with rows and columns of sparse results, such as
/// `DQDT_HESSIAN_ROWS`.
pub fn sparse_place_items(program: &Program) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::new();
    for (stem, places) in program.sparse_places() {
        let n = Literal::usize_unsuffixed(places.len());
        for (k, what) in ["Row", "Column"].into_iter().enumerate() {
            let name = ident(&format!("{}_{}S", stem.to_uppercase(), what.to_uppercase()));
            let indices = places.iter().map(|place| Literal::usize_unsuffixed(place[k]));
            let mut item: syn::ItemConst = parse_quote!(pub const #name: [usize; #n] = [#(#indices),*];);
            item.attrs = doc_attributes(&[format!("{what} of each entry of the sparse result of `{stem}`.")]);
            item.attrs.push(parse_quote!(#[allow(dead_code)]));
            out.push(Item::Const(item));
        }
    }
    out
}

/// Rust items of the constants `NCON` and `CONTACTS`, if a function has the contact flags as an
/// argument.
pub fn contact_items(program: &Program) -> Vec<Item> {
    if !program.takes(Vector::Contacts) {
        return Vec::new();
    }
    let names: Vec<&str> = program.layout.contacts.iter().map(|s| s.name.as_str()).collect();
    let n = Literal::usize_unsuffixed(names.len());
    let mut count: syn::ItemConst = parse_quote!(pub const NCON: usize = #n;);
    count.attrs = doc_attributes(&["Number of contacts.".to_owned()]);
    let mut list: syn::ItemConst = parse_quote!(pub const CONTACTS: [&str; NCON] = [#(#names),*];);
    list.attrs =
        doc_attributes(&["Contacts, named by body and point, in the order of their flags.".to_owned()]);
    list.attrs.push(parse_quote!(#[allow(dead_code)]));
    vec![Item::Const(count), Item::Const(list)]
}

/// Rust items of the joint limits, with a constant for each kind of limit (position, speed, effort)
/// that is finite somewhere.
pub fn joint_limit_items(program: &Program) -> Vec<Item> {
    let Some(limits) = &program.layout.limits else { return Vec::new() };
    let mut out = Vec::new();
    let mut push = |about: &str, values: &[f64], mut item: syn::ItemConst| {
        if values.iter().any(|x| x.is_finite()) {
            let note = "Limits that are not specified are infinite. No function of this module enforces these limits.";
            item.attrs = doc_attributes(&[format!("{about} {note}")]);
            item.attrs.push(parse_quote!(#[allow(dead_code)]));
            if values.iter().any(|x| number_datum(*x).1) {
                item.attrs.push(parse_quote!(#[allow(clippy::approx_constant)]));
            }
            out.push(Item::Const(item));
        }
    };
    let position: Vec<Expr> = (limits.position.iter())
        .map(|ends| -> Expr {
            let [low, high] = ends.map(number_datum_expression);
            parse_quote!([#low, #high])
        })
        .collect();
    push(
        "Lower and upper limit of each coordinate.",
        limits.position.as_flattened(),
        parse_quote!(pub const POSITION_LIMITS: [[f64; 2]; NQ] = [#(#position),*];),
    );
    let [speed, effort] = [&limits.speed, &limits.effort]
        .map(|list| list.iter().copied().map(number_datum_expression).collect::<Vec<_>>());
    push(
        "Largest permitted magnitude of each speed.",
        &limits.speed,
        parse_quote!(pub const SPEED_LIMITS: [f64; NV] = [#(#speed),*];),
    );
    push(
        "Largest permitted magnitude of the motor effort along each speed.",
        &limits.effort,
        parse_quote!(pub const EFFORT_LIMITS: [f64; NV] = [#(#effort),*];),
    );
    out
}

fn number_datum_expression(x: f64) -> Expr {
    number_datum(x).0
}

/// Text of a unit in emitted data; `1` if there is none.
fn unit_or_one(text: &str) -> &str {
    if text.is_empty() { "1" } else { text }
}

/// The struct `Params` and the list `PARAMETERS` as a call of the runtime macro `parameters`.
pub fn parameters_macro(program: &Program, names: &ModuleNames) -> ModulePart {
    let about = format!("Parameters of {}.", escape_prose(&program.name));
    let call =
        MacroCall::new("parameters").define_constants(["NP", "PARAMETERS"]).push_doc_lines(1, [&about]);
    if program.layout.p.is_empty() {
        return call.push_line(1, "Params {}").finish_call();
    }
    let rows: Vec<Vec<String>> = (program.layout.p.iter().zip(&names.parameters))
        .map(|(slot, field)| parameter_row(slot, field))
        .collect();
    call.push_section(1, "Params", &rows).finish_call()
}

/// Parameter as a row of a macro call: field, default, unit, description. The name in the spec is
/// added where the field has another.
fn parameter_row(slot: &Slot, field: &str) -> Vec<String> {
    let (field, value) = (identifier_text(field), number_text(&number_literal(slot.value)));
    let spec_name =
        if field == slot.name { String::new() } else { format!(", {}", string_literal(&slot.name)) };
    vec![
        field,
        format!("= {value},"),
        string_literal(unit_or_one(&slot.unit)) + ",",
        format!("{}{spec_name};", string_literal(&slot_description(slot))),
    ]
}
