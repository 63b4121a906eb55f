//! Names for components of vectors, tensors and inertias: quantity, body, axis (`v_link3_x`,
//! `J_link3_xy`).
//!
//! Names help readers of recorded graphs; for scalars without a graph they have no effect.

use super::{ArticulatedInertia, Inertia, Mat3, Scalar, Twist, Vec3, Wrench};

const AXES: [&str; 3] = ["x", "y", "z"];

impl<S: Scalar> Vec3<S> {
    /// Names the components `name_x`, `name_y`, `name_z` in a recorded graph.
    pub fn name_components(self, name: &dyn Fn() -> String) -> Self {
        Vec3([0, 1, 2].map(|i| self.0[i].suggest_name(&|| format!("{}_{}", name(), AXES[i]))))
    }
}

impl<S: Scalar> Mat3<S> {
    /// Names the entries `name_xx`, `name_xy`… in a recorded graph, row before column.
    pub fn name_entries(self, name: &dyn Fn() -> String) -> Self {
        self.name_entries_by(&|i, j| format!("{}_{}{}", name(), AXES[i], AXES[j]))
    }

    /// Names the entries of a symmetric matrix in a recorded graph: each pair has one name.
    pub fn name_symmetric_entries(self, name: &dyn Fn() -> String) -> Self {
        self.name_entries_by(&|i, j| format!("{}_{}{}", name(), AXES[i.min(j)], AXES[i.max(j)]))
    }

    /// Names each entry of the matrix by a function of row and column.
    fn name_entries_by(self, name: &dyn Fn(usize, usize) -> String) -> Self {
        Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| self.0[i][j].suggest_name(&|| name(i, j)))))
    }
}

impl<S: Scalar> Twist<S> {
    /// Names the parts `…v_subject` and `…w_subject`, with the prefix `kind`.
    pub fn name_parts(self, kind: &str, subject: &dyn Fn() -> String) -> Self {
        let part = |letter: &str| format!("{kind}{letter}_{}", subject());
        Twist { v: self.v.name_components(&|| part("v")), w: self.w.name_components(&|| part("w")) }
    }
}

impl<S: Scalar> Wrench<S> {
    /// Names force and moment `kind_f_subject` and `kind_m_subject`.
    pub fn name_parts(self, kind: &str, subject: &dyn Fn() -> String) -> Self {
        let part = |letter: &str| format!("{kind}_{letter}_{}", subject());
        Wrench { f: self.f.name_components(&|| part("f")), m: self.m.name_components(&|| part("m")) }
    }
}

impl<S: Scalar> ArticulatedInertia<S> {
    /// Names the blocks `kind_m_subject`, `kind_H_subject` and `kind_J_subject`: force per
    /// velocity, force per angular velocity, moment per angular velocity.
    pub fn name_blocks(self, kind: &str, subject: &dyn Fn() -> String) -> Self {
        let part = |letter: &str| format!("{kind}_{letter}_{}", subject());
        self.linear.name_symmetric_entries(&|| part("m"));
        self.coupling.name_entries(&|| part("H"));
        self.angular.name_symmetric_entries(&|| part("J"));
        self
    }
}

impl<S: Scalar> Inertia<S> {
    /// Names mass, first moment (mass times centre of mass) and inertia about the pole
    /// `…m_subject`, `…mc_subject` and `…J_subject`, with the prefix `kind`.
    pub fn name_parts(self, kind: &str, subject: &dyn Fn() -> String) -> Self {
        let part = |letter: &str| format!("{kind}{letter}_{}", subject());
        self.second.name_symmetric_entries(&|| part("J"));
        Inertia {
            mass: self.mass.suggest_name(&|| part("m")),
            first: self.first.name_components(&|| part("mc")),
            ..self
        }
    }
}
