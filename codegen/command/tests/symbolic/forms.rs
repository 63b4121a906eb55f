//! Closed forms for readers, and their printed text.
use dqdt_algebra::{Cmp, Func, Func2, Number, Ratio, Scalar};
use dqdt_equations::symbolic::{Assumptions, Expressions, closed_forms, parse_text, plain_text};
use dqdt_graph::ir::{Graph, SymbolKind, Tracer, evaluate};

use crate::common::{leaf, value};

struct Leaves<'g>(&'g Graph);

impl<'g> Leaves<'g> {
    fn parameter(&self, i: usize, name: &str) -> Tracer<'g> {
        Tracer::new(self.0, self.0.symbol(name, SymbolKind::Parameter(i)))
    }
    fn coordinate(&self, i: usize, name: &str) -> Tracer<'g> {
        Tracer::new(self.0, self.0.symbol(name, SymbolKind::Coordinate(i)))
    }
    fn speed(&self, i: usize, name: &str) -> Tracer<'g> {
        Tracer::new(self.0, self.0.symbol(name, SymbolKind::Speed(i)))
    }
}

fn n(num: i32, den: u32) -> Tracer<'static> {
    Tracer::ratio(num, den)
}

/// The printed text of the closed form, after it is parsed again and compared with the interpreter.
#[track_caller]
fn form(g: &Graph, x: Tracer<'_>) -> String {
    let expressions = Expressions::new(g, &[x.id(g)]);
    let forms = closed_forms(&expressions, &Assumptions::default()).unwrap();
    let closed = forms[0].closed_form().unwrap_or_else(|| panic!("{forms:?}"));
    let printed = plain_text(closed);
    let back = parse_text(&printed, expressions.symbol_names()).unwrap();
    let wanted = evaluate(g, &[x.id(g)], leaf)[0];
    for c in [closed, &back] {
        let got = value(c, &leaf);
        assert!((got - wanted).abs() <= 1e-12 * wanted.abs().max(1.0), "{printed}: {got} against {wanted}");
    }
    printed
}

#[test]
fn the_length_of_a_spring_stands_below_the_line() {
    let g = Graph::new();
    let s = Leaves(&g);
    let [k, l0, l, h] = [0, 1, 2, 3].map(|i| s.parameter(i, ["k", "l0", "l", "h"][i]));
    let (sn, c) = s.coordinate(0, "theta").sin_cos();
    // A spring from (0, h) to (l cos θ, l sin θ): the force along the circle.
    let (x, y) = (l * c, l * sn - h);
    let length = (x * x + y * y).sqrt();
    let tension = k * (length - l0);
    let effort = tension * (y / length * (l * c) - x / length * (l * sn));
    assert_eq!(form(&g, effort), "k*l*h*cos(theta)*(-1 + l0/sqrt(l^2 + h^2 - 2*l*h*sin(theta)))");
    let length = (n(3, 10) * c + n(1, 2)).sqrt();
    assert_eq!(form(&g, k * (length - l0) * sn / length), "k*sin(theta)*(1 - l0/sqrt(0.5 + 0.3*cos(theta)))");
    // With gravity, the spring term stays together.
    let (dx, dy) = (s.coordinate(1, "x"), s.coordinate(2, "y") - h);
    let length = (dx * dx + dy * dy).sqrt();
    let weight = s.parameter(4, "w");
    assert_eq!(
        form(&g, weight + k * (length - l0) * dy / length),
        "w + k*(-h + y)*(1 - l0/sqrt(-2*h*y + h^2 + x^2 + y^2))"
    );
    let length = (n(3, 10) * c + n(1, 2)).sqrt();
    // Two springs: the printed form has the right value.
    let other = (n(2, 1) - c).sqrt();
    form(&g, k * (length - l0) * sn / length + h * (other - l) * sn / other);
    // A magnitude is kept.
    assert_eq!(form(&g, k * (c * c).sqrt() / c), "k*sqrt(cos(theta)^2)/cos(theta)");
}

