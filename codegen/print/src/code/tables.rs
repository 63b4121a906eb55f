//! Lookup tables of a spec as arrays of emitted code.

use std::collections::BTreeSet;

use dqdt_graph::ir::{Graph, NodeId, Op, Program, TableId, mark_needed, program_roots};

/// Lookup table of the spec in emitted code: names and contents of two constant arrays.
pub struct Arrays {
    /// Name of the constant array of knots.
    pub knots_name: String,
    /// Values of the argument at which the polynomial pieces begin, ascending.
    pub knots: Vec<f64>,
    /// Name of the constant array of coefficients.
    pub rows_name: String,
    /// Polynomial coefficients of each piece between knots, in ascending powers.
    pub rows: Vec<[f64; 4]>,
}

/// Constant arrays of a lookup table for emitted code.
pub fn table_arrays(graph: &Graph, t: TableId) -> Arrays {
    let (knots, rows) = graph.table_data(t).runtime_rows();
    let name = table_array_name(graph, t);
    let (knots_name, rows_name) = (format!("{name}_KNOTS"), format!("{name}_ROWS"));
    Arrays { knots_name, knots, rows_name, rows }
}

/// Name of the arrays of a lookup table: `TABLE_DRAG`, or `TABLE_DRAG_SLOPE` for the derivative of
/// the table. The number of the table is added if two names were equal, and replaces the name of a
/// table without one.
fn table_array_name(graph: &Graph, t: TableId) -> String {
    let base_name = |t: TableId| graph.table_data(t).name.to_ascii_uppercase().replace('\'', "_SLOPE");
    let base = base_name(t);
    let namesakes =
        (0..graph.table_count() as u32).filter(|other| base_name(TableId(*other)) == base).count();
    match () {
        () if base.is_empty() => format!("TABLE_{}", t.0 + 1),
        () if namesakes > 1 => format!("TABLE_{}_{base}", t.0 + 1),
        () => format!("TABLE_{base}"),
    }
}

/// Constant arrays of the lookup tables that emitted functions use.
pub fn used_table_arrays(program: &Program) -> Vec<Arrays> {
    let graph = &program.graph;
    let needed = mark_needed(graph, &program_roots(program));
    let tables: BTreeSet<TableId> = (needed.iter().enumerate().filter(|(_, n)| **n))
        .filter_map(|(i, _)| match graph.node(NodeId(i as u32)).op {
            Op::Table(t) => Some(t),
            _ => None,
        })
        .collect();
    tables.into_iter().map(|t| table_arrays(graph, t)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_algebra::PiecewiseCubic;

    fn ramp(end: f64) -> PiecewiseCubic {
        PiecewiseCubic::linear(&[0.0, end], &[0.0, 1.0])
    }

    #[test]
    fn tables_of_like_names_are_told_apart() {
        let graph = Graph::new();
        let (curve, upper) = (ramp(1.0).named("curve"), ramp(2.0).named("Curve"));
        let all = [
            curve.clone(),
            upper,
            curve.derivative(),
            ramp(3.0).named("curve_slope"),
            ramp(4.0).named("curve_1"),
            ramp(5.0),
            ramp(6.0).named("drag").derivative(),
        ];
        let ids: Vec<TableId> = all.iter().map(|t| graph.table(t)).collect();
        let names: Vec<String> = ids.into_iter().map(|t| table_array_name(&graph, t)).collect();
        let expected = [
            "TABLE_1_CURVE",
            "TABLE_2_CURVE",
            "TABLE_3_CURVE_SLOPE",
            "TABLE_4_CURVE_SLOPE",
            "TABLE_CURVE_1",
            "TABLE_6",
            "TABLE_DRAG_SLOPE",
        ];
        assert_eq!(names, expected);
    }
}
