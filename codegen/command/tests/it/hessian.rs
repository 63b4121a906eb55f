//! The emitted `dqdt_hessian` against central differences of the exact gradient at 50 digits, for
//! examples and robots: at the start, at zero and in motion, above 20 speeds at the last of
//! these that is not zero.
//!
//! The gradient is `λᵀ` times the results of `dqdt_derivatives`; second derivatives by two
//! parameters are compared with second differences of `dqdt`.

use std::sync::atomic::{AtomicUsize, Ordering};

use astro_float::{BigFloat, RoundingMode};

use crate::digits::Digits;
use crate::effort_slopes;
use crate::every_function::samples;
use crate::files::root;
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice, Request};
use dqdt_derivation::derive::derive;
use dqdt_graph::ir::{Arguments, Machine, Program, SymbolKind, count};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::formalism::Formalism;
use dqdt_samples::random::Sample;
use dqdt_samples::tier::cases_by_tier;

/// Mantissa length of the differences, as in `digits`.
const BITS: usize = 192;
const ROUND: RoundingMode = RoundingMode::ToEven;
/// Largest number of speeds in the full tier. `DQDT_HESSIANS=20` tries larger mechanisms, which
/// take ten minutes and more.
const MOST: usize = 6;
/// Largest number of speeds with which a mechanism is compared at all of its states.
const MOST_AT_ALL: usize = 20;

/// The symbols of the variables `[x, u, p]`.
fn variables(program: &Program) -> Vec<SymbolKind> {
    let l = &program.layout;
    let q = (0..l.q.len()).map(SymbolKind::Coordinate);
    let v = (0..l.v.len()).map(SymbolKind::Speed);
    let z = (0..l.z.len()).map(SymbolKind::State);
    let u = (0..l.u.len()).map(SymbolKind::Input);
    q.chain(v).chain(z).chain(u).chain((0..l.p.len()).map(SymbolKind::Parameter)).collect()
}

/// Largest errors of the Hessian, relative to its largest entry.
#[derive(Default, Debug, Clone, Copy)]
struct LargestErrors {
    /// At 50 digits.
    exact: f64,
    /// In doubles.
    doubles: f64,
}

struct Checked<'a> {
    program: &'a Program,
    arguments: Arguments,
    variables: Vec<SymbolKind>,
    step: BigFloat,
    digits: Digits,
}

