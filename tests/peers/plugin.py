"""Emits our code from the specs and compiles it to the shared objects that `harness` times.

usage: plugin.py WORK [MODEL...]   PEERS_FUNCTIONS names functions (all)

Every function is emitted alone, as a user who needs only it would do. Flags of rustc are those that peers in Rust get.
Writes WORK/so/TOOL--MODEL--FUNCTION.so, and one line each to WORK/out/plugins.tsv:
tool model function formalism products sums divisions pairs bytes_of_code seconds_of_emit seconds_of_rustc
"""

import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

from models import LOOPS, MODELS, ROOT, joint_types, loop_path, spec_path

# What the harness calls a function, and its name in the emitted module.
FUNCTIONS = {"fd": "dqdt", "id": "inverse_dynamics", "crba": "mass_matrix", "dfd": "linearize", "loop": "dqdt"}
# Forms of the forward dynamics. The other two functions are emitted in the default form only.
FORMS = ["default", "auto", "composite_body", "articulated_body", "mixed"]
LOOP_FORMS = ["default", "auto", "maggi_coordinates"]
# Their graphs grow with the cube of a chain's length, and the code is never the quickest.
DENSE = {"composite_body"}
TOO_LONG_FOR_DENSE = {"chain50", "talosfull"}

RUSTC = ["rustc", "--edition", "2024", "-C", "opt-level=3", "-C", "panic=abort", "-C", "codegen-units=1"]
NATIVE = ["-C", "target-cpu=native"]

WRAPPER = """\
#[path = "{source}"]
#[rustfmt::skip]
mod m;
static mut MODEL: core::mem::MaybeUninit<m::Model<f64>> = core::mem::MaybeUninit::uninit();
extern "C" fn init() {{
    unsafe {{ (*(&raw mut MODEL)).write(m::Model::default()); }}
}}
#[used]
#[unsafe(link_section = ".init_array")]
static INIT: extern "C" fn() = init;
#[unsafe(no_mangle)]
pub unsafe extern "C" fn entry(
    arg: *const *const f64, res: *const *mut f64, _iw: *mut i64, _w: *mut f64, _mem: i32,
) -> i32 {{
    unsafe {{
        let model = (*(&raw const MODEL)).assume_init_ref();
        {state}
        {call}
    }}
}}
{order}"""
# `linearize` writes ∂ẋ/∂x and ∂ẋ/∂u by rows, of which the lower halves are those of the accelerations. Its columns of a free
# joint's place are along the axes of the ground, Pinocchio's along those of the body; both are zero: nothing here depends on
# that place.
ORDER = """\
type Own = m::Linearization<f64>;
#[unsafe(no_mangle)]
pub extern "C" fn length() -> i64 {
    (size_of::<Own>() / 8) as i64
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ordered(own: *const Own, out: *mut f64) {
    const N: usize = m::NV;
    const { assert!(m::NU == N) };
    unsafe {
        let (a, b) = (&(*own).a, &(*own).b);
        for i in 0..N {
            for j in 0..2 * N { *out.add(j * N + i) = a[N + i][j]; }
            for j in 0..N { *out.add((2 * N + j) * N + i) = b[N + i][j]; }
        }
    }
}
trait Answer { fn refused(&self) -> i32; }
impl Answer for () { fn refused(&self) -> i32 { 0 } }
impl<E> Answer for Result<(), E> { fn refused(&self) -> i32 { self.is_err() as i32 } }
"""
CALLS = {
    "fd": "let mut dx = [0.0; m::NX]; let r = m::dqdt(model, 0.0, {x}, &*(*arg.add(2) as *const [f64; m::NU]), &mut dx); "
    "let o = *res; for i in 0..m::NV {{ *o.add(i) = dx[m::NQ + i]; }} r.is_err() as i32",
    "id": "m::inverse_dynamics(model, 0.0, {x}, &*(*arg.add(2) as *const [f64; m::NV]), &mut *(*res as *mut [f64; m::NV])); 0",
    "dfd": "m::linearize(model, 0.0, {x}, &*(*arg.add(2) as *const [f64; m::NU]), &mut *(*res as *mut Own)).refused()",
    "crba": "m::mass_matrix(model, 0.0, {x}, &mut *(*res as *mut [[f64; m::NV]; m::NV])); 0",
}
CALLS["loop"] = CALLS["fd"].replace("arg.add(2)", "arg.add(4)")


def order_of_coordinates(model):
    """Index into the coordinates of Pinocchio, whose quaternions are x y z w, for each of ours, w x y z."""
    order = []
    for kind in joint_types(model):
        k = len(order)
        if kind == "free":
            order += [k, k + 1, k + 2, k + 6, k + 3, k + 4, k + 5]
        elif kind == "spherical":
            order += [k + 3, k, k + 1, k + 2]
        else:
            order.append(k)
    return order


def speeds(model):
    return sum({"free": 6, "spherical": 3}.get(kind, 1) for kind in joint_types(model))


