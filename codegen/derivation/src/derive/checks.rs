//! Divisor checks of emitted functions.
//!
//! Problem: list every divisor that can vanish, with its name, a hint, and the dimensioned size
//!          with which it is compared.
//! Method:  pivots provide the largest term of their sum (`formalism::Pivot`); pivots that cannot
//!          vanish are not checked. Other divisors (a single sine, a squared distance) are compared
//!          with the largest value at and around the start, at default parameters. That size is
//!          rounded to a power of two, so that the last digits of a platform's sine do not appear
//!          in emitted code. Sines and cosines of angles are compared with one.
//!
//! Not handled: parameters that change by many orders of magnitude, since the size is that of the
//! default parameters.

use super::derivation::Derivation;
use super::layout;
use super::solution::Solved;
use dqdt_algebra::{Number, quaternion_norm_squared};
use dqdt_graph::ir::{Check, NodeId, Op, SymbolKind, Tracer, evaluate, mark_needed};
use dqdt_mechanics::formalism::{self, Pivot};
use dqdt_mechanics::mechanism::{Attitude, Joint, JointId};

/// Number of states around the start at which divisors are sampled, besides the start, to find
/// their usual size.
const AROUND: usize = 3;
/// Hint of the check of a quaternion's norm, in the error `Singular`.
const NO_ATTITUDE: &str = "a quaternion of zeros defines no attitude: use a quaternion of unit length";
/// Hint of the check of the length of a load along a line, such as a spring, in the error
/// `Singular`.
const NO_DIRECTION: &str = "the ends of the load coincide, so a force along it has no direction: choose other points, or a motion that keeps them apart";

