//! Targets: a language of emitted text with its options and its printer.
//!
//! To add one, create a folder of the crate `targets` whose `mod.rs` has a `TARGET`, and add a line
//! to `targets!` in its `lib.rs`. A printer makes a [`Plan`](dqdt_graph::plan::Plan) of the
//! [`Program`] (`new`: without equal parts), names its values (`name`, with the words that the
//! language reserves and the names of symbols from `code/leaves.rs`), and prints each body as a
//! tree ([`crate::tree`]). It prints the model with `BodyTree::of_setup` and `Plan::hoisted`, and
//! each function in the order of [`FunctionParts`](crate::tree::FunctionParts), with its angles
//! before the blocks that it calls. The arguments that a body reads are known after it has been
//! printed.
//! The shortest example is `tests/added_kinds/targets/src/python`; it omits divisors, overflow,
//! limits and checks of parameters, for which see `targets/src/c/functions.rs` and `c/data.rs`.
//! Arguments are the model, `t`, then `declaration.arguments`; for each of them
//! `argument.vector.slots(&program.layout)` gives the symbols of its entries in their order. A
//! comment is `declaration.summary`, or `summary_of_result` in a language whose functions return
//! their results.
//! Functions have the values of `Func::eval` and `Func2::eval`: NaN passes, and nothing raises
//! where an argument is outside a domain or a value overflows (roots, logarithms, `exp`, …). A
//! table keeps its first value below the first knot and its last one above the last; the arrays of
//! `code/tables.rs` are made for that. In a language where a division by zero raises,
//! [`Spelling::quotient`](crate::tree::Spelling::quotient) guards it. A build script reaches a
//! target by a `pub use` in `targets/src/lib.rs` and in `codegen/src/languages.rs`, under the
//! feature `c`, which brings all of `targets`.

use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::Program;

/// Target language of emitted text, with its options and its printer.
#[derive(Debug)]
pub struct Target {
    /// Name of the language in options: `rust`.
    pub name: &'static str,
    /// Name of the language in prose: `Rust`.
    #[doc(hidden)]
    pub title: &'static str,
    /// Noun for the emitted files, for messages: `a module`.
    #[doc(hidden)]
    pub files: &'static str,
    /// Extensions of the emitted files, in the order of the texts that `print` returns.
    #[doc(hidden)]
    pub endings: &'static [&'static str],
    /// True if the files are named after the mechanism, because they refer to each other.
    #[doc(hidden)]
    pub names_files: bool,
    /// Options that the target language accepts.
    #[doc(hidden)]
    pub options: &'static [TargetOption],
    /// Option and its value that choose single precision; `None` if the language has no such
    /// option.
    #[doc(hidden)]
    pub singles: Option<(&'static str, &'static str)>,
    /// Prints a program in the language of the target.
    #[doc(hidden)]
    pub print: fn(&Program, &TargetOptions) -> Result<Printed, TargetError>,
}

/// Option of a target language. An option of several languages is declared once and listed by each.
#[doc(hidden)]
#[derive(Debug)]
pub struct TargetOption {
    /// Name of the option: `scalar`.
    pub name: &'static str,
    /// Allowed values of the option, the first of which is the default; empty for a flag.
    pub words: &'static [&'static str],
    /// Help text of the option, in one line.
    pub about: &'static str,
}

/// Option of a target for the scalar type of emitted code, `double` or `float`.
#[doc(hidden)]
pub const SCALAR: TargetOption = TargetOption {
    name: "scalar",
    words: &["double", "float"],
    about: "Scalar type used in the computation. `float` selects a form of the equations that stays \
            accurate in single precision. The emitted Rust functions are generic; this option sets the \
            scalar type for which the crate of the module compiles them.",
};

/// Flag of a target: emit fused multiply-add.
#[doc(hidden)]
pub const FUSED: TargetOption = TargetOption {
    name: "fused",
    words: &[],
    about: "Combine a product and a sum into one operation where the target has fused multiply-add, which is \
            faster; elsewhere they remain two operations, with the same bits. Default for Rust, where sums \
            remain readable",
};

/// Flag of a target: round every operation, without fused multiply-add.
#[doc(hidden)]
pub const UNFUSED: TargetOption = TargetOption {
    name: "unfused",
    words: &[],
    about: "Round every product and every sum, which gives the same bits on all targets. Default for C and CUDA",
};

/// Options of a target language that the user has set.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TargetOptions(Vec<(&'static str, &'static str)>);

impl TargetOptions {
    /// Validates options for a target, each a name and a value; the value of a flag is `true`.
    ///
    /// # Errors
    /// The first option that the target does not have, or whose value is not allowed.
    pub fn new<'a>(
        target: &Target,
        options: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, TargetError> {
        let mut out = TargetOptions::default();
        for (name, word) in options {
            let refused = |message: String| TargetError::Option { name: name.to_owned(), message };
            let Some(option) = target.options.iter().find(|o| o.name == name) else {
                let all: Vec<&str> = target.options.iter().map(|o| o.name).collect();
                return Err(refused(match &all[..] {
                    [] => format!("{} accepts no options", target.title),
                    all => format!("{} accepts only {}", target.title, all.join(", ")),
                }));
            };
            let words = if option.words.is_empty() { &["true"] } else { option.words };
            let Some(word) = words.iter().find(|w| **w == word) else {
                return Err(refused(format!(
                    "`{word}` is not an accepted value; use one of {}",
                    words.join(", ")
                )));
            };
            out.0.push((option.name, word));
        }
        if out.has_flag(&FUSED) && out.has_flag(&UNFUSED) {
            let message = format!("this option contradicts `{}`: omit one of the two", FUSED.name);
            return Err(TargetError::Option { name: UNFUSED.name.to_owned(), message });
        }
        Ok(out)
    }

    /// Returns `true` if a flag of the target is set.
    pub fn has_flag(&self, flag: &TargetOption) -> bool {
        self.0.iter().any(|(name, _)| *name == flag.name)
    }

    /// Value of an option of the target: the last one set, or else the default. `true` or `false`
    /// for a flag.
    pub fn option_value(&self, option: &TargetOption) -> &'static str {
        let value = self.0.iter().rev().find(|(name, _)| *name == option.name).map(|(_, word)| *word);
        value.or_else(|| option.words.first().copied()).unwrap_or("false")
    }
}

/// Text that a target language has printed, ready to be stored in files.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// Name of the files without extension, if they refer to each other; otherwise `None`.
    pub name: Option<String>,
    /// The texts of the files, one for each extension.
    pub texts: Vec<String>,
}

/// Reason why a target language prints nothing.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum TargetError {
    /// An invalid option, or an invalid value of an option.
    Option {
        /// Name of the invalid option.
        name: String,
        /// Reason why the option is invalid.
        message: String,
    },
    /// An internal error: an invariant of the program or of the printer is broken.
    Internal(Errors),
}

impl<E: Into<Errors>> From<E> for TargetError {
    fn from(error: E) -> Self {
        TargetError::Internal(error.into())
    }
}
