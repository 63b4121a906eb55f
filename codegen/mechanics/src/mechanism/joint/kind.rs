//! The interface of a kind of joint, and the list that delegates to it.
//!
//! A kind is one file: a type with its data that implements [`JointForm`] (what can be said without a scalar: names, units,
//! picture) and [`JointMechanics`] (closed forms over any scalar, and how the kind comes about). What is generic over
//! the scalar cannot be a method of an object, so one list delegates to the kinds: `joint_kinds!` in `mod.rs`. Nothing else
//! tells kinds apart. The keys of a kind in a spec are a file of `spec/joint_keys`.

use super::form::{Draw, JointForm, Written};
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3, Wrench};

/// What a kind answers over any scalar, and how it comes about.
#[doc(hidden)]
pub trait JointMechanics: JointForm + Sized {
    /// The word of the format.
    const WORD: &'static str;
    /// For which numbers of a draw a random joint is one of this kind; below `FEW` also where few speeds are wanted.
    const DRAWN: &'static [usize] = &[];

    /// From what a spec says.
    fn read(written: &mut Written<'_>) -> Self;

    /// A random one.
    fn random(draw: &mut dyn Draw) -> Self;

    /// Rotation C to reference axes, translation in P axes.
    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>);

    /// Subspace, its rate and its dual.
    fn subspace<S: Scalar>(
        &self,
        q: &[S],
        v: &[S],
        reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S>;

    /// `N`; `None` where the speeds are the rates.
    fn rates<S: Scalar>(
        &self,
        _q: &[S],
        _reference: &Reference<S>,
        _env: &Environment<'_, S>,
    ) -> Option<RateMatrix<S>> {
        None
    }

    /// What the joint holds: 6 − nv wrenches `Z` that do no work on its motion, `ZᵀA = 0`, and twists `H` that it does not
    /// admit, so that `[A H]` and `[Y Z]` are bases of twists and wrenches with `[Y Z]ᵀ[A H] = E` (`Y`: the dual of `A`).
    fn complement<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> Vec<HeldDirection<S>>;
}

/// Draws of random kinds below this are of kinds with few speeds.
pub const FEW: usize = 9;

/// What the angles of a joint are measured from, as seen from P.
#[derive(Clone, Copy, Debug)]
pub struct Reference<S> {
    /// P to reference axes: the identity, or with absolute angles P to ground axes.
    pub rotation: Mat3<S>,
    /// Angular velocity of P relative to the reference, in P axes [rad/s].
    pub angular_velocity: Vec3<S>,
}

impl<S: Scalar> Reference<S> {
    /// Angles are measured from P itself.
    pub fn parent() -> Self {
        Reference { rotation: Mat3::identity(), angular_velocity: Vec3::ZERO }
    }
}

/// `A`, `Ȧ v` and `Y` of [`JointMotion`](super::JointMotion).
#[derive(Clone, Debug)]
pub struct Subspace<S> {
    /// `A`, by columns.
    pub columns: Vec<Twist<S>>,
    /// `Ȧ v`.
    pub bias: Twist<S>,
    /// `Y`, by columns.
    pub dual: Vec<Wrench<S>>,
}

/// `N` of [`JointMotion`](super::JointMotion) and what it divides by.
#[derive(Clone, Debug)]
pub struct RateMatrix<S> {
    /// nq × nv.
    pub matrix: Vec<Vec<S>>,
    /// Order one.
    pub denominators: Vec<S>,
}

/// A direction that a joint holds.
#[derive(Clone, Copy, Debug)]
pub struct HeldDirection<S> {
    /// Column of `Z`.
    pub wrench: Wrench<S>,
    /// Column of `H`.
    pub twist: Twist<S>,
}

/// The enum of the kinds and its delegation, from one line a kind.
macro_rules! joint_kinds {
    ($($file:ident::$Kind:ident,)*) => {
        /// The kinds of joints.
        #[derive(Clone, PartialEq, Debug)]
        pub enum JointKind {
            $(#[doc = concat!("[`", stringify!($Kind), "`].")] $Kind($file::$Kind),)*
        }

        $(pub use $file::$Kind;)*

        /// The types of the kinds.
        pub mod kinds {
            $(pub use super::$file::$Kind;)*
        }

        $(impl From<$file::$Kind> for JointKind {
            fn from(kind: $file::$Kind) -> Self {
                JointKind::$Kind(kind)
            }
        })*

        impl JointKind {
            /// The words of the format, in the order of the list.
            pub const WORDS: &'static [&'static str] = &[$(<$file::$Kind as JointMechanics>::WORD),*];

            #[doc(hidden)]
            /// The numbers of a draw for which a random joint is of each kind.
            pub const DRAWN: &'static [&'static [usize]] =
                &[$(<$file::$Kind as JointMechanics>::DRAWN),*];

            /// What it answers without a scalar.
            #[doc(hidden)]
            pub fn form(&self) -> &dyn JointForm {
                match self {
                    $(JointKind::$Kind(kind) => kind,)*
                }
            }

            /// The kind with this word, from what a spec says.
            #[doc(hidden)]
            pub fn read(word: &str, written: &mut Written<'_>) -> Option<Self> {
                match word {
                    $(<$file::$Kind as JointMechanics>::WORD => Some($file::$Kind::read(written).into()),)*
                    _ => None,
                }
            }

            #[doc(hidden)]
            /// A random one; `few`: of those with few speeds.
            pub fn random(few: bool, draw: &mut dyn Draw) -> Self {
                let all = Self::DRAWN.iter().map(|list| list.len()).sum();
                let drawn = draw.below(if few { FEW } else { all });
                $(if <$file::$Kind as JointMechanics>::DRAWN.contains(&drawn) {
                    return $file::$Kind::random(draw).into();
                })*
                // A draw that no kind claims; a test sees to it that there is none.
                Fixed.into()
            }

            /// Rotation C to reference axes, translation in P axes.
            fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
                match self {
                    $(JointKind::$Kind(kind) => kind.pose(q, env),)*
                }
            }

            /// Subspace, its rate and its dual.
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

            fn complement<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> Vec<HeldDirection<S>> {
                match self {
                    $(JointKind::$Kind(kind) => kind.complement(q, env),)*
                }
            }
        }
    };
}
pub(super) use joint_kinds;
