//! Machine code of one function, for one state or many, without Python.

use std::ops::Range;

use dqdt_codegen::pipeline::program::{Arguments, Function, NodeId, Program, ResultShape};
use dqdt_graph::ir::{Tape, state_derivative_range};
use dqdt_native::{NativeCode, NativeError, NativeScalar, VECTORS};

/// ArrayScalar type of a compiled function: `f64` or `f32`.
pub trait ArrayScalar: NativeScalar + numpy::Element + Into<f64> {}

impl ArrayScalar for f64 {}
impl ArrayScalar for f32 {}

/// Reason why a function has no result at a state.
#[derive(Clone, Copy, Debug)]
pub struct SingularState {
    /// Index of the divisor among the checks; `None` for a derivative that is not finite.
    pub check: Option<usize>,
    /// Value of the divisor or derivative.
    pub value: f64,
    /// True if the divisor vanishes; false if a value is not finite.
    pub vanishes: bool,
}

/// Name, remedy and order of a divisor that must not vanish.
#[derive(Debug)]
pub struct Divisor {
    pub name: String,
    pub hint: String,
    squared: bool,
}

/// A function compiled to machine code, with default values of all arguments.
#[derive(Debug)]
pub struct Kernel<T: ArrayScalar> {
    code: NativeCode<T>,
    /// Default value of every vector of arguments.
    pub defaults: [Vec<T>; VECTORS],
    /// Values that depend on parameters only, at the default parameters.
    pub model: Vec<T>,
    pub divisors: Vec<Divisor>,
    /// Number of results, without the values of divisors.
    values: usize,
    /// Results that are derivatives of the state, and must be finite.
    derivatives: Range<usize>,
}

/// Vectors of the arguments of a call, in the order of the machine code.
pub type Vectors<'a, T> = [&'a [T]; VECTORS];

