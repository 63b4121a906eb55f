//! Names for values without a known quantity: by the whole that they are part of, and by their
//! operands.
//!
//! Problem: a factor or a partial sum with a statement of its own is not a quantity of mechanics.
//! Method:  `Q_theta_from_mc_pole` is the part of `Q_theta` that comes from `mc_pole`,
//!          `Q_theta_per_s_theta` the cofactor of `s_theta` in it. Of several operands the most
//!          informative kind is preferred (a quantity, then a coordinate or speed, then a sine,
//!          then a parameter), then the one in most terms.

use std::collections::BTreeMap;

/// The role of an unnamed value in a named one, of which it is a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// The part is a term of the whole, or a multiple of one.
    Term,
    /// The part is a factor of a term; contains the name of the other factor, if there is one.
    Factor(Option<String>),
    /// The part enters the whole in any other way.
    Inside,
}

/// A named value of which an unnamed one is a part; the part is named after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owner {
    /// Name of the value (the whole) of which another is a part.
    pub name: String,
    /// Role of the unnamed part in this whole: a term, a factor, or other.
    pub role: Role,
}

/// Kind of an operand, by how informative it is in a name of a part; least informative first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OperandKind {
    /// The operand is a constant or a parameter: the least informative.
    Parameter,
    /// The operand is the sine or cosine of an angle.
    Turn,
    /// The operand is a coordinate, a speed, an input or another symbol that is no parameter.
    Symbol,
    /// The operand is a value with a name, such as a velocity or a force.
    Quantity,
}

/// Maximum length of the name of a cofactor in the name of a part.
const FACTOR: usize = 18;

impl Role {
    /// The role of a factor in a product with this role; `other` is the name of the other factor.
    pub fn factor_role(&self, other: Option<&str>) -> Role {
        match (self, other) {
            (Role::Term, other) => Role::Factor(other.filter(|o| o.len() <= FACTOR).map(str::to_owned)),
            (Role::Factor(Some(by)), Some(other)) if by.len() + other.len() < FACTOR => {
                Role::Factor(Some(format!("{by}_{other}")))
            }
            _ => Role::Inside,
        }
    }
}

/// True for a segment of a name that is an axis or a pair of axes, such as `x` or `xy`.
fn is_axis_suffix(segment: &str) -> bool {
    matches!(segment.len(), 1 | 2) && segment.chars().all(|c| matches!(c, 'x' | 'y' | 'z'))
}

/// A name without sign, multiple and axis: `neg_h_link_y` becomes `h_link`.
pub fn strip_prefixes_and_axis(name: &str) -> &str {
    let mut name = name;
    while let Some(rest) = ["neg_", "half_", "two_", "inv_"].iter().find_map(|p| name.strip_prefix(p)) {
        name = rest;
    }
    match name.rsplit_once('_') {
        Some((front, axis)) if is_axis_suffix(axis) && front.contains('_') => front,
        _ => name,
    }
}

/// Names of the operands of a value, the most informative first. `terms` lists the names in each
/// term.
pub fn informative_operands(terms: &[Vec<(String, OperandKind)>]) -> Vec<String> {
    // By stem: kind, number of terms, full names.
    let mut stems: BTreeMap<&str, (OperandKind, usize, Vec<&str>)> = BTreeMap::new();
    for term in terms {
        let mut counted: Vec<&str> = Vec::new();
        for (name, kind) in term {
            let stem = strip_prefixes_and_axis(name);
            let entry = stems.entry(stem).or_insert((*kind, 0, Vec::new()));
            if !counted.contains(&stem) {
                entry.1 += 1;
                counted.push(stem);
            }
            if !entry.2.contains(&name.as_str()) {
                entry.2.push(name);
            }
        }
    }
    let mut all: Vec<_> = stems.into_iter().collect();
    all.sort_by(|a, b| informativeness(b).cmp(&informativeness(a)).then(a.0.cmp(b.0)));
    all.into_iter()
        .map(|(stem, (_, _, names))| match names.as_slice() {
            [one] => one.strip_prefix("neg_").unwrap_or(one).to_owned(),
            _ => stem.to_owned(),
        })
        .collect()
}

