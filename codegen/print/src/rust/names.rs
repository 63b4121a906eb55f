//! Names that all functions of a module share: parameters, entries of the arguments, index
//! constants.

use super::data::Part;
use super::inner::ANGLES;
use crate::code::constants::Constants;
use crate::code::equal_part::{self, EqualPart};
use crate::code::places::places;
use crate::code::{indices, leaves};
use dqdt_graph::ir::declaration::Vector;
use dqdt_graph::ir::{NodeId, Program, Slot, SymbolKind, Taken, identifier};
use dqdt_graph::plan::Plan;

/// Names with a meaning in every function, which no local may have.
const RESERVED: &[&str] = &[
    "model",
    "t",
    "x",
    "u",
    "q",
    "p",
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
    "entries",
    "params",
    "epsilon",
    "_model",
    "_t",
    "_x",
    "_u",
    "_dv",
    "dqdt",
    "Params",
    "Model",
    "Energy",
    "Outputs",
    "Positions",
];

/// Names of the arguments that the functions of a program declare, in addition to [`RESERVED`].
fn reserved(program: &Program) -> impl Iterator<Item = &str> {
    let declared = program.functions.iter().flat_map(|f| {
        let d = f.declaration;
        d.arguments.iter().map(|a| a.name).chain(places(d))
    });
    RESERVED.iter().copied().chain(declared)
}

/// Names that all functions of an emitted module share.
pub struct ModuleNames {
    /// Names of the fields of `Params`.
    pub parameters: Vec<String>,
    /// Names of the index constants of q, v, z and u.
    pub indices: [Vec<String>; 4],
    pub(super) q: Vec<(SymbolKind, String)>,
    pub(super) v: Vec<(SymbolKind, String)>,
    pub(super) z: Vec<(SymbolKind, String)>,
    pub(super) u: Vec<(SymbolKind, String)>,
    pub(super) a: Vec<(SymbolKind, String)>,
    /// Entries of `a` for independent speeds.
    pub(super) independent: Vec<(SymbolKind, String)>,
    /// Entries of `a` for driven speeds.
    pub(super) driven: Vec<(SymbolKind, String)>,
    /// Impulses of the inputs, if some function has them as an argument.
    pub(super) impulses: Vec<(SymbolKind, String)>,
    /// Efforts along the speeds, if some function has them as an argument.
    pub(super) efforts: Vec<(SymbolKind, String)>,
    /// Contact flags, if some function has them as an argument.
    pub(super) contacts: Vec<(SymbolKind, String)>,
    /// The numeric constants of the emitted module.
    pub(super) constants: Constants,
    /// A product and a sum become one `mul_add`; `false` with
    /// [`RustOptions::unfused`](super::RustOptions::unfused).
    pub fused: bool,
    /// Names of the bodies of the mechanism.
    pub bodies: Vec<String>,
}

impl ModuleNames {
    /// Chooses the names of the module. Call [`ModuleNames::locals`] for those within functions.
    pub fn new(program: &Program) -> Self {
        let l = &program.layout;
        let mut fields = Taken::default();
        let parameters = l.p.iter().map(|s| fields.unique(&s.name)).collect();
        let indices = indices::names(l, "");
        let [q, v, z, u, a, independent, driven, impulses, efforts, contacts] = [const { Vec::new() }; 10];
        ModuleNames {
            parameters,
            indices,
            q,
            v,
            z,
            u,
            a,
            independent,
            driven,
            impulses,
            efforts,
            contacts,
            constants: Constants::default(),
            fused: false,
            bodies: l.bodies.clone(),
        }
    }

    /// Chooses the names of arguments, values and numbers, each the same in the whole module. They
    /// differ from the names of parameters, and of the constants and statics in `parts`: a pattern
    /// with such a name would compare, not bind.
    pub fn locals<'a>(
        &mut self,
        program: &Program,
        plan: &mut Plan,
        equal: &mut [EqualPart],
        parts: impl IntoIterator<Item = &'a Part>,
    ) {
        let items: Vec<String> = parts.into_iter().flat_map(Part::constants).collect();
        let reserved = reserved(program).chain(self.parameters.iter().map(String::as_str));
        let reserved = reserved.chain(plan.blocks.iter().map(|b| b.name.as_str())).chain([ANGLES]);
        let reserved: Vec<String> =
            reserved.chain(items.iter().map(String::as_str)).map(str::to_owned).collect();
        let reserved: Vec<&str> = reserved.iter().map(String::as_str).collect();
        let mut taken = Taken::new(reserved.iter().copied());
        let mut list = |slots: &[Slot], kind: &dyn Fn(usize) -> SymbolKind, letter: &str, suffix: &str| {
            let one = |(i, s): (usize, &Slot)| {
                let name = format!("{}{suffix}", s.name);
                // The letter of its index constant resolves a clash.
                let clashes = reserved.contains(&identifier(&name).as_str());
                (kind(i), taken.unique(&if clashes { format!("{letter}_{name}") } else { name }))
            };
            slots.iter().enumerate().map(one).collect::<Vec<_>>()
        };
        let l = &program.layout;
        self.q = list(&l.q, &SymbolKind::Coordinate, "q", "");
        self.v = list(&l.v, &SymbolKind::Speed, "v", "");
        self.z = list(&l.z, &SymbolKind::State, "z", "");
        self.u = list(&l.u, &SymbolKind::Input, "u", "");
        self.a = list(&l.v, &SymbolKind::Acceleration, "a", "_dot");
        if program.takes(Vector::Impulses) {
            self.impulses = list(&l.u, &SymbolKind::Impulse, "i", "_impulse");
        }
        if program.takes(Vector::Efforts) {
            self.efforts = list(&l.v, &SymbolKind::Effort, "f", "_effort");
        }
        if program.takes(Vector::Contacts) {
            self.contacts = list(&l.contacts, &SymbolKind::Contact, "c", "_on");
        }
        let some = |places: &[usize]| places.iter().filter_map(|i| self.a.get(*i).cloned()).collect();
        (self.independent, self.driven) = (some(&l.independent_speeds), some(&l.driven_speeds));
        let part_of = self.values(program, plan, equal, &mut taken);
        let numbers = equal.iter().flat_map(|p| p.numbers.values().copied());
        self.constants = Constants::new(program, plan, numbers, &mut taken, part_of);
    }

    /// Names the values of the parameter check, which has a graph of its own.
    pub fn of_check(&self, values: &Program, plan: &mut Plan) {
        let reserved =
            ["p", "params", "epsilon"].into_iter().chain(self.parameters.iter().map(String::as_str));
        let _ = self.values(values, plan, &mut [], &mut Taken::new(reserved));
    }

    /// Names the values of a plan and of its equal parts.
    fn values(
        &self,
        program: &Program,
        plan: &mut Plan,
        equal: &mut [EqualPart],
        taken: &mut Taken,
    ) -> impl Fn(NodeId) -> Option<String> + use<> {
        let arguments = || {
            let motion = [&self.q, &self.v, &self.z, &self.u, &self.a];
            motion.into_iter().chain([&self.impulses, &self.efforts, &self.contacts]).flatten()
        };
        let entry = |kind| arguments().find(|a| a.0 == kind).map(|a| a.1.clone());
        let texts = leaves::texts(program, plan, &self.parameters, entry);
        let leaf = |id: NodeId| texts.get(id.0 as usize).cloned().flatten();
        equal_part::name_all(&program.graph, plan, equal, taken, &leaf)
    }
}
