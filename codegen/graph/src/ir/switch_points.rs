//! Search for sample points on both sides of every switch of a graph, in `f64`.
//!
//! Problem: for each switch argument, points where it is negative and where it is positive, close
//!          to the zero and away from it, at which the switch affects an output.
//! Method:  from random points, each variable in turn runs over magnitudes of `±{1, 2, 5}·10ᵏ`
//!          units, then the search follows lines to other random points. A sign change is bisected.
//!          Without one, a golden-section search minimises the magnitude between neighbours. Both
//!          ends of a bracket are starts for further switches, so that a switch within a branch is
//!          met where the branch is taken. Finally some random combinations of sides are added.
//! Cost:    bounded by a number of operations, the same on every machine.
//! Not handled: a sign change in a region that none of these lines meets.

use super::eval::Tape;
use super::graph::Graph;
use super::node::NodeId;
use super::space::Space;
use super::switches::{Snapshot, Switch};
use dqdt_diagnostics::base::Random;

/// Budget of one search for sample points, in operations of the interpreter.
const WORK: usize = 40_000_000;
/// Number of crossings per switch to find where the switch affects an output.
const CROSSINGS: usize = 2;
/// Maximum number of starting points tried per switch.
const STARTS: usize = 16;
/// Number of initial random points of the search.
const FIRST: u64 = 8;
/// Maximum number of rounds over all starting points.
const ROUNDS: usize = 4;
/// Number of random combinations of sides of several switches added at the end.
const COMBINATIONS: usize = 16;
/// Number of random points of all magnitudes added at the end of the search.
const MAGNITUDES: usize = 16;
/// Relative width of a bracket at which bisection ends.
const NARROW: f64 = 1.0 / (1u64 << 44) as f64;

/// A sample point for comparisons of values, with an interval of one variable around the zero of a
/// switch if it was bisected.
#[derive(Clone, PartialEq, Debug)]
pub struct SwitchPoint {
    /// Values of the free variables of the [`Space`] at the point.
    pub x: Vec<f64>,
    /// The variable and its bounds, between which a comparison's argument has a zero.
    pub at_zero: Option<(usize, f64, f64)>,
}

/// A search for sample points on both sides of switches, at which two programs are compared.
pub struct SwitchSearch<'a> {
    graph: &'a Graph,
    outputs: &'a [NodeId],
    switches: &'a [Switch],
    space: &'a Space,
    arguments: Vec<Tape>,
    variables: Vec<Vec<usize>>,
    largest_power: i32,
    work: usize,
    scratch: Vec<f64>,
    random: Random,
}

/// Points on both sides of a sign change of a switch's argument on a line: before and after
/// bisection.
struct Bracket {
    coarse: [Vec<f64>; 2],
    fine: [Vec<f64>; 2],
    /// The variable that differs between the points, if only one was varied.
    along: Option<usize>,
}

/// Variables that the argument of a switch depends on: coordinates and speeds before parameters.
fn switch_variables(s: &Switch, space: &Space) -> Vec<usize> {
    let mut all: Vec<usize> = s.symbols.iter().flat_map(|kind| space.variable_range(*kind)).collect();
    all.sort_by_key(|i| (space.is_positive_variable(*i), *i));
    all.dedup();
    all
}

/// True if, of three neighbouring places on a line, the middle one has the smallest magnitude.
fn is_minimum_between(w: &[(f64, f64)]) -> bool {
    w[1].1.abs() < w[0].1.abs() && w[1].1.abs() < w[2].1.abs()
}

/// True if two points differ by less than the relative tolerance of bisection.
fn is_narrow(low: &[f64], high: &[f64]) -> bool {
    low.iter().zip(high).all(|(a, b)| (a - b).abs() <= NARROW * a.abs().max(b.abs()))
}

impl<'a> SwitchSearch<'a> {
    /// A search with random starting points over magnitudes up to `10^largest_power` units.
    pub fn new(
        graph: &'a Graph,
        outputs: &'a [NodeId],
        switches: &'a [Switch],
        space: &'a Space,
        largest_power: i32,
    ) -> Self {
        SwitchSearch {
            graph,
            outputs,
            switches,
            space,
            arguments: switches.iter().map(|s| Tape::new(graph, &[s.argument])).collect(),
            variables: switches.iter().map(|s| switch_variables(s, space)).collect(),
            largest_power,
            work: WORK,
            scratch: Vec::new(),
            random: Random::new(7),
        }
    }