/// A stem with its kind, the number of terms that contain it, and the full names.
type Stem<'a> = (&'a str, (OperandKind, usize, Vec<&'a str>));

/// Sorting key of a stem; the highest is the most informative in a name.
fn informativeness((stem, (kind, terms, _)): &Stem<'_>) -> (OperandKind, bool, usize, usize) {
    (*kind, stem.len() <= FACTOR, *terms, stem.len())
}

/// The common part of several names: their first segments, else the segments that all share, else
/// the first name.
pub fn shared_name_part(names: &[&str]) -> Option<String> {
    let first = names.first()?;
    let segments: Vec<&str> = first.split('_').collect();
    let others: Vec<Vec<&str>> = names[1..].iter().map(|n| n.split('_').collect()).collect();
    if others.is_empty() {
        return Some((*first).to_owned());
    }
    let prefix =
        (0..segments.len()).take_while(|i| others.iter().all(|o| o.get(*i) == segments.get(*i))).count();
    if prefix >= 2 {
        return Some(segments[..prefix].join("_"));
    }
    let shared: Vec<&str> =
        segments.iter().copied().filter(|s| others.iter().all(|o| o.contains(s))).collect();
    // One common segment, such as a body or a coordinate, does not name a quantity.
    if shared.iter().filter(|s| is_informative(s)).count() >= 2 {
        return Some(shared.join("_"));
    }
    Some((*first).to_owned())
}

/// True if a segment of a name says more than a sign or an operation does.
fn is_informative(segment: &str) -> bool {
    segment.len() >= 3 && !["dot", "cross", "inv", "neg", "plus", "minus"].contains(&segment)
}

/// Candidate names for a part of `owners` with these terms; the first unused one should be chosen.
pub fn candidate_names(owners: &[Owner], terms: &[Vec<(String, OperandKind)>]) -> Vec<String> {
    let names: Vec<&str> = owners.iter().map(|o| o.name.as_str()).collect();
    let operands = informative_operands(terms);
    let mut all = Vec::new();
    if let [Owner { name, role: Role::Factor(Some(by)) }] = owners {
        all.push(format!("{name}_per_{by}"));
    }
    let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
    match (shared_name_part(&names), operands.as_slice()) {
        (Some(base), [first, rest @ ..]) => {
            all.push(format!("{base}_from_{first}"));
            all.extend(rest.iter().map(|other| format!("{base}_from_{other}")));
            all.extend(rest.iter().map(|second| format!("{base}_from_{first}_{second}")));
        }
        (Some(base), []) => all.push(format!("part_of_{base}")),
        (None, [first, rest @ ..]) => {
            all.push(format!("made_of_{first}"));
            all.extend(rest.iter().map(|second| format!("made_of_{first}_{second}")));
        }
        (None, []) => {}
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(all: &[&[(&str, OperandKind)]]) -> Vec<Vec<(String, OperandKind)>> {
        all.iter().map(|t| t.iter().map(|(n, k)| ((*n).to_owned(), *k)).collect()).collect()
    }

    #[test]
    fn what_several_names_have_in_common() {
        assert_eq!(shared_name_part(&["f_link3_x"]).as_deref(), Some("f_link3_x"));
        assert_eq!(shared_name_part(&["f_link3_x", "f_link3_y"]).as_deref(), Some("f_link3"));
        assert_eq!(
            shared_name_part(&["needed_f_rod_x", "all_needed_m_rod_x"]).as_deref(),
            Some("needed_rod_x")
        );
        assert_eq!(shared_name_part(&["f_link3_x", "mo_link3_x"]).as_deref(), Some("f_link3_x"));
        assert_eq!(shared_name_part(&["M_a_b", "c_theta"]).as_deref(), Some("M_a_b"));
        assert_eq!(shared_name_part(&[]), None);
    }

    #[test]
    fn a_stem_has_neither_sign_nor_axis() {
        let stems = ["neg_h_link2_y", "J_link_xy", "half_mc_rod1_z", "omega_x", "v_x", "x"]
            .map(strip_prefixes_and_axis);
        assert_eq!(stems, ["h_link2", "J_link", "mc_rod1", "omega_x", "v_x", "x"]);
    }

    fn coriolis(role: Role) -> [Owner; 1] {
        [Owner { name: "coriolis_phi".to_owned(), role }]
    }

    #[test]
    fn a_part_is_called_after_its_whole_and_what_it_is_made_of() {
        let made = terms(&[
            &[
                ("s_psi", OperandKind::Turn),
                ("w_link_z", OperandKind::Quantity),
                ("neg_h_link_y", OperandKind::Quantity),
            ],
            &[
                ("s_psi", OperandKind::Turn),
                ("psi_dot", OperandKind::Symbol),
                ("h_link_z", OperandKind::Quantity),
            ],
        ]);
        assert_eq!(candidate_names(&coriolis(Role::Term), &made)[0], "coriolis_phi_from_h_link");
        let by = Role::Factor(Some("s_phi".to_owned()));
        assert_eq!(
            candidate_names(&coriolis(by), &made)[..2],
            ["coriolis_phi_per_s_phi", "coriolis_phi_from_h_link"]
        );
        let two = ["rate_v_rod_x", "rate_v_rod_y"].map(|n| Owner { name: n.to_owned(), role: Role::Term });
        assert_eq!(candidate_names(&two, &made)[0], "rate_v_rod_from_h_link");
    }

    #[test]
    fn factors_of_factors_are_named_as_long_as_that_is_short() {
        let term = Role::Term;
        assert_eq!(term.factor_role(Some("c_phi")), Role::Factor(Some("c_phi".to_owned())));
        assert_eq!(
            term.factor_role(Some("c_phi")).factor_role(Some("s_psi")),
            Role::Factor(Some("c_phi_s_psi".to_owned()))
        );
        assert_eq!(term.factor_role(None).factor_role(Some("s_psi")), Role::Inside);
    }
}
