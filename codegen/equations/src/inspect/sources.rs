//! Literature behind the equations of a report, also as BibTeX.
//!
//! Bibliographic facts only, as the publishers give them; the full list is `docs/literature.md`.

use dqdt_document::report::{Block, Section};
use dqdt_mechanics::formalism::{ConstraintsBy, Formalism};
use dqdt_mechanics::mechanism::Mechanism;

/// A publication on which equations are based, as a citation and as a BibTeX entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Publication {
    /// BibTeX citation key, such as `KaneLevinson1985`.
    pub key: &'static str,
    /// Kind of BibTeX entry: `book`, `article`.
    pub kind: &'static str,
    /// BibTeX fields with their values, such as the title.
    pub fields: &'static [(&'static str, &'static str)],
    /// Full citation in one line, as the report prints it.
    pub text: &'static str,
}

/// Book on Kane's equations.
const KANE: Publication = Publication {
    key: "KaneLevinson1985",
    kind: "book",
    fields: &[
        ("author", "Kane, Thomas R. and Levinson, David A."),
        ("title", "Dynamics: Theory and Applications"),
        ("publisher", "McGraw-Hill"),
        ("year", "1985"),
    ],
    text: "T. R. Kane, D. A. Levinson, Dynamics: Theory and Applications. McGraw-Hill, 1985",
};
/// Book on rigid body dynamics algorithms (RNEA, CRBA, ABA).
const FEATHERSTONE: Publication = Publication {
    key: "Featherstone2008",
    kind: "book",
    fields: &[
        ("author", "Featherstone, Roy"),
        ("title", "Rigid Body Dynamics Algorithms"),
        ("publisher", "Springer"),
        ("year", "2008"),
        ("doi", "10.1007/978-1-4899-7560-7"),
    ],
    text: "R. Featherstone, Rigid Body Dynamics Algorithms. Springer, 2008. doi:10.1007/978-1-4899-7560-7",
};
/// Article on manipulators, the origin of the articulated-body solution.
const VERESHCHAGIN: Publication = Publication {
    key: "Vereshchagin1974",
    kind: "article",
    fields: &[
        ("author", "Vereshchagin, A. F."),
        ("title", "Computer simulation of the dynamics of complicated mechanisms of robot-manipulators"),
        ("journal", "Engineering Cybernetics"),
        ("volume", "12"),
        ("number", "6"),
        ("pages", "65--70"),
        ("year", "1974"),
    ],
    text: "A. F. Vereshchagin, Computer simulation of the dynamics of complicated mechanisms of robot-manipulators. Engineering \
           Cybernetics 12(6), 65–70, 1974",
};
/// Article that classifies the equations of trees of bodies.
const TREE_FORMS: Publication = Publication {
    key: "ByachkovIvanovShimanovsky2009",
    kind: "article",
    fields: &[
        ("author", "Byachkov, A. B. and Ivanov, V. N. and Shimanovsky, V. A."),
        (
            "title",
            "Classification of forms of the dynamics equations of systems of bodies with the structure of a tree",
        ),
        ("journal", "Bulletin of Perm University. Mathematics. Mechanics. Informatics"),
        ("volume", "7(33)"),
        ("year", "2009"),
        ("note", "In Russian"),
    ],
    text: "A. B. Byachkov, V. N. Ivanov, V. A. Shimanovsky, Classification of forms of the dynamics equations of systems of \
           bodies with the structure of a tree (in Russian). Bulletin of Perm University. Mathematics. Mechanics. Informatics \
           7(33), 2009",
};
/// Book on multibody systems with constraints and multipliers.
const WITTENBURG: Publication = Publication {
    key: "Wittenburg2008",
    kind: "book",
    fields: &[
        ("author", "Wittenburg, Jens"),
        ("title", "Dynamics of Multibody Systems"),
        ("edition", "2"),
        ("publisher", "Springer"),
        ("year", "2008"),
        ("doi", "10.1007/978-3-540-73914-2"),
    ],
    text: "J. Wittenburg, Dynamics of Multibody Systems, 2nd ed. Springer, 2008. doi:10.1007/978-3-540-73914-2",
};
/// Book with Maggi's equations, for projection on the null space.
const MAGGI: Publication = Publication {
    key: "Maggi1896",
    kind: "book",
    fields: &[
        ("author", "Maggi, Gian Antonio"),
        ("title", "Principii della teoria matematica del movimento dei corpi"),
        ("publisher", "Hoepli"),
        ("address", "Milano"),
        ("year", "1896"),
    ],
    text: "G. A. Maggi, Principii della teoria matematica del movimento dei corpi. Hoepli, Milano, 1896",
};
/// Article on the stabilisation of constraints.
const BAUMGARTE: Publication = Publication {
    key: "Baumgarte1972",
    kind: "article",
    fields: &[
        ("author", "Baumgarte, J."),
        ("title", "Stabilization of constraints and integrals of motion in dynamical systems"),
        ("journal", "Computer Methods in Applied Mechanics and Engineering"),
        ("volume", "1"),
        ("number", "1"),
        ("pages", "1--16"),
        ("year", "1972"),
        ("doi", "10.1016/0045-7825(72)90018-7"),
    ],
    text: "J. Baumgarte, Stabilization of constraints and integrals of motion in dynamical systems. Computer Methods in Applied \
           Mechanics and Engineering 1(1), 1–16, 1972. doi:10.1016/0045-7825(72)90018-7",
};

