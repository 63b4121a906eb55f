//! The traits of controllers, where a program has the functions that they need.

use syn::{Expr, Ident, Item, Stmt, parse_quote};

use super::syntax::ident;
use crate::ir::{Function, Program, Role, Taken};

/// What was emitted for a role.
fn of(program: &Program, role: Role) -> Option<Ident> {
    program.with_role(role).map(|f| ident(f.declaration.name))
}

/// Implementations for the model.
pub fn items(program: &Program) -> Vec<Item> {
    let Some(dynamics) = dynamics(program) else { return Vec::new() };
    [Some(dynamics), actuated(program), constrained(program)].into_iter().flatten().collect()
}

fn dynamics(program: &Program) -> Option<Item> {
    program.with_role(Role::StateDerivative)?;
    let mass = of(program, Role::MassMatrix)?;
    let bias = of(program, Role::Bias)?;
    let inverse = of(program, Role::InverseDynamics)?;
    let energy = program.with_role(Role::Energy)?;
    let mut taken = Taken::default();
    let parts: Vec<Ident> = energy.outputs.iter().map(|o| ident(&taken.unique(&o.name))).collect();
    let crate::ir::declaration::Returns::Struct { name, .. } = energy.declaration.returns else {
        return None;
    };
    let (result, energy) = (ident(name), ident(energy.declaration.name));
    Some(parse_quote! {
        impl<T: ::dqdt::Real> ::dqdt::Dynamics<T, NX, NU, NV> for Model<T> {
            #[inline]
            fn mass_matrix(&self, t: T, x: &[T; NX], m: &mut [[T; NV]; NV]) {
                #mass(self, t, x, m);
            }

            #[inline]
            fn bias(&self, t: T, x: &[T; NX], out: &mut [T; NV]) {
                #bias(self, t, x, out);
            }

            #[inline]
            fn inverse_dynamics(&self, t: T, x: &[T; NX], a: &[T; NV], effort: &mut [T; NV]) {
                #inverse(self, t, x, a, effort);
            }

            #[inline]
            fn energy(&self, t: T, x: &[T; NX], out: &mut [T; 2]) {
                let mut y = #result::default();
                #energy(self, t, x, &mut y);
                *out = [#(y.#parts),*];
            }
        }
    })
}

fn actuated(program: &Program) -> Option<Item> {
    let matrix = of(program, Role::InputMatrix)?;
    Some(parse_quote! {
        impl<T: ::dqdt::Real> ::dqdt::Actuated<T, NX, NU, NV> for Model<T> {
            #[inline]
            fn input_matrix(&self, t: T, x: &[T; NX], b: &mut [[T; NU]; NV]) {
                #matrix(self, t, x, b);
            }
        }
    })
}

fn constrained(program: &Program) -> Option<Item> {
    let inverse = of(program, Role::InverseDynamicsConstrained)?;
    let fallible = program.with_role(Role::InverseDynamicsConstrained).is_some_and(Function::is_fallible);
    let ok: Expr = parse_quote!(::core::result::Result::Ok(()));
    let body: Vec<Stmt> = if fallible {
        parse_quote!(#inverse(self, t, x, a, effort))
    } else {
        parse_quote!(#inverse(self, t, x, a, effort); #ok)
    };
    Some(parse_quote! {
        impl<T: ::dqdt::Real> ::dqdt::ConstrainedDynamics<T, NX, NU, NV, NI> for Model<T> {
            const INDEPENDENT: [usize; NI] = INDEPENDENT;

            #[inline]
            fn inverse_dynamics_constrained(
                &self, t: T, x: &[T; NX], a: &[T; NI], effort: &mut [T; NI],
            ) -> ::core::result::Result<(), ::dqdt::Singular<T::Mask>> {
                #(#body)*
            }
        }
    })
}
