// A ski on a slope with one slender link, held by the edge: x_dot sin phi0 - y_dot cos phi0 = 0.
//
// mass_matrix: 8 multiplications, 3 sin/cos pairs.

const _: () = ::dqdt::format::<5>();

::dqdt::variables! {
    coordinates {
        Q_X    = 0: "x",    "m",   0.0, "displacement along the first axis of joint `slope`";
        Q_Y    = 1: "y",    "m",   0.0, "displacement along the second axis of joint `slope`";
        Q_PHI0 = 2: "phi0", "rad", 0.3, "angle of joint `slope`";
        Q_PHI1 = 3: "phi1", "rad", 0.5, "azimuth of joint `joint1`";
        Q_PSI1 = 4: "psi1", "rad", 1.0, "elevation of joint `joint1`";
    }
    speeds {
        V_X_DOT    = 5: "x_dot",    "m/s",   3.0,                "rate of x";
        V_Y_DOT    = 6: "y_dot",    "m/s",   0.9280087488288697, "rate of y";
        V_PHI0_DOT = 7: "phi0_dot", "rad/s", 0.0,                "rate of phi0";
        V_PHI1_DOT = 8: "phi1_dot", "rad/s", 0.0,                "rate of phi1";
        V_PSI1_DOT = 9: "psi1_dot", "rad/s", 0.0,                "rate of psi1";
    }
    inputs {
        U_M0     = 0: "M0",     "N*m", 0.0, "steering moment on the ski";
        U_M_PHI1 = 1: "M_phi1", "N*m", 0.0, "moment that turns link 1 about the vertical";
        U_M_PSI1 = 2: "M_psi1", "N*m", 0.0, "moment that raises link 1";
    }
    velocity_rows {
        "edge", "m/s";
    }
}

::dqdt::parameters! {
    /// Parameters of snowboarder1.
    Params {
        g1 = 2.9,  "m/s^2",  "gravity down the slope";
        g2 = 9.37, "m/s^2",  "gravity into the slope";
        m0 = 4.0,  "kg",     "mass of the ski";
        I0 = 0.35, "kg*m^2", "inertia of the ski about its vertical axis";
        m1 = 20.0, "kg",     "mass of link 1";
        l1 = 0.6,  "m",      "length of link 1";
        n1 = 0.5,  "1",      "centre of mass of link 1, as a part of its length";
        I1 = 0.6,  "kg*m^2", "inertia of link 1 about its centre of mass, across";
    }
}

::dqdt::model! {
    /// Model of snowboarder1.
    Model with epsilon {
        // mass of the ski and the link
        m0_plus_m1,
        // first moment of the link about its end on the ski
        mc_link1_x,
        // inertia of the link about its end on the ski, across
        J_link1_yy,
        inv_J_link1_yy, inv_I0,
    }
}

impl<T: ::dqdt::Real> Model<T> {
    /// Precomputes the values that depend only on parameters.
    pub fn new(params: Params<T>) -> Self {
        let p = &params;
        let l1_n1 = p.l1 * p.n1;
        let mc_link1_x = p.m1 * l1_n1;
        let J_link1_yy = p.I1 + l1_n1 * mc_link1_x;
        Model {
            params,
            epsilon: T::default_epsilon(),
            m0_plus_m1: p.m0 + p.m1,
            mc_link1_x,
            J_link1_yy,
            inv_J_link1_yy: T::ONE / J_link1_yy,
            inv_I0: T::ONE / p.I0,
        }
    }
}

::dqdt::pivots! {
    PIVOTS of dqdt {
        "pivot of phi1_dot": "azimuth and elevation of joint1 are singular where the direction points along z: use other axes, or a quaternion";
        "mass along the edge": "ski and link weigh nothing along the edge";
    }
}