/// All publications that a report can cite.
const ALL: [Publication; 7] = [KANE, FEATHERSTONE, VERESHCHAGIN, TREE_FORMS, WITTENBURG, MAGGI, BAUMGARTE];

/// The publications behind a formalism and behind the treatment of a mechanism's constraints.
pub fn cited_publications(m: &Mechanism, formalism: Formalism) -> Vec<Publication> {
    let facts = formalism.facts();
    let mut out: Vec<Publication> =
        facts.sources.iter().filter_map(|key| ALL.into_iter().find(|s| s.key == *key)).collect();
    let mut add = |source: Publication| {
        if !out.contains(&source) {
            out.push(source);
        }
    };
    if !m.constraints.is_empty() {
        add(if facts.constraints == ConstraintsBy::Projection { MAGGI } else { WITTENBURG });
    }
    if m.constraints.iter().any(|c| c.stabilisation.is_some()) {
        add(BAUMGARTE);
    }
    out
}

/// Text of a BibTeX file with these sources.
pub fn bibtex_text(sources: &[Publication]) -> String {
    let mut out = String::new();
    for s in sources {
        out.push_str(&format!("@{}{{{},\n", s.kind, s.key));
        for (field, value) in s.fields {
            out.push_str(&format!("  {field} = {{{value}}},\n"));
        }
        out.push_str("}\n\n");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The section `Sources` at the end of a report, with citations in one line each.
pub(super) fn sources_section(m: &Mechanism, formalism: Formalism) -> Section {
    let list =
        cited_publications(m, formalism).iter().map(|s| (s.key.to_owned(), s.text.to_owned())).collect();
    Section::new("Sources").with_block(Block::Sources(list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_generate::pipeline;
    use std::path::Path;

    fn keys_of(name: &str, formalism: Formalism) -> Vec<&'static str> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/specs/{name}.toml"));
        cited_publications(&pipeline::load(&path).unwrap().mechanism, formalism)
            .iter()
            .map(|s| s.key)
            .collect()
    }

    #[test]
    fn what_is_named_is_what_the_formalism_and_the_constraints_are_from() {
        assert_eq!(keys_of("double_pendulum", Formalism::Kane), ["KaneLevinson1985"]);
        assert_eq!(keys_of("four_bar", Formalism::Kane), ["KaneLevinson1985", "Wittenburg2008"]);
        assert_eq!(keys_of("four_bar", Formalism::Maggi), ["Maggi1896", "ByachkovIvanovShimanovsky2009"]);
    }

    #[test]
    fn each_formalism_has_sources_and_all_are_known() {
        for f in Formalism::ALL {
            let keys = f.facts().sources;
            assert!(!keys.is_empty(), "{}", f.name());
            assert!(keys.iter().all(|k| ALL.iter().any(|s| s.key == *k)), "{}: {keys:?}", f.name());
        }
    }

    #[test]
    fn every_source_has_its_year_in_its_key_and_what_an_entry_needs() {
        let bib = bibtex_text(&ALL);
        for s in ALL {
            let field = |key: &str| s.fields.iter().find(|(k, _)| *k == key).map(|(_, v)| *v);
            let year = field("year").unwrap();
            assert!(s.key.ends_with(year) && s.text.contains(year), "{}", s.key);
            assert!(field("author").is_some() && field("title").is_some());
            assert!(field(if s.kind == "book" { "publisher" } else { "journal" }).is_some(), "{}", s.key);
            assert_eq!(bib.matches(&format!("{{{},\n", s.key)).count(), 1);
        }
        assert_eq!(bib.matches('{').count(), bib.matches('}').count());
        assert!(bib.ends_with("}\n"));
    }
}
