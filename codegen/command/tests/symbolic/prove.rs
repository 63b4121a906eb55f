//! Equality by normal forms: proved, refuted or undecided.
use dqdt_algebra::{Cmp, Func, Func2, Number, PiecewiseCubic, Ratio, Scalar};
use dqdt_equations::symbolic::{
    Assumptions, Expressions, Reason, Status, Verdict, parse_text, prove_closed, prove_equal,
};
use dqdt_graph::ir::{Graph, SymbolKind, Tracer};

fn q(g: &Graph, i: usize) -> Tracer<'_> {
    Tracer::new(g, g.symbol(&format!("q{i}"), SymbolKind::Coordinate(i)))
}

fn p(g: &Graph, i: usize) -> Tracer<'_> {
    Tracer::new(g, g.symbol(&format!("p{i}"), SymbolKind::Parameter(i)))
}

fn n(num: i32, den: u32) -> Tracer<'static> {
    Tracer::ratio(num, den)
}

fn prove_with(g: &Graph, a: Tracer<'_>, b: Tracer<'_>, assumptions: &Assumptions) -> Verdict {
    let (left, right) = (Expressions::new(g, &[a.id(g)]), Expressions::new(g, &[b.id(g)]));
    prove_equal(&left, &right, assumptions).unwrap().remove(0)
}

fn prove(g: &Graph, a: Tracer<'_>, b: Tracer<'_>) -> Verdict {
    prove_with(g, a, b, &Assumptions::default())
}

#[track_caller]
fn assert_proved(g: &Graph, a: Tracer<'_>, b: Tracer<'_>) {
    assert_eq!(prove(g, a, b), Verdict::Proved { inexact: false });
}

#[test]
fn angle_sums_and_multiples_are_proved() {
    let g = Graph::new();
    let (a, b) = (q(&g, 0), q(&g, 1));
    let ((sa, ca), (sb, cb)) = (a.sin_cos(), b.sin_cos());
    assert_proved(&g, (a + b).sin_cos().0, sa * cb + ca * sb);
    assert_proved(&g, (a - b).sin_cos().1, ca * cb + sa * sb);
    assert_proved(&g, (n(3, 1) * a).sin_cos().0, n(3, 1) * sa - n(4, 1) * sa.powi(3));
    assert_proved(
        &g,
        (n(5, 1) * a).sin_cos().1,
        n(16, 1) * ca.powi(5) - n(20, 1) * ca.powi(3) + n(5, 1) * ca,
    );
    // Fractions of an angle that occur later than its sine and cosine.
    let (s2, c2) = (n(1, 2) * a).sin_cos();
    let (s3, c3) = (n(1, 3) * a).sin_cos();
    assert_proved(&g, sa, n(2, 1) * s2 * c2);
    assert_proved(&g, ca, n(4, 1) * c3.powi(3) - n(3, 1) * c3);
    assert_proved(&g, s2, (n(1, 6) * a + n(1, 3) * a).sin_cos().0);
    assert_proved(&g, s2 * c2, n(1, 2) * (n(3, 1) * s3 - n(4, 1) * s3.powi(3)));
    // A parametric angle plus a right angle, and plus π/6.
    let alpha = p(&g, 0);
    let pi = |num, den| Tracer::number(&g, Number::pi(Ratio::new(num, den).unwrap()));
    let (s, c) = alpha.sin_cos();
    assert_proved(
        &g,
        (alpha + pi(1, 6)).sin_cos().0,
        n(1, 2) * (Tracer::number(&g, Number::integer(3)).sqrt() * s + c),
    );
    let (s12, c12) = pi(1, 12).sin_cos();
    assert_proved(&g, s12 * c12, n(1, 4));
    assert_proved(&g, s12 * s12 + c12 * c12, n(1, 1));
    let t = (a + b).apply_function(Func::Tan);
    let (ta, tb) = (a.apply_function(Func::Tan), b.apply_function(Func::Tan));
    assert_proved(&g, t, (ta + tb) / (n(1, 1) - ta * tb));
}

