//! Tables that translate the words in names of emitted code to mathematics.
//!
//! A name has marks, a quantity, a body or speed, and an axis: `tree_J_link6_xz` is J⁺₆xz, the
//! inertia of link 6 with all bodies outboard of it. The meanings are those of
//! [`legend`](dqdt_print::code::legend), worded for a page.

/// A quantity of mechanics: its word in emitted names, its letter in a terminal and in LaTeX, and
/// its meaning in the legend of a page.
pub struct WordStem {
    pub word: &'static str,
    pub text: &'static str,
    pub latex: &'static str,
    /// Marks that the word of the quantity itself implies.
    pub marks: &'static str,
    pub meaning: &'static str,
}

const fn word_stem(
    word: &'static str,
    text: &'static str,
    latex: &'static str,
    marks: &'static str,
    meaning: &'static str,
) -> WordStem {
    WordStem { word, text, latex, marks, meaning }
}

/// Words before a quantity in emitted names, each with its superscript in a terminal and in LaTeX,
/// and its meaning.
pub const MARKS: [(&str, &str, &str, &str); 18] = [
    ("tree", "⁺", "+", "of a body together with all outboard bodies"),
    (
        "base",
        "ᵇ",
        "b",
        "base inertial parameters: inertia that the joint cannot distinguish from that of the parent is \
         moved to the parent",
    ),
    ("art", "ᴬ", "A", "articulated: outboard bodies are free to move in their joints"),
    ("left", "ˡ", "l", "after elimination of the joint: as transmitted to the parent"),
    ("still", "⁰", "0", "at v̇ = 0"),
    ("felt", "ᵍ", "g", "including gravity, represented as an acceleration of the ground"),
    ("inertial", "ⁱ", "i", "due to the motion of the body itself"),
    ("needed", "ⁿ", "n", "that the joint must supply"),
    ("column", "ᵘ", "u", "due to a unit acceleration of one speed"),
    ("turned", "ᵗ", "t", "matrix rotated to axes of the parent on one side only"),
    ("carried", "ᶜ", "c", "motion propagated from the parent"),
    ("reduced", "ʳ", "r", "after steps of elimination"),
    ("group", "ᴳ", "G", "for a group of joints that are eliminated together"),
    ("scaled", "ˢ", "s", "divided by the pivot of its speed"),
    ("own", "ᵒ", "o", "contribution of the joint alone"),
    ("relative", "ᵖ", "p", "relative to the parent"),
    ("ground", "ᴱ", "E", "expressed in ground axes"),
    ("load", "ᴸ", "L", "due to loads"),
];

/// Quantities of mechanics by their words in emitted names. The longest word that matches applies.
pub const STEMS: [WordStem; 38] = [
    word_stem("p", "p", "p", "", "position of the origin of a joint"),
    word_stem("v", "v", "v", "", "velocity of the origin of a joint"),
    word_stem("w", "ω", r"\omega", "", "angular velocity"),
    word_stem("bv", "a", "a", "⁰", "acceleration of the origin of a joint"),
    word_stem("bw", "α", r"\alpha", "⁰", "angular acceleration"),
    word_stem("dv", "a", "a", "", "acceleration of the origin of a joint"),
    word_stem("dw", "α", r"\alpha", "", "angular acceleration"),
    word_stem("rate_v", "a", "a", "*", "acceleration of the origin of a joint"),
    word_stem("rate_w", "α", r"\alpha", "*", "angular acceleration"),
    word_stem("pv", "V", "V", "", "partial velocity of the origin of a joint with respect to a speed"),
    word_stem("pw", "W", "W", "", "partial angular velocity with respect to a speed"),
    word_stem("turning", "Ω", r"\Omega", "", "ω̃ω̃"),
    word_stem(
        "bturning",
        "U",
        "U",
        "⁰",
        "ω̃ω̃ plus the rate of ω̃; maps the arm of a point to its relative acceleration",
    ),
    word_stem(
        "dturning",
        "U",
        "U",
        "",
        "ω̃ω̃ plus the rate of ω̃; maps the arm of a point to its relative acceleration",
    ),
    word_stem(
        "rate_turning",
        "U",
        "U",
        "*",
        "ω̃ω̃ plus the rate of ω̃; maps the arm of a point to its relative acceleration",
    ),
    word_stem("r", "R", "R", "", "rotation from body axes to ground axes"),
    word_stem("o", "O", "O", "", "rotation from body axes to parent axes"),
    word_stem(
        "arm",
        "d",
        "d",
        "",
        "origin of a joint relative to the origin of the parent's joint, in axes of the parent",
    ),
    word_stem("mc", "mc", r"\mathit{mc}", "", "first moment of mass"),
    word_stem("J", "J", "J", "", "inertia about the origin of the inboard joint"),
    word_stem("H", "H", "H", "", "matrix that couples force and angular acceleration"),
    word_stem("f", "f", "f", "", "force"),
    word_stem("m", "n", "n", "", "moment"),
    word_stem("h", "h", "h", "", "angular momentum"),
    word_stem("M", "M", "M", "", "mass matrix"),
    word_stem("L", "L", "L", "", "factors of M = LᵀDL"),
    word_stem("D", "D", "D", "", "pivots of M = LᵀDL"),
    word_stem(
        "A",
        "A",
        "A",
        "",
        "constraint Jacobian, with one row for each constraint row and one column for each speed",
    ),
    word_stem("rhs", "b", "b", "", "right-hand side Q − c"),
    word_stem("bias", "β", r"\beta", "", "bias c − Q at u = 0"),
    word_stem("Q", "Q", "Q", "", "generalised force"),
    word_stem("c", "c", "c", "", "velocity-dependent inertia term c"),
    word_stem("effort", "τ", r"\tau", "", "effort in the equation of a speed"),
    word_stem("gamma", "γ", r"\gamma", "", "right-hand side of A v̇ = γ"),
    word_stem("lambda", "λ", r"\lambda", "", "multiplier of a constraint row"),
    word_stem("schur", "S", "S", "", "Schur complement A M⁻¹ Aᵀ"),
    word_stem("coriolis", "C", "C", "", "contribution to c"),
    word_stem("g", "g", "g", "", "gravity vector in body axes"),
];

/// Words of quantities of speeds: in their emitted names an index that could be a body or a speed
/// denotes a speed.
pub const SPEED_QUANTITIES: [&str; 12] =
    ["M", "L", "D", "A", "rhs", "bias", "Q", "c", "effort", "acc", "coriolis", "dependent"];

/// Words that join other names, such as `from`. An emitted name that contains one is no quantity of
/// mechanics.
pub const JOINING_WORDS: [&str; 16] = [
    "from", "per", "plus", "minus", "by", "sq", "inv", "neg", "half", "two", "again", "dot", "cross", "of",
    "sqrt", "abs",
];
