//! Use of the generator stage by stage: inspect the result of a stage, change it, pass it to the
//! next.
//!
//! ```text
//! spec ─▶ mechanism ─▶ equations ─▶ program ─▶ Rust
//! ```
//! Modules are written to `target/inspect_api`.

mod changes;
mod mechanisms;
mod show;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use dqdt_codegen::Formalism;
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::program::Program;
use dqdt_codegen::pipeline::{self, Assembled, Request};

fn main() -> Result<(), Box<dyn Error>> {
    for loaded in [mechanisms::cart_pole()?, mechanisms::chain(3)?] {
        print_report(&loaded)?;
    }
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/inspect_api"));
    fs::create_dir_all(&folder)?;
    let mut rows = Vec::new();
    for (name, program) in variants(&mechanisms::cart_pole()?) {
        let text = pipeline::rust(&program)?;
        let file = format!("{name}.rs");
        let has_changed = pipeline::write_if_changed(&folder.join(&file), &text)?;
        rows.push(vec![
            file,
            program.layout.p.len().to_string(),
            show::total(&program).to_string(),
            text.lines().count().to_string(),
            if has_changed { "written" } else { "as it was" }.to_owned(),
        ]);
    }
    println!("modules in target/inspect_api");
    print!("{}", show::table(&["module", "parameters", "operations", "lines", ""], &rows));
    Ok(())
}

/// Prints the bodies, the equations as numbers by two formalisms, and the operation counts of the
/// emitted functions.
fn print_report(loaded: &Assembled) -> Result<(), Box<dyn Error>> {
    let m = &loaded.mechanism;
    println!("{}: {}", m.name, m.description);
    print!("{}", show::bodies(m));
    let kane = show::equations(loaded, Formalism::Kane)?;
    let lagrange = show::equations(loaded, Formalism::Lagrange)?;
    println!("\nM v̇ + h = τ at the initial pose, all speeds 1");
    print!("{}", show::matrix(m, &kane));
    println!("  Kane and Lagrange differ by at most {:.1e}", show::difference(&kane, &lagrange));
    let program = pipeline::program(loaded, &Request::all(Formalism::Kane));
    println!("\nvectors of the emitted functions");
    print!("{}", show::layout(&program.layout));
    println!("\noperations of one call");
    print!("{}", show::costs(&program));
    println!();
    Ok(())
}

/// The cart-pole unchanged, and three variants.
fn variants(cart_pole: &Assembled) -> Vec<(&'static str, Program)> {
    let all = Request::all(Formalism::Kane);
    let mut variants = vec![("cart_pole", pipeline::program(cart_pole, &all))];

    // Changed mechanism: masses and lengths become constants, which are folded.
    let mut fixed = cart_pole.clone();
    for name in ["m_cart", "m_pole", "l", "g"] {
        changes::make_constant(&mut fixed.mechanism, name);
    }
    variants.push(("cart_pole_fixed", pipeline::program(&fixed, &all)));

    // Changed mechanism: no friction.
    let mut smooth = cart_pole.clone();
    for name in ["rail_friction", "hinge_friction"] {
        changes::drop_load(&mut smooth.mechanism, name);
    }
    variants.push(("cart_pole_smooth", pipeline::program(&smooth, &all)));

    // Changed program: an additional output, and only two functions.
    let mut metered = pipeline::program(cart_pole, &all);
    changes::add_power(&mut metered, "motor_power", 0, 0);
    metered.functions.retain(|f| f.is(functions::DQDT) || f.is(functions::OUTPUTS));
    variants.push(("cart_pole_metered", metered));
    variants
}

#[cfg(test)]
mod tests {
    use dqdt_codegen::pipeline::mechanism::BodyId;
    use dqdt_codegen::pipeline::program::{Arguments, Declaration, Machine};

    use super::*;

    /// Values of a function at the start, with one input.
    fn call(program: &Program, kind: &Declaration, u: f64) -> Result<Vec<f64>, Box<dyn Error>> {
        let mut machine = Machine::new(program, kind).ok_or("no such function")?;
        let mut arguments = Arguments::defaults(program);
        arguments.u.fill(u);
        arguments.v.copy_from_slice(&[0.5, -0.2]);
        Ok(machine.call(&arguments)?.to_vec())
    }

    #[test]
    fn formalisms_agree_on_both_mechanisms() -> Result<(), Box<dyn Error>> {
        for loaded in [mechanisms::cart_pole()?, mechanisms::chain(5)?] {
            let kane = show::equations(&loaded, Formalism::Kane)?;
            let lagrange = show::equations(&loaded, Formalism::Lagrange)?;
            assert!(show::difference(&kane, &lagrange) < 1e-13, "{}", loaded.mechanism.name);
        }
        Ok(())
    }

    #[test]
    fn a_chain_of_the_builder_has_as_many_rods_as_asked_for() -> Result<(), Box<dyn Error>> {
        let m = mechanisms::chain(4)?.mechanism;
        assert_eq!((m.bodies.len(), m.nq(), m.nv()), (4, 4, 4));
        assert_eq!(m.joints[3].parent, Some(BodyId(2)));
        Ok(())
    }

    #[test]
    fn constant_parameters_leave_the_vector_and_cost_nothing() -> Result<(), Box<dyn Error>> {
        let variants = variants(&mechanisms::cart_pole()?);
        let (all, fixed) = (&variants[0].1, &variants[1].1);
        assert_eq!(fixed.layout.p.len(), all.layout.p.len() - 4);
        assert!(show::total(fixed) < show::total(all));
        for (a, b) in call(all, functions::DQDT, 3.0)?.iter().zip(call(fixed, functions::DQDT, 3.0)?) {
            assert!((a - b).abs() < 1e-12, "{a} and {b}");
        }
        Ok(())
    }

    #[test]
    fn without_friction_the_bias_is_less() -> Result<(), Box<dyn Error>> {
        let variants = variants(&mechanisms::cart_pole()?);
        let rough = call(&variants[0].1, functions::BIAS, 0.0)?;
        let smooth = call(&variants[2].1, functions::BIAS, 0.0)?;
        // d_rail = 0.1 N·s/m at 0.5 m/s.
        assert!((rough[0] - smooth[0] - 0.05).abs() < 1e-12, "{rough:?} {smooth:?}");
        Ok(())
    }

    #[test]
    fn the_added_output_is_the_power_of_the_limited_force() -> Result<(), Box<dyn Error>> {
        let variants = variants(&mechanisms::cart_pole()?);
        let power = call(&variants[3].1, functions::OUTPUTS, 100.0)?;
        assert_eq!(power.last(), Some(&5.0), "10 N at 0.5 m/s");
        assert!(pipeline::rust(&variants[3].1)?.contains("motor_power"));
        Ok(())
    }

    #[test]
    fn changes_of_what_is_not_there_say_so() -> Result<(), Box<dyn Error>> {
        let mut loaded = mechanisms::cart_pole()?;
        assert!(!changes::make_constant(&mut loaded.mechanism, "no_such_parameter"));
        assert!(!changes::drop_load(&mut loaded.mechanism, "no_such_load"));
        let only = Request::new(Formalism::Kane, vec![functions::BIAS]);
        assert!(!changes::add_power(&mut pipeline::program(&loaded, &only), "power", 0, 0));
        Ok(())
    }
}
