//! Derivatives of the rates, outputs and constraint residuals by all states and inputs, evaluated
//! by the interpreter.

use super::error::LinearizeError;
use super::names::MatrixNames;
use super::slopes::items_with_infinite_slope;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::full_linearisation::FullColumn;
use dqdt_derivation::derive::size;
use dqdt_derivation::derive::{Definition, Derivation, Derive, Solved, directions, full_linearisation};
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::declaration::{Argument, Declaration, EntryNames, Returns, Solves};
use dqdt_graph::ir::{
    Arguments, Function, FunctionOutput, Graph, Machine, NodeId, Op, Program, ResultShape, SymbolKind,
    Tracer, mark_needed,
};
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::mechanism::Mechanism;

/// Declaration of the internal function that a linearisation evaluates at a point: rates, outputs,
/// residuals of the constraints, and their derivatives by each entry of `δx` and of `u`.
static DERIVATIVES: Definition = Definition {
    declaration: Declaration {
        name: "derivatives",
        summary: "Derivatives of the rates, outputs and residuals with respect to the state and the inputs.",
        constraints: None,
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "Derivatives",
            about: "Derivatives of the rates, outputs and residuals with respect to the state and the inputs.",
        },
        entries: EntryNames::Numbered,
        solves: Solves::Accelerations,
        checked: true,
        role: None,
        by_default: false,
        in_eval: false,
    },
    derive: Derive::Motion(derive_motion_derivatives),
};

/// Derives the outputs of [`DERIVATIVES`] from the solved motion.
fn derive_motion_derivatives<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let (states, inputs) = (directions::state_directions(d), directions::input_directions(d));
    let derivatives = full_linearisation::differentiate_full_system(d, motion, &states, &inputs);
    let vector = |name: &str, x: &[Tracer<'g>]| FunctionOutput::vector(name, "", "", d.node_ids(x));
    let matrix = |name: &str, columns: &[FullColumn<'g>], rows: usize, part_of: ColumnPart| {
        let entries: Vec<Tracer<'g>> =
            (0..rows).flat_map(|i| columns.iter().map(move |column| part_of(column)[i])).collect();
        FunctionOutput::matrix(name, "", (rows, columns.len()), d.node_ids(&entries))
    };
    let [nx, ny, nr] = [derivatives.rates.len(), derivatives.outputs.len(), derivatives.residuals.len()];
    vec![
        vector("rates", &derivatives.rates),
        vector("outputs", &derivatives.outputs),
        vector("residuals", &derivatives.residuals),
        matrix("a", &derivatives.by_state, nx, |column| &column.state),
        matrix("b", &derivatives.by_input, nx, |column| &column.state),
        matrix("c", &derivatives.by_state, ny, |column| &column.outputs),
        matrix("d", &derivatives.by_input, ny, |column| &column.outputs),
        matrix("g", &derivatives.by_state, nr, |column| &column.residuals),
    ]
}

/// Accessor of one part of a column of derivatives: those of the state, the outputs or the
/// residuals.
type ColumnPart = for<'c, 'g> fn(&'c FullColumn<'g>) -> &'c [Tracer<'g>];

/// Result values of a call of [`DERIVATIVES`], with access by the names of its outputs.
struct Results<'a> {
    function: &'a Function,
    values: &'a [f64],
}

impl Results<'_> {
    /// Values of an output of [`DERIVATIVES`] and its number of columns; an empty slice if there is
    /// no such output.
    fn output_values(&self, name: &str) -> (&[f64], usize) {
        let mut first = 0;
        for output in &self.function.outputs {
            let next = first + output.nodes.len();
            if output.name == name {
                let columns = match output.shape {
                    ResultShape::Matrix(_, columns) => columns,
                    ResultShape::Scalar | ResultShape::Vector(_) => 1,
                };
                return (&self.values[first..next], columns);
            }
            first = next;
        }
        (&[], 1)
    }

    /// Values of an output that is a vector.
    fn output_vector(&self, name: &str) -> Vec<f64> {
        self.output_values(name).0.to_vec()
    }

    /// Rows of an output that is a matrix, one for each of `names`.
    fn output_rows(&self, name: &str, names: &[String]) -> Vec<Vec<f64>> {
        let (values, columns) = self.output_values(name);
        (0..names.len())
            .map(|i| values.get(i * columns..(i + 1) * columns).map_or_else(Vec::new, <[f64]>::to_vec))
            .collect()
    }
}

