//! Names in `generated/`: no name is used for two values in a function, and few are mere numbers.

use dqdt_tests::emitted::{functions, modules};

#[test]
fn no_name_stands_for_two_values() {
    let mut faults = Vec::new();
    let mut count = 0;
    for module in modules().unwrap() {
        for f in functions(&module) {
            count += 1;
            faults.extend(f.ambiguous.into_iter().map(|a| format!("{}::{}: {a}", module.name, f.name)));
        }
    }
    assert!(count > 300, "{count} functions were read");
    assert!(faults.is_empty(), "{} names stand for two values:\n{}", faults.len(), faults.join("\n"));
}

/// Largest allowed share, in thousandths, of names that end in a bare number.
const NUMBERED: usize = 3;

fn is_digits(s: &str) -> bool {
    !s.is_empty() && s.chars().all(|c| c.is_ascii_digit())
}

/// True for a name that ends in a number without meaning. Rows and places of a choice are numbers
/// by nature (`…_row4`, `…_rows_1_4`, `…_after_1_4`), and so are the digits of a constant.
fn is_numbered(name: &str) -> bool {
    let segments: Vec<&str> = name.split('_').collect();
    let by_nature = segments.iter().any(|s| ["const", "after", "before", "rows"].contains(s));
    let last = segments.len() > 1 && segments.last().is_some_and(|s| is_digits(s));
    last && !by_nature
}

fn is_part_number(s: &str) -> bool {
    s.strip_prefix('p').is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
}

fn is_part(name: &str) -> bool {
    let is_part_number = is_part_number(name.rsplit('_').next().unwrap_or_default()) && name.contains('_');
    is_part_number
        || name.contains("_others")
        || name.contains("_or_") && name.ends_with(|c: char| c.is_ascii_digit())
}

#[test]
fn names_say_what_they_name() {
    let (mut all, mut numbered, mut parts) = (0, Vec::new(), Vec::new());
    for module in modules().unwrap() {
        for f in functions(&module) {
            for name in f.bound {
                all += 1;
                // Names from the spec are kept as they are.
                if module.of_spec.contains(&name) {
                    continue;
                }
                if is_part(&name) {
                    parts.push(format!("{}::{}: {name}", module.name, f.name));
                } else if is_numbered(&name) {
                    numbered.push(format!("{}::{}: {name}", module.name, f.name));
                }
            }
        }
    }
    assert!(all > 5000, "{all} names were read");
    assert!(parts.is_empty(), "{} names of parts without a meaning:\n{}", parts.len(), parts.join("\n"));
    let share = numbered.len() * 1000 / all;
    assert!(share <= NUMBERED, "{} of {all} names end in a number:\n{}", numbered.len(), numbered.join("\n"));
}

#[test]
fn what_says_nothing_is_recognised() {
    for name in ["M_q1_q2_p3", "f_p1", "hinge_fx_or_4_others"] {
        assert!(is_part(name), "{name}");
    }
    for name in ["rate_v_link_x_2", "M_1_2"] {
        assert!(is_numbered(name) && !is_part(name), "{name}");
    }
    for name in ["s_phi1", "p1", "M_phi1_psi1", "const_0_5", "gram_hinge6_row1_row2_after_1_4", "mc_link2"] {
        assert!(!is_numbered(name) && !is_part(name), "{name}");
    }
}
