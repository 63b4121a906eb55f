//! Interface of the formalisms. Each is one file of `methods`; `registry` lists them.

use super::dynamics::solved::DynamicsSolution;
use super::dynamics::sparse_system::Extended;
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// Equations of motion `M v̇ + c = Q` of a tree; rows and columns by speeds in spec order.
#[derive(Clone, Debug)]
pub struct Implicit<S> {
    /// Mass matrix M, symmetric, nv × nv.
    pub mass: Vec<Vec<S>>,
    /// Bias `c` without forces: all velocity-dependent and explicitly time-dependent inertia terms,
    /// by speed.
    pub c: Vec<S>,
    /// Applied generalised forces `Q`, including gravity, by speed.
    pub force: Vec<S>,
}

impl<S: Scalar> Implicit<S> {
    /// Right-hand side `Q − c` of `M v̇ = Q − c`, by speed.
    pub(crate) fn right_side(&self) -> Vec<S> {
        self.force.iter().zip(&self.c).map(|(q, c)| *q - *c).collect()
    }
}

/// Equations of motion in the form of a formalism.
#[derive(Clone, Debug)]
pub enum Equations<S> {
    /// Accelerations `v̇` alone, computed without a matrix.
    Explicit(Vec<S>),
    /// Equations `M v̇ + c = Q` of a tree.
    Implicit(Implicit<S>),
    /// Equations `M v̇ + c = Q + Aᵀ λ` of a tree, with the constraint rows `A v̇ = γ`.
    Augmented(Implicit<S>, Vec<ConstraintRow<S>>),
    /// A sparse system with additional, named unknowns, such as reactions.
    Extended(Extended<S>),
    /// Equations with momenta as state: `p`, their rates `ṗ`, and `v = M⁻¹ (p − p₀)`.
    Momentum(GeneralisedMomentum<S>),
}

/// Equations with momenta `p = M v + p₀` as state, by Poisson's formalism.
#[derive(Clone, Debug)]
pub struct GeneralisedMomentum<S> {
    /// Mass matrix M, symmetric, nv × nv.
    pub mass: Vec<Vec<S>>,
    /// Generalised momenta p, by speed.
    pub momentum: Vec<S>,
    /// Momenta p₀ that prescribed motion alone has, by speed.
    pub drift: Vec<S>,
    /// Rates ṗ of the momenta, by speed.
    pub rate: Vec<S>,
    /// Part `Ṁ v + ṗ₀` of ṗ that does not depend on accelerations.
    pub convective: Vec<S>,
}

/// Kind of system that a formalism solves for the accelerations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolvedSystem {
    /// The system `M v̇ = Q − c`, with the M, c and Q of `Method::implicit`.
    Implicit,
    /// A mass matrix with a separately computed right-hand side.
    MassMatrix,
    /// No matrix: sweeps over the tree, as in ABA.
    Sweeps,
    /// A sparse system with additional unknowns, such as accelerations of bodies.
    System {
        /// True if reactions, or multipliers of the joints, are unknowns.
        reactions: bool,
    },
}

/// Large mechanisms for which the graph of a formalism is small enough to be a candidate in the
/// search for the fewest operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lean {
    /// The formalism is a candidate for all mechanisms.
    Always,
    /// The formalism is a candidate for mechanisms with constraints, which it projects.
    WithConstraints,
    /// The formalism is no candidate for large mechanisms.
    No,
}

/// Treatment of constraints by a formalism: multipliers or projection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConstraintsBy {
    /// Multipliers by the Schur complement, or the treatment in the spec.
    Multipliers,
    /// Multipliers among the unknowns of the formalism's sparse system.
    Unknowns,
    /// Projection onto the motions that the constraints allow.
    Projection,
}

