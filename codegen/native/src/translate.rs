//! Steps of a tape as instructions.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{AbiParam, FuncRef, InstBuilder, MemFlagsData, Signature, Type, Value, types};
use cranelift_frontend::FunctionBuilder;
use cranelift_jit::JITModule;
use cranelift_module::{Linkage, Module};
use dqdt_algebra::{Cmp, Func};
use dqdt_graph::ir::{ARGUMENT_VECTORS, Op, SymbolKind, TableRows, Tape, TapeStep, argument_place};

use crate::error::NativeError;
use crate::kernel;
use crate::library;
use crate::scalar::NativeScalar;

/// True for arguments that all lanes share: time and parameters.
pub(crate) fn is_common(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Time | SymbolKind::Parameter(_))
}

/// Source of the values at which a translation starts.
pub(crate) struct ValueSources<'a> {
    /// Pointer to an array of pointers, one per vector of arguments.
    pub(crate) vectors: Value,
    /// Pointer to the values that depend on parameters only.
    pub(crate) model: Value,
    /// Index in the model of each step whose value is read from there.
    pub(crate) index_in_model: &'a [Option<u32>],
    /// Pointer to the values that earlier parts of the function have computed.
    pub(crate) passed: Value,
    /// Index there of each step whose value other parts need.
    pub(crate) index_in_passed: &'a [Option<u32>],
}

/// Translates steps of a tape.
pub(crate) struct Translation<'a, 'b, 'f> {
    pub(crate) tape: &'a Tape,
    pub(crate) builder: &'b mut FunctionBuilder<'f>,
    pub(crate) module: &'b mut JITModule,
    /// Number of states evaluated together: 1, or a register full.
    pub(crate) lanes: usize,
    pub(crate) sources: ValueSources<'a>,
    /// First step of the part; earlier ones are computed.
    first: u32,
    /// Value of each step, as far as translated.
    values: Vec<Option<Value>>,
    /// Sine and cosine of each angle, as far as translated.
    turns: Vec<Option<(Value, Value)>>,
    /// Steps that yield angles of sines and cosines, in the order of first use.
    angles: Vec<u32>,
    /// Base pointer of each vector of arguments, as far as loaded.
    bases: [Option<Value>; ARGUMENT_VECTORS],
    /// Lanes in which all angles so far are in the range of the polynomials.
    inside: Option<Value>,
    functions: Vec<(String, FuncRef)>,
}

/// Flags of an access that cannot fail. Arrays have the alignment of a scalar, not of a register.
fn checked_access() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

fn read_only() -> MemFlagsData {
    checked_access().with_readonly()
}

impl<'a, 'b, 'f> Translation<'a, 'b, 'f> {
    pub(crate) fn new(
        tape: &'a Tape,
        steps: &[u32],
        builder: &'b mut FunctionBuilder<'f>,
        module: &'b mut JITModule,
        lanes: usize,
        sources: ValueSources<'a>,
    ) -> Self {
        let mut angles: Vec<u32> = Vec::new();
        let mut is_angle = vec![false; tape.len()];
        for index in steps {
            let (step, operands) = &tape.steps()[*index as usize];
            let angle = operands[0];
            if matches!(step, TapeStep::Operation(Op::Sin | Op::Cos))
                && sources.index_in_model[*index as usize].is_none()
                && !is_angle[angle as usize]
            {
                is_angle[angle as usize] = true;
                angles.push(angle);
            }
        }
        Translation {
            tape,
            builder,
            module,
            lanes,
            sources,
            first: steps.first().copied().unwrap_or(0),
            values: vec![None; tape.len()],
            turns: vec![None; tape.len()],
            angles,
            bases: [None; ARGUMENT_VECTORS],
            inside: None,
            functions: Vec::new(),
        }
    }

    fn value_type<T: NativeScalar>(&self) -> Type {
        if self.lanes == 1 { T::SCALAR } else { T::REGISTER }
    }

    fn constant<T: NativeScalar>(&mut self, x: f64) -> Value {
        let scalar = T::from_f64(x).constant(self.builder);
        self.in_all_lanes::<T>(scalar)
    }

    fn in_all_lanes<T: NativeScalar>(&mut self, scalar: Value) -> Value {
        if self.lanes == 1 { scalar } else { self.builder.ins().splat(T::REGISTER, scalar) }
    }

    /// Offset in bytes of entry `index` of a vector; entries of all lanes lie next to each other.
    fn offset<T: NativeScalar>(&self, index: usize) -> Result<i32, NativeError> {
        let bytes = index * self.lanes * size_of::<T>();
        i32::try_from(bytes).map_err(|_| NativeError::TooLarge)
    }