/// Arguments of a batch: one row per state, or one row for all states.
#[derive(Clone, Copy)]
pub enum ArgumentColumn<'a, T> {
    /// The same values for all states.
    Common(&'a [T]),
    /// One row of this length per state, by rows.
    Rows(&'a [T], usize),
}

/// A batch of states: arguments by vector, and the time of each state or of all.
pub struct StateBatch<'a, T> {
    pub count: usize,
    pub times: ArgumentColumn<'a, T>,
    pub parameters: &'a [T],
    pub model: &'a [T],
    /// Vectors from the coordinates on; those before are time and parameters.
    pub columns: [ArgumentColumn<'a, T>; VECTORS - 2],
    /// Offset of each vector within its row: coordinates and speeds are parts of one state.
    pub offsets: [usize; VECTORS - 2],
}

fn cast<T: ArrayScalar>(values: &[f64]) -> Vec<T> {
    values.iter().map(|x| T::from_f64(*x)).collect()
}

/// Copies the results of one state to a row of the outputs.
fn store<T: ArrayScalar>(outputs: &mut [&mut [T]], row: usize, sizes: &[usize], values: &[T]) {
    let mut first = 0;
    for (output, size) in outputs.iter_mut().zip(sizes) {
        output[row * size..][..*size].copy_from_slice(&values[first..first + size]);
        first += size;
    }
}

/// Copies the results of the states in a register to rows of the outputs, from this one on.
fn store_pack<T: ArrayScalar>(outputs: &mut [&mut [T]], row: usize, sizes: &[usize], values: &[T]) {
    let mut first = 0;
    for (output, size) in outputs.iter_mut().zip(sizes) {
        let rows = &mut output[row * size..][..T::LANES * size];
        let packs = values[first * T::LANES..][..size * T::LANES].chunks_exact(T::LANES);
        for (k, pack) in packs.enumerate() {
            for (lane, value) in pack.iter().enumerate() {
                rows[lane * size + k] = *value;
            }
        }
        first += size;
    }
}

/// Copies rows of a batch to the lanes of registers; `offset` is the place in a row.
fn load_pack<T: ArrayScalar>(pack: &mut [T], rows: &[T], width: usize, offset: usize) {
    for (i, lanes) in pack.chunks_exact_mut(T::LANES).enumerate() {
        for (lane, value) in lanes.iter_mut().enumerate() {
            *value = rows[lane * width + offset + i];
        }
    }
}

/// Writes NaN to a row of the outputs.
fn store_nan<T: ArrayScalar>(outputs: &mut [&mut [T]], row: usize, sizes: &[usize]) {
    for (output, size) in outputs.iter_mut().zip(sizes) {
        output[row * size..][..*size].fill(T::from_f64(f64::NAN));
    }
}

impl<T: ArrayScalar> Kernel<T> {
    /// Compiles a function of a program.
    ///
    /// # Errors
    /// If the processor is not supported, or the function is too large.
    pub fn compile(program: &Program, f: &Function) -> Result<Self, NativeError> {
        let mut nodes: Vec<NodeId> = f.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
        let values = nodes.len();
        nodes.extend(f.checks.iter().flat_map(|c| [c.value, c.scale]));
        let code = NativeCode::<T>::compile(&Tape::new(&program.graph, &nodes))?;
        let a = Arguments::defaults(program);
        let defaults: [&[f64]; VECTORS] =
            [&[a.t], &a.p, &a.q, &a.v, &a.z, &a.u, &a.a, &a.impulses, &a.efforts, &a.contacts, &a.costates];
        let defaults = defaults.map(cast::<T>);
        let divisors = f.checks.iter().map(|c| Divisor {
            name: c.name.clone(),
            hint: c.hint.clone(),
            squared: c.squared,
        });
        Ok(Kernel {
            model: code.model(&defaults[1]),
            code,
            divisors: divisors.collect(),
            values,
            derivatives: state_derivative_range(f),
            defaults,
        })
    }

    /// Values that depend on parameters only.
    pub fn model(&self, parameters: &[T]) -> Vec<T> {
        self.code.model(parameters)
    }

    /// The first divisor that vanishes, or a value that is not finite; `value` gives the results
    /// followed by the divisors with their scales.
    fn failure(&self, value: impl Fn(usize) -> T) -> Option<SingularState> {
        let epsilon: f64 = T::default_epsilon().into();
        let mut overflow = None;
        for (i, divisor) in self.divisors.iter().enumerate() {
            let at = self.values + 2 * i;
            let (pivot, scale): (f64, f64) = (value(at).into(), value(at + 1).into());
            let bound = if divisor.squared { epsilon * epsilon } else { epsilon };
            if !pivot.is_finite() || !scale.is_finite() {
                let bad = if pivot.is_finite() { scale } else { pivot };
                overflow.get_or_insert(SingularState { check: Some(i), value: bad, vanishes: false });
            } else if pivot.abs() <= bound * scale.abs() {
                return Some(SingularState { check: Some(i), value: pivot, vanishes: true });
            }
        }
        overflow.or_else(|| {
            let mut derivatives = self.derivatives.clone().map(|i| -> f64 { value(i).into() });
            let bad = derivatives.find(|x| !x.is_finite())?;
            Some(SingularState { check: None, value: bad, vanishes: false })
        })
    }

    /// True if all states in a register certainly have results; quicker than
    /// [`failure`](Self::failure).
    fn is_pack_valid(&self, result: &[T]) -> bool {
        let epsilon: f64 = T::default_epsilon().into();
        // Zero unless a value is not finite.
        let mut defects = 0.0;
        for x in &result[self.derivatives.start * T::LANES..self.derivatives.end * T::LANES] {
            let x: f64 = (*x).into();
            defects += 0.0 * x;
        }
        let mut is_apart = true;
        let pairs = result[self.values * T::LANES..].chunks_exact(2 * T::LANES);
        for (divisor, pair) in self.divisors.iter().zip(pairs) {
            let bound = if divisor.squared { epsilon * epsilon } else { epsilon };
            for lane in 0..T::LANES {
                let (pivot, scale): (f64, f64) = (pair[lane].into(), pair[T::LANES + lane].into());
                defects += 0.0 * pivot + 0.0 * scale;
                is_apart &= pivot.abs() > bound * scale.abs();
            }
        }
        is_apart && defects == 0.0
    }

    /// Evaluates the function for one state; `sizes` are the lengths of the outputs.
    ///
    /// # Errors
    /// If the function has no result there; the outputs are then NaN.
    pub fn single(
        &self,
        vectors: &Vectors<'_, T>,
        model: &[T],
        outputs: &mut [&mut [T]],
        sizes: &[usize],
    ) -> Result<(), SingularState> {
        if let ([output], true) = (&mut *outputs, self.divisors.is_empty()) {
            self.code.call(vectors, model, output);
            let Some(failure) = self.failure(|i| output[i]) else { return Ok(()) };
            output.fill(T::from_f64(f64::NAN));
            return Err(failure);
        }
        let mut result = vec![T::default(); self.code.output_count()];
        self.single_row(vectors, model, &mut result, (outputs, 0, sizes))
    }

    /// Evaluates the function for one state; the results are followed by the divisors and scales.
    ///
    /// # Errors
    /// If the function has no result there.
    pub fn evaluate(
        &self,
        vectors: &Vectors<'_, T>,
        model: &[T],
        result: &mut [T],
    ) -> Result<(), SingularState> {
        self.code.call(vectors, model, result);
        self.failure(|i| result[i]).map_or(Ok(()), Err)
    }

    /// Length of the results of one state, with the divisors and scales.
    pub fn output_count(&self) -> usize {
        self.code.output_count()
    }

    /// Evaluates the function for one state and stores the results in a row of the outputs.
    fn single_row(
        &self,
        vectors: &Vectors<'_, T>,
        model: &[T],
        result: &mut [T],
        (outputs, row, sizes): (&mut [&mut [T]], usize, &[usize]),
    ) -> Result<(), SingularState> {
        let outcome = self.evaluate(vectors, model, result);
        match outcome {
            Ok(()) => store(outputs, row, sizes, result),
            Err(_) => store_nan(outputs, row, sizes),
        }
        outcome
    }

    /// Evaluates the function for as many whole packs of states as `rows` has, all at one time.
    /// Returns the first row that is left. `result` is room for the results of one pack.
    fn evaluate_packs(
        &self,
        batch: &StateBatch<'_, T>,
        time: &[T],
        rows: Range<usize>,
        outputs: &mut [&mut [T]],
        failed: &mut [bool],
        (sizes, result): (&[usize], &mut [T]),
    ) -> usize {
        let lanes = T::LANES;
        let mut next = rows.start;
        let mut packs = batch.columns.iter().zip(&self.defaults[2..]).map(|(column, default)| {
            let values = match column {
                ArgumentColumn::Common(values) => values,
                ArgumentColumn::Rows(..) => &default[..],
            };
            values.iter().flat_map(|x| std::iter::repeat_n(*x, lanes)).collect::<Vec<T>>()
        });
        let mut packs: [Vec<T>; VECTORS - 2] = std::array::from_fn(|_| packs.next().unwrap_or_default());
        while next + lanes <= rows.end {
            for ((pack, column), offset) in packs.iter_mut().zip(&batch.columns).zip(&batch.offsets) {
                let ArgumentColumn::Rows(values, width) = column else { continue };
                load_pack(pack, &values[next * width..][..lanes * width], *width, *offset);
            }
            let mut all = packs.iter().map(Vec::as_slice);
            let vectors: Vectors<'_, T> = std::array::from_fn(|i| match i {
                0 => time,
                1 => batch.parameters,
                _ => all.next().unwrap_or_default(),
            });
            self.code.pack(&vectors, batch.model, result);
            let at = next - rows.start;
            store_pack(outputs, at, sizes, result);
            if !self.is_pack_valid(result) {
                for lane in 0..lanes {
                    let values = result.get(lane..).unwrap_or_default();
                    failed[at + lane] = self.failure(|i| values[i * lanes]).is_some();
                    if failed[at + lane] {
                        store_nan(outputs, at + lane, sizes);
                    }
                }
            }
            next += lanes;
        }
        next
    }

    /// Evaluates the function for the states `rows` of a batch. `outputs` and `failed` start at the
    /// first of these; where the function has no result, `failed` is set and the outputs are NaN.
    fn chunk(
        &self,
        batch: &StateBatch<'_, T>,
        rows: Range<usize>,
        outputs: &mut [&mut [T]],
        failed: &mut [bool],
        sizes: &[usize],
    ) {
        let mut result = vec![T::default(); self.code.output_count() * T::LANES];
        let next = match batch.times {
            ArgumentColumn::Common(time) => {
                self.evaluate_packs(batch, time, rows.clone(), outputs, failed, (sizes, &mut result))
            }
            ArgumentColumn::Rows(..) => rows.start,
        };
        for row in next..rows.end {
            let mut columns = batch.columns.iter().zip(&batch.offsets).zip(&self.defaults[2..]);
            let time = match batch.times {
                ArgumentColumn::Common(t) => t,
                ArgumentColumn::Rows(t, _) => &t[row..=row],
            };
            let vectors: Vectors<'_, T> = std::array::from_fn(|i| match i {
                0 => time,
                1 => batch.parameters,
                _ => match columns.next() {
                    Some(((ArgumentColumn::Rows(values, width), offset), default)) => {
                        &values[row * width + offset..][..default.len()]
                    }
                    Some(((ArgumentColumn::Common(values), _), _)) => values,
                    None => &[],
                },
            });
            let single = &mut result[..self.code.output_count()];
            let at = row - rows.start;
            let outcome = self.single_row(&vectors, batch.model, single, (outputs, at, sizes));
            failed[at] = outcome.is_err();
        }
    }

    /// Evaluates the function for all states of a batch, on several threads.
    pub fn batch(
        &self,
        batch: &StateBatch<'_, T>,
        threads: usize,
        outputs: Vec<&mut [T]>,
        failed: &mut [bool],
        sizes: &[usize],
    ) {
        let per_thread = batch.count.div_ceil(threads.max(1)).max(1);
        let (mut outputs, mut failed) = (outputs, failed);
        std::thread::scope(|scope| {
            for start in (0..batch.count).step_by(per_thread) {
                let end = (start + per_thread).min(batch.count);
                let mut parts: Vec<&mut [T]> = Vec::with_capacity(outputs.len());
                let mut rest = Vec::with_capacity(outputs.len());
                for (output, size) in outputs.into_iter().zip(sizes) {
                    let (part, after) = output.split_at_mut((end - start) * size);
                    parts.push(part);
                    rest.push(after);
                }
                outputs = rest;
                let (flags, after) = failed.split_at_mut(end - start);
                failed = after;
                if end == batch.count {
                    self.chunk(batch, start..end, &mut parts, flags, sizes);
                } else {
                    scope.spawn(move || self.chunk(batch, start..end, &mut parts, flags, sizes));
                }
            }
        });
    }
}

/// Shape of an output as a list of dimensions; empty for a scalar.
pub fn dimensions(shape: ResultShape) -> Vec<usize> {
    match shape {
        ResultShape::Scalar => Vec::new(),
        ResultShape::Vector(n) => vec![n],
        ResultShape::Matrix(rows, columns) => vec![rows, columns],
    }
}
