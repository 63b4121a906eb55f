//! Detection of the format of a robot description.

use std::path::Path;

/// Format of a robot description: URDF or MJCF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// URDF, the robot format of ROS.
    Urdf,
    /// MJCF, the XML format of MuJoCo.
    Mjcf,
}

/// True if the extension of the file is that of a robot description. Includes xacro, so that
/// reading it can advise to convert it.
pub fn is_robot(path: &Path) -> bool {
    let names = ["urdf", "xacro", "xml", "mjcf"];
    path.extension().is_some_and(|e| names.iter().any(|n| e.eq_ignore_ascii_case(n)))
}

/// Format of the text of a robot description: by its root element, or else by the extension of the
/// file.
pub fn detect_format(path: &Path, text: &str) -> Format {
    match first_element_name(text) {
        Some("mujoco" | "mujocoinclude") => Format::Mjcf,
        Some("robot") => Format::Urdf,
        _ if path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("xml") || e.eq_ignore_ascii_case("mjcf")) =>
        {
            Format::Mjcf
        }
        _ => Format::Urdf,
    }
}

/// Name of the first element of an XML text; the rest need not be well-formed.
fn first_element_name(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.get(rest.find('<')? + 1..)?;
        let end = match rest.as_bytes().first()? {
            b'?' => "?>",
            b'!' if rest.starts_with("!--") => "-->",
            b'!' => ">",
            _ => break,
        };
        rest = rest.get(rest.find(end)? + end.len()..)?;
    }
    let end = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(rest.len());
    rest.get(..end)
}

#[cfg(test)]
mod tests {
    use super::{Format, detect_format};
    use std::path::Path;

    #[test]
    fn the_first_element_tells_the_format() {
        for (name, text, expected) in [
            ("a.xml", "<?xml version='1.0'?><!-- <robot> -->\n<mujoco model='a'/>", Format::Mjcf),
            ("a.xml", "<robot name='a'/>", Format::Urdf),
            ("a.urdf", "<!DOCTYPE a><mujoco>", Format::Mjcf),
            ("a.urdf", "no xml", Format::Urdf),
            ("a.mjcf", "<", Format::Mjcf),
            ("a.xml", "<!--", Format::Mjcf),
        ] {
            assert_eq!(detect_format(Path::new(name), text), expected, "{text}");
        }
    }
}
