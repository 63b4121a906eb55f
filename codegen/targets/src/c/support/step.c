int $P_rk4_step(const struct $P_model *model, REAL t, REAL h, REAL x[$U_NX], const REAL *u) {
    REAL k[4][$U_NX], at[$U_NX];
    const REAL half = 0.5@ * h;
    const REAL ahead[4] = {0.0@, half, half, h};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < $U_NX; i++) at[i] = s == 0 ? x[i] : mul_add(k[s - 1][i], ahead[s], x[i]);
        const int verdict = $P_dqdt(model, s == 0 ? t : t + ahead[s], at, u, k[s]);
        if (verdict != 0) return verdict;
    }
    const REAL sixth = h / 6.0@;
    for (int i = 0; i < $U_NX; i++) {
        const REAL middle = k[1][i] + k[2][i];
        x[i] += sixth * (k[0][i] + middle + middle + k[3][i]);
    }
//if turns
    static const int starts[$TURNS] = {$STARTS};
    for (int s = 0; s < $TURNS; s++) $P_normalise(x + starts[s]);
//end
    return 0;
}
