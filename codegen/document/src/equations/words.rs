//! Tables that translate the words in names of emitted code to mathematics.
//!
//! A name has marks, a quantity, a body or speed, and an axis: `tree_J_link6_xz` is J⁺₆xz, the
//! inertia of link 6 with all bodies outboard of it. The meanings are those of
//! [`legend`](dqdt_print::code::legend), worded for a page.

/// A quantity: its word in emitted names, its letter in a terminal and in LaTeX, and its meaning.
pub struct WordStem {
    pub word: &'static str,
    pub text: &'static str,
    pub latex: &'static str,
    /// Marks that the word itself implies.
    pub marks: &'static str,
    pub meaning: &'static str,
}

const fn stem(
    word: &'static str,
    text: &'static str,
    latex: &'static str,
    marks: &'static str,
    meaning: &'static str,
) -> WordStem {
    WordStem { word, text, latex, marks, meaning }
}

/// Words before a quantity, each with its superscript in a terminal and in LaTeX, and its meaning.
pub const MARKS: [(&str, &str, &str, &str); 18] = [
    ("tree", "⁺", "+", "with all bodies beyond"),
    (
        "base",
        "ᵇ",
        "b",
        "with what its joint cannot tell from inertia of the parent handed on (base inertial parameters)",
    ),
    ("art", "ᴬ", "A", "articulated: what lies beyond gives way"),
    ("left", "ˡ", "l", "what a joint leaves of that"),
    ("still", "⁰", "0", "at v̇ = 0"),
    ("felt", "ᵍ", "g", "gravity as an acceleration of the ground"),
    ("inertial", "ⁱ", "i", "of a body's own motion"),
    ("needed", "ⁿ", "n", "that a joint must supply"),
    ("column", "ᵘ", "u", "of a unit of an acceleration"),
    ("turned", "ᵗ", "t", "with the axes of the parent on one side"),
    ("carried", "ᶜ", "c", "carried over from the parent"),
    ("reduced", "ʳ", "r", "reduced: what elimination leaves"),
    ("group", "ᴳ", "G", "within a group of joints that are eliminated at once"),
    ("scaled", "ˢ", "s", "over its pivot"),
    ("own", "ᵒ", "o", "of the joint alone"),
    ("relative", "ᵖ", "p", "relative to the parent"),
    ("ground", "ᴱ", "E", "in axes of the ground"),
    ("load", "ᴸ", "L", "of loads"),
];

/// Quantities by their words. The longest word that matches applies.
pub const STEMS: [WordStem; 38] = [
    stem("p", "p", "p", "", "position of the origin of a joint"),
    stem("v", "v", "v", "", "velocity of that origin"),
    stem("w", "ω", r"\omega", "", "angular velocity"),
    stem("bv", "a", "a", "⁰", "acceleration of the origin of a joint"),
    stem("bw", "α", r"\alpha", "⁰", "angular acceleration"),
    stem("dv", "a", "a", "", "acceleration of the origin of a joint"),
    stem("dw", "α", r"\alpha", "", "angular acceleration"),
    stem("rate_v", "a", "a", "*", "acceleration of the origin of a joint"),
    stem("rate_w", "α", r"\alpha", "*", "angular acceleration"),
    stem("pv", "V", "V", "", "partial velocity of the origin of a joint by a speed"),
    stem("pw", "W", "W", "", "partial angular velocity by a speed"),
    stem("turning", "Ω", r"\Omega", "", "ω̃ω̃"),
    stem("bturning", "U", "U", "⁰", "ω̃ω̃ and the rate of ω̃, by which points accelerate over their arms"),
    stem("dturning", "U", "U", "", "ω̃ω̃ and the rate of ω̃, by which points accelerate over their arms"),
    stem("rate_turning", "U", "U", "*", "ω̃ω̃ and the rate of ω̃, by which points accelerate over their arms"),
    stem("r", "R", "R", "", "rotation to the ground"),
    stem("o", "O", "O", "", "rotation to the parent"),
    stem("arm", "d", "d", "", "origin of a joint from that of its parent, in axes of the parent"),
    stem("mc", "mc", r"\mathit{mc}", "", "first moment of mass"),
    stem("J", "J", "J", "", "inertia about the origin of the inboard joint"),
    stem("H", "H", "H", "", "coupling of force and angular acceleration"),
    stem("f", "f", "f", "", "force"),
    stem("m", "n", "n", "", "moment"),
    stem("h", "h", "h", "", "angular momentum"),
    stem("M", "M", "M", "", "mass matrix"),
    stem("L", "L", "L", "", "factors of M = LᵀDL"),
    stem("D", "D", "D", "", "pivots of M = LᵀDL"),
    stem("A", "A", "A", "", "rows of constraints by speeds"),
    stem("rhs", "b", "b", "", "right side Q − c"),
    stem("bias", "β", r"\beta", "", "c − Q without inputs"),
    stem("Q", "Q", "Q", "", "generalised force"),
    stem("c", "c", "c", "", "velocity-dependent inertia term"),
    stem("effort", "τ", r"\tau", "", "what drives a speed"),
    stem("gamma", "γ", r"\gamma", "", "right side of A v̇ = γ"),
    stem("lambda", "λ", r"\lambda", "", "multiplier of a row"),
    stem("schur", "S", "S", "", "Schur complement A M⁻¹ Aᵀ"),
    stem("coriolis", "C", "C", "", "part of c"),
    stem("g", "g", "g", "", "gravity in axes of the body"),
];

/// Quantities of speeds: an index that could be a body or a speed denotes a speed.
pub const SPEED_QUANTITIES: [&str; 12] =
    ["M", "L", "D", "A", "rhs", "bias", "Q", "c", "effort", "acc", "coriolis", "dependent"];

/// Words that join names. A name that contains one between others is no quantity.
pub const JOINING_WORDS: [&str; 16] = [
    "from", "per", "plus", "minus", "by", "sq", "inv", "neg", "half", "two", "again", "dot", "cross", "of",
    "sqrt", "abs",
];
