//! The hand-written modules in `docs/specimen` compile, agree with the emitted ones, and have mass
//! matrices and energies consistent with their accelerations.
//!
//! `½ vᵀ M v = T` at random speeds checks every entry of M; the exact rate of `T + V` along the
//! motion equals the power of inputs and friction, which checks V.

use dqdt::{Dual, Real, System};

#[allow(non_snake_case, dead_code, clippy::similar_names, clippy::too_many_lines, missing_docs)]
#[path = "../../../docs/specimen/cart_pole.rs"]
mod cart_pole;
#[allow(non_snake_case, dead_code, clippy::similar_names, clippy::too_many_lines, missing_docs)]
#[path = "../../../docs/specimen/kane_two_body.rs"]
mod kane_two_body;
#[allow(non_snake_case, dead_code, clippy::similar_names, clippy::too_many_lines, missing_docs)]
#[path = "../../../docs/specimen/snowboarder1.rs"]
mod snowboarder1;

/// Random numbers in [-1, 1), the same in every run.
struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn array<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.next())
    }
}

fn close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-11 * (1.0 + a.abs().max(b.abs())), "{what}: {a:e} against {b:e}");
}

macro_rules! check {
    ($name:ident, $constraint:expr, $power:expr) => {{
        use self::$name as by_hand;
        const NX: usize = by_hand::NX;
        let (model, emitted) =
            (by_hand::Model::new(by_hand::Params::default()), dqdt_generated::$name::Model::<f64>::default());
        let mut numbers = Seeded(7);
        for _ in 0..200 {
            let mut x: [f64; NX] = numbers.array();
            let u: [f64; by_hand::NU] = numbers.array();
            $constraint(&mut x);
            let (mut dx, mut expected) = ([0.0; NX], [0.0; NX]);
            model.dqdt(0.3, &x, &u, &mut dx).unwrap();
            System::dqdt(&emitted, 0.3, &x, &u, &mut expected).unwrap();
            for (i, (a, b)) in dx.iter().zip(expected).enumerate() {
                close(*a, b, &format!("{} dx[{i}]", stringify!($name)));
            }

            let (mut mass, mut energy) = ([[0.0; by_hand::NV]; by_hand::NV], by_hand::Energy::default());
            model.mass_matrix(0.3, &x, &mut mass);
            model.energy(0.3, &x, &mut energy);
            let v = &x[by_hand::NQ..];
            let form: f64 = (0..by_hand::NV)
                .map(|i| v[i] * (0..by_hand::NV).map(|j| mass[i][j] * v[j]).sum::<f64>())
                .sum();
            close(0.5 * form, energy.kinetic, "½ vᵀMv");
            for i in 0..by_hand::NV {
                for j in 0..i {
                    assert_eq!(mass[i][j].to_bits(), mass[j][i].to_bits());
                }
            }

            // Derivative along the motion, by one dual number: the time.
            let along: [Dual<f64, 1>; NX] =
                std::array::from_fn(|i| Dual { value: x[i], derivatives: [dx[i]] });
            let dual = by_hand::Model::<Dual<f64, 1>>::new(by_hand::Params::default());
            let mut y = by_hand::Energy { kinetic: Dual::<f64, 1>::ZERO, potential: Dual::<f64, 1>::ZERO };
            by_hand::energy(&dual, Dual::<f64, 1>::ZERO, &along, &mut y);
            let rate = y.kinetic.derivatives[0] + y.potential.derivatives[0];
            close(rate, $power(&x, &u), "rate of the energy");
        }
    }};
}

#[test]
fn a_cart_with_a_pole() {
    check!(cart_pole, |_: &mut [f64; 4]| (), |x: &[f64; 4], u: &[f64; 1]| {
        u[0] * x[2] - 0.1 * x[2] * x[2] - 0.002 * x[3] * x[3]
    });
}

#[test]
fn two_bodies_in_space() {
    check!(kane_two_body, |_: &mut [f64; 8]| (), |_: &[f64; 8], _: &[f64; 0]| 0.0);
}

/// The edge does not slip: the velocity is along the ski.
fn project_onto_edge(x: &mut [f64; 10]) {
    let speed = x[5];
    (x[5], x[6]) = (speed * x[2].cos(), speed * x[2].sin());
}

#[test]
fn a_snowboarder_on_an_edge() {
    check!(snowboarder1, project_onto_edge, |x: &[f64; 10], u: &[f64; 3]| u[0] * x[7]
        + u[1] * x[8]
        + u[2] * x[9]);
}