/// State derivative: writes ẋ = (q̇, v̇) to `dx`, for M v̇ + c = Q + Aᵀ λ with A v̇ = γ.
///
/// State and inputs are in the order of [`STATES`] and [`INPUTS`].
///
/// # Errors
/// Where the link stands upright, and where a result is not finite.
pub fn dqdt<T: ::dqdt::Real>(
    model: &Model<T>,
    _t: T,
    x: &[T; NX],
    u: &[T; NU],
    dx: &mut [T; NX],
) -> Result<(), ::dqdt::Singular<T::Mask>> {
    let p = &model.params;
    let [_, _, phi0, phi1, psi1, x_dot, y_dot, phi0_dot, phi1_dot, psi1_dot] = *x;
    let [M0, M_phi1, M_psi1] = *u;
    let ([s_phi0, s_phi1, s_psi1], [c_phi0, c_phi1, c_psi1]) = T::sin_cos_n([phi0, phi1, psi1]);

    // mass matrix; rows and columns: speeds
    let mc_link1_c_psi1 = model.mc_link1_x * c_psi1;
    let mc_link1_s_psi1 = model.mc_link1_x * s_psi1;
    let M_x_phi1 = -(s_phi1 * mc_link1_c_psi1);
    let M_y_phi1 = c_phi1 * mc_link1_c_psi1;
    let M_x_psi1 = -(c_phi1 * mc_link1_s_psi1);
    let M_y_psi1 = -(s_phi1 * mc_link1_s_psi1);
    let M_phi1_phi1 = model.J_link1_yy * (c_psi1 * c_psi1);

    // right-hand side Q − c
    let w_squared = phi1_dot * phi1_dot + psi1_dot * psi1_dot;
    let w_product = T::from_f64(2.0) * (phi1_dot * psi1_dot);
    let rhs_x = model.m0_plus_m1 * p.g1 + w_squared * (c_phi1 * mc_link1_c_psi1)
        - w_product * (s_phi1 * mc_link1_s_psi1);
    let rhs_y = w_squared * (s_phi1 * mc_link1_c_psi1) + w_product * (c_phi1 * mc_link1_s_psi1);
    let r_phi1_dot = M_phi1 + M_x_phi1 * p.g1 + model.J_link1_yy * (w_product * (c_psi1 * s_psi1));
    let r_psi1_dot = M_psi1 + M_x_psi1 * p.g1
        - p.g2 * mc_link1_c_psi1
        - model.J_link1_yy * ((phi1_dot * phi1_dot) * (c_psi1 * s_psi1));

    // eliminate the link: equations that remain for x and y
    let inv_M_phi1_phi1 = T::ONE / M_phi1_phi1;
    let L_phi1_x = M_x_phi1 * inv_M_phi1_phi1;
    let L_phi1_y = M_y_phi1 * inv_M_phi1_phi1;
    let L_psi1_x = model.inv_J_link1_yy * M_x_psi1;
    let L_psi1_y = model.inv_J_link1_yy * M_y_psi1;
    let reduced_M_x_x = model.m0_plus_m1 - M_x_phi1 * L_phi1_x - M_x_psi1 * L_psi1_x;
    let reduced_M_x_y = -(M_x_phi1 * L_phi1_y + M_x_psi1 * L_psi1_y);
    let reduced_M_y_y = model.m0_plus_m1 - M_y_phi1 * L_phi1_y - M_y_psi1 * L_psi1_y;
    let reduced_rhs_x = rhs_x - L_phi1_x * r_phi1_dot - L_psi1_x * r_psi1_dot;
    let reduced_rhs_y = rhs_y - L_phi1_y * r_phi1_dot - L_psi1_y * r_psi1_dot;

    // equations of motion along the edge (c_phi0, s_phi0), constraint across it (s_phi0, -c_phi0)
    let gamma_edge = -(phi0_dot * (x_dot * c_phi0 + y_dot * s_phi0));
    let mass_along_x = reduced_M_x_x * c_phi0 + reduced_M_x_y * s_phi0;
    let mass_along_y = reduced_M_x_y * c_phi0 + reduced_M_y_y * s_phi0;
    let mass_along_edge = c_phi0 * mass_along_x + s_phi0 * mass_along_y;
    let force_along_edge = c_phi0 * reduced_rhs_x + s_phi0 * reduced_rhs_y
        - gamma_edge * (s_phi0 * mass_along_x - c_phi0 * mass_along_y);
    let acc_along_edge = force_along_edge / mass_along_edge;

    // accelerations
    let acc_x = c_phi0 * acc_along_edge + s_phi0 * gamma_edge;
    let acc_y = s_phi0 * acc_along_edge - c_phi0 * gamma_edge;
    let a_phi0_dot = model.inv_I0 * M0;
    let a_phi1_dot = inv_M_phi1_phi1 * r_phi1_dot - L_phi1_x * acc_x - L_phi1_y * acc_y;
    let a_psi1_dot = model.inv_J_link1_yy * r_psi1_dot - L_psi1_x * acc_x - L_psi1_y * acc_y;

    let verdict = ::dqdt::check_pivots(
        [M_phi1_phi1, mass_along_edge],
        [model.J_link1_yy, model.m0_plus_m1],
        model.epsilon,
    );
    *dx = [x_dot, y_dot, phi0_dot, phi1_dot, psi1_dot, acc_x, acc_y, a_phi0_dot, a_phi1_dot, a_psi1_dot];
    verdict.finish(&PIVOTS, dx)
}

