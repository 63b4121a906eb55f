//! Suggestions for misspelt words and for terms of other tools.

/// Terms of other tools, such as `hinge`, and the equivalent word in specs.
const FOREIGN_TERMS: &[(&str, &str)] = &[
    ("accelerometer", "specific_force"),
    ("ball", "spherical"),
    ("base_link", "ground"),
    ("cardan", "universal"),
    ("continuous", "revolute"),
    ("damper", "friction"),
    ("floating", "free"),
    ("gyro", "angular_rate"),
    ("gyroscope", "angular_rate"),
    ("hinge", "revolute"),
    ("hooke", "universal"),
    ("inertial", "ground"),
    ("linear", "prismatic"),
    ("motor", "actuator"),
    ("pin", "revolute"),
    ("rigid", "fixed"),
    ("screw", "helical"),
    ("six_dof", "free"),
    ("slide", "prismatic"),
    ("slider", "prismatic"),
    ("weld", "fixed"),
    ("world", "ground"),
];

/// Keys of other tools that are written elsewhere in a spec: noun of the entry, keys, remedy.
const KEYS_ELSEWHERE: &[(&str, &[&str], &str)] = &[
    (
        "joint",
        &["damping", "damper", "friction", "viscous"],
        "friction in a joint is a load: write [loads.NAME] with type = \"friction\", joint = \"…\" and viscous = …",
    ),
    (
        "joint",
        &["stiffness", "spring", "rest"],
        "a spring in a joint is a load: write [loads.NAME] with type = \"joint_spring\", joint = \"…\" and stiffness = …",
    ),
    (
        "joint",
        &["actuator", "motor", "effort", "torque", "force"],
        "a motor in a joint is a load: write [loads.NAME] with type = \"actuator\", joint = \"…\" and effort = …",
    ),
    (
        "joint",
        &["start_speed", "initial_speed", "speed", "velocity", "rate"],
        "write start values of speeds as `speeds = { start = [2] }`",
    ),
    (
        "joint",
        &["start", "position", "angle", "initial_position"],
        "write start values of coordinates as `coordinates = { start = [\"30 deg\"] }`",
    ),
    ("body", &["length", "size", "tip"], "name the points of a body: `points = { tip = [0.5, 0, 0] }`"),
    (
        "body",
        &["position", "orientation", "parent"],
        "the joint of a body says where it is: write [joints.NAME] with its `parent` and `child`",
    ),
];

/// Remedy for a key that is written elsewhere in a spec. `entry` begins with the noun of the entry,
/// as in ``joint `hinge` ``.
pub fn place_of_foreign_key(entry: &str, key: &str) -> Option<&'static str> {
    let noun = entry.split(' ').next().unwrap_or_default();
    let row = KEYS_ELSEWHERE.iter().find(|(n, keys, _)| *n == noun && keys.contains(&key));
    row.map(|(_, _, remedy)| *remedy)
}

/// The candidate most similar to a misspelt `word`, if it is similar enough, for "did you mean"
/// help; the first in case of a tie. Terms of other tools count too.
pub fn did_you_mean<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let ours = FOREIGN_TERMS.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours);
    if let Some(known) = ours.and_then(|ours| candidates.iter().find(|c| **c == ours)) {
        return Some(known);
    }
    // The longer the word, the more typing errors are tolerated.
    let limit = (word.chars().count() / 3).min(3);
    // The cost of a distance is the product of both lengths, so only the first 64 characters count.
    let lower: String = word.to_lowercase().chars().take(64).collect();
    candidates
        .into_iter()
        .filter(|c| !c.is_empty() && *c != word)
        .map(|c| (c.to_lowercase(), c))
        .map(|(l, c)| (strsim::osa_distance(&lower, &l), share_first_letters(&lower, &l), c))
        .filter(|(d, start, _)| *d <= if *start { 3 } else { limit })
        .min_by_key(|(d, _, _)| *d)
        .map(|(_, _, c)| c)
}

/// True if the first three letters of two words agree, as in `body` and `bodies`.
fn share_first_letters(a: &str, b: &str) -> bool {
    a.chars().count() > 3 && a.chars().zip(b.chars()).take(3).filter(|(x, y)| x == y).count() == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        assert_eq!(did_you_mean("mas", ["mass", "inertia"]), Some("mass"));
        assert_eq!(did_you_mean("corodinates", ["coordinates", "child"]), Some("coordinates"));
        assert_eq!(did_you_mean("msas", ["inertia", "mass"]), Some("mass"), "neighbours that changed places");
        assert_eq!(did_you_mean("body", ["gravity", "bodies"]), Some("bodies"));
        assert_eq!(did_you_mean("Mass", ["mass"]), Some("mass"));
        assert_eq!(did_you_mean("xyz", ["mass", "inertia"]), None);
        assert_eq!(did_you_mean("m", ["t", "M"]), Some("M"));
        assert_eq!(did_you_mean("hinge", ["fixed", "revolute"]), Some("revolute"), "as others call it");
        assert_eq!(did_you_mean("hinge", ["fixed", "free"]), None);
        assert!(place_of_foreign_key("joint `hinge`", "damping").is_some_and(|r| r.contains("\"friction\"")));
        assert_eq!(place_of_foreign_key("body `rod`", "damping"), None);
    }
}
