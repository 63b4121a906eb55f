//! Two mechanisms on bare metal: no `std`, no allocation.
#![no_std]
#![deny(warnings, missing_docs, unused)]

/// A mechanism included in an existing module.
pub mod pendulum {
    dqdt::include_mechanism!("pendulum");
}

dqdt::include_mechanism! {
    /// A mechanism included as a named module.
    pub mod slider = "slider"
}

/// One step of the pendulum. Returns false at a singular pose.
pub fn step(x: &mut [f32; pendulum::NX], torque: f32) -> bool {
    let model = pendulum::Model::<f32>::default();
    dqdt::rk4_step(&model, 0.0, 0.001, x, &[torque]).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_step_moves_the_state() {
        let mut x = super::pendulum::START.map(|x| x as f32);
        assert!(super::step(&mut x, 0.5) && x[1] != 0.0);
    }
}