#[test]
fn geometry_is_collected_by_mass() {
    let g = Graph::new();
    let s = Leaves(&g);
    let [m1, m2, j1, j2] = [0, 1, 2, 3].map(|i| s.parameter(i, ["m1", "m2", "J1", "J2"][i]));
    let [l, r1, r2] = [4, 5, 6].map(|i| s.parameter(i, ["l", "rho1", "rho2"][i - 4]));
    let (_, c) = s.coordinate(1, "theta2").sin_cos();
    let (sn, _) = s.coordinate(1, "theta2").sin_cos();
    let two = n(2, 1);
    let along = r2 + l * c;
    let m11 = j1 + j2 + m1 * r1 * r1 + m2 * (along * along + l * sn * l * sn);
    assert_eq!(form(&g, m11), "J1 + J2 + m1*rho1^2 + m2*(l^2 + rho2^2 + 2*l*rho2*cos(theta2))");
    let (u, v) = (s.speed(0, "omega1"), s.speed(1, "omega2"));
    let c1 = -(m2 * l * r2 * sn * (two * u * v + v * v));
    assert_eq!(form(&g, c1), "-m2*l*rho2*sin(theta2)*omega2*(2*omega1 + omega2)");
}

#[test]
fn angle_sums_are_put_together() {
    let g = Graph::new();
    let s = Leaves(&g);
    let (a, b, c) = (s.coordinate(0, "phi1"), s.coordinate(1, "phi2"), s.coordinate(2, "phi3"));
    let m = s.parameter(0, "m");
    let ((sa, ca), (sb, cb)) = (a.sin_cos(), b.sin_cos());
    assert_eq!(form(&g, m * (ca * cb + sa * sb)), "m*cos(phi1 - phi2)");
    assert_eq!(form(&g, m * (sb * ca - cb * sa)), "-m*sin(phi1 - phi2)");
    assert_eq!(form(&g, (a + b + c).sin_cos().0 * m), "m*sin(phi1 + phi2 + phi3)");
    assert_eq!(form(&g, sa * sa * n(-1, 1) + n(1, 1)), "cos(phi1)^2");
    assert_eq!(form(&g, ca * ca), "cos(phi1)^2");
    assert_eq!(form(&g, ca * ca - sa * sa), "cos(2*phi1)");
    assert_eq!(form(&g, a.apply_function(Func::Tan)), "tan(phi1)");
    assert_eq!(form(&g, m / ca), "m/cos(phi1)");
    assert_eq!(form(&g, (n(1, 2) * a).sin_cos().1), "cos(1/2*phi1)");
}

#[test]
fn other_forms_print_and_read_back() {
    let g = Graph::new();
    let s = Leaves(&g);
    let (x, y) = (s.coordinate(0, "x"), s.coordinate(1, "y"));
    let (k, m) = (s.parameter(0, "k"), s.parameter(1, "m"));
    assert_eq!(form(&g, n(0, 1) * x), "0");
    assert_eq!(form(&g, (x + y) * (x - y) * k), "k*(x^2 - y^2)");
    assert_eq!(form(&g, (x * x + y * y).sqrt() * k), "k*sqrt(x^2 + y^2)");
    assert_eq!(form(&g, (x * k + x * m).apply_function(Func::Tanh) / (k + m)), "tanh(k*x + m*x)/(k + m)");
    let pi = Tracer::number(&g, Number::pi(Ratio::ONE));
    let root = Tracer::number(&g, Number::integer(2)).sqrt();
    assert_eq!(form(&g, pi * root * x / n(3, 1)), "1/3*pi*sqrt(2)*x");
    assert_eq!(form(&g, (k * x + m * x + k * y + m * y) * n(1, 2)), "1/2*(k + m)*(x + y)");
}

