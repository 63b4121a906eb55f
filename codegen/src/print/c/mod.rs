//! C: one translation unit with parameters, model and functions.
//!
//! Problem: printers know no function by name. This one shows it: all that it prints comes from the plan and from
//!          declarations. It is compiled for tests only, which run what it prints.
//! Method:  text. `Params` holds the parameters, `Model` what is computed of them once, `model_new` does that. A function
//!          takes the model, the time, its arguments and the place of its results; what several functions share stands in
//!          blocks, each a struct and a function. A function returns zero, the position of the
//!          divisor that vanishes, counted from one, or `NOT_FINITE`.
//! Limits:  doubles only.

mod body;

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use crate::ir::declaration::{Argument, Declaration, Returns, Role};
use crate::ir::{EPSILON, Function, FunctionOutput, Layout, NodeId, Program, Shape, SymbolKind, Taken};
use crate::plan::{Block, Plan};
use body::{Scope, literal};

/// Words that mean something in C, and names of this printer.
const RESERVED: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "main",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
    "fabs",
    "sqrt",
    "pow",
    "atan2",
    "fmin",
    "fmax",
    "isfinite",
    "model",
    "params",
    "t",
    "out",
    "sign",
    "table",
    "choose_lt",
    "choose_le",
    "choose_eq",
    "divides",
    "verdict",
    "j0",
    "j1",
    "jn",
    "y0",
    "y1",
    "yn",
    "gamma",
];

/// What every module begins with.
const PRELUDE: &str = include_str!("prelude.h");

/// The names of a translation unit.
struct CNames {
    parameters: Vec<String>,
    functions: Vec<String>,
    /// One field an output, for functions that return a struct.
    fields: Vec<Vec<String>>,
}

/// The translation unit of a program.
pub fn c(program: &Program, mut plan: Plan) -> String {
    let declared = program.functions.iter().flat_map(|f| {
        let parts = f.results().into_iter().filter_map(|(of, _)| match of.returns {
            Returns::Array { name, .. } | Returns::Struct { name, .. } => Some(name),
            Returns::Limited { .. } | Returns::Joint(_) => None,
        });
        f.declaration.arguments.iter().map(|a| a.name).chain(parts).chain([f.declaration.name])
    });
    let blocks: Vec<String> = (0..plan.blocks.len()).map(|i| format!("b{i}")).collect();
    let mut reserved: Vec<&str> = RESERVED.iter().copied().chain(declared).collect();
    reserved.extend(blocks.iter().map(String::as_str));
    let unique = |names: &mut dyn Iterator<Item = &str>| {
        let mut taken = Taken::new(RESERVED.iter().copied());
        names.map(|n| taken.unique(n)).collect::<Vec<_>>()
    };
    let names = CNames {
        parameters: unique(&mut program.layout.p.iter().map(|s| s.name.as_str())),
        functions: program.functions.iter().map(|f| f.declaration.name.to_owned()).collect(),
        fields: (program.functions.iter())
            .map(|f| {
                let part = |(_, outputs): (_, &[FunctionOutput])| {
                    unique(&mut outputs.iter().map(|o| o.name.as_str()))
                };
                f.results().into_iter().flat_map(part).collect()
            })
            .collect(),
    };
    let mut taken = Taken::new(reserved);
    // What unnamed values are a part of is nothing to this printer.
    let _ = plan.name(&program.graph, &mut taken, &|id| leaf(program, id));

    let mut out =
        format!("/* {}: {}. */\n{PRELUDE}\n", one_line(&program.name), one_line(&program.formalism));
    structs(&mut out, program, &plan, &names);
    tables(&mut out, program);
    setup(&mut out, program, &plan, &names);
    for i in 0..plan.blocks.len() {
        block(&mut out, program, &plan, &names, i);
    }
    for (i, function) in program.functions.iter().enumerate().filter(|(_, f)| !f.outputs.is_empty()) {
        define(&mut out, program, &plan, &names, (i, function));
    }
    out
}

/// What a value without a statement is called, for the names that are put together from it.
fn leaf(program: &Program, id: NodeId) -> Option<String> {
    match program.graph.node(id).op {
        crate::ir::Op::Symbol(s) => Some(program.graph.symbol_info(s).name),
        _ => None,
    }
}

/// Text that cannot end a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c == '*' { ' ' } else { c }).collect()
}

