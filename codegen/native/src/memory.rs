//! Compiled code and its memory. The only `unsafe` code of the generator is here.
#![allow(unsafe_code)]

use std::fmt;
use std::sync::{Arc, Mutex};

use cranelift_jit::JITModule;
use cranelift_module::FuncId;
use dqdt_graph::ir::{ARGUMENT_VECTORS, SymbolKind, Tape, TapeCode, TapeStep, argument_place};

use crate::compile::{self, CompiledFunction};
use crate::error::NativeError;
use crate::scalar::NativeScalar;
use crate::translate::is_common;

/// Index of the vector of parameters among the vectors of arguments.
const PARAMETERS: usize = 1;

/// Entry point of a part of compiled code: arguments, model, values that parts pass to later ones,
/// result; returns 1 if all angles were in range.
type Entry<T> = unsafe extern "C" fn(*const *const T, *const T, *mut T, *mut T) -> u8;

/// Compiled code of a function, in parts that are called in their order.
struct CodeParts<T> {
    parts: Vec<Entry<T>>,
    /// Number of values that parts pass to later ones.
    passed: usize,
}

impl<T: NativeScalar> CodeParts<T> {
    fn new(module: &JITModule, compiled: &CompiledFunction, lanes: usize) -> Self {
        let addresses = compiled.parts.iter().map(|id: &FuncId| module.get_finalized_function(*id));
        // SAFETY: `compile` defined each function with this signature, in the calling convention of
        // C of this platform, and its memory lives as long as the module.
        let entries = addresses.map(|address| unsafe { std::mem::transmute::<*const u8, Entry<T>>(address) });
        CodeParts { parts: entries.collect(), passed: lanes * compiled.passed }
    }

    /// Calls all parts; false if an angle was outside the range of the polynomials.
    ///
    /// # Safety
    /// Arguments, model and result must be as long as the code reads and writes, and its module
    /// must be in memory.
    unsafe fn call(&self, arguments: &[*const T], model: *const T, result: *mut T) -> bool {
        let mut passed = vec![T::ZERO; self.passed];
        let mut is_inside = true;
        for part in &self.parts {
            // SAFETY: the caller guarantees the lengths; `passed` has the length that `compile`
            // counted.
            is_inside &= unsafe { part(arguments.as_ptr(), model, passed.as_mut_ptr(), result) } != 0;
        }
        is_inside
    }
}

/// Machine code that computes the outputs of a tape.
///
/// It owns its memory and can be called from several threads at once.
pub struct NativeCode<T: NativeScalar> {
    model: CodeParts<T>,
    single: CodeParts<T>,
    /// `None` if packs were not asked for.
    pack: Option<CodeParts<T>>,
    model_length: usize,
    outputs: usize,
    /// Required length of each vector of arguments.
    lengths: [usize; ARGUMENT_VECTORS],
    /// Evaluates states with angles outside the range of the polynomials, and owns the tables whose
    /// addresses the code contains.
    tape: Tape,
    /// Keeps the compiled code in memory; taken when that is freed.
    module: Mutex<Option<JITModule>>,
}

/// Required length of each vector of arguments.
fn vector_lengths(tape: &Tape) -> [usize; ARGUMENT_VECTORS] {
    let mut lengths = [0; ARGUMENT_VECTORS];
    for (step, _) in tape.steps() {
        if let TapeStep::Leaf(kind) = step
            && let Some((vector, index)) = argument_place(*kind)
        {
            lengths[vector] = lengths[vector].max(index + 1);
        }
    }
    lengths
}

/// Value of an argument in one lane; NaN for symbols that are not arguments.
fn argument<T: NativeScalar>(
    vectors: &[&[T]; ARGUMENT_VECTORS],
    kind: SymbolKind,
    lanes: usize,
    lane: usize,
) -> T {
    match argument_place(kind) {
        Some((vector, index)) if is_common(kind) => vectors[vector][index],
        Some((vector, index)) => vectors[vector][index * lanes + lane],
        None => T::from_f64(f64::NAN),
    }
}

impl<T: NativeScalar> NativeCode<T> {
    /// Compiles a tape for single states and packs of states.
    ///
    /// # Errors
    /// If the processor is not supported, or the function is too large.
    pub fn compile(tape: &Tape) -> Result<Self, NativeError> {
        Self::compile_lanes(tape, true)
    }

    /// Compiles a tape for single states alone, in less than half the time: for one motion. The
    /// interpreter evaluates packs.
    ///
    /// # Errors
    /// If the processor is not supported, or the function is too large.
    pub fn compile_without_packs(tape: &Tape) -> Result<Self, NativeError> {
        Self::compile_lanes(tape, false)
    }

    fn compile_lanes(tape: &Tape, has_packs: bool) -> Result<Self, NativeError> {
        let compiled = compile::compile::<T>(tape, has_packs)?;
        let module = &compiled.module;
        Ok(NativeCode {
            model: CodeParts::new(module, &compiled.model, 1),
            single: CodeParts::new(module, &compiled.single, 1),
            pack: compiled.pack.map(|pack| CodeParts::new(module, &pack, T::LANES)),
            model_length: compiled.model_length,
            outputs: tape.outputs().len(),
            lengths: vector_lengths(tape),
            tape: tape.clone(),
            module: Mutex::new(Some(compiled.module)),
        })
    }

    /// Number of outputs.
    pub fn output_count(&self) -> usize {
        self.outputs
    }

