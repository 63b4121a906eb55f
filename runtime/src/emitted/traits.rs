//! The macro that implements the traits for integrators and controllers.

/// Implements traits for the model of a module: one line for each trait, with the functions that it
/// needs.
///
/// `System(dqdt, rates)` also gives the model a method `rate`. Without `rates`, the kinematic map
/// is computed by the state derivative.
///
/// ```
/// # use dqdt::{Real, Singular, System};
/// # const NQ: usize = 1;
/// # const NV: usize = 1;
/// # const NX: usize = 2;
/// # const NU: usize = 1;
/// # const QUATERNIONS: [usize; 0] = [];
/// # struct Model<T>(T);
/// # impl<T: Real> Model<T> {
/// #     fn over<U>(&self, f: impl Fn(T) -> U) -> Model<U> { Model(f(self.0)) }
/// # }
/// fn dqdt<T: Real>(model: &Model<T>, _t: T, x: &[T; NX], u: &[T; NU], dx: &mut [T; NX]) {
///     *dx = [x[1], u[0] / model.0];
/// }
///
/// dqdt::traits! {
///     System(dqdt);
/// }
///
/// let mut dx = [0.0; 2];
/// System::dqdt(&Model(2.0), 0.0, &[0.0, 3.0], &[1.0], &mut dx)?;
/// assert_eq!(dx, [3.0, 0.5]);
/// assert_eq!(Model(2.0).rate(0.0, &[0.0, 3.0], &[1.0])?, dx);
/// # Ok::<(), Singular>(())
/// ```
#[macro_export]
macro_rules! traits {
    () => {};
    (System($dqdt:ident $(, $rates:ident)?); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::System<T, NX, NU> for Model<T> {
            const NQ: usize = NQ;
            const NV: usize = NV;
            const QUATERNIONS: &'static [usize] = &QUATERNIONS;

            #[inline]
            fn dqdt(
                &self,
                t: T,
                x: &[T; NX],
                u: &[T; NU],
                dx: &mut [T; NX],
            ) -> ::core::result::Result<(), $crate::Singular<T::Mask>> {
                $crate::emitted::Outcome::outcome($dqdt(self, t, x, u, dx))
            }

            $(
                #[inline]
                fn coordinate_rates(
                    &self,
                    t: T,
                    x: &[T; NX],
                    dx: &mut [T; NX],
                ) -> ::core::result::Result<(), $crate::Singular<T::Mask>> {
                    T::compute(
                        #[inline(always)]
                        || {
                            let mut dq = [T::ZERO; NQ];
                            let outcome = $crate::emitted::Outcome::outcome($rates(self, t, x, &mut dq));
                            dx[..NQ].copy_from_slice(&dq);
                            outcome
                        },
                    )
                }
            )?

            #[inline]
            fn project(&self, x: &mut [T; NX]) {
                for start in QUATERNIONS {
                    $crate::normalise_quaternion_at(x, start);
                }
            }
        }

        #[allow(dead_code)]
        impl<T: $crate::Real> Model<T> {
            #[doc = concat!("The state derivative by value, as written by [`", stringify!($dqdt), "()`].")]
            ///
            /// # Errors
            #[doc = concat!("[`Singular`](::dqdt::Singular), under the same conditions as [`", stringify!($dqdt), "()`].")]
            pub fn rate(
                &self,
                t: T,
                x: &[T; NX],
                u: &[T; NU],
            ) -> ::core::result::Result<[T; NX], $crate::Singular<T::Mask>> {
                $crate::System::rate(self, t, x, u)
            }
        }

        impl<T: $crate::Real> $crate::Lift<T, NX, NU> for Model<T> {
            type Over<U: $crate::Real> = Model<U>;

            #[inline]
            fn lift<U: $crate::Real>(&self, splat: impl ::core::ops::Fn(T) -> U) -> Model<U> {
                self.over(splat)
            }
        }

        $crate::traits! { $($rest)* }
    };
    (Differentiable($derivatives:ident $(, $by_input:ident)?); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::discrete::Differentiable<T, NX, NU> for Model<T> {
            #[inline]
            fn dqdt_derivatives(
                &self,
                t: T,
                x: &[T; NX],
                u: &[T; NU],
            ) -> ::core::result::Result<$crate::discrete::Derivatives<T, NX, NU>, $crate::Singular<T::Mask>> {
                let mut y = ::core::default::Default::default();
                $crate::emitted::Outcome::outcome($derivatives(self, t, x, u, &mut y))?;
                let by_input = [[T::ZERO; NU]; NX];
                $(let by_input = y.$by_input;)?
                ::core::result::Result::Ok($crate::discrete::Derivatives { rate: y.rate, by_state: y.by_state, by_input })
            }
        }

        $crate::traits! { $($rest)* }
    };
    (MassMatrix($mass:ident); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::MassMatrix<T, NX, NV> for Model<T> {
            #[inline]
            fn mass_matrix(&self, t: T, x: &[T; NX], mass: &mut [[T; NV]; NV]) {
                $mass(self, t, x, mass);
            }
        }

        $crate::traits! { $($rest)* }
    };
    (Bias($bias:ident); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::Bias<T, NX, NV> for Model<T> {
            #[inline]
            fn bias(&self, t: T, x: &[T; NX], bias: &mut [T; NV]) {
                $bias(self, t, x, bias);
            }
        }

        $crate::traits! { $($rest)* }
    };
    (InverseDynamics($inverse:ident); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::InverseDynamics<T, NX, NV> for Model<T> {
            #[inline]
            fn inverse_dynamics(&self, t: T, x: &[T; NX], dv: &[T; NV], effort: &mut [T; NV]) {
                $inverse(self, t, x, dv, effort);
            }
        }

        $crate::traits! { $($rest)* }
    };
    (MechanicalEnergy($energy:ident); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::MechanicalEnergy<T, NX> for Model<T> {
            #[inline]
            fn kinetic_and_potential(&self, t: T, x: &[T; NX]) -> [T; 2] {
                let mut y = ::core::default::Default::default();
                $energy(self, t, x, &mut y);
                [y.kinetic, y.potential]
            }
        }

        $crate::traits! { $($rest)* }
    };
    (Gravity($gravity:ident); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::Gravity<T, NX, NV> for Model<T> {
            #[inline]
            fn gravity(&self, t: T, x: &[T; NX], g: &mut [T; NV]) {
                $gravity(self, t, x, g);
            }
        }

        $crate::traits! { $($rest)* }
    };
    (Saturate($saturate:ident); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::Saturate<T, NX, NU> for Model<T> {
            #[inline]
            fn saturate(&self, t: T, x: &[T; NX], u: &[T; NU], limited: &mut [T; NU]) -> [T::Mask; NU] {
                $saturate(self, t, x, u, limited)
            }
        }

        $crate::traits! { $($rest)* }
    };
    (Actuated($matrix:ident); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::Actuated<T, NX, NU, NV> for Model<T> {
            #[inline]
            fn input_matrix(&self, t: T, x: &[T; NX], b: &mut [[T; NU]; NV]) {
                $matrix(self, t, x, b);
            }
        }

        $crate::traits! { $($rest)* }
    };
    (ConstrainedDynamics($inverse:ident); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::ConstrainedDynamics<T, NX, NI> for Model<T> {
            const INDEPENDENT: [usize; NI] = INDEPENDENT;

            #[inline]
            fn inverse_dynamics_constrained(
                &self,
                t: T,
                x: &[T; NX],
                dv: &[T; NI],
                effort: &mut [T; NI],
            ) -> ::core::result::Result<(), $crate::Singular<T::Mask>> {
                $crate::emitted::Outcome::outcome($inverse(self, t, x, dv, effort))
            }
        }

        $crate::traits! { $($rest)* }
    };
    (ConstrainedSystem($position:ident, $velocity:ident); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::ConstrainedSystem<T, NX, NU, NPC, NVC> for Model<T> {
            #[inline]
            fn position(&self, t: T, x: &[T; NX], residual: &mut [T; NPC], jacobian: &mut [[T; NX]; NPC]) {
                let mut found = ::core::default::Default::default();
                $position(self, t, x, &mut found);
                *residual = found.residual;
                for (to, from) in jacobian.iter_mut().zip(&found.jacobian) {
                    to[..NQ].copy_from_slice(from);
                }
            }

            $crate::__velocity! { $velocity }
        }

        $crate::traits! { $($rest)* }
    };
    (ConstrainedSystem($velocity:ident); $($rest:tt)*) => {
        impl<T: $crate::Real> $crate::ConstrainedSystem<T, NX, NU, 0, NVC> for Model<T> {
            #[inline]
            fn position(&self, _: T, _: &[T; NX], _: &mut [T; 0], _: &mut [[T; NX]; 0]) {}

            $crate::__velocity! { $velocity }
        }

        $crate::traits! { $($rest)* }
    };
    (HybridSystem($events:ident, $after:ident) { $($rules:tt)+ } $($rest:tt)*) => {
        $crate::__hybrid! { $events, $after { $($rules)+ } }
        $crate::traits! { $($rest)* }
    };
    (HybridSystem($events:ident, $after:ident, $stops:ident) { $($rules:tt)+ } stops { $($terms:tt)+ } $($rest:tt)*) => {
        $crate::__hybrid! { $events, $after { $($rules)+ } $stops { $($terms)+ } }
        $crate::traits! { $($rest)* }
    };
}

