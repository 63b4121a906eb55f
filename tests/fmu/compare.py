"""Validates functional mock-up units with fmpy, and compares their motions with `dqdt simulate`.

    python3 tests/fmu/compare.py path/to/dqdt [NAME ...]

For each mechanism the unit is exported, validated, integrated by fmpy's own solver (model exchange) and by itself
(co-simulation), and compared with the motion of `dqdt simulate` at tolerances of 1e-12. Derivatives are compared with
`dqdt linearize`. Ends with status 1 if a difference is too large.
"""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.fmi3 import FMU3Model, FMU3Slave
from fmpy.validation import validate_fmu

ROOT = Path(__file__).resolve().parents[2]
SPECS = ROOT / "examples/specs"
# Largest accepted difference of a state in model exchange, at a tolerance of 1e-10.
LIMIT = 1e-7

# Name, spec, options of the export, end of the motion, tolerance of co-simulation, accepted difference there.
CASES = [
    ("cart_pole", SPECS / "cart_pole.toml", ["--with", "energies,reactions"], 3.0, 1e-10, 1e-7),
    ("furuta", SPECS / "furuta_pendulum.toml", [], 1.0, 1e-10, 1e-7),
    ("quadrotor", SPECS / "quadrotor.toml", [], 2.0, 1e-10, 1e-7),
    ("ur5", ROOT / "examples/ur5_computed_torque/ur5_load.toml", [], 1.0, 1e-10, 1e-7),
    ("ur5_urdf", ROOT / "tests/data/urdf/ur5.urdf", ["--accept", "robot-idealised"], 0.5, 1e-10, 1e-7),
    ("bouncing_pendulum", SPECS / "bouncing_pendulum.toml", [], 6.0, 1e-10, 1e-7),
    ("governor", ROOT / "tests/data/stiff/governor.toml", ["--stiff"], 1.0, 1e-8, 1e-4),
    ("rolling_disc", SPECS / "rolling_disc.toml", ["--with", "multipliers"], 2.0, 1e-10, 1e-7),
    ("four_bar", SPECS / "four_bar.toml", [], 2.0, 1e-10, 1e-7),
    ("four_bar_phi", SPECS / "four_bar.toml", ["--independent", "phi"], 0.5, 1e-10, 1e-7),
]

failures = []


def note(name, what, value, limit):
    """Prints a difference, and records it as a failure if it is too large."""
    bad = not value <= limit
    print(f"  {what}: {value:.2e}{f' is above {limit:.0e}' if bad else ''}", flush=True)
    if bad:
        failures.append(f"{name}: {what} {value:.2e}")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done


def reference(dqdt, spec, t_end, step, stiff):
    """Times, states and event times of `dqdt simulate`."""
    command = [dqdt, "simulate", spec, "--t-end", str(t_end), "--step", str(step), "--csv", "-",
               "--rtol", "1e-12", "--atol", "1e-12"]
    if spec.suffix == ".urdf":
        command += ["--accept", "robot-idealised"]
    if stiff:
        command += ["--method", "radau"]
    done = run(command)
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert len(rows) > 1, done.stderr
    table = np.array([[float(x) for x in row] for row in rows[1:]])
    return rows[0], table, done.stderr


def difference(names, header, table, result):
    """Largest difference of the named columns at the times of the table that the result has too, relative to one or to
    the largest value of the column."""
    worst = 0.0
    for name in names:
        column = np.interp(table[:, 0], result["time"], result[name])
        # Only times that both have; nothing is interpolated.
        exact = np.array([np.min(np.abs(result["time"] - t)) < 1e-9 for t in table[:, 0]])
        values = table[:, header.index(name)]
        worst = max(worst, float(np.max(np.abs(column - values)[exact]) / max(1.0, np.max(np.abs(values)))))
    return worst


def event_difference(messages, result):
    """Largest difference of the events that `dqdt simulate` printed from the nearest instant that occurs twice."""
    printed = [float(t) for t in re.findall(r" at ([0-9.]+) s", messages.split("events:")[1])]
    times = result["time"]
    instants = [*times[1:][np.diff(times) == 0.0], times[-1]]
    return nearest(printed, instants)


def nearest(expected, instants):
    """Largest distance of an expected instant from the nearest one."""
    return max(min(abs(t - instant) for instant in instants) for t in expected)


