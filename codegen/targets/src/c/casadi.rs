//! Entry points that CasADi's `external` can load, one for each function, with sparsity, if
//! `DQDT_CASADI` is defined.
//!
//! Arguments are the time, those of the function, and the parameters as a vector. Results are
//! arrays, or the fields of a struct, in column-major order; the non-zeros of a sparse matrix are a
//! symmetric sparse matrix. Derivatives of the state derivative are in `casadi_derivatives`.

use std::fmt::Write as _;

use super::names::CNames;
use super::options::CScalar;
use dqdt_graph::ir::declaration::{Declaration, Returns};
use dqdt_graph::ir::{Function, FunctionOutput, Program, ResultShape};
use dqdt_print::code::result_arguments::result_argument_names;

/// Argument or result of a CasADi entry point: name, size and sparsity, in column-major order.
pub(super) struct ArgumentBlock {
    pub(super) name: String,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Row, column and C expression of each structural non-zero, in column-major order; an empty
    /// list for an all-zero block.
    pub(super) entries: Vec<(usize, usize, String)>,
}

impl ArgumentBlock {
    /// Block for a dense vector whose entries are those of the C array `name`.
    pub(super) fn dense_vector(name: &str, n: usize) -> ArgumentBlock {
        let entries = (0..n).map(|i| (i, 0, format!("{name}[{i}]"))).collect();
        ArgumentBlock { name: name.to_owned(), rows: n, columns: 1, entries }
    }

    pub(super) fn zero_block(name: &str, rows: usize, columns: usize) -> ArgumentBlock {
        ArgumentBlock { name: name.to_owned(), rows, columns, entries: Vec::new() }
    }

    /// Sparsity in CasADi's format, as a list of numbers: rows, columns, start of each column, row
    /// of each entry.
    fn sparsity_text(&self) -> String {
        let mut numbers = vec![self.rows, self.columns];
        numbers.extend((0..=self.columns).map(|c| self.entries.iter().filter(|e| e.1 < c).count()));
        numbers.extend(self.entries.iter().map(|e| e.0));
        numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// C text of the CasADi entry points of all functions, followed by those of `derivatives`. Empty
/// for `float`, which CasADi does not support.
pub fn casadi_entry_points(program: &Program, names: &CNames, derivatives: &str) -> String {
    if names.scalar == CScalar::Float {
        return String::new();
    }
    let functions: Vec<(&Function, Vec<ArgumentBlock>)> =
        program.emitted().filter_map(|(_, f)| Some((f, result_blocks(program, names, f)?))).collect();
    if functions.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "// Entry points for CasADi: compile with -DDQDT_CASADI -shared -fPIC, then external('casadi_{0}_…', './lib.so').\n\
         // Arguments: t, those of the function, p (all parameters). Missing arguments are zero.\n\
         #if defined(DQDT_CASADI)\n\n\
         typedef long long int casadi_int;\n\n\
         static void casadi_given(const double *from, double *to, int n) {{\n    \
         for (int k = 0; k < n; k++) to[k] = from != NULL ? from[k] : 0.0;\n}}\n",
        names.prefix
    );
    if !program.layout.p.is_empty() {
        let stores: String = (names.parameters.iter().enumerate())
            .map(|(i, field)| format!("    params->{field} = p != NULL ? p[{i}] : 0.0;\n"))
            .collect();
        let _ = write!(
            out,
            "\nstatic void casadi_params(const double *p, struct {}_params *params) {{\n{stores}}}\n",
            names.prefix
        );
    }
    for (f, results) in functions {
        out.push_str(&entry_point(program, names, f, &results));
    }
    out.push_str(derivatives);
    out + "\n#endif // DQDT_CASADI\n"
}

/// Results of a CasADi entry point in column-major order. `None` if CasADi cannot represent one of
/// them.
fn result_blocks(program: &Program, names: &CNames, f: &Function) -> Option<Vec<ArgumentBlock>> {
    let mut all = Vec::new();
    for ((part, outputs), place) in f.results().into_iter().zip(result_argument_names(f.declaration)) {
        match part.returns {
            Returns::Array { .. } => {
                all.extend(outputs.iter().map(|o| output_block(program, o, place, place)))
            }
            Returns::Struct { .. } => {
                for (o, field) in
                    outputs.iter().zip(names.result_field_names(outputs)).filter(|(o, _)| !o.nodes.is_empty())
                {
                    all.push(output_block(program, o, &field, &format!("{place}.{field}")));
                }
            }
            Returns::Limited { .. } => {
                all.extend(outputs.iter().map(|o| output_block(program, o, place, place)))
            }
            Returns::Joint(_) => return None,
        }
    }
    all.retain(|b| b.rows * b.columns > 0);
    (!all.is_empty()).then_some(all)
}

pub(super) fn output_block(program: &Program, o: &FunctionOutput, name: &str, place: &str) -> ArgumentBlock {
    if !o.places.is_empty() {
        let entries = symmetric_entries(&o.places, place);
        let n = program.layout.q.len() + program.layout.v.len() + program.layout.z.len();
        let n = n + program.layout.u.len() + program.layout.p.len();
        return ArgumentBlock { name: name.to_owned(), rows: n, columns: n, entries };
    }
    let (rows, columns) = match o.shape {
        ResultShape::Scalar => (1, 1),
        ResultShape::Vector(n) => (n, 1),
        ResultShape::Matrix(rows, columns) => (rows, columns),
    };
    let mut entries = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            let text = match o.shape {
                ResultShape::Scalar => place.to_owned(),
                ResultShape::Vector(_) => format!("{place}[{row}]"),
                ResultShape::Matrix(..) => format!("{place}[{row}][{column}]"),
            };
            if o.nodes.get(row * columns + column).is_some_and(|node| !program.graph.is_zero(*node)) {
                entries.push((row, column, text));
            }
        }
    }
    ArgumentBlock { name: name.to_owned(), rows, columns, entries }
}