    /// Number of states that [`pack`](Self::pack) evaluates together.
    pub fn lanes(&self) -> usize {
        T::LANES
    }

    /// The values that depend on parameters only, for calls with these parameters. The last one is
    /// zero if an angle among them is outside the range of the polynomials, else one.
    ///
    /// # Panics
    /// If there are fewer parameters than the functions read.
    pub fn model(&self, parameters: &[T]) -> Vec<T> {
        let mut vectors: [&[T]; ARGUMENT_VECTORS] = [&[]; ARGUMENT_VECTORS];
        vectors[PARAMETERS] = parameters;
        assert!(parameters.len() >= self.lengths[PARAMETERS], "the slice of parameters is too short");
        let mut model = vec![T::ZERO; self.model_length + 1];
        let pointers = vectors.map(<[T]>::as_ptr);
        // SAFETY: the function reads parameters only, of which there are enough, and writes
        // `model_length` values.
        let is_inside = unsafe { self.model.call(&pointers, std::ptr::null(), model.as_mut_ptr()) };
        model[self.model_length] = if is_inside { T::ONE } else { T::ZERO };
        model
    }

    /// Panics unless every vector is as long as the code reads.
    fn check(&self, vectors: &[&[T]; ARGUMENT_VECTORS], model: &[T], result: &[T], lanes: usize) {
        for (i, (vector, length)) in vectors.iter().zip(self.lengths).enumerate() {
            let lanes = if i < 2 { 1 } else { lanes };
            assert!(vector.len() >= length * lanes, "argument vector {i} is too short");
        }
        assert!(model.len() > self.model_length, "the model was computed for another function");
        assert!(result.len() >= self.outputs * lanes, "the result slice is too short");
    }

    /// Evaluates the outputs for one state. `model` is that of [`Self::model`] for the same
    /// parameters.
    ///
    /// # Panics
    /// If a vector is shorter than the functions read or write.
    pub fn call(&self, vectors: &[&[T]; ARGUMENT_VECTORS], model: &[T], result: &mut [T]) {
        self.check(vectors, model, result, 1);
        let pointers = vectors.map(<[T]>::as_ptr);
        // SAFETY: `check` has compared all lengths with what the code reads and writes.
        let is_inside = unsafe { self.single.call(&pointers, model.as_ptr(), result.as_mut_ptr()) };
        if !is_inside || model[self.model_length] == T::ZERO {
            self.tape.evaluate(|kind| argument(vectors, kind, 1, 0), &mut Vec::new(), result);
        }
    }

    /// Evaluates the outputs for as many states as a register has lanes. Entries of the lanes lie
    /// next to each other: `x[i * lanes + lane]`; time and parameters are common.
    ///
    /// # Panics
    /// If a vector is shorter than the functions read or write.
    pub fn pack(&self, vectors: &[&[T]; ARGUMENT_VECTORS], model: &[T], result: &mut [T]) {
        let lanes = T::LANES;
        self.check(vectors, model, result, lanes);
        let pointers = vectors.map(<[T]>::as_ptr);
        let is_inside = match &self.pack {
            // SAFETY: `check` has compared all lengths with what the code reads and writes.
            Some(pack) => unsafe { pack.call(&pointers, model.as_ptr(), result.as_mut_ptr()) },
            None => false,
        };
        if !is_inside || model[self.model_length] == T::ZERO {
            let (mut work, mut one) = (Vec::new(), vec![T::ZERO; self.outputs]);
            for lane in 0..lanes {
                self.tape.evaluate(|kind| argument(vectors, kind, lanes, lane), &mut work, &mut one);
                for (i, value) in one.iter().enumerate() {
                    result[i * lanes + lane] = *value;
                }
            }
        }
    }
}

/// Compiles a tape, for `Evaluation::Compiled` and `Evaluation::Adaptive`; `None` where this
/// processor is not supported.
pub fn compile_tape(tape: &Tape) -> Option<Arc<dyn TapeCode>> {
    NativeCode::<f64>::compile_without_packs(tape).ok().map(|code| Arc::new(code) as Arc<dyn TapeCode>)
}

impl TapeCode for NativeCode<f64> {
    /// `work` has the parameters of the last call, and the model for them.
    fn run(&self, arguments: &[&[f64]; ARGUMENT_VECTORS], work: &mut Vec<f64>, result: &mut [f64]) {
        let read = self.lengths[PARAMETERS].min(arguments[PARAMETERS].len());
        let parameters = &arguments[PARAMETERS][..read];
        let is_current = work.len() == read + self.model_length + 1
            && work.iter().zip(parameters).all(|(x, y)| x.to_bits() == y.to_bits());
        if !is_current {
            let model = self.model(arguments[PARAMETERS]);
            work.clear();
            work.extend(parameters);
            work.extend(model);
        }
        self.call(arguments, &work[read..], result);
    }
}

impl<T: NativeScalar> Drop for NativeCode<T> {
    fn drop(&mut self) {
        let module = self.module.get_mut().map_or_else(|poisoned| poisoned.into_inner().take(), Option::take);
        if let Some(module) = module {
            // SAFETY: `self` is the only owner of this code: no call runs, and none follows.
            unsafe { module.free_memory() };
        }
    }
}

impl<T: NativeScalar> fmt::Debug for NativeCode<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NativeCode").field("outputs", &self.outputs).field("lengths", &self.lengths).finish()
    }
}