    /// Runs the search. `starts` are tried before random points; sides that are not found are
    /// missing.
    pub fn find_points(mut self, starts: Vec<Vec<f64>>) -> Vec<SwitchPoint> {
        let mut points: Vec<SwitchPoint> = Vec::new();
        let mut pool = starts;
        for k in 0..FIRST {
            let decades = match k {
                0..=2 => None,
                3 => Some((-1.0, -1.0)),
                4 => Some((-2.0, -2.0)),
                _ => Some((-3.0, f64::from(self.largest_power.min(6)))),
            };
            pool.push(self.space.draw_point(&mut self.random, decades));
        }
        self.cross_all_switches(&mut pool, &mut points);
        self.add_random_combinations(&pool, &mut points);
        for _ in 0..MAGNITUDES {
            let decades = Some((-3.0, f64::from(self.largest_power.min(6))));
            let x = self.space.draw_point(&mut self.random, decades);
            points.push(SwitchPoint { x, at_zero: None });
        }
        points
    }

    /// Crosses each switch from the points known so far, and adds the points found.
    fn cross_all_switches(&mut self, pool: &mut Vec<Vec<f64>>, points: &mut Vec<SwitchPoint>) {
        let count = self.switches.len();
        let (mut used, mut unused, mut tried) = (vec![0; count], vec![0; count], vec![0; count]);
        let most = 24 + 4 * count;
        let mut first = 0;
        for _ in 0..ROUNDS {
            let last = pool.len();
            for start in first..last {
                let x = pool[start].clone();
                let Some(active) = self.active_nodes(&x) else { return };
                for s in 0..count {
                    let is_active = self.is_switch_active(s, &active);
                    let wanted = used[s] < CROSSINGS && (is_active || used[s] + unused[s] == 0);
                    if !wanted || tried[s] >= STARTS {
                        continue;
                    }
                    tried[s] += 1;
                    let Some(bracket) = self.find_crossing(s, &x) else { continue };
                    let both = self.is_active_on_both_sides(s, &bracket);
                    *(if both { &mut used[s] } else { &mut unused[s] }) += 1;
                    let at_zero = bracket.along.filter(|_| self.switches[s].compares).map(|i| {
                        (
                            i,
                            bracket.fine[0][i].min(bracket.fine[1][i]),
                            bracket.fine[0][i].max(bracket.fine[1][i]),
                        )
                    });
                    if at_zero.is_some() {
                        points.push(SwitchPoint { x: bracket.fine[0].clone(), at_zero });
                    }
                    let Bracket { coarse, fine, .. } = bracket;
                    for x in coarse.iter().chain(&fine) {
                        points.push(SwitchPoint { x: x.clone(), at_zero: None });
                    }
                    if pool.len() < most {
                        pool.extend(fine);
                        pool.extend(coarse);
                    }
                }
            }
            if pool.len() == last {
                break;
            }
            first = last;
        }
    }

    /// Adds random combinations of sides: from a known point across some switches in sequence.
    fn add_random_combinations(&mut self, pool: &[Vec<f64>], points: &mut Vec<SwitchPoint>) {
        if self.switches.len() < 2 {
            return;
        }
        for _ in 0..COMBINATIONS {
            let start = self.random.next_below(pool.len());
            let mut x = pool[start].clone();
            for _ in 0..3 {
                let s = self.random.next_below(self.switches.len());
                if self.random.next_below(2) == 0
                    && let Some(Bracket { coarse, .. }) = self.find_crossing(s, &x)
                {
                    let here = self.evaluate_switch_argument(s, &x);
                    let [a, b] = coarse;
                    x = if (self.evaluate_switch_argument(s, &a) < 0.0) == (here < 0.0) { b } else { a };
                }
            }
            points.push(SwitchPoint { x, at_zero: None });
        }
    }

    /// True if the switch affects an output on both sides of the bracket.
    fn is_active_on_both_sides(&mut self, s: usize, bracket: &Bracket) -> bool {
        bracket.fine.iter().all(|x| {
            let active = self.active_nodes(x);
            active.is_some_and(|active| self.is_switch_active(s, &active))
        })
    }

    /// True if one of the operations of a switch is among the active nodes.
    fn is_switch_active(&self, s: usize, active: &[bool]) -> bool {
        self.switches[s].operations.iter().any(|o| active.get(o.0 as usize).copied().unwrap_or(false))
    }

    /// For each node, true if it affects an output at the point; `None` once the budget is used up.
    fn active_nodes(&mut self, x: &[f64]) -> Option<Vec<bool>> {
        self.work = self.work.checked_sub(2 * self.graph.len())?;
        let snapshot = Snapshot::new(self.graph, self.outputs, |kind| self.space.symbol_value(kind, x));
        Some(snapshot.mark_active(self.graph, self.outputs))
    }

