//! The parts of a function around its statements: calls of blocks, results, check of pivots.

use crate::code::result_arguments::result_argument_names;
use dqdt_graph::ir::declaration::{Declaration, Returns, Role};
use dqdt_graph::ir::{Function, FunctionOutput, NodeId};
use dqdt_graph::plan::{Block, Plan};

/// An emitted function with its parts. Its text consists of: early statements, calls of blocks, the
/// other statements, comparison of divisors if it is checked, results, and the verdict if it may
/// fail.
pub struct FunctionParts<'a> {
    /// The function that is printed.
    pub function: &'a Function,
    /// Indices of the blocks (inner functions) that the function calls, in order.
    pub calls: Vec<usize>,
    /// Results of the function, one for each argument that receives one.
    pub results: Vec<ResultPart<'a>>,
    /// True if the function compares divisors with a tolerance.
    pub is_checked: bool,
}

/// Result of an emitted function that is stored in one argument.
pub struct ResultPart<'a> {
    /// Declaration of the function that computes the result. A joint call has one result for each
    /// function that it joins.
    pub declaration: &'static Declaration,
    /// Outputs that the argument receives.
    pub outputs: &'a [FunctionOutput],
    /// Name of the argument that receives the result.
    pub place: &'static str,
}

impl ResultPart<'_> {
    /// Returns `true` if the result is a matrix.
    pub fn is_matrix(&self) -> bool {
        matches!(self.declaration.returns, Returns::Array { dims, .. } if dims.len() > 1)
    }
}

impl<'a> FunctionParts<'a> {
    /// The parts of the function with index `number` in the program.
    pub fn new(plan: &Plan, number: usize, function: &'a Function) -> Self {
        let declaration = function.declaration;
        let calls = (plan.blocks.iter().enumerate())
            .filter_map(|(i, block)| block.functions.contains(&number).then_some(i))
            .collect();
        let results = function.results().into_iter().zip(result_argument_names(declaration));
        FunctionParts {
            function,
            calls,
            results: results
                .map(|((declaration, outputs), place)| ResultPart { declaration, outputs, place })
                .collect(),
            is_checked: declaration.checked && !function.checks.is_empty(),
        }
    }

    /// Result array that the end of the function checks for overflow: the state derivative, if
    /// there is one.
    pub fn overflow_checked_result(&self) -> Option<&ResultPart<'a>> {
        let derivative =
            self.results.iter().find(|part| part.declaration.role == Some(Role::StateDerivative));
        derivative.or_else(|| {
            self.results.iter().find(|part| {
                part.declaration.checked && matches!(part.declaration.returns, Returns::Array { .. })
            })
        })
    }

    /// Results other than that of the overflow check that are invalid when the function fails, and
    /// are cleared then. In a joint call, a result that cannot fail on its own keeps its values.
    pub fn other_cleared_results(&self) -> Vec<&ResultPart<'a>> {
        let end = self.overflow_checked_result().map(|part| part.place);
        (self.results.iter())
            .filter(|part| self.is_checked && part.declaration.checked && Some(part.place) != end)
            .collect()
    }
}

/// Minimum number of values for an emitted array to start as zeros; shorter arrays list all
/// entries.
pub const FEW_VALUES: usize = 6;

/// Returns `true` if an output that is assigned entry by entry should start as zeros, because that
/// is shorter.
pub fn is_sparse(output: &FunctionOutput, is_zero: impl Fn(NodeId) -> bool) -> bool {
    output.nodes.len() >= FEW_VALUES && output.nodes.iter().filter(|node| is_zero(**node)).count() > 1
}

/// Names of the sections that a block computes, for its comment; at most four.
pub fn block_sections_text(block: &Block) -> String {
    const FEW: usize = 4;
    let mut sections = block.section_names.clone();
    if sections.len() > FEW {
        sections.truncate(FEW);
        sections.push("others".to_owned());
    }
    sections.join("; ")
}
