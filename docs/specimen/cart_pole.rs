// A pole on a cart that a force pushes along a rail.
//
// dqdt: 15 multiplications, 7 additions, 1 sin/cos pair, 1 division, 2 other functions.
// mass_matrix: 1 multiplication, 1 cosine. energy: 8 multiplications, 3 additions, 1 cosine.

/// Number of coordinates q.
pub const NQ: usize = 2;
/// Number of speeds v.
pub const NV: usize = 2;
/// Number of inputs u.
pub const NU: usize = 1;
/// Length of the state x = (q, v).
pub const NX: usize = 4;

/// Parameters of cart_pole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params<T = f64> {
    /// acceleration of gravity, in `m/s^2`; 9.81 by default.
    pub g: T,
    /// mass of the cart, in `kg`; 1 by default.
    pub m_cart: T,
    /// mass of the pole, in `kg`; 0.2 by default.
    pub m_pole: T,
    /// distance from the hinge to the pole's centre of mass, in `m`; 0.3 by default.
    pub l: T,
    /// viscous friction of the rail, in `N*s/m`; 0.1 by default.
    pub d_rail: T,
    /// viscous friction of the hinge, in `N*m*s/rad`; 0.002 by default.
    pub d_hinge: T,
    /// greatest force of the motor, in `N`; 10 by default.
    pub f_max: T,
}

impl<T: ::dqdt::Real> Default for Params<T> {
    fn default() -> Self {
        Params {
            g: T::from_f64(9.81),
            m_cart: T::ONE,
            m_pole: T::from_f64(0.2),
            l: T::from_f64(0.3),
            d_rail: T::from_f64(0.1),
            d_hinge: T::from_f64(0.002),
            f_max: T::from_f64(10.0),
        }
    }
}

/// Model of cart_pole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model<T = f64> {
    params: Params<T>,
    /// mass of the cart and the pole
    M_x_x: T,
    /// first moment of the pole about the hinge
    m_pole_l: T,
    /// inertia of the pole about the hinge
    J_pole_zz: T,
    inv_J_pole_zz: T,
    neg_f_max: T,
}

impl<T: ::dqdt::Real> Model<T> {
    /// Computes once what depends on parameters only.
    pub fn new(params: Params<T>) -> Self {
        let p = &params;
        let m_pole_l = p.m_pole * p.l;
        let J_pole_zz = T::from_f64(4.0 / 3.0) * (p.l * m_pole_l);
        Model {
            params,
            M_x_x: p.m_cart + p.m_pole,
            m_pole_l,
            J_pole_zz,
            inv_J_pole_zz: T::ONE / J_pole_zz,
            neg_f_max: -p.f_max,
        }
    }

    /// The parameters; a model with others is made by [`Model::new`].
    pub fn params(&self) -> &Params<T> {
        &self.params
    }
}

impl Model<f64> {
    /// Writes ẋ = (q̇, v̇) to `dx`; see [`dqdt`].
    ///
    /// # Errors
    /// Where a result is not finite.
    pub fn dqdt(
        &self,
        t: f64,
        x: &[f64; NX],
        u: &[f64; NU],
        dx: &mut [f64; NX],
    ) -> Result<(), ::dqdt::Singular> {
        dqdt(self, t, x, u, dx)
    }

    /// Writes the mass matrix to `m`; see [`mass_matrix`].
    pub fn mass_matrix(&self, t: f64, x: &[f64; NX], m: &mut [[f64; NV]; NV]) {
        mass_matrix(self, t, x, m);
    }

    /// Writes the energies to `y`; see [`energy`].
    pub fn energy(&self, t: f64, x: &[f64; NX], y: &mut Energy) {
        energy(self, t, x, y);
    }
}

/// State derivative: writes ẋ = (q̇, v̇) to `dx`.
///
/// | x      | name        | meaning                          | unit    |
/// |--------|-------------|----------------------------------|---------|
/// | `x[0]` | `x`         | displacement of the cart         | `m`     |
/// | `x[1]` | `theta`     | angle of the pole from upright   | `rad`   |
/// | `x[2]` | `x_dot`     | rate of x                        | `m/s`   |
/// | `x[3]` | `theta_dot` | rate of theta                    | `rad/s` |
///
/// | u      | name    | meaning                        | unit |
/// |--------|---------|--------------------------------|------|
/// | `u[0]` | `force` | push on the cart, to the right | `N`  |
///
/// # Errors
/// Where a result is not finite.
pub fn dqdt<T: ::dqdt::Real>(
    model: &Model<T>,
    _t: T,
    x: &[T; NX],
    u: &[T; NU],
    dx: &mut [T; NX],
) -> Result<(), ::dqdt::Singular<T::Mask>> {
    let p = &model.params;
    let [_, theta, x_dot, theta_dot] = *x;
    let [force] = *u;
    let (s_theta, c_theta) = theta.sin_cos();

    // mass matrix, by speeds
    let M_x_theta = model.m_pole_l * c_theta;

    // factors of M = LᵀDL
    let L_theta_x = model.inv_J_pole_zz * M_x_theta;
    let D_x = model.M_x_x - M_x_theta * L_theta_x;

    // right side Q − c
    let force_limited = force.max(model.neg_f_max).min(p.f_max);
    let rhs_x = force_limited - p.d_rail * x_dot + s_theta * (theta_dot * (model.m_pole_l * theta_dot));
    let rhs_theta = model.m_pole_l * (p.g * s_theta) - p.d_hinge * theta_dot;

    // accelerations
    let acc_x = (rhs_x - L_theta_x * rhs_theta) / D_x;
    let acc_theta = model.inv_J_pole_zz * rhs_theta - L_theta_x * acc_x;

    *dx = [x_dot, theta_dot, acc_x, acc_theta];
    ::dqdt::Verdict::regular().finish(&[], dx)
}

/// Mass matrix M(q), symmetric.
pub fn mass_matrix<T: ::dqdt::Real>(model: &Model<T>, _t: T, x: &[T; NX], m: &mut [[T; NV]; NV]) {
    let [_, theta, ..] = *x;
    let M_x_theta = model.m_pole_l * theta.cos();
    *m = [[model.M_x_x, M_x_theta], [M_x_theta, model.J_pole_zz]];
}

/// Energies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy<T = f64> {
    /// kinetic energy, in `J`.
    pub kinetic: T,
    /// potential energy of gravity, in `J`.
    pub potential: T,
}

/// Kinetic and potential energy.
pub fn energy<T: ::dqdt::Real>(model: &Model<T>, _t: T, x: &[T; NX], y: &mut Energy<T>) {
    let [_, theta, x_dot, theta_dot] = *x;
    let M_x_theta = model.m_pole_l * theta.cos();

    // momenta M v, by speeds
    let momentum_x_dot = model.M_x_x * x_dot + M_x_theta * theta_dot;
    let momentum_theta_dot = M_x_theta * x_dot + model.J_pole_zz * theta_dot;

    y.kinetic = T::from_f64(0.5) * (x_dot * momentum_x_dot + theta_dot * momentum_theta_dot);
    y.potential = model.params.g * M_x_theta;
}