/// Values and derivatives of the motion at one point, for linearisation and trim; matrices are
/// lists of rows.
pub struct PointValues {
    pub rates: Vec<f64>,
    pub outputs: Vec<f64>,
    pub residuals: Vec<f64>,
    pub a: Vec<Vec<f64>>,
    pub b: Vec<Vec<f64>>,
    pub c: Vec<Vec<f64>>,
    pub d: Vec<Vec<f64>>,
    /// Derivatives of the constraint residuals by `δx`, by rows.
    pub g: Vec<Vec<f64>>,
    /// Number of rows of `g` that belong to position constraints; they come first. The next fields,
    /// `coordinates` and `speeds`, are numbers of columns of `δx`.
    pub positions: usize,
    pub coordinates: usize,
    pub speeds: usize,
}

/// Interpreter of the derivatives of a mechanism, with names and sizes of their rows and columns.
/// Used by linearisations, trims and sweeps.
pub struct Derivatives {
    mechanism: Mechanism,
    program: Program,
    machine: Machine,
    names: MatrixNames,
    quaternions: Vec<usize>,
    /// Typical size of each entry of `δx`, for tolerances: one radian or the size of the mechanism
    /// for coordinates, zero for speeds and user states.
    typical_sizes: Vec<f64>,
    /// Size of the mechanism \[m\], as the typical size of displacements.
    size: f64,
}

/// Maximum number of entries in all matrices of a linearisation together, zeros included. About
/// 5000 states: some seconds and two gigabytes.
const MOST_ENTRIES: usize = 25_000_000;

/// Fraction of a large angle that counts as its typical size, since its sine and cosine are rounded
/// accordingly.
const ROUNDED: f64 = 1e-6;

/// Reference sizes of rates and residuals at a point. Each is the sum of the contributions of all
/// states and inputs; tolerances are relative to them.
pub struct Scales {
    pub rates: Vec<f64>,
    pub residuals: Vec<f64>,
}

impl Derivatives {
    /// Derives the functions that a linearisation evaluates.
    ///
    /// # Errors
    /// If equations or matrices would exceed the memory.
    pub fn new(loaded: &Assembled) -> Result<Self, LinearizeError> {
        let m = &loaded.mechanism;
        let states = full_linearisation::state_difference_names(m);
        let rows = full_linearisation::residual_names(m);
        let outputs = full_linearisation::output_names(m);
        check_matrix_size(
            states.len() + outputs.len() + rows.0.len() + rows.1.len(),
            states.len() + m.inputs.len(),
        )?;
        let formalism = quick_formalism(loaded);
        size::check_formalism_sizes(&loaded.mechanism, &[formalism])?;
        let program = pipeline::program_to_run(loaded, formalism, &[&DERIVATIVES])?;
        let function = &program.functions[0];
        let machine = Machine::from_function(&program, function);
        let quaternions = program.layout.quaternions.clone();
        let coordinates = m.nq() - quaternions.len();
        let mut followers: Vec<usize> =
            loaded.partition.coordinates.iter().flatten().map(|p| p.column).collect();
        if coordinates == m.nv() {
            followers.extend(followers.clone().iter().map(|i| coordinates + i));
        }
        let names = MatrixNames {
            states,
            coordinates,
            speeds: m.nv(),
            followers,
            inputs: m.inputs.iter().map(|u| u.name.clone()).collect(),
            outputs,
            positions: rows.0.len(),
            residuals: [rows.0, rows.1].concat(),
        };
        let size = formalism::default_mechanism_length(m);
        let typical_sizes = typical_state_sizes(m, size);
        Ok(Derivatives { mechanism: m.clone(), program, machine, names, quaternions, typical_sizes, size })
    }

    /// Program with the one function that a linearisation evaluates, and the layout of the
    /// mechanism.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Names of rows and columns of the matrices.
    pub fn names(&self) -> &MatrixNames {
        &self.names
    }

    /// True if a value or derivative depends explicitly on time, so that the linearisation holds at
    /// fixed time only.
    pub fn depends_on_time(&self) -> bool {
        let graph = &self.program.graph;
        let outputs = self.program.functions.iter().flat_map(|f| &f.outputs);
        let nodes: Vec<NodeId> = outputs.flat_map(|o| o.nodes.iter().copied()).collect();
        mark_needed(graph, &nodes)
            .into_iter()
            .enumerate()
            .any(|(i, is_needed)| is_needed && is_time_symbol(graph, NodeId(i as u32)))
    }

