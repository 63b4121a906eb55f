//! Detection of vector instructions.

use core::fmt;

/// A vector instruction set that this processor has, for batches. No value exists of a set that the
/// processor lacks.
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
    /// The widest vector instruction set of this processor. Detection runs once.
    #[inline]
    pub fn widest() -> Self {
        Self::avx512().or_else(Self::avx2).unwrap_or(Self::NARROWEST)
    }

    /// All vector instruction sets of this processor, the widest last.
    pub fn all() -> impl Iterator<Item = Self> {
        [Some(Self::NARROWEST), Self::avx2(), Self::avx512()].into_iter().flatten()
    }

    /// The instruction set that needs no detection: SSE2 on x86-64 (128 bits), elsewhere the
    /// registers of the compilation target.
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

    /// The instruction set AVX2 with fused multiply-add (256 bits), if the processor has both.
    #[inline]
    pub fn avx2() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            let is_available = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            is_available.then_some(Self(Set::Avx2))
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            None
        }
    }

    /// The instruction set AVX-512 with the parts F and DQ (512 bits), if the processor has it.
    #[inline]
    pub fn avx512() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            let is_available = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
            is_available.then_some(Self(Set::Avx512))
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            None
        }
    }

    /// Returns `true` if `mul_add` is rounded once with this instruction set.
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
