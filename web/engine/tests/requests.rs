//! Requests of the page, answered on this machine.

use std::path::{Path, PathBuf};

use dqdt_web::Workbench;
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Answers a request.
fn ask(workbench: &mut Workbench, request: &Value) -> Value {
    serde_json::from_str(&workbench.request(&request.to_string())).unwrap()
}

/// Answers a request, which must succeed.
fn answer(workbench: &mut Workbench, request: &Value) -> Value {
    let answer = ask(workbench, request);
    assert_eq!(answer["ok"], true, "{request}: {answer}");
    answer
}

fn example(name: &str) -> String {
    std::fs::read_to_string(root().join("examples/specs").join(name)).unwrap()
}

fn load(name: &str, text: &str) -> (Workbench, Value) {
    let mut workbench = Workbench::new();
    let answer = ask(&mut workbench, &json!({ "do": "load", "name": name, "text": text }));
    (workbench, answer)
}

#[test]
fn a_mechanism_gives_equations_code_motion_and_poles() {
    let (mut workbench, loaded) = load("cart_pole.toml", &example("cart_pole.toml"));
    assert_eq!(loaded["ok"], true, "{loaded}");
    assert_eq!(loaded["layout"]["q"][1]["name"], "theta");
    let on_request = loaded["on_request"].as_array().unwrap();
    assert!(on_request.iter().any(|f| f["name"] == "linearize"));
    assert!(on_request.iter().all(|f| f["name"] != "dqdt"));
    let equations = answer(&mut workbench, &json!({ "do": "equations", "sections": ["equations"] }));
    assert!(equations["html"].as_str().unwrap().starts_with("<!doctype html>"));
    let text = equations["text"].as_str().unwrap();
    assert!(text.contains("Equations of motion") && text.contains("sat(force)"), "{text}");
    assert!(equations["latex"].as_str().unwrap().contains("\\ddot{x}"));
    let code =
        answer(&mut workbench, &json!({ "do": "code", "language": "c", "functions": ["mass_matrix"] }));
    let names: Vec<&Value> = code["files"].as_array().unwrap().iter().map(|f| &f["name"]).collect();
    assert_eq!(names, ["cart_pole.h", "cart_pole.c"]);
    let start = json!({ "theta": 0.3 });
    let motion = answer(&mut workbench, &json!({ "do": "simulate", "duration": 2.0, "start": start }));
    assert_eq!(motion["signals"][1]["values"][0], 0.3);
    assert_eq!(motion["t"].as_array().unwrap().len(), 501);
    assert!(motion["animation"]["tracks"].is_array() && motion["plot"].as_str().unwrap().starts_with("<svg"));
    let balance = motion["signals"].as_array().unwrap().iter().find(|s| s["name"] == "balance").unwrap();
    let balance: Vec<f64> = serde_json::from_value(balance["values"].clone()).unwrap();
    assert!(balance.iter().all(|e| (e - balance[0]).abs() < 1e-6), "{balance:?}");
    let poles = answer(&mut workbench, &json!({ "do": "linearize", "trim": ["theta"] }));
    assert_eq!(poles["kind"], "equilibrium");
    assert_eq!(poles["eigenvalues"].as_array().unwrap().len(), 4);
    let claims = answer(&mut workbench, &json!({ "do": "claims" }));
    let last = claims["claims"].as_array().unwrap().len() - 1;
    let decided = answer(&mut workbench, &json!({ "do": "decide", "index": last }));
    assert_eq!((&decided["status"], &decided["title"]), (&json!("proved"), &claims["claims"][last]));
}

#[test]
fn a_claim_is_decided_by_a_new_workbench_and_again_and_numerically() {
    let (mut workbench, _) = load("four_bar.toml", &example("four_bar.toml"));
    let mut decide = |numerically: bool| {
        let request = json!({ "do": "decide", "index": 9, "numerically": numerically });
        answer(&mut workbench, &request)["status"].clone()
    };
    assert_eq!([decide(false), decide(false), decide(true)], ["proved", "proved", "checked"]);
}

