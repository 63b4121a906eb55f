//! Signs that make lanes compute the same.
//!
//! Problem: where one leg has `a − b` its mirror image has `a + b`, and a simplifier keeps of a value and its opposite the one
//!          that was asked for first. Which lanes must hold the opposite of their value, so that all do the same?
//! Method:  one unknown a value and lane, over the numbers modulo two. A term of a sum gives an equation of two unknowns, a
//!          product one of three: values that sums tie together are one unknown, the rest is eliminated.
//! Cost:    O(n α(n)) for sums, O(m³ / 64) for the m values that only products tie.

use std::collections::BTreeMap;

/// An equation: the sum of these unknowns is `odd`; and whose it is.
#[derive(Clone, Debug)]
pub struct Parity {
    /// The unknowns, one, two or three of them; one that stands there twice drops out.
    pub of: Vec<usize>,
    /// The right side.
    pub odd: bool,
    /// What must be given up where the equations contradict each other.
    pub by: usize,
}

/// Unknowns that sums tie together.
struct Ties {
    parent: Vec<usize>,
    odd: Vec<bool>,
}

impl Ties {
    fn find(&mut self, x: usize) -> (usize, bool) {
        let (mut top, mut odd) = (x, false);
        while self.parent[top] != top {
            odd ^= self.odd[top];
            top = self.parent[top];
        }
        let (mut at, mut rest) = (x, odd);
        while self.parent[at] != top && at != top {
            let (next, own) = (self.parent[at], self.odd[at]);
            (self.parent[at], self.odd[at]) = (top, rest);
            rest ^= own;
            at = next;
        }
        (top, odd)
    }
}

/// An unknown, with its rank before it.
type Term = (usize, usize);

/// Values of the unknowns; where there is a choice, unknowns of a late `rank` are even. An equation that contradicts those
/// before it gives the error: whose it is.
pub fn solve(unknowns: usize, rank: &[usize], equations: &[Parity]) -> Result<Vec<bool>, usize> {
    let mut ties = Ties { parent: (0..unknowns).collect(), odd: vec![false; unknowns] };
    let (two, more): (Vec<&Parity>, Vec<&Parity>) = equations.iter().partition(|e| e.of.len() == 2);
    for equation in two {
        let ((a, odd_a), (b, odd_b)) = (ties.find(equation.of[0]), ties.find(equation.of[1]));
        let odd = equation.odd ^ odd_a ^ odd_b;
        if a != b {
            // The later rank stays on top.
            let (low, top) = if (rank[a], a) < (rank[b], b) { (a, b) } else { (b, a) };
            (ties.parent[low], ties.odd[low]) = (top, odd);
        } else if odd {
            return Err(equation.by);
        }
    }
    // Rows by the unknown that they give.
    let mut rows: BTreeMap<Term, (Vec<Term>, bool)> = BTreeMap::new();
    for equation in more {
        let mut odd = equation.odd;
        let mut row: Vec<Term> = Vec::new();
        for x in &equation.of {
            let (top, parity) = ties.find(*x);
            odd ^= parity;
            row = plus(&row, &[(rank[top], top)]);
        }
        while let Some(first) = row.first() {
            let Some((other, other_odd)) = rows.get(first) else { break };
            odd ^= other_odd;
            row = plus(&row, other);
        }
        match row.first() {
            Some(first) => {
                rows.insert(*first, (row, odd));
            }
            None if odd => return Err(equation.by),
            None => {}
        }
    }
    let mut values = vec![false; unknowns];
    for (first, (row, odd)) in rows.iter().rev() {
        values[first.1] = row[1..].iter().fold(*odd, |all, x| all ^ values[x.1]);
    }
    Ok((0..unknowns)
        .map(|x| {
            let (top, odd) = ties.find(x);
            values[top] ^ odd
        })
        .collect())
}

/// The sum of two sorted rows.
fn plus(a: &[Term], b: &[Term]) -> Vec<Term> {
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

    fn equation(of: &[usize], odd: bool) -> Parity {
        Parity { of: of.to_vec(), odd, by: of[0] }
    }

    #[test]
    fn signs_satisfy_all_equations_or_one_is_named_that_cannot_hold() {
        let mut random = crate::base::Random::new(7);
        let mut contradicted = 0;
        for case in 0..300 {
            let unknowns = 3 + case % 20;
            let hidden: Vec<bool> = (0..unknowns).map(|_| random.below(2) == 1).collect();
            let mut equations: Vec<Parity> = Vec::new();
            for _ in 0..2 * unknowns {
                let of: Vec<usize> = (0..1 + random.below(3)).map(|_| random.below(unknowns)).collect();
                let odd = of.iter().fold(false, |all, x| all ^ hidden[*x]);
                equations.push(Parity { by: equations.len(), of, odd });
            }
            let holds = |values: &[bool]| {
                equations.iter().all(|e| e.of.iter().fold(false, |all, x| all ^ values[*x]) == e.odd)
            };
            let rank: Vec<usize> = (0..unknowns).map(|x| x % 3).collect();
            assert!(holds(&solve(unknowns, &rank, &equations).unwrap()));
            let broken = random.below(equations.len());
            equations[broken].odd ^= true;
            match solve(unknowns, &rank, &equations) {
                Ok(values) => assert!(
                    equations.iter().all(|e| e.of.iter().fold(false, |all, x| all ^ values[*x]) == e.odd)
                ),
                Err(_) => contradicted += 1,
            }
        }
        assert!(contradicted > 100, "{contradicted}");
    }

    #[test]
    fn what_is_free_and_ranks_late_is_even() {
        let all = [equation(&[0, 1], true), equation(&[1, 2, 3], true)];
        assert_eq!(solve(4, &[0, 1, 0, 2], &all), Ok(vec![true, false, true, false]));
    }
}