/// Mass matrix M(q), symmetric.
pub fn mass_matrix<T: ::dqdt::Real>(model: &Model<T>, _t: T, x: &[T; NX], m: &mut [[T; NV]; NV]) {
    let [_, _, _, phi1, psi1, ..] = *x;
    let ([s_phi1, s_psi1], [c_phi1, c_psi1]) = T::sin_cos_n([phi1, psi1]);

    let mc_link1_c_psi1 = model.mc_link1_x * c_psi1;
    let mc_link1_s_psi1 = model.mc_link1_x * s_psi1;
    let M_x_phi1 = -(s_phi1 * mc_link1_c_psi1);
    let M_y_phi1 = c_phi1 * mc_link1_c_psi1;
    let M_x_psi1 = -(c_phi1 * mc_link1_s_psi1);
    let M_y_psi1 = -(s_phi1 * mc_link1_s_psi1);

    *m = [[T::ZERO; NV]; NV];
    m[0][0] = model.m0_plus_m1;
    m[1][1] = model.m0_plus_m1;
    m[2][2] = model.params.I0;
    m[3][3] = model.J_link1_yy * (c_psi1 * c_psi1);
    m[4][4] = model.J_link1_yy;
    [m[0][3], m[3][0]] = [M_x_phi1; 2];
    [m[1][3], m[3][1]] = [M_y_phi1; 2];
    [m[0][4], m[4][0]] = [M_x_psi1; 2];
    [m[1][4], m[4][1]] = [M_y_psi1; 2];
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
    let p = &model.params;
    let [x_, _, _, phi1, psi1, x_dot, y_dot, phi0_dot, phi1_dot, psi1_dot] = *x;
    let ([s_phi1, s_psi1], [c_phi1, c_psi1]) = T::sin_cos_n([phi1, psi1]);

    // link1: rotation to the ground, and the rate of its axis
    let r_link1_xx = c_phi1 * c_psi1;
    let r_link1_yx = s_phi1 * c_psi1;
    let rate_r_link1_xx = -(phi1_dot * r_link1_yx + psi1_dot * (c_phi1 * s_psi1));
    let rate_r_link1_yx = phi1_dot * r_link1_xx - psi1_dot * (s_phi1 * s_psi1);

    // twice the kinetic energy: the ski's point carries all mass, the link turns about it
    let kinetic_translation = model.m0_plus_m1 * (x_dot * x_dot + y_dot * y_dot);
    let kinetic_coupling = model.mc_link1_x * (x_dot * rate_r_link1_xx + y_dot * rate_r_link1_yx);
    let w_link1_z = phi1_dot * c_psi1;
    let kinetic_rotation =
        p.I0 * (phi0_dot * phi0_dot) + model.J_link1_yy * (w_link1_z * w_link1_z + psi1_dot * psi1_dot);

    y.kinetic = T::from_f64(0.5) * (kinetic_translation + kinetic_rotation) + kinetic_coupling;
    y.potential =
        p.g2 * (model.mc_link1_x * s_psi1) - p.g1 * (model.m0_plus_m1 * x_ + model.mc_link1_x * r_link1_xx);
}

::dqdt::methods! {
    Model compiled for f64 {
        dqdt(x[NX], u[NU]) -> dx[NX] or Singular;
        mass_matrix(x[NX]) -> m[NV][NV];
        energy(x[NX]) -> y: Energy;
    }
}
