//! The parts of a function around its statements: calls of blocks, results, verdict.

use crate::code::places::places;
use dqdt_graph::ir::declaration::{Declaration, Returns, Role};
use dqdt_graph::ir::{Function, FunctionOutput, NodeId};
use dqdt_graph::plan::{Block, Plan};

/// A function with its parts. Its text is: early statements, calls of blocks, the other statements,
/// comparison of divisors if it is checked, results, verdict if it may fail.
pub struct FunctionParts<'a> {
    /// The function.
    pub function: &'a Function,
    /// The blocks that it calls, in their order.
    pub calls: Vec<usize>,
    /// Its results.
    pub results: Vec<ResultPart<'a>>,
    /// True if it compares divisors.
    pub is_checked: bool,
}

/// A result that is written to one argument.
pub struct ResultPart<'a> {
    /// The function that it is a result of; of a joint call each of those that it joins has one.
    pub declaration: &'static Declaration,
    /// Its outputs.
    pub outputs: &'a [FunctionOutput],
    /// The argument.
    pub place: &'static str,
}

impl ResultPart<'_> {
    /// True for an array of rows.
    pub fn is_matrix(&self) -> bool {
        matches!(self.declaration.returns, Returns::Array { dims, .. } if dims.len() > 1)
    }
}

impl<'a> FunctionParts<'a> {
    /// Of the function with this place in the program.
    pub fn new(plan: &Plan, number: usize, function: &'a Function) -> Self {
        let declaration = function.declaration;
        let is_called = |(i, block): (usize, &Block)| block.functions.contains(&number).then_some(i);
        let results = function.results().into_iter().zip(places(declaration));
        FunctionParts {
            function,
            calls: plan.blocks.iter().enumerate().filter_map(is_called).collect(),
            results: results
                .map(|((declaration, outputs), place)| ResultPart { declaration, outputs, place })
                .collect(),
            is_checked: declaration.checked && !function.checks.is_empty(),
        }
    }

    /// The array that is asked for overflow as the call ends: the derivative, if it is there.
    pub fn end(&self) -> Option<&ResultPart<'a>> {
        let is_array = |part: &&ResultPart<'_>| {
            part.declaration.checked && matches!(part.declaration.returns, Returns::Array { .. })
        };
        let derivative =
            self.results.iter().find(|part| part.declaration.role == Some(Role::StateDerivative));
        derivative.or_else(|| self.results.iter().find(is_array))
    }

    /// The results besides the end that have no value where the function fails. One that cannot
    /// fail alone keeps its values in a joint call.
    pub fn beside_end(&self) -> Vec<&ResultPart<'a>> {
        let end = self.end().map(|part| part.place);
        let is_beside =
            |part: &&ResultPart<'_>| self.is_checked && part.declaration.checked && Some(part.place) != end;
        self.results.iter().filter(is_beside).collect()
    }
}

/// An array of fewer values is written out.
pub const FEW_VALUES: usize = 6;

/// True if an output that is written entry by entry starts as zeros, because that is shorter.
pub fn is_sparse(output: &FunctionOutput, is_zero: impl Fn(NodeId) -> bool) -> bool {
    output.nodes.len() >= FEW_VALUES && output.nodes.iter().filter(|node| is_zero(**node)).count() > 1
}

/// The sections of a block, for the comment before it.
pub fn sections(block: &Block) -> String {
    const FEW: usize = 4;
    let mut sections = block.sections.clone();
    if sections.len() > FEW {
        sections.truncate(FEW);
        sections.push("others".to_owned());
    }
    sections.join("; ")
}
