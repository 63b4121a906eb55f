//! Random loads, measures and outputs.

use super::{RandomDraws, RandomMechanism, add, mul, sin, sub, variable};
use dqdt_algebra::Func;
use dqdt_diagnostics::base::Random;
use dqdt_mechanics::mechanism::joint::is_rate;
use dqdt_mechanics::mechanism::load::kinds::{Force, GeneralisedForce, LineForce};
use dqdt_mechanics::mechanism::load::{DrawLoad, LoadMechanics};
use dqdt_mechanics::mechanism::output::kinds as output;
use dqdt_mechanics::mechanism::{
    BodyId, CoordinateId, Ends, Formula, JointVariable, Load, LoadKind, Measure, MeasureArguments,
    MeasureKind, MeasureSubject, Output, OutputKind, Placement, SpeedId, Variable, VectorFrame,
};

impl RandomMechanism {
    /// Draws a smooth formula of time, inputs, states, coordinates and speeds, of order one.
    fn any_formula(&mut self) -> Formula {
        let (nq, nv) = (self.m.nq(), self.m.nv());
        let choices = [
            variable(Variable::Time),
            variable(Variable::Input(self.random.below(2))),
            variable(Variable::State(0)),
            if nq > 0 {
                variable(Variable::Coordinate(CoordinateId(self.random.below(nq))))
            } else {
                Formula::ONE
            },
            if nv > 0 { variable(Variable::Speed(SpeedId(self.random.below(nv)))) } else { Formula::ONE },
        ];
        let (a, b) = (self.random.pick(&choices), self.random.pick(&choices));
        match self.random.below(5) {
            0 => self.scalar(-64, 64),
            1 => a,
            2 => add(mul(self.scalar(-64, 64), a), self.scalar(-64, 64)),
            3 => mul(sin(a), b),
            _ => Formula::Func(Func::Tanh, Box::new(sub(a, b))),
        }
    }

    /// Draws one of the bodies.
    fn some_body(&mut self) -> BodyId {
        BodyId(self.random.below(self.m.bodies.len()))
    }

    /// Draws the ground or a rotated body frame, in which a vector is written.
    fn some_frame(&mut self) -> VectorFrame {
        if self.random.percent(40) {
            return VectorFrame::Ground;
        }
        VectorFrame::Body { body: self.some_body(), rotation: Box::new(self.rotation()) }
    }

    /// Draws a second body, or `None` for the ground.
    fn some_other_body(&mut self, body: BodyId) -> Option<BodyId> {
        let other = self.some_body();
        (other != body && self.random.percent(50)).then_some(other)
    }

    /// Adds up to six random loads.
    pub(super) fn add_loads(&mut self) {
        for i in 0..self.random.below(7) {
            let kind = self.draw_load();
            self.m.loads.extend(kind.map(|kind| Load { name: format!("load{i}"), kind }));
        }
    }

    /// Draws a speed, with the coordinate whose rate it is, if any.
    fn some_speed(&mut self) -> Option<(SpeedId, Option<CoordinateId>)> {
        if self.m.nv() == 0 {
            return None;
        }
        let speed = SpeedId(self.random.below(self.m.nv()));
        let joint = &self.m.joints[self.m.speeds[speed].joint];
        let k = joint.speeds.iter().position(|s| *s == JointVariable::Free(speed))?;
        let coordinate = match joint.coordinates.get(k) {
            Some(JointVariable::Free(q)) if is_rate(joint, k) => Some(*q),
            _ => None,
        };
        Some((speed, coordinate))
    }

    /// Draws one load of a random kind.
    fn draw_load(&mut self) -> Option<LoadKind> {
        let body = self.some_body();
        let reaction = self.some_other_body(body);
        let drawn = self.random.below(LoadKind::DRAWS);
        let mut source = LoadSource { mechanism: self, body, reaction, speed: None };
        // A speed without a coordinate cannot have a spring.
        LoadKind::random(drawn, &mut source)
            .or_else(|| GeneralisedForce::random(&mut source).map(LoadKind::from))
    }

    /// Adds measures to every second mechanism. They use a separate random generator, so that other
    /// draws do not depend on them.
    pub(super) fn add_measures(&mut self) {
        let seed = 0x6d65_6173 + 31 * self.m.joints.len() as u64 + self.m.parameters.len() as u64;
        let generator = std::mem::replace(&mut self.random, Random::new(seed));
        if self.random.percent(50) && self.m.nv() > 0 {
            self.draw_measures();
        }
        self.random = generator;
    }

