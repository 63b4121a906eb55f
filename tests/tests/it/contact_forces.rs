//! Multipliers of nonholonomic examples are forces with names and units: compiled code against
//! Newton's and Euler's laws written by hand.

use dqdt::project_constraints;
use dqdt_diagnostics::base::Random;
use dqdt_tests::root;

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn product(m: &[[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    m.map(|row| row[0] * x[0] + row[1] * x[1] + row[2] * x[2])
}

fn close(a: &[f64], b: &[f64], what: &str) {
    let size = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    let error = a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max) / size;
    assert!(error < 1e-11, "{what}: {a:?} against {b:?}");
}

/// The rotation `Rz(heading) Rx(lean) Ry(roll)` from disc axes to ground axes.
fn attitude(heading: f64, lean: f64, roll: f64) -> [[f64; 3]; 3] {
    let ((s1, c1), (s2, c2), (s3, c3)) = (heading.sin_cos(), lean.sin_cos(), roll.sin_cos());
    [
        [c1 * c3 - s1 * s2 * s3, -s1 * c2, c1 * s3 + s1 * s2 * c3],
        [s1 * c3 + c1 * s2 * s3, c1 * c2, s1 * s3 - c1 * s2 * c3],
        [-c2 * s3, s2, c2 * c3],
    ]
}

fn vector_at(from: usize, x: &[f64]) -> [f64; 3] {
    [x[from], x[from + 1], x[from + 2]]
}

#[test]
fn the_force_on_a_rolling_disc_is_what_newton_and_euler_ask_for() {
    use dqdt_generated::rolling_disc as m;
    let model = m::Model::<f64>::default();
    let (g, mass, r) = (9.81, 1.0, 0.2);
    let inertia = [mass * r * r / 4.0, mass * r * r / 2.0, mass * r * r / 4.0];
    let mut draw = Random::new(1);
    let mut sideways = 0.0f64;
    for case in 0..50 {
        let mut x = m::START;
        x[..6].iter_mut().for_each(|x| *x += 0.6 * draw.next_signed());
        x[6..].iter_mut().for_each(|x| *x += 4.0 * draw.next_signed());
        project_constraints(&model, 0.0, &mut x, 1e-14).unwrap();
        let mut dx = [f64::NAN; m::NX];
        model.dqdt(0.0, &x, &[], &mut dx).unwrap();
        let mut contact = m::Multipliers::default();
        model.multipliers(0.0, &x, &[], &mut contact).unwrap();
        // Heading and the direction across it: axes of the wheel in the plane.
        let (s, c) = x[3].sin_cos();
        let [along, across] = [contact.contact_f_along, contact.contact_f_across];
        let force = [c * along - s * across, s * along + c * across, contact.contact_fn];
        sideways = sideways.max(force[0].abs()).max(force[1].abs());

        // m a = F + m g, in ground axes.
        let a = vector_at(m::V_VX, &dx);
        let needed = [mass * a[0], mass * a[1], mass * a[2] + mass * g];
        close(&force, &needed, &format!("case {case}: Newton"));

        // The moment of F about the centre changes the angular momentum, here in disc
        // axes: I ω̇ + ω × I ω.
        let rotation = attitude(x[m::Q_HEADING], x[m::Q_LEAN], x[m::Q_ROLL]);
        let transposed: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| rotation[j][i]));
        let axle = [rotation[0][1], rotation[1][1], rotation[2][1]];
        // The steepest downward direction in the plane of the disc.
        let down = axle.map(|n| n * axle[2]);
        let down = [down[0], down[1], down[2] - 1.0];
        let length = down.iter().map(|x| x * x).sum::<f64>().sqrt();
        let arm = down.map(|x| r * x / length);
        let (w, rate) = (vector_at(m::V_WX, &x), vector_at(m::V_WX, &dx));
        let momentum: [f64; 3] = std::array::from_fn(|i| inertia[i] * w[i]);
        let turning = cross(w, momentum);
        let change: [f64; 3] = std::array::from_fn(|i| inertia[i] * rate[i] + turning[i]);
        close(&product(&transposed, cross(arm, force)), &change, &format!("case {case}: Euler"));

        // The contact point is at rest.
        let slip = cross(product(&rotation, w), arm);
        let v = vector_at(m::V_VX, &x);
        close(&[v[0] + slip[0], v[1] + slip[1], v[2] + slip[2]], &[0.0; 3], &format!("case {case}: slip"));
        close(&[x[m::Q_Z]], &[-arm[2]], &format!("case {case}: height"));
    }
    assert!(sideways > 1.0, "the contact never pushes sideways");
}

#[test]
fn the_force_on_the_blade_of_a_sleigh_is_what_newton_and_euler_ask_for() {
    use dqdt_generated::chaplygin_sleigh as m;
    let model = m::Model::<f64>::default();
    let (mass, inertia, ahead) = (1.0, 0.1, 0.3);
    let mut draw = Random::new(2);
    for case in 0..50 {
        let mut x = m::START;
        x.iter_mut().for_each(|x| *x += 2.0 * draw.next_signed());
        project_constraints(&model, 0.0, &mut x, 1e-14).unwrap();
        let mut dx = [f64::NAN; m::NX];
        model.dqdt(0.0, &x, &[], &mut dx).unwrap();
        let mut contact = m::Multipliers::default();
        model.multipliers(0.0, &x, &[], &mut contact).unwrap();
        let (s, c) = x[m::Q_THETA].sin_cos();
        let (w, turn) = (x[m::V_THETA_DOT], dx[m::V_THETA_DOT]);
        // The centre of mass: a + ω̇ × r − ω² r.
        let a = [
            dx[m::V_X_DOT] - ahead * (turn * s + w * w * c),
            dx[m::V_Y_DOT] + ahead * (turn * c - w * w * s),
        ];
        let force = [-s * contact.blade, c * contact.blade];
        close(&force, &a.map(|a| mass * a), &format!("case {case}: Newton"));
        close(&[-ahead * contact.blade], &[inertia * turn], &format!("case {case}: Euler"));
        let slip = -s * x[m::V_X_DOT] + c * x[m::V_Y_DOT];
        close(&[slip], &[0.0], &format!("case {case}: slip"));
    }
}

#[test]
fn contact_forces_have_names_and_units() {
    let expected: [(&str, &[&str]); 5] = [
        ("rolling_disc", &["contact_f_along", "contact_f_across", "contact_fn"]),
        ("chaplygin_sleigh", &["blade"]),
        ("ball_on_turntable", &["contact_fx", "contact_fy", "contact_fn"]),
        ("snakeboard", &["wheels_front", "wheels_back"]),
        ("car_with_trailers", &["rear", "front", "axle_first", "axle_second"]),
    ];
    for (name, forces) in expected {
        let text = std::fs::read_to_string(root(&format!("generated/src/{name}.rs"))).unwrap();
        let (_, body) = text.split_once("    Multipliers {\n").unwrap();
        let (body, _) = body.split_once("\n    }").unwrap();
        let entries: Vec<&str> = body.split(";\n").map(|e| e.trim().trim_end_matches(';')).collect();
        let fields: Vec<&str> = entries.iter().filter_map(|e| Some(e.split_once(':')?.0.trim())).collect();
        assert_eq!(fields, forces, "{name}");
        for entry in entries {
            assert!(entry.contains("force") && entry.ends_with("in `N`\""), "{name}: {entry}");
        }
    }
}
