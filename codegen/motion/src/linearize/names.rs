//! What the rows and columns of a linearisation are of.

/// What rows and columns are of.
pub struct Names {
    /// Of `δx`.
    pub states: Vec<String>,
    /// So many of them are of coordinates.
    pub coordinates: usize,
    /// So many behind them are of speeds.
    pub speeds: usize,
    /// Coordinates that follow from others in `dqdt` and `closure`, and their speeds, as columns.
    pub followers: Vec<usize>,
    /// The inputs.
    pub inputs: Vec<String>,
    /// The entries of the outputs.
    pub outputs: Vec<String>,
    /// Residuals of positions first, then all of speeds.
    pub residuals: Vec<String>,
    /// So many of the residuals are of positions.
    pub positions: usize,
}