/// Entries of a symmetric matrix in column-major order, from those of its lower triangle in an
/// array.
pub(super) fn symmetric_entries(places: &[[usize; 2]], array: &str) -> Vec<(usize, usize, String)> {
    let mut out = Vec::new();
    for (k, [i, j]) in places.iter().copied().enumerate() {
        out.push((i, j, format!("{array}[{k}]")));
        if i != j {
            out.push((j, i, format!("{array}[{k}]")));
        }
    }
    out.sort_by_key(|(i, j, _)| (*j, *i));
    out
}

/// Arguments of a CasADi entry point: time, arguments of the function, parameters.
pub(super) fn argument_blocks(program: &Program, d: &Declaration) -> Vec<ArgumentBlock> {
    let mut all = vec![ArgumentBlock::dense_vector("t", 1)];
    for a in d.arguments {
        all.push(ArgumentBlock::dense_vector(a.name, a.vector.slots(&program.layout).len()));
    }
    all.push(ArgumentBlock::dense_vector("p", program.layout.p.len()));
    all.retain(|b| b.rows > 0);
    all
}

/// C statements of a CasADi entry point that read the arguments and initialise the model.
pub(super) fn read_arguments_text(program: &Program, names: &CNames, d: &Declaration) -> String {
    let p = &names.prefix;
    let mut out = String::from(
        "    (void)res;\n    (void)iw;\n    (void)w;\n    (void)mem;\n    double t[1];\n    casadi_given(arg[0], t, 1);\n",
    );
    let mut next = 1;
    for a in d.arguments {
        let n = a.vector.slots(&program.layout).len();
        if n == 0 {
            let _ = writeln!(out, "    const double *{} = NULL;", a.name);
            continue;
        }
        let _ = writeln!(out, "    double {0}[{n}];\n    casadi_given(arg[{next}], {0}, {n});", a.name);
        next += 1;
    }
    let _ = writeln!(out, "    struct {p}_model model;");
    if program.layout.p.is_empty() {
        let _ = writeln!(out, "    {p}_model_init(&model, &{p}_defaults);");
    } else {
        let _ = writeln!(out, "    struct {p}_params params;\n    casadi_params(arg[{next}], &params);");
        let _ = writeln!(out, "    {p}_model_init(&model, &params);");
    }
    out
}