#[test]
fn messages_have_places_as_an_editor_counts_them() {
    let text = example("cart_pole.toml").replace("mass = \"m_pole\"", "# 🤖\nmas = \"m_pole\"");
    let (_, answer) = load("cart_pole.toml", &text);
    assert_eq!(answer["ok"], false);
    let message = &answer["messages"][0];
    assert_eq!((&message["code"], &message["help"]), (&json!("unknown-key"), &json!("did you mean `mass`?")));
    let units: Vec<u16> = text.encode_utf16().collect();
    let [from, to] = ["from", "to"].map(|key| message[key].as_u64().unwrap() as usize);
    assert_eq!(String::from_utf16(&units[from..to]).unwrap(), "mas");
    assert!(answer["rendered"].as_str().unwrap().contains("cart_pole.toml"));
}

#[test]
fn a_robot_is_read_with_the_files_that_it_includes() {
    let main = r#"<mujoco><include file="parts/arm.xml"/></mujoco>"#;
    let arm = r#"<mujoco><worldbody><body name="arm"><joint name="hinge" axis="0 1 0"/>
        <inertial pos="0 0 -0.5" mass="2" diaginertia="0.1 0.1 0.01"/></body></worldbody></mujoco>"#;
    let mut workbench = Workbench::new();
    let request =
        json!({ "do": "load", "name": "robot.xml", "text": main, "files": { "parts/arm.xml": arm } });
    let loaded = answer(&mut workbench, &request);
    assert_eq!(loaded["layout"]["q"][0]["name"], "q_hinge");
    assert!(loaded["spec"].as_str().unwrap().contains("[bodies.arm]"));
    let alone = ask(&mut workbench, &json!({ "do": "load", "name": "robot.xml", "text": main }));
    assert!(alone["rendered"].as_str().unwrap().contains("no such file was given"), "{alone}");
}

#[test]
fn a_template_is_read_from_the_files_of_the_request() {
    let families = root().join("examples/specs/families/snowboarder.toml");
    let family = std::fs::read_to_string(families).unwrap();
    let mut workbench = Workbench::new();
    let request = json!({
        "do": "load", "name": "snowboarder1.toml", "text": example("snowboarder1.toml"),
        "files": { "families/snowboarder.toml": family },
    });
    assert_eq!(answer(&mut workbench, &request)["name"], "snowboarder1");
}

#[test]
fn wrong_requests_are_answered_by_an_error() {
    let (mut workbench, _) = load("cart_pole.toml", &example("cart_pole.toml"));
    for (request, why) in [
        (json!({ "do": "dance" }), "unknown variant `dance`"),
        (json!({ "do": "simulate" }), "missing field `duration`"),
        (json!({ "do": "simulate", "duration": -1 }), "must be a positive number"),
        (
            json!({ "do": "simulate", "duration": 1, "start": { "phi": 1 } }),
            "no coordinate, speed or state `phi`",
        ),
        (
            json!({ "do": "simulate", "duration": 1, "parameters": { "m_pole": -1 } }),
            "the mass of body `pole` is negative",
        ),
        (json!({ "do": "simulate", "duration": 1, "inputs": { "torque": 1 } }), "`u` has no `torque`"),
        (json!({ "do": "linearize", "trim": ["phi"] }), "cannot free `phi`"),
        (json!({ "do": "code", "language": "pascal" }), "no language `pascal`"),
        (json!({ "do": "code", "language": "c", "functions": ["f"] }), "no function `f`"),
        (json!({ "do": "equations", "forms": ["poem"] }), "no form `poem`"),
        (json!({ "do": "decide", "index": 1000 }), "there is no claim 1000"),
    ] {
        let answer = ask(&mut workbench, &request);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(answer["ok"] == false && error.contains(why), "{request}: {answer}");
    }
    let empty = ask(&mut Workbench::new(), &json!({ "do": "sketch" }));
    assert_eq!(empty["error"], "no mechanism is loaded");
}

#[test]
fn a_motion_that_takes_too_long_ends_with_what_was_reached() {
    let stiffness = "[parameters]\nk = { value = 1e12, unit = \"N/m\" }";
    let wall = "\n[loads.wall]\ntype = \"actuator\"\njoint = \"rail\"\neffort = \"-k*x\"\n";
    let text = example("cart_pole.toml").replace("[parameters]", stiffness) + wall;
    let (mut workbench, loaded) = load("stiff.toml", &text);
    assert_eq!(loaded["ok"], true, "{}", loaded["rendered"]);
    let request = json!({ "do": "simulate", "duration": 1000.0, "start": { "x": 1.0 } });
    let motion = answer(&mut workbench, &request);
    let why = motion["stopped"].as_str().unwrap_or_default();
    assert!(why.contains("300000 evaluations"), "{why}");
}
