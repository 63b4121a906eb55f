#if defined(__CUDACC__)
#ifndef DQDT_FUNCTION
#define DQDT_FUNCTION __host__ __device__ __forceinline__
#endif
#define DQDT_KERNEL extern "C" __global__
#define DQDT_UNROLL _Pragma("unroll")
#define DQDT_ROLLED _Pragma("unroll 1")
// One thread for each state k of n.
#define DQDT_EACH(k, n) \
    const int k = blockIdx.x * blockDim.x + threadIdx.x; \
    if (k < n)
#else
#ifndef DQDT_FUNCTION
#define DQDT_FUNCTION inline
#endif
#define DQDT_KERNEL extern "C" inline
#define DQDT_UNROLL
#define DQDT_ROLLED
#define DQDT_EACH(k, n) for (int k = 0; k < n; k++)
#endif
#if !defined(__CUDACC_RTC__)
#include <math.h>
#include <string.h>
#elif !defined(NAN)
#define NAN __int_as_float(0x7fffffff)
#define INFINITY __int_as_float(0x7f800000)
#endif
#if defined(__CUDA_ARCH__) && !defined(DQDT_FMA)
#define DQDT_FMA 1
#endif
