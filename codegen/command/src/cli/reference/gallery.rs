//! Gallery of the book: each example with picture, description, size, equations and things to try.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::page::{ReferencePage, finish_page};
use dqdt_derivation::assemble::Assembled;
use dqdt_diagnostics::error::Errors;
use dqdt_document::report::Report;
use dqdt_equations::inspect::{self, ClosedForms, Form, Part, View};
use dqdt_generate::pipeline;
use dqdt_import::read;
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_motion::simulate::{SimulationRequest, Span, simulate};
use dqdt_view::pictures;

/// Constructor of the engine that computes closed forms of a mechanism, for [`gallery_pages`].
pub type Engine<'a> = dyn for<'m> Fn(&'m Mechanism) -> Box<ClosedForms<'m>> + 'a;

/// Examples whose equations are too long for the gallery, each with a hint that replaces them.
const LONG: &[(&str, &str)] = &[
    ("bricard", "The equations of spatial loops are long."),
    (
        "chain10",
        "`dqdt inspect examples/specs/families/chain.toml --family n` prints the equations for any number of rods, with sums and indices.",
    ),
    ("kane_two_body", "The equations in closed form are several pages long."),
    ("panda_arm", "The complete equations are three pages of LaTeX."),
    ("snowboarder3", "The formulas for any number of links, printed below, are easier to read."),
    ("snowboarder4", "The formulas for any number of links, printed below, are easier to read."),
    ("snowboarder5", "The formulas for any number of links, which `--family n` prints, are easier to read."),
    ("stewart_platform", "The platform has 24 speeds and 18 constraint rows."),
];

/// Line width of the equations in the gallery, in columns.
const WIDTH: usize = 96;

/// Suggestions for experiments, by name of the example; printed in the gallery.
const TRY: &[(&str, &str)] = &[
    (
        "ball_on_turntable",
        "The ball moves in circles at 2/7 of the speed of the turntable and does not fly off: watch `x` and `y` in the plot. Change the initial speed of the ball.",
    ),
    (
        "bouncing_pendulum",
        "`dqdt simulate` prints the time of each bounce. Try `restitution = 1` and `restitution = 0`.",
    ),
    (
        "bricard",
        "Six hinges, six bodies, one spatial loop, one degree of freedom: `dqdt assemble` names the redundant row.",
    ),
    ("car_with_trailers", "Drive backwards: give the car a negative speed and watch the trailers fold."),
    (
        "cart_pole",
        "`dqdt linearize` with `--trim theta` computes A and B for the upright pole; `examples/lqr` stabilises the pole.",
    ),
    (
        "chain10",
        "`dqdt compare` shows the cost of each formalism for this chain; `families/chain.toml` with `--set n=30` is a chain with more rods.",
    ),
    (
        "chaplygin_sleigh",
        "Whatever the initial push, the blade eventually moves straight ahead: the motion settles although no energy is dissipated.",
    ),
    (
        "double_pendulum",
        "Two motions whose start values differ by a thousandth diverge after a few seconds. The energy drift that `simulate` prints stays small.",
    ),
    (
        "four_bar",
        "`dqdt assemble` closes the loop. Lengthen the crank until it can no longer turn all the way round.",
    ),
    (
        "furuta_pendulum",
        "`cargo run -p tour` derives, compiles and simulates the pendulum; `examples/furuta_ekf` estimates its state.",
    ),
    ("gyroscope", "A heavy top: the faster it spins, the slower it precesses and the smaller the nutation."),
    (
        "kane_two_body",
        "The equations in closed form are long, but `dqdt prove` shows that all formalisms agree on them.",
    ),
    (
        "panda_arm",
        "`dqdt emit` with `--functions regressor` or `--joint dqdt+mass_matrix+gravity` writes the functions for a robot controller.",
    ),
    ("quadrotor", "The lag of a rotor is a user state. Reduce the thrust of one rotor."),
    (
        "rolling_disc",
        "An upright rolling disc falls over if its speed is below √(g r/3): change its initial speed.",
    ),
    (
        "seven_body",
        "Andrews' squeezing mechanism has been a benchmark for solvers for thirty years; its motion lasts 0.03 s.",
    ),
    ("slider_crank", "Start the crank near a dead point, and look at the force in the slider joint."),
    (
        "snakeboard",
        "The snakeboard moves by turning its rotor and its wheels, without an external push. Change the phase between these two motions.",
    ),
    ("snowboarder1", "The smallest of a family of five: `snowboarder2` to `snowboarder5` have more links."),
    ("snowboarder2", "The spec only sets one size of its template, so the file is very short."),
    (
        "snowboarder3",
        "Run `dqdt compare` on this spec and on `snowboarder1` to see the cost of an additional link.",
    ),
    (
        "snowboarder4",
        "`--family n` of `families/snowboarder.toml` prints the equations for any number of links.",
    ),
    ("snowboarder5", "The largest member of the snowboarder family."),
    (
        "spherical_pendulum",
        "Start the pendulum on a horizontal circle: `dqdt linearize` with `--trim` finds the speed at which it stays level.",
    ),
    (
        "spinning_satellite_with_wheel",
        "Brake the wheel: its angular momentum is transferred to the satellite, and the total does not change.",
    ),
    (
        "stewart_platform",
        "The platform has six legs and six loops; [loops](../loops.md) shows how a controller solves its forward kinematics.",
    ),
    (
        "stopped_pendulum",
        "The brake is an event that switches a user state: change the position of the stop and the delay.",
    ),
    (
        "swing",
        "`dqdt inspect` prints equations in closed form; the equations for relative angles and for absolute angles look different but agree.",
    ),
];

/// Text of section `at` of a report, without its title and its legend.
fn section_text(document: &Report, at: usize) -> String {
    let mut document = document.clone();
    document.sections = document.sections.drain(at..=at).collect();
    let text = dqdt_view::report::print_text(&document, WIDTH);
    // Skip the title of the section, which is underlined.
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().rposition(|l| l.starts_with('─')).map_or(0, |k| k + 1);
    // Skip the legend, which the page prints once.
    let lines: Vec<&str> = lines[start..].iter().skip_while(|l| is_legend_line(l)).copied().collect();
    lines.join("\n").trim_end_matches('\n').to_owned()
}

fn is_legend_line(line: &str) -> bool {
    line.is_empty() || line.starts_with("One equation for each speed")
}

/// Equations of an example for the gallery, as `dqdt inspect` prints them; for long ones, the
/// number of their lines.
fn equations_text(name: &str, loaded: &Assembled, engine: &Engine<'_>) -> String {
    let m = &loaded.mechanism;
    let print_form = |form: Form| {
        let view = View { forms: vec![form], parts: vec![Part::Equations] };
        let document = inspect::report(loaded, Formalism::Kane, &mut engine(m), None, &view);
        let at = document.sections.len().saturating_sub(1).min(usize::from(form == Form::Recursive));
        let lengths = document.sections.iter().position(|s| s.heading == inspect::LENGTHS);
        let lengths = lengths.map(|k| format!("\n\n{}", section_text(&document, k))).unwrap_or_default();
        section_text(&document, at) + lengths.as_str()
    };
    if let Some((_, hint)) = LONG.iter().find(|(n, _)| *n == name) {
        let steps = print_form(Form::Recursive).lines().filter(|l| l.contains(" = ")).count();
        return format!(
            "Equations: `dqdt inspect examples/specs/{name}.toml --form recursive` prints them in {steps} lines, each computed from earlier ones. {hint}\n\n"
        );
    }
    let form = if m.constraints.is_empty() { Form::Scalar } else { Form::Constrained };
    format!("```text\n{}\n```\n\n", print_form(form))
}

/// Renders the gallery page of the book and one picture per example.
///
/// # Errors
/// If a spec is invalid.
pub fn gallery_pages(specs: &[PathBuf], engine: &Engine<'_>) -> Result<Vec<ReferencePage>, Errors> {
    let mut out = Vec::new();
    let mut text = String::from(
        "# Gallery\n\nThis page shows the mechanisms of `examples/specs`, each in its start state, with its \
         equations as `dqdt inspect FILE --sections equations` prints them: accelerations, velocity terms \
         and forces of a potential on the left, other loads on the right, with the multipliers of \
         constraints. `dqdt simulate FILE --animate motion.html` shows how a mechanism moves. Emitted code \
         is in `generated/src`.\n\n",
    );
    for path in specs {
        let loaded = pipeline::load(path)?;
        let m = &loaded.mechanism;
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let _ = write!(text, "## {name}\n\n{}\n\n", as_sentence(&m.description));
        let _ = write!(text, "![{name}]({name}.svg)\n\n");
        let size = [
            (m.coordinates.len(), "coordinate"),
            (m.nv(), "speed"),
            (m.inputs.len(), "input"),
            (m.states.len(), "user state"),
            (m.constraints.len(), "constraint"),
        ];
        let size: Vec<String> = size
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, noun)| format!("{n} {noun}{}", if *n == 1 { "" } else { "s" }))
            .collect();
        let _ = write!(text, "`examples/specs/{name}.toml`: {}.", size.join(", "));
        if let Some((_, what)) = TRY.iter().find(|(n, _)| *n == name) {
            let _ = write!(text, " {what}");
        }
        text.push_str("\n\n");
        text.push_str(&equations_text(&name, &loaded, engine));
        out.push(ReferencePage {
            file: format!("{name}.svg"),
            text: pictures::sketch(&pictures::start(&loaded)),
        });
    }
    out.insert(0, ReferencePage { file: "index.md".to_owned(), text: finish_page(&text) });
    Ok(out)
}