#[test]
fn roots_obey_their_squares() {
    let g = Graph::new();
    let root = |k: i64| Tracer::number(&g, Number::integer(k)).sqrt();
    assert_proved(&g, root(2) * root(3), root(6));
    assert_proved(&g, root(8), n(2, 1) * root(2));
    assert_proved(&g, n(1, 1) / (root(3) - root(2)), root(3) + root(2));
    assert_proved(&g, Tracer::number(&g, Number::ratio(3, 4).unwrap()).sqrt(), n(1, 2) * root(3));
    let (x, y) = (q(&g, 0), q(&g, 1));
    let length = (x * x + y * y).sqrt();
    assert_proved(&g, length * length, x * x + y * y);
    assert_proved(&g, (x * x) / length + (y * y) / length, length);
    assert_proved(&g, (n(4, 1) * x + n(4, 1) * y).sqrt(), n(2, 1) * (y + x).sqrt());
    assert_proved(&g, n(1, 1) / (x + length), (length - x) / (y * y));
}

#[test]
fn functions_of_equal_arguments_are_equal() {
    let g = Graph::new();
    let (x, y) = (q(&g, 0), q(&g, 1));
    let square = (x + y) * (x + y);
    let expanded = x * x + n(2, 1) * x * y + y * y;
    for f in [Func::Exp, Func::Tanh, Func::Abs, Func::Ln] {
        assert_proved(&g, square.apply_function(f), expanded.apply_function(f));
    }
    assert_proved(&g, (x - y).apply_function(Func::Tanh), -(y - x).apply_function(Func::Tanh));
    assert_proved(
        &g,
        x.apply_function(Func::Cosh) * x.apply_function(Func::Cosh)
            - x.apply_function(Func::Sinh) * x.apply_function(Func::Sinh),
        n(1, 1),
    );
    assert_proved(&g, (x * y).apply_function(Func::Abs).squared(), (x * y).squared());
    let table = PiecewiseCubic::linear(&[0.0, 1.0], &[0.0, 2.0]);
    assert_eq!(
        prove(&g, square.interpolate_table(&table), expanded.interpolate_table(&table)),
        Verdict::Proved { inexact: true }
    );
}

#[test]
fn unit_quaternions_are_normalised() {
    let g = Graph::new();
    let squares = [0, 1, 2, 3].map(|i| q(&g, i) * q(&g, i));
    let sum = squares[0] + squares[1] + squares[2] + squares[3];
    let (a, b) = (p(&g, 0) * sum, p(&g, 0));
    let unit = Assumptions { quaternions: vec![[0, 1, 2, 3]], ..Assumptions::default() };
    assert!(prove_with(&g, a, b, &unit).is_proved());
    assert!(matches!(prove(&g, a, b), Verdict::Refuted { .. }));
    assert!(matches!(prove_with(&g, q(&g, 0) * q(&g, 0), q(&g, 1), &unit), Verdict::Refuted { .. }));
}

#[test]
fn a_wrong_sign_is_refuted_with_an_exact_witness() {
    let g = Graph::new();
    let (x, m) = (q(&g, 0), p(&g, 3));
    let (s, c) = x.sin_cos();
    let Verdict::Refuted { witness, difference, .. } = prove(&g, m * (s + c), m * (s - c)) else {
        panic!("not refuted")
    };
    assert_eq!(difference, "2*p3*cos(q0)");
    let names: Vec<&str> = witness.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["cos(q0)", "p3"]);
    // With a spring: the root of an expression is an algebraic number at the witness.
    let l = (x * x + m * m).sqrt();
    assert!(matches!(prove(&g, l + s, l - s), Verdict::Refuted { .. }));
    let pi = Tracer::number(&g, Number::pi(Ratio::ONE));
    assert!(matches!(prove(&g, pi * x, n(355, 113) * x), Verdict::Refuted { .. }));
}

