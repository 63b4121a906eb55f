//! Tests of impacts on stops and of rest on them, with closed forms.

use std::boxed::Box;
use std::vec::Vec;

use crate::integrate::{HybridFlow, HybridTrajectory, IntegrateError, Options, Rest, integrate_events_vec};
use crate::{Crossing, Effect, EventRule, Singular, StopTerms};

const TIGHT: Options = Options {
    method: crate::integrate::Method::Dop853,
    rtol: 1e-12,
    atol: 1e-12,
    max_steps: 10_000_000,
    longest_step: f64::INFINITY,
    rest_speed: 1e-3,
};

/// A stop in a system with a constant mass matrix: gap = row · q + constant.
struct LinearStop {
    row: Vec<f64>,
    constant: f64,
    restitution: f64,
}

/// Force on a mass at a time and a state.
type ForceOnMass = Box<dyn Fn(f64, &[f64], usize) -> f64>;

/// Masses on lines with given forces, and stops; x = [q, v].
struct Masses {
    masses: Vec<f64>,
    force: ForceOnMass,
    stops: Vec<LinearStop>,
    rules: Vec<EventRule>,
    /// Factor of the first coordinate, and constant, of a last event.
    switch: Option<(f64, f64)>,
    /// LinearStop that moves away from t = 0, by 0.1 (1 − cos 3 t).
    sinking: Option<usize>,
}

impl Masses {
    fn new(
        masses: &[f64],
        force: impl Fn(f64, &[f64], usize) -> f64 + 'static,
        stops: &[(&[f64], f64, f64)],
    ) -> Self {
        Masses {
            masses: masses.to_vec(),
            force: Box::new(force),
            stops: (stops.iter())
                .map(|&(row, constant, restitution)| LinearStop { row: row.to_vec(), constant, restitution })
                .collect(),
            rules: std::vec![EventRule { crossing: Crossing::Falling, effect: Effect::Bounces }; stops.len()],
            switch: None,
            sinking: None,
        }
    }

    fn run(&self, x: &[f64], end: f64) -> Result<HybridTrajectory<Vec<f64>>, IntegrateError> {
        let times: Vec<f64> = (0..=200).map(|k| end * f64::from(k) / 200.0).collect();
        let mut out = HybridTrajectory::new();
        integrate_events_vec(self, (0.0, x), &times, &TIGHT, &mut out)?;
        let n = self.masses.len();
        for x in &out.x {
            for stop in &self.stops {
                let gap = stop.constant + (0..n).map(|k| stop.row[k] * x[k]).sum::<f64>();
                assert!(gap > -1e-11, "a gap of {gap}");
            }
        }
        Ok(out)
    }

    /// Distance by which a stop has moved away, and the first two derivatives of that.
    fn moved(&self, t: f64, stop: usize) -> [f64; 3] {
        let (sin, cos) = (3.0 * t).sin_cos();
        if self.sinking == Some(stop) { [0.1 * (1.0 - cos), 0.3 * sin, 0.9 * cos] } else { [0.0; 3] }
    }

    fn kinetic(&self, x: &[f64]) -> f64 {
        let n = self.masses.len();
        (0..n).map(|k| 0.5 * self.masses[k] * x[n + k] * x[n + k]).sum()
    }
}

