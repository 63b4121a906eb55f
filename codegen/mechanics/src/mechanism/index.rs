//! Typed indices into the arenas of a mechanism.
//!
//! Each id indexes a slice or a vector with one entry a body, joint, speed, coordinate or
//! parameter. Joint `i` is the inboard joint of body `i`; [`BodyId::inboard_joint`] and
//! [`JointId::child`] convert between the two.

use std::ops::{Index, IndexMut, Range};

/// Defines the id types and indexing of slices and vectors by them.
macro_rules! ids {
    ($($(#[$doc:meta])* $Id:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $Id(pub usize);

        impl $Id {
            /// The position in the arena, as an integer.
            pub const fn index(self) -> usize {
                self.0
            }

            /// The ids of the first `count` entries.
            pub fn range(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (0..count).map(Self)
            }

            /// Pairs each item of a list with its id; the list must have one entry per id.
            pub fn enumerate<T>(items: T) -> impl DoubleEndedIterator<Item = (Self, T::Item)> + ExactSizeIterator
            where
                T: IntoIterator<IntoIter: DoubleEndedIterator + ExactSizeIterator>,
            {
                items.into_iter().enumerate().map(|(i, item)| (Self(i), item))
            }
        }

        impl<T> Index<$Id> for [T] {
            type Output = T;

            fn index(&self, id: $Id) -> &T {
                &self[id.0]
            }
        }

        impl<T> IndexMut<$Id> for [T] {
            fn index_mut(&mut self, id: $Id) -> &mut T {
                &mut self[id.0]
            }
        }

        impl<T> Index<$Id> for Vec<T> {
            type Output = T;

            fn index(&self, id: $Id) -> &T {
                &self[id.0]
            }
        }

        impl<T> IndexMut<$Id> for Vec<T> {
            fn index_mut(&mut self, id: $Id) -> &mut T {
                &mut self[id.0]
            }
        }
    )*};
}

ids! {
    /// Index of a body of a mechanism.
    BodyId,
    /// Index of a joint of a mechanism, equal to that of the joint's child body.
    JointId,
    /// Index of a speed `v[i]` of a mechanism.
    SpeedId,
    /// Index of a coordinate `q[i]` of a mechanism.
    CoordinateId,
    /// Index of a parameter `p[i]` of a mechanism.
    ParameterId,
}

impl BodyId {
    /// The joint that connects this body to its parent.
    pub const fn inboard_joint(self) -> JointId {
        JointId(self.0)
    }
}

impl CoordinateId {
    /// Indices in `q` of the four entries of the unit quaternion whose scalar part this is.
    pub const fn quaternion_range(self) -> Range<usize> {
        self.0..self.0 + 4
    }
}

impl JointId {
    /// The child body of this joint.
    pub const fn child(self) -> BodyId {
        BodyId(self.0)
    }
}
