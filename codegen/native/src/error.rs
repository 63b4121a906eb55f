//! Errors of compilation in process.

/// Reason why a function cannot be compiled in process.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NativeError {
    /// The processor is not one that the compiler supports.
    #[error("machine code cannot be made for this processor: {0}; use the interpreter")]
    Processor(String),
    /// The compiler failed.
    #[error("internal error: compiling to machine code failed: {0}")]
    Compiler(#[from] Box<cranelift_module::ModuleError>),
    /// The function has more values than an offset can address, or than the stack has room for.
    #[error("the function is too large for machine code in process; use the interpreter")]
    TooLarge,
    /// An invariant of the tape is broken.
    #[error("internal error: {0}")]
    Internal(&'static str),
}

impl From<cranelift_module::ModuleError> for NativeError {
    fn from(error: cranelift_module::ModuleError) -> Self {
        NativeError::Compiler(Box::new(error))
    }
}
