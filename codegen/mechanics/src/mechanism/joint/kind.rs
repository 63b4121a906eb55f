//! The interface of a joint kind, and the enum that dispatches to the kinds.
//!
//! A kind is one file: a type with its data that implements [`JointForm`] (scalar-independent:
//! names, units, picture) and [`JointMechanics`] (closed forms over any scalar, and constructors).
//! Methods generic over the scalar cannot be called through a trait object, so an enum dispatches
//! to the kinds: `joint_kinds!` in `mod.rs`. No other code distinguishes kinds. The keys of a kind
//! in a spec are a file of `spec/joint_keys`.

use super::form::{Draw, JointForm, JointKeyValues};
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3, Wrench};

/// Scalar-generic part of a joint kind (pose, motion subspace, rates), and its constructors.
#[doc(hidden)]
pub trait JointMechanics: JointForm + Sized {
    /// The word for this joint kind in the spec format.
    const WORD: &'static str;
    /// Random numbers that select this kind for a random joint in tests; those below `FEW` are used
    /// if few speeds are wanted.
    const DRAWN: &'static [usize] = &[];

    /// Creates the joint kind from the keys of a spec.
    fn read(keys: &mut JointKeyValues<'_>) -> Self;

    /// Creates a random joint of this kind, for tests.
    fn random(draw: &mut dyn Draw) -> Self;

    /// Rotation matrix from child (C) axes to reference axes, and translation in parent (P) axes
    /// \[m\], at the local coordinates `q`.
    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>);