    /// The argument of a switch at a point; NaN once the budget is used up.
    fn evaluate_switch_argument(&mut self, s: usize, x: &[f64]) -> f64 {
        let tape = &self.arguments[s];
        let Some(left) = self.work.checked_sub(tape.len()) else { return f64::NAN };
        self.work = left;
        let mut value = [f64::NAN];
        tape.evaluate(|kind| self.space.symbol_value(kind, x), &mut self.scratch, &mut value);
        value[0]
    }

    /// Looks for a sign change of a switch's argument from a point along one variable, or on the
    /// line to another point.
    fn find_crossing(&mut self, s: usize, x: &[f64]) -> Option<Bracket> {
        let variables = self.variables[s].clone();
        for i in variables {
            if let Some(bracket) = self.find_crossing_along(s, x, i) {
                return Some(bracket);
            }
        }
        let here = self.evaluate_switch_argument(s, x);
        for k in 0..12 {
            let decades = (k >= 4).then_some((-3.0, f64::from(self.largest_power)));
            let mut y = x.to_vec();
            let other = self.space.draw_point(&mut self.random, decades);
            for i in &self.variables[s] {
                y[*i] = other[*i];
            }
            let there = self.evaluate_switch_argument(s, &y);
            if here * there < 0.0 {
                return self.bisect_crossing(s, x.to_vec(), y, None);
            }
        }
        None
    }

