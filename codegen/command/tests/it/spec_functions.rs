//! The key `functions` of specs: the functions emitted by default.

use dqdt_codegen::{Config, functions, pipeline, read};

fn spec(functions: &str) -> String {
    format!(
        "name = \"slider\"\n{functions}\n[bodies.b]\nmass = 1\n[joints.j]\ntype = \"prismatic\"\naxis = \"x\"\nparent = \"ground\"\nchild = \"b\"\n"
    )
}

fn names(functions: &str) -> Vec<&'static str> {
    let text = spec(functions);
    let loaded = pipeline::build(&read::parse("slider.toml", text.as_str()).unwrap(), "slider.toml").unwrap();
    pipeline::functions_of(&loaded).unwrap().iter().map(|f| f.name).collect()
}

#[test]
fn a_spec_says_which_functions_are_emitted() {
    let default: Vec<&str> = functions::defaults().iter().map(|f| f.name).collect();
    assert_eq!(names(""), default);
    assert_eq!(names("functions = [\"dqdt\", \"linearize\", \"dqdt\"]"), ["dqdt", "linearize"]);
    assert_eq!(names("functions = [\"linearize\", \"default\"]"), [&["linearize"], &default[..]].concat());
}

#[test]
fn a_build_script_takes_them_unless_it_names_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("slider.toml");
    std::fs::write(&path, spec("functions = [\"dqdt\", \"gravity\"]")).unwrap();
    let emitted = |config: &mut Config| {
        config.out_dir(folder.path()).compile(&[&path]).unwrap();
        let text = std::fs::read_to_string(folder.path().join("slider.rs")).unwrap();
        ["dqdt", "gravity", "energy", "reactions"].map(|f| text.contains(&format!("fn {f}<")))
    };
    assert_eq!(emitted(&mut Config::new()), [true, true, false, false]);
    assert_eq!(emitted(Config::new().reactions()), [true, true, false, true]);
    assert_eq!(emitted(Config::new().functions([functions::ENERGY])), [false, false, true, false]);
}
