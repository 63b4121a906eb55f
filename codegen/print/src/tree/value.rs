//! Values in statements of emitted code.

use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::{SymbolKind, TableId};

/// A value as printed in a body. Names are those of the plan.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<'a> {
    /// A non-negative number.
    Number(f64),
    /// A parameter of the mechanism, by its index.
    Parameter(usize),
    /// The time, or an entry of an argument array.
    Entry(SymbolKind),
    /// An input of an equal part, by its index.
    Input(usize),
    /// A local: a value with a statement in this body, or an output of an equal part that it calls.
    Local(&'a str),
    /// A field of the model.
    Field(&'a str),
    /// A result of a block: index of the block, and name.
    OfBlock(usize, &'a str),
    /// An angle, or its sine or cosine, that the caller passes to a block.
    OfAngles(&'a str),
    /// The negation of a value.
    Opposite {
        /// The value that is negated.
        value: Box<Value<'a>>,
        /// `true` if the value may be a sum with a product. A compiler that fuses both may move the
        /// sign, which would change the sign of a zero.
        of_sum: bool,
    },
    /// The sum `a + b`.
    Sum(Box<[Value<'a>; 2]>),
    /// The difference `a − b`.
    Difference(Box<[Value<'a>; 2]>),
    /// The product `a b`.
    Product(Box<[Value<'a>; 2]>),
    /// A positive number times a value. The sign is that of the operator of the enclosing sum.
    Multiple(f64, Box<Value<'a>>),
    /// The quotient `a / b`.
    Quotient(Box<[Value<'a>; 2]>),
    /// The fused `a b + c`, with one rounding.
    MulAdd(Box<[Value<'a>; 3]>),
    /// A call of a function with its arguments.
    Call(Call, Vec<Value<'a>>),
}

/// A function of the runtime or of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// Square root.
    Sqrt,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// A function of one argument.
    Func(Func),
    /// A function of two arguments.
    Func2(Func2),
    /// Comparison of the first two of four arguments: the third if it holds, else the fourth.
    Select(Cmp),
    /// Interpolation in a lookup table.
    Table(TableId),
}