fn structs(out: &mut String, program: &Program, plan: &Plan, names: &CNames) {
    out.push_str("typedef struct {\n");
    for (name, slot) in names.parameters.iter().zip(&program.layout.p) {
        let _ = writeln!(
            out,
            "    double {name}; /* [{}] {} */",
            one_line(&slot.unit),
            one_line(&slot.description)
        );
    }
    out.push_str("    char none;\n} Params;\n\ntypedef struct {\n    Params params;\n");
    for h in &plan.hoisted {
        let _ = writeln!(out, "    double {};", h.name);
    }
    out.push_str("} Model;\n\n");
    let defaults = program.layout.p.iter().map(|s| format!("{}, ", literal(s.value))).collect::<String>();
    let _ = writeln!(out, "static const Params PARAMS = {{{defaults}0}};\n");
    let mut known = Vec::new();
    for (f, fields) in program.functions.iter().zip(&names.fields) {
        let mut fields = fields.iter();
        for (part, outputs) in f.results() {
            let own: Vec<(&FunctionOutput, &String)> = outputs.iter().zip(fields.by_ref()).collect();
            let Returns::Struct { name, about } = part.returns else { continue };
            if outputs.is_empty() || known.contains(&name) {
                continue;
            }
            known.push(name);
            let _ = writeln!(out, "/* {} of {} */\ntypedef struct {{", one_line(about), part.name);
            for (o, field) in own {
                let (shape, what) = (dimensions(o.shape), one_line(&o.description));
                let _ = writeln!(out, "    double {field}{shape}; /* {what} */");
            }
            let _ = writeln!(out, "}} {name};\n");
        }
    }
}

fn dimensions(shape: Shape) -> String {
    match shape {
        Shape::Scalar => String::new(),
        Shape::Vector(n) => format!("[{n}]"),
        Shape::Matrix(rows, columns) => format!("[{rows}][{columns}]"),
    }
}

fn tables(out: &mut String, program: &Program) {
    for t in body::tables(program) {
        let data = program.graph.table_data(t);
        let list = |x: &[f64]| x.iter().map(|x| literal(*x)).collect::<Vec<_>>().join(", ");
        let (n, rows) = (data.knots.len(), data.coefficients.iter().map(|c| format!("{{{}}}", list(c))));
        let rows = rows.collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            out,
            "static const double KNOTS_{0}[{n}] = {{{1}}};\nstatic const double ROWS_{0}[{n}][4] = {{{rows}}};\n",
            t.0,
            list(&data.knots)
        );
    }
}

fn setup(out: &mut String, program: &Program, plan: &Plan, names: &CNames) {
    let symbol = |kind| match kind {
        SymbolKind::Parameter(i) => names.parameters.get(i).map(|p| format!("model.params.{p}")),
        _ => None,
    };
    let scope =
        Scope { graph: &program.graph, plan, body: &plan.setup, symbol: &symbol, fields: None, blocks: "." };
    out.push_str("static Model model_new(Params params) {\n    Model model;\n    model.params = params;\n");
    scope.statements(out);
    for h in &plan.hoisted {
        let _ = writeln!(out, "    model.{} = {};", h.name, scope.value(h.node));
    }
    out.push_str("    return model;\n}\n\n");
}

/// The text of an argument's entry, or of time or a parameter.
fn symbol(names: &CNames, layout: &Layout, declaration: &Declaration, kind: SymbolKind) -> Option<String> {
    match kind {
        SymbolKind::Time => Some("t".to_owned()),
        SymbolKind::Parameter(i) => names.parameters.get(i).map(|p| format!("model->params.{p}")),
        _ => declaration.arguments.iter().find_map(|a: &Argument| {
            let at = a.vector.slots(layout).iter().position(|(k, _)| *k == kind)?;
            Some(format!("{}[{at}]", a.name))
        }),
    }
}

/// Arguments that all functions of a block have.
fn shared<'p>(program: &'p Program, block: &Block) -> Vec<&'p Argument> {
    let of = |i: &usize| program.functions.get(*i).map(|f| f.declaration.arguments);
    let mut all = block.functions.iter().filter_map(of);
    let first = all.next().unwrap_or(&[]);
    let rest: Vec<_> = all.collect();
    first.iter().filter(|a| rest.iter().all(|other| other.contains(a))).collect()
}

/// A block: a struct of what it hands out, and the function that computes it.
fn block(out: &mut String, program: &Program, plan: &Plan, names: &CNames, i: usize) {
    let block = &plan.blocks[i];
    let Some(declaration) = block.functions.first().map(|f| program.functions[*f].declaration) else {
        return;
    };
    let symbol = |kind| symbol(names, &program.layout, declaration, kind);
    let scope = Scope {
        graph: &program.graph,
        plan,
        body: &block.body,
        symbol: &symbol,
        fields: Some("model->"),
        blocks: "->",
    };
    let _ = writeln!(out, "/* {} */\ntypedef struct {{", one_line(&block.sections.join(", ")));
    for root in &block.body.roots {
        let _ = writeln!(out, "    double {};", scope.name(root.node));
    }
    let _ = writeln!(out, "}} Block{i};\n");
    let arguments = shared(program, block);
    let arrays: String = arguments.iter().map(|a| format!("const double *{}, ", a.name)).collect();
    let taken: String =
        block.body.imports.iter().map(|m| format!("const Block{0} *b{0}, ", m.block)).collect();
    let _ =
        writeln!(out, "static void block{i}(const Model *model, double t, {arrays}{taken}Block{i} *out) {{");
    unused(out, arguments.iter().copied());
    scope.statements(out);
    for root in &block.body.roots {
        let _ = writeln!(out, "    out->{} = {};", scope.name(root.node), scope.value(root.node));
    }
    out.push_str("}\n\n");
}

