//! Compiles a tape to machine code.

use cranelift_codegen::ir::{AbiParam, InstBuilder, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
use dqdt_graph::ir::{SymbolKind, Tape, TapeStep};

use crate::error::NativeError;
use crate::library;
use crate::scalar::NativeScalar;
use crate::translate::{Translation, ValueSources};

/// A module of machine code with its entry points.
pub(crate) struct CompiledModule {
    pub(crate) module: JITModule,
    /// Computes the values that depend on parameters only.
    pub(crate) model: CompiledFunction,
    /// Computes the outputs, one state at a time.
    pub(crate) single: CompiledFunction,
    /// Computes the outputs of as many states as a register has lanes; `None` if not asked for.
    pub(crate) pack: Option<CompiledFunction>,
    /// Number of values of the model.
    pub(crate) model_length: usize,
}

/// A function in parts, which are called in this order.
pub(crate) struct CompiledFunction {
    pub(crate) parts: Vec<FuncId>,
    /// Number of values that parts pass to later ones, in each lane.
    pub(crate) passed: usize,
}

/// Ways to assign registers to values.
#[derive(Clone, Copy)]
enum RegisterAllocation {
    /// With the quicker code, in about 10 µs per step.
    Backtracking,
    /// In 1 to 2 µs per step; the code takes 1.3 to 1.4 times as long, and its values have places
    /// of their own on the stack.
    SinglePass,
}

/// Number of steps above which code for one motion is compiled in a single pass.
const MOST_STEPS: usize = 4_000;

impl RegisterAllocation {
    /// Maximum number of steps of a part: with backtracking the time grows faster than the number
    /// of steps; in a single pass the stack frame has eight bytes for each.
    fn most_steps_of_part(self) -> usize {
        match self {
            RegisterAllocation::Backtracking => MOST_STEPS,
            RegisterAllocation::SinglePass => 16_000,
        }
    }
}

fn new_module(allocation: RegisterAllocation) -> Result<JITModule, NativeError> {
    let allocation = match allocation {
        RegisterAllocation::Backtracking => "backtracking",
        RegisterAllocation::SinglePass => "single_pass",
    };
    let mut flags = settings::builder();
    let options = [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("enable_verifier", "false"),
        ("opt_level", "none"),
        ("regalloc_checker", "false"),
        ("regalloc_algorithm", allocation),
    ];
    for (name, value) in options {
        flags.set(name, value).map_err(|e| NativeError::Processor(e.to_string()))?;
    }
    let isa = cranelift_native::builder().map_err(|e| NativeError::Processor(e.to_owned()))?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|e| NativeError::Processor(e.to_string()))?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    library::register(&mut builder);
    Ok(JITModule::new(builder))
}

/// Number of operands of a step.
fn operand_count(step: &TapeStep) -> usize {
    match step {
        TapeStep::Constant(_) | TapeStep::Leaf(_) => 0,
        TapeStep::Table(_) => 1,
        TapeStep::Operation(op) => op.operand_count(),
    }
}

/// True for each step whose value depends on parameters and constants only.
fn depends_on_parameters_only(tape: &Tape) -> Vec<bool> {
    let mut only: Vec<bool> = Vec::with_capacity(tape.len());
    for (step, operands) in tape.steps() {
        let value = match step {
            TapeStep::Leaf(kind) => matches!(kind, SymbolKind::Parameter(_)),
            _ => operands[..operand_count(step)].iter().all(|a| only[*a as usize]),
        };
        only.push(value);
    }
    only
}

/// Steps that depend on parameters only and are outputs or operands of others.
fn model_steps(tape: &Tape) -> Vec<u32> {
    let only = depends_on_parameters_only(tape);
    let mut is_read = vec![false; tape.len()];
    let operands_of_others = (tape.steps().iter().enumerate().filter(|(i, _)| !only[*i]))
        .flat_map(|(_, (step, operands))| &operands[..operand_count(step)]);
    for index in tape.outputs().iter().chain(operands_of_others) {
        let step = &tape.steps()[*index as usize].0;
        is_read[*index as usize] |=
            only[*index as usize] && !matches!(step, TapeStep::Constant(_) | TapeStep::Leaf(_));
    }
    (0..tape.len()).filter(|i| is_read[*i]).map(|i| i as u32).collect()
}

/// Compiles the outputs of a tape, with or without code for packs of states.
pub(crate) fn compile<T: NativeScalar>(tape: &Tape, has_packs: bool) -> Result<CompiledModule, NativeError> {
    // Code for packs is meant for many states, where its speed counts.
    let allocation = match has_packs || tape.len() <= MOST_STEPS {
        true => RegisterAllocation::Backtracking,
        false => RegisterAllocation::SinglePass,
    };
    let model = model_steps(tape);
    let mut index_in_model = vec![None; tape.len()];
    let mut module = new_module(allocation)?;
    let mut context = FunctionBuilderContext::new();
    let most_steps = allocation.most_steps_of_part();
    let mut define = |name: &str, lanes: usize, outputs: &[u32], index_in_model: &[Option<u32>]| {
        let function = TapeFunction { name, lanes, most_steps, tape, outputs, index_in_model };
        function.define::<T>(&mut module, &mut context)
    };
    let model_function = define("model", 1, &model, &index_in_model)?;
    for (i, step) in model.iter().enumerate() {
        index_in_model[*step as usize] = Some(i as u32);
    }
    let single = define("single", 1, tape.outputs(), &index_in_model)?;
    let pack = match has_packs {
        true => Some(define("pack", T::LANES, tape.outputs(), &index_in_model)?),
        false => None,
    };
    module.finalize_definitions()?;
    Ok(CompiledModule { module, model: model_function, single, pack, model_length: model.len() })
}