    /// Draws four measures, with outputs and loads that use them.
    fn draw_measures(&mut self) {
        for i in 0..4 {
            let kinds = MeasureKind::by_kind();
            let variants = &kinds[self.random.below(kinds.len())];
            let kind = variants[self.random.below(variants.len())];
            let body = self.some_body();
            let other = self.some_other_body(body);
            let ends = Ends { from: (other, self.placement()), to: (Some(body), self.placement()) };
            let ends = if self.random.percent(70) { ends } else { Ends { from: ends.to, to: ends.from } };
            let subject = match kind.form().arguments() {
                MeasureArguments::Frame | MeasureArguments::Points => MeasureSubject::Frames(Box::new(ends)),
                MeasureArguments::Speed => MeasureSubject::Speed(SpeedId(self.random.below(self.m.nv()))),
            };
            self.m.measures.push(Measure { name: format!("measure{i}"), kind, subject });
            let kind = output::FormulaOutput { formula: self.measure_formula(i), dimension: None }.into();
            self.m.outputs.push(Output { name: format!("measured{i}"), description: String::new(), kind });
        }
        let body = self.some_body();
        let other = self.some_other_body(body);
        let speed = SpeedId(self.random.below(self.m.nv()));
        let effort = mul(self.scalar(16, 64), self.bounded_measure(0));
        let value = [self.bounded_measure(1), Formula::ONE, self.bounded_measure(2)];
        let ends = Ends { from: (other, self.placement()), to: (Some(body), self.placement()) };
        let tension = add(self.scalar(16, 64), self.bounded_measure(3));
        let kinds = [
            GeneralisedForce { speed, value: effort }.into(),
            Force { body, point: self.placement(), frame: self.some_frame(), value, reaction: other }.into(),
            LineForce { ends, tension }.into(),
        ];
        for (i, kind) in kinds.into_iter().enumerate() {
            self.m.loads.push(Load { name: format!("measured_load{i}"), kind });
        }
    }

    /// The value of measure `i` as a formula.
    fn measure_formula(&self, i: usize) -> Formula {
        let moves = self.m.measures[i].kind.form().moves();
        variable(if moves { Variable::Velocity(i) } else { Variable::Position(i) })
    }

    /// The value of measure `i`, mapped by tanh to order one.
    fn bounded_measure(&self, i: usize) -> Formula {
        Formula::Func(Func::Tanh, Box::new(self.measure_formula(i)))
    }

    /// Adds one output of each kind.
    pub(super) fn add_outputs(&mut self) {
        let body = self.some_body();
        let kinds: [OutputKind; 8] = [
            output::Position { body, point: self.placement(), frame: self.some_frame() }.into(),
            output::Velocity { body, point: self.placement(), frame: self.some_frame() }.into(),
            output::Acceleration { body, point: self.placement(), frame: self.some_frame() }.into(),
            output::SpecificForce { body, point: self.placement() }.into(),
            output::AngularRate { body, point: self.placement() }.into(),
            output::JointEffort { joint: body.inboard_joint() }.into(),
            output::Energy.into(),
            output::FormulaOutput { formula: self.any_formula(), dimension: None }.into(),
        ];
        for (i, kind) in kinds.into_iter().enumerate() {
            self.m.outputs.push(Output { name: format!("output{i}"), description: String::new(), kind });
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
    fn body(&self) -> BodyId {
        self.body
    }

    fn reaction(&self) -> Option<BodyId> {
        self.reaction
    }

    fn ends(&mut self) -> Ends {
        let mechanism = &mut *self.mechanism;
        let other = mechanism.some_other_body(self.body);
        let ends =
            Ends { from: (Some(self.body), mechanism.placement()), to: (other, mechanism.placement()) };
        if mechanism.random.percent(50) { ends } else { Ends { from: ends.to, to: ends.from } }
    }

    fn placement(&mut self) -> Placement {
        self.mechanism.placement()
    }

    fn frame(&mut self) -> VectorFrame {
        self.mechanism.some_frame()
    }

    fn scalar(&mut self, low: i64, high: i64) -> Formula {
        self.mechanism.scalar(low, high)
    }

    fn zero_or(&mut self, low: i64, high: i64) -> Formula {
        if self.mechanism.random.percent(40) { Formula::ZERO } else { self.mechanism.scalar(low, high) }
    }

    fn any_formula(&mut self) -> Formula {
        self.mechanism.any_formula()
    }

    fn speed(&mut self) -> Option<(SpeedId, Option<CoordinateId>)> {
        *self.speed.get_or_insert_with(|| self.mechanism.some_speed())
    }
}
