//! The corpus of specs: bad specs give the messages of their `.expected` files, good ones build.
//!
//! `DQDT_BLESS=1` rewrites the expected messages; read every one of them before committing.

use std::path::{Path, PathBuf};

use dqdt_codegen::error::Errors;
use dqdt_codegen::{pipeline, read};
use dqdt_diagnostics::base::Random;
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_samples::tier::cases_by_tier;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/spec").join(name)
}

fn files(name: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder(name))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    files
}

fn is_blessing() -> bool {
    match std::env::var("DQDT_BLESS").as_deref() {
        Ok("1") => true,
        Ok("0") | Err(std::env::VarError::NotPresent) => false,
        other => panic!("DQDT_BLESS is 0 or 1, not {other:?}"),
    }
}

/// All messages about a spec: errors, or the warnings of a spec that builds.
fn messages(name: &str, bytes: Vec<u8>) -> (String, Option<Mechanism>) {
    match compile(name, bytes) {
        Ok((m, warnings)) => (warnings, Some(m)),
        Err(e) => (e.to_string(), None),
    }
}

fn compile(name: &str, bytes: Vec<u8>) -> Result<(Mechanism, String), Errors> {
    // Relative paths of templates start at the folder `pass`.
    let settings = read::Settings::new().folder(folder("pass"));
    let loaded = pipeline::build(&read::parse_with(name, bytes, &settings)?, name)?;
    let warnings = loaded.warnings.render(false);
    Ok((loaded.mechanism, warnings))
}

#[test]
fn bad_specs_are_refused_in_the_expected_words() {
    let mut wrong = Vec::new();
    let all = files("fail");
    assert!(all.len() >= 100, "{} cases", all.len());
    for path in all {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (text, mechanism) = messages(&name, std::fs::read(&path).unwrap());
        assert!(!text.is_empty(), "{name} is accepted without a word");
        assert_eq!(mechanism.is_some(), name.starts_with("warn_"), "{name}: {text}");
        // One newline at the end, no blanks at the ends of lines.
        let text: String = text.trim_end().lines().map(|l| format!("{}\n", l.trim_end())).collect();
        let expected = path.with_extension("expected");
        if is_blessing() {
            std::fs::write(&expected, text).unwrap();
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != text {
            wrong.push(format!("{name} now says\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}\nDQDT_BLESS=1 accepts these", wrong.join("\n"));
}

#[test]
fn good_specs_build_without_a_word() {
    for path in files("pass") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (text, mechanism) = messages(&name, std::fs::read(&path).unwrap());
        assert!(mechanism.is_some() && text.is_empty(), "{name}:\n{text}");
    }
}

#[test]
fn expected_messages_have_a_spec() {
    for entry in std::fs::read_dir(folder("fail")).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.with_extension("toml").exists(), "{} is left over", path.display());
    }
}

#[test]
fn a_file_of_ten_megabytes_is_refused_before_it_is_read() {
    let text = "# filler\n".repeat(10 << 20 >> 3);
    let e = read::parse("big.toml", text).unwrap_err();
    assert!(e.to_string().contains("larger than 4 MiB"), "{e}");
}

#[test]
fn ten_thousand_parentheses_are_refused_without_overflow() {
    let deep =
        format!("name = \"deep\"\n[definitions]\na = \"{}1{}\"\n", "(".repeat(10_000), ")".repeat(10_000));
    let (text, _) = messages("deep.toml", deep.into_bytes());
    assert!(text.contains("nested deeper than 100 levels"), "{text}");
    let arrays = format!("name = {}", "[".repeat(10_000));
    let (text, _) = messages("arrays.toml", arrays.into_bytes());
    assert!(text.contains("invalid TOML"), "{text}");
}

#[test]
fn large_bad_files_are_refused_by_short_messages() {
    let mut many_names = String::from("name = \"a\"\n[outputs]\n");
    let mut many_bodies = String::from("name = \"a\"\n");
    let lines = cases_by_tier(3_000, 20_000);
    for i in 0..lines {
        many_names.push_str(&format!("output_{i} = \"nowhere_{i} + 1\"\n"));
        many_bodies.push_str(&format!("[bodies.body_{i}]\n[joints.joint_{i}]\ntype = \"fixed\"\n"));
        many_bodies.push_str(&format!("parent = \"boddy_{i}\"\nchild = \"bodi_{i}\"\n"));
    }
    let mut bomb = String::from("name = \"a\"\n[definitions]\nd0 = \"t*t\"\n");
    (1..13).for_each(|i| bomb.push_str(&format!("d{i} = \"d{0} + d{0}\"\n", i - 1)));
    bomb.push_str("[outputs]\n");
    (0..lines).for_each(|i| bomb.push_str(&format!("output_{i} = \"d12\"\n")));
    for text in [many_names, many_bodies, bomb] {
        let (message, built) = messages("large.toml", text.into_bytes());
        assert!(built.is_none() && message.len() < 200_000);
    }
}

#[test]
fn a_missing_file_is_named() {
    let e = read::read("no/such/file.toml").unwrap_err();
    assert!(e.to_string().contains("cannot read `no/such/file.toml`"), "{e}");
}

#[test]
fn no_mutation_of_a_good_spec_makes_the_reader_panic() {
    let mut random = Random::new(1);
    let seeds: Vec<Vec<u8>> = files("pass").iter().map(|p| std::fs::read(p).unwrap()).collect();
    let alphabet = b"\"'[]{}()=.,#\n -+*/^0123456789eExyz_\xc3\xa9\0";
    for round in 0..1500 {
        let mut bytes = seeds[random.next_below(seeds.len())].clone();
        for _ in 0..1 + random.next_below(4) {
            let at = random.next_below(bytes.len());
            match random.next_below(6) {
                0 => bytes[at] = alphabet[random.next_below(alphabet.len())],
                1 => bytes[at] ^= 1 << random.next_below(8),
                2 => bytes.insert(at, alphabet[random.next_below(alphabet.len())]),
                3 => {
                    // Drop a line.
                    let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
                    let end =
                        bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |i| at + i + 1);
                    bytes.drain(start..end);
                }
                4 => {
                    // Copy a piece to another place.
                    let end = (at + random.next_below(60)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    let to = random.next_below(bytes.len());
                    bytes.splice(to..to, piece);
                }
                _ => bytes.truncate(at.max(1)),
            }
            if bytes.is_empty() {
                bytes.push(b'x');
            }
        }
        let copy = bytes.clone();
        let result = std::panic::catch_unwind(|| messages("mutant.toml", copy).0);
        assert!(result.is_ok(), "round {round}:\n{}", String::from_utf8_lossy(&bytes));
    }
}