impl<'g> Derivation<'g, '_> {
    /// A divisor check of a value whose usual size is one, such as a cosine; `squared` if it is a
    /// square.
    fn divisor_check_with_unit_scale(
        &self,
        name: String,
        hint: String,
        value: Tracer<'g>,
        squared: bool,
    ) -> Check {
        Check { name, hint, value: self.node_id(value), scale: self.graph.number(Number::ONE), squared }
    }

    /// Divisor checks of pivots for an emitted function, except those that cannot vanish.
    pub(super) fn pivot_checks(&self, pivots: &[Pivot<Tracer<'g>>]) -> Vec<Check> {
        if pivots.is_empty() {
            return Vec::new();
        }
        let certain = formalism::find_nonvanishing_pivots(self.m, Some(self.formulation));
        let pivots: Vec<&Pivot<Tracer<'g>>> = pivots
            .iter()
            .filter(|p| p.speed.is_none_or(|s| !certain[s]))
            // A non-zero constant pivot was checked when it was chosen.
            .filter(|p| p.value.constant().is_none_or(|x| x.is_zero()))
            .collect();
        let unknown: Vec<_> = pivots.iter().filter(|p| p.scale.is_none()).map(|p| p.value).collect();
        let mut sizes = self.typical_magnitudes(&unknown).into_iter();
        let mut checks = Vec::with_capacity(pivots.len());
        for p in pivots {
            let value = self.node_id(p.value);
            let scale = match p.scale {
                Some(scale) => self.node_id(scale),
                None => sizes.next().unwrap_or_else(|| {
                    self.graph.invariants().report_broken("no reference scale was computed for a divisor");
                    self.graph.number(Number::ONE)
                }),
            };
            checks.push(Check {
                name: p.name.clone(),
                hint: p.hint.clone(),
                value,
                scale,
                squared: p.squared,
            });
        }
        checks
    }

    /// Largest magnitude of each value at and around the start, as a power of two.
    fn typical_magnitudes(&self, values: &[Tracer<'g>]) -> Vec<NodeId> {
        if values.is_empty() {
            return Vec::new();
        }
        let (start, layout) = (layout::start_at_defaults(self.m), layout::vector_layout(self.m));
        let ids = self.node_ids(values);
        let mut largest = vec![0.0f64; ids.len()];
        for sample in 0..=AROUND {
            // Irrational steps, so that no two shifts are equal.
            let shift = |i: usize| match sample {
                0 => 0.0,
                _ => 0.3 * f64::sin((1.618_033_988_749_895 * (i + 7 * sample) as f64).powi(2)),
            };
            let values = evaluate(self.graph, &ids, |kind| match kind {
                SymbolKind::Time => 0.37 * (sample.min(1) as f64),
                SymbolKind::Parameter(i) => layout.p[i].value,
                SymbolKind::Coordinate(i) => start.q[i] + shift(i),
                SymbolKind::Speed(i) => start.v[i] + shift(i + start.q.len()),
                SymbolKind::State(i) => start.z[i],
                SymbolKind::Input(i) => start.u[i],
                SymbolKind::Acceleration(_)
                | SymbolKind::Impulse(_)
                | SymbolKind::Effort(_)
                | SymbolKind::Contact(_)
                | SymbolKind::Costate(_)
                | SymbolKind::Rate(_)
                | SymbolKind::Auxiliary(_)
                | SymbolKind::Length(_)
                | SymbolKind::Named(_) => f64::NAN,
            });
            for (largest, x) in largest.iter_mut().zip(values) {
                *largest = if x.is_finite() { largest.max(x.abs()) } else { *largest };
            }
        }
        largest.iter().map(|x| self.graph.number(power_of_two(*x))).collect()
    }

    /// Checks of divisors on which `nodes` depend, among the denominators of the kinematic map,
    /// quaternion norms, and the pivots of dependent speeds. A function that only uses the cosine
    /// of an angle needs no check of it.
    ///
    /// - `quaternion_norms`: check quaternion norms even if `nodes` do not divide by them.
    /// - `solved`: `nodes` depend on accelerations or jumps of the speeds, in which Lagrange's
    ///   formalism has the third power of a denominator.
    /// - `duals`: also check divisors of moments that are conjugate to rates of angles.
    pub(super) fn denominator_checks(
        &self,
        nodes: &[NodeId],
        quaternion_norms: bool,
        solved: bool,
        duals: bool,
    ) -> Vec<Check> {
        let reach = mark_needed(self.graph, nodes);
        let divisors: Vec<NodeId> = (reach.iter().enumerate())
            .filter_map(|(index, needed)| {
                let node = self.graph.node(NodeId(index as u32));
                if *needed && node.op == Op::Div { node.args().get(1).copied() } else { None }
            })
            .collect();
        let divided = mark_needed(self.graph, &divisors);
        let divides = |x: &Tracer<'g>| x.constant().is_none() && self.contains_up_to_sign(&divided, *x);
        let mut checks = Vec::new();
        // Pivots contain these divisors too but have their own checks, so only direct divisors
        // count.
        let of_duals = self.kinematics.dual_denominators.iter().filter(|(_, x)| {
            duals && x.constant().is_none() && [*x, -*x].iter().any(|x| divisors.contains(&self.node_id(*x)))
        });
        for (joint, x) in self.kinematics.denominators.iter().filter(|(_, x)| divides(x)).chain(of_duals) {
            let index = self.m.joints.iter().position(|j| j.name == *joint).map(JointId);
            let hint = index.and_then(|i| formalism::gimbal_lock_hint(self.m, i)).unwrap_or_default();
            // Lagrange's c has terms with the third power of it in the denominator, which cancel: N
            // twice from the left and right side of ∂²T/∂q̇², and once more in q̈ = N v̇ + Ṅ v.
            let cubed = solved && self.formalism.facts().cubes_denominators;
            let value = if cubed { *x * *x * *x } else { *x };
            checks.push(self.divisor_check_with_unit_scale(format!("angles of {joint}"), hint, value, false));
        }
        for (joint, square) in self.quaternion_square_norms() {
            // A zero quaternion is an error even where the attitude does not matter.
            if divides(&square) || quaternion_norms {
                checks.push(self.divisor_check_with_unit_scale(
                    format!("quaternion of {joint}"),
                    NO_ATTITUDE.to_owned(),
                    square,
                    true,
                ));
            }
        }
        let eliminated: Vec<_> =
            self.elimination.iter().flat_map(|e| e.dependent_speed_pivots(&self.selection.rows)).collect();
        let eliminated: Vec<_> = (eliminated.into_iter().filter(|p| divides(&p.value)))
            .map(|p| {
                // The sign with which it occurs in `nodes` costs no extra operation.
                let is_divisor = divided.get(self.node_id(p.value).0 as usize) == Some(&true);
                let value = if is_divisor { p.value } else { -p.value };
                Pivot { value, ..p }
            })
            .collect();
        checks.extend(self.pivot_checks(&eliminated));
        checks
    }

    /// Squared norms of the quaternions, with the names of their joints.
    fn quaternion_square_norms(&self) -> Vec<(&str, Tracer<'g>)> {
        self.m
            .joints
            .iter()
            .filter_map(|joint| Some((joint.name.as_str(), self.quaternion_norm(joint)?)))
            .collect()
    }

    /// Squared norm of a joint's quaternion; `None` without a free quaternion.
    fn quaternion_norm(&self, joint: &Joint) -> Option<Tracer<'g>> {
        let (first, Attitude::Quaternion) = joint.kind.form().attitude_coordinate()? else { return None };
        let slots = joint.coordinates.iter().skip(first);
        let parts: Option<Vec<_>> = slots.map(|slot| Some(self.symbols.q[slot.free_index()?])).collect();
        Some(quaternion_norm_squared(parts?.try_into().ok()?))
    }

    /// Checks of the squared lengths of springs and other loads that act along a line.
    pub(super) fn line_length_checks(&self) -> Vec<Check> {
        let moving: Vec<_> = self.lengths.iter().filter(|(_, x)| x.constant().is_none()).collect();
        let sizes = self.typical_magnitudes(&moving.iter().map(|(_, x)| *x).collect::<Vec<_>>());
        moving
            .iter()
            .zip(sizes)
            .map(|((load, x), scale)| Check {
                name: format!("squared length of {load}"),
                hint: NO_DIRECTION.to_owned(),
                value: self.node_id(*x),
                scale,
                squared: false,
            })
            .collect()
    }

    /// Checks of the independence of constraint rows, except constant ones, which were checked when
    /// they were chosen.
    pub(super) fn row_independence_checks(&self, measures: &[(String, Tracer<'g>)]) -> Vec<Check> {
        let moving = measures.iter().filter(|(_, x)| x.constant().is_none());
        moving
            .map(|(name, x)| {
                self.divisor_check_with_unit_scale(name.clone(), formalism::LOST_RANK.to_owned(), *x, false)
            })
            .collect()
    }

    /// True if `x` or `−x` is among these nodes, since dependent nodes may use either.
    fn contains_up_to_sign(&self, nodes: &[bool], x: Tracer<'g>) -> bool {
        [x, -x].iter().any(|x| nodes.get(self.node_id(*x).0 as usize) == Some(&true))
    }

    /// True if `nodes` depend on accelerations or multipliers, or, with `unknowns`, on other
    /// unknowns of the solution.
    pub(super) fn depends_on_solution(&self, solved: &Solved<'g>, nodes: &[NodeId], unknowns: bool) -> bool {
        let s = &solved.solution;
        let reach = mark_needed(self.graph, nodes);
        let moving = |x: &Tracer<'g>| x.constant().is_none() && self.contains_up_to_sign(&reach, *x);
        // Reactions in the sparse formalisms are unknowns of the same system as the accelerations.
        let reached = unknowns && s.pivots.iter().any(|p| moving(&p.value));
        let realising = self.m.inputs_realising_constraints();
        let computed = realising.iter().map(|i| &solved.inputs[*i]);
        reached || s.x.iter().chain(&s.multipliers).chain(computed).any(moving)
    }
}

/// The largest power of two at or below `x`; one if `x` is not positive and finite.
fn power_of_two(x: f64) -> Number {
    if x <= 0.0 || !x.is_finite() {
        return Number::ONE;
    }
    let exponent = x.log2().floor().clamp(-60.0, 60.0) as i32;
    let power = 1i64 << exponent.unsigned_abs();
    let number = if exponent < 0 { Number::ratio(1, power) } else { Number::ratio(power, 1) };
    debug_assert!(number.is_some(), "powers of two up to 2^60 are exact fractions");
    number.unwrap_or(Number::ONE)
}
