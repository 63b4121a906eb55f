//! Machine code computes the bits of the interpreter: all functions of examples and robots, in
//! `f64` and `f32`, one state at a time and in packs, with signed zeros, infinities and angles
//! beyond the range of the polynomials. A NaN only has to be a NaN.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dqdt_codegen::pipeline::program::{Arguments, Program};
use dqdt_codegen::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::{Function, NodeId, SymbolKind, Tape};
use dqdt_native::{NativeCode, NativeScalar, VECTORS};
use dqdt_samples::tier::{cases_by_tier, is_full_tier};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Specs of a folder, by name.
fn specs(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    paths
}

/// A program with the default functions, in the full tier with all that the mechanism has.
fn program(path: &Path) -> Program {
    let loaded = pipeline::load(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let functions = cases_by_tier(dqdt_codegen::functions::defaults(), dqdt_codegen::functions::ALL.to_vec());
    let formalism = dqdt_generate::pipeline::choose(&loaded, FormalismChoice::Quick, &functions).unwrap();
    dqdt_generate::pipeline::program_to_run(&loaded, formalism, &functions).unwrap()
}

fn tape(program: &Program, f: &Function) -> Tape {
    let mut nodes: Vec<NodeId> = f.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
    nodes.extend(f.checks.iter().flat_map(|c| [c.value, c.scale]));
    Tape::new(&program.graph, &nodes)
}

/// A reproducible sequence of numbers in −1 to 1.
struct RandomSequence(u64);

impl RandomSequence {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Arguments to compare at: the start, zero, in motion, far angles, signed zeros, infinities, NaN.
fn states(program: &Program, count: usize) -> Vec<Arguments> {
    let start = Arguments::defaults(program);
    let mut all = vec![start.clone()];
    let mut random = RandomSequence(7);
    for case in 0..count {
        let mut a = start.clone();
        a.t = random.next();
        let vectors = [&mut a.q, &mut a.v, &mut a.z, &mut a.u, &mut a.a, &mut a.impulses, &mut a.efforts];
        for x in vectors.into_iter().flatten() {
            *x = match case % 5 {
                0 => *x + random.next(),
                1 => 4.0 * random.next(),
                2 => 3e5 * random.next(),
                3 => [0.0, -0.0, *x][(random.next().abs() * 2.9) as usize],
                _ if random.next() > 0.9 => {
                    [f64::INFINITY, f64::NEG_INFINITY, f64::NAN][(random.next().abs() * 2.9) as usize]
                }
                _ => random.next(),
            };
        }
        if case % 2 == 1 {
            a.p.iter_mut().for_each(|p| *p *= 1.0 + 0.1 * random.next());
        }
        all.push(a);
    }
    all
}

/// Scalars that can be rounded from doubles and compared by bits.
trait Bits: NativeScalar {
    fn same(self, other: Self) -> bool;
}

impl Bits for f64 {
    fn same(self, other: f64) -> bool {
        self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
    }
}

impl Bits for f32 {
    fn same(self, other: f32) -> bool {
        self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
    }
}

fn vectors<T: NativeScalar>(a: &Arguments) -> [Vec<T>; VECTORS] {
    [&[a.t][..], &a.p, &a.q, &a.v, &a.z, &a.u, &a.a, &a.impulses, &a.efforts, &a.contacts, &a.costates]
        .map(|v| v.iter().map(|x| T::from_f64(*x)).collect())
}

fn slices<T>(vectors: &[Vec<T>; VECTORS]) -> [&[T]; VECTORS] {
    std::array::from_fn(|i| &vectors[i][..])
}

/// Compares single calls and packs of code for a tape with the interpreter.
fn compare<T: Bits>(what: &str, code: &NativeCode<T>, tape: &Tape, states: &[Arguments]) {
    let interpret = |a: &Arguments| {
        let mut result = vec![T::ZERO; tape.outputs().len()];
        tape.evaluate(|kind: SymbolKind| T::from_f64(a.value(kind)), &mut Vec::new(), &mut result);
        result
    };
    for (k, a) in states.iter().enumerate() {
        let wanted = interpret(a);
        let arguments = vectors::<T>(a);
        let model = code.model(&arguments[1]);
        let mut result = vec![T::ZERO; wanted.len()];
        code.call(&slices(&arguments), &model, &mut result);
        for (i, (x, y)) in result.iter().zip(&wanted).enumerate() {
            assert!(x.same(*y), "{what}, state {k}, output {i}: {x:?} instead of {y:?}");
        }
    }
    for (k, group) in states.chunks_exact(T::LANES).enumerate() {
        // Time and parameters are common to the lanes.
        let group: Vec<Arguments> =
            group.iter().map(|a| Arguments { t: group[0].t, p: group[0].p.clone(), ..a.clone() }).collect();
        let lanes: Vec<[Vec<T>; VECTORS]> = group.iter().map(vectors::<T>).collect();
        let packed: [Vec<T>; VECTORS] = std::array::from_fn(|v| match v {
            0 | 1 => lanes[0][v].clone(),
            _ => (0..lanes[0][v].len()).flat_map(|i| lanes.iter().map(move |l| l[v][i])).collect(),
        });
        let model = code.model(&packed[1]);
        let mut result = vec![T::ZERO; T::LANES * tape.outputs().len()];
        code.pack(&slices(&packed), &model, &mut result);
        for (lane, a) in group.iter().enumerate() {
            for (i, wanted) in interpret(a).iter().enumerate() {
                let x = result[i * T::LANES + lane];
                assert!(x.same(*wanted), "{what}, pack {k}, lane {lane}, output {i}: {x:?} for {wanted:?}");
            }
        }
    }
}

/// Largest number of steps of a function in the full tier. `DQDT_STEPS=1000000` compares all, in
/// ten minutes.
const MOST_STEPS: usize = 10_000;

#[test]
fn machine_code_has_the_bits_of_the_interpreter_for_every_function() {
    let most: usize =
        std::env::var("DQDT_STEPS").map_or(MOST_STEPS, |n| n.parse().expect("DQDT_STEPS is a number"));
    let mut paths = specs("examples/specs");
    if is_full_tier() {
        paths.extend(specs("tests/data/robots"));
        paths.extend(specs("tests/data/robots/classic"));
    } else {
        paths = paths.into_iter().step_by(4).collect();
    }
    for path in paths {
        let program = program(&path);
        let states = states(&program, cases_by_tier(10, 40));
        for f in &program.functions {
            let tape = tape(&program, f);
            if tape.len() > most {
                continue;
            }
            let what = format!("{}, {}", path.display(), f.declaration.name);
            compare(&what, &NativeCode::<f64>::compile(&tape).unwrap(), &tape, &states);
            compare(&what, &NativeCode::<f32>::compile(&tape).unwrap(), &tape, &states);
        }
    }
}

#[test]
fn code_for_single_states_has_the_same_bits_and_evaluates_packs_too() {
    // The first is compiled as for packs, the second has its registers allocated in a single pass.
    for spec in ["examples/specs/four_bar.toml", "tests/data/robots/talos.toml"] {
        let loaded = pipeline::load(&root().join(spec)).unwrap_or_else(|e| panic!("{spec}: {e}"));
        let functions = vec![dqdt_codegen::functions::DQDT];
        let formalism = dqdt_generate::pipeline::choose(&loaded, FormalismChoice::Quick, &functions).unwrap();
        let program = dqdt_generate::pipeline::program_to_run(&loaded, formalism, &functions).unwrap();
        let tape = tape(&program, &program.functions[0]);
        let code = NativeCode::<f64>::compile_without_packs(&tape).unwrap();
        compare(spec, &code, &tape, &states(&program, 20));
    }
}

#[test]
fn code_can_be_called_from_several_threads_at_once_and_freed() {
    let program = program(&root().join("examples/specs/cart_pole.toml"));
    let tape = tape(&program, &program.functions[0]);
    let code = Arc::new(NativeCode::<f64>::compile(&tape).unwrap());
    let states = states(&program, 20);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (code, states) = (Arc::clone(&code), &states);
            scope.spawn(move || {
                for a in states {
                    let arguments = vectors::<f64>(a);
                    let model = code.model(&arguments[1]);
                    let mut result = vec![0.0; code.output_count()];
                    code.call(&slices(&arguments), &model, &mut result);
                }
            });
        }
    });
    drop(code);
}

#[test]
#[should_panic(expected = "argument vector 2 is too short")]
fn a_short_vector_is_refused_before_the_code_reads_it() {
    let program = program(&root().join("examples/specs/cart_pole.toml"));
    let f = program.function(dqdt_codegen::functions::DQDT).unwrap();
    let code = NativeCode::<f64>::compile(&tape(&program, f)).unwrap();
    let mut arguments = vectors::<f64>(&Arguments::defaults(&program));
    let model = code.model(&arguments[1]);
    arguments[2].clear();
    code.call(&slices(&arguments), &model, &mut vec![0.0; code.output_count()]);
}
