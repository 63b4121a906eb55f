//! Benchmark and cross-check of the crate `dqdt-polynomials` against Symbolica, on one core.

use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use dqdt_polynomials::{Budget, Integer, Polynomial, Rational};
use symbolica::domains::rational::{Q, RationalField};
use symbolica::poly::PolyVariable;
use symbolica::poly::factor::Factorize;
use symbolica::poly::polynomial::MultivariatePolynomial;
use symbolica::symbol;

/// A polynomial of Symbolica.
type Theirs = MultivariatePolynomial<RationalField, u16>;

/// Minimum duration of a time measurement; shorter calls are repeated.
const LEAST: Duration = Duration::from_millis(4);

/// Stack size in bytes: Symbolica factors some polynomials by deep recursion.
const STACK: usize = 1 << 30;

fn main() {
    let run = thread::Builder::new().stack_size(STACK).spawn(compare_as_requested).expect("a thread");
    assert!(run.join().is_ok_and(|agree| agree), "this project and Symbolica disagree");
}

/// Runs the comparison that the command line requests; false if the two systems disagree.
fn compare_as_requested() -> bool {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--random", count] => compare_random(count.parse().expect("expected the number of polynomials")),
        ["--compare", first, count] => print_random_comparisons(
            first.parse().expect("a number"),
            count.parse().expect("expected the number of polynomials"),
        ),
        ["--triples", count] => check_gcd_triples(count.parse().expect("expected the number of triples")),
        [file] => compare_recorded(&std::fs::read_to_string(file).expect("the file must be readable")),
        _ => panic!("usage: polynomials FILE, polynomials --random N or polynomials --triples N"),
    }
}

/// Parses a polynomial of the crate `dqdt-polynomials` in `variables` variables.
fn parse_our_polynomial(text: &str, variables: usize) -> Polynomial {
    let terms = text.split(' ').filter(|t| !t.is_empty()).map(|t| parse_term(t, variables));
    Polynomial::from_terms(variables, terms.collect::<Vec<_>>())
}

/// Parses one term, such as `2/3*x0*x1^2`: exponents and coefficient.
fn parse_term(text: &str, variables: usize) -> (Vec<u16>, Rational) {
    let mut factors = text.split('*');
    let coefficient = factors.next().unwrap_or("");
    let (num, den) = coefficient.split_once('/').unwrap_or((coefficient, "1"));
    let coefficient = Rational::new(parse_our_integer(num), parse_our_integer(den))
        .expect("the denominator of a coefficient must not be zero");
    let mut exponents = vec![0; variables];
    for factor in factors {
        let (variable, exponent) = factor.split_once('^').unwrap_or((factor, "1"));
        let variable: usize = variable.trim_start_matches('x').parse().expect("a variable");
        exponents[variable] = exponent.parse().expect("an exponent");
    }
    (exponents, coefficient)
}

fn parse_our_integer(digits: &str) -> Integer {
    Integer::parse(digits).expect("an integer")
}

fn parse_their_integer(digits: &str) -> symbolica::domains::integer::Integer {
    digits.parse().expect("an integer")
}

/// Converts a polynomial of `dqdt-polynomials` to Symbolica.
fn to_symbolica(p: &Polynomial) -> Theirs {
    let variables = (0..p.variable_count()).map(|i| PolyVariable::Symbol(symbol!(format!("x{i}"))));
    let mut out = Theirs::new(&Q, Some(p.len()), Arc::new(variables.collect()));
    for term in p.terms() {
        let coefficient = term.coefficient.to_string();
        let (num, den) = coefficient.split_once('/').unwrap_or((coefficient.as_str(), "1"));
        let value = symbolica::domains::rational::Rational::from((
            parse_their_integer(num),
            parse_their_integer(den),
        ));
        out.append_monomial(value, term.exponents);
    }
    out
}

