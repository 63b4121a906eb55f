//! Values in statements of emitted code.

use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::{SymbolKind, TableId};

/// Operand or expression in a statement of an emitted body, for all target languages. Names are
/// those of the plan.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<'a> {
    /// A non-negative number.
    Number(f64),
    /// A parameter of the mechanism, by its index.
    Parameter(usize),
    /// The time, or an entry of an argument array such as the state.
    Entry(SymbolKind),
    /// Input of an equal part within its body, by its index.
    Input(usize),
    /// Local variable: a value with a statement in this body, or an output of an equal part that it
    /// calls.
    Local(&'a str),
    /// Field of the emitted struct `Model`, by its name.
    Field(&'a str),
    /// Result of a block that the body calls or gets as an argument: index of the block, and name.
    OfBlock(usize, &'a str),
    /// Angle, or its sine or cosine, that the caller passes to a block.
    OfAngles(&'a str),
    /// The negation of a value.
    Opposite {
        /// Value that is negated.
        value: Box<Value<'a>>,
        /// True if the value may be a sum with a product. A compiler that fuses both may move the
        /// sign, which would change the sign of a zero.
        of_sum: bool,
    },
    /// The sum `a + b`.
    Sum(Box<[Value<'a>; 2]>),
    /// The difference `a − b`.
    Difference(Box<[Value<'a>; 2]>),
    /// The product `a b`.
    Product(Box<[Value<'a>; 2]>),
    /// A positive number times a value, as a term of a sum. Its sign is that of the operator of the
    /// sum.
    Multiple(f64, Box<Value<'a>>),
    /// The quotient `a / b`.
    Quotient(Box<[Value<'a>; 2]>),
    /// The fused `a b + c`, with one rounding.
    MulAdd(Box<[Value<'a>; 3]>),
    /// A call of a function with its arguments.
    Call(Call, Vec<Value<'a>>),
}

/// Function that an emitted expression calls, of the runtime or of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// Square root.
    Sqrt,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Another function of one argument, such as `tan`.
    Func(Func),
    /// Another function of two arguments, such as `atan2`.
    Func2(Func2),
    /// Comparison of the first two of four arguments: the third if it holds, else the fourth.
    Select(Cmp),
    /// Interpolation in a lookup table.
    Table(TableId),
}
