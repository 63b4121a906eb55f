//! "Did you mean …?"

/// The candidate nearest to `word`, if it is near enough to be meant. The first of several equally near.
pub(crate) fn did_you_mean<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // A few slips in a long word, one in a short one.
    let limit = (word.chars().count() / 3).min(3);
    let lower = word.to_lowercase();
    candidates
        .into_iter()
        .filter(|c| !c.is_empty() && *c != word)
        .map(|c| (c.to_lowercase(), c))
        .map(|(l, c)| (distance(&lower, &l), same_start(&lower, &l), c))
        .filter(|(d, start, _)| *d <= if *start { 3 } else { limit })
        .min_by_key(|(d, _, _)| *d)
        .map(|(_, _, c)| c)
}

/// True if the first three letters agree, as in `body` and `bodies`.
fn same_start(a: &str, b: &str) -> bool {
    a.chars().count() > 3 && a.chars().zip(b.chars()).take(3).filter(|(x, y)| x == y).count() == 3
}

/// Number of insertions, deletions, replacements and swaps of neighbours from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let same = a[i - 1] == b[j - 1];
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + usize::from(!same));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        (before, last) = (last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        assert_eq!(did_you_mean("mas", ["mass", "inertia"]), Some("mass"));
        assert_eq!(did_you_mean("corodinates", ["coordinates", "child"]), Some("coordinates"));
        assert_eq!(did_you_mean("body", ["gravity", "bodies"]), Some("bodies"));
        assert_eq!(did_you_mean("Mass", ["mass"]), Some("mass"));
        assert_eq!(did_you_mean("xyz", ["mass", "inertia"]), None);
        assert_eq!(did_you_mean("m", ["t", "M"]), Some("M"));
    }
}