    /// Evaluates the rates, outputs and residuals at a point, with their derivatives.
    ///
    /// # Errors
    /// If the accelerations are not unique, or a formula of the motion has no finite derivative.
    pub fn evaluate(&mut self, at: &Arguments) -> Result<PointValues, LinearizeError> {
        let values = self.machine.call(at)?;
        let n = &self.names;
        let results = Results { function: &self.program.functions[0], values };
        let [rates, outputs, residuals] =
            ["rates", "outputs", "residuals"].map(|name| results.output_vector(name));
        let [a, b] = ["a", "b"].map(|name| results.output_rows(name, &n.states));
        let [c, d] = ["c", "d"].map(|name| results.output_rows(name, &n.outputs));
        let g = results.output_rows("g", &n.residuals);
        let (positions, coordinates, speeds) = (n.positions, n.coordinates, n.speeds);
        let point = PointValues { rates, outputs, residuals, a, b, c, d, g, positions, coordinates, speeds };
        self.check_finite_derivatives(&point, at)?;
        Ok(point)
    }

    /// Rejects derivatives of the motion that are not finite. Derivatives of outputs may be
    /// infinite, since they do not affect the motion.
    fn check_finite_derivatives(&self, point: &PointValues, at: &Arguments) -> Result<(), LinearizeError> {
        let names = &self.names;
        let parts = [
            (&point.a, &names.states, &names.states),
            (&point.b, &names.states, &names.inputs),
            (&point.g, &names.residuals, &names.states),
        ];
        for (matrix, rows, columns) in parts {
            for (row, quantity) in matrix.iter().zip(rows) {
                if let Some(j) = row.iter().position(|x| !x.is_finite()) {
                    let by = columns[j].clone();
                    let within = self.formulas_without_slope(at, &by);
                    return Err(LinearizeError::NoSlope { of: quantity.clone(), by, within });
                }
            }
        }
        Ok(())
    }

    /// Loads, constraints, states and outputs of the spec that have no finite derivative by the
    /// input or the entry `by` of `δx`, for messages.
    pub fn formulas_without_slope(&self, at: &Arguments, by: &str) -> Vec<String> {
        items_with_infinite_slope(&self.mechanism, &self.names, at, by)
    }

    /// Typical size of each entry of `δx`, for tolerances: one radian or the size of the mechanism
    /// for coordinates, zero for speeds and user states.
    pub fn typical_sizes(&self) -> &[f64] {
        &self.typical_sizes
    }

    /// Reference sizes of rates and residuals at a point, to which tolerances are relative.
    pub fn reference_scales(&self, point: &PointValues, at: &Arguments) -> Scales {
        let mut values = Vec::with_capacity(self.typical_sizes.len());
        let mut i = 0;
        while i < at.q.len() {
            if self.quaternions.iter().any(|q| (*q..q + 4).contains(&i)) {
                values.extend([0.0; 3]);
                i += 4;
            } else {
                values.push(at.q[i]);
                i += 1;
            }
        }
        values.extend(at.v.iter().chain(&at.z));
        let sizes: Vec<f64> =
            values.iter().zip(&self.typical_sizes).map(|(x, typical)| x.abs().max(*typical)).collect();
        let rates = point
            .a
            .iter()
            .zip(&point.b)
            .map(|(a, b)| sum_of_magnitudes(a, &sizes) + sum_of_magnitudes(b, &at.u));
        let mut rates: Vec<f64> = rates.collect();
        // At rest, a speed is compared with the one that the forces would produce over the size of
        // the mechanism.
        let mut sizes = sizes;
        for (k, speed) in self.mechanism.speeds.iter().enumerate() {
            let unit = if speed.dimension.is_translational() { self.size } else { 1.0 };
            let i = point.coordinates + k;
            sizes[i] = sizes[i].max((rates[i] * unit).sqrt());
        }
        let mut residuals: Vec<f64> = point.g.iter().map(|g| sum_of_magnitudes(g, &sizes)).collect();
        // A row on which nothing acts is compared with the other rows of its kind.
        let (coordinates, speeds) = rates.split_at_mut(point.coordinates);
        let (positions, velocities) = residuals.split_at_mut(point.positions);
        for rows in [coordinates, speeds, positions, velocities] {
            let largest = rows.iter().fold(0.0f64, |m, x| m.max(*x));
            rows.iter_mut().for_each(|x| *x = x.max(1e-4 * largest));
        }
        Scales { rates, residuals }
    }