    fn argument<T: NativeScalar>(&mut self, kind: SymbolKind) -> Result<Value, NativeError> {
        let Some((vector, index)) = argument_place(kind) else {
            return Ok(self.constant::<T>(f64::NAN));
        };
        let base = match self.bases[vector] {
            Some(base) => base,
            None => {
                let offset = (vector * size_of::<usize>()) as i32;
                let base = self.builder.ins().load(types::I64, read_only(), self.sources.vectors, offset);
                self.bases[vector] = Some(base);
                base
            }
        };
        // Time and parameters are the same in all lanes.
        if self.lanes > 1 && is_common(kind) {
            let offset = i32::try_from(index * size_of::<T>()).map_err(|_| NativeError::TooLarge)?;
            let scalar = self.builder.ins().load(T::SCALAR, read_only(), base, offset);
            return Ok(self.in_all_lanes::<T>(scalar));
        }
        let offset = self.offset::<T>(index)?;
        let value_type = self.value_type::<T>();
        Ok(self.builder.ins().load(value_type, read_only(), base, offset))
    }

    /// The value of a step, translated with its operands.
    pub(crate) fn step<T: NativeScalar>(&mut self, index: u32) -> Result<Value, NativeError> {
        let place = index as usize;
        if let Some(value) = self.values[place] {
            return Ok(value);
        }
        let value = match self.sources.index_in_model[place] {
            Some(index) => {
                let offset =
                    i32::try_from(index as usize * size_of::<T>()).map_err(|_| NativeError::TooLarge)?;
                let scalar = self.builder.ins().load(T::SCALAR, read_only(), self.sources.model, offset);
                self.in_all_lanes::<T>(scalar)
            }
            None => match self.sources.index_in_passed[place] {
                Some(passed) if index < self.first => {
                    let offset = self.offset::<T>(passed as usize)?;
                    let value_type = self.value_type::<T>();
                    self.builder.ins().load(value_type, read_only(), self.sources.passed, offset)
                }
                _ => self.operation::<T>(index)?,
            },
        };
        self.values[place] = Some(value);
        Ok(value)
    }

    /// Writes a value to entry `index` of an array.
    pub(crate) fn store<T: NativeScalar>(
        &mut self,
        value: Value,
        array: Value,
        index: usize,
    ) -> Result<(), NativeError> {
        let offset = self.offset::<T>(index)?;
        self.builder.ins().store(checked_access(), value, array, offset);
        Ok(())
    }

    fn operation<T: NativeScalar>(&mut self, index: u32) -> Result<Value, NativeError> {
        let (step, operands) = &self.tape.steps()[index as usize];
        let op = match step {
            TapeStep::Constant(x) => return Ok(self.constant::<T>(*x)),
            TapeStep::Leaf(kind) => return self.argument::<T>(*kind),
            TapeStep::Table(rows) => {
                let x = self.step::<T>(operands[0])?;
                let address = std::ptr::from_ref::<TableRows>(rows) as i64;
                return self.call::<T>("table", &[x], Some(address));
            }
            TapeStep::Operation(Op::Sin) => return Ok(self.turn::<T>(operands[0])?.0),
            TapeStep::Operation(Op::Cos) => return Ok(self.turn::<T>(operands[0])?.1),
            TapeStep::Operation(op) => *op,
        };
        let a = self.step::<T>(operands[0])?;
        let mut operand = |i: usize| self.step::<T>(operands[i]);
        Ok(match op {
            Op::Add => {
                let b = operand(1)?;
                self.builder.ins().fadd(a, b)
            }
            Op::Sub => {
                let b = operand(1)?;
                self.builder.ins().fsub(a, b)
            }
            Op::Mul => {
                let b = operand(1)?;
                self.builder.ins().fmul(a, b)
            }
            Op::Div => {
                let b = operand(1)?;
                self.builder.ins().fdiv(a, b)
            }
            Op::Neg => self.builder.ins().fneg(a),
            Op::Sqrt => self.builder.ins().sqrt(a),
            Op::Func(Func::Abs) => self.builder.ins().fabs(a),
            Op::Func(f) => self.call::<T>(f.name(), &[a], None)?,
            Op::Func2(f) => {
                let b = operand(1)?;
                self.call::<T>(library::name_of_binary(f), &[a, b], None)?
            }
            Op::Select(cmp) => {
                let (b, yes, no) = (operand(1)?, operand(2)?, operand(3)?);
                self.select::<T>(cmp, [a, b, yes, no])
            }
            Op::Const(_) | Op::Symbol(_) | Op::Table(_) | Op::Sin | Op::Cos => {
                return Err(NativeError::Internal("the tape contains a leaf of the graph as an operation"));
            }
        })
    }

    /// `if a cmp b { yes } else { no }`; NaN where `a` or `b` is NaN.
    fn select<T: NativeScalar>(&mut self, cmp: Cmp, [a, b, yes, no]: [Value; 4]) -> Value {
        let code = match cmp {
            Cmp::Lt => FloatCC::LessThan,
            Cmp::Le => FloatCC::LessThanOrEqual,
            Cmp::Eq => FloatCC::Equal,
        };
        let is_true = self.builder.ins().fcmp(code, a, b);
        let is_unordered = self.builder.ins().fcmp(FloatCC::Unordered, a, b);
        let nan = self.constant::<T>(f64::NAN);
        let selected = self.choose::<T>(is_true, yes, no);
        self.choose::<T>(is_unordered, nan, selected)
    }

