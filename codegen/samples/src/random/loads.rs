//! Random loads, measures and outputs.

use super::{
    RandomDraws, RandomMechanism, difference_formula, product_formula, sine_formula, sum_formula,
    variable_formula,
};
use dqdt_algebra::Func;
use dqdt_diagnostics::base::Random;
use dqdt_mechanics::mechanism::joint::is_coordinate_rate;
use dqdt_mechanics::mechanism::load::kinds::{Force, GeneralisedForce, LineForce};
use dqdt_mechanics::mechanism::load::{DrawLoad, LoadMechanics};
use dqdt_mechanics::mechanism::output::kinds as output;
use dqdt_mechanics::mechanism::{
    BodyId, CoordinateId, Ends, Formula, JointVariable, Load, LoadKind, Measure, MeasureArguments,
    MeasureKind, MeasureSubject, Output, OutputKind, Placement, SpeedId, Variable, VectorFrame,
};

impl RandomMechanism {
    /// Draws a smooth formula of time, inputs, states, coordinates and speeds, of order one.
    fn draw_formula(&mut self) -> Formula {
        let (nq, nv) = (self.mechanism.nq(), self.mechanism.nv());
        let choices = [
            variable_formula(Variable::Time),
            variable_formula(Variable::Input(self.random.next_below(2))),
            variable_formula(Variable::State(0)),
            if nq > 0 {
                variable_formula(Variable::Coordinate(CoordinateId(self.random.next_below(nq))))
            } else {
                Formula::ONE
            },
            if nv > 0 {
                variable_formula(Variable::Speed(SpeedId(self.random.next_below(nv))))
            } else {
                Formula::ONE
            },
        ];
        let (a, b) = (self.random.pick_choice(&choices), self.random.pick_choice(&choices));
        match self.random.next_below(5) {
            0 => self.draw_scalar(-64, 64),
            1 => a,
            2 => sum_formula(product_formula(self.draw_scalar(-64, 64), a), self.draw_scalar(-64, 64)),
            3 => product_formula(sine_formula(a), b),
            _ => Formula::Func(Func::Tanh, Box::new(difference_formula(a, b))),
        }
    }

    /// Draws one of the bodies.
    fn draw_body(&mut self) -> BodyId {
        BodyId(self.random.next_below(self.mechanism.bodies.len()))
    }

    /// Draws the ground or a rotated body frame, in which a vector is written.
    fn draw_frame(&mut self) -> VectorFrame {
        if self.random.happens_percent(40) {
            return VectorFrame::Ground;
        }
        VectorFrame::Body { body: self.draw_body(), rotation: Box::new(self.draw_rotation()) }
    }

    /// Draws a second body, or `None` for the ground.
    fn draw_other_body(&mut self, body: BodyId) -> Option<BodyId> {
        let other = self.draw_body();
        (other != body && self.random.happens_percent(50)).then_some(other)
    }

    /// Adds up to six random loads.
    pub(super) fn add_loads(&mut self) {
        for i in 0..self.random.next_below(7) {
            let kind = self.draw_load();
            self.mechanism.loads.extend(kind.map(|kind| Load { name: format!("load{i}"), kind }));
        }
    }

    /// Draws a speed, with the coordinate whose rate it is, if any.
    fn draw_speed(&mut self) -> Option<(SpeedId, Option<CoordinateId>)> {
        if self.mechanism.nv() == 0 {
            return None;
        }
        let speed = SpeedId(self.random.next_below(self.mechanism.nv()));
        let joint = &self.mechanism.joints[self.mechanism.speeds[speed].joint];
        let k = joint.speeds.iter().position(|s| *s == JointVariable::Free(speed))?;
        let coordinate = match joint.coordinates.get(k) {
            Some(JointVariable::Free(q)) if is_coordinate_rate(joint, k) => Some(*q),
            _ => None,
        };
        Some((speed, coordinate))
    }

    /// Draws one load of a random kind.
    fn draw_load(&mut self) -> Option<LoadKind> {
        let body = self.draw_body();
        let reaction = self.draw_other_body(body);
        let drawn = self.random.next_below(LoadKind::DRAWS);
        let mut source = LoadSource { mechanism: self, body, reaction, speed: None };
        // A speed without a coordinate cannot have a spring.
        LoadKind::random(drawn, &mut source)
            .or_else(|| GeneralisedForce::random(&mut source).map(LoadKind::from))
    }

    /// Adds measures to every second mechanism. They use a separate random generator, so that other
    /// draws do not depend on them.
    pub(super) fn add_measures(&mut self) {
        let seed =
            0x6d65_6173 + 31 * self.mechanism.joints.len() as u64 + self.mechanism.parameters.len() as u64;
        let generator = std::mem::replace(&mut self.random, Random::new(seed));
        if self.random.happens_percent(50) && self.mechanism.nv() > 0 {
            self.draw_measures();
        }
        self.random = generator;
    }

