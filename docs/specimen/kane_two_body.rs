// Two bodies: a spherical joint to the ground, a hinge between them. Axes: body axes.
//
// Pole: inboard joint. J, P, s: inertia, its products, first moment. h: angular momentum J w.
// acc: acceleration of the pole. f, mo: inertia force and moment. tree: both bodies together.

/// Acceleration of gravity, downwards, in `m/s^2`.
const G: f64 = 9.807;

const _: () = ::dqdt::format::<5>();

::dqdt::variables! {
    coordinates {
        Q_ALPHA1 = 0: "alpha1", "rad", ::core::f64::consts::FRAC_PI_4, "first angle of joint `O`";
        Q_ALPHA2 = 1: "alpha2", "rad", ::core::f64::consts::FRAC_PI_4, "second angle of joint `O`";
        Q_ALPHA3 = 2: "alpha3", "rad", ::core::f64::consts::FRAC_PI_4, "third angle of joint `O`";
        Q_ALPHA4 = 3: "alpha4", "rad", ::core::f64::consts::FRAC_PI_4, "angle of joint `A`";
    }
    speeds {
        V_OMEGA_X    = 4: "omega_x",    "rad/s", 0.0, "angular velocity about x of joint `O`";
        V_OMEGA_Y    = 5: "omega_y",    "rad/s", 0.0, "angular velocity about y of joint `O`";
        V_OMEGA_Z    = 6: "omega_z",    "rad/s", 0.0, "angular velocity about z of joint `O`";
        V_ALPHA4_DOT = 7: "alpha4_dot", "rad/s", 0.0, "rate of alpha4";
    }
}

::dqdt::parameters! {
    /// Parameters of kane_two_body.
    Params {
        m1    = 1.0,  "kg",     "mass of body 1";
        m2    = 1.0,  "kg",     "mass of body 2";
        J1_xx = 10.0, "kg*m^2", "principal inertias of body 1, about its centre of mass";
        J1_yy = 10.0, "kg*m^2", "J1_yy";
        J1_zz = 10.0, "kg*m^2", "J1_zz";
        J2_xx = 10.0, "kg*m^2", "principal inertias of body 2, about its centre of mass";
        J2_yy = 10.0, "kg*m^2", "J2_yy";
        J2_zz = 10.0, "kg*m^2", "J2_zz";
        c11_x = 0.0,  "m",      "spherical joint on body 1";
        c11_y = 0.0,  "m",      "c11_y";
        c11_z = 1.0,  "m",      "c11_z";
        c12_x = 0.0,  "m",      "hinge on body 1";
        c12_y = 0.0,  "m",      "c12_y";
        c12_z = -1.0, "m",      "c12_z";
        c22_x = 0.0,  "m",      "hinge on body 2";
        c22_y = 0.0,  "m",      "c22_y";
        c22_z = 1.0,  "m",      "c22_z";
    }
}

::dqdt::model! {
    /// Model of kane_two_body.
    Model with epsilon {
        m1_c11_x, m1_c11_z, J_rod1_xx, P_rod1_xy, P_rod1_xz, J_rod1_yy, P_rod1_yz, J_rod1_zz,
        arm_rod2_x, arm_rod2_y, arm_rod2_z, m2_c22_x, m2_c22_y, m2_c22_z, J_rod2_xx, P_rod2_xy,
        P_rod2_xz, J_rod2_yy, P_rod2_yz, J_rod2_zz, g_m2_c22_y, g_m2_c22_z, g_m2_c22_x, g_m1_c11_y,
        g_m1_c11_z, g_arm_rod2_z, g_m1_c11_x, g_arm_rod2_x, m2_arm_rod2_x, m2_arm_rod2_z, J_tree_xx,
        P_tree_xy, J_rod1_yy_plus_J_rod2_yy, P_tree_yz, J_tree_zz, inv_J_rod2_yy,
        m1_c11_y_plus_m2_c22_y,
    }
}

