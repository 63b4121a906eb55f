//! Modules written with options of `Config` compile and agree with the library: the formalism with
//! the fewest operations, and reactions.

use crate::common::{flatten_wrenches, forward};
use crate::compiled::{Module, relative};
use dqdt_codegen::Formalism;
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{COptions, CScalar, FormalismChoice};
use dqdt_codegen::{Config, ConfigError, languages, pipeline};
use dqdt_derivation::derive::start_at_defaults;
use dqdt_samples::random::Sample;
use dqdt_samples::tier;
use dqdt_tests::root;

/// The tested examples: a tree with an input, and a loop.
const SPECS: [&str; 2] = ["cart_pole", "four_bar"];

fn sample(name: &str) -> (Sample, Formalism) {
    let loaded = pipeline::load(&root(&format!("examples/specs/{name}.toml"))).unwrap();
    let functions = functions::defaults_and(&[functions::REACTIONS]);
    let formalism = pipeline::choose(&loaded, FormalismChoice::LeastCost, &functions).unwrap();
    let s = start_at_defaults(&loaded.mechanism);
    let mut sample = Sample {
        mechanism: loaded.mechanism,
        formulation: Default::default(),
        partition: loaded.partition,
        t: 0.0,
        q: s.q,
        v: s.v,
        z: s.z,
        u: s.u,
    };
    // Away from the start, so that no term vanishes; also off the constraints, which
    // the equations allow.
    sample.q.iter_mut().zip(1..).for_each(|(q, i)| *q += 0.1 / f64::from(i));
    sample.v.iter_mut().zip(1..).for_each(|(v, i)| *v += 0.7 - 0.3 * f64::from(i));
    sample.u.iter_mut().for_each(|u| *u = 1.5);
    (sample, formalism)
}

fn format_calls(s: &Sample) -> String {
    let x = [&s.q[..], &s.v, &s.z].concat();
    let joints: Vec<String> = s.mechanism.joints.iter().map(|j| format!("&y.{}[..]", j.name)).collect();
    format!(
        "let model = m::Model::<f64>::default();\n\
         let x: [f64; m::NX] = {x:?};\nlet u: [f64; m::NU] = {:?};\nlet mut dx = [f64::NAN; m::NX];\n\
         model.dqdt({:?}, &x, &u, &mut dx).unwrap();\nshow(\"dqdt\", &dx);\n\
         let mut y = m::Reactions::default();\n\
         model.reactions({:?}, &x, &u, &mut y).done();\nshow(\"reactions\", &[{}].concat());\n",
        s.u,
        s.t,
        s.t,
        joints.join(", ")
    )
}

#[test]
fn a_module_of_the_cheapest_formalism_with_reactions_compiles_and_agrees_with_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let paths = SPECS.map(|name| root(&format!("examples/specs/{name}.toml")));
    Config::new()
        .formalism(FormalismChoice::LeastCost)
        .reactions()
        .out_dir(folder.path())
        .compile(&paths)
        .unwrap();
    let samples = SPECS.map(sample);
    let modules: Vec<Module> = (SPECS.iter().zip(&samples))
        .map(|(name, (s, formalism))| {
            let source = std::fs::read_to_string(folder.path().join(format!("{name}.rs"))).unwrap();
            let header = source.lines().next().unwrap();
            assert!(header.contains(&format!("formalism: {}", formalism.name())), "{header}");
            Module { name: (*name).to_owned(), source, calls: format_calls(s) }
        })
        .collect();
    let results = crate::compiled::run("compiled-options", &modules);
    for (name, (s, _)) in SPECS.iter().zip(&samples) {
        let result_of = |function: &str| &results[&((*name).to_owned(), function.to_owned())];
        let dx = result_of("dqdt");
        let (nq, nv) = (s.q.len(), s.v.len());
        // Two formalisms of the library that share little code.
        for f in [Formalism::Lagrange, Formalism::Maggi] {
            let expected = forward(f, s);
            let error = relative(&dx[nq..nq + nv], &expected.accelerations);
            assert!(error < 1e-12, "{name}: accelerations against {}: {error:e}", f.name());
            let error = relative(result_of("reactions"), &flatten_wrenches(&expected.reactions));
            assert!(error < 1e-12, "{name}: reactions against {}: {error:e}", f.name());
        }
        assert!(
            result_of("reactions").iter().any(|r| r.abs() > 0.1),
            "{name}: nothing goes through its joints"
        );
    }
}

