//! Counterparts of Rust's runtime: static C functions that are emitted before those of the
//! mechanism, as far as they are used.
//!
//! Each has the same sequence of operations as in the crate `dqdt`, whose documentation describes
//! it: `sin_cos` with its sources and range, selections that propagate NaN, tables, checks of
//! pivots.

use super::names::CNames;
use super::options::{CScalar, Dialect};

/// Support function of emitted C: its name, the functions that it calls, and its text. `REAL` is
/// replaced by the scalar type, `@` by the suffix of literals and library functions.
struct SupportFunction {
    name: &'static str,
    needs: &'static [&'static str],
    text: &'static str,
}

const SINE_DOUBLE: &str = include_str!("support/sin_cos_double.c");
const SINE_FLOAT: &str = include_str!("support/sin_cos_float.c");

/// The fast sine and cosine of a device in CUDA, as an option; the end of the condition follows.
const FAST_SINE: &str = include_str!("../cuda/support/fast_sine.cuh");

/// All support functions of emitted C, each after those that it calls.
const SUPPORT_FUNCTIONS: &[SupportFunction] = &[
    SupportFunction { name: "mul_add", needs: &[], text: include_str!("support/mul_add.c") },
    SupportFunction { name: "opposite", needs: &["mul_add"], text: include_str!("support/opposite.c") },
    SupportFunction { name: "sin_cos", needs: &["mul_add"], text: SINE_DOUBLE },
    SupportFunction {
        name: "sine",
        needs: &["sin_cos"],
        text: "static inline REAL sine(REAL angle) {\n    REAL s, c;\n    sin_cos(angle, &s, &c);\n    return s;\n}\n",
    },
    SupportFunction {
        name: "cosine",
        needs: &["sin_cos"],
        text: "static inline REAL cosine(REAL angle) {\n    REAL s, c;\n    sin_cos(angle, &s, &c);\n    return c;\n}\n",
    },
    SupportFunction {
        name: "sign_of",
        needs: &[],
        text: "static inline REAL sign_of(REAL x) { return x > 0.0@ ? 1.0@ : x < 0.0@ ? -1.0@ : x; }\n",
    },
    SupportFunction {
        name: "raised",
        needs: &[],
        text: "// NaN in either argument gives NaN, even where the library gives 1.\n\
               static inline REAL raised(REAL x, REAL exponent) {\n    \
               return isnan(x) || isnan(exponent) ? x + exponent : pow@(x, exponent);\n}\n",
    },
    SupportFunction {
        name: "direction",
        needs: &[],
        text: "// The sign of a zero is ignored.\n\
               static inline REAL direction(REAL y, REAL x) { return atan2@(y + 0.0@, x + 0.0@); }\n",
    },
    SupportFunction {
        name: "smaller",
        needs: &[],
        text: "static inline REAL smaller(REAL a, REAL b) { return isnan(a) || a < b ? a : b; }\n",
    },
    SupportFunction {
        name: "larger",
        needs: &[],
        text: "static inline REAL larger(REAL a, REAL b) { return isnan(a) || a > b ? a : b; }\n",
    },
    SupportFunction {
        name: "if_less",
        needs: &[],
        text: "// A comparison with NaN gives NaN.\n\
               static inline REAL if_less(REAL a, REAL b, REAL yes, REAL no) {\n    \
               return isnan(a) || isnan(b) ? a + b : a < b ? yes : no;\n}\n",
    },
    SupportFunction {
        name: "if_at_most",
        needs: &[],
        text: "// A comparison with NaN gives NaN.\n\
               static inline REAL if_at_most(REAL a, REAL b, REAL yes, REAL no) {\n    \
               return isnan(a) || isnan(b) ? a + b : a <= b ? yes : no;\n}\n",
    },
    SupportFunction {
        name: "if_equal",
        needs: &[],
        text: "// A comparison with NaN gives NaN; numbers are equal if neither is less than the other.\n\
               static inline REAL if_equal(REAL a, REAL b, REAL yes, REAL no) {\n    \
               return isnan(a) || isnan(b) ? a + b : a >= b && a <= b ? yes : no;\n}\n",
    },
    SupportFunction { name: "table", needs: &[], text: include_str!("support/table.c") },
    SupportFunction { name: "vanishing", needs: &[], text: include_str!("support/vanishing.c") },
    SupportFunction { name: "check_divisor", needs: &[], text: include_str!("support/check_divisor.c") },
    SupportFunction {
        name: "all_finite",
        needs: &[],
        text: "static int all_finite(const REAL *values, size_t n) {\n    for (size_t k = 0; k < n; k++) {\n        \
               if (!isfinite(values[k])) return 0;\n    }\n    return 1;\n}\n",
    },
];