impl<T: ::dqdt::Real> Model<T> {
    /// Precomputes the values that depend only on parameters.
    pub fn new(params: Params<T>) -> Self {
        let p = &params;
        let g = T::from_f64(G);
        let arm_rod2_x = p.c12_x - p.c11_x;
        let m2_c22_x = p.m2 * p.c22_x;
        let c22_x_m2_c22_x = p.c22_x * m2_c22_x;
        let m2_c22_z = p.m2 * p.c22_z;
        let c22_z_m2_c22_z = p.c22_z * m2_c22_z;
        let J_rod2_yy = p.J2_yy + c22_z_m2_c22_z + c22_x_m2_c22_x;
        let m1_c11_x = p.m1 * p.c11_x;
        let P_rod1_xy = p.c11_y * m1_c11_x;
        let m1_c11_y = p.m1 * p.c11_y;
        let m1_c11_z = p.m1 * p.c11_z;
        let c11_x_m1_c11_x = p.c11_x * m1_c11_x;
        let c11_y_m1_c11_y = p.c11_y * m1_c11_y;
        let c11_z_m1_c11_z = p.c11_z * m1_c11_z;
        let J_rod1_xx = p.J1_xx + c11_z_m1_c11_z + c11_y_m1_c11_y;
        let J_rod1_yy = p.J1_yy + c11_z_m1_c11_z + c11_x_m1_c11_x;
        let P_rod1_yz = p.c11_z * m1_c11_y;
        let J_rod1_zz = p.J1_zz + c11_y_m1_c11_y + c11_x_m1_c11_x;
        let arm_rod2_y = p.c12_y - p.c11_y;
        let arm_rod2_z = p.c12_z - p.c11_z;
        let m2_c22_y = p.m2 * p.c22_y;
        let c22_y_m2_c22_y = p.c22_y * m2_c22_y;
        let mc_beyond_A_y = p.m2 * arm_rod2_y - m2_c22_y;
        let J_beyond_A_yy = arm_rod2_y * (mc_beyond_A_y - m2_c22_y);
        Model {
            params,
            epsilon: T::default_epsilon(),
            m1_c11_x,
            m1_c11_z,
            J_rod1_xx,
            P_rod1_xy,
            P_rod1_xz: p.c11_z * m1_c11_x,
            J_rod1_yy,
            P_rod1_yz,
            J_rod1_zz,
            arm_rod2_x,
            arm_rod2_y,
            arm_rod2_z,
            m2_c22_x,
            m2_c22_y,
            m2_c22_z,
            J_rod2_xx: p.J2_xx + c22_z_m2_c22_z + c22_y_m2_c22_y,
            P_rod2_xy: p.c22_y * m2_c22_x,
            P_rod2_xz: p.c22_z * m2_c22_x,
            J_rod2_yy,
            P_rod2_yz: p.c22_z * m2_c22_y,
            J_rod2_zz: p.J2_zz + c22_y_m2_c22_y + c22_x_m2_c22_x,
            g_m2_c22_y: g * m2_c22_y,
            g_m2_c22_z: g * m2_c22_z,
            g_m2_c22_x: g * m2_c22_x,
            g_m1_c11_y: g * m1_c11_y,
            g_m1_c11_z: g * m1_c11_z,
            g_arm_rod2_z: g * arm_rod2_z,
            g_m1_c11_x: g * m1_c11_x,
            g_arm_rod2_x: g * arm_rod2_x,
            m2_arm_rod2_x: p.m2 * arm_rod2_x,
            m2_arm_rod2_z: p.m2 * arm_rod2_z,
            J_tree_xx: J_rod1_xx + J_beyond_A_yy,
            P_tree_xy: P_rod1_xy + arm_rod2_x * mc_beyond_A_y,
            J_rod1_yy_plus_J_rod2_yy: J_rod1_yy + J_rod2_yy,
            P_tree_yz: arm_rod2_z * m2_c22_y - P_rod1_yz,
            J_tree_zz: J_rod1_zz + J_beyond_A_yy,
            inv_J_rod2_yy: T::ONE / J_rod2_yy,
            m1_c11_y_plus_m2_c22_y: m1_c11_y + m2_c22_y,
        }
    }
}

::dqdt::pivots! {
    PIVOTS of dqdt {
        "angles of O": "angles xyz are singular at alpha2 = ±90 deg: use another sequence of angles, or a quaternion";
    }
}

