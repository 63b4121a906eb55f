//! Functions that compiled code calls: those of the runtime's scalars, other than sine and cosine.

use cranelift_jit::JITBuilder;
use dqdt::Real;
use dqdt_algebra::Func2;
use dqdt_graph::ir::TableRows;

macro_rules! library {
    ($scalar:ident, $register:ident, $names:literal,
     [$($unary:ident = $method:ident),+], [$($binary:ident = $method2:ident),+], $table:ident) => {
        $(extern "C" fn $unary(x: $scalar) -> $scalar {
            Real::$method(x)
        })+
        $(extern "C" fn $binary(x: $scalar, y: $scalar) -> $scalar {
            Real::$method2(x, y)
        })+
        extern "C" fn $table(x: $scalar, rows: &TableRows) -> $scalar {
            x.table(&rows.0, &rows.1)
        }

        fn $register(builder: &mut JITBuilder) {
            $(builder.symbol(concat!(stringify!($method), "_", $names), $unary as *const u8);)+
            $(builder.symbol(concat!(stringify!($method2), "_", $names), $binary as *const u8);)+
            builder.symbol(concat!("table_", $names), $table as *const u8);
        }
    };
}

library!(
    f64,
    register_doubles,
    "double",
    [
        tan64 = tan,
        asin64 = asin,
        acos64 = acos,
        atan64 = atan,
        sinh64 = sinh,
        cosh64 = cosh,
        tanh64 = tanh,
        exp64 = exp,
        ln64 = ln,
        sign64 = sign
    ],
    [atan2_64 = atan2, powf64 = powf, min64 = min, max64 = max],
    table64
);

library!(
    f32,
    register_singles,
    "single",
    [
        tan32 = tan,
        asin32 = asin,
        acos32 = acos,
        atan32 = atan,
        sinh32 = sinh,
        cosh32 = cosh,
        tanh32 = tanh,
        exp32 = exp,
        ln32 = ln,
        sign32 = sign
    ],
    [atan2_32 = atan2, powf32 = powf, min32 = min, max32 = max],
    table32
);

/// Makes the functions known to a module under their names.
pub(crate) fn register(builder: &mut JITBuilder) {
    register_doubles(builder);
    register_singles(builder);
}

/// The symbol of a function of two arguments, without the suffix of the scalar type.
pub(crate) fn name_of_binary(f: Func2) -> &'static str {
    match f {
        Func2::Atan2 => "atan2",
        Func2::Pow => "powf",
        Func2::Min => "min",
        Func2::Max => "max",
    }
}
