//! The target language Python: a module with one function of Python floats per
//! function of the program.
//!
//! A function takes the parameters `p`, the time `t` and a mapping of the entries of its arguments,
//! and returns its outputs by name. The model and the inner functions are inlined as statements.

use std::fmt::Write as _;

use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::{Function, Graph, NodeId, Op, Program, SymbolKind, Taken};
use dqdt_graph::plan::Plan;
use dqdt_print::code::tables;
use dqdt_print::target::{Printed, Target, TargetError, TargetOption, TargetOptions};
use dqdt_print::tree::{BodyTree, Call, FunctionParts, Spelling, Statement, Value, value_text};

/// The target `python`.
pub static TARGET: Target = Target {
    name: "python",
    title: "Python",
    files: "a module",
    endings: &["py"],
    names_files: false,
    options: &[DOCS],
    singles: None,
    print,
};

const DOCS: TargetOption =
    TargetOption { name: "docs", words: &["long", "none"], about: "How long the texts of functions are" };

/// Python replacements for functions that would lose NaN or raise an exception.
const SUPPORT: &str = "
def divide(x, y):
    if y != 0:
        return x / y
    return math.nan if x != x or x == 0 else math.copysign(math.inf, x) * math.copysign(1, y)


def sign(x):
    return float((x > 0) - (x < 0)) if x == x else x


def pow(x, y):
    return math.nan if x != x or y != y else math.pow(x, y)


def min(x, y):
    return math.nan if x != x or y != y else x if x < y else y


def max(x, y):
    return math.nan if x != x or y != y else x if x > y else y


def value(f, x):
    try:
        return f(x)
    except ValueError:
        return -math.inf if f is math.log and x == 0 else math.nan
    except OverflowError:
        return math.copysign(math.inf, x) if f is math.sinh else math.inf


def table(x, knots, rows):
    if x != x:
        return x
    above = sum(knot <= x for knot in knots)
    row = rows[above - 1 if above else 0]
    if above == 0 or above == len(knots):
        return row[0]
    d = x - knots[above - 1]
    return ((row[3] * d + row[2]) * d + row[1]) * d + row[0]
";

fn print(program: &Program, options: &TargetOptions) -> Result<Printed, TargetError> {
    let mut plan = Plan::new(program);
    let mut taken =
        Taken::new(["p", "t", "e", "math", "divide", "sign", "pow", "min", "max", "value", "table"]);
    // Symbols keep their own names.
    let _ = plan.name_values(&program.graph, &mut taken, &|id: NodeId| {
        matches!(program.graph.node(id).op, Op::Symbol(_)).then(|| "e".to_owned())
    });
    let mut out = format!("import math\n{SUPPORT}");
    for (number, function) in program.emitted() {
        let _ = write!(out, "\n\ndef {}(p, t, e):\n", function.declaration.name);
        if options.option_value(&DOCS) == "long" {
            let summary = function.declaration.summary_of_result(&program.name);
            let _ = writeln!(out, "    \"\"\"{summary}\"\"\"");
        }
        out.push_str(&statements(program, &plan, number, function));
    }
    program.check()?;
    Ok(Printed { name: None, texts: vec![out] })
}

/// The statements of a function and its return value.
fn statements(program: &Program, plan: &Plan, number: usize, function: &Function) -> String {
    let graph = &program.graph;
    let spelling = Python { graph };
    let mut out = String::new();
    let setup = BodyTree::of_setup(graph, plan, false);
    lines(&setup, &spelling, |_| true, &mut out);
    for field in &plan.hoisted {
        bind(&field.name, &setup.node_value(field.node), &spelling, &mut out);
    }
    let body = BodyTree::of_function(graph, plan, &plan.functions[number], false);
    lines(&body, &spelling, |is_early| is_early, &mut out);
    for id in body.plan().angles.iter().filter(|id| plan.angles.contains(id)) {
        bind(body.value_name(*id), &body.node_value(*id), &spelling, &mut out);
    }
    for call in FunctionParts::new(plan, number, function).calls {
        let block = &plan.blocks[call];
        let inner = BodyTree::of_block(graph, plan, &block.body, false);
        lines(&inner, &spelling, |_| true, &mut out);
        for root in &block.body.roots {
            bind(inner.value_name(root.node), &inner.node_value(root.node), &spelling, &mut out);
        }
    }
    lines(&body, &spelling, |is_early| !is_early, &mut out);
    out.push_str("    return {\n");
    for output in &function.outputs {
        let values: Vec<String> =
            output.nodes.iter().map(|id| value_text(&body.node_value(*id), &spelling)).collect();
        let _ = writeln!(out, "        {:?}: [{}],", output.name, values.join(", "));
    }
    out.push_str("    }\n");
    out
}

