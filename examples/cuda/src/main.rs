//! Rollouts of the cart-pole on a GPU, beside those of the processor: largest difference and times.
//!
//! ```sh
//! cargo dqdt emit examples/specs/cart_pole.toml --language cuda --functions dqdt,rates -o target/cart_pole.cuh
//! cargo run --release --manifest-path examples/cuda/Cargo.toml -- target/cart_pole.cuh
//! ```
//!
//! NVRTC compiles the emitted header for the device. Without a device the program says so and ends.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use cudarc::driver::{CudaContext, CudaModule, CudaStream, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};
use dqdt::rollout::{LastStates, Rollout, RolloutInputs, StepMethod};
use dqdt_generated::cart_pole::{Model, NU, NX};

/// Samples that are integrated at the same time.
const N: usize = 65_536;
/// Steps of each sample.
const STEPS: usize = 32;
/// Length of a step [s].
const H: f32 = 0.02;

/// The first device; `None` without one, or without the driver's library.
fn first_device() -> Option<Arc<CudaContext>> {
    // SAFETY: it only tries to load the library.
    let has_driver = unsafe { cudarc::driver::sys::is_culib_present() };
    // SAFETY: the same for the compiler.
    let has_compiler = unsafe { cudarc::nvrtc::sys::is_culib_present() };
    if !has_driver || !has_compiler {
        return None;
    }
    CudaContext::new(0).ok()
}

/// Length of the model, which the emitted header states as `NMODEL`.
fn model_length(header: &str) -> Result<usize, Box<dyn Error>> {
    let (_, after) = header.split_once(" NMODEL = ").ok_or("the header has no NMODEL")?;
    let (number, _) = after.split_once(',').ok_or("the header has no NMODEL")?;
    Ok(number.parse()?)
}

/// Starts and inputs, by coordinate: poles that lean, forces that differ by sample and step.
fn samples() -> (Vec<f32>, Vec<f32>) {
    let mut x = vec![0.0; NX * N];
    for (k, lean) in x[N..2 * N].iter_mut().enumerate() {
        *lean = 0.4 * (k as f32 / N as f32) - 0.2;
    }
    let u = (0..STEPS * NU * N).map(|i| 5.0 * (0.37 * i as f32).sin()).collect();
    (x, u)
}

/// Integrates the samples on the device; returns their last states.
fn roll_out_on_device(
    stream: &Arc<CudaStream>,
    module: &Arc<CudaModule>,
    length: usize,
    (x, u): (&[f32], &[f32]),
) -> Result<Vec<f32>, Box<dyn Error>> {
    let make_model = module.load_function("cart_pole_model_f32")?;
    let mut model = stream.alloc_zeros::<f32>(length)?;
    let none = 0u64;
    let mut launch = stream.launch_builder(&make_model);
    launch.arg(&none).arg(&mut model);
    // SAFETY: the kernel writes `length` numbers to `model`; NULL stands for the parameters of the
    // spec.
    unsafe { launch.launch(LaunchConfig::for_num_elems(1))? };
    // The model is passed by value: its numbers, in an array of at least its length.
    let mut by_value = [0.0f32; 64];
    let numbers = stream.clone_dtoh(&model)?;
    by_value.get_mut(..length).ok_or("the model is longer than 64 numbers")?.copy_from_slice(&numbers);

    let (x, u) = (stream.clone_htod(x)?, stream.clone_htod(u)?);
    let mut last = stream.alloc_zeros::<f32>(NX * N)?;
    let mut completed = stream.alloc_zeros::<i32>(N)?;
    let rollout = module.load_function("cart_pole_rk4_rollout_f32")?;
    let (t, steps, per_step, n) = (0.0f32, STEPS as i32, 1i32, N as i32);
    let mut launch = stream.launch_builder(&rollout);
    launch.arg(&by_value).arg(&t).arg(&H).arg(&steps).arg(&per_step).arg(&n).arg(&n);
    launch.arg(&x).arg(&u).arg(&mut last).arg(&none).arg(&mut completed);
    let begin = Instant::now();
    // SAFETY: all arrays have the lengths that the kernel reads and writes: NX rows and STEPS * NU
    // rows of N numbers; NULL omits the states of all steps.
    unsafe { launch.launch(LaunchConfig::for_num_elems(N as u32))? };
    stream.synchronize()?;
    println!("device: {:.2} ns a step and sample", nanoseconds(begin));
    Ok(stream.clone_dtoh(&last)?)
}

/// Integrates the samples on one core; returns their last states.
fn roll_out_on_processor((x, u): (&[f32], &[f32])) -> Result<Vec<f32>, Box<dyn Error>> {
    let (mut last, mut completed) = (vec![0.0; NX * N], vec![0; N]);
    let run = Rollout {
        method: StepMethod::Rk4,
        t: 0.0,
        h: H,
        steps: STEPS,
        inputs: RolloutInputs::PerStep,
        leading: N,
    };
    let mut rows: Vec<&mut [f32]> = last.chunks_exact_mut(N).collect();
    let begin = Instant::now();
    dqdt_simd::rollout(&Model::<f32>::default(), &run, x, u, LastStates(&mut rows), &mut completed)?;
    println!("processor: {:.2} ns a step and sample", nanoseconds(begin));
    Ok(last)
}

fn nanoseconds(begin: Instant) -> f64 {
    1e9 * begin.elapsed().as_secs_f64() / (N * STEPS) as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name the emitted header: target/cart_pole.cuh")?;
    let header = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let (x, u) = samples();
    let expected = roll_out_on_processor((&x, &u))?;
    let Some(context) = first_device() else {
        println!(
            "There is no CUDA device here, or its driver or NVRTC is missing: nothing was run on a device."
        );
        return Ok(());
    };
    let options = vec!["-DDQDT_WITHOUT_F64".to_owned()];
    let ptx = compile_ptx_with_opts(&header, CompileOptions { options, ..CompileOptions::default() })?;
    let (stream, module) = (context.default_stream(), context.load_module(ptx)?);
    let length = model_length(&header)?;
    let actual = roll_out_on_device(&stream, &module, length, (&x, &u))?;
    let difference = actual.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    println!("largest difference of a last state: {difference:.1e}");
    Ok(())
}