    /// A state with the absolute values of angles limited to one turn, for reference sizes: an
    /// angle of many turns must not widen the tolerance.
    pub fn limit_angles(&self, at: &Arguments) -> Arguments {
        let mut out = at.clone();
        for (q, c) in out.q.iter_mut().zip(&self.mechanism.coordinates) {
            if !c.dimension.is_translational() {
                *q = q.abs().min(std::f64::consts::TAU).max(ROUNDED * q.abs());
            }
        }
        out
    }

    /// The point displaced by `δx` and `δu`, as for a Newton step; quaternions stay normalised.
    pub fn displaced_point(&self, at: &Arguments, dx: &[f64], du: &[f64]) -> Arguments {
        let mut out = at.clone();
        let mut dx = dx.iter().copied();
        let mut next = || dx.next().unwrap_or(0.0);
        let mut i = 0;
        while i < out.q.len() {
            if self.quaternions.contains(&i) {
                let [a, b, c] = [next(), next(), next()].map(|d| d / 2.0);
                let [w, x, y, z] = [out.q[i], out.q[i + 1], out.q[i + 2], out.q[i + 3]];
                let turned = [
                    w - a * x - b * y - c * z,
                    x + a * w + c * y - b * z,
                    y + b * w + a * z - c * x,
                    z + c * w + b * x - a * y,
                ];
                let norm = turned.iter().map(|x| x * x).sum::<f64>().sqrt();
                turned.iter().enumerate().for_each(|(k, x)| out.q[i + k] = x / norm);
                i += 4;
            } else {
                out.q[i] += next();
                i += 1;
            }
        }
        out.v.iter_mut().chain(&mut out.z).for_each(|x| *x += next());
        out.u.iter_mut().zip(du).for_each(|(u, d)| *u += d);
        out
    }
}

/// Typical size of each entry of `δx`, for a mechanism of this size \[m\].
fn typical_state_sizes(m: &Mechanism, size: f64) -> Vec<f64> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < m.nq() {
        let c = &m.coordinates[i];
        if dqdt_mechanics::mechanism::joint::free_quaternion(&m.joints[c.joint])
            .is_some_and(|q| q.index() == i)
        {
            out.extend([1.0; 3]);
            i += 4;
        } else {
            out.push(if c.dimension.is_translational() { size } else { 1.0 });
            i += 1;
        }
    }
    out.resize(out.len() + m.nv() + m.states.len(), 0.0);
    out
}

/// Sum of the absolute values of the products of a row with factors: a reference size of the row.
fn sum_of_magnitudes(row: &[f64], factors: &[f64]) -> f64 {
    row.iter().zip(factors).map(|(a, x)| (a * x).abs()).sum::<f64>()
}

fn is_time_symbol(graph: &Graph, node: NodeId) -> bool {
    match graph.node(node).op {
        Op::Symbol(s) => graph.symbol_info(s).kind == SymbolKind::Time,
        _ => false,
    }
}

/// Fails if the matrices would have more than [`MOST_ENTRIES`] entries.
fn check_matrix_size(rows: usize, columns: usize) -> Result<(), LinearizeError> {
    let entries = rows.saturating_mul(columns);
    if entries > MOST_ENTRIES {
        return Err(LinearizeError::TooLarge { states: columns, entries, limit: MOST_ENTRIES });
    }
    Ok(())
}

/// The formalism by which a linearisation derives: the quick choice, without a search.
fn quick_formalism(loaded: &Assembled) -> Formalism {
    pipeline::choose(loaded, FormalismChoice::Quick, &[dqdt_derivation::functions::DQDT])
        .unwrap_or(Formalism::Kane)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_beyond_memory_are_refused_with_the_limit() {
        assert!(check_matrix_size(5000, 5000).is_ok());
        let message = check_matrix_size(5001, 5000).unwrap_err().to_string();
        assert!(
            message.contains("25005000 entries") && message.contains("the limit is 25000000"),
            "{message}"
        );
    }
}
