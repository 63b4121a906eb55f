//! Names of the rows and columns of a linearisation.

/// Names of states, inputs, outputs and constraint residuals, in the order of the rows and columns
/// of a linearisation.
pub struct MatrixNames {
    /// Names of the entries of `δx`: coordinates, speeds, then user states. A quaternion has three.
    pub states: Vec<String>,
    /// Number of coordinate entries, which come first in `states`.
    pub coordinates: usize,
    /// Number of speeds, which follow the coordinates in `states`.
    pub speeds: usize,
    /// Columns of `δx` that depend on others in `dqdt` and `closure`: dependent coordinates, and
    /// their speeds if coordinates and speeds correspond one to one.
    pub followers: Vec<usize>,
    /// Names of the inputs, the columns of B and D.
    pub inputs: Vec<String>,
    /// Names of the output entries, the rows of C and D.
    pub outputs: Vec<String>,
    /// Names of the residuals of the constraints: positions first, then speeds.
    pub residuals: Vec<String>,
    /// Number of residuals at position level, which come first in `residuals`.
    pub positions: usize,
}