/// Terms as sorted text, divided by the leading coefficient: equal for polynomials that differ by a
/// constant factor.
fn monic_ours(p: &Polynomial) -> Vec<String> {
    let scale = p.leading_coefficient().inverse().unwrap_or(Rational::ONE);
    let mut all: Vec<String> =
        p.terms().map(|t| format!("{:?} {}", t.exponents, t.coefficient * &scale)).collect();
    all.sort();
    all
}

/// Terms of a polynomial of Symbolica in the same form.
fn monic_theirs(p: &Theirs) -> Vec<String> {
    let lead = p.lcoeff();
    let mut all: Vec<String> =
        p.into_iter().map(|t| format!("{:?} {}", t.exponents, t.coefficient / &lead)).collect();
    all.sort();
    all
}

/// Seconds per call of a function: the fastest of three runs.
fn seconds_per_call<T>(mut f: impl FnMut() -> T) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let (start, mut count) = (Instant::now(), 0);
        while start.elapsed() < LEAST {
            black_box(f());
            count += 1;
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(count));
    }
    best
}

/// Sorted numbers of terms, degrees and multiplicities of the factors that are not constant, to
/// compare factorisations.
fn sorted_factor_shapes(
    factors: impl Iterator<Item = (usize, Vec<u16>, u64)>,
) -> Vec<(usize, Vec<u16>, u64)> {
    let mut all: Vec<_> = factors.filter(|(_, degrees, _)| degrees.iter().any(|d| *d > 0)).collect();
    all.sort();
    all
}

fn our_factor_shapes(factors: &[(Polynomial, u32)]) -> Vec<(usize, Vec<u16>, u64)> {
    sorted_factor_shapes(factors.iter().map(|(p, n)| {
        let degrees = (0..p.variable_count()).map(|i| p.degree_in(i)).collect();
        (p.len(), degrees, u64::from(*n))
    }))
}

fn their_factor_shapes(factors: &[(Theirs, usize)]) -> Vec<(usize, Vec<u16>, u64)> {
    sorted_factor_shapes(factors.iter().map(|(p, n)| {
        let degrees = (0..p.nvars()).map(|i| p.degree(i)).collect();
        (p.nterms(), degrees, *n as u64)
    }))
}

/// Compares results and times on recorded operations, one per line of a file.
fn compare_recorded(text: &str) -> bool {
    let mut ratios: Vec<(String, f64, String)> = Vec::new();
    let (mut agree, mut skipped) = (true, 0);
    for (number, line) in text.lines().enumerate() {
        let parts: Vec<&str> = line.split('\t').collect();
        let part = |i: usize| parts.get(i).copied().unwrap_or("");
        let (operation, mechanism, variables) = (part(0), part(1), part(2).parse().expect("a number"));
        let (a, b, budget) = (
            parse_our_polynomial(part(3), variables),
            parse_our_polynomial(part(4), variables),
            Budget::unlimited(),
        );
        let (p, q) = (to_symbolica(&a), to_symbolica(&b));
        let (same, our_time, their_time) = match operation {
            "product" => (
                a.checked_mul(&b).is_some_and(|r| monic_ours(&r) == monic_theirs(&(&p * &q))),
                seconds_per_call(|| a.checked_mul(&b)),
                seconds_per_call(|| &p * &q),
            ),
            "quotient" => {
                let same = match (a.checked_div(&b), p.try_div(&q)) {
                    (Some(r), Some(s)) => monic_ours(&r) == monic_theirs(&s),
                    (r, s) => r.is_none() && s.is_none(),
                };
                (same, seconds_per_call(|| a.checked_div(&b)), seconds_per_call(|| p.try_div(&q)))
            }
            "gcd" => (
                a.gcd(&b, &budget).is_ok_and(|r| monic_ours(&r) == monic_theirs(&p.gcd(&q))),
                seconds_per_call(|| a.gcd(&b, &budget)),
                seconds_per_call(|| p.gcd(&q)),
            ),
            "factors" => (
                a.factor(&budget).is_ok_and(|r| our_factor_shapes(&r.1) == their_factor_shapes(&p.factor())),
                seconds_per_call(|| a.factor(&budget)),
                seconds_per_call(|| p.factor()),
            ),
            _ => {
                skipped += 1;
                continue;
            }
        };
        if !same {
            println!("line {}: the two results of {operation} differ", number + 1);
            agree = false;
        }
        let about = format!(
            "line {}, {mechanism}: {} and {} terms, {:.2e} s and {:.2e} s",
            number + 1,
            a.len(),
            b.len(),
            our_time,
            their_time
        );
        ratios.push((operation.to_owned(), our_time / their_time, about));
    }
    println!(
        "{:<10} {:>6} {:>10} {:>8} {:>8}  ours / Symbolica's time",
        "", "count", "geo. mean", "median", "worst"
    );
    for operation in ["product", "quotient", "gcd", "factors", ""] {
        let mut rows: Vec<_> = ratios.iter().filter(|r| operation.is_empty() || r.0 == operation).collect();
        rows.sort_by(|a, b| a.1.total_cmp(&b.1));
        let Some(worst) = rows.last() else { continue };
        let mean = (rows.iter().map(|r| r.1.ln()).sum::<f64>() / rows.len() as f64).exp();
        let name = if operation.is_empty() { "all" } else { operation };
        println!(
            "{name:<10} {:>6} {mean:>10.2} {:>8.2} {:>8.2}  {}",
            rows.len(),
            rows[rows.len() / 2].1,
            worst.1,
            worst.2
        );
    }
    if skipped > 0 {
        println!("{skipped} lines skipped, because their operations are not compared");
    }
    agree
}

