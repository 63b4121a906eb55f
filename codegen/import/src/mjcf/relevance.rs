//! Relevance of every name of MJCF for the mechanics.
//!
//! Method: a path is that of MuJoCo's schema, as short as is unambiguous. Elements in `<default>`
//!         are listed as the elements that they set. A test compares the table with the schema that
//!         MuJoCo prints.

use crate::robot::relevance::Relevance::{Harmless, Idealised, Structural, Used};
use crate::robot::relevance::{ElementRow, Relevance, RelevanceTable, element, subtree};

/// The table of all elements and attributes of MJCF, with their relevance for the mechanics; see
/// [`RelevanceTable`].
pub(super) const RELEVANCE: RelevanceTable = RelevanceTable(&ROWS);

/// Tags of elements that are parts of the robot, and therefore errors in wrong places.
pub(super) const PARTS: [&str; 8] =
    ["worldbody", "body", "frame", "inertial", "joint", "freejoint", "geom", "site"];
const CONTACTS: Relevance = Idealised("contacts");
const CONTACT_DATA: Relevance = Idealised("contact parameters");
const LIMITS: Relevance = Idealised("joint limits");
const SOFTNESS: Relevance = Idealised("softness");
const ACTUATORS: Relevance = Idealised("actuators");
const FLUID: Relevance = Idealised("fluid");

/// Attributes that the converter reads for all kinds of actuators.
const DRIVE: (Relevance, &str) = (
    Used,
    "name class joint jointinparent tendon site refsite body cranksite slidersite gear ctrlrange ctrllimited forcerange \
     forcelimited armature damping delay group",
);
const DRIVE_DATA: (Relevance, &str) = (Harmless, "user lengthrange nsample interp cranklength");
const ACTIVATION: (Relevance, &str) =
    (ACTUATORS, "actlimited actrange actearly ffrange velrange posrange slewmax imax");

static ROWS: [ElementRow; 69] = [
    element("mujoco", &[(Used, "model")]),
    element(
        "compiler",
        &[
            (
                Used,
                "angle coordinate eulerseq autolimits inertiafromgeom inertiagrouprange boundmass boundinertia \
                 balanceinertia settotalmass alignfree",
            ),
            (
                Harmless,
                "assetdir meshdir texturedir strippath conflict passthrough savecanonical savecompiled saveinertial \
                 discardvisual fusestatic usethread fitaabb",
            ),
        ],
    ),
    subtree("compiler/lengthrange", Harmless),
    element(
        "option",
        &[
            (Used, "gravity density viscosity wind actuatorgroupdisable"),
            (
                Harmless,
                "timestep integrator solver iterations tolerance ls_iterations ls_tolerance noslip_iterations \
                 noslip_tolerance ccd_iterations ccd_tolerance sdf_iterations sdf_initpoints jacobian magnetic \
                 sleep_tolerance apirate mpr_iterations mpr_tolerance",
            ),
            (CONTACT_DATA, "cone impratio o_friction o_margin o_solimp o_solref collision"),
        ],
    ),
    element(
        "option/flag",
        &[
            (Used, "gravity constraint equality spring damper passive frictionloss actuation clampctrl"),
            (
                Harmless,
                "autoreset contact diagexact energy eulerdamp filterparent fwdinv invdiscrete ipc island limit midphase \
                 multiccd nativeccd override refsafe sensor sensornoise sleep speculative warmstart",
            ),
        ],
    ),
    subtree("size", Harmless),
    subtree("statistic", Harmless),
    subtree("visual", Harmless),
    subtree("asset", Harmless),
    subtree("skin", Harmless),
    subtree("sensor", Harmless),
    subtree("keyframe", Harmless),
    subtree("custom", Harmless),
    element("default", &[(Used, "class")]),
    subtree("default/mesh", Harmless),
    subtree("default/texture", Harmless),
    subtree("default/material", Harmless),
    subtree("camera", Harmless),
    subtree("light", Harmless),
    element("worldbody", &[(Used, "childclass"), (Harmless, "name")]),
    element(
        "body",
        &[
            (Used, "name childclass mocap gravcomp pos quat axisangle xyaxes zaxis euler"),
            (Harmless, "user sleep fuse simple"),
        ],
    ),
    element("frame", &[(Used, "name childclass pos quat axisangle xyaxes zaxis euler")]),
    element("inertial", &[(Used, "pos quat axisangle xyaxes zaxis euler mass diaginertia fullinertia")]),
    element(
        "joint",
        &[
            (
                Used,
                "name class type pos axis ref range limited damping stiffness springref springdamper springyield armature \
                 frictionloss actuatorfrcrange actuatorgravcomp",
            ),
            (Harmless, "group user actuatorfrclimited"),
            (LIMITS, "margin"),
            (SOFTNESS, "solreflimit solimplimit solreffriction solimpfriction"),
        ],
    ),
    element("freejoint", &[(Used, "name align"), (Harmless, "group")]),
    element(
        "geom",
        &[
            (
                Used,
                "name class type size fromto mass density group shellinertia mesh fitscale pos quat axisangle xyaxes zaxis \
                 euler contype conaffinity",
            ),
            (Harmless, "user material rgba hfield castshadow"),
            (CONTACT_DATA, "friction solmix solref solimp margin gap condim priority adhesion surfacevel"),
            (FLUID, "fluidshape fluidcoef"),
        ],
    ),
    element(
        "site",
        &[
            (Used, "name class fromto pos quat axisangle xyaxes zaxis euler"),
            (Harmless, "type group material mesh size rgba user"),
        ],
    ),
    subtree("body/plugin", Structural),
    subtree("geom/plugin", Structural),
    subtree("replicate", Structural),
    subtree("composite", Structural),
    subtree("flexcomp", Structural),
    subtree("attach", Structural),
    subtree("deformable", Structural),
    subtree("deformable/skin", Harmless),
    subtree("contact", CONTACTS),
    subtree("default/pair", CONTACT_DATA),
    // Plugins are reported where sensors and meshes refer to them.
    subtree("extension", Harmless),
    element("equality", &[(Used, "active"), (SOFTNESS, "solref solimp")]),
    element(
        "equality/connect",
        &[(Used, "name class active body1 body2 anchor site1 site2"), (SOFTNESS, "solref solimp")],
    ),
    element(
        "equality/weld",
        &[
            (Used, "name class active body1 body2 anchor relpose site1 site2"),
            (SOFTNESS, "solref solimp torquescale"),
        ],
    ),
    element(
        "equality/joint",
        &[(Used, "name class active joint1 joint2 polycoef"), (SOFTNESS, "solref solimp")],
    ),
    element(
        "equality/tendon",
        &[(Used, "name class active tendon1 tendon2 polycoef"), (SOFTNESS, "solref solimp")],
    ),
    subtree("equality/flex", Structural),
    subtree("equality/flexvert", Structural),
    subtree("equality/flexstrain", Structural),
    subtree("equality/distance", Structural),
    element("tendon", &TENDON),
    element("tendon/fixed", &TENDON),
    element("tendon/spatial", &TENDON),
    element("fixed/joint", &[(Used, "joint coef")]),
    element("spatial/site", &[(Used, "site")]),
    subtree("spatial/geom", Structural),
    subtree("spatial/pulley", Structural),
    element("actuator", &[]),
    element(
        "general",
        &[
            DRIVE,
            DRIVE_DATA,
            ACTIVATION,
            (Used, "gaintype gainprm biastype biasprm dyntype dynprm actdim inheritrange input"),
        ],
    ),
    element("motor", &[DRIVE, DRIVE_DATA]),
    element("position", &[DRIVE, DRIVE_DATA, (Used, "kp kv dampratio timeconst inheritrange")]),
    element("velocity", &[DRIVE, DRIVE_DATA, (Used, "kv")]),
    subtree("intvelocity", ACTUATORS),
    subtree("orientation", ACTUATORS),
    subtree("pid", ACTUATORS),
    subtree("damper", ACTUATORS),
    subtree("cylinder", ACTUATORS),
    subtree("muscle", ACTUATORS),
    subtree("adhesion", ACTUATORS),
    subtree("dcmotor", ACTUATORS),
    subtree("actuator/plugin", ACTUATORS),
    subtree("actuator/user", ACTUATORS),
];

