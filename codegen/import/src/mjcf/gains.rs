//! Gain and bias of an actuator, with its default classes.
//!
//! Problem: gain and bias may be set by several elements, in the default classes and in the
//!          actuator itself. Each kind of element overwrites a different part of them.
//! Method:  as in MuJoCo's compiler, elements are applied from the farthest class to the actuator
//!          itself. `general` sets the attributes present. The others are shortcuts: `motor` resets
//!          everything, `velocity` replaces the bias, `position` keeps a damping. A shortcut after
//!          another one starts from the state before that one.
//! Not handled: activations, delays, gains that are not constant. The actuator is then left out,
//!              which is reported.

use super::element::XmlElement;
use super::element_defaults::{ElementWithDefaults, Notes};
use super::frame::negate_decimal;
use crate::robot::decimal::Decimal;

/// Gain and bias of an MJCF actuator while its chain of defaults is read. Its force is `gain u +
/// bias · (1, length, rate)`.
#[derive(Clone)]
struct Gains<'a> {
    gain: [Decimal; 3],
    bias: [Decimal; 3],
    gaintype: &'static str,
    biastype: &'static str,
    dyntype: &'static str,
    /// Name of a feature that prevents the conversion of the actuator, such as an activation.
    unread: Option<&'static str>,
    /// An element of the chain of defaults whose kind, or whose order after other kinds, is not
    /// supported.
    foreign: Option<&'a XmlElement>,
}

const DYN: [&str; 7] = ["none", "integrator", "filter", "filterexact", "muscle", "user", "dcmotor"];
const KINDS: [&str; 6] = ["none", "fixed", "affine", "muscle", "user", "dcmotor"];

fn zero_bias() -> [Decimal; 3] {
    [0.0; 3].map(Decimal::from_f64)
}

impl<'a> Gains<'a> {
    /// Gain and bias of a motor, which are also MuJoCo's defaults for other actuators.
    fn motor_defaults() -> Self {
        let gain = [1.0, 0.0, 0.0].map(Decimal::from_f64);
        Gains {
            gain,
            bias: zero_bias(),
            gaintype: "fixed",
            biastype: "none",
            dyntype: "none",
            unread: None,
            foreign: None,
        }
    }

    /// Applies one element of the chain of defaults. `again`: true if the previous element was of
    /// the same kind.
    fn apply_element(&mut self, element: &'a XmlElement, again: bool, notes: &mut Notes) {
        let attributes = ElementWithDefaults::without_defaults(element);
        match element.tag.as_str() {
            "motor" => *self = Gains::motor_defaults(),
            "velocity" => {
                if let Some(kv) = attributes.read_number(notes, "kv") {
                    self.gain[0] = kv;
                }
                self.bias = [Decimal::from_f64(0.0), Decimal::from_f64(0.0), negate_decimal(&self.gain[0])];
                (self.gaintype, self.biastype, self.dyntype) = ("fixed", "affine", "none");
            }
            "position" => {
                if let Some(kp) = attributes.read_number(notes, "kp") {
                    self.gain[0] = kp;
                }
                (self.bias[0], self.bias[1]) = (Decimal::from_f64(0.0), negate_decimal(&self.gain[0]));
                let ratio = attributes.read_number(notes, "dampratio").filter(|x| !x.is_zero());
                if let Some(damping) =
                    attributes.read_number(notes, "kv").map(|kv| negate_decimal(&kv)).or(ratio)
                {
                    self.bias[2] = damping;
                }
                if !again {
                    self.dyntype = "none";
                }
                if let Some(time) = attributes.read_number(notes, "timeconst") {
                    self.dyntype = if time.is_zero() { "none" } else { "filterexact" };
                }
                (self.gaintype, self.biastype) = ("fixed", "affine");
            }
            "general" => {
                for (name, values) in [("gainprm", &mut self.gain), ("biasprm", &mut self.bias)] {
                    let numbers = element.attribute(name).and_then(|a| notes.parse_numbers(a, 10, true));
                    values.iter_mut().zip(numbers.unwrap_or_default()).for_each(|(slot, x)| *slot = x);
                }
                self.dyntype = attributes.read_word(notes, "dyntype", &DYN, self.dyntype);
                self.gaintype = attributes.read_word(notes, "gaintype", &KINDS, self.gaintype);
                self.biastype = attributes.read_word(notes, "biastype", &KINDS, self.biastype);
            }
            _ => self.foreign = Some(element),
        }
        if attributes.find_attribute("input").is_some() {
            self.unread = Some("`input`");
        }
        if attributes.read_number(notes, "delay").is_some_and(|x| !x.is_zero()) {
            self.unread = Some("`delay`");
        }
    }
}

/// True if a chain of defaults mixes kinds of shortcuts: one recurs after another, or follows a
/// motor that follows a `general`. MuJoCo then keeps more than one earlier state.
fn has_mixed_shortcuts(chain: &[&str]) -> bool {
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

/// Gain and bias of an actuator, from its chain of default classes.
///
/// # Errors
/// The name of the feature that cannot be converted.
pub(super) fn read_gains(
    attributes: &ElementWithDefaults<'_>,
    shown: &str,
    notes: &mut Notes,
) -> Result<(Decimal, [Decimal; 3]), &'static str> {
    let mut gains = Gains::motor_defaults();
    // Kind of the previous element, and the state before its shortcut.
    let (mut kind, mut before) = ("general", gains.clone());
    let mut chain: Vec<&str> = Vec::new();
    for element in attributes.defaults.iter().rev().copied().chain([attributes.element]) {
        let tag = element.tag.as_str();
        let again = tag == kind;
        match (tag, kind) {
            ("general", _) => {}
            ("motor", _) => before = Gains::motor_defaults(),
            (_, "general") => before = gains.clone(),
            _ if !again => gains = before.clone(),
            _ => {}
        }
        gains.apply_element(element, again, notes);
        chain.push(tag);
        if !again && has_mixed_shortcuts(&chain) {
            gains.foreign = Some(element);
        }
        kind = tag;
    }
    if let Some(element) = gains.foreign {
        let tag = &attributes.element.tag;
        let message = format!(
            "the default classes of {shown} mix gains of different kinds of actuators, including <{}>",
            element.tag
        );
        let help = format!("put the gains in a class of their own, as <{tag}>");
        notes.add_problem("mjcf-actuator", message, (element.span, "mixed gains are not supported"), &help);
    }
    let Gains { gain, bias, gaintype, biastype, dyntype, unread, .. } = gains;
    if let Some(what) = unread {
        return Err(what);
    }
    if dyntype != "none" {
        return Err("the activation of the actuator (`dyntype`, `timeconst`)");
    }
    let [gain, rest @ ..] = gain;
    if !(gaintype == "fixed" || (gaintype == "affine" && rest.iter().all(Decimal::is_zero))) {
        return Err("a `gaintype` without a constant gain");
    }
    match biastype {
        "none" => Ok((gain, zero_bias())),
        // MuJoCo's criterion for a positive value to be a damping ratio and not a damping.
        "affine" if bias[2].value > 0.0 && gain.value == -bias[1].value => Err("`dampratio`"),
        "affine" => Ok((gain, bias)),
        _ => Err("`biastype`"),
    }
}