#[test]
fn what_lies_beyond_is_undecided_with_a_number() {
    let g = Graph::new();
    let (x, y) = (q(&g, 0), q(&g, 1));
    let (a, b) =
        ((x + y).apply_function(Func::Exp), x.apply_function(Func::Exp) * y.apply_function(Func::Exp));
    let Verdict::Undecided { reason: Reason::Opaque { .. }, largest: Some(largest), .. } = prove(&g, a, b)
    else {
        panic!("decided")
    };
    let exponent: i32 = largest.split_once('e').map_or("0", |(_, e)| e).parse().unwrap();
    assert!(largest == "0" || exponent < -95, "{largest}");
    // Equal, but too large for the limit.
    let tight = Assumptions { limit: 50, ..Assumptions::default() };
    let sum = (0..6).fold(n(1, 1), |s, i| s + p(&g, i));
    let verdict = prove_with(&g, sum.powi(5), sum.powi(3) * sum * sum, &tight);
    let Verdict::Undecided { reason: Reason::TooLarge { limit: 50, .. }, largest: Some(largest), .. } =
        verdict
    else {
        panic!("{verdict:?}")
    };
    assert!(largest == "0" || largest.parse::<f64>().unwrap() < 1e-95, "{largest}");
    // Division by zero.
    let zero = (x + y) * (x - y) - x * x + y * y;
    let verdict = prove(&g, n(1, 1) / zero, n(2, 1));
    assert!(matches!(verdict, Verdict::Undecided { reason: Reason::DivisionByZero, .. }), "{verdict:?}");
}

#[test]
fn what_differs_in_plain_sight_is_refuted_at_a_rational_point_however_large_it_is() {
    let g = Graph::new();
    let (x, y) = (q(&g, 0), q(&g, 1));
    let tight = Assumptions { limit: 50, ..Assumptions::default() };
    let sum = (0..6).fold(n(1, 1), |s, i| s + p(&g, i));
    let verdict = prove_with(&g, sum.powi(5), sum.powi(5) + n(1, 1000), &tight);
    let Verdict::Refuted { witness, difference, .. } = verdict else { panic!("{verdict:?}") };
    assert_eq!(difference, "about -1.0e-3");
    let names: Vec<&str> = witness.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["p0", "p1", "p2", "p3", "p4", "p5"]);
    // A function without algebraic rules.
    let verdict = prove(&g, x.apply_function(Func::Tanh), -x.apply_function(Func::Tanh) * y);
    let Verdict::Refuted { witness, .. } = verdict else { panic!("{verdict:?}") };
    assert_eq!(witness.len(), 2);
    // Next to a jump larger than any rounding.
    let verdict = prove(&g, (x * y).apply_function(Func::Sign), (x + y).apply_function(Func::Sign));
    assert!(matches!(verdict, Verdict::Refuted { .. }), "{verdict:?}");
    // At a jump rounding chooses the side; equal sides are never refuted.
    let zero = (x + y).apply_function(Func::Exp) - x.apply_function(Func::Exp) * y.apply_function(Func::Exp);
    let choice = Tracer::select(Cmp::Lt, zero, Tracer::ZERO, x, y);
    assert!(!matches!(prove(&g, choice, y), Verdict::Refuted { .. }));
    assert!(!matches!(prove(&g, zero.apply_function(Func::Sign), Tracer::ZERO), Verdict::Refuted { .. }));
}

#[test]
fn what_agrees_at_random_points_is_checked_also_where_the_domain_is_small() {
    let g = Graph::new();
    let (x, y) = (q(&g, 0), q(&g, 1));
    let pair = |z: Tracer<'_>| {
        prove(
            &g,
            (z + y).apply_function(Func::Exp),
            z.apply_function(Func::Exp) * y.apply_function(Func::Exp),
        )
    };
    assert_eq!(pair(x).status(), Status::Checked);
    // sqrt(1/100 − x²) and arccos(10 x): few random points between −2 and 2 are in these domains.
    assert_eq!(pair((n(1, 100) - x * x).sqrt()).status(), Status::Checked);
    assert_eq!(pair((n(10, 1) * x).apply_function(Func::Acos)).status(), Status::Checked);
    // An empty domain is reported as undecided.
    let verdict = pair((-n(1, 1) - x * x).sqrt());
    assert!(matches!(verdict, Verdict::Undecided { largest: None, .. }), "{verdict:?}");
    assert_eq!(verdict.status(), Status::Undecided);
}