/// State derivative: writes ẋ = (q̇, v̇) to `dx`.
///
/// State and inputs are in the order of [`STATES`] and [`INPUTS`].
///
/// # Errors
/// Where the angles are singular, and where a result is not finite.
pub fn dqdt<T: ::dqdt::Real>(
    model: &Model<T>,
    _t: T,
    x: &[T; NX],
    _u: &[T; NU],
    dx: &mut [T; NX],
) -> Result<(), ::dqdt::Singular<T::Mask>> {
    let p = &model.params;
    let [alpha1, alpha2, alpha3, alpha4, omega_x, omega_y, omega_z, alpha4_dot] = *x;
    let g = T::from_f64(G);

    // rotations
    let (sines, cosines) = T::sin_cos_n([alpha1, alpha2, alpha3, alpha4]);
    let (s_alpha1, c_alpha1) = (sines[0], cosines[0]);
    let (s_alpha2, c_alpha2) = (sines[1], cosines[1]);
    let (s_alpha3, c_alpha3) = (sines[2], cosines[2]);
    let (s_alpha4, c_alpha4) = (sines[3], cosines[3]);

    // rod1: rotation from body axes to ground axes
    let r_rod1_zz = c_alpha1 * c_alpha2;
    let c_alpha1_s_alpha2 = c_alpha1 * s_alpha2;
    let r_rod1_zx = s_alpha1 * s_alpha3 - c_alpha3 * c_alpha1_s_alpha2;
    let r_rod1_zy = s_alpha3 * c_alpha1_s_alpha2 + s_alpha1 * c_alpha3;

    // rod2: rotation from body axes to ground axes
    let r_rod2_zx = r_rod1_zx * c_alpha4 - r_rod1_zz * s_alpha4;
    let r_rod2_zz = r_rod1_zx * s_alpha4 + r_rod1_zz * c_alpha4;

    // generalised forces Q
    let f_alpha4_dot = model.g_m2_c22_z * r_rod2_zx - model.g_m2_c22_x * r_rod2_zz;
    let m2_r_rod2_zx = p.m2 * r_rod2_zx;
    let m2_r_rod2_zz = p.m2 * r_rod2_zz;
    let weight_rod2_in_rod1_z = g * (s_alpha4 * m2_r_rod2_zx - c_alpha4 * m2_r_rod2_zz);
    let weight_moment_rod2_x = model.g_m2_c22_y * r_rod2_zz - model.g_m2_c22_z * r_rod1_zy;
    let weight_moment_rod2_z = model.g_m2_c22_x * r_rod1_zy - model.g_m2_c22_y * r_rod2_zx;
    let m2_r_rod1_zy = p.m2 * r_rod1_zy;
    let Q_omega_x = c_alpha4 * weight_moment_rod2_x
        + s_alpha4 * weight_moment_rod2_z
        + model.g_arm_rod2_z * m2_r_rod1_zy
        + model.g_m1_c11_y * r_rod1_zz
        + model.arm_rod2_y * weight_rod2_in_rod1_z
        - model.g_m1_c11_z * r_rod1_zy;
    let neg_weight_rod2_in_rod1_x = g * (c_alpha4 * m2_r_rod2_zx + s_alpha4 * m2_r_rod2_zz);
    let Q_omega_y = f_alpha4_dot + model.g_m1_c11_z * r_rod1_zx
        - model.g_m1_c11_x * r_rod1_zz
        - model.arm_rod2_z * neg_weight_rod2_in_rod1_x
        - model.arm_rod2_x * weight_rod2_in_rod1_z;
    let Q_omega_z = model.g_m1_c11_x * r_rod1_zy
        + model.arm_rod2_y * neg_weight_rod2_in_rod1_x
        + c_alpha4 * weight_moment_rod2_z
        - model.g_m1_c11_y * r_rod1_zx
        - model.g_arm_rod2_x * m2_r_rod1_zy
        - s_alpha4 * weight_moment_rod2_x;

    // mass matrix; rows and columns: speeds
    let mc_rod2_in_rod1_z = model.m2_c22_x * s_alpha4 - model.m2_c22_z * c_alpha4;
    let mc_beyond_A_z = mc_rod2_in_rod1_z + model.m2_arm_rod2_z;
    let arm_rod2_z_s_rod2_z = model.arm_rod2_z * mc_rod2_in_rod1_z;
    let J_arm_rod2_zz = arm_rod2_z_s_rod2_z + model.arm_rod2_z * mc_beyond_A_z;
    let P_rod2_xz_s_alpha4 = model.P_rod2_xz * s_alpha4;
    let J_rod2_in_rod1_xx_1 = model.J_rod2_xx * c_alpha4 - P_rod2_xz_s_alpha4;
    let P_rod2_xz_c_alpha4 = model.P_rod2_xz * c_alpha4;
    let J_rod2_in_rod1_xz_1 = model.J_rod2_zz * s_alpha4 - P_rod2_xz_c_alpha4;
    let M_omega_x_omega_x =
        J_arm_rod2_zz + model.J_tree_xx + s_alpha4 * J_rod2_in_rod1_xz_1 + c_alpha4 * J_rod2_in_rod1_xx_1;
    let neg_s_rod2_in_rod1_x = model.m2_c22_x * c_alpha4 + model.m2_c22_z * s_alpha4;
    let M_omega_x_omega_z = model.arm_rod2_z * neg_s_rod2_in_rod1_x - model.P_rod1_xz
        + c_alpha4 * J_rod2_in_rod1_xz_1
        - s_alpha4 * J_rod2_in_rod1_xx_1
        - model.arm_rod2_x * mc_beyond_A_z;
    let arm_rod2_x_s_rod2_x = model.arm_rod2_x * neg_s_rod2_in_rod1_x;
    let J_arm_rod2_xx = model.arm_rod2_x * (model.m2_arm_rod2_x - neg_s_rod2_in_rod1_x) - arm_rod2_x_s_rod2_x;
    let M_omega_y_omega_y = J_arm_rod2_zz + model.J_rod1_yy_plus_J_rod2_yy + J_arm_rod2_xx;
    let P_rod2_in_rod1_yz = model.P_rod2_xy * s_alpha4 - model.P_rod2_yz * c_alpha4;
    let M_omega_y_omega_z = P_rod2_in_rod1_yz + model.P_tree_yz - model.arm_rod2_y * mc_beyond_A_z;
    let M_omega_z_omega_z = J_arm_rod2_xx
        + model.J_tree_zz
        + c_alpha4 * (P_rod2_xz_s_alpha4 + model.J_rod2_zz * c_alpha4)
        + s_alpha4 * (P_rod2_xz_c_alpha4 + model.J_rod2_xx * s_alpha4);
    let arm_rod2_y_s_rod2_x = model.arm_rod2_y * neg_s_rod2_in_rod1_x;
    let P_rod2_in_rod1_xy = model.P_rod2_xy * c_alpha4 + model.P_rod2_yz * s_alpha4;
    let M_omega_x_alpha4 = arm_rod2_y_s_rod2_x - P_rod2_in_rod1_xy;
    let M_omega_y_alpha4 = model.J_rod2_yy + arm_rod2_z_s_rod2_z - arm_rod2_x_s_rod2_x;
    let M_omega_z_alpha4 = P_rod2_in_rod1_yz - model.arm_rod2_y * mc_rod2_in_rod1_z;

    // pivots of the factorisation M = LᵀDL
    let L_alpha4_omega_z = model.inv_J_rod2_yy * M_omega_z_alpha4;
    let L_alpha4_omega_y = model.inv_J_rod2_yy * M_omega_y_alpha4;
    let L_alpha4_omega_x = model.inv_J_rod2_yy * M_omega_x_alpha4;
    let D_omega_z = M_omega_z_omega_z - M_omega_z_alpha4 * L_alpha4_omega_z;
    let inv_D_omega_z = T::ONE / D_omega_z;
    let reduced_M_omega_y_omega_z = M_omega_y_omega_z - M_omega_y_alpha4 * L_alpha4_omega_z;
    let L_omega_z_omega_y = reduced_M_omega_y_omega_z * inv_D_omega_z;
    let reduced_M_omega_x_omega_z = M_omega_x_omega_z - M_omega_x_alpha4 * L_alpha4_omega_z;
    let L_omega_z_omega_x = reduced_M_omega_x_omega_z * inv_D_omega_z;
    let D_omega_y = M_omega_y_omega_y
        - M_omega_y_alpha4 * L_alpha4_omega_y
        - reduced_M_omega_y_omega_z * L_omega_z_omega_y;
    let inv_D_omega_y = T::ONE / D_omega_y;
    let neg_reduced_M_omega_x_omega_y = P_rod2_in_rod1_xy
        + model.P_tree_xy
        + reduced_M_omega_x_omega_z * L_omega_z_omega_y
        + M_omega_x_alpha4 * L_alpha4_omega_y
        - arm_rod2_y_s_rod2_x;
    let neg_L_omega_y_omega_x = neg_reduced_M_omega_x_omega_y * inv_D_omega_y;
    let D_omega_x = M_omega_x_omega_x
        - M_omega_x_alpha4 * L_alpha4_omega_x
        - reduced_M_omega_x_omega_z * L_omega_z_omega_x
        - neg_reduced_M_omega_x_omega_y * neg_L_omega_y_omega_x;

    // rod2: velocity of the joint origin [m/s]
    let v_rod2_y = model.arm_rod2_x * omega_z - model.arm_rod2_z * omega_x;
    let v_rod2_in_rod1_x = model.arm_rod2_z * omega_y - model.arm_rod2_y * omega_z;
    let v_rod2_in_rod1_z = model.arm_rod2_y * omega_x - model.arm_rod2_x * omega_y;
    let v_rod2_x = c_alpha4 * v_rod2_in_rod1_x - s_alpha4 * v_rod2_in_rod1_z;
    let v_rod2_z = s_alpha4 * v_rod2_in_rod1_x + c_alpha4 * v_rod2_in_rod1_z;

    // rod2: angular velocity [rad/s]
    let w_rod2_x = omega_x * c_alpha4 - omega_z * s_alpha4;
    let w_rod2_z = omega_x * s_alpha4 + omega_z * c_alpha4;
    let w_rod2_y = omega_y + alpha4_dot;

    // rod2: acceleration of the joint origin at v̇ = 0 [m/s²]
    let bv_rod2_z = alpha4_dot * v_rod2_x;

    // rod2: angular acceleration at v̇ = 0 [rad/s²]
    let bw_rod2_z = alpha4_dot * w_rod2_x;

    // velocity-dependent inertia terms c
    let acc_rod2_z = bv_rod2_z + v_rod2_y * w_rod2_x - v_rod2_x * w_rod2_y;
    let bw_rod2_x = alpha4_dot * w_rod2_z;
    let acc_rod2_x = omega_y * v_rod2_z - v_rod2_y * w_rod2_z;
    let h_rod2_x = model.J_rod2_xx * w_rod2_x - model.P_rod2_xy * w_rod2_y - model.P_rod2_xz * w_rod2_z;
    let h_rod2_z = model.J_rod2_zz * w_rod2_z - model.P_rod2_xz * w_rod2_x - model.P_rod2_yz * w_rod2_y;
    let c_alpha4_dot =
        w_rod2_z * h_rod2_x - w_rod2_x * h_rod2_z + model.P_rod2_xy * bw_rod2_x + model.m2_c22_x * acc_rod2_z
            - model.m2_c22_z * acc_rod2_x
            - model.P_rod2_yz * bw_rod2_z;
    let w_cross_s_rod2_x = model.m2_c22_y * w_rod2_z - model.m2_c22_z * w_rod2_y;
    let w_cross_s_rod2_y = model.m2_c22_z * w_rod2_x - model.m2_c22_x * w_rod2_z;
    let f_rod2_z = w_rod2_x * w_cross_s_rod2_y - w_rod2_y * w_cross_s_rod2_x
        + p.m2 * acc_rod2_z
        + model.m2_c22_y * bw_rod2_x;
    let w_cross_s_rod2_z = model.m2_c22_x * w_rod2_y - model.m2_c22_y * w_rod2_x;
    let f_rod2_x = w_rod2_y * w_cross_s_rod2_z - w_rod2_z * w_cross_s_rod2_y
        + p.m2 * acc_rod2_x
        + model.m2_c22_y * bw_rod2_z;
    let f_rod2_in_rod1_z = c_alpha4 * f_rod2_z - s_alpha4 * f_rod2_x;
    let acc_rod2_y = v_rod2_x * w_rod2_z - v_rod2_z * w_rod2_x;
    let h_rod2_y = model.J_rod2_yy * w_rod2_y - model.P_rod2_xy * w_rod2_x - model.P_rod2_yz * w_rod2_z;
    let mo_rod2_x = w_rod2_y * h_rod2_z - w_rod2_z * h_rod2_y + model.m2_c22_z * acc_rod2_y
        - model.m2_c22_y * acc_rod2_z
        - model.J_rod2_xx * bw_rod2_x
        - model.P_rod2_xz * bw_rod2_z;
    let f_rod2_y = w_rod2_z * w_cross_s_rod2_x - w_rod2_x * w_cross_s_rod2_z + p.m2 * acc_rod2_y
        - model.m2_c22_x * bw_rod2_z
        - model.m2_c22_z * bw_rod2_x;
    let mo_rod2_z = w_rod2_x * h_rod2_y - w_rod2_y * h_rod2_x
        + model.J_rod2_zz * bw_rod2_z
        + model.m2_c22_y * acc_rod2_x
        + model.P_rod2_xz * bw_rod2_x
        - model.m2_c22_x * acc_rod2_y;
    let h_rod1_y = model.J_rod1_yy * omega_y - model.P_rod1_xy * omega_x - model.P_rod1_yz * omega_z;
    let h_rod1_z = model.J_rod1_zz * omega_z - model.P_rod1_xz * omega_x - model.P_rod1_yz * omega_y;
    let coriolis_omega_x = omega_y * h_rod1_z - omega_z * h_rod1_y
        + (c_alpha4 * mo_rod2_x + s_alpha4 * mo_rod2_z)
        + model.arm_rod2_y * f_rod2_in_rod1_z
        - model.arm_rod2_z * f_rod2_y;
    let f_rod2_in_rod1_x = c_alpha4 * f_rod2_x + s_alpha4 * f_rod2_z;
    let h_rod1_x = model.J_rod1_xx * omega_x - model.P_rod1_xy * omega_y - model.P_rod1_xz * omega_z;
    let coriolis_omega_y =
        omega_z * h_rod1_x - omega_x * h_rod1_z + model.arm_rod2_z * f_rod2_in_rod1_x + c_alpha4_dot
            - model.arm_rod2_x * f_rod2_in_rod1_z;
    let coriolis_omega_z =
        omega_x * h_rod1_y - omega_y * h_rod1_x + c_alpha4 * mo_rod2_z + model.arm_rod2_x * f_rod2_y
            - model.arm_rod2_y * f_rod2_in_rod1_x
            - s_alpha4 * mo_rod2_x;

    // right-hand side Q − c
    let rhs_omega_x = Q_omega_x - coriolis_omega_x;
    let rhs_omega_y = Q_omega_y - coriolis_omega_y;
    let rhs_omega_z = Q_omega_z - coriolis_omega_z;
    let r_alpha4_dot = f_alpha4_dot - c_alpha4_dot;

    // accelerations
    let reduced_rhs_omega_z = rhs_omega_z - r_alpha4_dot * L_alpha4_omega_z;
    let reduced_rhs_omega_y =
        rhs_omega_y - r_alpha4_dot * L_alpha4_omega_y - L_omega_z_omega_y * reduced_rhs_omega_z;
    let reduced_rhs_omega_x = rhs_omega_x + neg_L_omega_y_omega_x * reduced_rhs_omega_y
        - r_alpha4_dot * L_alpha4_omega_x
        - L_omega_z_omega_x * reduced_rhs_omega_z;
    let acc_omega_x = T::ONE / D_omega_x * reduced_rhs_omega_x;
    let acc_omega_y = inv_D_omega_y * reduced_rhs_omega_y + neg_L_omega_y_omega_x * acc_omega_x;
    let acc_omega_z = inv_D_omega_z * reduced_rhs_omega_z
        - L_omega_z_omega_y * acc_omega_y
        - L_omega_z_omega_x * acc_omega_x;
    let a_alpha4_dot = model.inv_J_rod2_yy * r_alpha4_dot
        - L_alpha4_omega_z * acc_omega_z
        - L_alpha4_omega_y * acc_omega_y
        - L_alpha4_omega_x * acc_omega_x;

    // state derivative
    let inv_c_alpha2 = T::ONE / c_alpha2;
    let omega_x_c_alpha3 = omega_x * c_alpha3;
    let omega_y_s_alpha3 = omega_y * s_alpha3;

    // check that the equations can be solved here
    let verdict = ::dqdt::check_denominators([c_alpha2], model.epsilon);

    *dx = [
        inv_c_alpha2 * (omega_x_c_alpha3 - omega_y_s_alpha3),
        omega_x * s_alpha3 + omega_y * c_alpha3,
        omega_z + (omega_y_s_alpha3 - omega_x_c_alpha3) * (s_alpha2 * inv_c_alpha2),
        alpha4_dot,
        acc_omega_x,
        acc_omega_y,
        acc_omega_z,
        a_alpha4_dot,
    ];
    verdict.finish(&PIVOTS, dx)
}

