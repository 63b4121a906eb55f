//! Independent coordinates and speeds of a functional mock-up unit, as the user names them.

use super::Failure;
use dqdt_derivation::functions::{self, Definition};
use dqdt_graph::ir::{Arguments, Machine, Program};
use dqdt_spec::spec::did_you_mean;

/// Size below which a pivot counts as zero, relative to the largest entry of its row.
const VANISHED: f64 = 1e-9;

fn refuse(message: String) -> Failure {
    Failure::Option { option: "--independent", message }
}

/// For each entry of the state, true if it is independent. Checks at the start that the named
/// entries determine all others.
pub(super) fn find_independent_states(program: &Program, names: &[String]) -> Result<Vec<bool>, Failure> {
    let l = &program.layout;
    let (nq, nv) = (l.q.len(), l.v.len());
    if l.velocity_rows.is_empty() {
        return Err(refuse(format!("{} has no constraints: omit this option", program.name)));
    }
    let all: Vec<&str> = l.q.iter().chain(&l.v).map(|s| s.name.as_str()).collect();
    let mut is_independent = vec![false; nq + nv];
    for name in names.iter().map(|name| name.trim()) {
        let Some(i) = all.iter().position(|other| *other == name) else {
            let near = did_you_mean(name, all.iter().copied());
            let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            return Err(refuse(format!(
                "`{name}` is neither a coordinate nor a speed{near}; the coordinates and speeds are {}",
                all.join(", ")
            )));
        };
        if l.quaternions.iter().any(|start| (*start..start + 4).contains(&i)) {
            return Err(refuse(format!(
                "`{name}` is part of a quaternion, whose entries depend on each other: name other coordinates, or use \
                 the unit for co-simulation"
            )));
        }
        is_independent[i] = true;
    }
    if !is_independent[nq..].contains(&true) {
        for (k, speed) in l.v.iter().enumerate() {
            let stem = l.stem(&speed.name);
            is_independent[nq + k] = (0..nq).any(|i| is_independent[i] && l.q[i].name == stem);
        }
    }
    let rows = [
        ("coordinates", functions::POSITION_CONSTRAINTS, 0..nq),
        ("speeds", functions::VELOCITY_CONSTRAINTS, nq..nq + nv),
    ];
    for (what, function, range) in rows {
        check_level(program, function, what, &is_independent[range])?;
    }
    is_independent.extend(std::iter::repeat_n(true, l.z.len()));
    Ok(is_independent)
}

/// Refuses independent entries of one level (coordinates or speeds) that are too few, too many or
/// dependent at the start.
fn check_level(
    program: &Program,
    function: &Definition,
    what: &str,
    is_independent: &[bool],
) -> Result<(), Failure> {
    let columns = is_independent.len();
    let named = is_independent.iter().filter(|x| **x).count();
    let values = Machine::new(program, function)
        .and_then(|mut machine| machine.call(&Arguments::defaults(program)).ok().map(<[f64]>::to_vec))
        .unwrap_or_default();
    let quaternions = if what == "coordinates" { program.layout.quaternions.clone() } else { Vec::new() };
    let count = values.len() / (columns + 1);
    let mut rows: Vec<Vec<f64>> = values[count..].chunks(columns.max(1)).map(<[f64]>::to_vec).collect();
    for start in quaternions {
        let mut row = vec![0.0; columns];
        row[start..start + 4].copy_from_slice(&program_start(program)[start..start + 4]);
        rows.push(row);
    }
    let free = columns - rank(rows.clone());
    if named != free {
        return Err(refuse(format!(
            "the number of independent {what} at the start is {free}, but the number of named ones is {named}: name \
             {free}"
        )));
    }
    for row in &mut rows {
        row.iter_mut().zip(is_independent).filter(|(_, named)| **named).for_each(|(x, _)| *x = 0.0);
    }
    if rank(rows) + named < columns {
        return Err(refuse(format!(
            "the named {what} do not determine the others at the start: name other {what}"
        )));
    }
    Ok(())
}

fn program_start(program: &Program) -> Vec<f64> {
    program.layout.q.iter().map(|s| s.value).collect()
}

/// Rank of a matrix by rows: Gaussian elimination with complete pivoting.
fn rank(mut rows: Vec<Vec<f64>>) -> usize {
    let scales: Vec<f64> = rows.iter().map(|r| r.iter().fold(0.0f64, |m, x| m.max(x.abs()))).collect();
    for (row, scale) in rows.iter_mut().zip(scales) {
        row.iter_mut().for_each(|x| *x /= if scale > 0.0 { scale } else { 1.0 });
    }
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    while rank < rows.len() {
        let places = (rank..rows.len()).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let Some((i, j)) = places.max_by(|a, b| rows[a.0][a.1].abs().total_cmp(&rows[b.0][b.1].abs())) else {
            break;
        };
        if rows[i][j].abs() < VANISHED {
            break;
        }
        rows.swap(rank, i);
        let pivot = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = row[j] / pivot[j];
            row.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= factor * y);
            row[j] = 0.0;
        }
        rank += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn the_rank_counts_independent_rows() {
        assert_eq!(rank(vec![vec![1.0, 2.0, 3.0], vec![2.0, 4.0, 6.0], vec![0.0, 1.0, 0.0]]), 2);
        assert_eq!(rank(vec![vec![0.0, 0.0]]), 0);
        assert_eq!(rank(Vec::new()), 0);
    }
}