def wrapper(source, model, function):
    if function == "loop":
        state = "let x = &*(*arg.add(3) as *const [f64; m::NX]);"
        return WRAPPER.format(source=source, state=state, call=CALLS[function].format(x="x"), order="")
    order = order_of_coordinates(model)
    if order == list(range(len(order))):
        # The harness keeps q and v side by side.
        state, x = "let x = &*(*arg as *const [f64; m::NX]);", "x"
    else:
        entries = [f"*q.add({i})" for i in order] + [f"*v.add({i})" for i in range(speeds(model))]
        state = f"let q = *arg; let v = *arg.add(1); let x: [f64; m::NX] = [{', '.join(entries)}];"
        x = "&x"
    own_order = ORDER if function == "dfd" else ""
    return WRAPPER.format(source=source, state=state, call=CALLS[function].format(x=x), order=own_order)


def run(command, limit=1800, env=None):
    """Output of errors, seconds of this process's child; None instead of the seconds if it failed."""
    start = time.monotonic()
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=os.environ | (env or {}),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    return done.stderr.strip(), time.monotonic() - start if done.returncode == 0 else None


def runtime(work):
    """The crate `dqdt`, with the same flags."""
    target = work / "runtime"
    flags = [*NATIVE, "-C", "opt-level=3", "-C", "panic=abort", "-C", "codegen-units=1"]
    command = ["cargo", "build", "--release", "-q", "-p", "dqdt", "--manifest-path", str(ROOT / "Cargo.toml")]
    errors, seconds = run([*command, "--target-dir", str(target)], env={"RUSTFLAGS": " ".join(flags)})
    if seconds is None:
        sys.exit(f"the runtime does not compile:\n{errors}")
    return target / "release" / "libdqdt.rlib"


def counts(header, function):
    line = re.search(rf"^// {function}: (.*?)(?:; once.*)?\.$", header, re.M)
    line = line.group(1) if line else ""

    def number(word):
        found = re.search(rf"(\d+) {word}", line)
        return int(found.group(1)) if found else 0

    return [number(word) for word in ("multiplication", "addition", "division", "sin/cos")]


def code_bytes(library):
    """Of the entry and what is called from our module and our runtime; the rest of the library is Rust's."""
    symbols = subprocess.run(["nm", "-S", "--defined-only", library], capture_output=True, text=True).stdout
    rows = [line.split() for line in symbols.splitlines()]
    mine = re.compile(r"^entry$|1p1m|4dqdt")
    return sum(int(r[1], 16) for r in rows if len(r) == 4 and mine.search(r[3]))


def build(work, rlib, model, function, form, unfused):
    tool = "dqdt_" + form + ("_unfused" if unfused else "")
    name = f"{tool}--{model}--{function}"
    source = work / "gen" / f"{name}.rs"
    spec = loop_path(model) if function == "loop" else spec_path(model)
    emit = [os.environ.get("DQDT", str(ROOT / "target/release/dqdt")), "emit", str(spec), "-o", str(source)]
    emit += ["--functions", FUNCTIONS[function]]
    emit += [] if form == "default" else ["--formalism", form]
    emit += ["--unfused"] if unfused else []
    errors, emitted = run(emit)
    if emitted is None:
        print(f"{name}: not emitted: {errors[:300]}", file=sys.stderr)
        return
    header = source.read_text()[:8000]
    wrap = work / "gen" / f"{name}.wrap.rs"
    wrap.write_text(wrapper(source, model, function))
    library = work / "so" / f"{name}.so"
    command = [*RUSTC, *NATIVE, "--crate-name", "p", "--crate-type", "cdylib", "--extern", f"dqdt={rlib}"]
    command += ["-L", f"dependency={rlib.parent / 'deps'}"]
    errors, compiled = run([*command, "-A", "warnings", str(wrap), "-o", str(library)])
    if compiled is None:
        print(f"{name}: rustc: {errors[:600]}", file=sys.stderr)
        return
    formalism = re.search(r"formalism: (\w+)", header).group(1)
    row = [tool, model, function, formalism, *counts(header, FUNCTIONS[function])]
    row += [code_bytes(library), f"{emitted:.2f}", f"{compiled:.2f}"]
    with open(work / "out" / "plugins.tsv", "a") as log:
        log.write("\t".join(map(str, row)) + "\n")
    print(*row, flush=True)


def main():
    work = Path(sys.argv[1]).resolve()
    asked = sys.argv[2:] or [*MODELS, *LOOPS]
    functions = os.environ.get("PEERS_FUNCTIONS", "").split() or list(FUNCTIONS)
    rlib = runtime(work)
    (work / "out" / "plugins.tsv").unlink(missing_ok=True)
    for model in asked:
        for unfused in (False, True):
            for function in functions:
                if (model in LOOPS) != (function == "loop"):
                    continue
                for form in {"fd": FORMS, "loop": LOOP_FORMS}.get(function, ["default"]):
                    if function != "fd" or form not in DENSE or model not in TOO_LONG_FOR_DENSE:
                        build(work, rlib, model, function, form, unfused)


if __name__ == "__main__":
    main()