    /// Draws four measures, with outputs and loads that use them.
    fn draw_measures(&mut self) {
        for i in 0..4 {
            let kinds = MeasureKind::by_kind();
            let variants = &kinds[self.random.next_below(kinds.len())];
            let kind = variants[self.random.next_below(variants.len())];
            let body = self.draw_body();
            let other = self.draw_other_body(body);
            let ends = Ends { from: (other, self.draw_placement()), to: (Some(body), self.draw_placement()) };
            let ends =
                if self.random.happens_percent(70) { ends } else { Ends { from: ends.to, to: ends.from } };
            let subject = match kind.form().argument_kind() {
                MeasureArguments::Frame | MeasureArguments::Points => MeasureSubject::Frames(Box::new(ends)),
                MeasureArguments::Speed => {
                    MeasureSubject::Speed(SpeedId(self.random.next_below(self.mechanism.nv())))
                }
            };
            self.mechanism.measures.push(Measure { name: format!("measure{i}"), kind, subject });
            let kind = output::FormulaOutput { formula: self.measure_formula(i), dimension: None }.into();
            self.mechanism.outputs.push(Output {
                name: format!("measured{i}"),
                description: String::new(),
                kind,
            });
        }
        let body = self.draw_body();
        let other = self.draw_other_body(body);
        let speed = SpeedId(self.random.next_below(self.mechanism.nv()));
        let effort = product_formula(self.draw_scalar(16, 64), self.bounded_measure_formula(0));
        let value = [self.bounded_measure_formula(1), Formula::ONE, self.bounded_measure_formula(2)];
        let ends = Ends { from: (other, self.draw_placement()), to: (Some(body), self.draw_placement()) };
        let tension = sum_formula(self.draw_scalar(16, 64), self.bounded_measure_formula(3));
        let kinds = [
            GeneralisedForce { speed, value: effort }.into(),
            Force { body, point: self.draw_placement(), frame: self.draw_frame(), value, reaction: other }
                .into(),
            LineForce { ends, tension }.into(),
        ];
        for (i, kind) in kinds.into_iter().enumerate() {
            self.mechanism.loads.push(Load { name: format!("measured_load{i}"), kind });
        }
    }

    /// The value of measure `i` as a formula.
    fn measure_formula(&self, i: usize) -> Formula {
        let moves = self.mechanism.measures[i].kind.form().depends_on_speeds();
        variable_formula(if moves { Variable::Velocity(i) } else { Variable::Position(i) })
    }

    /// The value of measure `i`, mapped by tanh to order one.
    fn bounded_measure_formula(&self, i: usize) -> Formula {
        Formula::Func(Func::Tanh, Box::new(self.measure_formula(i)))
    }

    /// Adds one output of each kind.
    pub(super) fn add_outputs(&mut self) {
        let body = self.draw_body();
        let kinds: [OutputKind; 8] = [
            output::Position { body, point: self.draw_placement(), frame: self.draw_frame() }.into(),
            output::Velocity { body, point: self.draw_placement(), frame: self.draw_frame() }.into(),
            output::Acceleration { body, point: self.draw_placement(), frame: self.draw_frame() }.into(),
            output::SpecificForce { body, point: self.draw_placement() }.into(),
            output::AngularRate { body, point: self.draw_placement() }.into(),
            output::JointEffort { joint: body.inboard_joint() }.into(),
            output::Energy.into(),
            output::FormulaOutput { formula: self.draw_formula(), dimension: None }.into(),
        ];
        for (i, kind) in kinds.into_iter().enumerate() {
            self.mechanism.outputs.push(Output {
                name: format!("output{i}"),
                description: String::new(),
                kind,
            });
        }
    }
}

/// Random data for one load of a mechanism under construction, drawn when the kind of the load
/// requests them.
struct LoadSource<'a> {
    mechanism: &'a mut RandomMechanism,
    body: BodyId,
    reaction: Option<BodyId>,
    /// The speed on which the load acts, drawn once, so that all parts of the load use the same
    /// one.
    speed: Option<Option<(SpeedId, Option<CoordinateId>)>>,
}

impl DrawLoad for LoadSource<'_> {
    fn random_body(&self) -> BodyId {
        self.body
    }

    fn random_reaction_body(&self) -> Option<BodyId> {
        self.reaction
    }

    fn random_ends(&mut self) -> Ends {
        let mechanism = &mut *self.mechanism;
        let other = mechanism.draw_other_body(self.body);
        let ends = Ends {
            from: (Some(self.body), mechanism.draw_placement()),
            to: (other, mechanism.draw_placement()),
        };
        if mechanism.random.happens_percent(50) { ends } else { Ends { from: ends.to, to: ends.from } }
    }

    fn random_placement(&mut self) -> Placement {
        self.mechanism.draw_placement()
    }

    fn random_axes(&mut self) -> VectorFrame {
        self.mechanism.draw_frame()
    }

    fn random_constant(&mut self, low: i64, high: i64) -> Formula {
        self.mechanism.draw_scalar(low, high)
    }

    fn zero_or_random_constant(&mut self, low: i64, high: i64) -> Formula {
        if self.mechanism.random.happens_percent(40) {
            Formula::ZERO
        } else {
            self.mechanism.draw_scalar(low, high)
        }
    }

    fn random_formula(&mut self) -> Formula {
        self.mechanism.draw_formula()
    }

    fn random_speed(&mut self) -> Option<(SpeedId, Option<CoordinateId>)> {
        *self.speed.get_or_insert_with(|| self.mechanism.draw_speed())
    }
}
