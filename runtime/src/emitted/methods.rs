//! The functions as methods.

/// Makes the functions of a module methods of its model over plain scalars, compiled in the crate that holds the module.
///
/// A line a function: its arguments besides model and time with their lengths; what it writes to, an array with its lengths or a
/// struct; `or Singular` where it can fail, `with flags` of a length where it says which entries a limit acted on.
///
/// ```
/// # use dqdt::{Mask, Real};
/// # const NX: usize = 2;
/// # const NU: usize = 1;
/// # struct Model<T>(T);
/// # #[derive(Default)]
/// # struct Energy<T>(T);
/// fn energy<T: Real>(model: &Model<T>, _t: T, x: &[T; NX], y: &mut Energy<T>) {
///     y.0 = model.0 * x[1] * x[1];
/// }
///
/// fn saturate<T: Real>(model: &Model<T>, _t: T, u: &[T; NU], limited: &mut [T; NU]) -> [T::Mask; NU] {
///     limited[0] = u[0].min(model.0);
///     [limited[0].is_lt(u[0])]
/// }
///
/// dqdt::methods! {
///     Model<f64>, Model<f32> {
///         energy(x[NX]) -> y: Energy;
///         saturate(u[NU]) -> limited[NU] with flags[NU];
///     }
/// }
///
/// # fn main() {
/// let (mut y, mut limited) = (Energy::default(), [0.0]);
/// Model(0.5_f64).energy(0.0, &[1.0, 2.0], &mut y);
/// assert_eq!(y.0, 2.0);
/// assert_eq!(Model(0.5_f32).saturate(0.0, &[1.0], &mut limited), [true]);
/// # }
/// ```
#[macro_export]
macro_rules! methods {
    ($model:ident<$scalar:ident> { $($functions:tt)* }) => {
        $crate::__methods! { $model $scalar { $($functions)* } }
    };
    ($model:ident<$scalar:ident>, $($models:ident<$scalars:ident>),+ { $($functions:tt)* }) => {
        $crate::__methods! { $model $scalar { $($functions)* } }
        $crate::methods! { $($models<$scalars>),+ { $($functions)* } }
    };
}

/// The methods over one scalar.
#[doc(hidden)]
#[macro_export]
macro_rules! __methods {
    ($model:ident $scalar:ident { $(
        $name:ident($($argument:ident[$length:ident]),*) -> $($out:ident $([$size:ident])* $(: $result:ident)?),+
        $(or $singular:ident)? $(with flags[$flags:ident])?;
    )* }) => {
        #[allow(dead_code)]
        impl $model<$scalar> {
            $(
                #[doc = concat!("[`", stringify!($name), "()`] of this model.")]
                $(
                    #[doc = concat!(
                        "\n# Errors\n[`", stringify!($singular), "`](::dqdt::Singular), as [`", stringify!($name), "()`]."
                    )]
                )?
                #[inline(never)]
                pub fn $name(
                    &self,
                    t: $scalar,
                    $($argument: &[$scalar; $length],)*
                    $($out: &mut $crate::__shape!($scalar $([$size])* $($result)?)),+
                ) -> $crate::__verdict!($($singular)? $([$flags])?) {
                    self::$name(self, t, $($argument,)* $($out),+)
                }
            )*
        }
    };
}

/// The type of what is written to.
#[doc(hidden)]
#[macro_export]
macro_rules! __shape {
    ($scalar:ident $result:ident) => { $result<$scalar> };
    ($scalar:ident) => { $scalar };
    ($scalar:ident [$size:ident] $([$more:ident])*) => { [$crate::__shape!($scalar $([$more])*); $size] };
}

/// What is returned.
#[doc(hidden)]
#[macro_export]
macro_rules! __verdict {
    () => { () };
    ([$flags:ident]) => { [bool; $flags] };
    ($singular:ident) => { ::core::result::Result<(), $crate::$singular<bool>> };
}
