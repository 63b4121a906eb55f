//! Free variables that parametrise the symbols of a graph, for random sampling.
//!
//! Problem: a search varies one variable at a time, but the components of a unit quaternion cannot
//!          vary alone, and parameters must stay positive.
//! Method:  one variable per symbol; three per quaternion, by the stereographic projection
//!          `((1 − S), 2a, 2b, 2c) / (1 + S)` with `S = a² + b² + c²`.

use std::collections::BTreeMap;

use super::node::SymbolKind;
use dqdt_diagnostics::base::Random;

/// Free variables for the symbols of a graph, from which random points are drawn: one per symbol,
/// three per unit quaternion.
#[derive(Clone, Debug)]
pub struct Space {
    plain_symbols: BTreeMap<SymbolKind, usize>,
    /// Coordinate indices of each quaternion, scalar part first, and the index of its first
    /// variable.
    quaternion_variables: Vec<([usize; 4], usize)>,
    /// For each variable, true if it must be positive, as parameters must.
    positive: Vec<bool>,
    /// Scale of the magnitudes of each variable, in the unit of its symbol.
    variable_scale: Vec<f64>,
}

impl Space {
    /// The variables of these symbols. `quaternions` lists coordinate indices, scalar part first;
    /// `unit` returns the scale of a symbol.
    pub fn new(
        symbols: impl IntoIterator<Item = SymbolKind>,
        quaternions: &[[usize; 4]],
        unit: impl Fn(SymbolKind) -> f64,
    ) -> Self {
        let mut space = Space {
            plain_symbols: BTreeMap::new(),
            quaternion_variables: Vec::new(),
            positive: Vec::new(),
            variable_scale: Vec::new(),
        };
        let sorted: std::collections::BTreeSet<SymbolKind> = symbols.into_iter().collect();
        for kind in sorted {
            let group = match kind {
                SymbolKind::Coordinate(i) => quaternions.iter().find(|g| g.contains(&i)),
                _ => None,
            };
            match group {
                Some(g) if space.quaternion_variables.iter().all(|known| known.0 != *g) => {
                    space.quaternion_variables.push((*g, space.positive.len()));
                    space.positive.extend([false; 3]);
                    space.variable_scale.extend([1.0; 3]);
                }
                Some(_) => {}
                None => {
                    space.plain_symbols.insert(kind, space.positive.len());
                    space.positive.push(matches!(kind, SymbolKind::Parameter(_)));
                    space.variable_scale.push(unit(kind));
                }
            }
        }
        space
    }

    /// Number of free variables of the space.
    pub fn len(&self) -> usize {
        self.positive.len()
    }

    /// True if the space has no variables.
    pub fn is_empty(&self) -> bool {
        self.positive.is_empty()
    }

    /// True if a free variable must be positive, as parameters must.
    pub fn is_positive_variable(&self, variable: usize) -> bool {
        self.positive[variable]
    }

    /// The scale of the magnitudes of a variable.
    pub fn unit(&self, variable: usize) -> f64 {
        self.variable_scale[variable]
    }

    /// Symbols with a variable of their own (all but components of quaternions), and its index.
    pub fn plain(&self) -> impl Iterator<Item = (SymbolKind, usize)> + '_ {
        self.plain_symbols.iter().map(|(kind, i)| (*kind, *i))
    }

    /// Coordinate indices of the quaternions, each with the index of its first variable.
    pub fn quaternions(&self) -> &[([usize; 4], usize)] {
        &self.quaternion_variables
    }

    /// For a coordinate in a quaternion: its component, and the first of the quaternion's three
    /// variables.
    fn quaternion_component(&self, kind: SymbolKind) -> Option<(usize, usize)> {
        let SymbolKind::Coordinate(i) = kind else { return None };
        self.quaternion_variables
            .iter()
            .find_map(|(g, first)| Some((g.iter().position(|c| *c == i)?, *first)))
    }

    /// The range of variables that a symbol depends on: one, three for a component of a quaternion,
    /// or none.
    pub fn variable_range(&self, kind: SymbolKind) -> std::ops::Range<usize> {
        if let Some(i) = self.plain_symbols.get(&kind) {
            return *i..*i + 1;
        }
        self.quaternion_component(kind).map_or(0..0, |(_, first)| first..first + 3)
    }

    /// The value of a symbol at the point `x`; zero if it is not in this space.
    pub fn symbol_value(&self, kind: SymbolKind, x: &[f64]) -> f64 {
        if let Some(i) = self.plain_symbols.get(&kind) {
            return x[*i];
        }
        let Some((component, first)) = self.quaternion_component(kind) else { return 0.0 };
        let abc = &x[first..first + 3];
        let s: f64 = abc.iter().map(|x| x * x).sum();
        if component == 0 { (1.0 - s) / (1.0 + s) } else { 2.0 * abc[component - 1] / (1.0 + s) }
    }

    /// A random point of the space. Without `decades`, magnitudes are up to two scales; else they
    /// are multiplied by a random power of ten with an exponent in that range.
    pub fn draw_point(&self, random: &mut Random, decades: Option<(f64, f64)>) -> Vec<f64> {
        (0..self.len()).map(|i| self.draw_variable(i, random, decades)).collect()
    }

    /// A random value of one variable, a fraction with a small denominator times its scale.
    fn draw_variable(&self, i: usize, random: &mut Random, decades: Option<(f64, f64)>) -> f64 {
        // Fractions with a small denominator are easier to read than arbitrary doubles.
        let n = random.next_below(388) as f64 - 194.0;
        let size = if n == 0.0 { 1.0 } else { n } / 97.0;
        // A turn by more than 180° is also a turn by less in the other sense.
        let most = if self.is_quaternion_variable(i) { 0.0 } else { f64::INFINITY };
        let scale = match decades {
            Some((low, high)) => {
                10f64.powi(random.next_between(low.min(most), high.min(most) + 1.0).floor() as i32)
            }
            None => 1.0,
        };
        let x = self.variable_scale[i] * size * scale;
        if self.positive[i] { x.abs() } else { x }
    }

    /// True for one of the three variables of a quaternion.
    fn is_quaternion_variable(&self, variable: usize) -> bool {
        self.quaternion_variables.iter().any(|(_, first)| (*first..first + 3).contains(&variable))
    }
}
