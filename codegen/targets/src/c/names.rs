//! Names of an emitted C file: public names, fields, locals, constants.

use std::cell::RefCell;

use super::options::{COptions, CScalar, Dialect};
use dqdt_graph::ir::declaration::{Argument, Vector};
use dqdt_graph::ir::{FunctionOutput, Layout, NodeId, Program, Slot, SymbolKind, Taken};
use dqdt_graph::plan::Plan;
use dqdt_print::code::constants::Constants;
use dqdt_print::code::equal_part::{self, EqualPart};
use dqdt_print::code::result_arguments::result_argument_names;
use dqdt_print::code::{indices, leaves, tables};

/// Words that no C name may be: keywords of C and C++, and macros of compilers and of the included
/// headers.
const WORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t \
    char8_t class compl concept const const_cast consteval constexpr constinit continue decltype default \
    delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline \
    int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected \
    public register reinterpret_cast requires restrict return short signed sizeof static static_assert \
    static_cast struct switch template this thread_local throw true try typedef typeid typename typeof \
    typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq fortran far near \
    huge interrupt linux unix i386 arm sparc mips sun vax NULL NAN INFINITY HUGE_VAL HUGE_VALF HUGE_VALL \
    FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL FP_ILOGB0 FP_ILOGBNAN MATH_ERRNO MATH_ERREXCEPT \
    DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 \
    M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 MAXFLOAT I EOF errno";

/// Words that no name in CUDA may be, in addition: the scalar type, built-in types and variables,
/// templates and functions of the header, and locals of its printer.
const CUDA_WORDS: &str = "Real std cuda half dim3 uchar4 float2 float4 double2 double4 int2 int4 threadIdx blockIdx blockDim \
    gridDim warpSize nvcuda cooperative_groups __host__ __device__ __global__ Model Params Rows ResultRows Rollout \
    RolloutResults NoCost Rk4 SemiImplicitEuler finite again store load_rows store_rows project normalise model_init \
    make_model model_of_sample default_params start_state XRows URows DxRows RAND_MAX MB_CUR_MAX EXIT_SUCCESS EXIT_FAILURE \
    FP_INT_UPWARD FP_INT_DOWNWARD FP_INT_TOWARDZERO FP_INT_TONEAREST FP_INT_TONEARESTFROMZERO FP_LLOGB0 FP_LLOGBNAN SNAN SNANF \
    SNANL Energy Linearization DqdtDerivatives DqdtHessian strlen strdup strndup strcpy strcat strcmp strchr strrchr strstr \
    strtok strerror strspn strpbrk strcoll strxfrm sincos exp10 pow10 llrint llround lround nanf erff float_t double_t int8_t \
    bcopy bcmp bzero ffs basename fpclassify isgreater isless islessequal islessgreater isnormal isunordered";

/// Names that no local of emitted C may have: library functions that the file calls, and locals of
/// this printer. A local may hide other library functions without harm, but compilers warn about
/// some, so these are listed, too.
const LOCALS: &str = "sin cos tan asin acos atan sinh cosh tanh exp log fabs sqrt pow atan2 fma sinf cosf tanf asinf acosf \
    atanf sinhf coshf tanhf expf logf fabsf sqrtf powf atan2f fmaf isfinite isnan isinf signbit memset \
    memcpy memmove size_t uint32_t uint64_t abs abort exit main printf floor ceil round trunc gamma \
    lgamma tgamma j0 j1 jn y0 y1 yn erf erfc exp2 expm1 log1p log2 log10 logb hypot cbrt drem scalb \
    significand signgam fmin fmax fdim fmod modf remainder remquo rint lrint nearbyint nan ldexp frexp \
    ilogb copysign nextafter index rindex time clock signal labs div read write open close link pipe \
    wait select model t p params epsilon verdict divisors scales limited acted y casadi_int angles arg \
    res iw w mem i k f";

/// Names of headers of the standard library. A file with such a name on the include path would
/// replace the library's, so an emitted header gets another name.
const HEADERS: &str = "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdarg stdbool stddef \
    stdint stdio stdlib string strings tgmath time wchar wctype memory malloc alloca endian features";

impl Dialect {
    /// Words that no name may be in this language.
    fn reserved_words(self) -> impl Iterator<Item = &'static str> + Clone {
        let more = match self {
            Dialect::C99 => "",
            Dialect::Cuda => CUDA_WORDS,
        };
        WORDS.split(' ').chain(more.split_whitespace())
    }
}

