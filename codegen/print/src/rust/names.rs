//! Names that all functions of a module share: parameters, entries of the arguments, index
//! constants.

use super::block_signature::ANGLES;
use super::data::ModulePart;
use crate::code::constants::Constants;
use crate::code::equal_part::{self, EqualPart};
use crate::code::result_arguments::result_argument_names;
use crate::code::{indices, leaves};
use dqdt_graph::ir::declaration::Vector;
use dqdt_graph::ir::{NodeId, Program, Slot, SymbolKind, Taken, to_identifier};
use dqdt_graph::plan::Plan;

/// Names with a meaning in every emitted function, which no local may have.
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

/// Names that locals may not have: [`RESERVED`] and the names of the arguments that the functions
/// of a program declare.
fn reserved_names(program: &Program) -> impl Iterator<Item = &str> {
    let declared = program.functions.iter().flat_map(|f| {
        let d = f.declaration;
        d.arguments.iter().map(|a| a.name).chain(result_argument_names(d))
    });
    RESERVED.iter().copied().chain(declared)
}

/// Names that all functions of an emitted Rust module share.
pub struct ModuleNames {
    /// Names of the fields of the emitted struct `Params`, in the order of the parameters.
    pub parameters: Vec<String>,
    /// Names of the index constants of the entries of q, v, z and u.
    pub indices: [Vec<String>; 4],
    pub(super) q: Vec<(SymbolKind, String)>,
    pub(super) v: Vec<(SymbolKind, String)>,
    pub(super) z: Vec<(SymbolKind, String)>,
    pub(super) u: Vec<(SymbolKind, String)>,
    pub(super) a: Vec<(SymbolKind, String)>,
    /// Symbols and names of the entries of the argument of independent accelerations.
    pub(super) independent: Vec<(SymbolKind, String)>,
    /// Symbols and names of the entries of the argument of driven accelerations.
    pub(super) driven: Vec<(SymbolKind, String)>,
    /// Symbols and names of the impulses of the inputs, if some function has them as an argument.
    pub(super) impulses: Vec<(SymbolKind, String)>,
    /// Symbols and names of the efforts along the speeds, if some function has them as an argument.
    pub(super) efforts: Vec<(SymbolKind, String)>,
    /// Symbols and names of the contact flags, if some function has them as an argument.
    pub(super) contacts: Vec<(SymbolKind, String)>,
    pub(super) costates: Vec<(SymbolKind, String)>,
    /// Named numeric constants of the emitted module.
    pub(super) constants: Constants,
    /// True if a product and a sum become one `mul_add`; `false` with
    /// [`RustOptions::unfused`](super::RustOptions::unfused).
    pub fused: bool,
    /// Names of the bodies of the mechanism, for the headings in emitted functions.
    pub bodies: Vec<String>,
}

