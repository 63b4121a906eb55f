//! Time series as SVG.

/// Panels below each other over one axis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plot {
    /// Above the panels; may be empty.
    pub title: String,
    /// What the shared axis is: `t`.
    pub x_label: String,
    /// Its unit: `s`; may be empty.
    pub x_unit: String,
    /// Sample positions, ascending.
    pub x: Vec<f64>,
    /// From top to bottom.
    pub panels: Vec<Panel>,
}

/// Series over one vertical axis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Panel {
    /// What the vertical axis is; may be empty.
    pub label: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Drawn in this order.
    pub series: Vec<Series>,
}

/// One curve.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// For the legend: plain text, such as `MathText::identifier(name).text`.
    pub name: String,
    /// One value a sample position; what is not finite leaves a gap.
    pub values: Vec<f64>,
}
