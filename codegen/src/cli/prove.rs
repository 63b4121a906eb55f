//! `dqdt prove`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::{Failure, Source};

#[derive(Args)]
pub(super) struct Prove {
    #[command(flatten)]
    source: Source,
    /// File of formulas that are to be equal to what is derived: elements of M, c, Q, equations of motion
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
}

#[cfg(not(feature = "symbolica"))]
impl Prove {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        super::load(&self.source)?;
        let _: Option<&Path> = self.against.as_deref();
        Err(Failure::NoEngine)
    }
}

#[cfg(feature = "symbolica")]
impl Prove {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        use std::time::Instant;

        use super::symbolic::run;
        use super::{load, output};
        use crate::prove;

        let start = Instant::now();
        if let Some(file) = &self.against {
            return self.against(file);
        }
        let loaded = load(&self.source)?;
        super::check_size(&loaded, &crate::formalism::Formalism::ALL)?;
        let mut claims = prove::claims(&loaded)?;
        let (printed, missing) = prove::printed(&loaded.mechanism, run)?;
        claims.push(printed);
        let mut all = Vec::new();
        for claim in claims {
            let began = Instant::now();
            let decision = prove::decide(claim, run)?;
            output::print(&account(&decision, began.elapsed()))?;
            all.push(decision);
        }
        if missing > 0 {
            output::print(&format!(
                "note       {missing} quantities have no closed form short enough to print\n"
            ))?;
        }
        output::print(&by_formalism(&all))?;
        let verdicts: Vec<_> = all.iter().map(prove::Decision::overall).collect();
        let checked = all.iter().filter(|d| d.checked()).count();
        conclude(&loaded.mechanism.name, &verdicts, checked, start)
    }

    /// `--against FILE`
    fn against(&self, file: &Path) -> Result<ExitCode, Failure> {
        use super::output;
        use super::symbolic::run;
        use crate::prove;

        let start = std::time::Instant::now();
        let spec = super::read(&self.source)?;
        let text = std::fs::read(file).map_err(|e| Failure::file("read", file, e))?;
        let against = prove::against(&spec, &file.display().to_string(), text).map_err(Failure::Spec)?;
        let comparison = against.claim(&file.display().to_string()).map_err(Failure::Spec)?;
        let decision = comparison.decide(run)?;
        for (entry, verdict) in decision.entries.iter().zip(&decision.verdicts) {
            output::print(&element(entry, verdict))?;
        }
        conclude(&decision.title, &decision.verdicts, 0, start)
    }
}

/// What is known of each formalism, in a few lines.
#[cfg(feature = "symbolica")]
fn by_formalism(all: &[crate::prove::Decision]) -> String {
    use crate::formalism::Formalism;
    use crate::prove::Part;
    use crate::symbolic::Verdict;

    let status = |part: Part, f: Formalism| {
        let own: Vec<_> = all.iter().filter(|d| d.about == Some((f, part))).collect();
        let verdicts: Vec<Verdict> = own.iter().map(|d| d.overall()).collect();
        match Verdict::overall(&verdicts) {
            _ if own.is_empty() => None,
            Verdict::Proved { .. } if own.iter().any(|d| d.checked()) => Some("checked"),
            Verdict::Proved { .. } => Some("proved"),
            Verdict::Refuted { .. } => Some("REFUTED"),
            Verdict::Undecided { .. } => Some("undecided"),
        }
    };
    let mut text = String::new();
    for (part, name) in [(Part::Equations, "equations"), (Part::Accelerations, "accelerations")] {
        for word in ["proved", "checked", "undecided", "REFUTED"] {
            let named: Vec<&str> =
                Formalism::ALL.iter().filter(|f| status(part, **f) == Some(word)).map(|f| f.name()).collect();
            if !named.is_empty() {
                text.push_str(&format!("{word:<10} {name} of {}\n", named.join(", ")));
            }
        }
    }
    text
}

