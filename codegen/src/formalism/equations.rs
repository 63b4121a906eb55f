//! The contract of a formalism: which there are, and what each gives.
//!
//! A formalism gives one of the variants of [`Equations`]. All of them solve for accelerations by [`super::forward()`], over
//! any scalar, so that they can be compared. `M`, `c`, `Q` of those that do not form a mass matrix are those of the
//! composite-body form ([`implicit`]). Two problems of CONVENTIONS are not ways to derive accelerations and have functions
//! of their own: [`super::kinetostatics()`] and [`super::impact()`].

use super::applied::Applied;
use super::extended::{self, Extended};
use super::momentum::{self, GeneralisedMomentum};
use super::{composite_body, direct, kane, lagrange, lagrange_first, maggi};
use crate::algebra::Scalar;
use crate::kinematics::{ConstraintRow, active_rows, kinematics, motions};
use crate::mechanism::{Environment, Mechanism};

/// `M v̇ + c = Q`; speeds in spec order.
#[derive(Clone, Debug)]
pub struct Implicit<S> {
    /// M, symmetric, nv × nv.
    pub mass: Vec<Vec<S>>,
    /// All velocity-dependent (and rheonomic) inertia terms.
    pub c: Vec<S>,
    /// Q: applied generalised forces, gravity included.
    pub force: Vec<S>,
}

impl<S: Scalar> Implicit<S> {
    /// The same equations, with the values that take fewer operations.
    fn normal_forms(self) -> Self {
        let (mass, [c, force]) = with_normal_forms(&self.mass, [&self.c, &self.force]);
        Implicit { mass, c, force }
    }
}

/// A mass matrix with what stands beside it, with the values that take fewer operations.
pub(super) fn with_normal_forms<S: Scalar, const N: usize>(
    mass: &[Vec<S>],
    beside: [&[S]; N],
) -> (Vec<Vec<S>>, [Vec<S>; N]) {
    let n = mass.len();
    let upper: Vec<S> = mass.iter().enumerate().flat_map(|(i, row)| row[i..].to_vec()).collect();
    let groups: Vec<&[S]> = std::iter::once(&upper[..]).chain(beside).collect();
    let mut forms = S::normal_forms(&groups).into_iter();
    let mut entries = forms.next().unwrap_or(upper).into_iter();
    let mut full = vec![vec![S::ZERO; n]; n];
    for i in 0..n {
        for (j, x) in (i..n).zip(entries.by_ref()) {
            (full[i][j], full[j][i]) = (x, x);
        }
    }
    (full, std::array::from_fn(|_| forms.next().unwrap_or_default()))
}

/// What a formalism gives.
#[derive(Clone, Debug)]
pub enum Equations<S> {
    /// `v̇` at once, without a matrix.
    Explicit(Vec<S>),
    /// `M v̇ + c = Q`
    Implicit(Implicit<S>),
    /// `M v̇ + c = Q + Aᵀ λ`, `A v̇ = γ`
    Augmented(Implicit<S>, Vec<ConstraintRow<S>>),
    /// A sparse system of more unknowns, which are named.
    Extended(Extended<S>),
    /// `p`, `ṗ` and `v = M⁻¹ (p − p₀)`
    Momentum(GeneralisedMomentum<S>),
}

/// A method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Formalism {
    /// Partial velocities.
    Kane,
    /// Second kind, by differentiation of T and V.
    Lagrange,
    /// `(TA)ᵀ M (TA)`.
    Direct,
    /// `Aᵀ (Tᵀ M T) A`.
    CompositeBody,
    /// Vereshchagin's sweeps.
    ArticulatedBody,
    /// Accelerations of bodies, reactions and accelerations of speeds together.
    Extended,
    /// Accelerations of bodies with the multipliers of the joints.
    LagrangeFirst,
    /// Accelerations of bodies alone.
    Maggi,
    /// Projection on the null space of the constraints, in the speeds of the tree.
    MaggiCoordinates,
    /// Generalised momenta (Poisson).
    Momentum,
}

