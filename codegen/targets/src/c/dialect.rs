//! Differences between the languages of this printer: C99, and CUDA C++ in one header.
//!
//! In C all names begin with that of the mechanism, and the scalar type is fixed. In CUDA names are
//! in a namespace with that name, and everything is a template of the scalar type `Real`.

use super::names::{CNames, snake_case};
use super::options::{CScalar, Dialect};
use dqdt_graph::ir::declaration::Vector;

impl CNames {
    /// The scalar type of emitted code: `double` or `float`, `Real` in CUDA.
    pub fn scalar_type(&self) -> &'static str {
        match (self.dialect, self.scalar) {
            (Dialect::Cuda, _) => "Real",
            (Dialect::C99, CScalar::Double) => "double",
            (Dialect::C99, CScalar::Float) => "float",
        }
    }

    /// Suffix of library functions for the scalar type: none, or `f`. C++ overloads them.
    pub fn scalar_suffix(&self) -> &'static str {
        match (self.dialect, self.scalar) {
            (Dialect::C99, CScalar::Float) => "f",
            _ => "",
        }
    }

    /// Literal of a number with all significant digits. Records a number that overflows or
    /// underflows in `float`.
    pub fn number_literal(&self, x: f64) -> String {
        let is_float = self.scalar == CScalar::Float || self.dialect == Dialect::Cuda;
        self.record_unrepresentable(x, is_float);
        let single = self.dialect == Dialect::C99 && is_float;
        let text = match single {
            _ if x.is_nan() => "NAN".to_owned(),
            true if (x as f32).is_infinite() => signed_text("INFINITY", x),
            _ if x.is_infinite() => signed_text("INFINITY", x),
            true => format!("{:?}f", x as f32),
            false => format!("{x:?}"),
        };
        match self.dialect {
            Dialect::C99 => text,
            Dialect::Cuda => format!("Real({text})"),
        }
    }

    /// Expression of a named numeric constant.
    pub fn named_constant(&self, name: &str) -> String {
        match self.dialect {
            Dialect::C99 => name.to_owned(),
            Dialect::Cuda => format!("Real({name})"),
        }
    }

    /// The type of a struct that belongs to the mechanism, named in snake case: `model`, `params`,
    /// or the result of a function.
    pub fn public_struct(&self, name: &str) -> String {
        match self.dialect {
            Dialect::C99 => format!("struct {}_{name}", self.prefix),
            Dialect::Cuda => format!("{}<Real>", camel_case(name)),
        }
    }

    /// Definition of a struct with these lines of members.
    pub fn struct_definition(&self, of_type: &str, members: &str) -> String {
        match self.dialect {
            Dialect::C99 => format!("{of_type} {{\n{members}}};\n"),
            Dialect::Cuda => {
                let name = of_type.trim_end_matches("<Real>");
                format!("template <class Real>\nstruct {name} {{\n{members}}};\n")
            }
        }
    }

    /// The type of the struct for the results of a function, whose name is in camel case.
    pub fn result_struct_name(&self, name: &str) -> String {
        self.public_struct(&snake_case(name))
    }

    /// The name of a function that belongs to the mechanism: `cart_pole_dqdt`, `dqdt` in CUDA.
    pub fn public_function(&self, name: &str) -> String {
        match self.dialect {
            Dialect::C99 => format!("{}_{name}", self.prefix),
            Dialect::Cuda => name.to_owned(),
        }
    }

    /// Start of the head of a public function: its return type with what precedes it.
    pub fn public_head(&self, returns: &str) -> String {
        match self.dialect {
            Dialect::C99 => returns.to_owned(),
            Dialect::Cuda => format!("template <class Real>\nDQDT_FUNCTION {returns}"),
        }
    }

    /// Description of the list of a function's divisors, for comments.
    pub fn divisor_list(&self, function: &str) -> String {
        match self.dialect {
            Dialect::C99 => format!("{}_{function}_pivots", self.prefix),
            Dialect::Cuda => "the list of emitted C or Rust".to_owned(),
        }
    }

    /// Expression of an array of a lookup table.
    pub fn table_expression(&self, name: &str) -> String {
        match self.dialect {
            Dialect::C99 => name.to_owned(),
            Dialect::Cuda => format!("{name}()"),
        }
    }

    /// Start of the names of constants and macros: `CART_POLE_`; empty in CUDA.
    pub fn constant_prefix(&self) -> String {
        match self.dialect {
            Dialect::C99 => format!("{}_", self.upper),
            Dialect::Cuda => String::new(),
        }
    }

    /// Name of the constant for the length of a vector, such as `CART_POLE_NX`.
    pub fn length_constant(&self, vector: Vector) -> String {
        let n = match vector {
            Vector::State | Vector::Costates => "NX",
            Vector::Coordinates => "NQ",
            Vector::Speeds | Vector::Accelerations | Vector::Efforts => "NV",
            Vector::IndependentAccelerations => "NI",
            Vector::DrivenAccelerations => "NDRIVEN",
            Vector::Inputs | Vector::Impulses => "NU",
            Vector::Contacts => "NCON",
        };
        format!("{}{n}", self.constant_prefix())
    }
}

/// Converts a name in snake case to camel case.
pub fn camel_case(name: &str) -> String {
    let mut out = String::new();
    for part in name.split('_') {
        let mut letters = part.chars();
        out.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

fn signed_text(text: &str, x: f64) -> String {
    if x < 0.0 { format!("-{text}") } else { text.to_owned() }
}