/// C statements of a CasADi entry point that declare variables for the results of a function, and
/// call it.
fn call_text(names: &CNames, f: &Function) -> String {
    let d = f.declaration;
    let mut out = String::new();
    let mut arguments = vec!["&model".to_owned(), "t[0]".to_owned()];
    arguments.extend(d.arguments.iter().map(|a| a.name.to_owned()));
    for ((part, outputs), place) in f.results().into_iter().zip(result_argument_names(d)) {
        match (part.returns, outputs.first().map(|o| o.shape)) {
            (Returns::Struct { name, .. }, _) => {
                let _ = writeln!(out, "    {} {place};", names.result_struct_name(name));
                arguments.push(format!("&{place}"));
                continue;
            }
            (_, Some(ResultShape::Matrix(rows, columns))) => {
                let _ = writeln!(out, "    double {place}[{rows}][{columns}];");
            }
            _ => {
                let n = outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
                let _ = writeln!(out, "    double {place}[{n}];");
            }
        }
        arguments.push(place.to_owned());
        if matches!(part.returns, Returns::Limited { .. }) {
            let n = outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
            let _ = writeln!(out, "    int acted[{n}];");
            arguments.push("acted".to_owned());
        }
    }
    let call = format!("{}_{}({})", names.prefix, d.name, arguments.join(", "));
    let _ = writeln!(out, "    if ({call} != 0) return 1;");
    out
}

/// C statements of a CasADi entry point that copy results to the output arrays that CasADi
/// requests.
pub(super) fn store_results_text(results: &[ArgumentBlock]) -> String {
    let mut out = String::new();
    for (i, r) in results.iter().enumerate().filter(|(_, r)| !r.entries.is_empty()) {
        let _ = writeln!(out, "    if (res[{i}] != NULL) {{");
        for (k, (_, _, text)) in r.entries.iter().enumerate() {
            let _ = writeln!(out, "        res[{i}][{k}] = {text};");
        }
        out.push_str("    }\n");
    }
    out
}

/// C functions with which CasADi queries an entry point: numbers, names and sparsity of arguments
/// and results, and its workspace.
pub(super) fn query_functions(
    symbol: &str,
    arguments: &[ArgumentBlock],
    results: &[ArgumentBlock],
) -> String {
    let mut out = String::new();
    for (side, blocks) in [("in", arguments), ("out", results)] {
        let n = blocks.len();
        let names: Vec<String> = blocks.iter().map(|b| super::text::string_literal(&b.name)).collect();
        let patterns: String = (blocks.iter().enumerate())
            .map(|(i, b)| format!("    static const casadi_int pattern{i}[] = {{{}}};\n", b.sparsity_text()))
            .collect();
        let list: Vec<String> = (0..n).map(|i| format!("pattern{i}")).collect();
        let _ = write!(
            out,
            "casadi_int {symbol}_n_{side}(void) {{ return {n}; }}\n\
             const char *{symbol}_name_{side}(casadi_int i) {{\n    \
             static const char *const names[{n}] = {{{}}};\n    return i >= 0 && i < {n} ? names[i] : NULL;\n}}\n\
             const casadi_int *{symbol}_sparsity_{side}(casadi_int i) {{\n{patterns}    \
             static const casadi_int *const all[{n}] = {{{}}};\n    return i >= 0 && i < {n} ? all[i] : NULL;\n}}\n",
            names.join(", "),
            list.join(", ")
        );
    }
    let _ = write!(
        out,
        "int {symbol}_work(casadi_int *n_arg, casadi_int *n_res, casadi_int *n_iw, casadi_int *n_w) {{\n    \
         if (n_arg != NULL) *n_arg = {};\n    if (n_res != NULL) *n_res = {};\n    \
         if (n_iw != NULL) *n_iw = 0;\n    if (n_w != NULL) *n_w = 0;\n    return 0;\n}}\n",
        arguments.len(),
        results.len()
    );
    out
}

pub(super) fn entry_point_definition(symbol: &str, body: &str) -> String {
    format!(
        "int {symbol}(const double **arg, double **res, casadi_int *iw, double *w, int mem) {{\n{body}    return 0;\n}}\n"
    )
}

fn entry_point(program: &Program, names: &CNames, f: &Function, results: &[ArgumentBlock]) -> String {
    let d = f.declaration;
    let symbol = format!("casadi_{}_{}", names.prefix, d.name);
    let body =
        [read_arguments_text(program, names, d), call_text(names, f), store_results_text(results)].concat();
    format!(
        "\n{}{}",
        entry_point_definition(&symbol, &body),
        query_functions(&symbol, &argument_blocks(program, d), results)
    )
}
