//! Sweeps: motions of one mechanism at many points, values of parameters, starts and inputs.
//!
//! Problem: a sweep takes hours on many machines, some of which fail; points differ in nothing but
//!          numbers.
//! Method:  the equations are derived and prepared once (`simulation`). Each point becomes one line
//!          of a results file (`row`), appended whole (`result_file`), so that a sweep that was
//!          killed goes on with the missing points. A file has a fingerprint of everything that
//!          determines its numbers (`fingerprint`). Shards share the points by row number
//!          (`shard`); `collect` joins their files. `threads` runs points in this process.
//! Bytes:   a line depends on its point alone, so joined files do not depend on shards, threads,
//!          machines or interruptions.

mod collect;
mod error;
mod fingerprint;
mod points;
mod result_file;
mod row;
mod shard;
mod simulation;
mod threads;

pub use collect::{Collection, collect_folder};
pub use error::SweepError;
pub use fingerprint::SweepFingerprint;
pub use points::{ColumnFault, PointColumn, Points};
pub use result_file::ResultFile;
pub use row::{ParsedRow, PointResult, PointStatus, parse_row, push_csv_number};
pub use shard::{Shard, ShardFault};
pub use simulation::{CurveKind, PointSweep, PointSweepOptions};
pub use threads::{WatchedRun, run_points};
