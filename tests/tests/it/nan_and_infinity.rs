//! NaN reaches every result that depends on it, and infinity keeps its meaning: every function of
//! every generated module in doubles, singles, lanes and duals, and in the interpreter.
//!
//! Dependencies are read from the graph of the module; for a choice, only the
//! selected branch counts.

use dqdt_codegen::pipeline::FormalismChoice;
use std::fmt::Debug;

use dqdt::{Dual, Lanes, Real};
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline;
use dqdt_codegen::pipeline::Request;
use dqdt_graph::ir::to_identifier;
use dqdt_graph::ir::{NodeId, Op, Program, SymbolKind, evaluate_operation};
use dqdt_samples::tier;
use dqdt_tests::root;

/// A test point: arguments of all functions of a module.
#[derive(Clone, Default)]
struct TestPoint {
    t: f64,
    parameters: Vec<f64>,
    x: Vec<f64>,
    u: Vec<f64>,
    a: Vec<f64>,
    nq: usize,
    nv: usize,
}

impl TestPoint {
    fn place(&mut self, symbol: SymbolKind) -> Option<&mut f64> {
        match symbol {
            SymbolKind::Time => Some(&mut self.t),
            SymbolKind::Parameter(i) => self.parameters.get_mut(i),
            SymbolKind::Coordinate(i) => self.x.get_mut(i),
            SymbolKind::Speed(i) => self.x.get_mut(self.nq + i),
            SymbolKind::State(i) => self.x.get_mut(self.nq + self.nv + i),
            SymbolKind::Input(i) => self.u.get_mut(i),
            SymbolKind::Acceleration(i) => self.a.get_mut(i),
            SymbolKind::Impulse(_)
            | SymbolKind::Effort(_)
            | SymbolKind::Contact(_)
            | SymbolKind::Costate(_)
            | SymbolKind::Rate(_)
            | SymbolKind::Auxiliary(_)
            | SymbolKind::Length(_)
            | SymbolKind::Named(_) => None,
        }
    }

    fn get(&self, symbol: SymbolKind) -> f64 {
        self.clone().place(symbol).map_or(f64::NAN, |value| *value)
    }

    fn with(&self, symbol: SymbolKind, value: f64) -> Self {
        let mut changed = self.clone();
        *changed.place(symbol).unwrap() = value;
        changed
    }

    fn symbols(&self) -> Vec<SymbolKind> {
        let nz = self.x.len() - self.nq - self.nv;
        std::iter::once(SymbolKind::Time)
            .chain((0..self.parameters.len()).map(SymbolKind::Parameter))
            .chain((0..self.nq).map(SymbolKind::Coordinate))
            .chain((0..self.nv).map(SymbolKind::Speed))
            .chain((0..nz).map(SymbolKind::State))
            .chain((0..self.u.len()).map(SymbolKind::Input))
            .chain((0..self.a.len()).map(SymbolKind::Acceleration))
            .collect()
    }
}

/// Result of a call: true if it succeeded, and every number, in the order of the graph's outputs.
type CallResult = (bool, Vec<f64>);

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '+')
}

/// The numbers in `Debug` output; result structs print their fields in order.
fn numbers(text: &str) -> Vec<f64> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(from) = rest.find(is_word_char) {
        let end = rest[from..].find(|c| !is_word_char(c)).map_or(rest.len(), |n| from + n);
        let (word, after) = (&rest[from..end], &rest[end..]);
        // A field name is followed by a colon.
        if !after.starts_with(':')
            && let Ok(number) = word.parse()
        {
            out.push(number);
        }
        rest = after;
    }
    out
}

fn array<T: Debug, const N: usize>(values: impl Iterator<Item = T>) -> [T; N] {
    values.collect::<Vec<T>>().try_into().unwrap()
}

/// Success of a function's return value; `()` if the function cannot fail.
trait IsOk {
    fn is_success(&self) -> bool;
}

impl IsOk for () {
    fn is_success(&self) -> bool {
        true
    }
}

impl<E> IsOk for Result<(), E> {
    fn is_success(&self) -> bool {
        self.is_ok()
    }
}