/// Random number generator (linear congruential) for random polynomials.
struct Draws(u64);

impl Draws {
    /// Random integer from 0 to n − 1.
    fn random_below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// Random polynomial with at most `terms` terms.
    fn random_polynomial(&mut self, variables: usize, terms: u64) -> Polynomial {
        let mut all = Polynomial::zero(variables);
        for _ in 0..terms {
            let exponents = (0..variables).map(|_| self.random_below(3) as u16).collect();
            let size = [5, 20, 99][self.random_below(3) as usize];
            let coefficient =
                Rational::ratio(self.random_below(2 * size) as i64 - size as i64, 1 + self.random_below(3));
            all = &all + &Polynomial::from_monomial(exponents, coefficient);
        }
        all
    }
}

/// Time after which Symbolica's factorisation of a polynomial is abandoned.
const PATIENCE: Duration = Duration::from_secs(20);

/// Compares factors of random products in a child process, which is killed and restarted after a
/// polynomial on which Symbolica takes too long.
fn compare_random(count: usize) -> bool {
    let (mut next, mut agree, mut unanswered) = (0, true, Vec::new());
    let (mut our_time, mut their_time, mut factors) = (0.0, 0.0, 0);
    let (mut slowest, mut about) = (0.0, String::new());
    while next < count {
        let program = std::env::current_exe().expect("the path of this program must be known");
        let arguments = ["--compare", &next.to_string(), &count.to_string()].map(str::to_owned);
        // The banner would mix with the lines of numbers.
        let mut command = Command::new(program);
        command.args(arguments).env("SYMBOLICA_HIDE_BANNER", "1").stdout(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let (sender, answers) = channel();
        let reader = thread::spawn(move || {
            output.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok());
        });
        while let Ok(line) = answers.recv_timeout(PATIENCE) {
            let words: Vec<&str> = line.split(' ').collect();
            let [number, same, parts, terms, variables, mine, theirs] = words[..] else { panic!("{line}") };
            next = number.parse::<usize>().expect("a number") + 1;
            if same != "same" {
                println!("polynomial {number}: the factors of the two systems differ");
                agree = false;
            }
            let time: f64 = mine.parse().expect("seconds");
            our_time += time;
            their_time += theirs.parse::<f64>().expect("seconds");
            factors += parts.parse::<usize>().expect("expected the number of factors");
            if time > slowest {
                slowest = time;
                about = format!("{terms} terms in {variables} variables, {theirs} s in Symbolica");
            }
        }
        // The process has ended, unless it was too slow.
        if answers.recv_timeout(Duration::ZERO) != Err(RecvTimeoutError::Disconnected) {
            let _ = child.kill();
        }
        if child.wait().expect("its state").success() {
            break;
        }
        reader.join().expect("its reader");
        unanswered.push(next);
        next += 1;
    }
    println!(
        "{count} polynomials, {factors} factors: {our_time:.2} s, Symbolica {their_time:.2} s; slowest {slowest:.4} s: {about}"
    );
    println!("polynomials that Symbolica did not factor within {PATIENCE:?}: {unanswered:?}");
    agree
}