    /// Motion subspace `A`, bias `Ȧ v` and dual wrenches at the local coordinates and speeds, in C
    /// axes.
    fn subspace<S: Scalar>(
        &self,
        q: &[S],
        v: &[S],
        reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S>;

    /// Rate matrix `N` of `q̇ = N v`; `None` if the speeds are the rates.
    fn rates<S: Scalar>(
        &self,
        _q: &[S],
        _reference: &Reference<S>,
        _env: &Environment<'_, S>,
    ) -> Option<RateMatrix<S>> {
        None
    }

    /// Constrained directions: 6 − nv wrenches `Z` that do no work on the joint's motion,
    /// `ZᵀA = 0`, and twists `H` that it does not admit, so that `[A H]` and `[Y Z]` are bases of
    /// twists and wrenches with `[Y Z]ᵀ[A H] = E` (`Y`: the dual of `A`).
    fn constrained_directions<S: Scalar>(
        &self,
        q: &[S],
        env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>>;
}

/// Bound of the random numbers that select joint kinds with few speeds, in tests.
pub const FEW: usize = 9;

/// Frame from which a joint's angles are measured: the parent's joint frame P, or the ground.
#[derive(Clone, Copy, Debug)]
pub struct Reference<S> {
    /// Rotation matrix from P axes to reference axes: the identity, or with absolute angles from P
    /// to ground axes.
    pub rotation: Mat3<S>,
    /// Angular velocity of P relative to the reference, in P axes \[rad/s\].
    pub angular_velocity: Vec3<S>,
}

impl<S: Scalar> Reference<S> {
    /// The reference that is P itself, for angles relative to the parent.
    pub fn parent() -> Self {
        Reference { rotation: Mat3::identity(), angular_velocity: Vec3::ZERO }
    }
}

/// Motion subspace `A` of a joint with its bias and dual, as in
/// [`JointMotion`](super::JointMotion).
#[derive(Clone, Debug)]
pub struct Subspace<S> {
    /// Columns of the motion subspace `A`, one a speed, in C axes.
    pub columns: Vec<Twist<S>>,
    /// Bias `Ȧ v`: rate of the relative twist's components at constant speeds, in C axes.
    pub bias: Twist<S>,
    /// Columns of `Y`: the wrench on the child for one unit of effort on each speed, in C axes.
    pub dual: Vec<Wrench<S>>,
}

/// Rate matrix `N` of [`JointMotion`](super::JointMotion) and its divisors.
#[derive(Clone, Debug)]
pub struct RateMatrix<S> {
    /// The matrix `N` of `q̇ = N v`, nq × nv.
    pub matrix: Vec<Vec<S>>,
    /// Divisors of `N`, of order one; `N` is singular where one vanishes.
    pub denominators: Vec<S>,
}

/// A constrained direction of a joint: a wrench that it transmits and the dual twist, which it does
/// not admit. Used for reactions.
#[derive(Clone, Copy, Debug)]
pub struct ConstrainedDirection<S> {
    /// Column of `Z`: a wrench that the joint transmits.
    pub wrench: Wrench<S>,
    /// Column of `H`: a twist that the joint does not admit.
    pub twist: Twist<S>,
}

/// Defines the enum of the kinds and dispatches its methods, from one line a kind.
macro_rules! joint_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        /// Kinds of joints.
        #[derive(Clone, PartialEq, Debug)]
        pub enum JointKind {
            $(#[doc = concat!("[`", stringify!($Kind), "`].")] $Kind($file::$Kind),)*
        }

        $(pub use $file::$Kind;)*

        /// Structs of all joint kinds.
        pub mod kinds {
            $(pub use super::$file::$Kind;)*
        }

        $(impl From<$file::$Kind> for JointKind {
            fn from(kind: $file::$Kind) -> Self {
                JointKind::$Kind(kind)
            }
        })*

        impl JointKind {
            /// Keywords of all kinds in the spec format, in the order of their declaration.
            pub const WORDS: &'static [&'static str] = &[$(<$file::$Kind as JointMechanics>::WORD),*];

            #[doc(hidden)]
            /// Random numbers that select each kind for a random joint.
            pub const DRAWN: &'static [&'static [usize]] =
                &[$(<$file::$Kind as JointMechanics>::DRAWN),*];

            /// This kind as a trait object, for operations that do not depend on the scalar type.
            #[doc(hidden)]
            pub fn form(&self) -> &dyn JointForm {
                match self {
                    $(JointKind::$Kind(kind) => kind,)*
                }
            }

            /// Creates the kind for a keyword from the keys of a spec; `None` if the keyword is
            /// unknown.
            #[doc(hidden)]
            pub fn read(word: &str, keys: &mut JointKeyValues<'_>) -> Option<Self> {
                match word {
                    $(<$file::$Kind as JointMechanics>::WORD => Some($file::$Kind::read(keys).into()),)*
                    _ => None,
                }
            }

            #[doc(hidden)]
            /// A random joint kind, for tests. `few`: only kinds with few speeds.
            pub fn random(few: bool, draw: &mut dyn Draw) -> Self {
                let all = Self::DRAWN.iter().map(|list| list.len()).sum();
                let drawn = draw.below(if few { FEW } else { all });
                $(if <$file::$Kind as JointMechanics>::DRAWN.contains(&drawn) {
                    return $file::$Kind::random(draw).into();
                })*
                // No kind has this number; a test ensures that this cannot occur.
                Fixed.into()
            }

            /// Rotation matrix from C axes to reference axes, and translation in P axes.
            fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
                match self {
                    $(JointKind::$Kind(kind) => kind.pose(q, env),)*
                }
            }

            /// Motion subspace `A`, `Ȧ v` and dual wrenches.
            #[doc(hidden)]
            pub fn subspace<S: Scalar>(
                &self,
                q: &[S],
                v: &[S],
                reference: &Reference<S>,
                env: &Environment<'_, S>,
            ) -> Subspace<S> {
                match self {
                    $(JointKind::$Kind(kind) => kind.subspace(q, v, reference, env),)*
                }
            }

            fn rates<S: Scalar>(
                &self,
                q: &[S],
                reference: &Reference<S>,
                env: &Environment<'_, S>,
            ) -> Option<RateMatrix<S>> {
                match self {
                    $(JointKind::$Kind(kind) => kind.rates(q, reference, env),)*
                }
            }

            fn constrained_directions<S: Scalar>(
                &self,
                q: &[S],
                env: &Environment<'_, S>,
            ) -> Vec<ConstrainedDirection<S>> {
                match self {
                    $(JointKind::$Kind(kind) => kind.constrained_directions(q, env),)*
                }
            }
        }
    };
}
pub(super) use joint_kinds;