impl ModuleNames {
    /// Chooses the names of the module: parameters, entries and index constants.
    /// [`ModuleNames::name_locals`] chooses those of locals.
    pub fn new(program: &Program) -> Self {
        let l = &program.layout;
        let mut fields = Taken::default();
        let parameters = l.p.iter().map(|s| fields.make_unique(&s.name)).collect();
        let indices = indices::index_constant_names(l, "");
        let [q, v, z, u, a, independent, driven, impulses, efforts, contacts, costates] =
            [const { Vec::new() }; 11];
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
            costates,
            constants: Constants::default(),
            fused: false,
            bodies: l.bodies.clone(),
        }
    }

    /// Chooses the names of locals (arguments, values and numbers), each the same in the whole
    /// module. They differ from the names of parameters, and of the constants and statics in
    /// `parts`: a pattern with such a name would compare, not bind.
    pub fn name_locals<'a>(
        &mut self,
        program: &Program,
        plan: &mut Plan,
        equal: &mut [EqualPart],
        parts: impl IntoIterator<Item = &'a ModulePart>,
    ) {
        let items: Vec<String> = parts.into_iter().flat_map(ModulePart::constant_names).collect();
        let reserved = reserved_names(program).chain(self.parameters.iter().map(String::as_str));
        let reserved = reserved.chain(plan.blocks.iter().map(|b| b.name.as_str())).chain([ANGLES]);
        let reserved: Vec<String> =
            reserved.chain(items.iter().map(String::as_str)).map(str::to_owned).collect();
        let reserved: Vec<&str> = reserved.iter().map(String::as_str).collect();
        let mut taken = Taken::new(reserved.iter().copied());
        let mut list = |slots: &[Slot], kind: &dyn Fn(usize) -> SymbolKind, letter: &str, suffix: &str| {
            (slots.iter().enumerate())
                .map(|(i, s)| {
                    let name = format!("{}{suffix}", s.name);
                    // The letter of its index constant resolves a clash.
                    let clashes = reserved.contains(&to_identifier(&name).as_str());
                    (kind(i), taken.make_unique(&if clashes { format!("{letter}_{name}") } else { name }))
                })
                .collect::<Vec<_>>()
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
        if program.takes(Vector::Costates) {
            let state = [&l.q[..], &l.v, &l.z].concat();
            self.costates = list(&state, &SymbolKind::Costate, "l", "_costate");
        }
        let accelerations =
            |speeds: &[usize]| speeds.iter().filter_map(|i| self.a.get(*i).cloned()).collect();
        (self.independent, self.driven) =
            (accelerations(&l.independent_speeds), accelerations(&l.driven_speeds));
        let part_of = self.name_values(program, plan, equal, &mut taken);
        let numbers = equal.iter().flat_map(|p| p.numbers.values().copied());
        self.constants = Constants::new(program, plan, numbers, &mut taken, part_of);
    }

    /// Names the values of the function `Params::check`, which has a graph of its own.
    pub fn name_check_values(&self, check: &Program, plan: &mut Plan) {
        let reserved =
            ["p", "params", "epsilon"].into_iter().chain(self.parameters.iter().map(String::as_str));
        let _ = self.name_values(check, plan, &mut [], &mut Taken::new(reserved));
    }

    /// Names the values of a plan and of its equal parts in emitted Rust.
    fn name_values(
        &self,
        program: &Program,
        plan: &mut Plan,
        equal: &mut [EqualPart],
        taken: &mut Taken,
    ) -> impl Fn(NodeId) -> Option<String> + use<> {
        let texts = leaves::leaf_texts(program, plan, &self.parameters, |kind| self.entry_local_name(kind));
        equal_part::name_plan_values(&program.graph, plan, equal, taken, &|id| {
            texts.get(id.0 as usize).cloned().flatten()
        })
    }

    /// Local name of an entry of an argument in emitted Rust; `None` for other symbols.
    fn entry_local_name(&self, kind: SymbolKind) -> Option<String> {
        let motion = [&self.q, &self.v, &self.z, &self.u, &self.a];
        let mut entries = motion
            .into_iter()
            .chain([&self.impulses, &self.efforts, &self.contacts, &self.costates])
            .flatten();
        entries.find(|entry| entry.0 == kind).map(|entry| entry.1.clone())
    }

    /// Symbol and local name of each entry of an argument vector.
    pub(super) fn vector_entries(&self, vector: Vector) -> Vec<(SymbolKind, String)> {
        match vector {
            Vector::State => [&self.q[..], &self.v, &self.z].concat(),
            Vector::Coordinates => self.q.clone(),
            Vector::Speeds => self.v.clone(),
            Vector::Accelerations => self.a.clone(),
            Vector::IndependentAccelerations => self.independent.clone(),
            Vector::DrivenAccelerations => self.driven.clone(),
            Vector::Impulses => self.impulses.clone(),
            Vector::Efforts => self.efforts.clone(),
            Vector::Contacts => self.contacts.clone(),
            Vector::Costates => self.costates.clone(),
            Vector::Inputs => self.u.clone(),
        }
    }
}