#[test]
fn printed_forms_beyond_the_limit_are_compared_at_random_points() {
    let g = Graph::new();
    let sum = (0..6).fold(n(1, 1), |s, i| s + p(&g, i));
    let tight = Assumptions { limit: 50, ..Assumptions::default() };
    let expressions = Expressions::new(&g, &[sum.powi(5).apply_function2(Func2::Min, q(&g, 0)).id(&g)]);
    let decide = |text: &str| {
        let form = parse_text(text, expressions.symbol_names()).unwrap();
        prove_closed(&expressions, &[form], &tight).unwrap().remove(0)
    };
    let verdict = decide("min((1 + p0 + p1 + p2 + p3 + p4 + p5)^3*(1 + p0 + p1 + p2 + p3 + p4 + p5)^2, q0)");
    assert_eq!(verdict.status(), Status::Checked, "{verdict:?}");
    let verdict = decide("min((1 + p0 + p1 + p2 + p3 + p4 + p5)^3, q0) + 0.001");
    assert!(matches!(verdict, Verdict::Refuted { .. }), "{verdict:?}");
}

#[test]
fn a_choice_in_one_pair_leaves_other_pairs_refuted() {
    let g = Graph::new();
    let (x, y) = (q(&g, 0), q(&g, 1));
    let choice = Tracer::select(Cmp::Lt, x, y, x * x, y);
    let tanh = x.apply_function(Func::Tanh);
    let side = |a: Tracer<'_>, b: Tracer<'_>| Expressions::new(&g, &[a.id(&g), b.id(&g)]);
    let verdicts =
        prove_equal(&side(tanh, choice), &side(-tanh * y, choice), &Assumptions::default()).unwrap();
    assert!(matches!(verdicts[0], Verdict::Refuted { which: 0, .. }), "{verdicts:?}");
    assert!(verdicts[1].is_proved(), "{verdicts:?}");
}

#[test]
fn symbols_of_two_graphs_match_by_kind() {
    let (g, h) = (Graph::new(), Graph::new());
    let _shift = h.symbol("other", SymbolKind::Parameter(7));
    let a = (q(&g, 0) + q(&g, 1)) * (q(&g, 0) + q(&g, 1));
    let b = q(&h, 1) * q(&h, 1) + q(&h, 0) * (q(&h, 0) + n(2, 1) * q(&h, 1));
    let verdicts = prove_equal(
        &Expressions::new(&g, &[a.id(&g)]),
        &Expressions::new(&h, &[b.id(&h)]),
        &Assumptions::default(),
    );
    assert_eq!(verdicts.unwrap(), [Verdict::Proved { inexact: false }]);
}

#[test]
fn floats_are_exact_dyadic_numbers_and_reported() {
    let g = Graph::new();
    let x = q(&g, 0);
    let tenth = Tracer::number(&g, Number::float(0.1));
    assert_eq!(prove(&g, tenth * x, x * tenth + x - x), Verdict::Proved { inexact: true });
    assert!(matches!(prove(&g, tenth * x, n(1, 10) * x), Verdict::Refuted { .. }));
}

#[test]
fn many_threads_share_one_engine() {
    let threads: Vec<_> = (0..4)
        .map(|k| {
            std::thread::spawn(move || {
                let g = Graph::new();
                let x = q(&g, k);
                assert_proved(&g, x.sin_cos().0.squared() + x.sin_cos().1.squared(), n(1, 1));
            })
        })
        .collect();
    for t in threads {
        t.join().unwrap();
    }
}

