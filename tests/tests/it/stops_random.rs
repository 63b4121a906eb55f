//! Random mechanisms with one to six stops: no stall, no penetration, no gain of energy, and one
//! motion by the interpreter and by machine code.

use std::fmt::Write;

use dqdt_codegen::simulate::{NoStart, SimulateError, Simulated, SimulationRequest, Span, simulate};
use dqdt_codegen::{functions, pipeline, read};
use dqdt_graph::ir::{Arguments, Evaluation, Machine};
use dqdt_samples::tier::cases_by_tier;

/// A sequence of random numbers with a fixed seed.
struct SpecDice(u64);

impl SpecDice {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n - 1)
    }

    fn restitution(&mut self) -> f64 {
        [0.0, 0.0, self.between(0.1, 0.7), 0.5][self.below(4)]
    }

    fn vector(&mut self, size: f64) -> String {
        let [x, y, z] = [0; 3].map(|_| self.between(-size, size));
        format!("[{x:.3}, {y:.3}, {z:.3}]")
    }
}

/// A random tree of one to four bodies with damped joints, some of them with stops, and points
/// above planes on the ground or on another body.
fn random_spec(seed: u64) -> String {
    let mut draw = SpecDice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1);
    let mut text = format!("name = \"random{seed}\"\ngravity = [0, 0, -9.81]\n");
    let n = 1 + draw.below(4);
    let mut stops = 1 + draw.below(6);
    for i in 0..n {
        let (mass, arm) = (draw.between(0.2, 3.0), draw.vector(0.2));
        let inertia = [0; 3].map(|_| mass * draw.between(0.03, 0.04));
        let tip = draw.vector(0.4);
        writeln!(
            text,
            "[bodies.b{i}]\nmass = {mass:.3}\ncenter_of_mass = {arm}\ninertia = {inertia:?}\npoints = {{ tip = {tip} }}"
        )
        .unwrap();
    }
    for i in 0..n {
        let parent = if i == 0 { 0 } else { draw.below(i + 1) };
        let parent = if i == 0 || parent == i {
            "\"ground\"".to_owned()
        } else {
            format!("{{ body = \"b{parent}\", at = {} }}", draw.vector(0.3))
        };
        let kind = if draw.below(2) == 0 { "prismatic" } else { "revolute" };
        let axis = ["[0, 0, 1]", "[1, 0, 0.5]", "[0, 1, 1]", "[1, 2, 2]"][draw.below(4)];
        let start = draw.between(-0.3, 0.3);
        let (speed, damping) = (draw.between(-2.0, 2.0), draw.between(0.0, 0.3));
        writeln!(
            text,
            "[joints.j{i}]\ntype = \"{kind}\"\naxis = {axis}\nparent = {parent}\nchild = \"b{i}\"\n\
             coordinates = {{ names = [\"q{i}\"], start = [{start:.3}] }}\nspeeds = {{ start = [{speed:.3}] }}\n\
             [loads.d{i}]\ntype = \"joint_spring\"\njoint = \"j{i}\"\nstiffness = {:.3}\ndamping = {damping:.3}",
            draw.between(0.0, 20.0)
        )
        .unwrap();
        for (side, at) in
            [("lower", start - draw.between(0.02, 0.5)), ("upper", start + draw.between(0.0, 0.6))]
        {
            if stops > 0 && draw.below(3) > 0 {
                stops -= 1;
                let e = draw.restitution();
                writeln!(
                    text,
                    "[events.{side}{i}]\ntype = \"joint_stop\"\njoint = \"j{i}\"\nside = \"{side}\"\nat = {at:.3}\nrestitution = {e:.3}"
                )
                .unwrap();
            }
        }
    }
    for k in 0..stops.max(1) {
        let body = draw.below(n);
        let e = draw.restitution();
        writeln!(
            text,
            "[events.plane{k}]\ntype = \"impact\"\nbody = \"b{body}\"\nat = \"tip\"\n\
             plane = {{ body = \"ground\", at = [0, 0, {:.3}] }}\nnormal = [{:.3}, {:.3}, 1]\nrestitution = {e:.3}",
            draw.between(-1.2, -0.6),
            draw.between(-0.3, 0.3),
            draw.between(-0.3, 0.3),
        )
        .unwrap();
    }
    text
}

/// The motion of a spec for 2 s; `None` if it would start beyond a plane.
fn run(text: &str, evaluation: Evaluation) -> Option<(pipeline::Assembled, Simulated)> {
    let parsed = read::parse("random.toml", text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let loaded = pipeline::build(&parsed, "random.toml").unwrap_or_else(|e| panic!("{e}\n{text}"));
    let span = Span { step: 0.02, ..Span::until(2.0) };
    let request = SimulationRequest { span, evaluation, ..SimulationRequest::default() };
    match simulate(&loaded, &request) {
        Ok(simulated) => Some((loaded, simulated)),
        Err(SimulateError::Start(NoStart::BeyondStop { .. })) => None,
        Err(e) => panic!("{e}\n{text}"),
    }
}

#[test]
fn random_mechanisms_rest_on_stops_without_stall_penetration_or_gain_of_energy() {
    let (mut motions, mut rests) = (0, 0);
    for seed in 0.. {
        if motions == cases_by_tier(25, 500) {
            break;
        }
        let text = random_spec(seed);
        let Some((loaded, interpreted)) = run(&text, Evaluation::Interpreted) else { continue };
        motions += 1;
        assert!(interpreted.motion.stopped.is_none(), "{:?}\n{text}", interpreted.motion.stopped);
        assert_eq!(interpreted.motion.times.len(), 101, "{text}");
        let program = pipeline::program_to_run(&loaded, interpreted.formalism, &[functions::EVENTS]).unwrap();
        let mut gaps = Machine::new(&program, functions::EVENTS).unwrap();
        let mut at = Arguments::defaults(&program);
        for (t, x) in interpreted.motion.times.iter().zip(&interpreted.motion.states) {
            at.t = *t;
            at.set_state(x);
            let least = gaps.call(&at).unwrap().iter().fold(f64::INFINITY, |least, gap| least.min(*gap));
            assert!(least > -1e-9, "a gap of {least} at {t}\n{text}");
        }
        let balance: Vec<f64> = interpreted
            .signals
            .energy
            .iter()
            .zip(&interpreted.motion.work)
            .map(|(e, w)| e[0] + e[1] - w)
            .collect();
        let peak = interpreted.signals.energy.iter().map(|e| e[0]).fold(1.0, f64::max);
        let error = balance.iter().map(|b| (b - balance[0]).abs()).fold(0.0, f64::max);
        assert!(error < 1e-6 * peak, "balance {error}\n{text}");
        assert!(interpreted.motion.taken > -1e-9, "impacts gave {} J\n{text}", -interpreted.motion.taken);
        rests += usize::from(!interpreted.motion.rests.is_empty());
        let Some((_, compiled)) = run(&text, Evaluation::Compiled(dqdt_native::compile_tape)) else {
            panic!("{text}")
        };
        assert_eq!(compiled.motion.states, interpreted.motion.states, "{text}");
        assert_eq!(compiled.motion.rests, interpreted.motion.rests, "{text}");
    }
    assert!(rests > motions / 4, "{rests} of {motions} motions rest");
}