/// Says of what is perhaps not used that this is meant.
fn unused<'a>(out: &mut String, arguments: impl Iterator<Item = &'a Argument>) {
    out.push_str("    (void)model;\n    (void)t;\n");
    for a in arguments {
        let _ = writeln!(out, "    (void){};", a.name);
    }
}

/// Where a part of the results is put.
fn place(part: &Declaration, joint: bool) -> &'static str {
    match part.returns {
        Returns::Array { name, .. } => name,
        Returns::Limited { .. } => "limited",
        Returns::Struct { .. } if joint => part.name,
        Returns::Struct { .. } | Returns::Joint(_) => "out",
    }
}

fn define(out: &mut String, program: &Program, plan: &Plan, names: &CNames, (i, f): (usize, &Function)) {
    let (declaration, body) = (f.declaration, &plan.functions[i]);
    let symbol = |kind| symbol(names, &program.layout, declaration, kind);
    let scope =
        Scope { graph: &program.graph, plan, body, symbol: &symbol, fields: Some("model->"), blocks: "." };
    let summary = one_line(declaration.summary).replace("{mechanism}", &one_line(&program.name));
    let arrays: String =
        declaration.arguments.iter().map(|a| format!(", const double *{}", a.name)).collect();
    let parts = f.results();
    let joint = matches!(declaration.returns, Returns::Joint(_));
    let _ = writeln!(out, "/* {summary} */");
    for a in declaration.arguments {
        let n = a.vector.slots(&program.layout).len();
        let _ = writeln!(out, "/* {}[{n}]: {} */", a.name, one_line(a.meaning));
    }
    let _ = write!(out, "static int {}(const Model *model, double t{arrays}", names.functions[i]);
    for (part, _) in &parts {
        let of = if let Returns::Struct { name, .. } = part.returns { name } else { "double" };
        let _ = write!(out, ", {of} *{}", place(part, joint));
    }
    out.push_str(") {\n");
    unused(out, declaration.arguments.iter());
    for (k, block) in plan.blocks.iter().enumerate().filter(|(_, b)| b.functions.contains(&i)) {
        let arrays: String = shared(program, block).iter().map(|a| format!("{}, ", a.name)).collect();
        let taken: String = block.body.imports.iter().map(|m| format!("&b{}, ", m.block)).collect();
        let _ = writeln!(out, "    Block{k} b{k};\n    block{k}(model, t, {arrays}{taken}&b{k});");
    }
    scope.statements(out);
    let mut fields = names.fields[i].iter();
    for (part, outputs) in &parts {
        for (o, field) in outputs.iter().zip(fields.by_ref()) {
            results(out, &scope, (part, place(part, joint)), o, field);
        }
    }
    verdict(out, &scope, f);
    out.push_str("}\n\n");
}

fn results(
    out: &mut String,
    scope: &Scope<'_>,
    (part, place): (&Declaration, &str),
    o: &FunctionOutput,
    field: &str,
) {
    let fields = matches!(part.returns, Returns::Struct { .. });
    for (k, node) in o.nodes.iter().enumerate() {
        let place = match o.shape {
            _ if !fields => format!("{place}[{k}]"),
            Shape::Scalar => format!("{place}->{field}"),
            Shape::Vector(_) => format!("{place}->{field}[{k}]"),
            Shape::Matrix(_, columns) => {
                format!("{place}->{field}[{}][{}]", k / columns.max(1), k % columns.max(1))
            }
        };
        let _ = writeln!(out, "    {place} = {};", scope.value(*node));
    }
}

/// What the function returns: the first divisor that vanishes, or that something is not finite.
fn verdict(out: &mut String, scope: &Scope<'_>, f: &Function) {
    if let Returns::Limited { of } = f.declaration.returns {
        // A limit acted where an entry was changed.
        let n = f.outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
        let changed: Vec<String> = (0..n).map(|i| format!("limited[{i}] != {}[{i}]", of.name)).collect();
        let _ = writeln!(out, "    return {};", if n == 0 { "0".to_owned() } else { changed.join(" || ") });
        return;
    }
    out.push_str("    int verdict = 0;\n");
    for (i, check) in f.checks.iter().enumerate().rev().filter(|_| f.declaration.checked) {
        let epsilon = literal(if check.squared { EPSILON * EPSILON } else { EPSILON });
        let (value, scale) = (scope.value(check.value), scope.value(check.scale));
        let _ = writeln!(out, "    verdict = divides({value}, {scale}, {epsilon}, {}, verdict);", i + 1);
    }
    for (part, outputs) in f.results() {
        if let (Some(Role::StateDerivative), Returns::Array { name, .. }) = (part.role, part.returns) {
            for k in 0..outputs.iter().map(|o| o.nodes.len()).sum::<usize>() {
                let _ =
                    writeln!(out, "    if (verdict == 0 && !isfinite({name}[{k}])) verdict = NOT_FINITE;");
            }
        }
    }
    out.push_str("    return verdict;\n");
}
