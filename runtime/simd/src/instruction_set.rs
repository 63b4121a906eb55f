//! Which instructions there are.

use core::fmt;

/// Vector instructions that this processor was found to have: there is no value of one that it lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InstructionSet(pub(crate) Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Set {
    #[cfg(not(target_arch = "x86_64"))]
    Portable,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl InstructionSet {
    /// The widest that there is. The processor is asked once.
    #[inline]
    pub fn widest() -> Self {
        Self::avx512().or_else(Self::avx2).unwrap_or(Self::NARROWEST)
    }

    /// All that there are, the widest last.
    pub fn all() -> impl Iterator<Item = Self> {
        [Some(Self::NARROWEST), Self::avx2(), Self::avx512()].into_iter().flatten()
    }

    /// What needs no question: SSE2 on x86-64, 128 bits. Elsewhere the registers of the compilation target.
    pub const NARROWEST: Self = {
        #[cfg(target_arch = "x86_64")]
        {
            Self(Set::Sse2)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            Self(Set::Portable)
        }
    };

    /// 256 bits, with fused multiply-add.
    #[inline]
    pub fn avx2() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            let found = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            found.then_some(Self(Set::Avx2))
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            None
        }
    }

    /// 512 bits, with fused multiply-add: the parts F and DQ.
    #[inline]
    pub fn avx512() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            let found = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
            found.then_some(Self(Set::Avx512))
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            None
        }
    }

    /// Whether it rounds `mul_add` once.
    pub fn fuses(self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 => true,
            _ => cfg!(any(target_feature = "fma", target_arch = "aarch64")),
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            #[cfg(not(target_arch = "x86_64"))]
            Set::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Sse2 => "SSE2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "AVX-512",
        })
    }
}
