// Sine and cosine, with the bits of the Rust runtime: the angle less a multiple of pi/2 (Cody and Waite), then the polynomials
// of fdlibm (Sun Microsystems 1993), then the quadrant. Error: 0.80 units in the last place. Beyond 100,000 rad: library
// function.
static void sin_cos(double angle, double *sine_of, double *cosine_of) {
    if (!(fabs(angle) <= 1e5)) {
        *sine_of = sin(angle);
        *cosine_of = cos(angle);
        return;
    }
    // The last two bits of the sum are the quadrant.
    const double shifted = angle * 0.6366197723675814 + 6755399441055744.0;
    const double multiple = shifted - 6755399441055744.0;
    const double x1 = angle - multiple * 1.5707963267341256;
    const double part2 = multiple * 6.077100506303966e-11;
    const double x2 = x1 - part2;
    const double y2 = (x1 - x2) - part2;
    const double part3 = multiple * 2.0222662487111665e-21;
    const double x = x2 - part3;
    const double y3 = y2 + ((x2 - x) - part3);
    const double y = y3 - multiple * 8.4784276603689e-32;

    const double z = x * x;
    double r = 1.58969099521155e-10;
    r = mul_add(r, z, -2.5050760253406863e-8);
    r = mul_add(r, z, 2.7557313707070068e-6);
    r = mul_add(r, z, -0.0001984126982985795);
    r = mul_add(r, z, 0.00833333333332249);
    const double v = z * x;
    const double s = x - ((z * (0.5 * y - v * r) - y) - v * -0.16666666666666632);
    r = -1.1359647557788195e-11;
    r = mul_add(r, z, 2.087572321298175e-9);
    r = mul_add(r, z, -2.7557314351390663e-7);
    r = mul_add(r, z, 2.480158728947673e-5);
    r = mul_add(r, z, -0.001388888888887411);
    r = mul_add(r, z, 0.0416666666666666);
    const double half = 0.5 * z;
    const double w = 1.0 - half;
    const double c = w + (((1.0 - w) - half) + (z * (z * r) - x * y));

    uint64_t quadrant, a, b;
    memcpy(&quadrant, &shifted, sizeof quadrant);
    memcpy(&a, &s, sizeof a);
    memcpy(&b, &c, sizeof b);
    const uint64_t swap = (quadrant & 1u) != 0 ? a ^ b : 0;
    a = (a ^ swap) ^ ((quadrant & 2u) << 62);
    b = (b ^ swap) ^ (((quadrant + 1u) & 2u) << 62);
    memcpy(sine_of, &a, sizeof a);
    memcpy(cosine_of, &b, sizeof b);
}
