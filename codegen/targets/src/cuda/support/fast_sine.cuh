#if defined(DQDT_FAST_SINE) && defined(__CUDA_ARCH__)
DQDT_FUNCTION void sin_cos(float angle, float *sine_of, float *cosine_of) {
    __sincosf(angle, sine_of, cosine_of);
}
#else