/// Static properties of a formalism, for reports and for the choice of a formalism.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Name of the formalism on the command line, such as `kane`.
    pub name: &'static str,
    /// Description of the formalism in one line.
    pub description: &'static str,
    /// Kind of system that the formalism solves for the accelerations.
    pub solves: SolvedSystem,
    /// Treatment of constraints by the formalism.
    pub constraints: ConstraintsBy,
    /// True if the formalism has its own M, c and Q of a tree; other formalisms are shown with
    /// those of CRBA.
    pub states_equations: bool,
    /// Origin of M, as text; formalisms with equal text share one computation. `None` without a
    /// mass matrix.
    pub mass: Option<&'static str>,
    /// True if the formalism uses the motion subspaces and partial velocities of `kinematics`.
    pub partial_velocities: bool,
    /// Cost class: operations for each Σ dᵢ², where dᵢ is the number of speeds from the ground to
    /// speed i. Zero if the cost grows with the number of bodies only. Counted on chains of 20
    /// rods, rounded up.
    pub growth: u64,
    /// Large mechanisms for which the formalism is a candidate in the search for the fewest
    /// operations.
    pub lean: Lean,
    /// True if c of the formalism has terms with the third power of the denominators of `N`, which
    /// cancel.
    pub cubes_denominators: bool,
    /// Sources of the formalism, as keys of the literature list that reports cite.
    pub sources: &'static [&'static str],
}

/// Origin of M ([`Facts::mass`]) of the formalisms that use composite inertias.
pub(crate) const OF_SUBTREES: &str = "inertias of subtrees";

/// Interface that each formalism implements; `Formalism` dispatches to it.
pub(crate) trait Method {
    /// Static properties of the formalism.
    const FACTS: Facts;

    /// Matrices `M`, `c` and `Q` of the tree, if the formalism has its own.
    fn implicit<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Option<Implicit<S>> {
        None
    }

    /// Right-hand side `Q − c` by one sweep with gravity as an acceleration of the ground, if the
    /// formalism has one. It costs fewer operations than the difference of Q and c.
    fn right_side<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Option<Vec<S>> {
        None
    }

    /// Equations of the formalism, if they are neither M, c and Q nor explicit accelerations.
    fn equations<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Option<Equations<S>> {
        None
    }

    /// Accelerations and multipliers for the active constraint rows `rows`.
    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S>;
}

/// Defines the enum `Formalism` and its delegation to [`Method`], from one line for each formalism.
macro_rules! formalisms {
    ($($file:ident::$Kind:ident,)*) => {
        /// A formalism: one way to derive the equations of motion. All give the same accelerations;
        /// their operation counts differ.
        ///
        /// [`Formalism::description`] describes each in one line; `docs/mechanics.md` of the
        /// project derives them, with sources.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum Formalism {
            $(#[doc = concat!("`", stringify!($file), "`")] $Kind,)*
        }

        impl Formalism {
            /// All formalisms, in the order of their declaration.
            pub const ALL: [Formalism; [$(Formalism::$Kind),*].len()] =
                [$(Formalism::$Kind),*];

            /// Properties of the formalism that do not depend on the mechanism.
            pub const fn facts(self) -> &'static Facts {
                match self {
                    $(Formalism::$Kind => &<methods::$file::$Kind as Method>::FACTS,)*
                }
            }

            /// Calls `Method::implicit` of the formalism.
            pub(crate) fn dispatch_implicit<S: Scalar>(self, m: &Mechanism, env: &Environment<'_, S>) -> Option<Implicit<S>> {
                match self {
                    $(Formalism::$Kind => methods::$file::$Kind::implicit(m, env),)*
                }
            }

            /// Calls `Method::right_side` of the formalism.
            pub(crate) fn dispatch_right_side<S: Scalar>(self, m: &Mechanism, env: &Environment<'_, S>) -> Option<Vec<S>> {
                match self {
                    $(Formalism::$Kind => methods::$file::$Kind::right_side(m, env),)*
                }
            }

            /// Calls `Method::equations` of the formalism.
            pub(crate) fn dispatch_equations<S: Scalar>(self, m: &Mechanism, env: &Environment<'_, S>) -> Option<Equations<S>> {
                match self {
                    $(Formalism::$Kind => methods::$file::$Kind::equations(m, env),)*
                }
            }

            /// Calls `Method::solve` of the formalism.
            pub(crate) fn dispatch_solve<S: Scalar>(
                self,
                m: &Mechanism,
                env: &Environment<'_, S>,
                rows: &[ConstraintRow<S>],
            ) -> DynamicsSolution<S> {
                match self {
                    $(Formalism::$Kind => methods::$file::$Kind::solve(m, env, rows),)*
                }
            }
        }
    };
}
pub(crate) use formalisms;