/// The trait [`HybridSystem`](crate::HybridSystem) for the model of a module, with the terms of its
/// stops if there are any. Used by `traits!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __hybrid {
    ($events:ident, $after:ident {
        $($event:ident: $crossing:ident, $effect:ident;)+
    } $($stops:ident {
        $($index:literal: $gap:ident, $gap_rate:ident, $bias:ident, $restitution:ident, $row:ident, $response:ident;)+
    })?) => {
        impl<T: $crate::Real> $crate::HybridSystem<T, NX, NU, NE> for Model<T> {
            const RULES: [$crate::EventRule; NE] = [
                $($crate::EventRule {
                    crossing: $crate::Crossing::$crossing,
                    effect: $crate::Effect::$effect,
                }),+
            ];

            fn events(&self, t: T, x: &[T; NX], u: &[T; NU], values: &mut [T; NE]) {
                let mut all = ::core::default::Default::default();
                $events(self, t, x, u, &mut all);
                *values = [$(all.$event),+];
            }

            fn after_event(
                &self,
                event: usize,
                t: T,
                x: &mut [T; NX],
                u: &[T; NU],
            ) -> ::core::result::Result<(), $crate::Singular<T::Mask>> {
                let mut all = ::core::default::Default::default();
                $crate::emitted::Outcome::outcome($after(self, t, x, u, &mut all))?;
                let states: [[T; NX]; NE] = [$(all.$event),+];
                if let ::core::option::Option::Some(after) = states.get(event) {
                    let mut after = *after;
                    $crate::Verdict::regular().finish(&[], &mut after)?;
                    *x = after;
                }
                ::core::result::Result::Ok(())
            }

            $(
                fn stops(
                    &self,
                    t: T,
                    x: &[T; NX],
                    u: &[T; NU],
                    visit: &mut dyn FnMut($crate::StopTerms<'_, T>),
                ) -> ::core::result::Result<(), $crate::Singular<T::Mask>> {
                    let mut all = ::core::default::Default::default();
                    $crate::emitted::Outcome::outcome($stops(self, t, x, u, &mut all))?;
                    $(visit($crate::StopTerms {
                        event: $index,
                        gap: all.$gap,
                        rate: all.$gap_rate,
                        bias: all.$bias,
                        restitution: all.$restitution,
                        row: &all.$row,
                        displacement: &all.$response[..NQ],
                        response: &all.$response[NQ..],
                    });)+
                    ::core::result::Result::Ok(())
                }
            )?
        }
    };
}

/// The method `velocity` of [`ConstrainedSystem`](crate::ConstrainedSystem). Used by `traits!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __velocity {
    ($velocity:ident) => {
        #[inline]
        fn velocity(&self, t: T, x: &[T; NX], residual: &mut [T; NVC], jacobian: &mut [[T; NX]; NVC]) {
            let mut found = ::core::default::Default::default();
            $velocity(self, t, x, &mut found);
            *residual = found.residual;
            for (to, from) in jacobian.iter_mut().zip(&found.jacobian) {
                to[NQ..NQ + NV].copy_from_slice(from);
            }
        }
    };
}