/// Pictures of the chapter `ten-minutes.md` of the book: sketch of its mechanism at the start, and
/// a plot of its motion.
///
/// # Errors
/// If the spec in the chapter is invalid.
pub fn chapter_pictures(chapter: &str) -> Result<Vec<ReferencePage>, Errors> {
    let block = chapter.split("```toml\n").nth(1).and_then(|t| t.split("```").next()).unwrap_or_default();
    let loaded = pipeline::build(&read::parse("ten-minutes.md", block)?, "ten-minutes.md")?;
    let request =
        SimulationRequest { span: Span { step: 0.06, ..Span::until(30.0) }, ..SimulationRequest::default() };
    let sketch = pictures::sketch(&pictures::start(&loaded));
    let mut out = vec![ReferencePage { file: "ten-minutes-sketch.svg".to_owned(), text: sketch }];
    if let Ok(simulation) = simulate(&loaded, &request) {
        let (motion, energy) = (&simulation.motion, &simulation.signals.energy);
        let plot = pictures::motion(&loaded, &motion.times, &motion.states, energy);
        out.push(ReferencePage { file: "ten-minutes-plot.svg".to_owned(), text: pictures::plot(&plot) });
    }
    Ok(out)
}

fn as_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map_or_else(String::new, |c| c.to_uppercase().collect());
    let text = format!("{first}{}", letters.as_str());
    if text.ends_with('.') { text } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_example_has_something_to_try_and_nothing_else_has() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .filter_map(|n| n.strip_suffix(".toml").map(str::to_owned))
            .collect();
        names.sort();
        let tried: Vec<&str> = super::TRY.iter().map(|t| t.0).collect();
        assert_eq!(names, tried);
    }
}
