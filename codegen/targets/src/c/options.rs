//! Options and output of the C target.

/// The scalar type of emitted C.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CScalar {
    /// Double precision: `double`.
    #[default]
    Double,
    /// Single precision: `float`.
    Float,
}

/// Language in which the printer spells names and declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// A header and a source file in C99.
    C99,
    /// A header in CUDA C++, which is also C++14 without CUDA.
    Cuda,
}

/// Options for emitted C.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct COptions {
    /// The scalar type of emitted C.
    pub scalar: CScalar,
    /// Use fused multiply-add where the target has it, as in Rust with the same option.
    pub fused: bool,
    /// Add entry points for CasADi, for `double` only. They are compiled with `-DDQDT_CASADI`.
    pub casadi: bool,
    /// Add functions for fixed-step integration with derivatives, and for differences of states.
    pub steps: bool,
    /// Write comments and strings of the C files in ASCII.
    pub ascii: bool,
}

/// The header and the source file that the C target emits.
#[derive(Clone, PartialEq, Debug)]
pub struct CFiles {
    /// File name of both without their extensions `.h` and `.c`: the name of the mechanism.
    pub name: String,
    /// Text of the header, which users include.
    pub header: String,
    /// Text of the source, which users compile.
    pub source: String,
    /// Numbers that overflow or underflow in `float`: they are infinite or zero in the files.
    pub beyond: Vec<f64>,
}