/// The last line, and the exit status.
#[cfg(feature = "symbolica")]
fn conclude(
    name: &str,
    all: &[crate::symbolic::Verdict],
    checked: usize,
    start: std::time::Instant,
) -> Result<ExitCode, Failure> {
    use crate::symbolic::Verdict;

    let (word, code) = match Verdict::overall(all) {
        Verdict::Proved { inexact: false } => ("proved", 0),
        Verdict::Proved { inexact: true } => {
            ("proved, with constants of inexact origin taken as they are", 0)
        }
        Verdict::Refuted { .. } => ("refuted", 1),
        Verdict::Undecided { .. } => ("undecided", 2),
    };
    let seconds = start.elapsed().as_secs_f64();
    let but = match (code, checked) {
        (1.., _) | (_, 0) => String::new(),
        (_, 1) => ", 1 claim of these only checked at random points,".to_owned(),
        (_, n) => format!(", {n} claims of these only checked at random points,"),
    };
    super::output::print(&format!("{name}: {word}{but} in {seconds:.1} s\n"))?;
    Ok(ExitCode::from(code))
}

/// An element of a file of formulas and its verdict.
#[cfg(feature = "symbolica")]
fn element(entry: &str, verdict: &crate::symbolic::Verdict) -> String {
    use crate::symbolic::Verdict;

    match verdict {
        Verdict::Proved { .. } => format!("proved     {entry}\n"),
        Verdict::Refuted { witness, difference, .. } => {
            let point: Vec<_> = witness.iter().map(|a| format!("{} = {}", a.name, a.value)).collect();
            format!(
                "REFUTED    {entry}: what is derived less what the file says is {difference}\n           \
                 which is not zero at {}\n",
                point.join(", ")
            )
        }
        Verdict::Undecided { reason, largest, .. } => format!(
            "undecided  {entry}: {reason}; {}\n",
            match largest {
                Some(x) => format!("at random points of 100 digits the sides differ by at most {x}"),
                None => "no random point was in the domain".to_owned(),
            }
        ),
    }
}

/// A line for the claim, and what a reader needs to check a negative answer.
#[cfg(feature = "symbolica")]
fn account(d: &crate::prove::Decision, time: std::time::Duration) -> String {
    use std::fmt::Write as _;

    use crate::symbolic::{Reason, Verdict};

    let entry = |which: usize| d.entries.get(which).map_or("an entry", String::as_str);
    let word = match d.overall() {
        Verdict::Proved { .. } if d.checked() => "checked",
        Verdict::Proved { .. } => "proved",
        Verdict::Refuted { .. } => "REFUTED",
        Verdict::Undecided { .. } => "undecided",
    };
    let mut text =
        format!("{word:<10} {} ({} entries, {:.1} s)\n", d.title, d.verdicts.len(), time.as_secs_f64());
    if d.checked() {
        let why = d.verdicts.iter().find_map(|v| match v {
            // A limit of one term: no proof was tried.
            Verdict::Undecided { reason: Reason::TooLarge { limit: 1 }, .. } => {
                Some("an exact one is not tried for this number of speeds".to_owned())
            }
            Verdict::Undecided { reason, .. } => Some(format!("an exact proof stopped at {reason}")),
            _ => None,
        });
        let _ = writeln!(text, "           at random points of 100 digits; {}", why.unwrap_or_default());
        return text;
    }
    for (position, verdict) in d.verdicts.iter().enumerate() {
        match verdict {
            Verdict::Proved { .. } => {}
            Verdict::Refuted { witness, difference, .. } => {
                let _ =
                    writeln!(text, "           {}: the two sides differ by {difference}", entry(position));
                let point: Vec<_> = witness.iter().map(|a| format!("{} = {}", a.name, a.value)).collect();
                let _ = writeln!(text, "           which is not zero at {}", point.join(", "));
            }
            Verdict::Undecided { reason, largest, .. } => {
                let _ = write!(text, "           {}: {reason}", entry(position));
                let _ = match largest {
                    Some(x) => writeln!(text, "; at random points of 100 digits they differ by at most {x}"),
                    None => writeln!(text, "; no random point was in the domain"),
                };
            }
        }
    }
    text
}
