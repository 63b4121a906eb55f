//! The macro that defines structs of results.

/// Defines the struct for the results of a function. Its `Default` is all zeros.
///
/// ```
/// dqdt::results! {
///     /// Energies.
///     Energy {
///         kinetic: T = "kinetic energy, in `J`";
///         momentum: [T; 3] = "angular momentum, in `N*m*s`";
///     }
/// }
///
/// let mut y = Energy::<f64>::default();
/// y.momentum[2] = 1.0;
/// assert_eq!((y.kinetic, y.momentum), (0.0, [0.0, 0.0, 1.0]));
/// ```
#[macro_export]
macro_rules! results {
    ($(#[$about:meta])* $name:ident { $($field:ident: $type:ty = $meaning:literal;)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(dead_code, non_snake_case)]
        pub struct $name<T = f64> {
            $(
                #[doc = concat!($meaning, ".")]
                pub $field: $type,
            )+
        }

        impl<T: $crate::Real> ::core::default::Default for $name<T> {
            fn default() -> Self {
                $crate::emitted::Entries::ZEROS
            }
        }

        impl<T: $crate::Real> $crate::emitted::Entries<T> for $name<T> {
            const ZEROS: Self = Self { $($field: <$type as $crate::emitted::Entries<T>>::ZEROS,)+ };

            fn blank(&mut self, lanes: T::Mask) {
                $($crate::emitted::Entries::<T>::blank(&mut self.$field, lanes);)+
            }
        }
    };
}
