//! Values of statements.

use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::{SymbolKind, TableId};

/// A value as it is written. Names are those of the plan.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<'a> {
    /// A number, not negative.
    Number(f64),
    /// A parameter, by its place.
    Parameter(usize),
    /// The time, or an entry of an argument.
    Entry(SymbolKind),
    /// An input of equal parts, by its place.
    Input(usize),
    /// A value with a statement in this body, or an output of equal parts that it calls.
    Local(&'a str),
    /// A value that the model holds.
    Field(&'a str),
    /// A result of a block, by the place of the block.
    OfBlock(usize, &'a str),
    /// An angle, or its sine or cosine, that the caller of a block hands to it.
    OfAngles(&'a str),
    /// A value with the other sign.
    Opposite {
        /// The value.
        value: Box<Value<'a>>,
        /// True if it may be a sum with a product, in which a compiler that fuses both may move the
        /// sign: a zero would get another sign.
        of_sum: bool,
    },
    /// `a + b`
    Sum(Box<[Value<'a>; 2]>),
    /// `a − b`
    Difference(Box<[Value<'a>; 2]>),
    /// `a b`
    Product(Box<[Value<'a>; 2]>),
    /// A positive number times a value, whose sign is in the operator of the sum that it is in.
    Multiple(f64, Box<Value<'a>>),
    /// `a / b`
    Quotient(Box<[Value<'a>; 2]>),
    /// `a b + c` in one rounding.
    MulAdd(Box<[Value<'a>; 3]>),
    /// A function of its arguments.
    Call(Call, Vec<Value<'a>>),
}

/// A function that a runtime or a library has.
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
    /// Of four arguments: the third if the first compares with the second, else the fourth.
    Select(Cmp),
    /// A table at its argument.
    Table(TableId),
}
