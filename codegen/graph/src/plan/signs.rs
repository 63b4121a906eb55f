//! Signs of values in SIMD lanes, such that all lanes do the same operations.
//!
//! Problem: where one leg has `a − b` its mirror image has `a + b`, and the simplifier keeps one of
//!          a value and its negation, depending on which was recorded first. Which lanes must
//!          compute the negated value so that all do the same?
//! Method:  one unknown per value and lane, over the integers modulo two. A term of a sum gives an
//!          equation of two unknowns, a product one of three: values tied by sums are merged into
//!          one unknown, and the others are eliminated. Lanes differ only in the right-hand sides,
//!          which are the bits of one number, so all lanes are eliminated at once.
//! Cost:    O(n α(n)) for sums, O(m³) for the m values that only products tie.

use std::collections::BTreeMap;

/// A parity (0 or 1) in every SIMD lane, one bit each.
pub type Lanes = u128;

/// A linear equation modulo two in every SIMD lane: the sum of the unknown signs equals `odd`.
#[derive(Clone, Debug)]
pub struct Parity {
    /// Indices of one to three unknowns; a repeated one cancels.
    pub indices: Vec<usize>,
    /// Right-hand sides of the equation, one bit per lane.
    pub odd: Lanes,
    /// Index of the pack that the equation comes from; the pack is dropped if the equation
    /// contradicts others.
    pub by: usize,
}

/// Union-find of unknowns that sums tie together, with relative parity.
struct Ties {
    parent: Vec<usize>,
    odd: Vec<Lanes>,
}

impl Ties {
    /// The root of the set that contains an unknown, and the parity relative to it; shortens the
    /// path.
    fn find_root(&mut self, x: usize) -> (usize, Lanes) {
        let (mut top, mut odd) = (x, 0);
        while self.parent[top] != top {
            odd ^= self.odd[top];
            top = self.parent[top];
        }
        let (mut at, mut rest) = (x, odd);
        while self.parent[at] != top && at != top {
            let (next, parity) = (self.parent[at], self.odd[at]);
            (self.parent[at], self.odd[at]) = (top, rest);
            rest ^= parity;
            at = next;
        }
        (top, odd)
    }
}

/// Rank and index of an unknown sign, in the order of elimination.
type RankedUnknown = (usize, usize);

/// Solves the equations for the signs of all unknowns. Free unknowns are zero; those of a higher
/// `rank` are preferred as free. An equation that contradicts earlier ones is an error: the pack
/// (`by`) of the first one in the first such lane.
pub fn solve_parities(unknowns: usize, rank: &[usize], equations: &[Parity]) -> Result<Vec<Lanes>, usize> {
    let mut ties = Ties { parent: (0..unknowns).collect(), odd: vec![0; unknowns] };
    let mut contradicted: [Option<usize>; Lanes::BITS as usize] = [None; Lanes::BITS as usize];
    let mut contradict = |odd: Lanes, by: usize| {
        let lanes = contradicted.iter_mut().enumerate().filter(|(lane, _)| odd >> lane & 1 == 1);
        for (_, first) in lanes {
            first.get_or_insert(by);
        }
    };
    let (two, more): (Vec<&Parity>, Vec<&Parity>) = equations.iter().partition(|e| e.indices.len() == 2);
    for equation in two {
        let ((a, odd_a), (b, odd_b)) =
            (ties.find_root(equation.indices[0]), ties.find_root(equation.indices[1]));
        let odd = equation.odd ^ odd_a ^ odd_b;
        if a != b {
            // The unknown of higher rank becomes the root.
            let (low, top) = if (rank[a], a) < (rank[b], b) { (a, b) } else { (b, a) };
            (ties.parent[low], ties.odd[low]) = (top, odd);
        } else {
            contradict(odd, equation.by);
        }
    }
    // Rows by their pivot unknown.
    let mut rows: BTreeMap<RankedUnknown, (Vec<RankedUnknown>, Lanes)> = BTreeMap::new();
    for equation in more {
        let mut odd = equation.odd;
        let mut row: Vec<RankedUnknown> = Vec::new();
        for x in &equation.indices {
            let (top, parity) = ties.find_root(*x);
            odd ^= parity;
            row = add_rows(&row, &[(rank[top], top)]);
        }
        while let Some(first) = row.first() {
            let Some((other, other_odd)) = rows.get(first) else { break };
            odd ^= other_odd;
            row = add_rows(&row, other);
        }
        match row.first() {
            Some(first) => {
                rows.insert(*first, (row, odd));
            }
            None => contradict(odd, equation.by),
        }
    }
    if let Some(by) = contradicted.into_iter().flatten().next() {
        return Err(by);
    }
    let mut values = vec![0; unknowns];
    for (first, (row, odd)) in rows.iter().rev() {
        values[first.1] = row[1..].iter().fold(*odd, |all, x| all ^ values[x.1]);
    }
    Ok((0..unknowns)
        .map(|x| {
            let (top, odd) = ties.find_root(x);
            values[top] ^ odd
        })
        .collect())
}

