use super::*;
use dqdt_spec::spec::key::{Family, Kind, TableShape, required};

/// The table of the spec file with an additional key that the parser does not know.
static WINGED: TableShape = TableShape {
    keys: &[
        SPEC.keys[0],
        &[required("wingspan", Kind::Value, "From tip to tip.").unit("m").example("\"2*b\"")],
    ],
};

#[test]
fn a_key_that_is_added_to_a_table_appears() {
    let (before, after) = (keys::spec_page(&SPEC), keys::spec_page(&WINGED));
    assert!(!before.contains("wingspan"));
    assert!(
        after
            .contains("| `wingspan` | value [m] | **required** | From tip to tip.<br>`wingspan = \"2*b\"` |")
    );
    // A family whose only type has this table.
    static MORE: Family = Family {
        noun: "output",
        members: &[("wing", TableShape { keys: WINGED.keys }, "A wing. It flies.")],
    };
    let page = types::type_family_page(&MORE, types::OUTPUTS);
    assert!(page.contains("| [`wing`](#wing) | A wing. |") && page.contains("[outputs.wing]"));
    assert!(page.contains("wingspan = \"2*b\""));
}

#[test]
fn cells_escape_angle_brackets_only_outside_code() {
    assert_eq!(page::escape_cell("x < 0 or `a <= b`, a|b\n`<link>`"), "x &lt; 0 or `a <= b`, a\\|b `<link>`");
}

#[test]
fn every_key_has_a_meaning_and_an_example_that_is_toml() {
    fn check(shape: &'static TableShape, visited: &mut Vec<*const TableShape>) {
        if visited.contains(&std::ptr::from_ref(shape)) {
            return;
        }
        visited.push(shape);
        for key in shape.keys() {
            assert!(key.doc.len() > 4 && !key.doc.contains("Default"), "{}: {}", key.name, key.doc);
            if key.name != "type" {
                let text = format!("{} = {}", key.name, key.example);
                assert!(text.parse::<toml::Table>().is_ok_and(|t| t.len() == 1), "{text}");
            }
            inner(key.kind, visited);
        }
    }
    fn inner(k: Kind, visited: &mut Vec<*const TableShape>) {
        match k {
            Kind::Table(s) => check(s, visited),
            Kind::Named(k) => inner(*k, visited),
            Kind::Either(kinds) => kinds.iter().for_each(|k| inner(*k, visited)),
            Kind::Typed(f) => f.members.iter().for_each(|m| check(&m.1, visited)),
            _ => {}
        }
    }
    let mut visited = Vec::new();
    check(&SPEC, &mut visited);
    assert!(visited.len() > 50, "{}", visited.len());
}

#[test]
fn the_smallest_entry_of_every_type_is_read() {
    // A spec with everything that the examples of keys refer to.
    const AROUND: &str = "name = \"around\"\n\
        [parameters]\nl = { value = 1, unit = \"m\" }\nr = { value = 0.1, unit = \"m\" }\nk = 1\n\
        [ground.points]\nanchor = [0, 0, 2]\n\
        [inputs]\ntorque = \"N*m\"\nF = \"N*m\"\n\
        [states]\nclosed = { rate = \"-closed/1 [s]\" }\n\
        [definitions]\nstretch = \"distance(ground, bob) - l\"\n\
        [bodies.bob]\nmass = 1\ninertia = [1, 1, 1]\n\
        [joints.loose]\ntype = \"free\"\nparent = \"ground\"\nchild = \"bob\"\n\
        coordinates = { names = [\"x\", \"y\", \"z\", \"phi\", \"chi\", \"psi\"] }\n\
        speeds = { names = [\"vx\", \"vy\", \"vz\", \"wx\", \"wy\", \"wz\"] }\n\
        [bodies.base]\nmass = 1\ninertia = [1, 1, 1]\n\
        [joints.base]\ntype = \"prismatic\"\naxis = \"z\"\nparent = \"ground\"\nchild = \"base\"\ncoordinates = { names = [\"s\"] }\n\
        [bodies.rod]\nmass = 1\ninertia = [1, 1, 1]\npoints = { pivot = [0, 0, 0], tip = [\"l\", 0, 0] }\n";
    const HINGE: &str = "[joints.hinge]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"ground\"\nchild = \"rod\"\n\
        coordinates = { names = [\"theta\"] }\n";
    let mut tried = 0;
    for (section, f) in [
        ("joints", &JOINT),
        ("loads", &LOAD),
        ("constraints", &CONSTRAINT),
        ("outputs", &OUTPUT),
        ("events", &EVENT),
    ] {
        for (word, shape, _) in f.members {
            let entry = types::minimal_entry(section, word, shape);
            let hinge = if section == "joints" { "" } else { HINGE };
            let text = format!("{AROUND}{hinge}{entry}");
            let read = dqdt_import::read::parse("around.toml", text.as_str())
                .and_then(|s| dqdt_spec::resolve::resolve(&s));
            // A direction joint needs a line body, which the minimal body is not.
            let messages = read.err().map(|e| e.to_string()).unwrap_or_default();
            assert!(
                messages.is_empty() || (*word == "direction" && messages.contains("[line-body]")),
                "{entry}\n{messages}"
            );
            tried += 1;
        }
    }
    assert!(tried > 45, "{tried}");
}

#[test]
fn every_table_of_types_has_a_page() {
    let pages = reference_pages();
    let files: Vec<&str> = pages.iter().map(|p| p.file.as_str()).collect();
    for family in types::collect_typed_families(&SPEC) {
        assert!(files.contains(&format!("{}s.md", family.noun).as_str()), "{}", family.noun);
    }
    assert_eq!(types::collect_typed_families(&SPEC).len(), 5);
}

#[test]
fn every_function_and_option_appears() {
    let pages = reference_pages();
    let page = |name: &str| &pages.iter().find(|p| p.file == name).unwrap().text;
    for f in dqdt_derivation::functions::ALL {
        assert!(page("module.md").contains(&format!("| `{}` |", f.name)), "{}", f.name);
    }
    for sub in super::super::clap_command().get_subcommands().filter(|c| !c.is_hide_set()) {
        assert!(page("command.md").contains(&format!("## `dqdt {}`", sub.get_name())));
        for option in sub.get_arguments().filter_map(|a| a.get_long()).filter(|l| *l != "help") {
            assert!(page("command.md").contains(&format!("--{option}")), "{} --{option}", sub.get_name());
        }
    }
}
