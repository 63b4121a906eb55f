//! The code of one body as a tree of statements and values, which every target prints.
//!
//! Problem: each target would otherwise derive sums, signs, constants and lanes from the plan
//!          again.
//! Method:  the tree decides the structure: whether a value is a name, a field of the model or an
//!          expression, which term comes first, which sign is an operator, which products are
//!          fused. A target decides the spelling. A body yields its statements one by one, since
//!          the tree of a long one is large.

mod body;
mod function;
mod sums;
mod text;
mod value;

pub use body::{BodyLine, BodyTree, SinCos, Statement};
pub use function::{FEW_VALUES, FunctionParts, ResultPart, block_sections_text, is_sparse};
pub use text::{Spelling, value_text};
pub use value::{Call, Value};