#[test]
fn deep_graphs_do_not_overflow_the_stack() {
    let g = Graph::new();
    let (x, y) = (q(&g, 0), q(&g, 1));
    // Long chains are replayed without recursion.
    let mut sum = x;
    for i in 0..20_000 {
        sum = if i % 2 == 0 { sum + y } else { n(1, 1) * sum - x };
        sum = n(2, 1) * (sum - y) - sum;
    }
    assert!(prove(&g, sum - sum * n(1, 2), n(1, 2) * sum).is_proved());
    // Functions nested too deeply are refused.
    let mut nested = x;
    for _ in 0..100 {
        nested = (nested + y).apply_function(Func::Exp);
    }
    let verdict = prove(&g, nested, nested + y - y * n(1, 1));
    assert!(verdict.is_proved() || matches!(verdict, Verdict::Undecided { reason: Reason::Depth, .. }));
    let verdict = prove(&g, nested, nested + y);
    assert!(matches!(verdict, Verdict::Undecided { reason: Reason::Depth, .. }), "{verdict:?}");
}

#[test]
fn large_radicands_are_refused_not_factored_forever() {
    let g = Graph::new();
    let number = |n: i64| Tracer::number(&g, Number::integer(n));
    // The product of two primes near 2^31.
    let hard = number(2_147_483_647).sqrt() * number(2_147_483_629).sqrt();
    assert_proved(&g, hard, number(2_147_483_647 * 2_147_483_629).sqrt());
    let huge = number(1_000_000_007).powi(7) + n(1, 1);
    let verdict = prove(&g, (huge * huge + n(2, 1)).sqrt(), n(2, 1));
    assert!(matches!(verdict, Verdict::Undecided { reason: Reason::Radicand, .. }), "{verdict:?}");
}

#[test]
fn claims_are_not_refuted_where_they_are_not_defined() {
    let g = Graph::new();
    let (x, y) = (q(&g, 0), q(&g, 1));
    let (rx, ry, one) = (x.sqrt(), y.sqrt(), n(1, 1));
    let never_refuted = |a: Tracer<'_>, b: Tracer<'_>| {
        let verdict = prove(&g, a, b);
        assert!(!matches!(verdict, Verdict::Refuted { .. }), "{verdict:?}");
    };
    // Roots of negative numbers, and a divisor that is zero for x > 0.
    never_refuted((rx + one) * (rx - one), (x * x).sqrt() - one);
    never_refuted((rx + ry) * (rx - ry), (x * x).sqrt() - (y * y).sqrt());
    let r = (x * x).sqrt();
    never_refuted((r + x) / (r - x) * (r - x), r + x);
    // A false claim is refuted where it is defined.
    assert!(matches!(prove(&g, (rx + one) * (rx - one), x + one), Verdict::Refuted { .. }));
}

#[test]
fn rounding_of_large_terms_refutes_nothing() {
    let g = Graph::new();
    let x = q(&g, 0);
    for k in [100, 200, 400] {
        let e = (n(k, 1) * x).apply_function(Func::Exp);
        let verdict = prove(&g, e * e, (n(2 * k, 1) * x).apply_function(Func::Exp));
        assert!(!matches!(verdict, Verdict::Refuted { .. }), "{k}: {verdict:?}");
    }
    let wrong = prove(
        &g,
        x.apply_function(Func::Exp) * x.apply_function(Func::Exp),
        (n(3, 1) * x).apply_function(Func::Exp),
    );
    assert!(matches!(wrong, Verdict::Refuted { .. }), "{wrong:?}");
}

#[test]
fn closed_forms_of_nested_functions_end() {
    use dqdt_equations::symbolic::{Simplified, closed_forms};
    let g = Graph::new();
    let (mut f, y) = (q(&g, 0), q(&g, 1));
    for _ in 0..40 {
        f = (f + f * y).apply_function(Func::Tanh);
    }
    let forms = closed_forms(&Expressions::new(&g, &[f.id(&g)]), &Assumptions::default()).unwrap();
    assert!(
        matches!(&forms[0], Simplified::Missing { reason: Reason::TooLarge { .. } }),
        "{:?}",
        forms.len()
    );
}
