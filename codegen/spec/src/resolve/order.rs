//! Topological order: each item after those that it depends on.

/// Orders the items `0..needs.len()` so that each follows those that it needs; ties keep the
/// original order. Items on a cycle, or dependent on one, are omitted. The second result lists the
/// cycles. Used for definitions, parameters and input laws.
pub(super) fn topological_order(needs: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let n = needs.len();
    let mut missing: Vec<usize> = needs.iter().map(Vec::len).collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, list) in needs.iter().enumerate() {
        for j in list {
            users[*j].push(i);
        }
    }
    let mut ready: std::collections::BTreeSet<usize> = (0..n).filter(|i| missing[*i] == 0).collect();
    let mut out = Vec::with_capacity(n);
    while let Some(i) = ready.pop_first() {
        out.push(i);
        for user in &users[i] {
            missing[*user] -= 1;
            if missing[*user] == 0 {
                ready.insert(*user);
            }
        }
    }
    let left: Vec<bool> = missing.iter().map(|m| *m > 0).collect();
    (out, find_cycles(needs, &left))
}

/// Cycles of dependences among the items that could not be ordered (`left`), found by following
/// from each of them its first remaining dependence.
fn find_cycles(needs: &[Vec<usize>], left: &[bool]) -> Vec<Vec<usize>> {
    let mut is_visited = vec![false; needs.len()];
    let mut out = Vec::new();
    for start in 0..needs.len() {
        let mut path = Vec::new();
        let mut at = start;
        while left[at] && !is_visited[at] {
            is_visited[at] = true;
            path.push(at);
            match needs[at].iter().find(|j| left[**j]) {
                Some(next) => at = *next,
                None => break,
            }
        }
        if let Some(begin) = path.iter().position(|p| *p == at) {
            out.push(path.split_off(begin));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_come_first_and_otherwise_the_order_is_kept() {
        assert_eq!(topological_order(&[vec![2], vec![], vec![]]), (vec![1, 2, 0], vec![]));
        assert_eq!(topological_order(&[vec![], vec![0], vec![1]]), (vec![0, 1, 2], vec![]));
    }

    #[test]
    fn cycles_are_found_and_what_hangs_on_them_is_left_out() {
        let (out, cycles) = topological_order(&[vec![1], vec![2], vec![1], vec![], vec![4]]);
        assert_eq!(out, vec![3]);
        assert_eq!(cycles, vec![vec![1, 2], vec![4]]);
    }
}