fn lines(body: &BodyTree<'_>, spelling: &Python<'_>, stays: impl Fn(bool) -> bool, out: &mut String) {
    body.each_body_line(&[], |line| {
        if !stays(line.is_early) {
            return;
        }
        if let Some(heading) = line.heading {
            let _ = writeln!(out, "    # {heading}");
        }
        match line.statement {
            Statement::Let(name, value) => bind(name, &value, spelling, out),
            Statement::SinCos(pairs) => pairs.iter().for_each(|pair| {
                let angle = value_text(&pair.angle, spelling);
                for (name, function) in [(pair.sin, "sin"), (pair.cos, "cos")] {
                    if let Some(name) = name {
                        let _ = writeln!(out, "    {name} = math.{function}({angle})");
                    }
                }
            }),
            Statement::Part(_) => {
                body.graph().invariants().report_broken("a plan without equal parts has one")
            }
        }
    });
}

fn bind(name: &str, value: &Value<'_>, spelling: &Python<'_>, out: &mut String) {
    if *value != Value::Local(name) {
        let _ = writeln!(out, "    {name} = {}", value_text(value, spelling));
    }
}

struct Python<'a> {
    graph: &'a Graph,
}

impl Spelling for Python<'_> {
    fn number(&self, value: f64) -> String {
        format!("{value:?}")
    }

    fn infinity(&self) -> String {
        "float('inf')".to_owned()
    }

    fn not_a_number(&self) -> String {
        "float('nan')".to_owned()
    }

    fn leaf(&self, value: &Value<'_>) -> String {
        match value {
            Value::Parameter(i) => format!("p[{i}]"),
            Value::Entry(SymbolKind::Time) => "t".to_owned(),
            Value::Entry(kind) => format!("e[\"{kind:?}\"]"),
            Value::Local(name) | Value::Field(name) | Value::OfBlock(_, name) | Value::OfAngles(name) => {
                (*name).to_owned()
            }
            other => {
                self.graph.invariants().report_broken(format!("{other:?} is printed as a leaf"));
                String::new()
            }
        }
    }

    fn call(&self, call: Call, arguments: &[String]) -> String {
        let all = arguments.join(", ");
        let zeros: Vec<String> = arguments.iter().map(|a| format!("{a} + 0.0")).collect();
        match call {
            Call::Sqrt => format!("value(math.sqrt, {all})"),
            Call::Sin => format!("math.sin({all})"),
            Call::Cos => format!("math.cos({all})"),
            Call::Func(Func::Ln) => format!("value(math.log, {all})"),
            Call::Func(Func::Abs) => format!("abs({all})"),
            Call::Func(Func::Sign) => format!("sign({all})"),
            Call::Func(f) => format!("value(math.{}, {all})", f.name()),
            // The sign of zero is ignored.
            Call::Func2(Func2::Atan2) => format!("math.atan2({})", zeros.join(", ")),
            Call::Func2(f) => format!("{}({all})", f.name()),
            Call::Select(cmp) => {
                let sign = match cmp {
                    Cmp::Lt => "<",
                    Cmp::Le => "<=",
                    Cmp::Eq => "==",
                };
                let [a, b, yes, no] = [0, 1, 2, 3].map(|i| arguments.get(i).map_or("", String::as_str));
                format!("(math.nan if {a} != {a} or {b} != {b} else ({yes}) if {a} {sign} {b} else ({no}))")
            }
            Call::Table(t) => {
                let table = tables::table_arrays(self.graph, t);
                format!("table({all}, {:?}, {:?})", table.knots, table.rows)
            }
        }
    }

    fn quotient(&self, [a, b]: &[String; 2]) -> Option<String> {
        Some(format!("divide({a}, {b})"))
    }

    fn mul_add(&self, [a, b, c]: &[String; 3]) -> String {
        format!("(({a}) * ({b}) + ({c}))")
    }
}