/// Prints a line for each random product from `first` on: its number, `same` or `different`, number
/// of factors, terms and variables, seconds of ours and of Symbolica.
fn print_random_comparisons(first: usize, count: usize) -> bool {
    let mut draws = Draws(1);
    for number in 0..count {
        let variables = 1 + draws.random_below(3) as usize;
        let mut product = Polynomial::constant(variables, Rational::ONE);
        for _ in 0..1 + draws.random_below(3) {
            let terms = 2 + draws.random_below(5);
            let part = draws.random_polynomial(variables, terms);
            for _ in 0..1 + draws.random_below(8) / 7 {
                product = product.checked_mul(&part).expect("small exponents");
            }
        }
        if product.is_zero() || number < first {
            continue;
        }
        let theirs = to_symbolica(&product);
        let start = Instant::now();
        let (_, mine) = product.factor(&Budget::unlimited()).expect("no limit");
        let time = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let shown = theirs.factor();
        let time_of_theirs = start.elapsed().as_secs_f64();
        let same = if our_factor_shapes(&mine) == their_factor_shapes(&shown) { "same" } else { "different" };
        let (parts, terms) = (mine.len(), product.len());
        println!("{number} {same} {parts} {terms} {variables} {time:.6} {time_of_theirs:.6}");
    }
    true
}

/// Product of two polynomials with small exponents.
fn multiply_polynomials(x: &Polynomial, y: &Polynomial) -> Polynomial {
    x.checked_mul(y).expect("small exponents")
}

/// Checks `gcd(a g, b g) = g gcd(a, b)` on random triples, without Symbolica.
fn check_gcd_triples(count: usize) -> bool {
    let mut draws = Draws(2);
    let (mut slowest, mut about, start) = (0.0, String::new(), Instant::now());
    for number in 0..count {
        let variables = 1 + draws.random_below(5) as usize;
        // At most 4 to 12 terms, growing; occasionally up to 30.
        let most = if number % 1000 == 0 { 30 } else { 4 + 8 * number as u64 / count as u64 };
        let [a, b, g] = [(); 3].map(|()| {
            let terms = 1 + draws.random_below(most);
            draws.random_polynomial(variables, terms)
        });
        let (x, y) = (multiply_polynomials(&a, &g), multiply_polynomials(&b, &g));
        let begin = Instant::now();
        let common = x.gcd(&y, &Budget::unlimited()).expect("no limit");
        let time = begin.elapsed().as_secs_f64();
        if time > slowest {
            slowest = time;
            about = format!("{} and {} terms in {variables} variables", x.len(), y.len());
        }
        let expected = multiply_polynomials(&g, &a.gcd(&b, &Budget::unlimited()).expect("no limit"));
        let same = match expected.is_zero() {
            true => common.is_zero(),
            false => monic_ours(&common) == monic_ours(&expected),
        };
        if !same {
            println!("triple {number}: {a:?}, {b:?}, {g:?}");
            return false;
        }
    }
    println!("{count} triples: {:.1} s; slowest {slowest:.4} s: {about}", start.elapsed().as_secs_f64());
    true
}
