//! Animations: one HTML file that plays a motion.

mod arrows;
mod encode;
mod model;
mod stills;

pub use encode::encode_animation;
pub use model::{Animation, Signal, Trace};
pub use stills::{Stills, still_pictures};

use dqdt_document::report::escape;

/// Script of the player; `createPlayer` in the last file starts it.
const SCRIPT: &str =
    concat!(include_str!("motion.js"), "\n", include_str!("curves.js"), "\n", include_str!("player.js"));

/// Prints an animation as one HTML file, with script and style included and nothing to download.
///
/// Frames that are not finite, not in ascending order of time, or of another structure than the
/// first are dropped. More than a few thousand frames are thinned.
pub fn animation(animation: &Animation) -> String {
    let subtitle = match animation.subtitle.as_str() {
        "" => String::new(),
        s => format!("<p>{}</p>", escape::escape_xml(s)),
    };
    include_str!("page.html")
        .split_inclusive("@@")
        .map(|part| match part {
            "title@@" => escape::escape_xml(&animation.title),
            "subtitle@@" => subtitle.clone(),
            "style@@" => concat!(include_str!("player.css"), include_str!("page.css")).to_owned(),
            "data@@" => encode::encode_animation(animation),
            "script@@" => SCRIPT.to_owned(),
            part => part.trim_end_matches("@@").to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_its_parts_once_and_fetches_nothing() {
        let page = animation(&Animation { title: "a@@data@@ <b>".into(), ..Animation::default() });
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert_eq!(page.matches("default-src 'none'").count(), 1);
        assert!(!page.contains("http://") && !page.contains("https://"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert_eq!(page.matches("a@@data@@ &lt;b&gt;").count(), 2);
    }
}
