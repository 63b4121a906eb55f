//! Gain and bias of an actuator, through its classes.
//!
//! Problem: any element of a class may write them, and each kind of element overwrites another part of what is there.
//! Method:  as MuJoCo's compiler: from the farthest class to the actuator itself, each element changes what it is about. `general`
//!          sets what it states. The others are kinds: `motor` begins anew, `velocity` clears the bias, `position` leaves a
//!          damping. A kind after another one begins where that one did.
//! Not handled: activations, delays, gains that are not constant: the actuator is left out, which is reported.

use super::element::Element;
use super::frame::opposite;
use super::given::{Given, Notes};
use crate::robot::decimal::Decimal;

/// What an actuator does: `gain u + bias · (1, length, rate)`.
#[derive(Clone)]
struct Gains<'a> {
    gain: [Decimal; 3],
    bias: [Decimal; 3],
    gaintype: &'static str,
    biastype: &'static str,
    dyntype: &'static str,
    /// What stands in the way, if something does.
    unread: Option<&'static str>,
    /// A gain by an element of a kind that is not read.
    foreign: Option<&'a Element>,
}

const DYN: [&str; 7] = ["none", "integrator", "filter", "filterexact", "muscle", "user", "dcmotor"];
const KINDS: [&str; 6] = ["none", "fixed", "affine", "muscle", "user", "dcmotor"];

fn zeros() -> [Decimal; 3] {
    [0.0; 3].map(Decimal::of)
}

impl<'a> Gains<'a> {
    /// Those of a motor, which are those of all.
    fn motor() -> Self {
        let gain = [1.0, 0.0, 0.0].map(Decimal::of);
        Gains {
            gain,
            bias: zeros(),
            gaintype: "fixed",
            biastype: "none",
            dyntype: "none",
            unread: None,
            foreign: None,
        }
    }

    /// Changes what one element is about; `again`: the element before it was of its kind.
    fn take(&mut self, element: &'a Element, again: bool, notes: &mut Notes) {
        let own = Given::alone(element);
        match element.tag.as_str() {
            "motor" => *self = Gains::motor(),
            "velocity" => {
                if let Some(kv) = own.number(notes, "kv") {
                    self.gain[0] = kv;
                }
                self.bias = [Decimal::of(0.0), Decimal::of(0.0), opposite(&self.gain[0])];
                (self.gaintype, self.biastype, self.dyntype) = ("fixed", "affine", "none");
            }
            "position" => {
                if let Some(kp) = own.number(notes, "kp") {
                    self.gain[0] = kp;
                }
                (self.bias[0], self.bias[1]) = (Decimal::of(0.0), opposite(&self.gain[0]));
                let ratio = own.number(notes, "dampratio").filter(|x| !x.is_zero());
                if let Some(damping) = own.number(notes, "kv").map(|kv| opposite(&kv)).or(ratio) {
                    self.bias[2] = damping;
                }
                if !again {
                    self.dyntype = "none";
                }
                if let Some(time) = own.number(notes, "timeconst") {
                    self.dyntype = if time.is_zero() { "none" } else { "filterexact" };
                }
                (self.gaintype, self.biastype) = ("fixed", "affine");
            }
            "general" => {
                for (name, values) in [("gainprm", &mut self.gain), ("biasprm", &mut self.bias)] {
                    let written = element.attribute(name).and_then(|a| notes.numbers(a, 10, true));
                    values.iter_mut().zip(written.unwrap_or_default()).for_each(|(slot, x)| *slot = x);
                }
                self.dyntype = own.word(notes, "dyntype", &DYN, self.dyntype);
                self.gaintype = own.word(notes, "gaintype", &KINDS, self.gaintype);
                self.biastype = own.word(notes, "biastype", &KINDS, self.biastype);
            }
            _ => self.foreign = Some(element),
        }
        if own.find("input").is_some() {
            self.unread = Some("`input`");
        }
        if own.number(notes, "delay").is_some_and(|x| !x.is_zero()) {
            self.unread = Some("`delay`");
        }
    }
}

/// True where a kind comes back behind another one, or follows a motor that follows a `general`: MuJoCo then remembers more than one
/// state.
fn is_mixed(chain: &[&str]) -> bool {
    let Some((last, before)) = chain.split_last() else { return false };
    let kinds = before.iter().rev().skip_while(|tag| *tag == last);
    let returns = !["general", "motor"].contains(last)
        && kinds.clone().any(|tag| tag == last)
        && kinds.clone().next() != Some(&"general");
    let behind_motor = before.last() == Some(&"motor")
        && !["general", "motor"].contains(last)
        && before.contains(&"general");
    returns || behind_motor
}

/// Gain and bias of an actuator.
///
/// # Errors
/// What is not read of it, in words.
pub(super) fn gains(
    given: &Given<'_>,
    shown: &str,
    notes: &mut Notes,
) -> Result<(Decimal, [Decimal; 3]), &'static str> {
    let mut found = Gains::motor();
    // The kind that wrote last, and what there was before it.
    let (mut kind, mut before) = ("general", found.clone());
    let mut chain: Vec<&str> = Vec::new();
    for element in given.defaults.iter().rev().copied().chain([given.element]) {
        let tag = element.tag.as_str();
        let again = tag == kind;
        match (tag, kind) {
            ("general", _) => {}
            ("motor", _) => before = Gains::motor(),
            (_, "general") => before = found.clone(),
            _ if !again => found = before.clone(),
            _ => {}
        }
        found.take(element, again, notes);
        chain.push(tag);
        if !again && is_mixed(&chain) {
            found.foreign = Some(element);
        }
        kind = tag;
    }
    if let Some(element) = found.foreign {
        let tag = &given.element.tag;
        let message = format!(
            "the classes of {shown} mix gains of several kinds of actuators, of <{}> too",
            element.tag
        );
        let help = format!("write the gains in a class of its own, by <{tag}>");
        notes.problem("mjcf-actuator", message, (element.span, "how they mix is not read"), &help);
    }
    let Gains { gain, bias, gaintype, biastype, dyntype, unread, .. } = found;
    if let Some(what) = unread {
        return Err(what);
    }
    if dyntype != "none" {
        return Err("its activation (`dyntype`, `timeconst`)");
    }
    let [gain, rest @ ..] = gain;
    if !(gaintype == "fixed" || (gaintype == "affine" && rest.iter().all(Decimal::is_zero))) {
        return Err("`gaintype` but for a constant gain");
    }
    match biastype {
        "none" => Ok((gain, zeros())),
        // As MuJoCo tells a damping ratio from a damping.
        "affine" if bias[2].value > 0.0 && gain.value == -bias[1].value => Err("`dampratio`"),
        "affine" => Ok((gain, bias)),
        _ => Err("`biastype`"),
    }
}
