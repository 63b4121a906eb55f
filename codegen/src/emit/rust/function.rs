//! The functions: signatures, documentation, results.

use syn::{Expr, FnArg, Ident, Item, ItemFn, Stmt, Type, parse_quote};

use super::RustOptions;
use super::items::{shaped, struct_of, style};
use super::layout::meaning;
use super::scope::{Array, Scope};
use super::syntax::{
    array, assign, code, comment, doc, field, ident, index, method, path, prose, results_mark,
};
use crate::ir::{
    Body, Function, FunctionKind, NodeId, Plan, Program, Slot, Step, SymbolKind, Taken, count, identifier,
};

/// What means something in the module or in every function, so that no local may be called so.
const RESERVED: &[&str] = &[
    "model",
    "t",
    "x",
    "u",
    "q",
    "a",
    "p",
    "m",
    "dx",
    "dq",
    "y",
    "bias",
    "effort",
    "verdict",
    "result",
    "singular",
    "limited",
    "NQ",
    "NV",
    "NZ",
    "NU",
    "NX",
    "NP",
    "START",
    "PIVOTS",
    "Params",
    "Model",
    "Energy",
    "Outputs",
    "Positions",
];

/// So many tables at most have names that a local cannot take.
const TABLES: usize = 64;

/// Names that all functions share.
pub struct Names {
    /// Fields of `Params`.
    pub parameters: Vec<String>,
    /// Index constants of q, v, z, u.
    pub indices: [Vec<String>; 4],
    q: Vec<(SymbolKind, String)>,
    v: Vec<(SymbolKind, String)>,
    z: Vec<(SymbolKind, String)>,
    u: Vec<(SymbolKind, String)>,
    a: Vec<(SymbolKind, String)>,
    taken: Taken,
}

impl Names {
    /// Chooses them.
    pub fn new(program: &Program) -> Self {
        let l = &program.layout;
        let mut fields = Taken::default();
        let parameters = l.p.iter().map(|s| fields.unique(&s.name)).collect();
        // The constants of the module: a pattern of the same name would compare with them.
        let mut constants = Taken::default();
        let mut index = |letter: &str, slots: &[Slot]| -> Vec<String> {
            let text =
                |s: &Slot| format!("{letter}_{}", identifier(&s.name).trim_end_matches('_').to_uppercase());
            slots.iter().map(|s| constants.unique(&text(s))).collect()
        };
        let indices = [index("Q", &l.q), index("V", &l.v), index("Z", &l.z), index("U", &l.u)];
        let tables = (1..=TABLES).flat_map(|i| [format!("TABLE_{i}_KNOTS"), format!("TABLE_{i}_ROWS")]);
        let tables: Vec<String> = tables.collect();
        let module = indices.iter().flatten().chain(&tables).map(String::as_str);
        let mut taken = Taken::new(RESERVED.iter().copied().chain(module));
        let mut list = |slots: &[Slot], kind: &dyn Fn(usize) -> SymbolKind, suffix: &str| {
            let one = |(i, s): (usize, &Slot)| (kind(i), taken.unique(&format!("{}{suffix}", s.name)));
            slots.iter().enumerate().map(one).collect::<Vec<_>>()
        };
        let q = list(&l.q, &SymbolKind::Coordinate, "");
        let v = list(&l.v, &SymbolKind::Speed, "");
        let z = list(&l.z, &SymbolKind::State, "");
        let u = list(&l.u, &SymbolKind::Input, "");
        let a = list(&l.v, &SymbolKind::Acceleration, "_dot");
        Names { parameters, indices, q, v, z, u, a, taken }
    }
}

/// The name of an emitted function.
pub fn function_name(kind: FunctionKind) -> &'static str {
    match kind {
        FunctionKind::Dqdt => "dqdt",
        FunctionKind::Rates => "rates",
        FunctionKind::MassMatrix => "mass_matrix",
        FunctionKind::Bias => "bias",
        FunctionKind::InverseDynamics => "inverse_dynamics",
        FunctionKind::Energy => "energy",
        FunctionKind::Outputs => "outputs",
        FunctionKind::Positions => "positions",
        FunctionKind::Saturation => "saturate",
    }
}

