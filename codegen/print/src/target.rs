//! Targets: a language of emitted text with its options and its printer.
//!
//! To add one: a folder of the crate `targets` whose `mod.rs` has a `TARGET`, and a line in
//! `targets!` of its `lib.rs`. A printer makes a [`Plan`](dqdt_graph::plan::Plan) of the
//! [`Program`] (`new`: without equal parts), names its values (`name`, with the words that the
//! language reserves and the names of symbols from `code/leaves.rs`), and prints each body as a
//! tree ([`crate::tree`]): the model by `Body::of_setup` and `Plan::hoisted`; a function in the
//! order of [`FunctionParts`](crate::tree::FunctionParts), its angles before the blocks that it
//! calls. What a body reads is known when it has been printed. The shortest example is
//! `tests/added_kinds/targets/src/python`; it leaves out divisors, overflow, limits and checks of
//! parameters, which `targets/src/c/functions.rs` and `c/data.rs` have.
//!
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

/// A language of emitted text.
#[derive(Debug)]
pub struct Target {
    /// The word of options: `rust`.
    pub name: &'static str,
    /// As people write it: `Rust`.
    #[doc(hidden)]
    pub title: &'static str,
    /// Its files in words: `a module`.
    #[doc(hidden)]
    pub files: &'static str,
    /// Endings of its files, in the order in which `print` gives them.
    #[doc(hidden)]
    pub endings: &'static [&'static str],
    /// True if its files are named after the mechanism, since they name each other.
    #[doc(hidden)]
    pub names_files: bool,
    /// The options that it takes.
    #[doc(hidden)]
    pub options: &'static [TargetOption],
    /// The option and its word for single precision.
    #[doc(hidden)]
    pub singles: Option<(&'static str, &'static str)>,
    /// Prints a program.
    #[doc(hidden)]
    pub print: fn(&Program, &Options) -> Result<Printed, TargetError>,
}

/// An option of a target. Targets may share one: then it is declared once and named by each.
#[doc(hidden)]
#[derive(Debug)]
pub struct TargetOption {
    /// Its name: `scalar`.
    pub name: &'static str,
    /// Its words, of which the first is the default; none of a flag.
    pub words: &'static [&'static str],
    /// What it does, in a line.
    pub about: &'static str,
}

/// The numbers that emitted code computes in.
#[doc(hidden)]
pub const SCALAR: TargetOption = TargetOption {
    name: "scalar",
    words: &["double", "float"],
    about: "The numbers to compute in. `float` takes a form that is accurate in single precision; functions of Rust are generic, \
            and this names the scalar that they are compiled for in the crate of the module",
};

/// A product and a sum in one operation.
#[doc(hidden)]
pub const FUSED: TargetOption = TargetOption {
    name: "fused",
    words: &[],
    about: "A product and a sum are one operation where the target has fused multiply-add, which is quicker; elsewhere two, with the \
            same bits. The default of Rust, whose sums stay readable",
};

/// Every operation rounded.
#[doc(hidden)]
pub const UNFUSED: TargetOption = TargetOption {
    name: "unfused",
    words: &[],
    about: "Every product and every sum is rounded: the same bits on all targets. The default of C",
};

/// The options of a target that are given.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options(Vec<(&'static str, &'static str)>);

impl Options {
    /// Checks options, each with its word; of a flag the word is `true`.
    ///
    /// # Errors
    /// The first option that the target does not take, or that has no such word.
    pub fn new<'a>(
        target: &Target,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, TargetError> {
        let mut out = Options::default();
        for (name, word) in given {
            let refused = |message: String| TargetError::Option { name: name.to_owned(), message };
            let Some(option) = target.options.iter().find(|o| o.name == name) else {
                let all: Vec<&str> = target.options.iter().map(|o| o.name).collect();
                return Err(refused(match &all[..] {
                    [] => format!("{} takes no options", target.title),
                    all => format!("{} takes only {}", target.title, all.join(", ")),
                }));
            };
            let words = if option.words.is_empty() { &["true"] } else { option.words };
            let Some(word) = words.iter().find(|w| **w == word) else {
                return Err(refused(format!("`{word}` is none of {}", words.join(", "))));
            };
            out.0.push((option.name, word));
        }
        if out.has(&FUSED) && out.has(&UNFUSED) {
            let message = format!("is the opposite of `{}`: leave one out", FUSED.name);
            return Err(TargetError::Option { name: UNFUSED.name.to_owned(), message });
        }
        Ok(out)
    }

    /// True if a flag is given.
    pub fn has(&self, flag: &TargetOption) -> bool {
        self.0.iter().any(|(name, _)| *name == flag.name)
    }

    /// The word of an option: the one given last, else the default; of a flag `true` or `false`.
    pub fn word(&self, option: &TargetOption) -> &'static str {
        let given = self.0.iter().rev().find(|(name, _)| *name == option.name).map(|(_, word)| *word);
        given.or_else(|| option.words.first().copied()).unwrap_or("false")
    }
}

/// What a target prints.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The name of its files without their endings, where they name each other.
    pub name: Option<String>,
    /// The texts, one for each ending.
    pub texts: Vec<String>,
}

/// Why a target prints nothing.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum TargetError {
    /// An option that makes no sense here.
    Option {
        /// Its name.
        name: String,
        /// Why.
        message: String,
    },
    /// The program or the printer is broken.
    Internal(Errors),
}

impl<E: Into<Errors>> From<E> for TargetError {
    fn from(error: E) -> Self {
        TargetError::Internal(error.into())
    }
}