    fn choose<T: NativeScalar>(&mut self, mask: Value, yes: Value, no: Value) -> Value {
        if self.lanes == 1 {
            return self.builder.ins().select(mask, yes, no);
        }
        let mask = self.builder.ins().bitcast(T::REGISTER, kernel::little_endian(), mask);
        self.builder.ins().bitselect(mask, yes, no)
    }

    /// Sine and cosine of an angle. With one state at a time, other angles that are already known
    /// fill the register.
    fn turn<T: NativeScalar>(&mut self, angle: u32) -> Result<(Value, Value), NativeError> {
        if let Some(pair) = self.turns[angle as usize] {
            return Ok(pair);
        }
        if self.lanes > 1 {
            let value = self.step::<T>(angle)?;
            let result = kernel::sin_cos::<T>(self.builder, value);
            self.limit(result.inside);
            self.turns[angle as usize] = Some((result.sine, result.cosine));
            return Ok((result.sine, result.cosine));
        }
        let mut group = vec![angle];
        for i in 0..self.angles.len() {
            let other = self.angles[i];
            let place = other as usize;
            let is_known =
                self.values[place].is_some() || matches!(self.tape.steps()[place].0, TapeStep::Leaf(_));
            let is_open = self.turns[place].is_none() && other != angle;
            if group.len() < T::LANES && is_known && is_open {
                group.push(other);
            }
        }
        let values: Vec<Value> =
            group.iter().map(|index| self.step::<T>(*index)).collect::<Result<_, _>>()?;
        let mut register = self.builder.ins().splat(T::REGISTER, values[0]);
        for (lane, value) in values.iter().enumerate().skip(1) {
            register = self.builder.ins().insertlane(register, *value, lane as u8);
        }
        let result = kernel::sin_cos::<T>(self.builder, register);
        self.limit(result.inside);
        for (lane, index) in group.iter().enumerate() {
            let sine = self.builder.ins().extractlane(result.sine, lane as u8);
            let cosine = self.builder.ins().extractlane(result.cosine, lane as u8);
            self.turns[*index as usize] = Some((sine, cosine));
        }
        self.turns[angle as usize].ok_or(NativeError::Internal("the sine of an angle was not computed"))
    }

    fn limit(&mut self, inside: Value) {
        self.inside = Some(match self.inside {
            Some(before) => self.builder.ins().band(before, inside),
            None => inside,
        });
    }

    /// One if all angles were in the range of the polynomials, else zero.
    pub(crate) fn all_inside(&mut self) -> Value {
        match self.inside {
            Some(mask) => self.builder.ins().vall_true(mask),
            None => self.builder.ins().iconst(types::I8, 1),
        }
    }

    /// Calls a function of the library, lane by lane.
    fn call<T: NativeScalar>(
        &mut self,
        name: &str,
        operands: &[Value],
        table: Option<i64>,
    ) -> Result<Value, NativeError> {
        let function = self.function::<T>(name, operands.len(), table.is_some())?;
        let mut register = None;
        for lane in 0..self.lanes {
            let mut arguments: Vec<Value> = operands.to_vec();
            if self.lanes > 1 {
                for argument in &mut arguments {
                    *argument = self.builder.ins().extractlane(*argument, lane as u8);
                }
            }
            if let Some(address) = table {
                arguments.push(self.builder.ins().iconst(types::I64, address));
            }
            let call = self.builder.ins().call(function, &arguments);
            let result = self.builder.inst_results(call)[0];
            register = Some(match register {
                _ if self.lanes == 1 => result,
                None => self.builder.ins().splat(T::REGISTER, result),
                Some(register) => self.builder.ins().insertlane(register, result, lane as u8),
            });
        }
        register.ok_or(NativeError::Internal("a function has no SIMD lanes"))
    }

    fn function<T: NativeScalar>(
        &mut self,
        name: &str,
        count: usize,
        has_table: bool,
    ) -> Result<FuncRef, NativeError> {
        let symbol = format!("{name}_{}", T::SUFFIX);
        if let Some((_, function)) = self.functions.iter().find(|(s, _)| *s == symbol) {
            return Ok(*function);
        }
        let mut signature: Signature = self.module.make_signature();
        signature.params.extend((0..count).map(|_| AbiParam::new(T::SCALAR)));
        if has_table {
            signature.params.push(AbiParam::new(types::I64));
        }
        signature.returns.push(AbiParam::new(T::SCALAR));
        let id = self.module.declare_function(&symbol, Linkage::Import, &signature)?;
        let function = self.module.declare_func_in_func(id, self.builder.func);
        self.functions.push((symbol, function));
        Ok(function)
    }
}
