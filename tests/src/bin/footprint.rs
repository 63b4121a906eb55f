//! Stack and code size of every generated `f64` function, for the host and for a Cortex-M4F:
//! `generated/FOOTPRINT.md`.
//!
//! Problem: firmware must know the memory cost of a call before it runs.
//! Method:  `dqdt-generated` is compiled in release as assembly and object code. The frame of a
//!          function is read from the assembly, its size from the symbol table, and both are
//!          followed through calls inside the crate. Numbers depend on the compiler, so the table
//!          names it and CI does not compare it.
//! Limits:  functions of other crates (sines of the system, software floating point, `memcpy`) are
//!          not counted.
//!
//! `cargo run -p dqdt-tests --bin footprint` writes the table and prints it. It needs the target
//! `thumbv7em-none-eabihf` (`rustup target add`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use dqdt_tests::{plain_functions, root};
use object::{Object, ObjectSymbol, SymbolKind};

const ARM: &str = "thumbv7em-none-eabihf";

/// Memory use and calls of a compiled function.
#[derive(Default)]
struct Compiled {
    /// Bytes of stack: saved registers, locals, and the return address if the call pushes it.
    frame: u64,
    /// Bytes of code, including constants between instructions.
    code: u64,
    calls: BTreeSet<String>,
    /// Name of another function with the same code.
    same_as: Option<String>,
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// Compiles `dqdt-generated` for a target and reads every function of the crate.
fn compile(target: &str, mathematics: &str) -> Result<BTreeMap<String, Compiled>, String> {
    let folder = root("target/footprint");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let file = |extension: &str| folder.join(format!("{target}.{extension}"));
    let (assembly, objects) = (file("s"), file("o"));
    let emit = format!("--emit=asm={},obj={}", assembly.display(), objects.display());
    run(Command::new(env!("CARGO"))
        .args(["rustc", "-p", "dqdt-generated", "--release", "--no-default-features"])
        .args(["--features", mathematics, "--target", target, "--target-dir"])
        .arg(&folder)
        // Debug information makes the compiler describe every change of the stack pointer.
        .args(["--", &emit, "-Ccodegen-units=1", "-Cdebuginfo=1"])
        .current_dir(root("")))?;
    let text = read(&assembly)?;
    let bytes = std::fs::read(&objects).map_err(|e| format!("{}: {e}", objects.display()))?;
    let mut functions = parse(&String::from_utf8_lossy(&text), target)?;
    let object = object::File::parse(&*bytes).map_err(|e| format!("{}: {e}", objects.display()))?;
    for symbol in object.symbols().filter(|s| s.kind() == SymbolKind::Text) {
        if let Some(function) = symbol.name().ok().and_then(|name| functions.get_mut(name)) {
            function.code = symbol.size();
        }
    }
    Ok(functions)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let help = "remove target/footprint, so that the compiler writes it again";
    std::fs::read(path).map_err(|e| format!("{}: {e}; {help}", path.display()))
}

fn declared_function(line: &str) -> Option<String> {
    let (name, kind) = line.trim().strip_prefix(".type")?.trim().split_once(',')?;
    kind.contains("function").then(|| name.trim().to_owned())
}

fn is_no_symbol_char(c: char) -> bool {
    !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.'))
}

/// Frames and calls of all functions in an assembly text.
fn parse(text: &str, target: &str) -> Result<BTreeMap<String, Compiled>, String> {
    let mut functions: BTreeMap<String, Compiled> = BTreeMap::new();
    let names: BTreeSet<String> = text.lines().filter_map(declared_function).collect();
    let mut current: Option<String> = None;
    for line in text.lines() {
        if let Some(label) = line.strip_suffix(':').filter(|l| names.contains(*l)) {
            // The call itself pushes the return address.
            let frame = if target.starts_with("x86_64") { 8 } else { 0 };
            functions.entry(label.to_owned()).or_insert(Compiled { frame, ..Compiled::default() });
            current = Some(label.to_owned());
            continue;
        }
        let line = line.trim();
        // The compiler merges functions of equal code; the second name is an alias.
        if let Some((name, same)) = line.split_once(" = ").filter(|(name, _)| names.contains(*name)) {
            let same_as = Some(same.trim().to_owned());
            functions.insert(name.to_owned(), Compiled { same_as, ..Compiled::default() });
        }
        if line.starts_with(".size") {
            current = None;
        }
        let Some(name) = &current else { continue };
        let Some(function) = functions.get_mut(name) else { continue };
        let read = if target == ARM {
            arm_frame(line, &mut function.frame)
        } else {
            host_frame(line, &mut function.frame)
        };
        read.ok_or_else(|| format!("{name}: cannot read the frame from `{line}`"))?;
        if !line.starts_with('.') {
            let callees = line.split(is_no_symbol_char).filter(|w| names.contains(*w) && w != name);
            function.calls.extend(callees.map(str::to_owned));
        }
    }
    Ok(functions)
}

/// Updates the frame size on x86-64 by a CFA directive, which includes the return address. `None`
/// if the stack use of the line is unknown.
fn host_frame(line: &str, frame: &mut u64) -> Option<()> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match word {
        ".cfi_def_cfa_offset" => *frame = (*frame).max(rest.trim().parse().ok()?),
        ".cfi_def_cfa" => *frame = (*frame).max(rest.split_once(',')?.1.trim().parse().ok()?),
        ".cfi_adjust_cfa_offset" => {
            *frame = frame.checked_add_signed(rest.trim().parse::<i64>().ok()?.max(0))?
        }
        _ => {}
    }
    Some(())
}

