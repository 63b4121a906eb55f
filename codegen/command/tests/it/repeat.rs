//! Repeats (`each`): the same mechanism as written out by hand, sizes from every source, correct
//! file and index in messages.

use std::path::{Path, PathBuf};

use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::read::{self, Settings};
use dqdt_codegen::spec::{Entries, SpecBuilder};
use dqdt_codegen::{Config, Formalism};
use dqdt_spec::resolve::resolve;

fn examples(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs").join(name)
}

fn build_repeated(text: &str, settings: &Settings) -> Assembled {
    let spec = read::parse_with("test.toml", text, settings).unwrap();
    pipeline::build(&spec, "test.toml").unwrap_or_else(|e| panic!("{e}"))
}

/// The emitted Rust module without the hash of the spec.
fn emit_without_hash(loaded: &Assembled) -> String {
    let text = pipeline::rust(&pipeline::program(loaded, &Request::all(Formalism::Kane))).unwrap();
    let hash = &loaded.origin.hash[..12];
    assert!(text.contains(hash));
    text.replace(hash, "")
}

#[test]
fn a_spec_over_a_template_is_called_as_its_file_unless_it_has_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let cart = examples("cart_pole.toml");
    let name = |file: &str, head: &str| {
        let path = folder.path().join(file);
        std::fs::write(&path, format!("{head}template = {cart:?}\n")).unwrap();
        pipeline::load(&path).unwrap_or_else(|e| panic!("{e}")).mechanism.name
    };
    assert_eq!(name("heavy-cart.toml", ""), "heavy_cart");
    assert_eq!(name("cart2.toml", "name = \"mine\"\n"), "mine");
    // This file name gives no valid name.
    assert_eq!(name("2.toml", ""), "cart_pole");
    // Two specs over one template in a folder give two C mechanisms.
    let specs = ["heavy-cart.toml", "cart2.toml"].map(|file| folder.path().join(file));
    let mut config = Config::new();
    config.language(&dqdt_codegen::languages::C).out_dir(folder.path());
    config.compile(&specs).unwrap();
    assert!(folder.path().join("heavy_cart.c").is_file() && folder.path().join("mine.c").is_file());
}

const CHAIN: &str = r#"
name = "chain10"
description = "planar chain of ten rods"
gravity = [0, "-g", 0]

[repeat]
n = 10
i = "1 to n"

[parameters]
g = { value = 9.81, unit = "m/s^2", description = "acceleration of gravity" }
m = { value = 1, unit = "kg", description = "mass of a rod" }
l = { value = 0.1, unit = "m", description = "length of a rod" }
J = { value = "m*l^2/12", unit = "kg*m^2", description = "inertia of a slender rod about its middle" }

[bodies."rod{i}"]
mass = "m"
inertia = [0, "J", "J"]
points = { start = ["-l/2", 0, 0], end = ["l/2", 0, 0] }

[joints."hinge{i}"]
type = "revolute"
axis = "z"
parent = { body = "rod{i-1}", at = "end" }
child = { body = "rod{i}", at = "start" }
coordinates = { names = ["q{i}"] }
"if i = 1" = { parent = "ground", coordinates = { names = ["q1"], start = [-1] } }

[outputs]
energy = { type = "energy" }
tip = { type = "position", body = "rod{n}", at = "end", description = "free end of the chain" }
"#;

#[test]
fn a_repeat_is_what_was_written_out_by_hand() {
    let by_hand = std::fs::read_to_string(examples("chain10.toml")).unwrap();
    let (short, long) = (build_repeated(CHAIN, &Settings::new()), build_repeated(&by_hand, &Settings::new()));
    assert_eq!(short.mechanism, long.mechanism);
    assert_eq!(short.partition, long.partition);
    assert_eq!(emit_without_hash(&short), emit_without_hash(&long));
    assert_ne!(short.origin.hash, long.origin.hash);
}

