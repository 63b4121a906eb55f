//! Times of compiled and interpreted functions: `cargo run --release -p dqdt-native --example
//! native_times -- SPEC...`, at the start. With `--states FILE SPEC` the least time of a call in a
//! loop over the states of a file, as `python/bench.py` writes it.

use std::hint::black_box;
use std::time::Instant;

use dqdt_codegen::functions;
use dqdt_codegen::pipeline::program::Arguments;
use dqdt_codegen::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::{NodeId, Tape};
use dqdt_native::{NativeCode, VECTORS};

/// Nanoseconds per call.
fn time(mut f: impl FnMut()) -> f64 {
    let mut count = 1u32;
    loop {
        let start = Instant::now();
        for _ in 0..count {
            f();
        }
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed > 0.05 {
            return elapsed / f64::from(count) * 1e9;
        }
        count *= 2;
    }
}

/// Least nanoseconds per call in a loop over states: rows of doubles, the state and then the
/// inputs.
fn time_states(code: &NativeCode<f64>, a: &Arguments, file: &str) -> std::io::Result<f64> {
    let bytes = std::fs::read(file)?;
    let numbers: Vec<f64> = bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let width = a.q.len() + a.v.len() + a.z.len() + a.u.len();
    let (time_now, model) = ([a.t], code.model(&a.p));
    let mut results = vec![0.0; numbers.len() / width * code.output_count()];
    let mut least = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        let rows = results.chunks_exact_mut(code.output_count());
        for (row, result) in numbers.chunks_exact(width).zip(rows) {
            let (q, rest) = row.split_at(a.q.len());
            let (v, rest) = rest.split_at(a.v.len());
            let (z, u) = rest.split_at(a.z.len());
            let vectors =
                [&time_now, &a.p[..], q, v, z, u, &a.a, &a.impulses, &a.efforts, &a.contacts, &a.costates];
            code.call(&vectors, &model, result);
        }
        black_box(&results);
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(least / (numbers.len() / width) as f64 * 1e9)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let states = match words.first().is_some_and(|w| w == "--states") {
        true => words.drain(..2).next_back(),
        false => None,
    };
    for path in words {
        let start = Instant::now();
        let loaded = pipeline::load(path.as_ref())?;
        let functions = vec![functions::DQDT];
        let formalism = dqdt_generate::pipeline::choose(&loaded, FormalismChoice::Quick, &functions)?;
        let program = dqdt_generate::pipeline::program_to_run(&loaded, formalism, &functions)?;
        let derive = start.elapsed().as_secs_f64() * 1e3;
        let f = program.function(functions::DQDT).ok_or("the program has no function `dqdt`")?;
        let mut nodes: Vec<NodeId> = f.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
        nodes.extend(f.checks.iter().flat_map(|c| [c.value, c.scale]));
        let tape = Tape::new(&program.graph, &nodes);
        let start = Instant::now();
        let code = NativeCode::<f64>::compile(&tape)?;
        let compile = start.elapsed().as_secs_f64() * 1e3;
        if let Some(file) = &states {
            println!("{:.1}", time_states(&code, &Arguments::defaults(&program), file)?);
            continue;
        }
        let start = Instant::now();
        let without_packs = NativeCode::<f64>::compile_without_packs(&tape)?;
        let compile_without_packs = start.elapsed().as_secs_f64() * 1e3;
        let singles = NativeCode::<f32>::compile(&tape)?;
        let a = Arguments::defaults(&program);
        let (mut work, mut result) = (Vec::new(), vec![0.0; nodes.len()]);
        let interpreted = time(|| tape.evaluate(|k| a.value(k), &mut work, black_box(&mut result)));
        let time_now = [a.t];
        let vectors: [&[f64]; VECTORS] = [
            &time_now,
            &a.p,
            &a.q,
            &a.v,
            &a.z,
            &a.u,
            &a.a,
            &a.impulses,
            &a.efforts,
            &a.contacts,
            &a.costates,
        ];
        let model = code.model(&a.p);
        let mut native_result = vec![0.0; nodes.len()];
        let native = time(|| code.call(black_box(&vectors), &model, &mut native_result));
        let alone = time(|| without_packs.call(black_box(&vectors), &model, &mut native_result));
        let same = result.iter().zip(&native_result).all(|(x, y)| x.to_bits() == y.to_bits());
        let doubled: Vec<Vec<f64>> = vectors
            .iter()
            .enumerate()
            .map(|(i, v)| if i < 2 { v.to_vec() } else { v.iter().flat_map(|x| [*x; 2]).collect() })
            .collect();
        let packs: [&[f64]; VECTORS] = std::array::from_fn(|i| &doubled[i][..]);
        let mut pack_result = vec![0.0; 2 * nodes.len()];
        let pack = time(|| code.pack(black_box(&packs), &model, &mut pack_result)) / 2.0;
        let same_pack = pack_result.iter().enumerate().all(|(i, x)| x.to_bits() == result[i / 2].to_bits());
        let fours: Vec<Vec<f32>> = vectors
            .iter()
            .enumerate()
            .map(|(i, v)| {
                if i < 2 {
                    v.iter().map(|x| *x as f32).collect()
                } else {
                    v.iter().flat_map(|x| [*x as f32; 4]).collect()
                }
            })
            .collect();
        let packs: [&[f32]; VECTORS] = std::array::from_fn(|i| &fours[i][..]);
        let model: Vec<f32> = singles.model(packs[1]);
        let mut pack_result = vec![0.0; 4 * nodes.len()];
        let single = time(|| singles.pack(black_box(&packs), &model, &mut pack_result)) / 4.0;
        println!(
            "{path}: {}, {} steps, derive {derive:.1} ms, compile {compile:.1} ms, without packs {compile_without_packs:.1} ms, interpreted {interpreted:.0} ns, native {native:.0} ns, compiled without packs {alone:.0} ns, pack {pack:.0} ns, f32 pack {single:.0} ns, same bits {same} {same_pack}",
            formalism.name(),
            tape.len()
        );
    }
    Ok(())
}