/// Calls one function of a module. Returns success, and the `Debug` text of its result.
macro_rules! call {
    ($m:ident dqdt $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m dqdt $model, [T::ONE; $m::NX], $t, &$x, &$u) };
    ($m:ident rates $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m rates $model, [T::ONE; $m::NQ], $t, &$x) };
    ($m:ident mass_matrix $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m mass_matrix $model, [[T::ONE; $m::NV]; $m::NV], $t, &$x) };
    ($m:ident bias $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m bias $model, [T::ONE; $m::NV], $t, &$x) };
    ($m:ident inverse_dynamics $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m inverse_dynamics $model, [T::ONE; $m::NV], $t, &$x, &$a) };
    ($m:ident input_matrix $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m input_matrix $model, [[T::ONE; $m::NU]; $m::NV], $t, &$x) };
    ($m:ident inverse_dynamics_constrained $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m inverse_dynamics_constrained $model, [T::ONE; $m::NI], $t, &$x, &$m::INDEPENDENT.map(|i| $a[i])) };
    ($m:ident outputs $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m outputs $model, $m::Outputs::default(), $t, &$x, &$u) };
    ($m:ident multipliers $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m multipliers $model, $m::Multipliers::default(), $t, &$x, &$u) };
    ($m:ident after_events $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m after_events $model, $m::AfterEvents::default(), $t, &$x, &$u) };
    ($m:ident stops $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m stops $model, $m::Stops::default(), $t, &$x, &$u) };
    ($m:ident events $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m events $model, $m::Events::default(), $t, &$x, &$u) };
    ($m:ident positions $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m positions $model, $m::Positions::default(), $t, &$x) };
    ($m:ident energy $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m energy $model, $m::Energy::default(), $t, &$x) };
    ($m:ident position_constraints $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m position_constraints $model, $m::PositionConstraints::default(), $t, &$x) };
    ($m:ident velocity_constraints $model:ident $t:ident $x:ident $u:ident $a:ident) => { call!(@write $m velocity_constraints $model, $m::VelocityConstraints::default(), $t, &$x) };
    ($m:ident saturate $model:ident $t:ident $x:ident $u:ident $a:ident) => {{
        let mut y = [T::ONE; $m::NU];
        let _ = $m::saturate(&$model, $t, &$x, &$u, &mut y);
        (true, format!("{y:?}"))
    }};
    (@write $m:ident $function:ident $model:ident, $y:expr, $($argument:expr),*) => {{
        let mut y = $y;
        let ok = $m::$function(&$model, $($argument,)* &mut y).is_success();
        (ok, format!("{y:?}"))
    }};
}

/// Lanes of duals, to compile the checks of lanes and of duals once.
type DualLanes = Lanes<Dual<f64, 1>, 2>;

/// A module and its functions over all kinds of scalars.
struct ModuleCase {
    name: &'static str,
    parameters: &'static [&'static str],
    functions: Vec<&'static str>,
    start: Vec<f64>,
    double: fn(&str, &TestPoint) -> CallResult,
    single: fn(&str, &TestPoint) -> CallResult,
    /// Call with the first point in one lane, the second in the other. Returns, lane by lane, the
    /// value of each result and its derivative along all arguments.
    both: fn(&str, &TestPoint, &TestPoint) -> CallResult,
}