    /// Looks for a sign change from a point along one variable, nearest to the point; also near a
    /// smallest magnitude.
    fn find_crossing_along(&mut self, s: usize, x: &[f64], i: usize) -> Option<Bracket> {
        let mut places = self.sample_values(i);
        places.push(x[i]);
        places.sort_by(f64::total_cmp);
        let at = |t: f64| {
            let mut y = x.to_vec();
            y[i] = t;
            y
        };
        let values: Vec<(f64, f64)> =
            places.iter().map(|t| (*t, self.evaluate_switch_argument(s, &at(*t)))).collect();
        let values: Vec<(f64, f64)> =
            values.into_iter().filter(|(_, value)| value.is_finite() && *value != 0.0).collect();
        let changes = values.windows(2).filter(|w| (w[0].1 < 0.0) != (w[1].1 < 0.0));
        // The sign change nearest to the point. Others are found from other points.
        let distance = |w: &[(f64, f64)]| (w[0].0 - x[i]).abs().min((w[1].0 - x[i]).abs());
        if let Some(w) = changes.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
            return self.bisect_crossing(s, at(w[0].0), at(w[1].0), Some(i));
        }
        for w in values.windows(3).filter(|w| is_minimum_between(w)) {
            if let Some(t) = self.find_sign_change_at_minimum(s, x, i, (w[0].0, w[1].0, w[2].0)) {
                return self.bisect_crossing(s, at(w[0].0), at(t), Some(i));
            }
        }
        None
    }

    /// Sample values of a variable: ±{1, 2, 5}·10ᵏ units.
    fn sample_values(&self, i: usize) -> Vec<f64> {
        let mut out = Vec::new();
        for power in -9..=self.largest_power {
            for digit in [1.0, 2.0, 5.0] {
                let t = digit * 10f64.powi(power) * self.space.unit(i);
                out.push(t);
                if !self.space.is_positive_variable(i) {
                    out.push(-t);
                }
            }
        }
        out
    }

    /// Golden-section search for the smallest magnitude between `a` and `c`, until the sign differs
    /// from that at the ends.
    fn find_sign_change_at_minimum(
        &mut self,
        s: usize,
        x: &[f64],
        i: usize,
        (a, b, c): (f64, f64, f64),
    ) -> Option<f64> {
        const SECTION: f64 = 0.381_966_011_250_105;
        let mut at = |t: f64| {
            let mut y = x.to_vec();
            y[i] = t;
            self.evaluate_switch_argument(s, &y)
        };
        let outside = at(a) < 0.0;
        let (mut low, mut middle, mut high) = (a, b, c);
        let mut best = at(middle).abs();
        for _ in 0..60 {
            let t = if high - middle > middle - low {
                middle + SECTION * (high - middle)
            } else {
                middle - SECTION * (middle - low)
            };
            let value = at(t);
            if !value.is_finite() {
                return None;
            }
            if value != 0.0 && (value < 0.0) != outside {
                return Some(t);
            }
            if value.abs() < best {
                (low, high) = if t > middle { (middle, high) } else { (low, middle) };
                (middle, best) = (t, value.abs());
            } else if t > middle {
                high = t;
            } else {
                low = t;
            }
        }
        None
    }

    /// Bisects the line between points at which a switch's argument has different signs.
    fn bisect_crossing(
        &mut self,
        s: usize,
        from: Vec<f64>,
        to: Vec<f64>,
        along: Option<usize>,
    ) -> Option<Bracket> {
        let coarse = [from.clone(), to.clone()];
        let below = self.evaluate_switch_argument(s, &from) < 0.0;
        let (mut low, mut high) = (from, to);
        for _ in 0..100 {
            if is_narrow(&low, &high) {
                break;
            }
            let middle: Vec<f64> = low.iter().zip(&high).map(|(a, b)| a + (b - a) / 2.0).collect();
            let value = self.evaluate_switch_argument(s, &middle);
            if value.is_nan() {
                return None;
            }
            if value == 0.0 {
                // The zero itself: step off to both sides.
                let step = |end: &[f64]| -> Vec<f64> {
                    middle.iter().zip(end).map(|(m, e)| m + (e - m) * 1e-3).collect()
                };
                (low, high) = (step(&low), step(&high));
                break;
            }
            if (value < 0.0) == below { low = middle } else { high = middle }
        }
        let (a, b) = (self.evaluate_switch_argument(s, &low), self.evaluate_switch_argument(s, &high));
        (a * b < 0.0 || (a.signum() != b.signum() && a != 0.0 && b != 0.0)).then_some(Bracket {
            coarse,
            fine: [low, high],
            along,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::switches::find_switches;
    use super::*;
    use crate::ir::{SymbolKind, Tracer};
    use dqdt_algebra::{Cmp, Func, Func2, Number, Scalar};

    /// For each switch, true for each side (negative, positive) that has a point.
    fn sides(g: &Graph, output: NodeId, quaternions: &[[usize; 4]]) -> Vec<[bool; 2]> {
        let outputs = [output];
        let all = find_switches(g, &outputs);
        let symbols = g.symbols().into_iter().map(|s| s.kind);
        let space = Space::new(symbols, quaternions, |_| 1.0);
        let points = SwitchSearch::new(g, &outputs, &all, &space, 9).find_points(Vec::new());
        let side = |s: &Switch, below: bool| {
            points.iter().any(|p| {
                let value = Snapshot::new(g, &[s.argument], |kind| space.symbol_value(kind, &p.x))
                    .node_value(s.argument);
                if below { value < 0.0 } else { value > 0.0 }
            })
        };
        all.iter().map(|s| [side(s, true), side(s, false)]).collect()
    }

    #[test]
    fn limits_of_all_magnitudes_are_met_on_both_sides() {
        let g = Graph::new();
        for (power, i) in (-3..=6).zip(0..) {
            let limit = Tracer::number(&g, Number::float(3.7 * 10f64.powi(power)));
            let x = Tracer::new(&g, g.symbol("q", SymbolKind::Coordinate(i)));
            let clamped = x.apply_function2(Func2::Max, -limit).apply_function2(Func2::Min, limit);
            assert!(sides(&g, clamped.id(&g), &[]).iter().all(|s| *s == [true, true]), "{power}");
        }
    }

    #[test]
    fn narrow_windows_branches_and_sums_are_met() {
        let g = Graph::new();
        let symbol = |i: usize| Tracer::new(&g, g.symbol("q", SymbolKind::Coordinate(i)));
        let number = |x: f64| Tracer::number(&g, Number::float(x));
        let (x, y) = (symbol(0), symbol(1));
        let near =
            Tracer::select(Cmp::Lt, (x - number(37.0)).powi(2), number(1e-4), y.apply_function(Func::Abs), x);
        let sum = (x * y - number(4000.0)).apply_function(Func::Sign);
        for output in [near, sum, near * sum] {
            let all = sides(&g, output.id(&g), &[]);
            assert!(all.iter().all(|s| *s == [true, true]), "{all:?}");
        }
    }

    #[test]
    fn components_of_a_quaternion_vary_on_its_sphere() {
        let g = Graph::new();
        let q: Vec<Tracer<'_>> =
            (0..4).map(|i| Tracer::new(&g, g.symbol("e", SymbolKind::Coordinate(i)))).collect();
        let above = Tracer::number(&g, Number::float(0.9));
        let output = (q[0] - above).apply_function(Func::Abs) + (q[3] + above).apply_function(Func::Abs);
        assert!(sides(&g, output.id(&g), &[[0, 1, 2, 3]]).iter().all(|s| *s == [true, true]));
        // Off the unit sphere there is nothing: this sum of squares is always positive.
        let norm = q.iter().fold(Tracer::ONE, |sum, x| sum + *x * *x).apply_function(Func::Abs);
        assert!(sides(&g, norm.id(&g), &[[0, 1, 2, 3]]).iter().all(|s| *s == [false, true]));
    }
}