/// Names of all support functions of emitted C.
pub fn support_function_names() -> Vec<&'static str> {
    SUPPORT_FUNCTIONS.iter().map(|p| p.name).collect()
}

/// Returns `true` if C code calls the function of this name.
fn calls_function(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + name.len()..];
        after.starts_with('(') && !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Texts of the support functions that C code calls, directly or indirectly, for its scalar type.
pub fn used_functions(names: &CNames, text: &str) -> Vec<String> {
    let mut needed: Vec<&str> =
        SUPPORT_FUNCTIONS.iter().map(|p| p.name).filter(|name| calls_function(text, name)).collect();
    for piece in SUPPORT_FUNCTIONS.iter().rev() {
        if needed.contains(&piece.name) {
            needed.extend(piece.needs);
        }
    }
    (SUPPORT_FUNCTIONS.iter().filter(|p| needed.contains(&p.name)))
        .map(|p| match (p.name, names.dialect, names.scalar) {
            ("sin_cos", Dialect::Cuda, _) => {
                let [double, float] = [SINE_DOUBLE, SINE_FLOAT].map(cuda_function);
                format!("{double}\n{FAST_SINE}{float}#endif\n")
            }
            ("sin_cos", Dialect::C99, CScalar::Float) => SINE_FLOAT.to_owned(),
            (_, Dialect::Cuda, _) => cuda_function(p.text),
            _ => p.text.replace("REAL", names.scalar_type()).replace('@', names.scalar_suffix()),
        })
        .collect()
}

/// Text of a support function in CUDA: a template of `Real` where it mentions the scalar type, for
/// the host and the device.
pub fn cuda_function(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let is_head = !line.starts_with([' ', '/', '#', '}']) && line.contains('(');
        if is_head {
            let line = line.strip_prefix("static ").unwrap_or(line);
            let line = line.strip_prefix("inline ").unwrap_or(line);
            // Sines and cosines are overloaded, not templates.
            if !line.starts_with("void sin_cos(") {
                out.push_str("template <class Real>\n");
            }
            out.push_str("DQDT_FUNCTION ");
            push_cuda_line(line, &mut out);
        } else {
            push_cuda_line(line, &mut out);
        }
    }
    out
}

/// Appends a line of a support function in CUDA: literals have the scalar type, integers have the
/// types that NVRTC knows without headers.
fn push_cuda_line(line: &str, out: &mut String) {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('@') {
        let digits = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        // The digit of `atan2@` belongs to a name.
        let is_literal = digits < before.len()
            && !before[..digits].ends_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let start = if is_literal { digits } else { before.len() };
        let (text, literal) = before.split_at(start);
        out.push_str(text);
        if is_literal {
            out.push_str(&format!("REAL({literal})"));
        }
        rest = after;
    }
    out.push_str(rest);
    out.push('\n');
    let replacements = [
        ("REAL", "Real"),
        ("defined(__GNUC__)", "defined(__GNUC__) && !defined(__CUDA_ARCH__)"),
        ("uint64_t", "unsigned long long"),
        ("uint32_t", "unsigned"),
        ("size_t", "int"),
    ];
    *out = replacements.iter().fold(std::mem::take(out), |text, (from, to)| text.replace(from, to));
}

/// Text of the support functions that C code calls, directly or indirectly, after `#include` lines
/// and compiler directives.
pub fn used_functions_text(names: &CNames, text: &str) -> String {
    let pieces = used_functions(names, text);
    let mut out = String::new();
    let all = pieces.concat() + text;
    let headers = [
        (
            "math.h",
            &[
                "isfinite(",
                "isnan(",
                "sqrt",
                "fabs",
                "NAN",
                "INFINITY",
                "exp",
                "log",
                "tan",
                "pow",
                "cosh",
                "sinh",
                "asin",
                "acos",
                "fma",
            ][..],
        ),
        ("stddef.h", &["size_t", "NULL"]),
        ("stdint.h", &["uint64_t", "uint32_t"]),
        ("string.h", &["memset(", "memcpy("]),
    ];
    for (header, words) in headers {
        if words.iter().any(|w| all.contains(w)) {
            out.push_str(&format!("#include <{header}>\n"));
        }
    }
    let parts = [out, include_str!("support/compiler.c").to_owned()].into_iter().chain(pieces);
    parts.filter(|p| !p.is_empty()).collect::<Vec<_>>().join("\n")
}