impl Formalism {
    /// All of them.
    pub const ALL: [Formalism; 10] = [
        Formalism::Kane,
        Formalism::Lagrange,
        Formalism::Direct,
        Formalism::CompositeBody,
        Formalism::ArticulatedBody,
        Formalism::Extended,
        Formalism::LagrangeFirst,
        Formalism::Maggi,
        Formalism::MaggiCoordinates,
        Formalism::Momentum,
    ];

    /// Those that derive `M`, `c` and `Q` of a tree in ways of their own.
    pub const IMPLICIT: [Formalism; 4] =
        [Formalism::Kane, Formalism::Lagrange, Formalism::Direct, Formalism::CompositeBody];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Formalism::Kane => "kane",
            Formalism::Lagrange => "lagrange",
            Formalism::Direct => "direct",
            Formalism::CompositeBody => "composite_body",
            Formalism::ArticulatedBody => "articulated_body",
            Formalism::Extended => "extended",
            Formalism::LagrangeFirst => "lagrange_first",
            Formalism::Maggi => "maggi",
            Formalism::MaggiCoordinates => "maggi_coordinates",
            Formalism::Momentum => "momentum",
        }
    }

    /// What it is, in a line.
    pub fn description(self) -> &'static str {
        match self {
            Formalism::Kane => "Kane's equations: partial velocities, quasi-velocities",
            Formalism::Lagrange => "Lagrange's equations of the second kind, by differentiation",
            Formalism::Direct => "the Jacobian first, then JᵀMJ",
            Formalism::CompositeBody => "inertias of subtrees; LᵀDL with the sparsity of the tree",
            Formalism::ArticulatedBody => "Vereshchagin: O(n), without a mass matrix",
            Formalism::Extended => "accelerations, reactions and speeds in one sparse system; O(n)",
            Formalism::LagrangeFirst => {
                "Lagrange's equations of the first kind: multipliers of the joints; O(n)"
            }
            Formalism::Maggi => "Maggi's equations in the twists of the bodies",
            Formalism::MaggiCoordinates => "Maggi's equations in the speeds: projection on the constraints",
            Formalism::Momentum => "Poisson's form: generalised momenta",
        }
    }
}

/// `M`, `c` and `Q` of the tree: those of the formalism where it forms them, else those of the composite-body form.
pub fn implicit<S: Scalar>(f: Formalism, m: &Mechanism, env: &Environment<'_, S>) -> Implicit<S> {
    let own = match f {
        Formalism::Kane => kane::kane(m, env),
        Formalism::Lagrange => lagrange::lagrange(m, env),
        Formalism::Direct => direct::direct(m, env),
        Formalism::CompositeBody
        | Formalism::ArticulatedBody
        | Formalism::Extended
        | Formalism::LagrangeFirst
        | Formalism::Maggi
        | Formalism::MaggiCoordinates
        | Formalism::Momentum => composite_body::composite_body(m, env),
    };
    own.normal_forms()
}

/// Equations of motion by the method `f`.
pub fn equations<S: Scalar>(f: Formalism, m: &Mechanism, env: &Environment<'_, S>) -> Equations<S> {
    match f {
        Formalism::Kane | Formalism::Lagrange | Formalism::Direct | Formalism::CompositeBody => {
            let own = implicit(f, m, env);
            if m.constraints.is_empty() {
                Equations::Implicit(own)
            } else {
                Equations::Augmented(own, active_rows(m, env))
            }
        }
        Formalism::MaggiCoordinates if m.constraints.is_empty() => Equations::Implicit(implicit(f, m, env)),
        Formalism::MaggiCoordinates | Formalism::ArticulatedBody => {
            Equations::Explicit(super::solve(f, m, env).accelerations)
        }
        Formalism::Momentum => Equations::Momentum(momentum::generalised_momentum(m, env)),
        Formalism::Extended | Formalism::LagrangeFirst | Formalism::Maggi => {
            let k = if f == Formalism::Maggi { kinematics(m, env) } else { motions(m, env) };
            let applied = Applied::new(m, &k, env);
            let rows = active_rows(m, env);
            Equations::Extended(match f {
                Formalism::Extended => extended::system(m, &k, &applied, &rows),
                Formalism::LagrangeFirst => lagrange_first::system(m, &k, env, &applied, &rows),
                _ => maggi::system(m, &k, env, &applied),
            })
        }
    }
}
