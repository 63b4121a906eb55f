//! The macro that defines the model: parameters, and values computed from them once.

/// Defines the struct `Model` from the names of its fields; the module itself defines `Model::new`.
///
/// `Model` implements `Default` and has `params` and `set_params`. `Model with epsilon` also has
/// the tolerance below which a pivot counts as zero. `new` builds the struct with `params`,
/// `epsilon` if there is one, and the other fields.
///
/// ```
/// dqdt::parameters! {
///     /// Parameters of a pendulum.
///     Params {
///         m = 1.0, "kg", "mass";
///         l = 0.5, "m", "length";
///     }
/// }
///
/// dqdt::model! {
///     /// A pendulum.
///     Model { J }
/// }
///
/// impl<T: dqdt::Real> Model<T> {
///     fn new(params: Params<T>) -> Self {
///         Self { params, J: params.m * params.l * params.l }
///     }
/// }
///
/// let mut model = Model::<f64>::default();
/// model.set_params(Params { l: 1.0, ..*model.params() });
/// assert_eq!(model.J, 1.0);
/// ```
#[macro_export]
macro_rules! model {
    ($(#[$about:meta])* $model:ident { $($field:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(dead_code, non_snake_case)]
        pub struct $model<T = f64> {
            params: Params<T>,
            $($field: T,)*
        }

        #[allow(dead_code)]
        impl<T: $crate::Real> $model<T> {
            /// Replaces the parameters, and recomputes all values that depend on them.
            pub fn set_params(&mut self, params: Params<T>) {
                *self = Self::new(params);
            }
        }

        $crate::__model! { $model { $($field),* } }
    };
    ($(#[$about:meta])* $model:ident with epsilon { $($field:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(dead_code, non_snake_case)]
        pub struct $model<T = f64> {
            params: Params<T>,
            /// A pose is singular where a pivot is smaller than this times the largest term of the
            /// sum that forms the pivot. [`default_epsilon`](::dqdt::Real::default_epsilon) by
            /// default.
            pub epsilon: T,
            $($field: T,)*
        }

        #[allow(dead_code)]
        impl<T: $crate::Real> $model<T> {
            /// Replaces the parameters, and recomputes all values that depend on them.
            pub fn set_params(&mut self, params: Params<T>) {
                *self = Self { epsilon: self.epsilon, ..Self::new(params) };
            }
        }

        $crate::__model! { $model { epsilon $(, $field)* } }
    };
}

/// Items that every emitted `Model` has, with or without `epsilon`. Used by `model!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __model {
    ($model:ident { $($field:ident),* }) => {
        #[allow(dead_code)]
        impl<T: $crate::Real> $model<T> {
            /// Converts the model to another scalar, value by value.
            #[inline]
            pub fn over<U>(&self, f: impl ::core::ops::Fn(T) -> U) -> $model<U> {
                $model { params: self.params.over(&f), $($field: f(self.$field)),* }
            }

            /// The parameters of the model.
            pub fn params(&self) -> &Params<T> {
                &self.params
            }
        }

        impl<T: $crate::Real> ::core::default::Default for $model<T> {
            fn default() -> Self {
                Self::new(Params::default())
            }
        }
    };
}