macro_rules! case {
    ($name:ident [$($parameter:ident)*] $($function:ident)*) => {
        case!(@all $name [$($parameter)*]
            dqdt rates mass_matrix bias inverse_dynamics energy outputs $($function)*)
    };
    (@all $name:ident [$($parameter:ident)*] $($function:ident)*) => {{
        use dqdt_generated::$name as m;
        fn call<T: Real>(function: &str, point: &TestPoint, other: &TestPoint, lift: fn(f64, f64) -> T) -> CallResult {
            let list = |one: &[f64], two: &[f64]| -> Vec<T> {
                one.iter().zip(two).map(|(a, b)| lift(*a, *b)).collect()
            };
            let mut parameters = list(&point.parameters, &other.parameters).into_iter();
            let mut params = m::Params::<T>::default();
            $(params.$parameter = parameters.next().unwrap();)*
            let model = m::Model::new(params);
            let t = lift(point.t, other.t);
            let x: [T; m::NX] = array(list(&point.x, &other.x).into_iter());
            let u: [T; m::NU] = array(list(&point.u, &other.u).into_iter());
            let a: [T; m::NV] = array(list(&point.a, &other.a).into_iter());
            let (ok, text) = match function {
                $(stringify!($function) => call!(m $function model t x u a),)*
                _ => unreachable!("{function}"),
            };
            (ok, numbers(&text))
        }
        ModuleCase {
            name: stringify!($name),
            parameters: &[$(stringify!($parameter)),*],
            functions: vec![$(stringify!($function)),*],
            start: m::START.to_vec(),
            double: |function, point| call::<f64>(function, point, point, |x, _| x),
            single: |function, point| call::<f32>(function, point, point, |x, _| x as f32),
            both: |function, one, two| {
                call::<DualLanes>(function, one, two, |a, b| Lanes([a, b].map(|value| Dual { value, derivatives: [1.0] })))
            },
        }
    }};
}

#[rustfmt::skip]
fn cases() -> Vec<ModuleCase> {
    vec![
        case!(ball_on_turntable [g m r Omega] multipliers position_constraints velocity_constraints),
        case!(bouncing_pendulum [g m l r wall e] positions events after_events stops),
        case!(bricard [g m l] positions position_constraints velocity_constraints),
        case!(car_with_trailers [m J mt Jt Js l h lt] positions multipliers velocity_constraints),
        case!(cart_pole [g m_cart m_pole l d_rail d_hinge f_max] positions saturate),
        case!(chain10 [g m l] positions),
        case!(chaplygin_sleigh [m J a] multipliers velocity_constraints),
        case!(double_pendulum [g m1 m2 l1 l2] positions),
        case!(@all four_bar [g a b c d m1 m2 m3] dqdt rates mass_matrix bias inverse_dynamics input_matrix inverse_dynamics_constrained energy outputs positions multipliers position_constraints velocity_constraints),
        case!(furuta_pendulum [g L1 l1 l2 m1 m2 d1 d2] positions saturate),
        case!(gyroscope [g m l A C]),
        case!(kane_two_body [m1 m2 J1_xx J1_yy J1_zz J2_xx J2_yy J2_zz c11_x c11_y c11_z c12_x c12_y c12_z c22_x c22_y c22_z] positions),
        case!(panda_arm [smooth] positions saturate),
        case!(quadrotor [g m arm J_xx J_yy J_zz lag k_yaw d_air f_max] positions saturate),
        case!(rolling_disc [g m r] multipliers position_constraints velocity_constraints),
        case!(seven_body [mom c0 l0] positions multipliers position_constraints velocity_constraints),
        case!(slider_crank [g r l m1 m2 m3] positions multipliers position_constraints velocity_constraints),
        case!(snakeboard [m J Jr Jw l k kr] positions multipliers velocity_constraints),
        case!(snowboarder1 [g1 g2 m0 I0 m1 l1 n1 I1] positions multipliers velocity_constraints),
        case!(snowboarder2 [g1 g2 m0 I0 m1 m2 l1 l2 n1 n2 I1 I2] positions multipliers velocity_constraints),
        case!(snowboarder3 [g1 g2 m0 I0 m1 m2 m3 l1 l2 l3 n1 n2 n3 I1 I2 I3] positions multipliers velocity_constraints),
        case!(snowboarder4 [g1 g2 m0 I0 m1 m2 m3 m4 l1 l2 l3 l4 n1 n2 n3 n4 I1 I2 I3 I4] positions multipliers velocity_constraints),
        case!(snowboarder5 [g1 g2 m0 I0 m1 m2 m3 m4 m5 l1 l2 l3 l4 l5 n1 n2 n3 n4 n5 I1 I2 I3 I4 I5] positions multipliers velocity_constraints),
        case!(spherical_pendulum [g m l]),
        case!(spinning_satellite_with_wheel [m_body J_xx J_yy J_zz m_wheel J_axial J_cross offset d] positions saturate),
        case!(stewart_platform [g R r l mp mc mr Ic Ir hc stiffness rest] positions multipliers position_constraints velocity_constraints),
        case!(stopped_pendulum [g m l stop e d] positions events after_events stops),
        case!(swing [l rho1 rho2 m1 m2 J1 J2 g_x g_y] positions),
    ]
}