impl Checked<'_> {
    /// Weighted results of a function at 50 digits, with some variables displaced by multiples of
    /// the step.
    fn call(&mut self, f: &Definition, displaced: &[(usize, f64)]) -> Vec<BigFloat> {
        let (a, variables, step) = (&self.arguments, &self.variables, &self.step);
        self.digits.call(self.program, &[f], &|kind| {
            let start = Digits::float(a.value(kind));
            displaced.iter().filter(|(i, _)| variables[*i] == kind).fold(start, |x, (_, times)| {
                x.add(&step.mul(&Digits::float(*times), BITS, ROUND), BITS, ROUND)
            })
        })
    }

    /// `λᵀ` times a matrix of some columns, by rows.
    fn weigh(&self, rows: &[BigFloat], columns: usize) -> Vec<BigFloat> {
        let weights = self.arguments.costates.iter().map(|x| Digits::float(*x));
        let mut sum = vec![Digits::float(0.0); columns];
        for (weight, row) in weights.zip(rows.chunks(columns.max(1))) {
            for (s, x) in sum.iter_mut().zip(row) {
                *s = s.add(&weight.mul(x, BITS, ROUND), BITS, ROUND);
            }
        }
        sum
    }

    /// The gradient of `λᵀẋ` by the state and the inputs.
    fn gradient(&mut self, displaced: &[(usize, f64)]) -> Vec<BigFloat> {
        let (nx, nu) = (self.arguments.costates.len(), self.arguments.u.len());
        let all = self.call(functions::DQDT_DERIVATIVES, displaced);
        let (by_state, by_input) = all[nx..].split_at(nx * nx);
        [self.weigh(by_state, nx), self.weigh(by_input, nu)].concat()
    }

    /// `λᵀẋ`.
    fn scalar(&mut self, displaced: &[(usize, f64)]) -> BigFloat {
        let rates = self.call(functions::DQDT, displaced);
        self.weigh(&rates, 1).remove(0)
    }

    fn quotient(&mut self, difference: &BigFloat, times: f64, power: usize) -> f64 {
        let mut divided = difference.div(&Digits::float(times), BITS, ROUND);
        for _ in 0..power {
            divided = divided.div(&self.step, BITS, ROUND);
        }
        self.digits.double(&divided)
    }

    /// Column `j` of the Hessian, by central differences of the gradient, which is `here` at the
    /// state; `None` at a kink. Entries by two parameters are second differences.
    fn column(&mut self, j: usize, here: &[BigFloat]) -> Option<Vec<f64>> {
        let [above, below] = [1.0, -1.0].map(|times| self.gradient(&[(j, times)]));
        let n = above.len();
        let mut out = Vec::new();
        for i in 0..n {
            let central = self.quotient(&above[i].sub(&below[i], BITS, ROUND), 2.0, 1);
            let one_sided = self.quotient(&above[i].sub(&here[i], BITS, ROUND), 1.0, 1);
            if (central - one_sided).abs() > 1e-9 * central.abs().max(1.0) {
                return None;
            }
            out.push(central);
        }
        for i in n..self.variables.len() {
            if j < n {
                out.push(f64::NAN);
                continue;
            }
            let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
            let [a, b, c, d] = corners.map(|(x, y)| self.scalar(&[(i, x), (j, y)]));
            let sum = a.sub(&b, BITS, ROUND).sub(&c, BITS, ROUND).add(&d, BITS, ROUND);
            out.push(self.quotient(&sum, 4.0, 2));
        }
        Some(out)
    }
}

/// Costates of mixed signs and sizes.
fn costates(n: usize) -> Vec<f64> {
    (0..n).map(|i| (1.9 * i as f64 + 0.8).sin() + 0.25).collect()
}

/// The Hessian, and the functions with which it is compared.
const FUNCTIONS: [&Definition; 3] = [functions::DQDT, functions::DQDT_DERIVATIVES, functions::DQDT_HESSIAN];

/// Compares the Hessian of a program at these states. `None` if it has none.
fn check(program: &Program, name: &str, states: Vec<(String, Sample)>) -> Option<LargestErrors> {
    let places = program.function(functions::DQDT_HESSIAN)?.outputs[1].places.clone();
    assert!(places.is_sorted(), "{name}: entries by rows");
    assert!(places.iter().all(|[i, j]| i >= j), "{name}: the lower triangle");
    let mut machine = Machine::new(program, functions::DQDT_HESSIAN)?;
    let mut digits = Digits::new();
    let step = digits.parse("1e-18");
    let variables = variables(program);
    let nx = program.layout.q.len() + program.layout.v.len() + program.layout.z.len();
    let mut c = Checked { program, arguments: Arguments::defaults(program), variables, step, digits };
    let (mut errors, mut compared) = (LargestErrors::default(), 0);
    for (pose, s) in states {
        (c.arguments.t, c.arguments.q, c.arguments.v) = (s.t, s.q, s.v);
        (c.arguments.z, c.arguments.u, c.arguments.costates) = (s.z, s.u, costates(nx));
        let Ok(doubles) = machine.call(&c.arguments).map(<[f64]>::to_vec) else { continue };
        let long = c.call(functions::DQDT_HESSIAN, &[]);
        let exact: Vec<f64> = long.iter().map(|x| c.digits.double(x)).collect();
        let dense = |values: &[f64]| {
            let n = c.variables.len();
            let mut all = vec![vec![0.0; n]; n];
            for ([i, j], x) in places.iter().zip(&values[nx..]) {
                (all[*i][*j], all[*j][*i]) = (*x, *x);
            }
            all
        };
        let (doubles, exact) = (dense(&doubles), dense(&exact));
        let scale = exact.iter().flatten().fold(1.0f64, |s, x| s.max(x.abs()));
        let here = c.gradient(&[]);
        for j in 0..c.variables.len() {
            let Some(column) = c.column(j, &here) else { continue };
            for (i, x) in column.into_iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                let error = (exact[i][j] - x).abs() / scale;
                assert!(error < 1e-9, "{name}, {pose}: {i} by {j}: {} against {x}, of {scale}", exact[i][j]);
                errors.exact = errors.exact.max(error);
                errors.doubles = errors.doubles.max((doubles[i][j] - x).abs() / scale);
                compared += 1;
            }
        }
    }
    (compared > 0).then_some(errors)
}