#[test]
fn a_fused_module_has_the_same_bits_where_the_target_has_no_fused_multiply_add() {
    let names = &["cart_pole", "four_bar", "panda_arm", "quadrotor"][..tier::cases_by_tier(2, 4)];
    let paths: Vec<_> = names.iter().map(|name| root(&format!("examples/specs/{name}.toml"))).collect();
    let mut modules: Vec<Module> = Vec::new();
    for kind in ["plain", "fused"] {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::new();
        if kind == "plain" {
            config.unfused();
        }
        config.reactions().out_dir(folder.path()).compile(&paths).unwrap();
        for name in names {
            let source = std::fs::read_to_string(folder.path().join(format!("{name}.rs"))).unwrap();
            assert_eq!(source.contains("_mul("), kind == "fused", "{name}");
            modules.push(Module {
                name: format!("{name}_{kind}"),
                source,
                calls: format_calls(&sample(name).0),
            });
        }
    }
    let results = crate::compiled::run("compiled-fused", &modules);
    for name in names {
        for function in ["dqdt", "reactions"] {
            let result_of = |kind: &str| &results[&(format!("{name}_{kind}"), function.to_owned())];
            let bits = |kind: &str| result_of(kind).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
                assert!(relative(result_of("fused"), result_of("plain")) < 1e-12, "{name}: {function}");
            } else {
                assert_eq!(bits("fused"), bits("plain"), "{name}: {function}");
            }
        }
    }
}

#[test]
fn c_of_a_build_script_is_that_of_the_library_and_stays_while_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = root("examples/specs/cart_pole.toml");
    let mut config = Config::new();
    config.language(&languages::C).option("steps", "true").single_precision().fused();
    config.functions([functions::DQDT]).formalism(Formalism::Kane).out_dir(folder.path());
    config.compile(&[&path]).unwrap();
    let loaded = pipeline::load(&path).unwrap();
    let program = pipeline::derive(&loaded, Formalism::Kane.into(), &[functions::DQDT]).unwrap().program;
    let options = COptions { scalar: CScalar::Float, fused: true, steps: true, casadi: false, ascii: false };
    let expected = pipeline::c(&program, &options).unwrap();
    let path_with_ending = |ending: &str| folder.path().join(format!("cart_pole.{ending}"));
    let texts = || ["h", "c"].map(|ending| std::fs::read_to_string(path_with_ending(ending)).unwrap());
    assert_eq!(texts(), [expected.header.clone(), expected.source.clone()]);
    // A changed file is rewritten, an unchanged one is not touched.
    let modification_time = std::fs::metadata(path_with_ending("c")).unwrap().modified().unwrap();
    std::fs::write(path_with_ending("h"), "old").unwrap();
    config.compile(&[&path]).unwrap();
    assert_eq!(texts(), [expected.header, expected.source]);
    assert_eq!(std::fs::metadata(path_with_ending("c")).unwrap().modified().unwrap(), modification_time);
}

#[test]
fn specs_of_one_name_and_options_of_another_language_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root("examples/specs/cart_pole.toml")).unwrap();
    let specs = ["first.toml", "second.toml"].map(|name| folder.path().join(name));
    specs.iter().for_each(|path| std::fs::write(path, &text).unwrap());
    let compile = |config: &mut Config| {
        config.formalism(Formalism::Kane).functions([functions::DQDT]).out_dir(folder.path()).compile(&specs)
    };
    let error = compile(Config::new().language(&languages::C)).unwrap_err();
    assert!(
        error.to_string().ends_with(
            "cart_pole.h: give one of them another `name`, which determines the names of its files"
        )
    );
    let ConfigError::SameName { first, second, module } = &error else { panic!("{error}") };
    assert_eq!([first, second], specs.each_ref());
    assert_eq!(module, "cart_pole.h");
    // Rust and C of one spec have separate stamps, so that neither causes a new
    // derivation of the other.
    let stamps = || {
        std::fs::read_dir(folder.path())
            .unwrap()
            .filter(|f| f.as_ref().unwrap().path().extension().is_some_and(|e| e == "stamp"))
            .count()
    };
    let of_c = stamps();
    compile(&mut Config::new()).unwrap();
    assert_eq!((of_c, stamps()), (1, 3));
    for (config, expected) in [
        (
            Config::new().option("steps", "true"),
            "option `steps` of the language: Rust accepts only scalar, fused, unfused",
        ),
        (
            Config::new().language(&languages::C).option("scalar", "half"),
            "option `scalar` of the language: `half` is not an accepted value; use one of double, float",
        ),
        (
            Config::new().language(&languages::C).single_precision().option("casadi", "true"),
            "option `casadi` of the language: CasADi supports only `double`: do not set `scalar` to `float`",
        ),
    ] {
        assert_eq!(compile(config).unwrap_err().to_string(), expected);
    }
}
