// Scales a quaternion to unit norm, first by its largest component, so that squares neither overflow nor vanish.
static void $P_normalise(REAL *q) {
    REAL size = 0.0@, scaled[4];
    for (int k = 0; k < 4; k++) size = larger(size, fabs@(q[k]));
    const int zero = size <= 0.0@;
    for (int k = 0; k < 4; k++) scaled[k] = q[k] / (zero ? 1.0@ : size);
    const REAL square = scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2] + scaled[3] * scaled[3];
    const REAL factor = 1.0@ / sqrt@(square);
    for (int k = 0; k < 4; k++) q[k] = zero ? (k == 0 ? 1.0@ : 0.0@) : scaled[k] * factor;
}