#[test]
fn every_section_is_repeated_in_the_order_of_the_file() {
    let short = r#"
name = "tree"
gravity = ["sum{i}(g{i})", 0, 0]
[repeat]
n = 3
i = "1 to n"
j = "i+1 to n"
side = "0 to 1"
[parameters]
"g{i}" = "{i}/{n}"
"k{i}_{j}" = "{10*i+j}"
[tables."t{i}"]
x = [0, "{i}"]
y = [0, "sum{side}({side})"]
[definitions]
"d{i}" = "2*q{i}"
[ground.points]
"p{side}" = ["{side}", 0, 0]
[bodies."b{i}"]
mass = "{i}"
inertia = [1, 1, 1]
points = { "p{side}" = ["1+{side}", 0, 0] }
[joints."j{i}"]
type = "revolute"
axis = "z"
parent = { body = "b{i/2}", at = "p{i%2}" }
child = "b{i}"
coordinates = { names = ["q{i}"] }
"if i = 1" = { parent = { body = "ground", at = "p1" } }
[inputs]
"u{i}" = "N*m"
[states."z{i}"]
rate = "-z{i} + u{i}"
[loads."each i"."motor{i}"]
type = "actuator"
joint = "j{i}"
effort = "u{i}"
[loads."each i"."spring{i}"]
type = "joint_spring"
joint = "j{i}"
rest = "t{i}(0.5)"
"if i = n" = { rest = 0 }
[outputs]
"o{i}" = "d{i} + z{i} + sum{j}(k{i}_{j}*q{j})"
"#;
    let mut long = String::from("name = \"tree\"\ngravity = [\"(g1 + g2 + g3)\", 0, 0]\n[parameters]\n");
    (1..=3).for_each(|i| long.push_str(&format!("g{i} = \"{i}/3\"\n")));
    long.push_str("k1_2 = \"12\"\nk1_3 = \"13\"\nk2_3 = \"23\"\n");
    (1..=3).for_each(|i| long.push_str(&format!("[tables.t{i}]\nx = [0, {i}]\ny = [0, \"(0 + 1)\"]\n")));
    long.push_str("[definitions]\n");
    (1..=3).for_each(|i| long.push_str(&format!("d{i} = \"2*q{i}\"\n")));
    long.push_str("[ground.points]\np0 = [0, 0, 0]\np1 = [1, 0, 0]\n");
    for i in 1..=3 {
        long.push_str(&format!("[bodies.b{i}]\nmass = {i}\ninertia = [1, 1, 1]\n"));
        long.push_str("points = { p0 = [\"1+0\", 0, 0], p1 = [\"1+1\", 0, 0] }\n");
        let parent = ["ground", "b1", "b1"][i - 1];
        let at = ["p1", "p0", "p1"][i - 1];
        long.push_str(&format!("[joints.j{i}]\ntype = \"revolute\"\naxis = \"z\"\nchild = \"b{i}\"\n"));
        long.push_str(&format!("parent = {{ body = \"{parent}\", at = \"{at}\" }}\n"));
        long.push_str(&format!("coordinates = {{ names = [\"q{i}\"] }}\n"));
        let rest = if i == 3 { "0".to_owned() } else { format!("\"t{i}(0.5)\"") };
        long.push_str(&format!(
            "[loads.motor{i}]\ntype = \"actuator\"\njoint = \"j{i}\"\neffort = \"u{i}\"\n"
        ));
        long.push_str(&format!(
            "[loads.spring{i}]\ntype = \"joint_spring\"\njoint = \"j{i}\"\nrest = {rest}\n"
        ));
        long.push_str(&format!("[states.z{i}]\nrate = \"-z{i} + u{i}\"\n"));
    }
    long.push_str("[inputs]\n");
    (1..=3).for_each(|i| long.push_str(&format!("u{i} = \"N*m\"\n")));
    long.push_str("[outputs]\no1 = \"d1 + z1 + (k1_2*q2 + k1_3*q3)\"\n");
    long.push_str("o2 = \"d2 + z2 + (k2_3*q3)\"\no3 = \"d3 + z3 + 0\"\n");
    let (short, long) = (build_repeated(short, &Settings::new()), build_repeated(&long, &Settings::new()));
    assert_eq!(short.mechanism, long.mechanism);
    assert_eq!(short.partition, long.partition);
    assert_eq!(emit_without_hash(&short), emit_without_hash(&long));
}

fn count_bodies(l: &Assembled) -> usize {
    l.mechanism.bodies.len()
}

