//! Serialisation of parameters, with the feature `serde`.
//!
//! Problem: tuned parameters are stored by the names of the spec, in any format of serde, without
//!          allocation, and without a dependency of the user's crate on serde.
//! Method:  a struct of `NP` fields for serde, written by hand over [`Named`], which the macro
//!          implements: names and values in order. In formats with names, a missing parameter has
//!          its default; an unknown name is an error that lists the known ones, and so is a
//!          repeated name. Formats without names need all values, in order.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeStruct, Serializer};
pub use serde::{Deserialize, Serialize, de, ser};

/// Access to parameters by name for serde. Implemented by the macro `parameters!` for `Params`.
pub trait Named<T, const N: usize>: Default {
    /// Names of the parameters in the spec, in the order of the values.
    const NAMES: &'static [&'static str];

    /// Mutable references to the values of all parameters, for deserialisation.
    fn places(&mut self) -> [&mut T; N];
}

/// Serialises the values of all parameters, with their names in the spec.
///
/// # Errors
/// Errors of the format.
pub fn serialise<S: Serializer, T: Serialize, const N: usize>(
    names: &'static [&'static str],
    values: [T; N],
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut fields = to.serialize_struct("Params", N)?;
    for (name, value) in names.iter().zip(&values) {
        fields.serialize_field(name, value)?;
    }
    fields.end()
}

/// Deserialises parameters by their names in the spec.
///
/// # Errors
/// Errors of the format; an unknown or repeated name.
pub fn deserialise<'de, D: Deserializer<'de>, T, P, const N: usize>(from: D) -> Result<P, D::Error>
where
    T: Deserialize<'de>,
    P: Named<T, N>,
{
    from.deserialize_struct("Params", P::NAMES, ValuesVisitor(PhantomData))
}

/// The serde visitor that reads parameters from a map or a sequence.
struct ValuesVisitor<T, P, const N: usize>(PhantomData<(T, P)>);

impl<'de, T: Deserialize<'de>, P: Named<T, N>, const N: usize> Visitor<'de> for ValuesVisitor<T, P, N> {
    type Value = P;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from parameter names to values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<P, A::Error> {
        let mut params = P::default();
        let mut assigned = [false; N];
        while let Some(index) = map.next_key_seed(NameVisitor(P::NAMES))? {
            let value = map.next_value()?;
            let known = assigned.get_mut(index).zip(params.places().into_iter().nth(index));
            let (is_assigned, place) = known.ok_or_else(|| A::Error::custom("unknown parameter"))?;
            if core::mem::replace(is_assigned, true) {
                return Err(A::Error::custom(format_args!(
                    "{} is specified twice",
                    P::NAMES.get(index).unwrap_or(&"a parameter")
                )));
            }
            *place = value;
        }
        Ok(params)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<P, A::Error> {
        let mut params = P::default();
        for (i, place) in params.places().into_iter().enumerate() {
            *place = values
                .next_element()?
                .ok_or_else(|| A::Error::invalid_length(i, &"all parameters, in order"))?;
        }
        Ok(params)
    }
}

/// The serde visitor that converts the name of a parameter to its index in the list.
struct NameVisitor(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for NameVisitor {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for NameVisitor {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a parameter")
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<usize, E> {
        usize::try_from(index).ok().filter(|i| *i < self.0.len()).ok_or_else(|| {
            E::invalid_value(serde::de::Unexpected::Unsigned(index), &"the index of a parameter")
        })
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        self.0.iter().position(|known| *known == name).ok_or_else(|| E::unknown_field(name, self.0))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        match core::str::from_utf8(name) {
            Ok(name) => self.visit_str(name),
            Err(_) => Err(E::invalid_value(serde::de::Unexpected::Bytes(name), &self)),
        }
    }
}

/// Implements serde's traits for the parameters of a module.
#[doc(hidden)]
#[macro_export]
macro_rules! __serde_parameters {
    ($params:ident $($name:expr,)*) => {
        impl<T: $crate::Real> $crate::emitted::serialise::Named<T, NP> for $params<T> {
            const NAMES: &'static [&'static str] = &[$($name),*];

            fn places(&mut self) -> [&mut T; NP] {
                self.values_mut()
            }
        }

        impl<T: $crate::Real + $crate::emitted::serialise::Serialize> $crate::emitted::serialise::Serialize
            for $params<T>
        {
            fn serialize<S: $crate::emitted::serialise::ser::Serializer>(
                &self,
                to: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::emitted::serialise::serialise(&[$($name),*], self.values(), to)
            }
        }

        impl<'de, T> $crate::emitted::serialise::Deserialize<'de> for $params<T>
        where
            T: $crate::Real + $crate::emitted::serialise::Deserialize<'de>,
        {
            fn deserialize<D: $crate::emitted::serialise::de::Deserializer<'de>>(
                from: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::emitted::serialise::deserialise(from)
            }
        }
    };
}