def states_of(description):
    """Names of the states: the variables before the first rate."""
    names = [v.name for v in description.modelVariables]
    return names[1:next(i for i, n in enumerate(names) if n.startswith("der("))]


def check_derivatives(name, dqdt, spec, path, description):
    """Directional derivatives at the start against `dqdt linearize`, where states have no quaternion."""
    if spec.suffix == ".urdf":
        return
    done = run([dqdt, "linearize", spec, "--format", "json"])
    if done.returncode != 0:
        print(f"  linearize: {done.stderr.strip().splitlines()[-1]}")
        return
    answer = json.loads(done.stdout)
    states = states_of(description)
    if len(answer["A"]) != len(states):
        return
    references = {v.name: v.valueReference for v in description.modelVariables}
    inputs = [v.name for v in description.modelVariables if v.causality == "input"]
    outputs = [v.name for v in description.modelVariables if v.causality == "output"]
    unit = FMU3Model(guid=description.guid, unzipDirectory=path, instanceName="x",
                     modelIdentifier=description.modelExchange.modelIdentifier)
    unit.instantiate()
    unit.enterInitializationMode()
    unit.exitInitializationMode()
    unknowns = [references[f"der({s})"] for s in states] + [references[y] for y in outputs]
    worst = 0.0
    for what, knowns in [("AC", states), ("BD", inputs)]:
        expected = np.array([row for part in what for row in answer.get(part, [])], dtype=float)
        for j, known in enumerate(knowns):
            column = np.array(unit.getDirectionalDerivative(unknowns=unknowns, knowns=[references[known]], seed=[1.0]))
            worst = max(worst, np.max(np.abs(column - expected[:, j]) / np.maximum(1.0, np.abs(expected[:, j]))))
    note(name, "directional derivatives", worst, 1e-12)
    unit.terminate()
    unit.freeInstance()


def check_threads(name, path, description, t_end):
    """Fifty instances in four threads give the same bits."""
    results = []

    def steps(count):
        for _ in range(count):
            unit = FMU3Slave(guid=description.guid, unzipDirectory=path, instanceName="x",
                             modelIdentifier=description.coSimulation.modelIdentifier)
            unit.instantiate()
            unit.enterInitializationMode(tolerance=1e-8)
            unit.exitInitializationMode()
            for k in range(10):
                unit.doStep(k * 0.01, 0.01)
            results.append(tuple(unit.getFloat64([1, 2])))
            unit.terminate()
            unit.freeInstance()

    threads = [threading.Thread(target=steps, args=(n,)) for n in (13, 13, 12, 12)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    note(name, "bits that differ between 50 instances", float(len(set(results)) - 1 + 50 - len(results)), 0)


def check_case(dqdt, folder, case):
    name, spec, options, t_end, tolerance, limit = case
    print(name)
    path = Path(folder) / f"{name}.fmu"
    done = run([dqdt, "fmu", spec, "-o", path, *options])
    if done.returncode != 0:
        failures.append(f"{name}: {done.stderr}")
        print(done.stderr)
        return
    problems = validate_fmu(str(path))
    for problem in problems:
        failures.append(f"{name}: {problem}")
        print("  finding:", problem)
    description = read_model_description(str(path))
    step = t_end / 200
    header, table, messages = reference(dqdt, spec, t_end, step, "--stiff" in options)
    names = [n for n in states_of(description) if n in header]
    events = description.numberOfEventIndicators if description.modelExchange else 0
    if description.modelExchange is not None:
        result = simulate_fmu(str(path), stop_time=t_end, fmi_type="ModelExchange", solver="CVode",
                              relative_tolerance=1e-10, output_interval=step, output=names, record_events=bool(events))
        note(name, "model exchange at 1e-10", difference(names, header, table, result), LIMIT)
        tight = simulate_fmu(str(path), stop_time=t_end, fmi_type="ModelExchange", solver="CVode",
                             relative_tolerance=1e-12, output_interval=step, output=names)
        note(name, "model exchange at 1e-12", difference(names, header, table, tight), LIMIT)
        if events:
            note(name, "instants of events in model exchange", event_difference(messages, result), 1e-8)
            result = simulate_fmu(str(path), stop_time=t_end, fmi_type="CoSimulation", relative_tolerance=tolerance,
                                  output_interval=step, output=names, use_event_mode=True, early_return_allowed=True)
            note(name, "instants of events in co-simulation", event_difference(messages, result), 1e-8)
            note(name, "co-simulation with Event Mode", difference(names, header, table, result), limit)
    result = simulate_fmu(str(path), stop_time=t_end, fmi_type="CoSimulation", relative_tolerance=tolerance,
                          output_interval=step, output=names)
    note(name, f"co-simulation at {tolerance:.0e}", difference(names, header, table, result), limit)
    unzipped = extract(str(path))
    text = (Path(unzipped) / "modelDescription.xml").read_text()
    if description.modelExchange is not None and 'providesDirectionalDerivatives="true"' in text:
        check_derivatives(name, dqdt, spec, unzipped, description)
    check_sources(name, unzipped, description)
    if name in ("cart_pole", "bouncing_pendulum"):
        check_threads(name, unzipped, description, t_end)


def check_sources(name, path, description):
    """Sources compile without a warning, and the driver runs them under the sanitisers."""
    sources = Path(path) / "sources"
    states = states_of(description)
    inputs = [v for v in description.modelVariables if v.causality == "input"]
    if len(states) > 64:
        return
    starts = {v.name: v.start for v in description.modelVariables}
    numbers = [str(starts[s] or 0.0) for s in states] + ["0.0"] * len(inputs)
    exchanged = description.modelExchange is not None and all(starts[s] is not None for s in states)
    for compiler in ("gcc", "clang", "clang-14"):
        if shutil.which(compiler) is None:
            continue
        program = Path(path) / compiler
        flags = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
        flags += [] if exchanged else ["-DNO_MODEL_EXCHANGE"]
        files = [ROOT / "tests/fmu/driver.c", *sorted(sources.glob("*.c"))]
        for level in (["-O2"], ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]):
            done = run([compiler, *flags, *level, "-I", sources, "-o", program, *files, "-lm"])
            if done.returncode == 0 and (exchanged or description.modelExchange is None):
                done = run([program, description.guid, str(len(states)), *numbers])
            note(name, f"{compiler} {' '.join(level[:2])}", float(done.returncode != 0), 0)
            if done.returncode != 0:
                print(done.stderr[-2000:])