const TENDON: [(Relevance, &str); 4] = [
    (
        Used,
        "name class stiffness damping springlength springyield armature frictionloss limited range actuatorfrcrange",
    ),
    (Harmless, "group user material rgba width actuatorfrclimited"),
    (LIMITS, "margin"),
    (SOFTNESS, "solreflimit solimplimit solreffriction solimpfriction"),
];

#[cfg(test)]
mod tests {
    use super::{RELEVANCE, Relevance};

    /// Paths and attributes of all elements, from the tree that `mj_printSchema(False, False)`
    /// prints.
    fn schema() -> Vec<(String, Vec<String>)> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/mjcf/schema.txt");
        let text = std::fs::read_to_string(path).unwrap();
        let mut elements: Vec<(String, Vec<String>)> = Vec::new();
        let mut around: Vec<String> = Vec::new();
        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            let indent = line.len() - line.trim_start().len();
            let mut words = line.split_whitespace().map(str::to_owned);
            if indent < 30 {
                around.truncate(indent / 3);
                // The schema writes `(world)body` for both `body` and `worldbody`.
                around.extend(words.next().map(|tag| tag.replace("(world)", "")));
                assert!(words.next().is_some_and(|w| w.starts_with('(')), "{line}");
                elements.push((around.join("/"), Vec::new()));
            }
            elements.last_mut().unwrap().1.extend(words);
        }
        elements
    }

    #[test]
    fn every_name_of_the_schema_has_a_class() {
        let schema = schema();
        assert!(schema.len() > 150, "{}", schema.len());
        let mut missing = Vec::new();
        for (path, attributes) in &schema {
            if RELEVANCE.element(path).is_none() {
                missing.push(path.clone());
                continue;
            }
            let unknown = attributes.iter().filter(|a| RELEVANCE.attribute(path, a).is_none());
            missing.extend(unknown.map(|a| format!("{path}@{a}")));
        }
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn what_changes_the_equations_and_is_not_read_is_structural() {
        for path in ["replicate", "deformable/flex", "equality/flex", "tendon/spatial/pulley", "body/hook"] {
            let path = format!("mujoco/{path}");
            let class = RELEVANCE.element(&path).map(|(class, _)| class);
            assert!(class.is_none_or(|c| c == Relevance::Structural), "{path} {class:?}");
        }
    }
}
