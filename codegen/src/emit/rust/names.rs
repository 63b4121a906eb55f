//! Names that all functions of a module share: parameters, entries of the arguments, index constants.

use syn::Item;

use crate::ir::declaration::Returns;
use crate::ir::{Program, Slot, SymbolKind, Taken, identifier};

/// What means something in every function, so that no local may be called so.
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
    "acted",
    "sines",
    "cosines",
    "Params",
    "Model",
    "Energy",
    "Outputs",
    "Positions",
];

/// And what the functions of a program declare.
fn reserved(program: &Program) -> impl Iterator<Item = &str> {
    let declared = program.functions.iter().flat_map(|f| {
        let d = f.declaration;
        let result = match d.returns {
            Returns::Array { name, .. } => Some(name),
            Returns::Struct { .. } | Returns::Limited { .. } => None,
        };
        d.arguments.iter().map(|a| a.name).chain(result)
    });
    RESERVED.iter().copied().chain(declared)
}

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
    /// Of `a`, those of independent speeds.
    pub(super) independent: Vec<(SymbolKind, String)>,
    pub(super) taken: Taken,
    /// Constants and statics of the module.
    pub(super) constants: Vec<String>,
}

impl Names {
    /// Chooses those of the module; [`Names::locals`] those of the functions.
    pub fn new(program: &Program) -> Self {
        let l = &program.layout;
        let mut fields = Taken::default();
        let parameters = l.p.iter().map(|s| fields.unique(&s.name)).collect();
        let mut constants = Taken::default();
        let mut index = |letter: &str, slots: &[Slot]| -> Vec<String> {
            let text =
                |s: &Slot| format!("{letter}_{}", identifier(&s.name).trim_end_matches('_').to_uppercase());
            slots.iter().map(|s| constants.unique(&text(s))).collect()
        };
        let indices = [index("Q", &l.q), index("V", &l.v), index("Z", &l.z), index("U", &l.u)];
        let taken = Taken::new(reserved(program));
        let [q, v, z, u, a, independent] = [const { Vec::new() }; 6];
        Names { parameters, indices, q, v, z, u, a, independent, taken, constants: Vec::new() }
    }

    /// Chooses the names of arguments in functions, besides those of the constants and statics among the items of the
    /// module: a pattern of such a name would not bind, it would compare.
    pub fn locals<'a>(&mut self, program: &Program, items: impl IntoIterator<Item = &'a Item>) {
        let constant = |item: &Item| match item {
            Item::Const(c) => Some(c.ident.to_string()),
            Item::Static(s) => Some(s.ident.to_string()),
            _ => None,
        };
        self.constants = items.into_iter().filter_map(constant).collect();
        let constants = self.constants.iter().map(String::as_str);
        let mut taken = Taken::new(reserved(program).chain(constants));
        let mut list = |slots: &[Slot], kind: &dyn Fn(usize) -> SymbolKind, suffix: &str| {
            let one = |(i, s): (usize, &Slot)| (kind(i), taken.unique(&format!("{}{suffix}", s.name)));
            slots.iter().enumerate().map(one).collect::<Vec<_>>()
        };
        let l = &program.layout;
        self.q = list(&l.q, &SymbolKind::Coordinate, "");
        self.v = list(&l.v, &SymbolKind::Speed, "");
        self.z = list(&l.z, &SymbolKind::State, "");
        self.u = list(&l.u, &SymbolKind::Input, "");
        self.a = list(&l.v, &SymbolKind::Acceleration, "_dot");
        self.independent = l.independent_speeds.iter().filter_map(|i| self.a.get(*i).cloned()).collect();
        self.taken = taken;
    }
}
