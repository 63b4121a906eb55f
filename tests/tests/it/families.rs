//! Emitted families: loops over indices agree with the flattened code of each member,
//! and run for n = 100.

use dqdt::{Cause, Singular, System};
use dqdt_algebra::Number;
use dqdt_codegen::functions;
use dqdt_codegen::pipeline;
use dqdt_codegen::pipeline::Request;
use dqdt_codegen::read::Settings;
use dqdt_derivation::symbols::free_parameter_names;
use dqdt_diagnostics::base::Random;
use dqdt_generated::{
    family_cart_pendulums, family_chain, family_chain_absolute, family_snowboarder_edge, family_star,
};
use dqdt_graph::ir::{Arguments, Machine, Program};
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::mechanism::{Environment, Partition};
use dqdt_mechanics::{kinematics, mechanism};
use dqdt_samples::tier;
use dqdt_tests::root;

/// Splits `phi12_dot` into (`phi_dot`, 12); a name without a number is a scalar.
fn split(name: &str) -> (String, usize) {
    let Some(end) = name.rfind(|c: char| c.is_ascii_digit()).map(|i| i + 1) else {
        return (name.to_owned(), 0);
    };
    let start = name[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let stem = format!("{}{}", name[..start].trim_end_matches('_'), &name[end..]);
    (stem, name[start..end].parse().unwrap())
}

/// Access to the parameters of a family by their names in the spec.
trait Fields {
    fn place(&mut self, name: &str) -> &mut f64;
}

/// A group of array entries: its name, and whether there is one entry per index.
type EntryKind = (&'static str, bool);

/// Index of a name in an array of a family.
fn place(kinds: &[EntryKind], n: usize, name: &str) -> usize {
    let stem = split(name);
    let mut first = 0;
    for (kind, indexed) in kinds {
        match indexed {
            false if *kind == name => return first,
            true if *kind == stem.0 => return first + stem.1 - 1,
            _ => first += if *indexed { n } else { 1 },
        }
    }
    panic!("no entry for {name}")
}

/// One member of an emitted family: its sizes, its layout and its `dqdt`.
trait EmittedFamily {
    type Params: Fields + Default;
    const N: usize;
    /// Numbers of coordinates, speeds and inputs.
    const SIZES: [usize; 3];
    const STATE: &[EntryKind];
    const INPUTS: &[EntryKind];
    fn dqdt(params: Self::Params, x: &[f64], u: &[f64]) -> Result<Vec<f64>, Singular>;
}

macro_rules! family {
    ($module:ident, $name:ident; ($($scalar:ident = $text:literal),*; $($array:ident),*)
        [$(($kind:literal, $indexed:literal)),*] [$(($input:literal, $of_input:literal)),*]) => {
        impl<const N: usize> Fields for $module::Params<f64, N> {
            fn place(&mut self, name: &str) -> &mut f64 {
                match name {
                    $($text => return &mut self.$scalar,)*
                    _ => {}
                }
                let place = split(name);
                $(if place.0 == stringify!($array) { return &mut self.$array[place.1 - 1]; })*
                panic!("no field for {name}")
            }
        }
        struct $name<const N: usize, const NV: usize, const NX: usize, const NU: usize>;
        impl<const N: usize, const NV: usize, const NX: usize, const NU: usize> EmittedFamily for $name<N, NV, NX, NU> {
            type Params = $module::Params<f64, N>;
            const N: usize = N;
            const SIZES: [usize; 3] = [$module::nq(N), $module::nv(N), $module::nu(N)];
            const STATE: &[EntryKind] = &[$(($kind, $indexed)),*];
            const INPUTS: &[EntryKind] = &[$(($input, $of_input)),*];
            fn dqdt(params: Self::Params, x: &[f64], u: &[f64]) -> Result<Vec<f64>, Singular> {
                let mut model = $module::Model::<f64, N, NV>::default();
                model.set_params(params);
                let (x, u): (&[f64; NX], &[f64; NU]) = (x.try_into().unwrap(), u.try_into().unwrap());
                let mut dx = [f64::NAN; NX];
                let result = model.dqdt(0.0, x, u, &mut dx);
                if result.is_err() {
                    assert_eq!(dx, [0.0; NX], "a singular pose has no derivative");
                } else {
                    // The traits for integrators and controllers give the same results.
                    let mut again = [f64::NAN; NX];
                    System::dqdt(&model, 0.0, x, u, &mut again)?;
                    assert_eq!(again, dx);
                    again = [7.0; NX];
                    System::<f64, NX, NU>::coordinate_rates(&model, 0.0, x, &mut again)?;
                    let nq = $module::nq(N);
                    assert_eq!(again[..nq], dx[..nq]);
                    assert!(again[nq..].iter().all(|x| *x == 7.0));
                }
                result.map(|()| dx.to_vec())
            }
        }
    };
}

family!(family_chain, Chain; (g = "g"; m, l, J) [("q", true), ("q_dot", true)] []);
family!(family_chain_absolute, Absolute; (g = "g"; m, l, J) [("theta", true), ("theta_dot", true)] []);
family!(family_cart_pendulums, Cart; (g = "g", d = "d", m0 = "m0"; m, l, J)
    [("x", false), ("phi", true), ("x_dot", false), ("phi_dot", true)] [("force", false)]);
family!(family_star, Star; (m0 = "m0", J0 = "J0", r = "r"; m, l, J, gamma)
    [("x", false), ("y", false), ("theta", false), ("q", true),
     ("x_dot", false), ("y_dot", false), ("theta_dot", false), ("q_dot", true)] []);
family!(family_snowboarder_edge, Edge; (g1 = "g1", g2 = "g2", m0 = "m0", I0 = "I0"; m, l, n, I)
    [("x", false), ("y", false), ("phi0", false), ("phi", true), ("psi", true),
     ("x_dot", false), ("phi0_dot", false), ("phi_dot", true), ("psi_dot", true)]
    [("M0", false), ("M_phi", true), ("M_psi", true)]);

/// The type of the member of a family with size `n`.
macro_rules! member {
    ($module:ident $type:ident $n:expr) => {
        $type<{ $n }, { $module::nv($n) }, { $module::nx($n) }, { $module::nu($n) }>
    };
}

fn program(family: &str, n: usize) -> Program {
    let path = root(&format!("examples/specs/families/{family}.toml"));
    let loaded = pipeline::load_with(&path, &Settings::new().set("n", n as i64)).unwrap();
    let request = Request::new(Formalism::Kane, vec![functions::DQDT]);
    pipeline::program(&loaded, &request)
}

/// Index of a name in the state of a family.
fn state_entry<F: EmittedFamily>(name: &str) -> usize {
    place(F::STATE, F::N, name)
}

/// The largest relative difference of `dx` from the flattened code, over random states and
/// parameters. `dependent` speeds are absent from the family: they are the rates of the coordinates
/// listed with them.
fn difference<F: EmittedFamily>(family: &str, dependent: &[(&str, &str)]) -> f64 {
    let program = program(family, F::N);
    let l = &program.layout;
    assert_eq!(F::SIZES, [l.q.len(), l.v.len() - dependent.len(), l.u.len()], "{family}");
    let mut machine = Machine::new(&program, functions::DQDT).unwrap();
    let mut random = Random::new(F::N as u64);
    let mut worst: f64 = 0.0;
    for _ in 0..3 {
        let mut a = Arguments::defaults(&program);
        let (mut params, mut state_of_family) = (F::Params::default(), vec![0.0; F::SIZES[0] + F::SIZES[1]]);
        let mut u = vec![0.0; F::SIZES[2]];
        for (x, slot) in a.p.iter_mut().zip(&l.p) {
            *x = 0.5 + random.next_between(0.0, 1.0);
            *params.place(&slot.name) = *x;
        }
        let mut state = Vec::new();
        for slot in &l.q {
            let x = random.next_between(0.0, 1.0) - 0.5;
            state.push(x);
            state_of_family[state_entry::<F>(&slot.name)] = x;
        }
        let speeds: Vec<String> = l.v.iter().map(|s| s.name.clone()).collect();
        for name in &speeds {
            let x = 2.0 * random.next_between(0.0, 1.0) - 1.0;
            state.push(x);
            if dependent.iter().all(|(d, _)| d != name) {
                state_of_family[state_entry::<F>(name)] = x;
            }
        }
        for (x, slot) in a.u.iter_mut().zip(&l.u) {
            *x = random.next_between(0.0, 1.0) - 0.5;
            u[place(F::INPUTS, F::N, &slot.name)] = *x;
        }
        let nq = l.q.len();
        let dx = F::dqdt(params, &state_of_family, &u).unwrap();
        for (speed, coordinate) in dependent {
            let at = speeds.iter().position(|s| s == speed).unwrap();
            state[nq + at] = dx[state_entry::<F>(coordinate)];
        }
        a.set_state(&state);
        let flat = machine.call(&a).unwrap().to_vec();
        let scale = flat.iter().fold(1.0f64, |s, x| s.max(x.abs()));
        for (slot, x) in l.q.iter().zip(&flat) {
            worst = worst.max((dx[state_entry::<F>(&slot.name)] - x).abs() / scale);
        }
        for (name, x) in speeds.iter().zip(&flat[nq..]) {
            if dependent.iter().all(|(d, _)| d != name) {
                worst = worst.max((dx[state_entry::<F>(name)] - x).abs() / scale);
            }
        }
    }
    worst
}

/// Checks that default parameters are those of the spec.
fn assert_same_defaults<F: EmittedFamily>(family: &str) {
    let program = program(family, F::N);
    let mut params = F::Params::default();
    assert!(!program.layout.p.is_empty());
    for slot in &program.layout.p {
        let x = *params.place(&slot.name);
        let difference = (x - slot.value).abs();
        assert!(
            difference <= 4.0 * f64::EPSILON * x.abs(),
            "{family}, {}: {x} for {}",
            slot.name,
            slot.value
        );
    }
}

macro_rules! agrees {
    ($family:literal, $module:ident $type:ident, $dependent:expr; $($n:literal),*) => {
        $({
            let worst = difference::<member!($module $type $n)>($family, $dependent);
            println!("{} n = {}: {worst:.1e}", $family, $n);
            assert!(worst < 1e-12, "{} n = {}: {worst:e}", $family, $n);
            assert_same_defaults::<member!($module $type $n)>($family);
        })*
    };
}

#[test]
fn chains_agree_with_the_flattened_code() {
    agrees!("chain", family_chain Chain, &[]; 1, 2, 3, 4, 5, 6, 7, 8);
    agrees!("chain_absolute", family_chain_absolute Absolute, &[]; 1, 2, 3, 4, 5, 6, 7, 8);
}

#[test]
fn pendulums_on_a_cart_agree_with_the_flattened_code() {
    agrees!("cart_pendulums", family_cart_pendulums Cart, &[]; 1, 2, 3, 4, 5, 6, 7, 8);
}

#[test]
fn stars_agree_with_the_flattened_code() {
    agrees!("star", family_star Star, &[]; 1, 2, 3, 4, 5, 6, 7, 8);
}

#[test]
fn snowboarders_agree_with_the_flattened_code() {
    agrees!("snowboarder_edge", family_snowboarder_edge Edge, &[("y_dot", "y")]; 1, 2, 3, 4, 5, 6, 7, 8);
}

#[test]
fn a_family_without_mass_is_singular() {
    let params = family_chain::Params { m: [0.0; 2], J: [0.0; 2], ..Default::default() };
    let result = <member!(family_chain Chain 2)>::dqdt(params, &[0.1; 4], &[]);
    assert_eq!(result.map_err(|e| e.cause), Err(Cause::Row(0)));
}

fn check_hundred_links() {
    agrees!("star", family_star Star, &[]; 100);
    if tier::is_full_tier() {
        agrees!("chain_absolute", family_chain_absolute Absolute, &[]; 100);
        agrees!("cart_pendulums", family_cart_pendulums Cart, &[]; 100);
        let rest = residual_of_a_hundred_links();
        println!("snowboarder n = 100: {rest:.1e}");
        assert!(rest < 1e-12, "{rest:e}");
    }
}

/// A matrix of 203 × 203 doubles and its copies exceed the default stack of a test thread.
#[test]
fn a_hundred_links_run_and_agree() {
    std::thread::Builder::new().stack_size(64 << 20).spawn(check_hundred_links).unwrap().join().unwrap();
}

fn is_y_speed(s: &mechanism::Speed) -> bool {
    s.name == "y_dot"
}

/// Relative residual of `M v̇ + c − Q` by Kane in doubles, at the accelerations of the family,
/// along the speeds that the edge allows. The flattened code of 203 speeds would be too long.
fn residual_of_a_hundred_links() -> f64 {
    const N: usize = 100;
    type EdgeMember = member!(family_snowboarder_edge Edge N);
    let entry = |name: &str| place(EdgeMember::STATE, N, name);
    let path = root("examples/specs/families/snowboarder_edge.toml");
    let loaded = pipeline::load_with(&path, &Settings::new().set("n", N as i64)).unwrap();
    let m = &loaded.mechanism;
    let mut random = Random::new(77);
    let mut params = <EdgeMember as EmittedFamily>::Params::default();
    let mut x = vec![0.0; family_snowboarder_edge::nx(N)];
    let mut number = |place: &mut f64| {
        *place = 0.5 + 0.5 * random.next_between(0.0, 1.0);
        *place
    };
    let free: Vec<f64> = free_parameter_names(m).iter().map(|name| number(params.place(name))).collect();
    let angles: Vec<f64> = m.coordinates.iter().map(|c| number(&mut x[entry(&c.name)])).collect();
    for s in m.speeds.iter().filter(|s| !is_y_speed(s)) {
        number(&mut x[entry(&s.name)]);
    }
    // ẏ = ẋ tan φ₀ and its rate.
    let (x_dot, turn, heading) = (x[entry("x_dot")], x[entry("phi0_dot")], x[entry("phi0")]);
    let slope = heading.tan();
    let all_speeds = |x: &[f64], y: f64| -> Vec<f64> {
        m.speeds.iter().map(|s| if is_y_speed(s) { y } else { x[entry(&s.name)] }).collect()
    };
    let speeds = all_speeds(&x, x_dot * slope);
    let dx = EdgeMember::dqdt(params, &x, &vec![0.0; m.inputs.len()]).unwrap();
    let parameters = kinematics::evaluate_parameters(m, &Number::to_f64, &free);
    let inputs = vec![0.0; m.inputs.len()];
    let env = Environment {
        number: &Number::to_f64,
        t: 0.0,
        q: &angles,
        v: &speeds,
        z: &[],
        u: &inputs,
        p: &parameters,
        named: &[],
        measures: &[],
        regrouped: &[],
        formulation: None,
        partition: Partition::ALL_ROWS,
    };
    let e = formalism::implicit_equations(Formalism::Kane, m, &env);
    let y = dx[entry("x_dot")] * slope + x_dot * turn * (1.0 + slope * slope);
    let a = all_speeds(&dx, y);
    let scale = e.force.iter().chain(&e.c).fold(1.0f64, |s, x| s.max(x.abs()));
    let left: Vec<f64> = (0..m.nv())
        .map(|i| e.mass[i].iter().zip(&a).map(|(m, a)| m * a).sum::<f64>() + e.c[i] - e.force[i])
        .collect();
    let y = m.speeds.iter().position(is_y_speed).unwrap();
    // The edge acts on ẏ − ẋ tan φ₀ only.
    let residuals = m.speeds.iter().enumerate().map(|(i, s)| match s.name.as_str() {
        "y_dot" => 0.0,
        "x_dot" => left[i] + slope * left[y],
        _ => left[i],
    });
    residuals.fold(0.0, |worst: f64, x| worst.max(x.abs())) / scale
}
