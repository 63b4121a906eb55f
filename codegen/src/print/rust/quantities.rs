//! States, inputs and parameters by name, as data and at run time.

use syn::{Expr, Item, parse_quote};

use super::names::ModuleNames;
use super::syntax::{doc, ident};
use crate::ir::{Program, Slot};

/// The lists of names and units, and access to parameters by name.
pub fn items(program: &Program, names: &ModuleNames) -> Vec<Item> {
    let l = &program.layout;
    let state: Vec<&Slot> = l.q.iter().chain(&l.v).chain(&l.z).collect();
    let mut items = vec![list("STATES", "NX", "the state, in the order of x", &state)];
    if !l.u.is_empty() {
        items.push(list("INPUTS", "NU", "the inputs", &l.u.iter().collect::<Vec<_>>()));
    }
    if l.p.is_empty() {
        return items;
    }
    items.push(list("PARAMETERS", "NP", "the parameters", &l.p.iter().collect::<Vec<_>>()));
    let fields: Vec<_> = names.parameters.iter().map(|p| ident(p)).collect();
    items.push(parse_quote! {
        #[allow(dead_code)]
        impl<T: Copy> Params<T> {
            /// All values, in the order of [`PARAMETERS`].
            pub fn values(&self) -> [T; NP] {
                [#(self.#fields),*]
            }

            /// All values to be changed, in the order of [`PARAMETERS`].
            pub fn values_mut(&mut self) -> [&mut T; NP] {
                [#(&mut self.#fields),*]
            }

            /// The value of a name of the spec.
            pub fn get(&self, name: &str) -> ::core::option::Option<T> {
                ::dqdt::value_of(&PARAMETERS, &self.values(), name)
            }

            /// Gives the value of a name of the spec; [`Params::check`] says whether all make sense together.
            ///
            /// # Errors
            /// There is no parameter of this name.
            pub fn set<'a>(
                &mut self, name: &'a str, value: T,
            ) -> ::core::result::Result<(), ::dqdt::UnknownName<'a>> {
                ::dqdt::set_value(&PARAMETERS, self.values_mut(), name, value)
            }
        }
    });
    items
}

fn list(name: &str, size: &str, what: &str, slots: &[&Slot]) -> Item {
    let about = doc(&[format!("Names and units of {what}.")]);
    let (name, size) = (ident(name), ident(size));
    let entries = slots.iter().map(|s| -> Expr {
        let (name, unit) = (&s.name, &s.unit);
        parse_quote!(::dqdt::quantity(#name, #unit))
    });
    parse_quote! {
        #(#about)*
        #[allow(dead_code)]
        pub const #name: [::dqdt::Quantity; #size] = [#(#entries),*];
    }
}