#[test]
fn limits_extremes_magnitudes_and_choices_are_printed_as_they_were_written() {
    let g = Graph::new();
    let s = Leaves(&g);
    let (x, v) = (s.coordinate(0, "x"), s.speed(0, "x_dot"));
    let [f, d, k] = [(0, "f_max"), (1, "d"), (2, "k")].map(|(i, name)| s.parameter(i, name));
    let u = Tracer::new(&g, g.symbol("force", SymbolKind::Input(0)));
    let limited = u.apply_function2(Func2::Max, -f).apply_function2(Func2::Min, f);
    assert_eq!(form(&g, limited - d * v), "-d*x_dot + clamp(force, -f_max, f_max)");
    assert_eq!(form(&g, n(0, 1).apply_function2(Func2::Max, k * x) * d), "d*max(0, k*x)");
    assert_eq!(form(&g, (x * x).apply_function2(Func2::Min, k)), "min(x^2, k)");
    assert_eq!(form(&g, x.apply_function(Func::Abs) * x), "x*abs(x)");
    let stop = Tracer::select(Cmp::Lt, k, x, -(k * (x - d)), n(0, 1));
    assert_eq!(form(&g, stop - v), "-x_dot + if(k < x, d*k - k*x, 0)");
    let stop = Tracer::select(Cmp::Le, x, k, x, n(2, 1));
    assert_eq!(form(&g, stop), "if(x <= k, x, 2)");
    let held = Tracer::new(&g, g.symbol("sat(force)", SymbolKind::Input(1)));
    assert_eq!(form(&g, held - d * v), "sat(force) - d*x_dot");
}

#[test]
fn decimals_stay_decimals_and_are_not_taken_out_of_sums() {
    let g = Graph::new();
    let s = Leaves(&g);
    let (x, v) = (s.coordinate(0, "x"), s.speed(0, "v"));
    let (m, k) = (s.parameter(0, "m"), s.parameter(1, "k"));
    let tanh = (v / k).apply_function(Func::Tanh);
    assert_eq!(form(&g, x - n(1, 2) * v - n(3, 5) * tanh), "x - 0.5*v - 0.6*tanh(v/k)");
    assert_eq!(form(&g, n(2081, 1_000_000) * x), "0.002081*x");
    assert_eq!(form(&g, m * (n(981, 100) * x - n(1, 10) * v)), "m*(9.81*x - 0.1*v)");
    assert_eq!(form(&g, (x + v) * (m * n(1, 20) + n(3, 5) * k)), "(0.05*m + 0.6*k)*(x + v)");
    // Factors from the theory are fractions, and are factored out where that simplifies the rest.
    assert_eq!(form(&g, n(1, 2) * m * v * v), "1/2*m*v^2");
    assert_eq!(form(&g, n(1, 2) * (m * v * v + k * x * x)), "1/2*(m*v^2 + k*x^2)");
    assert_eq!(form(&g, n(1, 3) * m * v * v), "1/3*m*v^2");
    assert_eq!(form(&g, n(25, 1_000_000) * n(1, 1000) * x), "2.5e-8*x");
}

#[test]
fn no_sign_stands_inside_a_product() {
    let g = Graph::new();
    let s = Leaves(&g);
    let [m1, m2, y1, y2, y3, z1, z2, z3] =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|i| s.parameter(i, ["m1", "m2", "y1", "y2", "y3", "z1", "z2", "z3"][i]));
    let wx = s.speed(0, "wx");
    let product = (y1 - y2 + y3) * (z1 - z2 + z3);
    for x in [-(m1 * y1 * z1) - m2 * product, wx * (y2 - y1 - y3) * (z1 - z2 + z3) - wx * product * m2 * wx] {
        let printed = form(&g, x);
        assert!(!printed.contains("(-1)") && !printed.contains("*-"), "{printed}");
        let expressions = Expressions::new(&g, &[x.id(&g)]);
        let closed = closed_forms(&expressions, &Assumptions::default()).unwrap();
        let printed = dqdt_equations::inspect::typeset_closed_form(closed[0].closed_form().unwrap()).latex();
        assert!(!printed.contains(r"\left(-1\right)"), "{printed}");
    }
}

