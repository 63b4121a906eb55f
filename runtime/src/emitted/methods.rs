//! The macro that turns emitted functions into methods of the model.

/// Makes the functions of a module methods of its model over any scalar. For the named scalar they
/// are compiled in the crate of the module, and crates that use it link to them.
///
/// There is one line for each function: its arguments after model and time with their lengths, then
/// the argument for its result, an array with its lengths or a struct. `or Singular` marks a
/// function that can fail; `with flags` one that returns for each entry whether a limit acted.
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
///     Model compiled for f64 {
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
    ($model:ident compiled for $scalar:ident { $(
        $name:ident($($argument:ident[$length:ident]),*) -> $($out:ident $([$size:ident])* $(: $result:ident)?),+
        $(or $singular:ident)? $(with flags[$flags:ident])?;
    )* }) => {
        #[allow(dead_code)]
        impl<T: $crate::Real> $model<T> {
            $(
                #[doc = concat!("Calls [`", stringify!($name), "()`] with this model.")]
                $(
                    #[doc = concat!(
                        "\n# Errors\n[`", stringify!($singular), "`](::dqdt::Singular), under the same conditions as [`", stringify!($name), "()`]."
                    )]
                )?
                #[inline(never)]
                pub fn $name(
                    &self,
                    t: T,
                    $($argument: &[T; $length],)*
                    $($out: &mut $crate::__shape!(T $([$size])* $($result)?)),+
                ) -> $crate::__verdict!(T $($singular)? $([$flags])?) {
                    self::$name(self, t, $($argument,)* $($out),+)
                }
            )*
        }

        // A static needs its function compiled, so this crate contains it, not each crate that
        // calls it.
        $(
            const _: () = {
                #[allow(dead_code)]
                static COMPILED: fn(
                    &$model<$scalar>,
                    $scalar,
                    $(&[$scalar; $length],)*
                    $(&mut $crate::__shape!($scalar $([$size])* $($result)?)),+
                ) -> $crate::__verdict!($scalar $($singular)? $([$flags])?) = $model::<$scalar>::$name;
            };
        )*
    };
}

/// Type of a result argument of a method that `methods!` defines: a scalar, an array or a struct.
#[doc(hidden)]
#[macro_export]
macro_rules! __shape {
    ($scalar:ident $result:ident) => { $result<$scalar> };
    ($scalar:ident) => { $scalar };
    ($scalar:ident [$size:ident] $([$more:ident])*) => { [$crate::__shape!($scalar $([$more])*); $size] };
}

/// Return type of a method that `methods!` defines: nothing, flags or a `Result`.
#[doc(hidden)]
#[macro_export]
macro_rules! __verdict {
    ($scalar:ident) => { () };
    ($scalar:ident [$flags:ident]) => { [<$scalar as $crate::Real>::Mask; $flags] };
    ($scalar:ident $singular:ident) => {
        ::core::result::Result<(), $crate::$singular<<$scalar as $crate::Real>::Mask>>
    };
}