/// Updates the frame size on ARM by a prologue instruction. `None` if its stack use is unknown.
fn arm_frame(line: &str, frame: &mut u64) -> Option<()> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let registers = || -> Option<u64> {
        let list = rest.trim().strip_prefix('{')?.strip_suffix('}')?;
        Some(list.split(',').count() as u64)
    };
    match word {
        "push" | "push.w" => *frame += 4 * registers()?,
        "vpush" => *frame += 8 * registers()?,
        "str" | "str.w" if rest.contains("[sp, #-") && rest.ends_with("]!") => *frame += 8,
        "sub" | "sub.w" | "subw" if rest.trim().starts_with("sp,") => {
            *frame += rest.rsplit_once('#')?.1.trim().parse::<u64>().ok()?;
        }
        _ => {}
    }
    Some(())
}

/// Finds a function by name, following aliases of merged functions.
fn resolve<'a>(functions: &'a BTreeMap<String, Compiled>, name: &str) -> Option<(&'a String, &'a Compiled)> {
    let (name, function) = functions.get_key_value(name)?;
    match &function.same_as {
        Some(other) => functions.get_key_value(other),
        None => Some((name, function)),
    }
}

/// Cost of a call in bytes: own frame, stack of the deepest call chain, code of
/// all reached functions.
fn call_cost(functions: &BTreeMap<String, Compiled>, name: &str) -> Result<(u64, u64, u64), String> {
    fn depth(functions: &BTreeMap<String, Compiled>, name: &str, reached: &mut Vec<String>) -> Option<u64> {
        // A cycle would be a recursion of unknown depth. Emitted code has none.
        if reached.len() > 1000 {
            return None;
        }
        let (name, function) = resolve(functions, name)?;
        reached.push(name.to_owned());
        let mut deepest = 0;
        for called in &function.calls {
            deepest = deepest.max(depth(functions, called, reached)?);
        }
        Some(function.frame + deepest)
    }
    let mut reached = Vec::new();
    let stack =
        depth(functions, name, &mut reached).ok_or_else(|| format!("{name}: calls cannot be followed"))?;
    let reached: BTreeSet<String> = reached.into_iter().collect();
    let code = reached.iter().filter_map(|n| functions.get(n)).map(|f| f.code).sum();
    let frame = resolve(functions, name).map_or(0, |(_, f)| f.frame);
    Ok((frame, stack, code))
}

/// The symbol of a method of a module's `Model`, for both mangling schemes.
fn find_symbol<'a>(
    functions: &'a BTreeMap<String, Compiled>,
    module: &str,
    name: &str,
) -> Option<&'a String> {
    let path = format!("14dqdt_generated{}{module}", module.len());
    let method = format!("{}{name}", name.len());
    // The legacy mangling appends a hash.
    let hashed = format!("{method}17h");
    functions
        .keys()
        .find(|s| s.contains(&path) && s.contains("Model") && (s.ends_with(&method) || s.contains(&hashed)))
}

fn format_table() -> Result<String, String> {
    let version = run(Command::new("rustc").arg("-vV"))?;
    let version_line =
        |key: &str| version.lines().find_map(|l| l.strip_prefix(key)).unwrap_or_default().trim().to_owned();
    let (host, release) = (version_line("host:"), version_line("release:"));
    let compiled = [compile(&host, "std")?, compile(ARM, "libm")?];
    let mut out = format!(
        "# Stack and code of the generated functions\n\n\
         Bytes of each `f64` function, compiled in release by rustc {release} for {host} and for {ARM}\n\
         (a Cortex-M4F: it computes doubles in software). *Frame* is the function's own; *stack* adds the deepest chain\n\
         of calls inside the crate, *code* all that it reaches there. Functions of other crates (`sin_cos` of one angle,\n\
         software floating point, `memcpy`) come on top.\n\n\
         Written by `cargo run -p dqdt-tests --bin footprint`; the numbers depend on the compiler.\n"
    );
    for (module, names) in plain_functions().map_err(|e| e.to_string())? {
        let _ = writeln!(out, "\n## {module}\n");
        let _ = writeln!(out, "| function | frame | stack | code | frame, ARM | stack, ARM | code, ARM |");
        let _ = writeln!(out, "|---|---|---|---|---|---|---|");
        for name in names {
            let _ = write!(out, "| {name} |");
            for functions in &compiled {
                let symbol = find_symbol(functions, &module, &name)
                    .ok_or_else(|| format!("{module}::{name}: no symbol"))?;
                let (frame, stack, code) = call_cost(functions, symbol)?;
                let _ = write!(out, " {frame} | {stack} | {code} |");
            }
            out.push('\n');
        }
    }
    Ok(out)
}

fn main() -> ExitCode {
    let result = format_table().and_then(|text| {
        print!("{text}");
        std::fs::write(root("generated/FOOTPRINT.md"), text).map_err(|e| e.to_string())
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
