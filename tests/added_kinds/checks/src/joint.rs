//! The added joint `pin_slot` against a planar joint with a prescribed displacement.

use dqdt_derivation::derive::Request;
use dqdt_diagnostics::base::JointSymbol;
use dqdt_generate::pipeline;
use dqdt_import::read;
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::JointKind;
use dqdt_spec::spec::{joint_words, schema_text};
use dqdt_view::scene;

use crate::{assert_close, build, components, forward_at, pendulum};

const PIN_SLOT: &str = "type = \"pin_slot\"\naxes = [\"x\", \"-z\"]";
const PLANAR: &str =
    "type = \"planar\"\naxes = [\"x\", \"-y\"]\ncoordinates = { prescribed = { pin_y = \"0\" } }";

#[test]
fn it_moves_as_a_planar_joint_does_by_all_formalisms() {
    let [added, planar] = [PIN_SLOT, PLANAR].map(|joint| build(&pendulum(joint)));
    let names = [&added, &planar].map(|spec| {
        let [first, second, ..] = &spec.mechanism.coordinates[..] else { panic!("two coordinates") };
        [first.name.as_str(), second.name.as_str()]
    });
    assert_eq!(names, [["pin_slide", "pin_angle"], ["pin_x", "pin_angle"]]);
    let (q, v) = ([0.3, 0.7, -0.4, 1.1], [0.9, -1.2, 0.8, 0.5]);
    for f in Formalism::ALL {
        let [a, b] = [&added, &planar].map(|spec| forward_at(f, spec, &q, &v));
        assert_close(&a.accelerations, &b.accelerations, f.name());
        assert_close(&components(&a.reactions), &components(&b.reactions), f.name());
    }
}

#[test]
fn it_is_emitted_and_drawn() {
    let added = build(&pendulum(PIN_SLOT));
    let program = pipeline::program(&added, &Request::all(Formalism::Kane));
    let module = pipeline::rust(&program).unwrap_or_else(|e| panic!("{e}"));
    assert!(module.contains("pin_slide_dot"), "{module}");
    assert_eq!(scene::start_scene(&added.mechanism).joints[0].kind, JointSymbol::Planar);
}

#[test]
fn the_reader_suggests_it() {
    let misspelt = read::parse("test.toml", pendulum("type = \"pin_slo\""));
    let Err(errors) = misspelt.and_then(|spec| pipeline::build(&spec, "test.toml")) else {
        panic!("accepted");
    };
    let text = errors.render(false);
    assert!(text.contains("did you mean `pin_slot`?"), "{text}");
    assert!(schema_text().contains("pin_slot"));
}

#[test]
fn keys_and_kinds_have_the_same_words() {
    assert!(JointKind::WORDS.contains(&"pin_slot"));
    assert_eq!(JointKind::WORDS, joint_words());
}