fn summary(kind: FunctionKind, name: &str) -> String {
    let name = prose(name);
    match kind {
        FunctionKind::Dqdt => format!("State derivative of {name}: writes ẋ = (q̇, v̇, ż) to `dx`."),
        FunctionKind::Rates => "Rates of the coordinates: writes q̇ to `dq`.".to_owned(),
        FunctionKind::MassMatrix => "Mass matrix M(q, t), symmetric.".to_owned(),
        FunctionKind::Bias => "Bias c − Q(u = 0), so that M v̇ + bias = B u.".to_owned(),
        FunctionKind::InverseDynamics => {
            "Inverse dynamics: the efforts M a + bias for accelerations a = v̇.".to_owned()
        }
        FunctionKind::Energy => "Kinetic and potential energy.".to_owned(),
        FunctionKind::Outputs => "Outputs of the spec.".to_owned(),
        FunctionKind::Positions => "Positions of named points in the ground frame.".to_owned(),
        FunctionKind::Saturation => {
            "Inputs within their limits, and which of them a limit acted on.".to_owned()
        }
    }
}

/// Arguments besides model and time: name, type, entries.
struct Arguments {
    arrays: Vec<Array>,
    types: Vec<Type>,
    out: Option<(Ident, Type)>,
    returns: Option<Type>,
    fallible: bool,
}

fn arguments(kind: FunctionKind, names: &Names) -> Arguments {
    let state = || Array { name: "x", entries: [&names.q[..], &names.v, &names.z].concat() };
    let input = || Array { name: "u", entries: names.u.clone() };
    let pose = || Array { name: "q", entries: names.q.clone() };
    let acceleration = || Array { name: "a", entries: names.a.clone() };
    let (x, q, u, v): (Type, Type, Type, Type) =
        (parse_quote!(&[T; NX]), parse_quote!(&[T; NQ]), parse_quote!(&[T; NU]), parse_quote!(&[T; NV]));
    let out = |name: &str, ty: Type| Some((ident(name), ty));
    let speeds = |name| out(name, parse_quote!(&mut [T; NV]));
    let of = |arrays, types, out, returns| Arguments { arrays, types, out, returns, fallible: false };
    match kind {
        FunctionKind::Dqdt => Arguments {
            fallible: true,
            ..of(vec![state(), input()], vec![x, u], out("dx", parse_quote!(&mut [T; NX])), None)
        },
        FunctionKind::Rates => Arguments {
            fallible: true,
            ..of(vec![state()], vec![x], out("dq", parse_quote!(&mut [T; NQ])), None)
        },
        FunctionKind::MassMatrix => {
            of(vec![pose()], vec![q], out("m", parse_quote!(&mut [[T; NV]; NV])), None)
        }
        FunctionKind::Bias => of(vec![state()], vec![x], speeds("bias"), None),
        FunctionKind::InverseDynamics => {
            of(vec![state(), acceleration()], vec![x, v], speeds("effort"), None)
        }
        FunctionKind::Energy => of(vec![state()], vec![x], None, Some(parse_quote!(Energy<T>))),
        FunctionKind::Outputs => Arguments {
            fallible: true,
            ..of(vec![state(), input()], vec![x, u], out("y", parse_quote!(&mut Outputs<T>)), None)
        },
        FunctionKind::Positions => of(vec![pose()], vec![q], None, Some(parse_quote!(Positions<T>))),
        FunctionKind::Saturation => {
            of(vec![state(), input()], vec![x, u], None, Some(parse_quote!(([T; NU], [T::Mask; NU]))))
        }
    }
}

