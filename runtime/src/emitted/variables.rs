//! The macro that defines state, inputs, constraint rows and events.

/// Defines the sizes of a mechanism, and the names, units and indices of the entries of its arrays.
///
/// Sections are in this order; each may be missing. An entry of the state has its index constant,
/// index, name, unit, start and meaning; an input has its default in place of the start.
///
/// Defines `NQ`, `NV`, `NZ`, `NU`, `NX` (sizes), `START` and `start`, `DEFAULT_INPUTS` and
/// `default_inputs`, `QUATERNIONS` and `ND`, [`STATES` and `INPUTS`](crate::Quantity), and one
/// index constant per entry. For rows and events, if there are any, it defines their number, and
/// names with units: `NPC` and `POSITION_ROWS`, `NVC` and `VELOCITY_ROWS`, `NE` and `EVENTS`, `NI`
/// and `INDEPENDENT`, `NDRIVEN` and `DRIVEN`.
///
/// ```
/// dqdt::variables! {
///     coordinates {
///         Q_ANGLE = 0: "angle", "rad", 0.1, "angle from below";
///     }
///     speeds {
///         V_RATE = 1: "rate", "rad/s", 0.0, "rate of angle";
///     }
///     inputs {
///         U_TORQUE = 0: "torque", "N*m", 0.5, "at the hinge";
///     }
/// }
///
/// assert_eq!((NQ, NV, NZ, NU, NX), (1, 1, 0, 1, 2));
/// assert_eq!(START[Q_ANGLE], 0.1);
/// assert_eq!(STATES[V_RATE].unit, "rad/s");
/// assert_eq!(INPUTS[U_TORQUE].name, "torque");
/// assert_eq!((start::<f32>(), default_inputs::<f32>()), ([0.1, 0.0], [0.5]));
/// ```
#[macro_export]
macro_rules! variables {
    (
        $(coordinates { $($q:ident = $qi:literal: $qn:literal, $qu:literal, $q0:expr, $qm:literal;)* })?
        $(speeds { $($v:ident = $vi:literal: $vn:literal, $vu:literal, $v0:expr, $vm:literal;)* })?
        $(states { $($z:ident = $zi:literal: $zn:literal, $zu:literal, $z0:expr, $zm:literal;)* })?
        $(inputs { $($u:ident = $ui:literal: $un:literal, $uu:literal, $u0:expr, $um:literal;)* })?
        $(quaternions { $($quaternion:literal),* $(,)? })?
        $(independent { $($i:literal),* $(,)? })?
        $(driven { $($d:literal),* $(,)? })?
        $(position_rows { $($pn:literal, $pu:literal;)* })?
        $(velocity_rows { $($rn:literal, $ru:literal;)* })?
        $(events { $($en:literal, $eu:literal;)* })?
    ) => {
        /// Number of coordinates q.
        #[allow(dead_code)]
        pub const NQ: usize = <[&str]>::len(&[$($($qn),*)?]);
        /// Number of speeds v.
        #[allow(dead_code)]
        pub const NV: usize = <[&str]>::len(&[$($($vn),*)?]);
        /// Number of user states z.
        #[allow(dead_code)]
        pub const NZ: usize = <[&str]>::len(&[$($($zn),*)?]);
        /// Number of inputs u.
        #[allow(dead_code)]
        pub const NU: usize = <[&str]>::len(&[$($($un),*)?]);
        /// Length of the state x = (q, v, z).
        #[allow(dead_code)]
        pub const NX: usize = NQ + NV + NZ;
        $($($crate::__index! { $q = $qi, "x", $qm, $qu })*)?
        $($($crate::__index! { $v = $vi, "x", $vm, $vu })*)?
        $($($crate::__index! { $z = $zi, "x", $zm, $zu })*)?
        $($($crate::__index! { $u = $ui, "u", $um, $uu })*)?

        /// Initial state of the spec, at the default parameters.
        #[allow(dead_code)]
        pub const START: [f64; NX] = [$($($q0,)*)? $($($v0,)*)? $($($z0,)*)?];
        /// Converts [`START`] to any scalar.
        #[allow(dead_code)]
        #[must_use]
        pub fn start<T: $crate::Real>() -> [T; NX] {
            START.map(T::from_f64)
        }

        /// Default inputs of the spec, at the default parameters.
        #[allow(dead_code)]
        pub const DEFAULT_INPUTS: [f64; NU] = [$($($u0,)*)?];
        /// Converts [`DEFAULT_INPUTS`] to any scalar.
        #[allow(dead_code)]
        #[must_use]
        pub fn default_inputs<T: $crate::Real>() -> [T; NU] {
            DEFAULT_INPUTS.map(T::from_f64)
        }

        /// Index in x of the first entry of each quaternion, in order.
        #[allow(dead_code)]
        pub const QUATERNIONS: [usize; <[usize]>::len(&[$($($quaternion),*)?])] = [$($($quaternion),*)?];
        /// Length of a difference `δx` of two states, in which a quaternion has three entries
        /// ([`differences`](::dqdt::differences)).
        #[allow(dead_code)]
        pub const ND: usize = NX - QUATERNIONS.len();

        /// The state x: names and units of its entries.
        ///
        /// | x | name | meaning | unit |
        /// |---|------|---------|------|
        $($(#[doc = concat!("| `x[", $qi, "]` | `", $qn, "` | ", $qm, " | `", $qu, "` |")])*)?
        $($(#[doc = concat!("| `x[", $vi, "]` | `", $vn, "` | ", $vm, " | `", $vu, "` |")])*)?
        $($(#[doc = concat!("| `x[", $zi, "]` | `", $zn, "` | ", $zm, " | `", $zu, "` |")])*)?
        #[allow(dead_code)]
        pub const STATES: [$crate::Quantity; NX] = [
            $($($crate::quantity($qn, $qu),)*)?
            $($($crate::quantity($vn, $vu),)*)?
            $($($crate::quantity($zn, $zu),)*)?
        ];

        /// The inputs u: names and units of its entries.
        ///
        /// | u | name | meaning | unit |
        /// |---|------|---------|------|
        $($(#[doc = concat!("| `u[", $ui, "]` | `", $un, "` | ", $um, " | `", $uu, "` |")])*)?
        #[allow(dead_code)]
        pub const INPUTS: [$crate::Quantity; NU] = [$($($crate::quantity($un, $uu),)*)?];

        $(
            /// Number of independent speeds.
            #[allow(dead_code)]
            pub const NI: usize = <[usize]>::len(&[$($i),*]);
            /// Index in v of each independent speed. The other speeds are computed from these.
            #[allow(dead_code)]
            pub const INDEPENDENT: [usize; NI] = [$($i),*];
        )?
        $(
            /// Number of driven speeds.
            #[allow(dead_code)]
            pub const NDRIVEN: usize = <[usize]>::len(&[$($d),*]);
            /// Index in v of each driven speed, whose acceleration is given. The others are free or
            /// dependent.
            #[allow(dead_code)]
            pub const DRIVEN: [usize; NDRIVEN] = [$($d),*];
        )?
        $(
            /// Number of constraints on coordinates.
            #[allow(dead_code)]
            pub const NPC: usize = <[&str]>::len(&[$($pn),*]);
            /// The constraints on coordinates: names, and the units of their residuals.
            #[allow(dead_code)]
            pub const POSITION_ROWS: [$crate::Quantity; NPC] = [$($crate::quantity($pn, $pu)),*];
        )?
        $(
            /// Number of constraints on speeds.
            #[allow(dead_code)]
            pub const NVC: usize = <[&str]>::len(&[$($rn),*]);
            /// The constraints on speeds: names, and the units of their residuals.
            #[allow(dead_code)]
            pub const VELOCITY_ROWS: [$crate::Quantity; NVC] = [$($crate::quantity($rn, $ru)),*];
        )?
        $(
            /// Number of events.
            #[allow(dead_code)]
            pub const NE: usize = <[&str]>::len(&[$($en),*]);
            /// The events: names, and the units of the event functions.
            #[allow(dead_code)]
            pub const EVENTS: [$crate::Quantity; NE] = [$($crate::quantity($en, $eu)),*];
        )?
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "this module was emitted for another version of the crate `dqdt`: emit it again with the matching version of `dqdt-codegen`"
        );
    };
}

/// Defines the index constant of an entry of x or u. Used by `variables!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __index {
    ($name:ident = $index:literal, $array:literal, $meaning:literal, $unit:literal) => {
        #[doc = concat!("`", $array, "[", $index, "]`: ", $meaning, ", in `", $unit, "`.")]
        #[allow(dead_code)]
        pub const $name: usize = $index;
    };
}
