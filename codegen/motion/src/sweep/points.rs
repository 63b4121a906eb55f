//! Points of a sweep: values of parameters, of the start and of inputs, by name.

use super::fingerprint::hash_of;
use crate::simulate::{RunnableProgram, Values};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions;
use dqdt_graph::ir::Slot;
use dqdt_spec::spec::did_you_mean;

/// Vector of a value that a point sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PointVector {
    Parameters,
    Coordinates,
    Speeds,
    States,
    Inputs,
}

/// A quantity that points set: a parameter, a start value or an input.
#[derive(Clone, PartialEq, Debug)]
pub struct PointColumn {
    name: String,
    vector: PointVector,
}

/// Reason why points cannot set a quantity.
#[derive(Clone, PartialEq, Debug)]
pub struct ColumnFault {
    /// The problem.
    pub message: String,
    /// The remedy.
    pub help: String,
}

impl PointColumn {
    /// Finds the quantity of this name.
    ///
    /// # Errors
    /// If there is none, or if something else determines it.
    pub fn find(loaded: &Assembled, program: &RunnableProgram, name: &str) -> Result<Self, ColumnFault> {
        let l = &program.layout;
        let vectors: [(PointVector, &[Slot]); 5] = [
            (PointVector::Parameters, &l.p),
            (PointVector::Coordinates, &l.q),
            (PointVector::Speeds, &l.v),
            (PointVector::States, &l.z),
            (PointVector::Inputs, &l.u),
        ];
        let m = &loaded.mechanism;
        let Some((vector, _)) = vectors.iter().find(|(_, slots)| slots.iter().any(|s| s.name == name)) else {
            if m.parameters.iter().any(|p| p.name == name) {
                return Err(ColumnFault {
                    message: format!("points cannot set parameter `{name}`: it is constant, or computed from others"),
                    help: "set the parameters from which it is computed, or remove `constant = true` from the spec"
                        .to_owned(),
                });
            }
            let known: Vec<&str> =
                vectors.iter().flat_map(|(_, slots)| slots.iter().map(|s| &*s.name)).collect();
            return Err(ColumnFault {
                message: format!("no parameter, coordinate, speed, state or input is named `{name}`"),
                help: match did_you_mean(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there are: {}", known.join(", ")),
                },
            });
        };
        if *vector == PointVector::Inputs {
            if m.inputs.iter().any(|u| u.name == name && u.law.is_some()) {
                return Err(ColumnFault {
                    message: format!("points cannot set input `{name}`: it has a law along the motion"),
                    help: format!("omit the law of `{name}`, or its column"),
                });
            }
            if program.outputs(functions::PROGRAM_INPUTS).iter().any(|o| o.name == name) {
                return Err(ColumnFault {
                    message: format!("points cannot set input `{name}`: a constraint determines it"),
                    help: "omit the column".to_owned(),
                });
            }
        }
        Ok(PointColumn { name: name.to_owned(), vector: *vector })
    }

    /// Problem of an override `name=text` of a parameter beside these columns: it has no effect, or
    /// a formula of a column would keep the value of the spec.
    pub fn override_fault(columns: &[PointColumn], name: &str, text: &str) -> Option<String> {
        match columns.iter().any(|c| c.name == name) {
            true => Some(format!("`{name}` is also a column of the points: remove one of the two")),
            false => PointColumn::formula_fault(columns, name, text),
        }
    }

    /// Problem of a parameter that is computed once by the formula `text`, if that names a column.
    pub fn formula_fault(columns: &[PointColumn], name: &str, text: &str) -> Option<String> {
        let mut words = text.split_whitespace();
        let is_quantity = words.next().is_some_and(|word| word.parse::<f64>().is_ok())
            && words.next().is_none_or(|unit| unit.starts_with(char::is_alphabetic));
        let other = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .find(|word| !is_quantity && columns.iter().any(|c| c.name == *word))?;
        Some(format!(
            "the formula of `{name}` names `{other}`, a column of the points, but is computed only once: write it \
             in the spec, or add a column `{name}`"
        ))
    }

    /// Name of the quantity.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Points of a sweep: one row of numbers per point, in SI units.
#[derive(Clone, PartialEq, Debug)]
pub struct Points {
    columns: Vec<PointColumn>,
    /// Values by row.
    values: Vec<f64>,
}

impl Points {
    /// The quantities that points set.
    pub fn columns(&self) -> &[PointColumn] {
        &self.columns
    }

    /// Points from their values by row, one for each column.
    pub fn new(columns: Vec<PointColumn>, values: Vec<f64>) -> Self {
        Points { columns, values }
    }

    /// Number of points.
    pub fn count(&self) -> usize {
        self.values.len().checked_div(self.columns.len()).unwrap_or(0)
    }

    /// Overrides of a start by the point of this index.
    pub(super) fn overrides(&self, index: usize) -> Values {
        let n = self.columns.len();
        let row = self.values.get(index * n..(index + 1) * n).unwrap_or_default();
        let mut values = Values::default();
        for (column, x) in self.columns.iter().zip(row) {
            let entries = match column.vector {
                PointVector::Parameters => &mut values.p,
                PointVector::Coordinates => &mut values.q,
                PointVector::Speeds => &mut values.v,
                PointVector::States => &mut values.z,
                PointVector::Inputs => &mut values.u,
            };
            entries.push((column.name.clone(), *x));
        }
        values
    }

    /// Hash of names and values.
    pub(super) fn hash(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|c| &*c.name).collect();
        let numbers = self.values.iter().flat_map(|x| x.to_bits().to_le_bytes());
        hash_of([names.join(",").into_bytes(), numbers.collect()])
    }
}