/// The sum modulo two of two sorted rows: unknowns in both cancel.
fn add_rows(a: &[RankedUnknown], b: &[RankedUnknown]) -> Vec<RankedUnknown> {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    loop {
        match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) if x == y => (i, j) = (i + 1, j + 1),
            (Some(x), Some(y)) if x > y => {
                sum.push(*y);
                j += 1;
            }
            (Some(x), _) => {
                sum.push(*x);
                i += 1;
            }
            (None, Some(y)) => {
                sum.push(*y);
                j += 1;
            }
            (None, None) => return sum,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equation(indices: &[usize], odd: Lanes) -> Parity {
        Parity { indices: indices.to_vec(), odd, by: indices[0] }
    }

    fn are_satisfied(equations: &[Parity], values: &[Lanes]) -> bool {
        equations.iter().all(|e| e.indices.iter().fold(0, |all, x| all ^ values[*x]) == e.odd)
    }

    #[test]
    fn signs_satisfy_all_equations_or_one_is_named_that_cannot_hold() {
        let mut random = dqdt_diagnostics::base::Random::new(7);
        let mut contradicted = 0;
        for case in 0..300 {
            let unknowns = 3 + case % 20;
            let hidden: Vec<Lanes> = (0..unknowns).map(|_| random.next_below(256) as Lanes).collect();
            let mut equations: Vec<Parity> = Vec::new();
            for _ in 0..2 * unknowns {
                let indices: Vec<usize> =
                    (0..1 + random.next_below(3)).map(|_| random.next_below(unknowns)).collect();
                let odd = indices.iter().fold(0, |all, x| all ^ hidden[*x]);
                equations.push(Parity { by: equations.len(), indices, odd });
            }
            let rank: Vec<usize> = (0..unknowns).map(|x| x % 3).collect();
            assert!(are_satisfied(&equations, &solve_parities(unknowns, &rank, &equations).unwrap()));
            let broken = random.next_below(equations.len());
            equations[broken].odd ^= 1 << (case % 8);
            match solve_parities(unknowns, &rank, &equations) {
                Ok(values) => assert!(are_satisfied(&equations, &values)),
                Err(_) => contradicted += 1,
            }
        }
        assert!(contradicted > 100, "{contradicted}");
    }

    #[test]
    fn what_is_free_and_ranks_late_is_even() {
        let all = [equation(&[0, 1], 0b11), equation(&[1, 2, 3], 0b01)];
        assert_eq!(solve_parities(4, &[0, 1, 0, 2], &all), Ok(vec![0b11, 0, 0b01, 0]));
    }

    #[test]
    fn of_contradictions_that_of_the_first_lane_is_named() {
        let all =
            [equation(&[0, 1], 0), equation(&[1, 0], 0b100), equation(&[2, 1], 0), equation(&[2, 0], 0b010)];
        assert_eq!(solve_parities(3, &[0, 0, 0], &all), Err(2));
        assert_eq!(solve_parities(3, &[0, 0, 0], &all[..3]), Err(1));
    }
}