/// Everything that belongs to a function: its struct of results, itself, its plain version.
pub fn items(
    program: &Program,
    plan: &Plan,
    names: &Names,
    function: &Function,
    body: &Body,
    options: &RustOptions,
) -> Vec<Item> {
    if function.outputs.is_empty() {
        return Vec::new();
    }
    let kind = function.kind;
    let mut fields = Taken::default();
    let fields: Vec<String> = function.outputs.iter().map(|o| fields.unique(&o.name)).collect();
    let arguments = arguments(kind, names);
    let mut items = Vec::new();
    let structure = match kind {
        FunctionKind::Energy => Some(("Energy", "Energies.")),
        FunctionKind::Outputs => Some(("Outputs", "Outputs of the spec.")),
        FunctionKind::Positions => Some(("Positions", "Points in the ground frame.")),
        _ => None,
    };
    if let Some((name, about)) = structure {
        items.extend(struct_of(name, about, &function.outputs, &fields));
    }
    let checks: Vec<&str> =
        function.pivots.iter().chain(&function.denominators).map(|(name, _)| name.as_str()).collect();
    if arguments.fallible {
        items.extend(pivot_names(kind, &checks));
    }

    let mut scope = Scope::of_function(
        &program.graph,
        plan,
        body,
        &names.parameters,
        &arguments.arrays,
        names.taken.clone(),
    );
    let statements = scope.statements();
    let end = results(&mut scope, function, &fields, arguments.fallible);
    let mut stmts = scope.prologue(&arguments.arrays);
    let mut unused = unused(&scope, &arguments, !checks.is_empty() && arguments.fallible);
    let empty = function.outputs.iter().all(|o| o.nodes.is_empty());
    if let Some((name, _)) =
        arguments.out.as_ref().filter(|_| empty && structure.is_none() && checks.is_empty())
    {
        unused.push(name.to_string());
    }
    if !unused.is_empty() {
        let unused = unused.iter().map(|n| path(n));
        let ignore: Stmt = match unused.len() {
            1 => parse_quote!(let _ = #(#unused)*;),
            _ => parse_quote!(let _ = (#(#unused),*);),
        };
        stmts.insert(0, ignore);
    }
    stmts.extend(statements);
    stmts.extend(end);

    let mut inputs: Vec<FnArg> = vec![parse_quote!(model: &Model<T>), parse_quote!(t: T)];
    for (a, ty) in arguments.arrays.iter().zip(&arguments.types) {
        let name = ident(a.name);
        inputs.push(parse_quote!(#name: #ty));
    }
    if let Some((name, ty)) = &arguments.out {
        inputs.push(parse_quote!(#name: #ty));
    }
    let returns: syn::ReturnType = match (&arguments.returns, arguments.fallible) {
        (Some(ty), _) => parse_quote!(-> #ty),
        (None, true) => parse_quote!(-> ::core::result::Result<(), ::dqdt::Singular<T::Mask>>),
        (None, false) => syn::ReturnType::Default,
    };
    let name = ident(function_name(kind));
    let about = documentation(program, function, &arguments);
    let style = style(locals(&scope, body, &arguments).iter().map(String::as_str));
    let mut item: ItemFn = parse_quote! {
        #(#about)*
        #(#style)*
        #[allow(clippy::many_single_char_names, clippy::similar_names, clippy::too_many_lines)]
        pub fn #name<T: ::dqdt::Real>(#(#inputs),*) #returns {}
    };
    item.block.stmts = stmts;
    items.push(Item::Fn(item));
    if options.plain {
        items.push(plain(kind, &arguments));
    }
    items
}

fn locals(scope: &Scope, body: &Body, arguments: &Arguments) -> Vec<String> {
    let mut out: Vec<String> =
        arguments.arrays.iter().flat_map(|a| &a.entries).map(|e| e.1.clone()).collect();
    for statement in &body.schedule.statements {
        let ids: Vec<NodeId> = match &statement.step {
            Step::Value(id) => vec![*id],
            Step::SinCos(pairs) => pairs.iter().flat_map(|p| [p.sin, p.cos]).flatten().collect(),
        };
        out.extend(ids.iter().filter_map(|id| scope.name_of(*id)).map(str::to_owned));
    }
    out
}

/// The results: assignments, the verdict, or the returned value.
fn results(scope: &mut Scope, function: &Function, fields: &[String], fallible: bool) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = Vec::new();
    let check = fallible && !(function.pivots.is_empty() && function.denominators.is_empty());
    if check {
        let mut list =
            |of: &[(String, NodeId)]| array(of.iter().map(|(_, id)| scope.expression(*id)).collect());
        let (pivots, denominators) = (list(&function.pivots), list(&function.denominators));
        let pivots: Expr = parse_quote!(::dqdt::check_pivots(#pivots, model.epsilon));
        let denominators: Expr = parse_quote!(::dqdt::check_denominators(#denominators, model.epsilon));
        let verdict = match (function.pivots.is_empty(), function.denominators.is_empty()) {
            (false, true) => pivots,
            (true, _) => denominators,
            _ => method(pivots, "merge", vec![denominators]),
        };
        let mut stmt: Stmt = parse_quote!(let verdict = #verdict;);
        comment(&mut stmt, "can the equations be solved here?");
        out.push(stmt);
    }
    let first = out.len();
    let ok: Expr = parse_quote!(::core::result::Result::Ok(()));
    let vector = |scope: &mut Scope, place: &str, out: &mut Vec<Stmt>| {
        let nodes = function.outputs.iter().flat_map(|o| &o.nodes);
        for (i, node) in nodes.enumerate() {
            let value = scope.expression(*node);
            out.push(assign(index(path(place), i), value));
        }
    };
    let mut last: Option<Expr> = None;
    match function.kind {
        FunctionKind::Dqdt | FunctionKind::Rates => {
            let place = if function.kind == FunctionKind::Dqdt { "dx" } else { "dq" };
            vector(scope, place, &mut out);
            last = Some(if check { method(path("verdict"), "finish", vec![path(place)]) } else { ok });
        }
        FunctionKind::Bias => vector(scope, "bias", &mut out),
        FunctionKind::InverseDynamics => vector(scope, "effort", &mut out),
        FunctionKind::MassMatrix => {
            for output in &function.outputs {
                let crate::ir::Shape::Matrix(_, columns) = output.shape else { continue };
                for (i, node) in output.nodes.iter().enumerate() {
                    let value = scope.expression(*node);
                    let columns = columns.max(1);
                    out.push(assign(index(index(path("m"), i / columns), i % columns), value));
                }
            }
        }
        FunctionKind::Energy | FunctionKind::Positions => {
            last = Some(literal_struct(scope, function, fields));
        }
        FunctionKind::Outputs => {
            let value = literal_struct(scope, function, fields);
            out.push(parse_quote!(*y = #value;));
            if check {
                out.push(parse_quote!(let singular = verdict.lanes();));
                blank(function, fields, &mut out);
                last = Some(parse_quote!(verdict.finish(&mut [])));
            } else {
                last = Some(ok);
            }
        }
        FunctionKind::Saturation => {
            let nodes = function.outputs.iter().flat_map(|o| &o.nodes);
            let values: Vec<Expr> = nodes.map(|n| scope.expression(*n)).collect();
            let flags = (0..values.len()).map(|i| {
                let (new, old) = (index(path("limited"), i), index(path("u"), i));
                parse_quote!(::dqdt::Mask::not(#new.is_eq(#old)))
            });
            let flags: Vec<Expr> = flags.collect();
            let (values, flags) = (array(values), array(flags));
            out.push(parse_quote!(let limited = #values;));
            out.push(parse_quote!(let acted = #flags;));
            last = Some(parse_quote!((limited, acted)));
        }
    }
    if out.len() > first {
        out.insert(first, results_mark());
    }
    out.extend(last.map(|e| Stmt::Expr(e, None)));
    out
}

fn literal_struct(scope: &mut Scope, function: &Function, fields: &[String]) -> Expr {
    let name = ident(match function.kind {
        FunctionKind::Energy => "Energy",
        FunctionKind::Positions => "Positions",
        _ => "Outputs",
    });
    let values = function.outputs.iter().zip(fields).map(|(o, f)| {
        let values = o.nodes.iter().map(|n| scope.expression(*n)).collect();
        let (value, f) = (shaped(o.shape, values), ident(f));
        match &value {
            Expr::Path(p) if p.path.is_ident(&f) => parse_quote!(#f),
            _ => parse_quote!(#f: #value),
        }
    });
    let values: Vec<syn::FieldValue> = values.collect();
    parse_quote!(#name { #(#values),* })
}

/// Where singular, outputs become zero.
fn blank(function: &Function, fields: &[String], out: &mut Vec<Stmt>) {
    use crate::ir::Shape;
    for (o, f) in function.outputs.iter().zip(fields) {
        let place = field("y", f);
        match o.shape {
            Shape::Scalar => out.push(parse_quote!(#place = T::select(singular, T::ZERO, #place);)),
            Shape::Vector(_) => {
                out.push(parse_quote!(#place = #place.map(|value| T::select(singular, T::ZERO, value));));
            }
            Shape::Matrix(..) => out.push(parse_quote! {
                #place = #place.map(|row| row.map(|value| T::select(singular, T::ZERO, value)));
            }),
        }
    }
}

fn pivot_names(kind: FunctionKind, checks: &[&str]) -> Option<Item> {
    if checks.is_empty() && kind != FunctionKind::Dqdt {
        return None;
    }
    let name = match kind {
        FunctionKind::Dqdt => "PIVOTS".to_owned(),
        _ => format!("{}_PIVOTS", function_name(kind).to_uppercase()),
    };
    let name = ident(&name);
    let n = syn::LitInt::new(&checks.len().to_string(), proc_macro2::Span::call_site());
    let about =
        doc(&[format!("What [`{}()`] divides by, in the order of `Singular::pivot`.", function_name(kind))]);
    Some(parse_quote!(#(#about)* #[allow(dead_code)] pub const #name: [&str; #n] = [#(#checks),*];))
}

fn unused(scope: &Scope, arguments: &Arguments, needs_model: bool) -> Vec<String> {
    let mut out = Vec::new();
    if !scope.has_used_model() && !needs_model {
        out.push("model".to_owned());
    }
    if !scope.has_used(SymbolKind::Time) {
        out.push("t".to_owned());
    }
    for a in &arguments.arrays {
        // The flags of a saturation compare with the inputs themselves.
        let flags = a.name == "u" && arguments.returns.is_some() && !a.entries.is_empty();
        if !flags && !a.entries.iter().any(|(kind, _)| scope.has_used(*kind)) {
            out.push(a.name.to_owned());
        }
    }
    out
}

fn documentation(program: &Program, function: &Function, arguments: &Arguments) -> Vec<syn::Attribute> {
    let l = &program.layout;
    let mut lines = vec![summary(function.kind, &program.name), String::new()];
    let tables = function.kind == FunctionKind::Dqdt
        || !program.functions.iter().any(|f| f.kind == FunctionKind::Dqdt && !f.outputs.is_empty());
    for a in arguments.arrays.iter().filter(|_| tables) {
        let slots: Vec<&Slot> = match a.name {
            "x" => l.q.iter().chain(&l.v).chain(&l.z).collect(),
            "u" => l.u.iter().collect(),
            "q" => l.q.iter().collect(),
            _ => continue,
        };
        table(a.name, &slots, &mut lines);
    }
    lines.push(format!("Cost: {}.", count(program, function)));
    if arguments.fallible {
        lines.extend([String::new(), "# Errors".to_owned()]);
        lines.push(
            "[`Singular`](::dqdt::Singular) where the equations cannot be solved; the result is zero there."
                .into(),
        );
    }
    doc(&lines)
}

fn table(name: &str, slots: &[&Slot], lines: &mut Vec<String>) {
    if slots.is_empty() {
        return;
    }
    let mut rows = vec![[name.to_owned(), "name".to_owned(), "meaning".to_owned(), "unit".to_owned()]];
    let row = |(i, s): (usize, &&Slot)| [format!("`{name}[{i}]`"), code(&s.name), meaning(s), code(&s.unit)];
    rows.extend(slots.iter().enumerate().map(row));
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().zip(widths).map(|(text, w)| format!("{text:w$}")).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if i == 0 {
            lines.push(format!("|{}|", widths.map(|w| "-".repeat(w + 2)).join("|")));
        }
    }
    lines.push(String::new());
}

/// The plain version: compiled here, whatever the crate that calls it is optimised for.
fn plain(kind: FunctionKind, arguments: &Arguments) -> Item {
    let generic = ident(function_name(kind));
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
                FunctionKind::Outputs => parse_quote!(&mut Outputs<f64>),
                _ => parse_quote!(&mut [f64; NV]),
            };
            // The function `bias` must not be hidden by an argument.
            (if kind == FunctionKind::Bias { ident("out") } else { name.clone() }, ty)
        })
        .unzip();
    let returns: syn::ReturnType = match kind {
        FunctionKind::Energy => parse_quote!(-> Energy<f64>),
        FunctionKind::Positions => parse_quote!(-> Positions<f64>),
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
