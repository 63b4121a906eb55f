//! Constraints along a motion, evaluated by the interpreter: violation, projection and Jacobian.

use super::runnable::RunnableProgram;
use dqdt_derivation::assemble;
use dqdt_derivation::functions;
use dqdt_graph::ir::{Arguments, Machine, Program};

/// Interpreter of the constraints along a motion: projects states onto them, measures their
/// violation, and normalises quaternions.
#[derive(Debug)]
#[doc(hidden)]
pub struct Constraints {
    arguments: Arguments,
    position: Option<Machine>,
    velocity: Option<Machine>,
    quaternions: Vec<usize>,
}

/// Residuals of the constraints, and the rows of their Jacobian.
type ResidualsAndJacobian = (Vec<f64>, Vec<Vec<f64>>);

/// Calls a constraint function, whose values are the residuals, then the Jacobian with `columns`
/// columns.
fn evaluate_residuals_and_jacobian(
    machine: &mut Machine,
    arguments: &Arguments,
    columns: usize,
) -> ResidualsAndJacobian {
    // These functions solve nothing, so they cannot be singular.
    let values = machine.call(arguments).map(<[f64]>::to_vec).unwrap_or_default();
    let rows = values.len() / (columns + 1);
    let (residual, jacobian) = values.split_at(rows);
    (residual.to_vec(), jacobian.chunks(columns.max(1)).map(<[f64]>::to_vec).collect())
}

impl Constraints {
    /// Interpreter of the constraints of a program, at the parameters and inputs of `arguments`.
    pub fn new(program: &Program, arguments: &Arguments) -> Self {
        Constraints {
            arguments: arguments.clone(),
            position: Machine::new(program, functions::POSITION_CONSTRAINTS),
            velocity: Machine::new(program, functions::VELOCITY_CONSTRAINTS),
            quaternions: program.layout.quaternions.clone(),
        }
    }

    /// Same as [`Constraints::new`], with functions that are prepared already.
    pub(super) fn from_runnable(program: &RunnableProgram, arguments: &Arguments) -> Self {
        Constraints {
            arguments: arguments.clone(),
            position: program.machine(functions::POSITION_CONSTRAINTS),
            velocity: program.machine(functions::VELOCITY_CONSTRAINTS),
            quaternions: program.layout.quaternions.clone(),
        }
    }

    /// Largest absolute violation of the constraints at the state `x`, as `[position, velocity]`.
    pub fn largest_violations(&mut self, t: f64, x: &[f64]) -> [f64; 2] {
        self.arguments.t = t;
        self.arguments.set_state(x);
        let (nq, nv) = (self.arguments.q.len(), self.arguments.v.len());
        let largest = |machine: &mut Option<Machine>, n| {
            let residuals = machine
                .as_mut()
                .map(|m| evaluate_residuals_and_jacobian(m, &self.arguments, n).0)
                .unwrap_or_default();
            residuals.iter().fold(0.0f64, |m, x| m.max(x.abs()))
        };
        [largest(&mut self.position, nq), largest(&mut self.velocity, nv)]
    }

    /// Appends the rows of the constraint Jacobian on speeds to `rows`, for the integrator. Returns
    /// their number of columns, 0 without constraints.
    pub fn append_jacobian_rows(&mut self, t: f64, x: &[f64], rows: &mut Vec<f64>) -> usize {
        self.arguments.t = t;
        self.arguments.set_state(x);
        let columns = self.arguments.v.len();
        let Some(values) = self.velocity.as_mut().and_then(|m| m.call(&self.arguments).ok()) else {
            return 0;
        };
        rows.extend(&values[values.len() / (columns + 1)..]);
        columns
    }

    /// Projects the state `x` onto the nearest one that satisfies the constraints; used by the
    /// integrator.
    ///
    /// # Errors
    /// The remaining residual.
    pub fn project(&mut self, t: f64, x: &mut [f64]) -> Result<(), f64> {
        let quaternions = &self.quaternions;
        quaternions.iter().for_each(|i| dqdt::normalise_quaternion_at(x, *i));
        if self.velocity.is_none() {
            return Ok(());
        }
        let a = std::cell::RefCell::new(&mut self.arguments);
        a.borrow_mut().t = t;
        a.borrow_mut().set_state(x);
        let (mut q, mut v) = (a.borrow().q.clone(), a.borrow().v.clone());
        let (position, velocity) = (&mut self.position, &mut self.velocity);
        let projection = assemble::project_onto_constraints(
            t,
            &mut q,
            &mut v,
            |_, q| {
                let mut a = a.borrow_mut();
                a.q.copy_from_slice(q);
                let (mut residual, mut jacobian) = position
                    .as_mut()
                    .map(|m| evaluate_residuals_and_jacobian(m, &a, q.len()))
                    .unwrap_or_default();
                for i in quaternions {
                    let mut row = vec![0.0; q.len()];
                    row[*i..*i + 4].copy_from_slice(&q[*i..*i + 4]);
                    residual.push((row.iter().map(|x| x * x).sum::<f64>() - 1.0) / 2.0);
                    jacobian.push(row);
                }
                (residual, jacobian)
            },
            |_, q, v| {
                let mut a = a.borrow_mut();
                a.q.copy_from_slice(q);
                a.v.copy_from_slice(v);
                velocity.as_mut().map(|m| evaluate_residuals_and_jacobian(m, &a, v.len())).unwrap_or_default()
            },
        );
        projection.map_err(|e| e.residual)?;
        x[..q.len()].copy_from_slice(&q);
        x[q.len()..q.len() + v.len()].copy_from_slice(&v);
        Ok(())
    }
}
