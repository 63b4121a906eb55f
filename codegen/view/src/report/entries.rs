//! Lists the entries of a matrix that is too large for a page.

use dqdt_document::report::Math;

/// Entries of a matrix as equations, without zeros and mirrored entries, and a sentence on the
/// omitted ones. Used for matrices that are too large for a page.
pub(super) fn matrix_entries(name: &Math, rows: &[Vec<Math>]) -> (Vec<(Math, Math)>, String) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let entry = |i: usize, j: usize| rows.get(i).and_then(|r| r.get(j));
    let symmetric = columns > 1
        && rows.len() == columns
        && (0..columns).all(|i| (0..i).all(|j| entry(i, j).is_some() && entry(i, j) == entry(j, i)));
    let (mut list, mut zeros) = (Vec::new(), false);
    for (i, row) in rows.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            if value.text() == "0" {
                zeros = true;
            } else if !symmetric || i <= j {
                let indices: &[usize] = if columns == 1 { &[i + 1] } else { &[i + 1, j + 1] };
                list.push((name.with_number_indices(indices), value.clone()));
            }
        }
    }
    let omitted = match (symmetric, zeros) {
        (false, false) => "",
        (true, false) => "The matrix is symmetric.",
        (false, true) => "Entries that are not listed are 0.",
        (true, true) => {
            "The matrix is symmetric; entries that are listed on neither side of the diagonal are 0."
        }
    };
    (list, omitted.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(rows: &[&[i64]]) -> (Vec<String>, String) {
        let rows: Vec<Vec<Math>> =
            rows.iter().map(|r| r.iter().map(|n| Math::integer(*n)).collect()).collect();
        let (list, omitted) = matrix_entries(&Math::identifier("M"), &rows);
        (list.into_iter().map(|(l, r)| format!("{}={}", l.text(), r.text())).collect(), omitted)
    }

    #[test]
    fn zeros_and_mirrored_entries_are_named_once_for_all() {
        let (list, omitted) = listed(&[&[1, 2], &[2, 0]]);
        assert_eq!(list, ["M₁₁=1", "M₁₂=2"]);
        assert!(omitted.contains("symmetric") && omitted.contains('0'));
        let (list, omitted) = listed(&[&[1, 2], &[3, 4]]);
        assert_eq!((list.len(), omitted.as_str()), (4, ""));
        assert_eq!(listed(&[&[7], &[0]]).0, ["M₁=7"]);
        assert_eq!(listed(&[&[1, 2], &[]]).0.len(), 2);
        assert_eq!(listed(&[]).0.len(), 0);
    }
}
