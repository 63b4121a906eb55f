//! Relevance of every name of MJCF for the mechanics.
//!
//! Method: a path is that of MuJoCo's schema, as short as is unambiguous. Elements in `<default>`
//!         are listed as the elements that they set. A test compares the table with the schema that
//!         MuJoCo prints.

use crate::robot::relevance::Relevance::{Harmless, Idealised, Structural, Used};
use crate::robot::relevance::{ElementRow, Relevance, RelevanceTable, element_row, subtree_row};

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
    element_row("mujoco", &[(Used, "model")]),
    element_row(
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
    subtree_row("compiler/lengthrange", Harmless),
    element_row(
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
    element_row(
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
    subtree_row("size", Harmless),
    subtree_row("statistic", Harmless),
    subtree_row("visual", Harmless),
    subtree_row("asset", Harmless),
    subtree_row("skin", Harmless),
    subtree_row("sensor", Harmless),
    subtree_row("keyframe", Harmless),
    subtree_row("custom", Harmless),
    element_row("default", &[(Used, "class")]),
    subtree_row("default/mesh", Harmless),
    subtree_row("default/texture", Harmless),
    subtree_row("default/material", Harmless),
    subtree_row("camera", Harmless),
    subtree_row("light", Harmless),
    element_row("worldbody", &[(Used, "childclass"), (Harmless, "name")]),
    element_row(
        "body",
        &[
            (Used, "name childclass mocap gravcomp pos quat axisangle xyaxes zaxis euler"),
            (Harmless, "user sleep fuse simple"),
        ],
    ),
    element_row("frame", &[(Used, "name childclass pos quat axisangle xyaxes zaxis euler")]),
    element_row("inertial", &[(Used, "pos quat axisangle xyaxes zaxis euler mass diaginertia fullinertia")]),
    element_row(
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
    element_row("freejoint", &[(Used, "name align"), (Harmless, "group")]),
    element_row(
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
    element_row(
        "site",
        &[
            (Used, "name class fromto pos quat axisangle xyaxes zaxis euler"),
            (Harmless, "type group material mesh size rgba user"),
        ],
    ),
    subtree_row("body/plugin", Structural),
    subtree_row("geom/plugin", Structural),
    subtree_row("replicate", Structural),
    subtree_row("composite", Structural),
    subtree_row("flexcomp", Structural),
    subtree_row("attach", Structural),
    subtree_row("deformable", Structural),
    subtree_row("deformable/skin", Harmless),
    subtree_row("contact", CONTACTS),
    subtree_row("default/pair", CONTACT_DATA),
    // Plugins are reported where sensors and meshes refer to them.
    subtree_row("extension", Harmless),
    element_row("equality", &[(Used, "active"), (SOFTNESS, "solref solimp")]),
    element_row(
        "equality/connect",
        &[(Used, "name class active body1 body2 anchor site1 site2"), (SOFTNESS, "solref solimp")],
    ),
    element_row(
        "equality/weld",
        &[
            (Used, "name class active body1 body2 anchor relpose site1 site2"),
            (SOFTNESS, "solref solimp torquescale"),
        ],
    ),
    element_row(
        "equality/joint",
        &[(Used, "name class active joint1 joint2 polycoef"), (SOFTNESS, "solref solimp")],
    ),
    element_row(
        "equality/tendon",
        &[(Used, "name class active tendon1 tendon2 polycoef"), (SOFTNESS, "solref solimp")],
    ),
    subtree_row("equality/flex", Structural),
    subtree_row("equality/flexvert", Structural),
    subtree_row("equality/flexstrain", Structural),
    subtree_row("equality/distance", Structural),
    element_row("tendon", &TENDON),
    element_row("tendon/fixed", &TENDON),
    element_row("tendon/spatial", &TENDON),
    element_row("fixed/joint", &[(Used, "joint coef")]),
    element_row("spatial/site", &[(Used, "site")]),
    subtree_row("spatial/geom", Structural),
    subtree_row("spatial/pulley", Structural),
    element_row("actuator", &[]),
    element_row(
        "general",
        &[
            DRIVE,
            DRIVE_DATA,
            ACTIVATION,
            (Used, "gaintype gainprm biastype biasprm dyntype dynprm actdim inheritrange input"),
        ],
    ),
    element_row("motor", &[DRIVE, DRIVE_DATA]),
    element_row("position", &[DRIVE, DRIVE_DATA, (Used, "kp kv dampratio timeconst inheritrange")]),
    element_row("velocity", &[DRIVE, DRIVE_DATA, (Used, "kv")]),
    subtree_row("intvelocity", ACTUATORS),
    subtree_row("orientation", ACTUATORS),
    subtree_row("pid", ACTUATORS),
    subtree_row("damper", ACTUATORS),
    subtree_row("cylinder", ACTUATORS),
    subtree_row("muscle", ACTUATORS),
    subtree_row("adhesion", ACTUATORS),
    subtree_row("dcmotor", ACTUATORS),
    subtree_row("actuator/plugin", ACTUATORS),
    subtree_row("actuator/user", ACTUATORS),
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
    fn mujoco_schema() -> Vec<(String, Vec<String>)> {
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
        let schema = mujoco_schema();
        assert!(schema.len() > 150, "{}", schema.len());
        let mut missing = Vec::new();
        for (path, attributes) in &schema {
            if RELEVANCE.element_relevance(path).is_none() {
                missing.push(path.clone());
                continue;
            }
            let unknown = attributes.iter().filter(|a| RELEVANCE.attribute_relevance(path, a).is_none());
            missing.extend(unknown.map(|a| format!("{path}@{a}")));
        }
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn what_changes_the_equations_and_is_not_read_is_structural() {
        for path in ["replicate", "deformable/flex", "equality/flex", "tendon/spatial/pulley", "body/hook"] {
            let path = format!("mujoco/{path}");
            let class = RELEVANCE.element_relevance(&path).map(|(class, _)| class);
            assert!(class.is_none_or(|c| c == Relevance::Structural), "{path} {class:?}");
        }
    }
}