/// Names of the constants and macros of the emitted C header, and of the headers that it and the
/// source include; no local may have them.
fn macro_names(layout: &Layout, upper: &str, prefix: &str) -> Vec<String> {
    let mut out = indices::index_constant_names(layout, prefix).concat();
    out.extend(
        ["NQ", "NV", "NZ", "NX", "NU", "NP", "NI", "NDRIVEN", "NPC", "NVC", "NE", "NMODEL"]
            .map(|n| format!("{prefix}{n}")),
    );
    out.extend(["DQDT_FMA", "DQDT_CASADI"].map(str::to_owned));
    out.push(format!("DQDT_{upper}_H"));
    for kind in ["", "_LEAST", "_FAST"] {
        for bits in [8, 16, 32, 64] {
            out.extend(
                ["INT*_MIN", "INT*_MAX", "UINT*_MAX"].map(|n| n.replace('*', &format!("{kind}{bits}"))),
            );
        }
    }
    for name in ["INTPTR", "INTMAX", "PTRDIFF", "SIG_ATOMIC", "WCHAR", "WINT", "SIZE", "UINTPTR", "UINTMAX"] {
        out.extend([format!("{name}_MIN"), format!("{name}_MAX")]);
    }
    out
}

/// Name of a lookup table in C. For a mechanism called `table` it is changed, since it would look
/// like an index constant.
pub fn table_name(upper: &str, name: &str) -> String {
    if upper == "TABLE" { name.replacen("TABLE_", "POINTS_", 1) } else { name.to_owned() }
}

/// All names of an emitted C file.
pub struct CNames {
    /// Name of the mechanism, with which all public names of the C file begin.
    pub prefix: String,
    /// `prefix` in upper case, with which constants and macros begin.
    pub upper: String,
    /// Names of the fields of the C struct of parameters, in the order of the parameters.
    pub parameters: Vec<String>,
    /// Symbols of the entries of arguments, each with its local C name.
    pub entries: Vec<(SymbolKind, String)>,
    /// Names of inner functions (blocks), and of the locals with their results.
    pub blocks: Vec<String>,
    /// Named numeric constants of the C file.
    pub constants: Constants,
    /// Names of the bodies of the mechanism, for headings in emitted functions.
    pub bodies: Vec<String>,
    /// Language of the file.
    pub dialect: Dialect,
    /// Scalar type of the C file, see [`COptions`].
    pub scalar: CScalar,
    /// True to use fused multiply-add, see [`COptions`].
    pub fused: bool,
    /// Numbers that overflow or underflow in the scalar type, collected while literals are printed.
    unrepresentable_numbers: RefCell<Vec<f64>>,
}

impl CNames {
    /// Chooses all names of an emitted C file, including those of the plan and of equal parts.
    pub fn new(
        program: &Program,
        plan: &mut Plan,
        equal: &mut [EqualPart],
        (dialect, options): (Dialect, &COptions),
    ) -> CNames {
        let l = &program.layout;
        let words: Vec<&str> = dialect.reserved_words().collect();
        let mut namesakes = match dialect {
            // The name of the emitted header must not be that of a library header.
            Dialect::C99 => Taken::new(HEADERS.split(' ')),
            // A namespace shares its names with functions and variables.
            Dialect::Cuda => Taken::new(words.iter().copied().chain(LOCALS.split(' '))),
        };
        let prefix = namesakes.make_unique(&program.name);
        let upper = prefix.to_uppercase();
        let before_constants = match dialect {
            Dialect::C99 => format!("{upper}_"),
            Dialect::Cuda => String::new(),
        };
        let macros = macro_names(l, &upper, &before_constants);
        let mut fields = Taken::new(words.iter().copied());
        let parameters: Vec<String> = l.p.iter().map(|s| fields.make_unique(&s.name)).collect();
        let declared: Vec<&str> = program
            .emitted()
            .flat_map(|(_, f)| {
                let d = f.declaration;
                d.arguments.iter().map(|a| a.name).chain(result_argument_names(d)).chain([d.name])
            })
            .collect();
        let tables = tables::used_table_arrays(program).into_iter().flat_map(|t| [t.knots_name, t.rows_name]);
        let tables: Vec<String> = tables.map(|name| table_name(&upper, &name)).collect();
        let parts: Vec<String> = equal.iter().flat_map(|part| equal_part_names(&part.name)).collect();
        let support = super::support::support_function_names();
        let reserved = (words.iter().copied().chain(LOCALS.split(' ')))
            .chain(declared.iter().copied())
            .chain(macros.iter().chain(&parts).chain(&tables).map(String::as_str))
            .chain(support.iter().copied())
            .chain([prefix.as_str()]);
        let mut taken = Taken::new(reserved);
        let blocks: Vec<String> = plan.blocks.iter().map(|b| taken.make_unique(&b.name)).collect();
        let mut entries: Vec<(SymbolKind, String)> = Vec::new();
        type SymbolFromIndex = fn(usize) -> SymbolKind;
        let all: [(&[Slot], SymbolFromIndex, &str, &str); 5] = [
            (&l.q, SymbolKind::Coordinate, "q", ""),
            (&l.v, SymbolKind::Speed, "v", ""),
            (&l.z, SymbolKind::State, "z", ""),
            (&l.u, SymbolKind::Input, "u", ""),
            (&l.v, SymbolKind::Acceleration, "a", "_dot"),
        ];
        let impulses: (&[Slot], SymbolFromIndex, &str, &str) = (&l.u, SymbolKind::Impulse, "i", "_impulse");
        let impulses = program.takes(Vector::Impulses).then_some(impulses);
        let efforts: (&[Slot], SymbolFromIndex, &str, &str) = (&l.v, SymbolKind::Effort, "f", "_effort");
        let efforts = program.takes(Vector::Efforts).then_some(efforts);
        let contacts: (&[Slot], SymbolFromIndex, &str, &str) = (&l.contacts, SymbolKind::Contact, "c", "_on");
        let contacts = program.takes(Vector::Contacts).then_some(contacts);
        let state = [&l.q[..], &l.v, &l.z].concat();
        let costates: (&[Slot], SymbolFromIndex, &str, &str) = (&state, SymbolKind::Costate, "l", "_costate");
        let costates = program.takes(Vector::Costates).then_some(costates);
        let arguments = [impulses, efforts, contacts, costates];
        for (slots, kind, letter, suffix) in all.into_iter().chain(arguments.into_iter().flatten()) {
            for (i, slot) in slots.iter().enumerate() {
                let name = format!("{}{suffix}", slot.name);
                let name = if taken.is_name_free(&name) { name } else { format!("{letter}_{name}") };
                entries.push((kind(i), taken.make_unique(&name)));
            }
        }
        let mut names = CNames {
            upper,
            prefix,
            parameters,
            entries,
            blocks,
            constants: Constants::default(),
            bodies: l.bodies.clone(),
            dialect,
            scalar: options.scalar,
            fused: options.fused,
            unrepresentable_numbers: RefCell::default(),
        };
        let part_of = names.name_values(program, plan, equal, &mut taken);
        let numbers = equal.iter().flat_map(|p| p.numbers.values().copied());
        names.constants = Constants::new(program, plan, numbers, &mut taken, part_of);
        names
    }

