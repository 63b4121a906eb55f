//! Compiles a tape to machine code.

use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, types};
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
    pub(crate) model: FuncId,
    /// Computes the outputs, one state at a time.
    pub(crate) single: FuncId,
    /// Computes the outputs of as many states as a register has lanes; `None` if not asked for.
    pub(crate) pack: Option<FuncId>,
    /// Number of values of the model.
    pub(crate) model_length: usize,
}

/// Ways to assign registers to values.
#[derive(Clone, Copy)]
enum RegisterAllocation {
    /// With the quicker code. The time grows faster than the number of steps: a Panda (1,300 steps)
    /// takes ten milliseconds, a Talos (9,200) hundreds.
    Backtracking,
    /// In 1 to 2 µs per step; the code takes 1.3 to 1.4 times as long, and its values have places
    /// of their own on the stack.
    SinglePass,
}

/// Number of steps above which code for one motion is compiled in a single pass.
const MOST_STEPS_OF_BACKTRACKING: usize = 4_000;

/// Maximum size in bytes of the stack frame of code: threads have at least 512 KiB, and code that
/// leaves the stack ends the process.
const LARGEST_FRAME: u32 = 256 << 10;

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
    if !has_packs && tape.len() > MOST_STEPS_OF_BACKTRACKING {
        match compile_with::<T>(RegisterAllocation::SinglePass, tape, has_packs) {
            Err(NativeError::TooLarge) => {}
            compiled => return compiled,
        }
    }
    compile_with::<T>(RegisterAllocation::Backtracking, tape, has_packs)
}

fn compile_with<T: NativeScalar>(
    allocation: RegisterAllocation,
    tape: &Tape,
    has_packs: bool,
) -> Result<CompiledModule, NativeError> {
    let model = model_steps(tape);
    let mut index_in_model = vec![None; tape.len()];
    let mut module = new_module(allocation)?;
    let mut context = FunctionBuilderContext::new();
    let mut define = |name: &str, lanes: usize, outputs: &[u32], index_in_model: &[Option<u32>]| {
        let function = TapeFunction { name, lanes, tape, outputs, index_in_model };
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

/// A function `name(vectors, model, result) -> inside` that writes outputs to `result`.
struct TapeFunction<'a> {
    name: &'a str,
    lanes: usize,
    tape: &'a Tape,
    outputs: &'a [u32],
    /// Index in the model of each step whose value is read from there.
    index_in_model: &'a [Option<u32>],
}

impl TapeFunction<'_> {
    fn define<T: NativeScalar>(
        &self,
        module: &mut JITModule,
        context: &mut FunctionBuilderContext,
    ) -> Result<FuncId, NativeError> {
        let mut function = module.make_context();
        let pointer = module.target_config().pointer_type();
        function.func.signature.params.extend((0..3).map(|_| AbiParam::new(pointer)));
        function.func.signature.returns.push(AbiParam::new(types::I8));
        let id = module.declare_function(self.name, Linkage::Local, &function.func.signature)?;
        let mut builder = FunctionBuilder::new(&mut function.func, context);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let [vectors, model, result] = [0, 1, 2].map(|i| builder.block_params(block)[i]);
        let sources = ValueSources { vectors, model, index_in_model: self.index_in_model };
        let needed = self.needed_steps();
        let mut translation = Translation::new(self.tape, &needed, &mut builder, module, self.lanes, sources);
        for (i, _) in needed.iter().enumerate().filter(|(_, n)| **n) {
            translation.step::<T>(i as u32)?;
        }
        for (i, output) in self.outputs.iter().enumerate() {
            let value = translation.step::<T>(*output)?;
            let bytes = i * self.lanes * size_of::<T>();
            let offset = i32::try_from(bytes).map_err(|_| NativeError::TooLarge)?;
            translation.builder.ins().store(MemFlagsData::trusted(), value, result, offset);
        }
        let inside = translation.all_inside();
        builder.ins().return_(&[inside]);
        builder.seal_all_blocks();
        let config = module.target_config();
        builder.finalize(config);
        module.define_function(id, &mut function)?;
        let frame = function.compiled_code().and_then(|code| code.buffer.frame_layout());
        if frame.is_some_and(|f| f.frame_to_fp_offset > LARGEST_FRAME) {
            return Err(NativeError::TooLarge);
        }
        module.clear_context(&mut function);
        Ok(id)
    }

    /// True for each step that the outputs need when the values of the model are known.
    fn needed_steps(&self) -> Vec<bool> {
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
        needed
    }
}
