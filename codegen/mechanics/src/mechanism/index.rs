//! Typed indices into the arenas of a mechanism.
//!
//! Each id indexes a slice or a vector with one entry a body, joint, speed, coordinate or
//! parameter. Joint `i` is the inboard joint of body `i`; [`BodyId::inboard_joint`] and
//! [`JointId::child`] convert between the two.

use std::ops::{Index, IndexMut, Range};

/// Defines the ids.
macro_rules! ids {
    ($($(#[$doc:meta])* $Id:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $Id(pub usize);

        impl $Id {
            /// The position in the arena.
            pub const fn index(self) -> usize {
                self.0
            }

            /// The ids of the first `count` entries.
            pub fn range(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (0..count).map(Self)
            }

            /// The items of a list with one entry an id, each with its id.
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
    /// Index of a body.
    BodyId,
    /// Index of a joint.
    JointId,
    /// Index of a speed, `v[i]`.
    SpeedId,
    /// Index of a coordinate, `q[i]`.
    CoordinateId,
    /// Index of a parameter, `p[i]`.
    ParameterId,
}

impl BodyId {
    /// The joint that connects the body to its parent.
    pub const fn inboard_joint(self) -> JointId {
        JointId(self.0)
    }
}

impl CoordinateId {
    /// Positions of the four entries of the unit quaternion whose scalar part this is.
    pub const fn quaternion(self) -> Range<usize> {
        self.0..self.0 + 4
    }
}

impl JointId {
    /// The body whose inboard joint this is.
    pub const fn child(self) -> BodyId {
        BodyId(self.0)
    }
}
