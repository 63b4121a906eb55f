//! What is chosen about C, and what comes of it.

/// The numbers that emitted C computes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CScalar {
    /// `double`
    #[default]
    Double,
    /// `float`
    Float,
}

/// What may be chosen about emitted C.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct COptions {
    /// The numbers.
    pub scalar: CScalar,
    /// A product and a sum are one fused operation where the target has it, as in Rust with the same option.
    pub fused: bool,
    /// The source has entry points for CasADi too, of `double` alone; they are compiled with `-DDQDT_CASADI`.
    pub casadi: bool,
    /// Steps of fixed length with their derivatives, and differences of states.
    pub steps: bool,
    /// Comments and texts are in ASCII.
    pub ascii: bool,
}

/// Two files that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct CFiles {
    /// The name of both without their endings, `.h` and `.c`: that of the mechanism.
    pub name: String,
    /// What users include.
    pub header: String,
    /// What they compile.
    pub source: String,
    /// Numbers that `float` does not hold: infinite or zero in the files.
    pub beyond: Vec<f64>,
}
