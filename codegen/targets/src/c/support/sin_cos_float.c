// Sine and cosine, with the bits of the Rust runtime: the angle less a multiple of pi/2 (Cody and Waite), then the polynomials
// of Cephes (Moshier 1984), then the quadrant. Error: 0.80 units in the last place. Beyond 6,000 rad: library function.
static void sin_cos(float angle, float *sine_of, float *cosine_of) {
    if (!(fabsf(angle) <= 6e3f)) {
        *sine_of = sinf(angle);
        *cosine_of = cosf(angle);
        return;
    }
    // The last two bits of the sum are the quadrant.
    const float shifted = angle * 0.63661975f + 12582912.0f;
    const float multiple = shifted - 12582912.0f;
    const float x1 = angle - multiple * 1.5703125f;
    const float part2 = multiple * 4.837513e-4f;
    const float x2 = x1 - part2;
    const float y2 = (x1 - x2) - part2;
    const float part3 = multiple * 7.5495336e-8f;
    const float x3 = x2 - part3;
    const float y3 = y2 + ((x2 - x3) - part3);
    const float part4 = multiple * 2.563283e-12f;
    const float x = x3 - part4;
    const float y4 = y3 + ((x3 - x) - part4);
    const float y = y4 - multiple * 6.123234e-17f;

    const float z = x * x;
    float r = -1.9515296e-4f;
    r = mul_add(r, z, 8.332161e-3f);
    const float v = z * x;
    const float s = x - ((z * (0.5f * y - v * r) - y) - v * -1.6666655e-1f);
    r = 2.4433157e-5f;
    r = mul_add(r, z, -1.3887316e-3f);
    r = mul_add(r, z, 4.1666646e-2f);
    const float half = 0.5f * z;
    const float w = 1.0f - half;
    const float c = w + (((1.0f - w) - half) + (z * (z * r) - x * y));

    uint32_t quadrant, a, b;
    memcpy(&quadrant, &shifted, sizeof quadrant);
    memcpy(&a, &s, sizeof a);
    memcpy(&b, &c, sizeof b);
    const uint32_t swap = (quadrant & 1u) != 0 ? a ^ b : 0;
    a = (a ^ swap) ^ ((quadrant & 2u) << 30);
    b = (b ^ swap) ^ (((quadrant + 1u) & 2u) << 30);
    memcpy(sine_of, &a, sizeof a);
    memcpy(cosine_of, &b, sizeof b);
}
