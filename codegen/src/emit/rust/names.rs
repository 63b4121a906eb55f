//! Names that all functions of a module share: parameters, entries of the arguments, index constants.

use crate::ir::{Program, Slot, SymbolKind, Taken, identifier};

/// What means something in the module or in every function, so that no local may be called so.
const RESERVED: &[&str] = &[
    "model",
    "t",
    "x",
    "u",
    "q",
    "a",
    "p",
    "m",
    "dx",
    "dq",
    "y",
    "bias",
    "effort",
    "verdict",
    "result",
    "singular",
    "limited",
    "sines",
    "cosines",
    "NQ",
    "NV",
    "NZ",
    "NU",
    "NX",
    "NP",
    "START",
    "PIVOTS",
    "Params",
    "Model",
    "Energy",
    "Outputs",
    "Positions",
];

/// So many tables at most have names that a local cannot take.
const TABLES: usize = 64;

/// Names that all functions share.
pub struct Names {
    /// Fields of `Params`.
    pub parameters: Vec<String>,
    /// Index constants of q, v, z, u.
    pub indices: [Vec<String>; 4],
    pub(super) q: Vec<(SymbolKind, String)>,
    pub(super) v: Vec<(SymbolKind, String)>,
    pub(super) z: Vec<(SymbolKind, String)>,
    pub(super) u: Vec<(SymbolKind, String)>,
    pub(super) a: Vec<(SymbolKind, String)>,
    pub(super) taken: Taken,
}

impl Names {
    /// Chooses them.
    pub fn new(program: &Program) -> Self {
        let l = &program.layout;
        let mut fields = Taken::default();
        let parameters = l.p.iter().map(|s| fields.unique(&s.name)).collect();
        // The constants of the module: a pattern of the same name would compare with them.
        let mut constants = Taken::default();
        let mut index = |letter: &str, slots: &[Slot]| -> Vec<String> {
            let text =
                |s: &Slot| format!("{letter}_{}", identifier(&s.name).trim_end_matches('_').to_uppercase());
            slots.iter().map(|s| constants.unique(&text(s))).collect()
        };
        let indices = [index("Q", &l.q), index("V", &l.v), index("Z", &l.z), index("U", &l.u)];
        let tables = (1..=TABLES).flat_map(|i| [format!("TABLE_{i}_KNOTS"), format!("TABLE_{i}_ROWS")]);
        let tables: Vec<String> = tables.collect();
        let module = indices.iter().flatten().chain(&tables).map(String::as_str);
        let mut taken = Taken::new(RESERVED.iter().copied().chain(module));
        let mut list = |slots: &[Slot], kind: &dyn Fn(usize) -> SymbolKind, suffix: &str| {
            let one = |(i, s): (usize, &Slot)| (kind(i), taken.unique(&format!("{}{suffix}", s.name)));
            slots.iter().enumerate().map(one).collect::<Vec<_>>()
        };
        let q = list(&l.q, &SymbolKind::Coordinate, "");
        let v = list(&l.v, &SymbolKind::Speed, "");
        let z = list(&l.z, &SymbolKind::State, "");
        let u = list(&l.u, &SymbolKind::Input, "");
        let a = list(&l.v, &SymbolKind::Acceleration, "_dot");
        Names { parameters, indices, q, v, z, u, a, taken }
    }
}