/// A function of which each part is `name(vectors, model, passed, result) -> inside` and writes
/// outputs to `result`.
struct TapeFunction<'a> {
    name: &'a str,
    lanes: usize,
    /// Maximum number of steps of a part.
    most_steps: usize,
    tape: &'a Tape,
    outputs: &'a [u32],
    /// Index in the model of each step whose value is read from there.
    index_in_model: &'a [Option<u32>],
}

impl TapeFunction<'_> {
    /// Compiles the function: consecutive steps become a part, and values that later parts need
    /// pass through memory.
    fn define<T: NativeScalar>(
        &self,
        module: &mut JITModule,
        context: &mut FunctionBuilderContext,
    ) -> Result<CompiledFunction, NativeError> {
        let needed = self.needed_steps();
        let parts: Vec<&[u32]> = match needed.is_empty() {
            true => vec![&[]],
            false => needed.chunks(self.most_steps).collect(),
        };
        let (index_in_passed, passed) = self.passed_values(&parts);
        let mut compiled = CompiledFunction { parts: Vec::new(), passed };
        for (i, steps) in parts.into_iter().enumerate() {
            let name = &format!("{}_{i}", self.name);
            let part = FunctionPart { name, steps, index_in_passed: &index_in_passed };
            compiled.parts.push(self.define_part::<T>(&part, module, context)?);
        }
        Ok(compiled)
    }

    fn define_part<T: NativeScalar>(
        &self,
        part: &FunctionPart<'_>,
        module: &mut JITModule,
        context: &mut FunctionBuilderContext,
    ) -> Result<FuncId, NativeError> {
        let mut function = module.make_context();
        let pointer = module.target_config().pointer_type();
        function.func.signature.params.extend((0..4).map(|_| AbiParam::new(pointer)));
        function.func.signature.returns.push(AbiParam::new(types::I8));
        let id = module.declare_function(part.name, Linkage::Local, &function.func.signature)?;
        let mut builder = FunctionBuilder::new(&mut function.func, context);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let [vectors, model, passed, result] = [0, 1, 2, 3].map(|i| builder.block_params(block)[i]);
        let (index_in_model, index_in_passed) = (self.index_in_model, part.index_in_passed);
        let sources = ValueSources { vectors, model, index_in_model, passed, index_in_passed };
        let mut translation =
            Translation::new(self.tape, part.steps, &mut builder, module, self.lanes, sources);
        for step in part.steps {
            let value = translation.step::<T>(*step)?;
            if let Some(index) = index_in_passed[*step as usize] {
                translation.store::<T>(value, passed, index as usize)?;
            }
        }
        for (i, output) in self.outputs.iter().enumerate() {
            if part.steps.binary_search(output).is_ok() {
                let value = translation.step::<T>(*output)?;
                translation.store::<T>(value, result, i)?;
            }
        }
        let inside = translation.all_inside();
        builder.ins().return_(&[inside]);
        builder.seal_all_blocks();
        let config = module.target_config();
        builder.finalize(config);
        module.define_function(id, &mut function)?;
        module.clear_context(&mut function);
        Ok(id)
    }

    /// Index in memory of each step whose value another part than its own needs, and their number.
    fn passed_values(&self, parts: &[&[u32]]) -> (Vec<Option<u32>>, usize) {
        let mut index_in_passed = vec![None; self.tape.len()];
        let mut count = 0;
        let steps = self.tape.steps();
        // A constant, an argument or a value of the model is read anew.
        let is_computed = |step: u32| {
            let is_leaf = matches!(steps[step as usize].0, TapeStep::Constant(_) | TapeStep::Leaf(_));
            !is_leaf && self.index_in_model[step as usize].is_none()
        };
        for part in parts.iter().skip(1) {
            let first = part[0];
            let computing = part.iter().filter(|step| is_computed(**step));
            for step in computing {
                let (step, operands) = &steps[*step as usize];
                for operand in
                    operands[..operand_count(step)].iter().filter(|a| **a < first && is_computed(**a))
                {
                    let index = &mut index_in_passed[*operand as usize];
                    if index.is_none() {
                        *index = Some(count);
                        count += 1;
                    }
                }
            }
        }
        (index_in_passed, count as usize)
    }

    /// Steps that the outputs need when the values of the model are known, in ascending order.
    fn needed_steps(&self) -> Vec<u32> {
        let mut needed = vec![false; self.tape.len()];
        for output in self.outputs {
            needed[*output as usize] = true;
        }
        for (i, (step, operands)) in self.tape.steps().iter().enumerate().rev() {
            if needed[i] && self.index_in_model[i].is_none() {
                for a in &operands[..operand_count(step)] {
                    needed[*a as usize] = true;
                }
            }
        }
        (0..self.tape.len() as u32).filter(|i| needed[*i as usize]).collect()
    }
}

/// Consecutive steps of a function that are compiled together.
struct FunctionPart<'a> {
    name: &'a str,
    /// Steps in ascending order.
    steps: &'a [u32],
    /// Index in memory of each step whose value another part needs.
    index_in_passed: &'a [Option<u32>],
}
