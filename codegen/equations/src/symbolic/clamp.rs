//! Clamps and their derivatives as closed forms, by the shape of the functions in them.

use super::closed::{Closed, Function};
use dqdt_algebra::{Cmp, Func2};

impl Closed {
    /// The arguments of `clamp(x, lo, hi)`, which is `min(max(x, lo), hi)`.
    pub fn as_clamp(&self) -> Option<[&Closed; 3]> {
        let Closed::Function(Function::Func2(Func2::Min), outer) = self else { return None };
        let [Closed::Function(Function::Func2(Func2::Max), inner), high] = &outer[..] else { return None };
        let [x, low] = &inner[..] else { return None };
        Some([x, low, high])
    }

    /// The form `min(max(x, lo), hi)`, which is printed as `clamp(x, lo, hi)`.
    pub(super) fn clamp([x, low, high]: [Closed; 3]) -> Self {
        let inner = Closed::Function(Function::Func2(Func2::Max), vec![x, low]);
        Closed::Function(Function::Func2(Func2::Min), vec![inner, high])
    }

    /// Parts `lo`, `x`, `hi`, `yes` and `no` of `if(lo < x <= hi, yes, no)`, the derivative of
    /// `clamp(x, lo, hi)`: `if(max(x, lo) <= hi, if(x <= lo, no, yes), no)`.
    pub fn as_between(&self) -> Option<[&Closed; 5]> {
        let Closed::Function(Function::Select(Cmp::Le), outer) = self else { return None };
        let [Closed::Function(Function::Func2(Func2::Max), larger), high, inner, no] = &outer[..] else {
            return None;
        };
        let Closed::Function(Function::Select(Cmp::Le), inner) = inner else { return None };
        let ([x, low], [y, limit, below, yes]) = (&larger[..], &inner[..]) else { return None };
        (x == y && low == limit && below == no).then_some([low, x, high, yes, no])
    }

    /// The form `if(lo < x <= hi, yes, no)`.
    pub(super) fn piecewise_between([low, x, high, yes, no]: [Closed; 5]) -> Self {
        let larger = Closed::Function(Function::Func2(Func2::Max), vec![x.clone(), low.clone()]);
        let inner = Closed::Function(Function::Select(Cmp::Le), vec![x, low, no.clone(), yes]);
        Closed::Function(Function::Select(Cmp::Le), vec![larger, high, inner, no])
    }

    /// The rate of a clamp with its argument as in `clamp`, an equal form of the clamp itself;
    /// `None` if one of the two has another form.
    pub fn with_argument_of(&self, clamp: &Closed) -> Option<Closed> {
        let [low, _, high, yes, no] = self.as_between()?;
        let [x, ..] = clamp.as_clamp()?;
        Some(Closed::piecewise_between([low, x, high, yes, no].map(Clone::clone)))
    }
}
