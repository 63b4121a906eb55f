//! The code of one body as a tree of statements and values, which every target prints.
//!
//! Problem: each target wrote sums, signs, constants and lanes anew from the plan.
//! Method:  the tree decides what is written where: a name, a field of the model, an expression;
//! which term stands in front, which sign is an operator, which products are fused. A target
//! decides how. A body yields its statements one by one, since the tree of a long one is large.

mod body;
mod function;
mod sums;
mod text;
mod value;

pub use body::{Body, Line, SinCos, Statement};
pub use function::{FEW_VALUES, FunctionParts, ResultPart, is_sparse, sections};
pub use text::{Spelling, text};
pub use value::{Call, Value};
