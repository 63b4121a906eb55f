//! Shorter entries of Aᵀ λ by adding Φ = 0.
//!
//! Problem: where a rod is closed to a boom, the moment of the closing force on the barrel is
//!          `−c λ_fy`. As a column of A = ∂Φ/∂q it is `(p cos φ − q sin φ − a cos(θ − φ)) λ_fy`,
//!          since Φ is measured in axes that turn with the barrel; the two differ by Φ.
//! Method:  a residual Φ of the same constraint is added to or subtracted from an entry of A if the
//!          result depends on fewer coordinates and parameters, at least two fewer. Dependence is
//!          determined numerically, by changing one symbol at a time.
//! Limits:  other multiples of Φ are not tried.

use super::equations::EquationsOfMotion;
use super::groups::Reduction;
use super::load_lengths::{pseudo_random_pose, pseudo_random_value};
use dqdt_graph::ir::{Graph, NodeId, Op, SymbolKind, evaluate, mark_needed};
use dqdt_mechanics::mechanism::{Mechanism, SpeedId};

/// Largest number of rows of a constraint whose entries are shortened by residuals; with more rows,
/// entries are long anyway.
const MOST_ROWS: usize = 3;

/// The reductions that shorten entries of the `active` constraint rows.
pub(super) fn find_reductions<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    system: &EquationsOfMotion<'g>,
    active: &[usize],
) -> Vec<Reduction> {
    let mut tried: Vec<(Option<Reduction>, NodeId)> = Vec::new();
    for row in active.iter().copied() {
        let constraint = system.rows[row].constraint;
        let all: Vec<usize> =
            (0..system.rows.len()).filter(|k| system.rows[*k].constraint == constraint).collect();
        if all.len() > MOST_ROWS {
            continue;
        }
        for (speed, entry) in
            SpeedId::enumerate(&system.rows[row].jacobian).filter(|(_, a)| a.constant().is_none())
        {
            tried.push((None, entry.id(graph)));
            for residual in all.iter().copied() {
                let Some(phi) = system.rows[residual].position else { continue };
                for negative in [false, true] {
                    let reduction = Reduction { speed, row, residual, negative };
                    tried.push((Some(reduction), (*entry + reduction.signed_residual(phi)).id(graph)));
                }
            }
        }
    }
    let nodes: Vec<NodeId> = tried.iter().map(|(_, node)| *node).collect();
    let counts = count_influential_symbols(graph, m, &nodes);
    let mut out = Vec::new();
    let mut best: Option<(usize, Option<Reduction>)> = None;
    for ((reduction, _), count) in tried.iter().zip(&counts) {
        match (reduction, &best) {
            (None, _) => {
                out.extend(best.take().and_then(|(_, reduction)| reduction));
                best = Some((*count, None));
            }
            (Some(_), Some((least, known))) if count + usize::from(known.is_none()) < *least => {
                best = Some((*count, *reduction));
            }
            _ => {}
        }
    }
    out.extend(best.and_then(|(_, reduction)| reduction));
    out
}

/// Number of symbols on which each value depends, by finite changes at one pose.
fn count_influential_symbols(graph: &Graph, m: &Mechanism, nodes: &[NodeId]) -> Vec<usize> {
    let pose = pseudo_random_pose(m, 0);
    let value_at_pose = |kind: SymbolKind| match kind {
        SymbolKind::Coordinate(i) => pose.get(i).copied().unwrap_or(0.0),
        kind => pseudo_random_value(kind, 0),
    };
    let before = evaluate(graph, nodes, value_at_pose);
    let mut counts = vec![0; nodes.len()];
    for (i, _) in mark_needed(graph, nodes).into_iter().enumerate().filter(|(_, needed)| *needed) {
        let Op::Symbol(symbol) = graph.node(NodeId(i as u32)).op else { continue };
        let moved = graph.symbol_info(symbol).kind;
        let after =
            evaluate(graph, nodes, |kind| value_at_pose(kind) + if kind == moved { 0.237 } else { 0.0 });
        for (count, (x, y)) in counts.iter_mut().zip(before.iter().zip(&after)) {
            *count += usize::from((x - y).abs() > 1e-9 * (1.0 + x.abs()));
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::{closed_forms, record_quantities_with_names, view::View};
    use dqdt_generate::pipeline;
    use dqdt_mechanics::formalism::Formalism;
    use std::path::Path;

    #[test]
    fn the_moment_of_a_closed_loop_on_the_bar_that_carries_its_axes_is_a_lever_times_a_force() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/four_bar.toml");
        let loaded = pipeline::load(&path).unwrap();
        let q = record_quantities_with_names(&loaded, Formalism::Kane);
        let indices: Vec<_> = q.reductions.iter().map(|x| (x.speed.index(), x.row, x.residual)).collect();
        // The rocker: the moment of f_x vanishes, that of f_y has the lever arm of the bar. The
        // crank: both.
        assert_eq!(indices, [(0, 0, 1), (2, 0, 1), (0, 1, 0), (2, 1, 0)]);
        let mut closed = closed_forms(&loaded.mechanism);
        let report = super::super::report(&loaded, Formalism::Kane, &mut closed, None, &View::default());
        let text = dqdt_view::report::print_text(&report, 100);
        assert!(text.contains("1/3 m₃ c² ψ̈ + 1/2 m₃ g c cos ψ = −c λ_C_fy\n"), "{text}");
        assert!(text.contains("simplified with Φ = 0"), "{text}");
    }
}