#[test]
fn squares_and_inverses_stay_short() {
    let g = Graph::new();
    let s = Leaves(&g);
    let (x, y) = (s.coordinate(0, "x"), s.coordinate(1, "y"));
    let (k, m) = (s.parameter(0, "k"), s.parameter(1, "m"));
    let c = x.sin_cos().1;
    let along = k + m * c;
    assert_eq!(form(&g, along * along * m), "m*(k + m*cos(x))^2");
    assert_eq!(form(&g, -(x - y) * (x - y) * k), "-k*(x - y)^2");
    // An entry of an inverted 2 × 2 mass matrix.
    let (a, b, d) = (k + m + n(2, 1) * m * c, m + m * c, m);
    assert_eq!(form(&g, d / (a * d - b * b)), "1/(k - m*cos(x)^2)");
    assert_eq!(form(&g, n(1, 1) / (n(1, 1) / x + n(1, 1) / y)), "x*y/(x + y)");
}

#[test]
fn what_all_or_most_terms_share_stands_once() {
    let g = Graph::new();
    let s = Leaves(&g);
    let [m, big, grav, b, d] = [0, 1, 2, 3, 4].map(|i| s.parameter(i, ["m", "M", "g", "b", "d"][i]));
    let force = s.parameter(5, "F_y");
    let [phi, q2, a3] = [0, 1, 2].map(|i| s.coordinate(i, ["phi", "q2", "a3"][i]));
    let [v, w] = [0, 1].map(|i| s.speed(i, ["v", "w"][i]));
    // Weights, and the moment of a force, both with a leading minus sign.
    assert_eq!(form(&g, -m * grav - big * grav), "-g*(m + M)");
    assert_eq!(form(&g, -d * force - b * force * phi.sin_cos().1), "-F_y*(d + b*cos(phi))");
    // A square that two terms share.
    let c3 = a3.sin_cos().1;
    let square = (v + w) * (v + w);
    assert_eq!(form(&g, square + n(15, 1) * c3 * square), "(1 + 15*cos(a3))*(v + w)^2");
    let h = m - big;
    assert_eq!(form(&g, h * h * (v + w) * d), "d*(v + w)*(m - M)^2");
    let ((s2, c2), (s3, c3)) = (q2.sin_cos(), a3.sin_cos());
    assert_eq!(form(&g, s2 * s3 - c2 * c3), "-cos(q2 + a3)");
}

#[test]
fn sums_of_two_variables_are_factors() {
    let g = Graph::new();
    let s = Leaves(&g);
    let two = n(2, 1);
    let [m, n, h, b] = [0, 1, 2, 3].map(|i| s.parameter(i, ["m", "n", "h", "b"][i]));
    let [x, y] = [0, 1].map(|i| s.coordinate(i, ["x", "y"][i]));
    let [v, w] = [0, 1].map(|i| s.speed(i, ["v", "w"][i]));
    let ((sx, cx), sy) = (x.sin_cos(), y.sin_cos().0);
    // A crane: two masses that move together, and a third.
    let together = (m + n) * (two * cx * v * w + sx * (y - h * v * v));
    assert_eq!(
        form(&g, together - n * b * sy * w * w),
        "-n*b*sin(y)*w^2 + (m + n)*(2*cos(x)*v*w + sin(x)*(y - h*v^2))"
    );
    // A piston: its position in the cylinder, once as a square.
    let place = h - y;
    assert_eq!(form(&g, m * place * place + b * place * cx + n), "n + m*(h - y)^2 + b*cos(x)*(h - y)");
}

fn print_form() -> String {
    let g = Graph::new();
    let s = Leaves(&g);
    let angles = [0, 1, 2, 3].map(|i| s.coordinate(i, &format!("q{i}")));
    let sum = angles.iter().fold(n(0, 1), |sum, a| {
        let (sin, cos) = (angles[0] - *a * s.parameter(1, "k")).sin_cos();
        sum + sin * s.speed(0, "v") + cos * s.parameter(0, "m") * (n(1, 2) * *a).sin_cos().0
    });
    form(&g, sum)
}

#[test]
fn the_same_input_gives_the_same_text() {
    let first = print_form();
    for _ in 0..3 {
        assert_eq!(print_form(), first);
    }
}
