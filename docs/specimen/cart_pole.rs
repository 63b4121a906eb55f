// A pole on a cart that a force pushes along a rail.
//
// dqdt: 15 multiplications, 7 additions, 1 sin/cos pair, 1 division, 2 other functions.
// mass_matrix: 1 multiplication, 1 cosine. energy: 8 multiplications, 3 additions, 1 cosine.

const _: () = ::dqdt::format::<5>();

::dqdt::variables! {
    coordinates {
        Q_X     = 0: "x",     "m",   0.0,                 "displacement of joint `rail`";
        Q_THETA = 1: "theta", "rad", 0.08726646259971647, "angle of joint `hinge`";
    }
    speeds {
        V_X_DOT     = 2: "x_dot",     "m/s",   0.0, "rate of x";
        V_THETA_DOT = 3: "theta_dot", "rad/s", 0.0, "rate of theta";
    }
    inputs {
        U_FORCE = 0: "force", "N", 0.0, "push on the cart, to the right";
    }
}

::dqdt::parameters! {
    /// Parameters of cart_pole.
    Params {
        g       = 9.81,  "m/s^2",     "acceleration of gravity";
        m_cart  = 1.0,   "kg",        "mass of the cart";
        m_pole  = 0.2,   "kg",        "mass of the pole";
        l       = 0.3,   "m",         "distance from the hinge to the pole's centre of mass";
        d_rail  = 0.1,   "N*s/m",     "viscous friction of the rail";
        d_hinge = 0.002, "N*m*s/rad", "viscous friction of the hinge";
        f_max   = 10.0,  "N",         "greatest force of the motor";
    }
}

::dqdt::model! {
    /// Model of cart_pole.
    Model {
        // mass of the cart and the pole
        M_x_x,
        // first moment of the pole about the hinge
        m_pole_l,
        // inertia of the pole about the hinge
        J_pole_zz,
        inv_J_pole_zz, neg_f_max,
    }
}

impl<T: ::dqdt::Real> Model<T> {
    /// Precomputes the values that depend only on parameters.
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
}

/// State derivative: writes ẋ = (q̇, v̇) to `dx`.
///
/// State and inputs are in the order of [`STATES`] and [`INPUTS`].
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

    // mass matrix; rows and columns: speeds
    let M_x_theta = model.m_pole_l * c_theta;

    // factors of M = LᵀDL
    let L_theta_x = model.inv_J_pole_zz * M_x_theta;
    let D_x = model.M_x_x - M_x_theta * L_theta_x;

    // right-hand side Q − c
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

::dqdt::results! {
    /// Energies.
    Energy {
        kinetic:   T = "kinetic energy, in `J`";
        potential: T = "potential energy of gravity, in `J`";
    }
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

::dqdt::methods! {
    Model compiled for f64 {
        dqdt(x[NX], u[NU]) -> dx[NX] or Singular;
        mass_matrix(x[NX]) -> m[NV][NV];
        energy(x[NX]) -> y: Energy;
    }
}
