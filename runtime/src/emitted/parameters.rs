//! The macro that defines the parameters of a module.

/// Defines the struct `Params`: one field for each parameter, with default, unit, meaning, and the
/// name in the spec if the field has another name.
///
/// `Params` implements `Default` and has `values`, `values_mut`, and `get` and `set` by name. With
/// the feature `serde` it is (de)serialised like a struct with the names of the spec: a missing
/// parameter has its default, an unknown name is an error. The list `PARAMETERS` has names and
/// units; `NP` is its length.
///
/// ```
/// dqdt::parameters! {
///     /// Parameters of a pendulum.
///     Params {
///         m = 1.0, "kg", "mass";
///         type_ = 2.0, "1", "kind of rod", "type";
///     }
/// }
///
/// let mut params = Params::<f64>::default();
/// params.set("type", 3.0)?;
/// assert_eq!((params.m, params.type_, NP), (1.0, 3.0, 2));
/// assert_eq!(PARAMETERS[0].unit, "kg");
/// assert!(params.set("length", 1.0).is_err());
/// # Ok::<(), dqdt::UnknownName>(())
/// ```
#[macro_export]
macro_rules! parameters {
    ($(#[$about:meta])* $params:ident {}) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(dead_code)]
        pub struct $params<T = f64> {
            /// Marker field: the mechanism has no parameters.
            pub none: ::core::marker::PhantomData<T>,
        }

        impl<T: $crate::Real> ::core::default::Default for $params<T> {
            fn default() -> Self {
                Self { none: ::core::marker::PhantomData }
            }
        }

        impl<T> $params<T> {
            /// Converts the parameters to another scalar.
            #[inline]
            pub fn over<U>(&self, _: impl ::core::ops::Fn(T) -> U) -> $params<U> {
                $params { none: ::core::marker::PhantomData }
            }
        }

        $crate::__parameters! { $params }
    };
    ($(#[$about:meta])* $params:ident {
        $($field:ident = $value:expr, $unit:literal, $meaning:literal $(, $name:literal)?;)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(dead_code, non_snake_case)]
        pub struct $params<T = f64> {
            $(
                #[doc = concat!($meaning, ", in `", $unit, "`; ", stringify!($value), " by default.")]
                pub $field: T,
            )+
        }

        impl<T: $crate::Real> ::core::default::Default for $params<T> {
            fn default() -> Self {
                Self { $($field: T::from_f64($value),)+ }
            }
        }

        impl<T: ::core::marker::Copy> $params<T> {
            /// Converts the parameters to another scalar, value by value.
            #[inline]
            pub fn over<U>(&self, f: impl ::core::ops::Fn(T) -> U) -> $params<U> {
                $params { $($field: f(self.$field),)+ }
            }
        }

        $crate::__parameters! { $params $($field, $unit $(, $name)?;)+ }
    };
}

/// Items of `Params` for the list of parameters and for access by name. Used by `parameters!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __parameters {
    ($params:ident $($field:ident, $unit:literal $(, $name:literal)?;)*) => {
        /// Number of parameters.
        #[allow(dead_code)]
        pub const NP: usize = <[&str]>::len(&[$($unit),*]);

        /// The parameters of the mechanism: names and units.
        #[allow(dead_code)]
        pub const PARAMETERS: [$crate::Quantity; NP] =
            [$($crate::quantity($crate::__name!($field $($name)?), $unit)),*];

        #[allow(dead_code)]
        impl<T: Copy> $params<T> {
            /// The values of all parameters, in the order of [`PARAMETERS`].
            pub fn values(&self) -> [T; NP] {
                [$(self.$field),*]
            }

            /// Mutable references to all values, in the order of [`PARAMETERS`].
            pub fn values_mut(&mut self) -> [&mut T; NP] {
                [$(&mut self.$field),*]
            }

            /// The value of the parameter with this name in the spec; `None` if there is none.
            pub fn get(&self, name: &str) -> ::core::option::Option<T> {
                $crate::value_of(&PARAMETERS, &self.values(), name)
            }

            /// Sets the parameter with this name in the spec. Call `check` to validate all
            /// parameters together.
            ///
            /// # Errors
            /// No parameter has this name.
            pub fn set<'a>(
                &mut self,
                name: &'a str,
                value: T,
            ) -> ::core::result::Result<(), $crate::UnknownName<'a>> {
                $crate::set_value(&PARAMETERS, self.values_mut(), name, value)
            }
        }

        $crate::__serde_parameters! { $params $($crate::__name!($field $($name)?),)* }
    };
}

/// Name in the spec of a field of `Params`. Used by `parameters!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:literal) => {
        $name
    };
}