def check_published(dqdt, folder):
    """The motions of the reference models of FMI: bounces of the ball, and van der Pol by Euler's method."""
    print("reference models")
    path = Path(folder) / "bouncing_ball.fmu"
    run([dqdt, "fmu", ROOT / "tests/fmu/bouncing_ball.toml", "-o", path])
    result = simulate_fmu(str(path), stop_time=2.2, relative_tolerance=1e-10, output_interval=0.01, output=["h", "v"],
                          fmi_type="ModelExchange", record_events=True)
    instants = result["time"][1:][np.diff(result["time"]) == 0.0]
    published = [0.451522, 1.08365, 1.52613, 1.83585, 2.05263]
    note("bouncing ball", "instants from those published", nearest(published, instants), 1e-4)
    first = np.sqrt(2 / 9.81)
    exact = [first + 2 * first * sum(0.7**k for k in range(1, n + 1)) for n in range(5)]
    note("bouncing ball", "instants from the exact ones", nearest(exact, instants), 1e-8)
    path = Path(folder) / "van_der_pol.fmu"
    run([dqdt, "fmu", ROOT / "tests/fmu/van_der_pol.toml", "-o", path])
    result = simulate_fmu(str(path), stop_time=6, solver="Euler", step_size=0.01, output_interval=0.01,
                          fmi_type="ModelExchange", output=["x0", "x1"])
    published = {0.05: (1.99806, -0.0941631), 1: (1.50967, -0.7809), 2: (0.334108, -1.82007), 4: (-1.76169, 0.622598),
                 6: (1.20369, 2.54362)}
    worst = 0.0
    for t, (x0, x1) in published.items():
        row = result[np.argmin(np.abs(result["time"] - t))]
        worst = max(worst, abs(row["x0"] - x0), abs(row["x1"] - x1))
    note("van der Pol", "difference from the published table", worst, 1e-5)


def main():
    dqdt, *wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            if not wanted or case[0] in wanted:
                check_case(dqdt, folder, case)
        if not wanted:
            check_published(dqdt, folder)
    for failure in failures:
        print("FAILED", failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