/// Operations of one call of a function that is derived alone.
fn operations(loaded: &Assembled, function: &'static Definition) -> u32 {
    let program = pipeline::derive(loaded, FormalismChoice::BySize, &[function]).unwrap().program;
    program.function(function).map_or(0, |f| count::count(&program, f).call.total())
}

/// Checks the spec of a file, and prints errors and operations beside those of `linearize`. False
/// without a Hessian.
fn check_spec(name: &str, loaded: &Assembled) -> bool {
    let begun = std::time::Instant::now();
    let program = pipeline::derive(loaded, FormalismChoice::BySize, &FUNCTIONS);
    let program = program.unwrap_or_else(|e| panic!("{name}: {e}")).program;
    let mut states = samples(loaded);
    if loaded.mechanism.nv() > MOST_AT_ALL {
        states.retain(|(pose, _)| pose != "zero");
        states.drain(..states.len() - 1);
    }
    let Some(errors) = check(&program, name, states) else {
        println!("{name}: no Hessian");
        return false;
    };
    let [hessian, linear] = [functions::DQDT_HESSIAN, functions::LINEARIZE].map(|f| operations(loaded, f));
    println!(
        "{name}: {} speeds, {hessian} operations, {linear} of linearize; errors {:.1e}, in doubles {:.1e}; {:.1} s",
        loaded.mechanism.nv(),
        errors.exact,
        errors.doubles,
        begun.elapsed().as_secs_f64()
    );
    assert!(errors.doubles < 1e-8, "{name}: {errors:?}");
    true
}

#[test]
fn hessians_are_differences_of_the_exact_gradient_at_50_digits() {
    let most = std::env::var("DQDT_HESSIANS")
        .map_or(cases_by_tier(2, MOST), |n| n.parse().expect("DQDT_HESSIANS is a number"));
    let mut specs = Vec::new();
    for folder in ["examples/specs", "tests/data/robots", "tests/data/robots/loops"] {
        for path in std::fs::read_dir(root(folder)).unwrap().map(|e| e.unwrap().path()) {
            if path.extension().is_some_and(|e| e == "toml") {
                let loaded = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"));
                if loaded.mechanism.nv() <= most {
                    specs.push((path.file_stem().unwrap().to_string_lossy().into_owned(), loaded));
                }
            }
        }
    }
    // The largest first, so that no thread finishes late.
    specs.sort_by_key(|(name, loaded)| (std::cmp::Reverse(loaded.mechanism.nv()), name.clone()));
    let (next, checked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, loaded)) = specs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    checked.fetch_add(usize::from(check_spec(name, loaded)), Ordering::Relaxed);
                }
            });
        }
    });
    assert!(checked.into_inner() >= 8);
}

#[test]
fn hessians_of_random_trees_are_differences_of_the_exact_gradient() {
    let (mut worst, mut checked) = (0.0f64, 0);
    for seed in 0..cases_by_tier(6, 9) {
        let s = effort_slopes::sample(seed);
        let request = Request::new(Formalism::Kane, FUNCTIONS.to_vec());
        let loaded = Assembled::without_spec(s.mechanism.clone(), s.partition.clone());
        let program = simplify(&derive(&loaded, &s.formulation, &request));
        if let Some(errors) = check(&program, &format!("seed {seed}"), vec![("sample".to_owned(), s)]) {
            worst = worst.max(errors.exact);
            checked += 1;
        }
    }
    println!("{checked} trees, errors up to {worst:.1e}");
    assert!(checked >= cases_by_tier(3, 4), "{checked}");
}
