//! The CUDA target: one header with the functions for the host and the device, and with kernels.
//!
//! Problem: samplers evaluate the equations at thousands of states at a time, one thread a state.
//! Method:  the printer of C with the words of CUDA C++ (`c::dialect`): everything is a template of
//!          the scalar type, in a namespace with the name of the mechanism. Inner functions are
//!          inlined and their loops unrolled, so that their arrays are registers. Kernels take
//!          arrays by coordinate, as batches of `dqdt-simd` do. The header includes nothing under
//!          NVRTC. Without CUDA it is C++14, in which kernels are loops.
//! Rounding: as C++ without contraction the bits of emitted C. A device fuses products and sums
//!           unless the compiler is told not to.

mod declarations;
mod functions;
mod kernels;
mod order;

use super::c::functions::model_init_function;
use super::c::names::CNames;
use super::c::options::Dialect;
use super::c::text::{line_comment, one_line_comment_text};
use super::c::{ASCII, COptions, CScalar, ascii, cost_comment, support};
use dqdt_diagnostics::base::InternalError;
use dqdt_graph::ir::Program;
use dqdt_graph::plan::Plan;
use dqdt_print::code::equal_part::EqualPart;
use dqdt_print::code::origin::origin_line;
use dqdt_print::target::{FUSED, Printed, SCALAR, Target, TargetError, TargetOptions, UNFUSED};
use functions::OrderedFunction;

/// CUDA C++ as a target language: prints one header.
pub static TARGET: Target = Target {
    name: "cuda",
    title: "CUDA",
    files: "a header",
    endings: &["cuh"],
    names_files: false,
    options: &[SCALAR, FUSED, UNFUSED, ASCII],
    singles: Some((SCALAR.name, "float")),
    print: print_cuda,
};

const BEGIN: &str = include_str!("support/begin.cuh");
const END: &str = include_str!("support/end.cuh");

fn print_cuda(program: &Program, options: &TargetOptions) -> Result<Printed, TargetError> {
    program.check()?;
    let [fused, ascii] = [&FUSED, &ASCII].map(|flag| options.has_flag(flag));
    let needs_float = options.option_value(&SCALAR) == "float";
    let options = COptions { scalar: CScalar::Double, fused, ascii, casadi: false, steps: false };
    let header = header(program, &options)?;
    if let (true, Some(message)) = (needs_float, header.beyond_float()) {
        let message = format!("{message}: omit the option `scalar`, or use other units");
        return Err(TargetError::Option { name: SCALAR.name.to_owned(), message });
    }
    Ok(Printed { name: None, texts: vec![header.text] })
}

/// The header that the CUDA target emits.
struct Header {
    text: String,
    beyond: Vec<f64>,
}

impl Header {
    /// Numbers that `float` cannot represent, in a sentence; `None` if there are none.
    fn beyond_float(&self) -> Option<String> {
        beyond_float(&self.beyond)
    }
}

fn beyond_float(numbers: &[f64]) -> Option<String> {
    let list: Vec<String> = numbers.iter().take(4).map(|x| format!("{x:?}")).collect();
    (!list.is_empty()).then(|| format!("{} is outside the range of `float`", list.join(", ")))
}

/// Text of the header about the live values of a function, by its index in the program.
fn live_text(program: &Program, ordered: &[OrderedFunction], function: usize) -> String {
    let at = program.emitted().position(|(number, _)| number == function);
    let live = at.and_then(|at| ordered.get(at)).map_or(0, |f| f.live);
    format!("; at most {live} values are alive at the same time")
}

/// For each emitted function, the largest number of values that are alive at the same time in CUDA.
///
/// # Errors
/// An internal error, if the program or the printer is broken.
pub fn count_live_values(program: &Program) -> Result<Vec<(&'static str, usize)>, InternalError> {
    let options = COptions::default();
    let mut plan = Plan::new_without_blocks(program);
    let mut equal: Vec<EqualPart> =
        plan.equal_parts().map(|e| EqualPart::new(&program.graph, &plan.groups, e)).collect();
    let names = CNames::new(program, &mut plan, &mut equal, (Dialect::Cuda, &options));
    let ordered = functions::ordered_functions(program, &plan, &names, &equal);
    program.check()?;
    let names = program.emitted().map(|(_, f)| f.declaration.name);
    Ok(names.zip(ordered.iter().map(|f| f.live)).collect())
}

fn header(program: &Program, options: &COptions) -> Result<Header, InternalError> {
    let mut plan = Plan::new_without_blocks(program);
    let mut equal: Vec<EqualPart> =
        plan.equal_parts().map(|e| EqualPart::new(&program.graph, &plan.groups, e)).collect();
    let names = CNames::new(program, &mut plan, &mut equal, (Dialect::Cuda, options));
    let ordered = functions::ordered_functions(program, &plan, &names, &equal);
    let init = model_init_function(program, &plan, &names);
    let functions: Vec<&str> =
        std::iter::once(init.as_str()).chain(ordered.iter().map(|f| f.text.as_str())).collect();
    let of_samples =
        [kernels::state_functions(program, &names), kernels::rollout_functions(program)].concat();
    let declarations = declarations::declarations(program, &plan, &names);
    let beyond = names.unrepresentable();
    let kernels = kernels::kernel_definitions(program, &names, beyond_float(&beyond).as_deref());
    let body = [kernels::ROWS, &functions.join("\n"), &of_samples].join("\n");
    let support = support::used_functions(&names, &body).join("\n");
    let top = format!("// {}\n//\n", origin_line(program, one_line_comment_text));
    let legend = dqdt_print::code::legend::legend_comment(&body, &program.layout);
    let guard = format!("DQDT_{}_CUH", names.upper);
    let about = line_comment(&kernels::usage_text(program, &names), 0);
    let (namespace, costs) =
        (&names.prefix, cost_comment(program, &plan, &|function| live_text(program, &ordered, function)));
    let text = [
        format!(
            "{top}{about}//\n{costs}//\n{legend}\n#ifndef {guard}\n#define {guard}\n\n{BEGIN}\nnamespace {namespace} {{\n"
        ),
        declarations,
        support,
        body,
        format!("}} // namespace {namespace}\n"),
        kernels,
        format!("{END}#endif // {guard}\n"),
    ];
    let text = text.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n");
    program.check()?;
    let text = if options.ascii { ascii::to_ascii_text(&text) } else { text };
    Ok(Header { text, beyond })
}