    /// Names the values of a plan and of its equal parts in emitted C.
    fn name_values(
        &self,
        program: &Program,
        plan: &mut Plan,
        equal: &mut [EqualPart],
        taken: &mut Taken,
    ) -> impl Fn(NodeId) -> Option<String> + use<> {
        let texts = leaves::leaf_texts(program, plan, &self.parameters, |kind| {
            self.entries.iter().find(|e| e.0 == kind).map(|e| e.1.clone())
        });
        equal_part::name_plan_values(&program.graph, plan, equal, taken, &|id| {
            texts.get(id.0 as usize).cloned().flatten()
        })
    }

    /// Names the values of the C function that checks parameters, which has a graph of its own.
    pub fn name_check_values(&self, check: &Program, plan: &mut Plan) {
        let support = super::support::support_function_names();
        let mut taken = Taken::new(WORDS.split(' ').chain(LOCALS.split(' ')).chain(support));
        let _ = self.name_values(check, plan, &mut [], &mut taken);
    }

    /// Field names of the struct for these outputs, without repetition and keywords.
    pub fn result_field_names(&self, outputs: &[FunctionOutput]) -> Vec<String> {
        let mut taken = Taken::new(self.dialect.reserved_words());
        outputs.iter().map(|o| taken.make_unique(&o.name)).collect()
    }

    /// Records a number that overflows or underflows in `float`, if that is a scalar type.
    pub fn record_unrepresentable(&self, x: f64, is_float: bool) {
        let single = x as f32;
        let lost = (single.is_infinite() && x.is_finite()) || (single == 0.0 && x != 0.0);
        let mut all = self.unrepresentable_numbers.borrow_mut();
        if is_float && lost && !all.iter().any(|b| b.to_bits() == x.to_bits()) {
            all.push(x);
        }
    }

    /// Numbers in literals so far that overflow or underflow in the scalar type.
    pub fn unrepresentable(&self) -> Vec<f64> {
        self.unrepresentable_numbers.borrow().clone()
    }
}

/// C names for an equal part: its function, and its arrays of shared inputs, inputs of lanes, and
/// outputs. For `DqdtPart`: `compute_dqdt_part`, `dqdt_part_shared`, `dqdt_part_in`,
/// `dqdt_part_out`.
pub fn equal_part_names(name: &str) -> [String; 4] {
    let stem = snake_case(name);
    [format!("compute_{stem}"), format!("{stem}_shared"), format!("{stem}_in"), format!("{stem}_out")]
}

/// Converts the CamelCase name of a type to snake case.
pub fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// Name of the argument array that has the entry of this symbol, and its index in it; `None` if no
/// argument has it.
pub fn find_argument_entry(
    arguments: &[Argument],
    program: &Program,
    kind: SymbolKind,
) -> Option<(&'static str, usize)> {
    arguments.iter().find_map(|a| {
        let at = a.vector.slots(&program.layout).iter().position(|(k, _)| *k == kind)?;
        Some((a.name, at))
    })
}