impl HybridFlow for Masses {
    fn rate(&self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Singular> {
        let n = self.masses.len();
        for k in 0..n {
            dx[k] = x[n + k];
            dx[n + k] = (self.force)(t, x, k) / self.masses[k];
        }
        Ok(())
    }

    fn rules(&self) -> &[EventRule] {
        &self.rules
    }

    fn events(&self, t: f64, x: &[f64], values: &mut [f64]) {
        for (k, (value, stop)) in values.iter_mut().zip(&self.stops).enumerate() {
            *value =
                self.moved(t, k)[0] + stop.constant + stop.row.iter().zip(x).map(|(w, q)| w * q).sum::<f64>();
        }
        if let (Some((factor, constant)), Some(last)) = (self.switch, values.last_mut()) {
            *last = factor * x[0] + constant;
        }
    }

    fn stops(&self, t: f64, x: &[f64], visit: &mut dyn FnMut(StopTerms<'_, f64>)) -> Result<(), Singular> {
        let n = self.masses.len();
        for (event, stop) in self.stops.iter().enumerate() {
            let dot = |x: &[f64]| stop.row.iter().zip(x).map(|(w, q)| w * q).sum::<f64>();
            let response: Vec<f64> = stop.row.iter().zip(&self.masses).map(|(w, m)| w / m).collect();
            visit(StopTerms {
                event,
                gap: self.moved(t, event)[0] + stop.constant + dot(&x[..n]),
                rate: self.moved(t, event)[1] + dot(&x[n..]),
                bias: self.moved(t, event)[2],
                restitution: stop.restitution,
                row: &stop.row,
                displacement: &response,
                response: &response,
            });
        }
        Ok(())
    }
}

#[test]
fn a_ball_bounces_as_the_closed_form_and_then_rests_with_its_weight() {
    let ball = Masses::new(&[2.0], |_, _, _| -2.0 * 9.81, &[(&[1.0], 0.0, 0.5)]);
    let run = ball.run(&[1.0, 0.0], 3.0).unwrap();
    let fall = (2.0f64 / 9.81).sqrt();
    let mut bounce = fall;
    for (k, event) in run.events.iter().enumerate() {
        assert!((event.t - bounce).abs() < 1e-11, "{k}: {} {bounce}", event.t);
        bounce += 2.0 * fall * 0.5f64.powi(k as i32 + 1);
    }
    // The speed before impact k is 4.43 m/s / 2^k: impact 13 is below 1 mm/s.
    assert_eq!(run.events.len(), 14);
    let rest = run.events[13].t;
    assert_eq!(run.rests, [Rest { event: 0, from: rest, until: None, determined: true }]);
    let last = run.x.last().unwrap();
    assert!(last[0].abs() < 1e-13 && last[1].abs() < 1e-13, "{last:?}");
    assert!((run.stop_forces.last().unwrap().forces[0] - 2.0 * 9.81).abs() < 1e-12);
    assert_eq!(run.stop_forces[0].forces, [0.0]);
}

#[test]
fn a_ball_that_lies_on_the_floor_from_the_start_is_lifted_when_the_pull_exceeds_its_weight() {
    let ball = Masses::new(&[1.0], |t, _, _| -9.81 + 4.0 * t, &[(&[1.0], 0.0, 0.3)]);
    let run = ball.run(&[0.0, 0.0], 4.0).unwrap();
    let lift = 9.81 / 4.0;
    assert!(run.events.is_empty(), "{:?}", run.events);
    let [rest] = &run.rests[..] else { panic!("{:?}", run.rests) };
    assert!(rest.from == 0.0 && (rest.until.unwrap() - lift).abs() < 1e-9, "{rest:?}");
    let height = 4.0 / 6.0 * (4.0 - lift).powi(3);
    assert!((run.x.last().unwrap()[0] - height).abs() < 1e-9);
}

#[test]
fn three_equal_balls_share_the_momentum_of_the_first_as_the_law_says() {
    let balls = Masses::new(
        &[1.0; 3],
        |_, _, _| 0.0,
        &[(&[-1.0, 1.0, 0.0], 0.0, 1.0), (&[0.0, -1.0, 1.0], 0.0, 1.0)],
    );
    let run = balls.run(&[-1.0, 0.0, 0.0, 3.0, 0.0, 0.0], 1.0).unwrap();
    assert!(run.events.iter().all(|e| (e.t - 1.0 / 3.0).abs() < 1e-12), "{:?}", run.events);
    // The others touch before and after, and pass the impulse on.
    assert_eq!(run.events.iter().map(|e| e.event).collect::<Vec<_>>(), [0]);
    assert_eq!(run.rests, [Rest { event: 1, from: 0.0, until: None, determined: true }]);
    let last = run.x.last().unwrap();
    for (v, expected) in last[3..].iter().zip([-1.0, 2.0, 2.0]) {
        assert!((v - expected).abs() < 1e-12, "{last:?}");
    }
    assert!((balls.kinetic(last) - 4.5).abs() < 1e-12);
}

#[test]
fn a_block_under_a_periodic_load_rests_at_each_of_two_stops() {
    let block =
        Masses::new(&[1.0], |t, _, _| 3.0 * (2.0 * t).sin(), &[(&[-1.0], 0.1, 0.0), (&[1.0], 0.1, 0.0)]);
    let run = block.run(&[0.0, 0.0], 10.0).unwrap();
    // It leaves a stop when the load changes its sign.
    let left: Vec<f64> = run.rests.iter().filter_map(|r| r.until).collect();
    assert!(left.len() >= 5, "{:?}", run.rests);
    for (k, t) in left.iter().enumerate() {
        let change = core::f64::consts::FRAC_PI_2 * (k + 1) as f64;
        assert!((t - change).abs() < 1e-9, "{k}: {t} {change}");
    }
    let mut before = 1;
    for rest in &run.rests {
        assert_ne!(rest.event, before, "the stops take turns");
        before = rest.event;
    }
}

#[test]
fn a_table_on_four_legs_rests_on_all_with_forces_that_are_not_determined() {
    // Height, and two tilts; a load on top moves to one side and beyond the legs.
    let legs: [(&[f64], f64, f64); 4] = [
        (&[1.0, 1.0, 1.0], 0.0, 0.2),
        (&[1.0, 1.0, -1.0], 0.0, 0.2),
        (&[1.0, -1.0, 1.0], 0.0, 0.2),
        (&[1.0, -1.0, -1.0], 0.0, 0.2),
    ];
    let table = Masses::new(
        &[1.0, 0.5, 0.5],
        |t, _, k| match k {
            0 => -10.0,
            1 => 2.0 * t.min(6.0),
            _ => 0.0,
        },
        &legs,
    );
    let run = table.run(&[0.01, 0.0, 0.0, 0.0, 0.0, 0.0], 5.2).unwrap();
    let at_three = run.t.iter().position(|t| *t > 3.0).unwrap();
    let held = &run.stop_forces[at_three];
    assert!(held.undetermined.iter().all(|open| *open), "{held:?}");
    assert!((held.forces.iter().sum::<f64>() - 10.0).abs() < 1e-9, "{held:?}");
    assert!(run.x[at_three].iter().all(|x| x.abs() < 1e-12), "{:?}", run.x[at_three]);
    // The moment of the load exceeds that of the weight, 10, at t = 5: two legs lift, two remain.
    let last = &run.stop_forces.last().unwrap().forces;
    let lifted: Vec<usize> = run
        .rests
        .iter()
        .filter(|r| r.until.is_some_and(|t| (t - 5.0).abs() < 1e-9))
        .map(|r| r.event)
        .collect();
    assert_eq!(lifted, [0, 1], "{:?}", run.rests);
    assert!(last[0] == 0.0 && last[1] == 0.0, "{last:?}");
    assert!((last[2] - last[3]).abs() < 1e-9 && last[2] > 0.0, "two legs are determined: {last:?}");
}

#[test]
fn heavy_walls_that_press_a_light_block_hold_each_other_through_it() {
    let walls = Masses::new(
        &[1.0, 1e6, 1e6],
        |_, _, k| [0.0, 1e6, -1e6][k],
        &[(&[1.0, -1.0, 0.0], 0.0, 0.5), (&[-1.0, 0.0, 1.0], 0.0, 0.5)],
    );
    let run = walls.run(&[0.0; 6], 1.0).unwrap();
    assert!(run.x.last().unwrap()[3..].iter().all(|v| v.abs() < 1e-9));
    let force = run.stop_forces.last().unwrap().forces[0];
    assert!((force - 1e6).abs() < 1e-3, "{force}");
}

#[test]
fn a_switch_on_the_gap_of_a_stop_counts_impacts_and_not_the_rounding_of_rest() {
    // The gap is 0.1 − 3 q, which is not zero in doubles where the ball rests; the load trembles.
    let mut ball =
        Masses::new(&[1.0], |t, _, _| 9.81 + (50.0 * t).sin(), &[(&[-3.0], 0.1, 0.3), (&[-3.0], 0.1, 0.3)]);
    ball.stops.truncate(1);
    ball.switch = Some((-3.0, 0.1));
    ball.rules[1].effect = Effect::Passes;
    let run = ball.run(&[0.0, 0.0], 20.0).unwrap();
    let count = |event: usize| run.events.iter().filter(|e| e.event == event).count();
    assert!(count(0) >= 5 && count(0) == count(1), "{} impacts, {} counts", count(0), count(1));
    assert!(run.rests.len() == 1 && run.rests[0].until.is_none(), "{:?}", run.rests);
}

#[test]
fn a_lift_that_sinks_away_from_a_ball_on_a_fixed_stop_is_left_at_once() {
    // The second gap is 0.1 (1 − cos 3 t) wider; its stop touches at the start.
    let mut ball = Masses::new(
        &[2.0],
        |t, _, _| if t > 1.0 { 0.2 } else { -2.0 * 9.81 },
        &[(&[1.0], 0.0, 0.0), (&[1.0], 0.0, 0.0)],
    );
    ball.sinking = Some(1);
    let run = ball.run(&[0.0, 0.0], 1.5).unwrap();
    assert!(run.rests.iter().all(|r| r.event == 0 && r.determined), "{:?}", run.rests);
    assert!((run.rests[0].until.unwrap() - 1.0).abs() < 1e-9);
    assert!((run.stop_forces[50].forces[0] - 2.0 * 9.81).abs() < 1e-12);
    assert!((run.x.last().unwrap()[0] - 0.05 * 0.25).abs() < 1e-9);
}

#[test]
fn plastic_impacts_in_turn_come_to_an_end() {
    // A bar on two close supports: an impact on one opens the other.
    let bar: [(&[f64], f64, f64); 2] = [(&[1.0, 0.1], 0.0, 0.0), (&[1.0, -0.1], 0.0, 0.0)];
    let bar = Masses::new(&[1.0, 0.1], |_, _, k| [-9.81, 0.0][k], &bar);
    let run = bar.run(&[0.05, 0.05, 0.0, 0.0], 3.0).unwrap();
    assert!(run.statistics.accepted < 20_000, "{:?}", run.statistics);
    let last = run.x.last().unwrap();
    assert!(last.iter().all(|x| x.abs() < 1e-9), "{last:?}");
    let forces = &run.stop_forces.last().unwrap().forces;
    assert!((forces[0] - 4.905).abs() < 1e-9 && (forces[1] - 4.905).abs() < 1e-9, "{forces:?}");
}

#[test]
fn a_light_block_on_which_a_heavy_one_lies_is_released_when_it_is_pulled() {
    // The light one lies on the floor, the heavy one on it; the pull on the light one grows.
    for ratio in [1.0, 30.0, 100.0, 1e3, 1e5] {
        let blocks: [(&[f64], f64, f64); 2] = [(&[1.0, 0.0], 0.0, 0.0), (&[-1.0, 1.0], 0.0, 0.0)];
        let blocks = Masses::new(
            &[1.0, ratio],
            move |t, _, k| [-9.81 + t * 9.81 * (1.0 + ratio), -9.81 * ratio][k],
            &blocks,
        );
        let run = blocks.run(&[0.0; 4], 2.0).unwrap();
        let until = run.rests.iter().find(|r| r.event == 0).and_then(|r| r.until).unwrap();
        assert!((until - 1.0).abs() < 1e-8, "{ratio}: {until}");
        assert!((run.x.last().unwrap()[0] - 9.81 / 6.0).abs() < 1e-7, "{ratio}");
    }
}

#[test]
fn an_impact_is_found_beside_a_stop_that_is_only_approached() {
    // Two oscillators in one long step: one stays clear of its stop, the other dips below.
    let stops: [(&[f64], f64, f64); 2] = [(&[1.0, 0.0], 1.0 + 1e-6, 1.0), (&[0.0, 1.0], 0.996, 1.0)];
    let pair = Masses::new(&[1.0, 1.0], |_, x, k| -x[k], &stops);
    let mut out = HybridTrajectory::new();
    integrate_events_vec(&pair, (0.0, &[1.0, 1.0, 0.0, 0.0]), &[5.0], &TIGHT, &mut out).unwrap();
    let hit = (-0.996f64).acos();
    assert!((out.events[0].t - hit).abs() < 1e-9 && out.events[0].event == 1, "{:?}", out.events);
}

#[test]
fn a_slider_locked_by_two_stops_at_one_place_is_not_crushed_by_impacts() {
    let stops: [(&[f64], f64, f64); 4] = [
        (&[1.0, 0.0, 0.0], 0.0, 0.5),
        (&[-1.0, 0.0, 0.0], 0.0, 0.5),
        (&[-1.0, 1.0, 0.0], 0.0, 0.3),
        (&[0.0, -1.0, 1.0], 0.0, 0.6),
    ];
    let row = Masses::new(&[1.3, 0.7, 2.1], |t, _, k| [0.0, -1.0, -3.0 - t][k], &stops);
    let run = row.run(&[0.0, 0.3, 0.5, 0.0, 0.1, -0.2], 3.0).unwrap();
    assert!(run.x.last().unwrap().iter().all(|x| x.abs() < 1e-9), "{:?}", run.x.last());
}
