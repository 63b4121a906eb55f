//! The interface of a method of deriving equations of motion. Each is one file of `methods`; the list is in `registry`.

use super::dynamics::solved::Solved;
use super::dynamics::sparse_system::Extended;
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

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
    /// `Q − c`
    pub(crate) fn right_side(&self) -> Vec<S> {
        self.force.iter().zip(&self.c).map(|(q, c)| *q - *c).collect()
    }
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

/// Momenta as state: `p = M v + p₀`.
#[derive(Clone, Debug)]
pub struct GeneralisedMomentum<S> {
    /// M, symmetric, nv × nv.
    pub mass: Vec<Vec<S>>,
    /// p
    pub momentum: Vec<S>,
    /// p₀: of prescribed motion alone.
    pub drift: Vec<S>,
    /// ṗ
    pub rate: Vec<S>,
    /// `Ṁ v + ṗ₀`: the part of ṗ that is there without accelerations.
    pub convective: Vec<S>,
}

/// What a method solves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolvedSystem {
    /// `M v̇ = Q − c` with the M, c and Q that it states.
    Implicit,
    /// A mass matrix, with a right side of its own.
    MassMatrix,
    /// No matrix: sweeps over the tree.
    Sweeps,
    /// A sparse system of more unknowns.
    System {
        /// True if reactions, or multipliers of the joints, are among them.
        reactions: bool,
    },
}

/// On which large mechanisms a graph stays small enough to be tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lean {
    /// On all.
    Always,
    /// On those with constraints, which it projects.
    WithConstraints,
    /// On none.
    No,
}

/// How a method meets constraints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConstraintsBy {
    /// Multipliers by the Schur complement, or as the constraint asks.
    Multipliers,
    /// Multipliers among the unknowns of its system.
    Unknowns,
    /// Projection on what they leave free.
    Projection,
}

/// Facts about a method, without deriving anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// As on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub description: &'static str,
    /// What it solves.
    pub solves: SolvedSystem,
    /// How it meets constraints.
    pub constraints: ConstraintsBy,
    /// True if it states M, c and Q of a tree; other methods are shown with those of the composite-body form.
    pub states_equations: bool,
    /// How its M comes about; methods with the same words share one computation. `None`: it has no M.
    pub mass: Option<&'static str>,
    /// True if it takes velocities from motion subspaces and partial velocities, as `kinematics` carries them.
    pub partial_velocities: bool,
    /// Cost class: operations for each Σ dᵢ², where dᵢ is the number of speeds from the ground to speed i. Zero for what
    /// grows with the number of bodies alone. Counted on chains of 20 rods, rounded up.
    pub growth: u64,
    /// Whether it is tried on large mechanisms where the leanest is asked for.
    pub lean: Lean,
    /// True if c has terms of the third power of what `N` divides by, which cancel.
    pub cubes_denominators: bool,
    /// Where it is from, by the keys of the literature that reports cite.
    pub sources: &'static [&'static str],
}

/// How M comes about in the methods that share it.
pub(crate) const OF_SUBTREES: &str = "inertias of subtrees";

/// A method.
pub(crate) trait Method {
    /// Its facts.
    const FACTS: Facts;

    /// `M`, `c` and `Q` of the tree, if it states them.
    fn implicit<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Option<Implicit<S>> {
        None
    }

    /// `Q − c` at once, where that is less than the difference of both: with gravity as an acceleration of the ground.
    fn right_side<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Option<Vec<S>> {
        None
    }

    /// Its equations, where they are neither M, c and Q nor `v̇` at once.
    fn equations<S: Scalar>(_m: &Mechanism, _env: &Environment<'_, S>) -> Option<Equations<S>> {
        None
    }

    /// Accelerations and multipliers with the rows that take part.
    fn solve<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, rows: &[ConstraintRow<S>]) -> Solved<S>;
}

/// The enum of the methods and its delegation, from one line each.
macro_rules! formalisms {
    ($($file:ident::$Kind:ident,)*) => {
        /// A method of deriving equations of motion. All give the same accelerations; their operations differ.
        ///
        /// [`Formalism::description`] says what each is; `docs/mechanics.md` of the project derives them, with sources.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum Formalism {
            $(#[doc = concat!("`", stringify!($file), "`")] $Kind,)*
        }

        impl Formalism {
            /// All of them, in the order of the list.
            pub const ALL: [Formalism; [$(Formalism::$Kind),*].len()] =
                [$(Formalism::$Kind),*];

            /// Its facts, without deriving anything.
            pub const fn facts(self) -> &'static Facts {
                match self {
                    $(Formalism::$Kind => &<methods::$file::$Kind as Method>::FACTS,)*
                }
            }

            pub(crate) fn own_implicit<S: Scalar>(self, m: &Mechanism, env: &Environment<'_, S>) -> Option<Implicit<S>> {
                match self {
                    $(Formalism::$Kind => methods::$file::$Kind::implicit(m, env),)*
                }
            }

            pub(crate) fn own_right_side<S: Scalar>(self, m: &Mechanism, env: &Environment<'_, S>) -> Option<Vec<S>> {
                match self {
                    $(Formalism::$Kind => methods::$file::$Kind::right_side(m, env),)*
                }
            }

            pub(crate) fn own_equations<S: Scalar>(self, m: &Mechanism, env: &Environment<'_, S>) -> Option<Equations<S>> {
                match self {
                    $(Formalism::$Kind => methods::$file::$Kind::equations(m, env),)*
                }
            }

            pub(crate) fn own_solve<S: Scalar>(
                self,
                m: &Mechanism,
                env: &Environment<'_, S>,
                rows: &[ConstraintRow<S>],
            ) -> Solved<S> {
                match self {
                    $(Formalism::$Kind => methods::$file::$Kind::solve(m, env, rows),)*
                }
            }
        }
    };
}
pub(crate) use formalisms;