#[test]
fn a_size_comes_from_the_spec_a_template_the_command_line_or_a_program() {
    assert_eq!(count_bodies(&build_repeated(CHAIN, &Settings::new())), 10);
    let four = build_repeated(CHAIN, &Settings::new().set("n", 7).set("n", 4));
    assert_eq!(count_bodies(&four), 4);
    assert_ne!(four.origin.hash, build_repeated(CHAIN, &Settings::new()).origin.hash);
    let path = examples("families/chain.toml");
    assert_eq!(count_bodies(&pipeline::load(&path).unwrap()), 3);
    let five = pipeline::load_with(&path, &Settings::new().set("n", 5)).unwrap();
    assert_eq!(count_bodies(&five), 5);
    assert_eq!(five.mechanism.description, "planar chain of 5 rods, relative angles");
    // `set` overrides the template's own size, and the settings override both.
    let path = examples("snowboarder2.toml");
    assert_eq!(count_bodies(&pipeline::load(&path).unwrap()), 3);
    let four = pipeline::load_with(&path, &Settings::new().set("n", 4)).unwrap();
    let family =
        pipeline::load_with(&examples("families/snowboarder.toml"), &Settings::new().set("n", 4)).unwrap();
    assert_eq!(four.mechanism.joints, family.mechanism.joints);
    let spec = read::read(&path).unwrap();
    assert_eq!(
        spec.sizes(),
        ["n", "reacting", "tangent"].map(|s| (s.to_owned(), if s == "n" { 2 } else { 0 }))
    );

    let e = pipeline::load_with(&path, &Settings::new().set("m", 4)).unwrap_err().to_string();
    assert!(
        e.contains("no size `m`") && e.contains("sizes defined in the spec: n, reacting, tangent"),
        "{e}"
    );
    let e =
        pipeline::load_with(&examples("swing.toml"), &Settings::new().set("n", 4)).unwrap_err().to_string();
    assert!(e.contains("no size `n`") && e.contains("the spec defines no sizes"), "{e}");
}

#[test]
fn a_built_spec_repeats_too() {
    let builder = SpecBuilder::new("chain")
        .repeat("n", 2)
        .repeat("i", "1 to n")
        .body("rod{i}", Entries::new().with("mass", 1).with("inertia", (1, 1, 1)))
        .joint(
            "hinge{i}",
            "revolute",
            Entries::new()
                .with("axis", "z")
                .with("parent", "rod{i-1}")
                .with("child", "rod{i}")
                .with("if i = 1", Entries::new().with("parent", "ground")),
        );
    assert_eq!(resolve(&builder.build().unwrap()).unwrap().mechanism.bodies.len(), 2);
    let six = builder.build_with(&Settings::new().set("n", 6)).unwrap();
    assert_eq!(resolve(&six).unwrap().mechanism.bodies.len(), 6);
}

#[test]
fn a_build_script_sets_sizes_and_derives_anew_when_they_or_a_template_change() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let template = folder.path().join("template.toml");
    let spec = folder.path().join("short.toml");
    std::fs::write(&template, CHAIN).unwrap();
    std::fs::write(&spec, "name = \"short\"\ntemplate = \"template.toml\"\nset = { n = 2 }\n").unwrap();
    let mut config = Config::new();
    config.out_dir(&out);
    let compile = |config: &Config| {
        config.compile(&[&spec]).unwrap();
        std::fs::read_to_string(out.join("short.rs")).unwrap()
    };
    let two = compile(&config);
    assert!(two.contains("q2") && !two.contains("q3"));
    std::fs::write(&template, CHAIN.replace("q{i}", "angle{i}").replace("q1", "angle1")).unwrap();
    assert!(compile(&config).contains("angle2"));
    let three = compile(config.set("n", 3));
    assert!(three.contains("angle3"));
}

#[test]
fn every_family_builds_without_a_word_for_several_sizes() {
    for entry in std::fs::read_dir(examples("families")).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut sizes = Vec::new();
        for n in [1, 2, 5, 15] {
            let l =
                pipeline::load_with(&path, &Settings::new().set("n", n)).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(l.warnings.render(false), "", "{stem}, n = {n}");
            assert_eq!(l.mechanism.name, stem);
            assert!(l.mechanism.description.contains(&n.to_string()), "{stem}: {}", l.mechanism.description);
            sizes.push(l.mechanism.bodies.len() as i64 - n);
        }
        assert!(sizes.windows(2).all(|w| w[0] == w[1]), "{stem}: {sizes:?}");
    }
    let reacting = Settings::new().set("reacting", 1);
    let l = pipeline::load_with(&examples("families/snowboarder.toml"), &reacting).unwrap();
    assert_eq!(l.warnings.render(false), "");
}

#[test]
fn a_chain_of_a_thousand_rods_is_read() {
    let l = build_repeated(CHAIN, &Settings::new().set("n", 1000));
    assert_eq!(l.mechanism.bodies.len(), 1000);
}
