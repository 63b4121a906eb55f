//! Emitted families: loops over the indices give what the flattened code of each member gives, and run for n = 100.

use dqdt::Singular;
use dqdt_codegen::functions;
use dqdt_codegen::internal::algebra::Number;
use dqdt_codegen::internal::base::Random;
use dqdt_codegen::internal::formalism::{self, Formalism};
use dqdt_codegen::internal::ir::{Arguments, Machine, Program};
use dqdt_codegen::internal::mechanism::Environment;
use dqdt_codegen::internal::symbols::free_parameters;
use dqdt_codegen::internal::{kinematics, mechanism};
use dqdt_codegen::pipeline;
use dqdt_codegen::pipeline::Request;
use dqdt_codegen::read::Settings;
use dqdt_tests::root;

/// `phi12_dot` is (`phi_dot`, 12); a name without a number is a scalar.
fn split(name: &str) -> (String, usize) {
    let Some(end) = name.rfind(|c: char| c.is_ascii_digit()).map(|i| i + 1) else {
        return (name.to_owned(), 0);
    };
    let start = name[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let stem = format!("{}{}", name[..start].trim_end_matches('_'), &name[end..]);
    (stem, name[start..end].parse().unwrap())
}

/// Access to the fields of an emitted struct by the names of the spec.
macro_rules! fields {
    ($type:ty; $($scalar:ident = $name:literal),*; $($array:ident),*) => {
        impl<const N: usize> Fields for $type {
            fn place(&mut self, name: &str) -> &mut f64 {
                match name {
                    $($name => return &mut self.$scalar,)*
                    _ => {}
                }
                let _place = split(name);
                $(if _place.0 == stringify!($array) { return &mut self.$array[_place.1 - 1]; })*
                panic!("no field for {name}")
            }
        }
    };
}

trait Fields {
    fn place(&mut self, name: &str) -> &mut f64;
}

/// One emitted family.
trait Family {
    type Model: Fields + Default;
    type Coordinates: Fields + Default;
    type Speeds: Fields + Default;
    type Inputs: Fields + Default;
    fn dqdt(
        model: &Self::Model,
        q: &Self::Coordinates,
        v: &Self::Speeds,
        u: &Self::Inputs,
    ) -> Result<(Self::Coordinates, Self::Speeds), Singular>;
}

macro_rules! family {
    ($module:ident, $name:ident, $d:expr; $parameters:tt $coordinates:tt $speeds:tt $inputs:tt) => {
        mod $module {
            pub use dqdt_generated::$module::*;
        }
        family!(@fields $module Parameters $parameters);
        family!(@fields $module Coordinates $coordinates);
        family!(@fields $module Speeds $speeds);
        family!(@fields $module Inputs $inputs);
        struct $name<const N: usize, const D: usize>;
        impl<const N: usize, const D: usize> Family for $name<N, D> {
            type Model = $module::Parameters<f64, N>;
            type Coordinates = $module::Coordinates<f64, N>;
            type Speeds = $module::Speeds<f64, N>;
            type Inputs = $module::Inputs<f64, N>;
            fn dqdt(
                model: &Self::Model,
                q: &Self::Coordinates,
                v: &Self::Speeds,
                u: &Self::Inputs,
            ) -> Result<(Self::Coordinates, Self::Speeds), Singular> {
                $module::dqdt::<f64, N, D>(model, 0.0, q, v, u)
            }
        }
    };
    (@fields $module:ident $type:ident ($($scalar:ident = $text:literal),*; $($array:ident),*)) => {
        fields!($module::$type<f64, N>; $($scalar = $text),*; $($array),*);
    };
}

family!(family_chain, Chain, N; (g = "g"; m, l, J) (; q) (; q_dot) (;));
family!(family_chain_absolute, Absolute, N; (g = "g"; m, l, J) (; theta) (; theta_dot) (;));
family!(family_cart_pendulums, Cart, N + 1;
    (g = "g", d = "d", m0 = "m0"; m, l, J) (x = "x"; phi) (x_dot = "x_dot"; phi_dot) (force = "force";));
family!(family_star, Star, N + 3;
    (m0 = "m0", J0 = "J0", r = "r"; m, l, J, gamma) (x = "x", y = "y", theta = "theta"; q)
    (x_dot = "x_dot", y_dot = "y_dot", theta_dot = "theta_dot"; q_dot) (;));
family!(family_snowboarder_edge, Edge, 2 * N + 2;
    (g1 = "g1", g2 = "g2", m0 = "m0", I0 = "I0"; m, l, n, I) (x = "x", y = "y", phi0 = "phi0"; phi, psi)
    (x_dot = "x_dot", phi0_dot = "phi0_dot"; phi_dot, psi_dot) (M0 = "M0"; M_phi, M_psi));

fn program(family: &str, n: usize) -> Program {
    let path = root(&format!("examples/specs/families/{family}.toml"));
    let loaded = pipeline::load_with(&path, &Settings::new().set("n", n as i64)).unwrap();
    let request = Request { formalism: Formalism::Kane, functions: vec![functions::DQDT] };
    pipeline::program(&loaded, &request)
}

/// The largest relative difference of `dx` over some random states and parameters. `dependent` speeds are not in the
/// family: they are the rates of the coordinates given with them.
fn difference<F: Family>(family: &str, n: usize, dependent: &[(&str, &str)]) -> f64 {
    let program = program(family, n);
    let mut machine = Machine::new(&program, functions::DQDT).unwrap();
    let mut random = Random::new(n as u64);
    let mut worst: f64 = 0.0;
    for _ in 0..3 {
        let mut a = Arguments::defaults(&program);
        let (mut model, mut q, mut v, mut u) =
            (F::Model::default(), F::Coordinates::default(), F::Speeds::default(), F::Inputs::default());
        for (x, slot) in a.p.iter_mut().zip(&program.layout.p) {
            *x = 0.5 + random.within(0.0, 1.0);
            *model.place(&slot.name) = *x;
        }
        let mut state = Vec::new();
        for slot in &program.layout.q {
            let x = random.within(0.0, 1.0) - 0.5;
            state.push(x);
            *q.place(&slot.name) = x;
        }
        let speeds: Vec<String> = program.layout.v.iter().map(|s| s.name.clone()).collect();
        for name in &speeds {
            let x = 2.0 * random.within(0.0, 1.0) - 1.0;
            state.push(x);
            if dependent.iter().all(|(d, _)| d != name) {
                *v.place(name) = x;
            }
        }
        for (x, slot) in a.u.iter_mut().zip(&program.layout.u) {
            *x = random.within(0.0, 1.0) - 0.5;
            *u.place(&slot.name) = *x;
        }
        let nq = program.layout.q.len();
        let (mut dq, mut dv) = F::dqdt(&model, &q, &v, &u).unwrap();
        for (speed, coordinate) in dependent {
            let at = speeds.iter().position(|s| s == speed).unwrap();
            state[nq + at] = *dq.place(coordinate);
        }
        a.set_state(&state);
        let flat = machine.call(&a).unwrap().to_vec();
        let scale = flat.iter().fold(1.0f64, |s, x| s.max(x.abs()));
        for (slot, x) in program.layout.q.iter().zip(&flat) {
            worst = worst.max((*dq.place(&slot.name) - x).abs() / scale);
        }
        for (name, x) in speeds.iter().zip(&flat[nq..]) {
            if dependent.iter().all(|(d, _)| d != name) {
                worst = worst.max((*dv.place(name) - x).abs() / scale);
            }
        }
    }
    worst
}

macro_rules! agrees {
    ($family:literal, $type:ident, $dependent:expr; $($n:literal $d:literal),*) => {
        $({
            let worst = difference::<$type<$n, $d>>($family, $n, $dependent);
            println!("{} n = {}: {worst:.1e}", $family, $n);
            assert!(worst < 1e-12, "{} n = {}: {worst:e}", $family, $n);
        })*
    };
}

#[test]
fn chains_agree_with_the_flattened_code() {
    agrees!("chain", Chain, &[]; 1 1, 2 2, 3 3, 4 4, 5 5, 6 6, 7 7, 8 8);
    agrees!("chain_absolute", Absolute, &[]; 1 1, 2 2, 3 3, 4 4, 5 5, 6 6, 7 7, 8 8);
}

#[test]
fn pendulums_on_a_cart_agree_with_the_flattened_code() {
    agrees!("cart_pendulums", Cart, &[]; 1 2, 2 3, 3 4, 4 5, 5 6, 6 7, 7 8, 8 9);
}

#[test]
fn stars_agree_with_the_flattened_code() {
    agrees!("star", Star, &[]; 1 4, 2 5, 3 6, 4 7, 5 8, 6 9, 7 10, 8 11);
}

#[test]
fn snowboarders_agree_with_the_flattened_code() {
    let dependent = [("y_dot", "y")];
    agrees!("snowboarder_edge", Edge, &dependent; 1 4, 2 6, 3 8, 4 10, 5 12, 6 14, 7 16, 8 18);
}

/// A matrix of 203 × 203 doubles and its copies need more than a test thread has.
#[test]
fn a_hundred_links_run_and_agree() {
    let run = || {
        agrees!("chain_absolute", Absolute, &[]; 100 100);
        agrees!("cart_pendulums", Cart, &[]; 100 101);
        agrees!("star", Star, &[]; 100 103);
        let rest = snowboarder_of_a_hundred();
        println!("snowboarder n = 100: {rest:.1e}");
        assert!(rest < 1e-12, "{rest:e}");
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(run).unwrap().join().unwrap();
}

/// The flattened code of 203 speeds would be too long: `M v̇ + c − Q` by Kane over doubles, at the accelerations of the
/// family, along the speeds that the edge leaves, relative to the largest force.
fn snowboarder_of_a_hundred() -> f64 {
    const N: usize = 100;
    const D: usize = 2 * N + 2;
    let path = root("examples/specs/families/snowboarder_edge.toml");
    let loaded = pipeline::load_with(&path, &Settings::new().set("n", N as i64)).unwrap();
    let m = &loaded.mechanism;
    let mut random = Random::new(77);
    let mut model = <Edge<N, D> as Family>::Model::default();
    let mut q = <Edge<N, D> as Family>::Coordinates::default();
    let mut v = <Edge<N, D> as Family>::Speeds::default();
    let mut number = |place: &mut f64| {
        *place = 0.5 + 0.5 * random.within(0.0, 1.0);
        *place
    };
    let free: Vec<f64> = free_parameters(m).iter().map(|name| number(model.place(name))).collect();
    let angles: Vec<f64> = m.coordinates.iter().map(|c| number(q.place(&c.name))).collect();
    let is_y = |s: &mechanism::Speed| s.name == "y_dot";
    for s in m.speeds.iter().filter(|s| !is_y(s)) {
        number(v.place(&s.name));
    }
    // ẏ = ẋ tan φ₀ and its rate.
    let (x_dot, turn, heading) = (*v.place("x_dot"), *v.place("phi0_dot"), *q.place("phi0"));
    let slope = heading.tan();
    let of = |v: &mut <Edge<N, D> as Family>::Speeds, y: f64| -> Vec<f64> {
        m.speeds.iter().map(|s| if is_y(s) { y } else { *v.place(&s.name) }).collect()
    };
    let speeds = of(&mut v, x_dot * slope);
    let (_, mut dv) = Edge::<N, D>::dqdt(&model, &q, &v, &Default::default()).unwrap();
    let parameters = kinematics::parameters(m, &Number::to_f64, &free);
    let inputs = vec![0.0; m.inputs.len()];
    let env = Environment {
        number: &Number::to_f64,
        t: 0.0,
        q: &angles,
        v: &speeds,
        z: &[],
        u: &inputs,
        p: &parameters,
    };
    let e = formalism::implicit(Formalism::Kane, m, &env);
    let y = *dv.place("x_dot") * slope + x_dot * turn * (1.0 + slope * slope);
    let a = of(&mut dv, y);
    let scale = e.force.iter().chain(&e.c).fold(1.0f64, |s, x| s.max(x.abs()));
    let left: Vec<f64> = (0..m.nv())
        .map(|i| e.mass[i].iter().zip(&a).map(|(m, a)| m * a).sum::<f64>() + e.c[i] - e.force[i])
        .collect();
    let y = m.speeds.iter().position(is_y).unwrap();
    // The edge acts on ẏ − ẋ tan φ₀ alone.
    let along = |(i, s): (usize, &mechanism::Speed)| match s.name.as_str() {
        "y_dot" => 0.0,
        "x_dot" => left[i] + slope * left[y],
        _ => left[i],
    };
    m.speeds.iter().enumerate().map(along).fold(0.0, |worst: f64, x| worst.max(x.abs())) / scale
}
