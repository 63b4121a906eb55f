//! Warnings about Baumgarte stabilisation under a fixed step.

use dqdt::integrate::Seconds;
use dqdt_derivation::assemble::Assembled;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_graph::ir::Arguments;
pub use dqdt_motion::simulate::constraint_manifold;

/// A warning for each constraint whose stabilisation is too stiff for the step `h` in seconds:
/// `α h > 1`.
///
/// `dqdt simulate` itself is not affected, because it projects states and chooses its own steps. An
/// integrator with the fixed step `h` and without projection would overshoot.
pub(super) fn stabilisation_warnings(loaded: &Assembled, arguments: &Arguments, h: f64) -> Vec<Diagnostic> {
    let manifold = constraint_manifold(loaded, arguments);
    let mut warnings = Vec::new();
    for c in &loaded.mechanism.constraints {
        let Some(s) = &c.stabilisation else { continue };
        let alpha =
            manifold.with_environment(arguments.t, &arguments.q, &arguments.v, |env| s.alpha.eval(env));
        if alpha * h <= 1.0 {
            continue;
        }
        let text = format!(
            "the stabilisation of constraint `{}` is too fast for a fixed step of {} s: alpha * step = \
             {:.3} exceeds 1",
            c.name,
            Seconds(h),
            alpha * h
        );
        let help = format!(
            "without projection, an integrator with steps of this length overshoots and may not settle; use \
             `alpha` below {:.4} 1/s, a `time_constant` above {} s, or a shorter `--step`",
            1.0 / h,
            Seconds(h)
        );
        warnings.push(Diagnostic::warning("quick-stabilisation", text).help(help));
    }
    warnings
}