/// Mass matrix M(q), symmetric.
pub fn mass_matrix<T: ::dqdt::Real>(model: &Model<T>, _t: T, x: &[T; NX], m: &mut [[T; NV]; NV]) {
    let alpha4 = x[Q_ALPHA4];

    // rotations
    let (s_alpha4, c_alpha4) = alpha4.sin_cos();

    // mass matrix; rows and columns: speeds
    let mc_rod2_in_rod1_z = model.m2_c22_x * s_alpha4 - model.m2_c22_z * c_alpha4;
    let mc_beyond_A_z = mc_rod2_in_rod1_z + model.m2_arm_rod2_z;
    let arm_rod2_z_s_rod2_z = model.arm_rod2_z * mc_rod2_in_rod1_z;
    let J_arm_rod2_zz = arm_rod2_z_s_rod2_z + model.arm_rod2_z * mc_beyond_A_z;
    let P_rod2_xz_s_alpha4 = model.P_rod2_xz * s_alpha4;
    let J_rod2_in_rod1_xx_1 = model.J_rod2_xx * c_alpha4 - P_rod2_xz_s_alpha4;
    let P_rod2_xz_c_alpha4 = model.P_rod2_xz * c_alpha4;
    let J_rod2_in_rod1_xz_1 = model.J_rod2_zz * s_alpha4 - P_rod2_xz_c_alpha4;
    let M_omega_x_omega_x =
        J_arm_rod2_zz + model.J_tree_xx + s_alpha4 * J_rod2_in_rod1_xz_1 + c_alpha4 * J_rod2_in_rod1_xx_1;
    let neg_s_rod2_in_rod1_x = model.m2_c22_x * c_alpha4 + model.m2_c22_z * s_alpha4;
    let arm_rod2_y_s_rod2_x = model.arm_rod2_y * neg_s_rod2_in_rod1_x;
    let P_rod2_in_rod1_xy = model.P_rod2_xy * c_alpha4 + model.P_rod2_yz * s_alpha4;
    let M_omega_x_omega_y = arm_rod2_y_s_rod2_x - (P_rod2_in_rod1_xy + model.P_tree_xy);
    let M_omega_x_omega_z = model.arm_rod2_z * neg_s_rod2_in_rod1_x - model.P_rod1_xz
        + c_alpha4 * J_rod2_in_rod1_xz_1
        - s_alpha4 * J_rod2_in_rod1_xx_1
        - model.arm_rod2_x * mc_beyond_A_z;
    let arm_rod2_x_s_rod2_x = model.arm_rod2_x * neg_s_rod2_in_rod1_x;
    let J_arm_rod2_xx = model.arm_rod2_x * (model.m2_arm_rod2_x - neg_s_rod2_in_rod1_x) - arm_rod2_x_s_rod2_x;
    let M_omega_y_omega_y = J_arm_rod2_zz + model.J_rod1_yy_plus_J_rod2_yy + J_arm_rod2_xx;
    let P_rod2_in_rod1_yz = model.P_rod2_xy * s_alpha4 - model.P_rod2_yz * c_alpha4;
    let M_omega_y_omega_z = P_rod2_in_rod1_yz + model.P_tree_yz - model.arm_rod2_y * mc_beyond_A_z;
    let M_omega_z_omega_z = J_arm_rod2_xx
        + model.J_tree_zz
        + c_alpha4 * (P_rod2_xz_s_alpha4 + model.J_rod2_zz * c_alpha4)
        + s_alpha4 * (P_rod2_xz_c_alpha4 + model.J_rod2_xx * s_alpha4);
    let M_omega_x_alpha4 = arm_rod2_y_s_rod2_x - P_rod2_in_rod1_xy;
    let M_omega_y_alpha4 = model.J_rod2_yy + arm_rod2_z_s_rod2_z - arm_rod2_x_s_rod2_x;
    let M_omega_z_alpha4 = P_rod2_in_rod1_yz - model.arm_rod2_y * mc_rod2_in_rod1_z;

    *m = [
        [M_omega_x_omega_x, M_omega_x_omega_y, M_omega_x_omega_z, M_omega_x_alpha4],
        [M_omega_x_omega_y, M_omega_y_omega_y, M_omega_y_omega_z, M_omega_y_alpha4],
        [M_omega_x_omega_z, M_omega_y_omega_z, M_omega_z_omega_z, M_omega_z_alpha4],
        [M_omega_x_alpha4, M_omega_y_alpha4, M_omega_z_alpha4, model.J_rod2_yy],
    ];
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
    let [alpha1, alpha2, alpha3, alpha4, omega_x, omega_y, omega_z, alpha4_dot] = *x;
    let g = T::from_f64(G);

    // rotations
    let (sines, cosines) = T::sin_cos_n([alpha1, alpha2, alpha3, alpha4]);
    let (s_alpha1, c_alpha1) = (sines[0], cosines[0]);
    let (s_alpha2, c_alpha2) = (sines[1], cosines[1]);
    let (s_alpha3, c_alpha3) = (sines[2], cosines[2]);
    let (s_alpha4, c_alpha4) = (sines[3], cosines[3]);

    // rod1: rotation from body axes to ground axes
    let r_rod1_zz = c_alpha1 * c_alpha2;
    let c_alpha1_s_alpha2 = c_alpha1 * s_alpha2;
    let r_rod1_zx = s_alpha1 * s_alpha3 - c_alpha3 * c_alpha1_s_alpha2;
    let r_rod1_zy = s_alpha3 * c_alpha1_s_alpha2 + s_alpha1 * c_alpha3;

    // rod2: rotation from body axes to ground axes
    let r_rod2_zx = r_rod1_zx * c_alpha4 - r_rod1_zz * s_alpha4;
    let r_rod2_zz = r_rod1_zx * s_alpha4 + r_rod1_zz * c_alpha4;

    // rod2: position of the joint origin [m]
    let p_rod2_z = model.arm_rod2_x * r_rod1_zx + model.arm_rod2_y * r_rod1_zy + model.arm_rod2_z * r_rod1_zz;

    // rod2: velocity of the joint origin [m/s]
    let v_rod2_y = model.arm_rod2_x * omega_z - model.arm_rod2_z * omega_x;
    let v_rod2_in_rod1_x = model.arm_rod2_z * omega_y - model.arm_rod2_y * omega_z;
    let v_rod2_in_rod1_z = model.arm_rod2_y * omega_x - model.arm_rod2_x * omega_y;
    let v_rod2_x = c_alpha4 * v_rod2_in_rod1_x - s_alpha4 * v_rod2_in_rod1_z;
    let v_rod2_z = s_alpha4 * v_rod2_in_rod1_x + c_alpha4 * v_rod2_in_rod1_z;

    // rod2: angular velocity [rad/s]
    let w_rod2_x = omega_x * c_alpha4 - omega_z * s_alpha4;
    let w_rod2_z = omega_x * s_alpha4 + omega_z * c_alpha4;
    let w_rod2_y = omega_y + alpha4_dot;

    // potential energy of gravity and springs
    let mass_height = p.m2 * p_rod2_z
        - model.m2_c22_x * r_rod2_zx
        - model.m1_c11_y_plus_m2_c22_y * r_rod1_zy
        - model.m2_c22_z * r_rod2_zz
        - model.m1_c11_z * r_rod1_zz
        - model.m1_c11_x * r_rod1_zx;

    // kinetic energy
    let h_rod1_x = model.J_rod1_xx * omega_x - model.P_rod1_xy * omega_y - model.P_rod1_xz * omega_z;
    let h_rod1_y = model.J_rod1_yy * omega_y - model.P_rod1_xy * omega_x - model.P_rod1_yz * omega_z;
    let h_rod1_z = model.J_rod1_zz * omega_z - model.P_rod1_xz * omega_x - model.P_rod1_yz * omega_y;
    let momentum_rod2_x = model.m2_c22_y * w_rod2_z - model.m2_c22_z * w_rod2_y + p.m2 * v_rod2_x;
    let momentum_rod2_y = model.m2_c22_z * w_rod2_x - model.m2_c22_x * w_rod2_z + p.m2 * v_rod2_y;
    let momentum_rod2_z = model.m2_c22_x * w_rod2_y - model.m2_c22_y * w_rod2_x + p.m2 * v_rod2_z;
    let h_rod2_x = model.J_rod2_xx * w_rod2_x - model.P_rod2_xy * w_rod2_y - model.P_rod2_xz * w_rod2_z
        + model.m2_c22_z * v_rod2_y
        - model.m2_c22_y * v_rod2_z;
    let h_rod2_y = model.J_rod2_yy * w_rod2_y - model.P_rod2_xy * w_rod2_x - model.P_rod2_yz * w_rod2_z
        + model.m2_c22_x * v_rod2_z
        - model.m2_c22_z * v_rod2_x;
    let h_rod2_z = model.J_rod2_zz * w_rod2_z - model.P_rod2_xz * w_rod2_x - model.P_rod2_yz * w_rod2_y
        + model.m2_c22_y * v_rod2_x
        - model.m2_c22_x * v_rod2_y;
    let twice_kinetic = w_rod2_y * h_rod2_y
        + w_rod2_z * h_rod2_z
        + w_rod2_x * h_rod2_x
        + v_rod2_z * momentum_rod2_z
        + v_rod2_x * momentum_rod2_x
        + v_rod2_y * momentum_rod2_y
        + omega_x * h_rod1_x
        + omega_y * h_rod1_y
        + omega_z * h_rod1_z;
    y.kinetic = T::from_f64(0.5) * twice_kinetic;
    y.potential = g * mass_height;
}

::dqdt::methods! {
    Model compiled for f64 {
        dqdt(x[NX], u[NU]) -> dx[NX] or Singular;
        mass_matrix(x[NX]) -> m[NV][NV];
        energy(x[NX]) -> y: Energy;
    }
}
