//! `Model`, `Model::new`, and the trait of integrators.

use syn::{Expr, Ident, Item, ItemImpl, Stmt, parse_quote};

use super::items::style;
use super::names::ModuleNames;
use super::scope::Scope;
use super::syntax::{doc, ident, prose};
use crate::ir::{Crossing, Effect, Program, Role, Taken};
use crate::plan::Plan;

/// The struct and its constructors.
pub fn items(program: &Program, plan: &Plan, names: &ModuleNames) -> Vec<Item> {
    let mut about = vec![format!("Model of {}.", prose(&program.name))];
    if !program.description.is_empty() {
        about.extend([String::new(), prose(&program.description)]);
    }
    let about = doc(&about);
    let fields: Vec<_> = plan.hoisted.iter().map(|h| ident(&h.name)).collect();
    let kept = plan.hoisted.iter().map(|h| h.name.as_str());
    let style = style(kept.chain(plan.setup_names()));
    let mut scope = Scope::of_setup(&program.graph, plan, names, &names.constants);
    let statements = scope.statements();
    let values: Vec<syn::FieldValue> = plan
        .hoisted
        .iter()
        .map(|h| {
            let field = ident(&h.name);
            match scope.expression(h.node) {
                // Shorthand: the value has a statement of the same name.
                syn::Expr::Path(p) if p.path.is_ident(&field) => parse_quote!(#field),
                value => parse_quote!(#field: #value),
            }
        })
        .collect();
    let mut stmts: Vec<Stmt> = scope.prologue(&[]);
    stmts.extend(statements.into_iter().map(|(_, stmt)| stmt));
    stmts.push(Stmt::Expr(parse_quote!(Self { params, epsilon: T::default_epsilon(), #(#values),* }), None));
    let mut constructor: ItemImpl = parse_quote! {
                #(#style)*
        impl<T: ::dqdt::Real> Model<T> {
            /// Computes once what depends on parameters only.
            pub fn new(params: Params<T>) -> Self {}

            /// The parameters.
            pub fn params(&self) -> &Params<T> {
                &self.params
            }

            /// Takes other parameters, and computes anew what depends on them.
            pub fn set_params(&mut self, params: Params<T>) {
                *self = Self { epsilon: self.epsilon, ..Self::new(params) };
            }
        }
    };
    if let Some(syn::ImplItem::Fn(new)) = constructor.items.first_mut() {
        new.block.stmts = stmts;
    }
    vec![
        parse_quote! {
            #(#about)*
            #[derive(Clone, Copy, Debug, PartialEq)]
            #(#style)*
            pub struct Model<T = f64> {
                params: Params<T>,
                /// A pose is singular where a pivot falls below this times the largest term of the sum that forms it; by
                /// default that of [`default_epsilon`](::dqdt::Real::default_epsilon).
                pub epsilon: T,
                #(#fields: T,)*
            }
        },
        Item::Impl(constructor),
        parse_quote! {
            impl<T: ::dqdt::Real> ::core::default::Default for Model<T> {
                fn default() -> Self {
                    Self::new(Params::default())
                }
            }
        },
    ]
}

/// The trait of integrators, where there is a state derivative.
pub fn system(program: &Program) -> Vec<Item> {
    let has = |role| program.with_role(role).is_some();
    if !has(Role::StateDerivative) {
        return Vec::new();
    }
    let result: syn::Type = parse_quote!(::core::result::Result<(), ::dqdt::Singular<T::Mask>>);
    let ok: Expr = parse_quote!(::core::result::Result::Ok(()));
    let fallible = |role| program.with_role(role).is_some_and(crate::ir::Function::is_fallible);
    let dqdt: Vec<Stmt> = if fallible(Role::StateDerivative) {
        parse_quote!(dqdt(self, t, x, u, dx))
    } else {
        parse_quote!(dqdt(self, t, x, u, dx); #ok)
    };
    let rates: Vec<Stmt> = if fallible(Role::Rates) {
        parse_quote! {
            let mut dq = [T::ZERO; NQ];
            let result = rates(self, t, x, &mut dq);
            dx[..NQ].copy_from_slice(&dq);
            result
        }
    } else if has(Role::Rates) {
        parse_quote! {
            let mut dq = [T::ZERO; NQ];
            rates(self, t, x, &mut dq);
            dx[..NQ].copy_from_slice(&dq);
            #ok
        }
    } else {
        // Rates of coordinates do not depend on inputs.
        parse_quote! {
            let mut all = [T::ZERO; NX];
            let result = ::dqdt::System::dqdt(self, t, x, &[T::ZERO; NU], &mut all);
            dx[..NQ].copy_from_slice(&all[..NQ]);
            result
        }
    };
    let project: Option<syn::ImplItem> = (!program.layout.quaternions.is_empty()).then(|| {
        let starts = program.layout.quaternions.iter().map(|i| syn::Index::from(*i));
        parse_quote! {
            #[inline]
            fn project(&self, x: &mut [T; NX]) {
                #(::dqdt::normalise_quaternion_at(x, #starts);)*
            }
        }
    });
    let constrained = constrained(program);
    let mut items: Vec<Item> = vec![parse_quote! {
        impl<T: ::dqdt::Real> ::dqdt::System<T, NX, NU> for Model<T> {
            const NQ: usize = NQ;
            const NV: usize = NV;

            #[inline]
            fn dqdt(&self, t: T, x: &[T; NX], u: &[T; NU], dx: &mut [T; NX]) -> #result {
                #(#dqdt)*
            }

            #[inline]
            fn rates(&self, t: T, x: &[T; NX], dx: &mut [T; NX]) -> #result {
                #(#rates)*
            }

            #project
        }
    }];
    items.extend(constrained);
    items.extend(hybrid(program));
    items
}

/// The trait of integration through events, where there are any.
fn hybrid(program: &Program) -> Option<Item> {
    let (values, after) = (program.with_role(Role::Events)?, program.with_role(Role::AfterEvents)?);
    let question: Option<syn::Token![?]> = after.is_fallible().then(Default::default);
    let mut taken = Taken::default();
    let names: Vec<Ident> = values.outputs.iter().map(|o| ident(&taken.unique(&o.name))).collect();
    let rules = program.layout.events.iter().map(|e| -> Expr {
        let crossing = ident(match e.crossing {
            Crossing::Falling => "Falling",
            Crossing::Rising => "Rising",
            Crossing::Both => "Both",
        });
        let effect = ident(match e.effect {
            Effect::Ends => "Ends",
            Effect::Bounces => "Bounces",
            Effect::Passes => "Passes",
        });
        parse_quote!(::dqdt::EventRule {
            crossing: ::dqdt::Crossing::#crossing,
            effect: ::dqdt::Effect::#effect
        })
    });
    let arms = names.iter().enumerate().map(|(i, name)| -> syn::Arm {
        let i = syn::Index::from(i);
        parse_quote!(#i => all.#name,)
    });
    Some(parse_quote! {
        impl<T: ::dqdt::Real> ::dqdt::HybridSystem<T, NX, NU, NE> for Model<T> {
            const RULES: [::dqdt::EventRule; NE] = [#(#rules),*];

            fn events(&self, t: T, x: &[T; NX], u: &[T; NU], values: &mut [T; NE]) {
                let mut all = Events::default();
                events(self, t, x, u, &mut all);
                *values = [#(all.#names),*];
            }

            fn after_event(
                &self, event: usize, t: T, x: &mut [T; NX], u: &[T; NU],
            ) -> ::core::result::Result<(), ::dqdt::Singular<T::Mask>> {
                let mut all = AfterEvents::default();
                after_events(self, t, x, u, &mut all)#question;
                let mut after = match event {
                    #(#arms)*
                    _ => return ::core::result::Result::Ok(()),
                };
                ::dqdt::Verdict::regular().finish(&[], &mut after)?;
                *x = after;
                ::core::result::Result::Ok(())
            }
        }
    })
}

/// The trait of projections, where there are constraints and the functions that it needs.
fn constrained(program: &Program) -> Option<Item> {
    let has = |role| program.with_role(role).is_some();
    if !has(Role::VelocityConstraints) {
        return None;
    }
    let zero = syn::LitInt::new("0", proc_macro2::Span::call_site());
    let rows: syn::Expr =
        if program.layout.position_rows.is_empty() { parse_quote!(#zero) } else { parse_quote!(NPC) };
    let position: Vec<Stmt> = if program.layout.position_rows.is_empty() {
        parse_quote!(let _ = (t, x, residual, jacobian);)
    } else if has(Role::PositionConstraints) {
        parse_quote! {
            let mut found = PositionConstraints::default();
            position_constraints(self, t, x, &mut found);
            *residual = found.residual;
            for (to, from) in jacobian.iter_mut().zip(&found.jacobian) {
                to[..NQ].copy_from_slice(from);
            }
        }
    } else {
        return None;
    };
    Some(parse_quote! {
        impl<T: ::dqdt::Real> ::dqdt::ConstrainedSystem<T, NX, NU, #rows, NVC> for Model<T> {
            #[inline]
            fn position(&self, t: T, x: &[T; NX], residual: &mut [T; #rows], jacobian: &mut [[T; NX]; #rows]) {
                #(#position)*
            }

            #[inline]
            fn velocity(&self, t: T, x: &[T; NX], residual: &mut [T; NVC], jacobian: &mut [[T; NX]; NVC]) {
                let mut found = VelocityConstraints::default();
                velocity_constraints(self, t, x, &mut found);
                *residual = found.residual;
                for (to, from) in jacobian.iter_mut().zip(&found.jacobian) {
                    to[NQ..NQ + NV].copy_from_slice(from);
                }
            }
        }
    })
}