/// The program from which the module was printed.
fn program(case: &ModuleCase, functions: &[&'static Definition]) -> Program {
    let loaded = pipeline::load(&root(&format!("examples/specs/{}.toml", case.name))).unwrap();
    let formalism = pipeline::choose(&loaded, FormalismChoice::BySize, functions).unwrap();
    pipeline::program(&loaded, &Request::new(formalism, functions.to_vec()))
}

fn programs() -> Vec<(ModuleCase, Program)> {
    cases()
        .into_iter()
        .step_by(tier::cases_by_tier(4, 1))
        .map(|case| {
            let functions: Vec<_> =
                case.functions.iter().map(|name| functions::by_name(name).unwrap()).collect();
            let program = program(&case, &functions);
            (case, program)
        })
        .collect()
}

fn offset(i: usize) -> f64 {
    0.02 * (1.3 * i as f64 + 0.4).cos()
}

/// A point away from the start, so that nothing vanishes by chance.
fn point(case: &ModuleCase, program: &Program) -> TestPoint {
    let l = &program.layout;
    TestPoint {
        t: 0.3,
        parameters: l.p.iter().map(|p| p.value).collect(),
        x: case.start.iter().enumerate().map(|(i, x)| x + offset(i)).collect(),
        u: (0..l.u.len()).map(|i| 0.5 - 0.05 * i as f64).collect(),
        a: (0..l.v.len()).map(|i| 0.2 + offset(i)).collect(),
        nq: l.q.len(),
        nv: l.v.len(),
    }
}

/// The value of every graph node at a test point.
fn values(program: &Program, point: &TestPoint) -> Vec<f64> {
    let graph = &program.graph;
    let mut values: Vec<f64> = Vec::with_capacity(graph.len());
    for index in 0..graph.len() {
        let node = graph.node(NodeId(index as u32));
        let arguments: Vec<f64> = node.args().iter().map(|a| values[a.0 as usize]).collect();
        values.push(evaluate_operation(graph, node.op, &arguments, |symbol| point.get(symbol)));
    }
    values
}

/// For each node, true if it depends on a symbol at a point with these values.
fn dependent(program: &Program, symbol: SymbolKind, values: &[f64]) -> Vec<bool> {
    let graph = &program.graph;
    let mut dependent: Vec<bool> = Vec::with_capacity(graph.len());
    for index in 0..graph.len() {
        let node = graph.node(NodeId(index as u32));
        let is = |a: &NodeId| dependent[a.0 as usize];
        let is_dependent = match (node.op, node.args()) {
            (Op::Symbol(s), _) => graph.symbol_info(s).kind == symbol,
            (Op::Select(cmp), [a, b, yes, no]) => {
                let taken = cmp.select(values[a.0 as usize], values[b.0 as usize], 1.0, 0.0);
                is(a) || is(b) || is(if taken == 1.0 { yes } else { no })
            }
            (_, arguments) => arguments.iter().any(is),
        };
        dependent.push(is_dependent);
    }
    dependent
}

/// The functions of a case with the nodes of their results.
fn functions<'a>(
    case: &'a ModuleCase,
    program: &'a Program,
) -> impl Iterator<Item = (&'static str, Vec<NodeId>)> + 'a {
    case.functions.iter().map(|name| {
        let function = program.functions.iter().find(|f| f.declaration.name == *name).unwrap();
        (*name, function.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect())
    })
}

#[test]
fn every_function_and_parameter_of_every_generated_module_is_here() {
    let modules = dqdt_tests::plain_functions().unwrap();
    let cases = cases();
    let names: Vec<&str> = cases.iter().map(|c| c.name).collect();
    assert_eq!(names, modules.iter().map(|m| m.0.as_str()).collect::<Vec<_>>());
    for (case, (name, functions)) in cases.iter().zip(modules) {
        let here: Vec<String> = case.functions.iter().map(|f| (*f).to_owned()).collect();
        assert_eq!(here, functions, "{name}");
        let program = program(case, &[functions::RATES]);
        let parameters: Vec<String> = program.layout.p.iter().map(|p| to_identifier(&p.name)).collect();
        assert_eq!(case.parameters, parameters, "{name}");
    }
}

#[test]
fn nan_gives_nan_or_an_error_in_every_result_that_depends_on_it() {
    let mut results = 0;
    for (case, program) in &programs() {
        let clean = point(case, program);
        let at_clean = values(program, &clean);
        let before: Vec<CallResult> =
            functions(case, program).map(|(f, _)| (case.double)(f, &clean)).collect();
        for symbol in clean.symbols().into_iter().step_by(tier::cases_by_tier(2, 1)) {
            let bad = clean.with(symbol, f64::NAN);
            let dependent = dependent(program, symbol, &at_clean);
            let interpreted = values(program, &bad);
            for ((function, nodes), before) in functions(case, program).zip(&before) {
                let at = format!("{}::{function} with NaN for {symbol:?}", case.name);
                assert!(before.0 && before.1.len() == nodes.len(), "{}::{function}: {before:?}", case.name);
                let expected: Vec<bool> = nodes.iter().map(|n| dependent[n.0 as usize]).collect();
                results += expected.iter().filter(|e| **e).count();
                for (node, expected) in nodes.iter().zip(&expected) {
                    assert!(!expected || interpreted[node.0 as usize].is_nan(), "{at}: interpreter");
                }
                let check = |scalar: &str, (ok, numbers): CallResult, stride: usize| {
                    assert_eq!(numbers.len(), nodes.len() * stride, "{at}: {scalar}");
                    for (i, expected) in expected.iter().enumerate().filter(|_| ok) {
                        assert!(
                            !expected || numbers[i * stride].is_nan(),
                            "{at}: {scalar}, number {i}: {numbers:?}"
                        );
                    }
                };
                check("double", (case.double)(function, &bad), 1);
                check("single", (case.single)(function, &bad), 1);
                let both = (case.both)(function, &bad, &clean);
                // The other lane is unaffected.
                let beside: Vec<f64> = both.1.iter().skip(2).step_by(4).copied().collect();
                assert_eq!(beside, before.1, "{at}: the other lane");
                check("lanes of duals", both, 4);
            }
        }
    }
    println!("{results} results depend on a symbol");
    assert!(results > tier::cases_by_tier(1_000, 10_000), "{results}");
}

/// The value, or zero if it is finite.
fn keep_non_finite(x: f64) -> f64 {
    if x.is_nan() {
        f64::NAN
    } else if x.is_infinite() {
        x
    } else {
        0.0
    }
}

#[test]
fn infinity_means_in_compiled_code_what_it_means_in_the_interpreter() {
    let mut infinite = 0;
    for (case, program) in &programs() {
        let clean = point(case, program);
        for symbol in clean.symbols().into_iter().step_by(tier::cases_by_tier(2, 1)) {
            for value in [f64::INFINITY, f64::NEG_INFINITY] {
                let bad = clean.with(symbol, value);
                let interpreted = values(program, &bad);
                for (function, nodes) in functions(case, program) {
                    let expected: Vec<f64> =
                        nodes.iter().map(|n| keep_non_finite(interpreted[n.0 as usize])).collect();
                    let (ok, numbers) = (case.double)(function, &bad);
                    let actual: Vec<f64> = numbers.iter().map(|x| keep_non_finite(*x)).collect();
                    infinite += actual.iter().filter(|x| x.is_infinite()).count();
                    let same = actual.iter().zip(&expected).all(|(a, b)| a == b || a.is_nan() && b.is_nan());
                    assert!(
                        !ok || same,
                        "{}::{function}, {value} for {symbol:?}: {actual:?}, {expected:?}",
                        case.name
                    );
                }
            }
        }
    }
    println!("{infinite} results are infinite");
    assert!(infinite > tier::cases_by_tier(5, 100), "{infinite}");
}
