//! Reference pages of formulas and units.

use super::page::{code_cell, escape_cell, markdown_table};
use dqdt_algebra::UNITS;
use dqdt_spec::spec::formula::{FORMS, FUNCTIONS, FormulaFunction, measure_functions};

/// Call of a formula function with its arguments, as Markdown code.
fn function_call_code(f: &FormulaFunction) -> String {
    code_cell(&format!("{}({})", f.name, f.arguments.join(", ")))
}

fn function_rows(functions: &[FormulaFunction]) -> Vec<Vec<String>> {
    functions
        .iter()
        .map(|f| {
            vec![
                function_call_code(f),
                escape_cell(f.value),
                escape_cell(f.domain),
                escape_cell(f.derivative),
            ]
        })
        .collect()
}

/// Renders the reference page of formulas as Markdown.
pub(super) fn formulas_page() -> String {
    let header = ["function", "value", "domain", "derivative"];
    format!(
        "# Formulas\n\n\
         The names allowed in a formula depend on where the formula is used; the [guide to formulas](../formulas.md) lists them.\n\n\
         ## Operators\n{}\
         Operators in the same row have the same precedence and are evaluated from left to right, powers from right to left. The exponent of a \
         quantity with a unit must be a whole number, at most 1000; `x^(1/2)` of a pure number is allowed.\n\n\
         ## Functions\n{}\
         The exact derivatives are used by linearisation, discrete steps and `sensitivities`. An undefined value is NaN, and \
         `dqdt` then reports an error instead of a number.\n\n\
         ## Choices and tables\n{}\n\
         ## Points and frames\n{}\
         A frame is a body (`arm`), a point of one (`arm.tip`, `arm.com`), `ground`, or a point of the ground (`ground.anchor`). A second \
         argument, `position_x(p, f)`, is the frame relative to which the result is given.\n",
        markdown_table(
            &["level", "operators", "example"],
            &[
                ["1, first", "`( )`, calls", "`sin(theta)`"],
                ["2", "`^`", "`l^2`; `-2^2` is −4, `2^3^2` is 2⁹"],
                ["3", "`-` before a factor", "`-k*x`"],
                ["4", "`*` `/`", "`m*g/l`"],
                ["5, last", "`+` `-`", "`a + b - c`"],
            ]
            .map(|row| row.map(str::to_owned).to_vec())
        ),
        markdown_table(&header, &function_rows(FUNCTIONS)),
        markdown_table(&header, &function_rows(FORMS)),
        markdown_table(&header, &function_rows(&measure_functions())),
    )
}

/// Renders the reference page of units as Markdown.
pub(super) fn units_page() -> String {
    let rows: Vec<Vec<String>> = UNITS
        .iter()
        .map(|u| {
            let factor = match (u.factor, u.pi) {
                ((1, 1), 0) => "1".to_owned(),
                ((n, 1), 0) => n.to_string(),
                ((n, d), 0) => format!("{n}/{d}"),
                ((1, d), _) => format!("π/{d}"),
                ((n, d), _) => format!("{n} π/{d}"),
            };
            vec![
                code_cell(u.name),
                escape_cell(u.meaning),
                format!("{factor} {}", code_cell(&u.dimension.to_string())),
            ]
        })
        .collect();
    format!(
        "# Units\n\n\
         A unit is a product of powers: `kg*m^2`, `N*m/rad`, `m/s^2`. Each `/` divides only by the next factor: `N*m/kg/s` is \
         N·m/(kg·s), `N*m/kg*s` is N·m·s/kg. An exponent is a multiple of one half, as in `m^2.5/s`, and applies only to the unit before it. A unit cannot contain parentheses.\n\n\
         Units are written:\n\n\
         - as the key `unit` of a parameter, an input, a user state or an output;\n\
         - after a number that is the whole value: `mass = \"2 kg\"`;\n\
         - in brackets after a number in a formula: `\"max(0 [N], k*x)\"`; for angles, `30 deg` without brackets.\n\n\
         A power after the brackets applies to number and unit: `2 [m]^2` is 4 m², with a warning.\n\n\
         A number has the unit that follows it; without one, it has the unit of the key `unit`, and otherwise the SI unit of its own key. In a sum, a bare number has the unit of its neighbour; in a product, it is a pure number. Angles are pure numbers, so `N*m` and `N*m/rad` have the same dimension. Both \
         sides of a sum, arguments of functions and every whole formula are checked, except those with a parameter without a unit.\n\n\
         Conversion to SI is exact: `30 deg` is π/6 in equations and proofs.\n{}",
        markdown_table(&["unit", "meaning", "in SI"], &rows)
    )
}
