"""Times of the package: import, load and compile, calls for one state and batches.

`python python/bench.py [SPEC...]`, with an extension module built with `--release`. After
`cargo build --release -p dqdt-native --example native_times`, also of the native call in a loop in
Rust over the states of the batch, one state a call.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))


def best(f, seconds=0.005, repeats=50):
    """Least time of a call [s]."""
    count = 1
    while True:
        begin = time.perf_counter()
        for _ in range(count):
            f()
        if time.perf_counter() - begin > seconds:
            break
        count *= 2
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        for _ in range(count):
            f()
        times.append((time.perf_counter() - begin) / count)
    return min(times)


def import_time(code):
    """Least time of a new interpreter that runs this code [s]."""
    times = []
    for _ in range(9):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT / "python")
        times.append(time.perf_counter() - begin)
    return min(times)


def native_call(spec, states, inputs):
    """Time of the native call of `dqdt` for one state [s]; None without the program that measures it."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = target / "release/examples/native_times"
    if not program.is_file():
        return None
    with tempfile.NamedTemporaryFile() as file:
        file.writelines(x.tobytes() + u.tobytes() for x, u in zip(states, inputs))
        file.flush()
        return 1e-9 * float(subprocess.check_output([program, "--states", file.name, spec]))


def main():
    print(f"import beyond NumPy: {1e3 * (import_time('import dqdt') - import_time('import numpy')):.1f} ms")
    import numpy as np

    import dqdt

    specs = sys.argv[1:] or [
        ROOT / "examples/specs/cart_pole.toml",
        ROOT / "examples/specs/panda_arm.toml",
        ROOT / "tests/data/urdf/panda.urdf",
    ]
    random = np.random.default_rng(1)
    for spec in specs:
        begin = time.perf_counter()
        m = dqdt.load(spec)
        loaded = time.perf_counter()
        f = m.compile("dqdt")
        compiled = time.perf_counter()
        search = m.compile("dqdt", search=True)
        searched = time.perf_counter()
        print(
            f"{m.name}: load {1e3 * (loaded - begin):.0f} ms, compile dqdt {1e3 * (compiled - loaded):.0f} ms, "
            f"with the search {1e3 * (searched - compiled):.0f} ms"
        )
        x, u = m.start, m.default_inputs
        states = x + 0.1 * random.standard_normal((10_000, m.nx))
        inputs = np.tile(u, (10_000, 1))
        out = np.empty_like(states)
        for label, function in [("", f.dqdt), ("searched ", search.dqdt)]:
            single = best(lambda: function(0.0, x, u))
            batch = best(lambda: function(0.0, states, inputs, out=out)) / 10_000
            two = best(lambda: function(0.0, states, inputs, out=out, threads=2)) / 10_000
            print(f"  {label}single {1e9 * single:.0f} ns; batch of 10,000 {1e9 * batch:.0f} ns a state, two threads {1e9 * two:.0f} ns")
        rows = list(zip(states[:1000], inputs[:1000]))

        def one_by_one():
            for x, u in rows:
                f.dqdt(0.0, x, u)

        native = single = batch = float("inf")
        for _ in range(5):
            # In turns: other work on the machine slows all of them.
            native = min(native, native_call(spec, states, inputs) or native)
            single = min(single, best(one_by_one) / 1000)
            batch = min(batch, best(lambda: f.dqdt(0.0, states, inputs, out=out)) / 10_000)
        if native < float("inf"):
            print(
                f"  native call {1e9 * native:.0f} ns; from Python one state {1e9 * (single - native):.0f} ns more, "
                f"a state of a batch {batch / native:.2f} times as long"
            )
        floats = m.compile("dqdt", precision="single").dqdt
        states32, inputs32 = states.astype("f4"), inputs.astype("f4")
        print(f"  single precision {1e9 * best(lambda: floats(0.0, states32, inputs32)) / 10_000:.0f} ns a state")
        if m.nu:
            name = m.inputs[0]
            begin = time.perf_counter()
            run = m.simulate(2, inputs={name: lambda t, x: 0.0})
            seconds = time.perf_counter() - begin
            begin = time.perf_counter()
            same = m.simulate(2)
            formula = time.perf_counter() - begin
            print(
                f"  simulate 2 s: {1e3 * formula:.0f} ms, {same.evaluations} evaluations; with a callable {1e3 * seconds:.0f} ms, "
                f"{run.evaluations} evaluations"
            )


if __name__ == "__main__":
    main()
