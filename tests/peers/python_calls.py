"""Calls from Python: dqdt beside Pinocchio and CasADi, for single states and batches, in one run on one core.

usage: python_calls.py [--docs]    with --docs the table goes into docs/performance.md

Needs the packages of requirements.txt and numpy, gcc, and the extension module of our package built with
`python/build.sh --release`. The robots are those of tests/data/urdf; joints that mimic others are independent.

| column | what it is |
|---|---|
| dqdt | `m.compile(...)`, called with arrays of NumPy; `search` with `search=True` |
| Pinocchio | `pin.aba`, `pin.rnea`, `pin.crba` with `model` and `data`, as its documentation recommends, in a loop |
| CasADi | the same algorithms over SX (recursion.py), evaluated by CasADi: single calls by its buffers, batches by `map` |
| CasADi, gcc | the same function as C, compiled by gcc -O3 -march=native and loaded by `casadi.external` |

Every result is compared with Pinocchio's. A batch keeps all results. Each time is that of the processor, the least of
several rounds in which all take their turns.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import casadi
import numpy as np
import pinocchio as pin
import recursion

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import dqdt  # noqa: E402

BATCH, SINGLE, ROUNDS = 10_000, 500, 7
#: Robot, base, and how many times as quick as Pinocchio we aim to be in batches.
ROBOTS = [("panda", "fixed", 3.0), ("talos", "free", 2.0)]
AIM_SINGLE, AIM_CASADI = 1.5, 5.0
#: Function of ours, of Pinocchio, and the recursion for CasADi.
FUNCTIONS = [
    ("dqdt", "aba", recursion.articulated_body),
    ("inverse_dynamics", "rnea", recursion.newton_euler),
    ("mass_matrix", "crba", recursion.composite_body),
]
LETTERS = {"JointModelFreeFlyer": "F", "JointModelR": "R", "JointModelP": "P"}


def plain_urdf(robot):
    """The file without mimic joints, and without its empty shapes and materials, which Pinocchio does not read."""
    root = ET.parse(ROOT / "tests/data/urdf" / f"{robot}.urdf").getroot()
    for parent in [root, *root.iter("link"), *root.iter("joint")]:
        for tag in ("visual", "collision", "material", "gazebo", "transmission", "mimic"):
            for element in parent.findall(tag):
                parent.remove(element)
    return ET.tostring(root, encoding="unicode")


def our_mechanism(urdf, base):
    """Without damping, which Pinocchio's algorithms leave out."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "robot.urdf").write_text(urdf)
        spec = 'name = "robot"\ntemplate = "robot.urdf"\naccept = ["robot-idealised"]\n'
        spec += f'urdf = {{ base = "{base}", damping = false, snap = 0 }}\n'
        return dqdt.load(spec, folder=folder)


def pinocchio_model(urdf, base):
    model = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer()) if base == "free" else pin.buildModelFromXML(urdf)
    model.armature[:] = 0
    return model


def bodies_of(model):
    """The bodies of Pinocchio's model, as recursion.py has them."""
    bodies = []
    for i in range(1, model.njoints):
        joint, inertia = model.joints[i], model.inertias[i]
        kind = joint.shortname()
        letter = LETTERS.get(kind) or LETTERS[kind[:11]]
        axis = [0.0, 0.0, 0.0]
        if letter != "F":
            assert joint.nq == 1, f"{kind} has no single coordinate"
            data = model.createData()
            q = pin.neutral(model)
            pin.computeJointJacobians(model, data, q)
            column = pin.getJointJacobian(model, data, i, pin.LOCAL)[:, joint.idx_v]
            axis = [float(x) for x in np.round(column[3:] if letter == "R" else column[:3], 15) + 0.0]
        arm = recursion.tilde([float(x) for x in inertia.lever])
        shift = recursion.product(arm, arm)
        a = [[float(inertia.inertia[r, c] - inertia.mass * shift[r][c]) for c in range(3)] for r in range(3)]
        b = [[float(inertia.mass * x) for x in row] for row in arm]
        place = model.jointPlacements[i]
        rotation, at = place.rotation.tolist(), place.translation.tolist()
        bodies.append(recursion.Body(i, model.parents[i], letter, axis, rotation, at, inertia.mass, a, b))
    return bodies


class States:
    """Random states, in the order of Pinocchio and in ours."""

    def __init__(self, m, model, base):
        random = np.random.default_rng(1)
        self.q = random.uniform(-2.5, 2.5, (BATCH, model.nq))
        if base == "free":
            turn = random.standard_normal((BATCH, 4))
            self.q[:, 3:7] = turn / np.linalg.norm(turn, axis=1, keepdims=True)
        self.v = random.uniform(-2, 2, (BATCH, model.nv))
        self.effort = random.uniform(-10, 10, (BATCH, model.nv))
        self.places = places = speed_places(m, model, base)
        q = np.empty_like(self.q)
        if base == "free":
            q[:, :3], q[:, 3], q[:, 4:7] = self.q[:, :3], self.q[:, 6], self.q[:, 3:6]
            q[:, 7:] = self.q[:, 7 + np.array(places[6:]) - 6]
            self.effort[:, :6] = 0
        else:
            q[:] = self.q[:, places]
        self.x = np.hstack([q, self.v[:, places]])
        # An acceleration of inverse dynamics has the numbers of an effort.
        self.dv = np.ascontiguousarray(self.effort[:, places])
        self.u = np.ascontiguousarray(self.effort[:, [places[k] for k in input_places(m, base)]])


def joint_key(name):
    """A name of a joint or of one of our speeds, without the affixes that the import drops."""
    return re.sub(r"(_joint$)|(^joint_)|(^[qfv]_)|(^tau_)|(_dot$)", "", name)


def speed_places(m, model, base):
    """For each of our speeds, its place in Pinocchio's."""
    free = 6 if base == "free" else 0
    found = {joint_key(model.names[i]): model.joints[i].idx_v for i in range(1 + free // 6, model.njoints)}
    ours = [joint_key(joint_key(name)) for name in m.speeds[free:]]
    places = [found.get(name, found.get(name + "_joint")) for name in ours]
    assert None not in places and len(set(places)) == len(places) == model.nv - free, (ours, found)
    base_places = []
    if free:
        # Ours: linear, then angular, or the reverse.
        linear_first = m.units[m.speeds[0]] == "m/s"
        base_places = list(range(6)) if linear_first else [3, 4, 5, 0, 1, 2]
    return base_places + places


def input_places(m, base):
    """For each input, the speed that it drives."""
    free = 6 if base == "free" else 0
    keys = [joint_key(joint_key(name)) for name in m.speeds]
    places = [keys.index(joint_key(name), free) for name in m.inputs]
    assert len(set(places)) == len(places) == len(keys) - free
    return places


def casadi_function(name, algorithm, model, bodies):
    nq, nv = model.nq, model.nv
    symbols = [casadi.SX.sym(s, n) for s, n in (("q", nq), ("v", nv), ("u", nv))]
    entries = [[x[i] for i in range(x.shape[0])] for x in symbols]
    gravity = [float(x) for x in model.gravity.linear]
    result = casadi.vertcat(*algorithm(bodies, gravity, *entries, casadi.sin, casadi.cos))
    return casadi.Function(name, symbols, [casadi.cse(casadi.densify(result))])


def compiled_by_gcc(function, folder):
    """The function as C, compiled by gcc and loaded again."""
    name = function.name()
    function.generate(f"{name}.c", {"with_header": False})
    os.replace(f"{name}.c", folder / f"{name}.c")
    flags = ["-O3", "-march=native", "-fPIC", "-shared", "-w"]
    subprocess.run(["gcc", *flags, str(folder / f"{name}.c"), "-o", str(folder / f"{name}.so"), "-lm"], check=True)
    return casadi.external(name, str(folder / f"{name}.so"))


def buffered(function, arguments, result):
    """A call of CasADi without conversions: memory of NumPy in, memory of NumPy out.

    CasADi keeps addresses alone: the second result keeps alive what they refer to.
    """
    buffer, call = function.buffer()
    for i, argument in enumerate(arguments):
        buffer.set_arg(i, memoryview(argument))
    buffer.set_res(0, memoryview(result))
    return call, (function, buffer, arguments, result)


class Contest:
    """Times of contenders, in turns."""

    def __init__(self):
        self.calls, self.times = {}, {}

    def add(self, name, call, count):
        call()
        self.calls[name] = (call, count)
        self.times[name] = np.inf

    def run(self):
        for _ in range(ROUNDS):
            for name, (call, count) in self.calls.items():
                begin = time.process_time()
                call()
                self.times[name] = min(self.times[name], (time.process_time() - begin) / count)
        return self.times


def check(what, found, expected):
    error = np.abs(found - expected).max() / np.abs(expected).max()
    assert error < 1e-9, f"{what} differs from Pinocchio's result by {error:.1e}"
    return error


def measure(robot, base, ours, algorithm, recursive, folder):
    """Times of one function for single states and for a batch, by contender."""
    urdf = plain_urdf(robot)
    m, model = our_mechanism(urdf, base), pinocchio_model(urdf, base)
    data, states = model.createData(), States(m, model, base)
    nv, nq, places = model.nv, model.nq, states.places
    second = {"dqdt": states.u, "inverse_dynamics": states.dv, "mass_matrix": None}[ours]
    functions = {"dqdt": m.compile(ours)[ours], "dqdt, search": m.compile(ours, search=True)[ours]}
    batch, single = Contest(), Contest()

    # Pinocchio: all results of the batch.
    call = getattr(pin, algorithm)
    arguments = (states.q,) if algorithm == "crba" else (states.q, states.v, states.effort)
    rows = [list(a) for a in arguments]
    expected = np.empty((BATCH, nv, nv) if algorithm == "crba" else (BATCH, nv))

    def all_by_pinocchio():
        for i, row in enumerate(zip(*rows, strict=True)):
            expected[i] = call(model, data, *row)

    def some_by_pinocchio():
        for row in zip(*(r[:SINGLE] for r in rows), strict=True):
            call(model, data, *row)

    batch.add("Pinocchio", all_by_pinocchio, BATCH)
    single.add("Pinocchio", some_by_pinocchio, SINGLE)

    # Ours.
    worst = 0.0
    for name, function in functions.items():
        parts = [states.x] + ([] if second is None else [second])
        out = np.empty_like(function(0.0, *parts))

        def all_by_us(function=function, parts=parts, out=out):
            function(0.0, *parts, out=out)

        ours_rows = [list(p[:SINGLE]) for p in parts]

        def some_by_us(function=function, ours_rows=ours_rows):
            for row in zip(*ours_rows, strict=True):
                function(0.0, *row)

        batch.add(name, all_by_us, BATCH)
        single.add(name, some_by_us, SINGLE)
        found = out[:, m.nx - nv :] if ours == "dqdt" else out
        if ours == "mass_matrix":
            upper = np.triu(expected)
            symmetric = upper + np.transpose(np.triu(expected, 1), (0, 2, 1))
            reference = symmetric[:, places][:, :, places]
        else:
            reference = expected[:, places]
        worst = max(worst, check(f"{robot} {ours} of {name}", found, reference))

    # CasADi, which takes all three arguments.
    symbolic = casadi_function(f"{robot}_{ours}", recursive, model, bodies_of(model))
    external = compiled_by_gcc(symbolic, folder)
    size = nv * nv if algorithm == "crba" else nv
    all_arguments = [np.ascontiguousarray(a) for a in (states.q, states.v, states.effort)]
    keep = []
    for name, function in [("CasADi", symbolic), ("CasADi, gcc", external)]:
        out = np.empty((BATCH, size))
        all_by_casadi, alive = buffered(function.map(BATCH), all_arguments, out)
        state, result = [np.empty(n) for n in (nq, nv, nv)], np.empty(size)
        by_casadi, alive_too = buffered(function, state, result)
        keep += [alive, alive_too]
        some_rows = [list(a[:SINGLE]) for a in all_arguments]

        def some_by_casadi(call=by_casadi, rows=some_rows, state=state):
            for q, v, u in zip(*rows, strict=True):
                state[0][:], state[1][:], state[2][:] = q, v, u
                call()

        batch.add(name, all_by_casadi, BATCH)
        single.add(name, some_by_casadi, SINGLE)
        found = out.reshape(BATCH, nv, nv) if algorithm == "crba" else out
        reference = np.triu(expected) + np.transpose(np.triu(expected, 1), (0, 2, 1)) if algorithm == "crba" else expected
        check(f"{robot} {ours} of {name}", found, reference)
    return single.run(), batch.run(), worst


def output(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def machine():
    """What the table was measured on."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    commit = output("git", "-C", str(ROOT), "describe", "--always", "--dirty")
    gcc = output("gcc", "-dumpfullversion")
    return (
        f"Measured on: {model[1] if model else 'unknown'}, one core, load {os.getloadavg()[0]:.2f}; "
        f"Python {sys.version.split()[0]}; NumPy {np.__version__}; gcc {gcc}; pin {pin.__version__}; "
        f"casadi {casadi.__version__}; commit {commit}"
    )


def table():
    lines = [machine(), ""]
    names = ["dqdt", "dqdt, search", "Pinocchio", "CasADi", "CasADi, gcc"]
    head = [*names, "Pinocchio / dqdt", "aim", f"CasADi / dqdt, aim {AIM_CASADI:g}", "CasADi, gcc / dqdt"]
    lines += [f"| robot | function | states | {' | '.join(head)} |", "|---|---|---|" + "---|" * len(head)]
    worst, missed = 0.0, []
    with tempfile.TemporaryDirectory() as folder:
        for robot, base, aim in ROBOTS:
            for ours, algorithm, recursive in FUNCTIONS:
                single, batch, error = measure(robot, base, ours, algorithm, recursive, Path(folder))
                worst = max(worst, error)
                for what, times, least in [("one", single, AIM_SINGLE), (f"{BATCH:,}", batch, aim)]:
                    cells = [f"{1e9 * times[name]:,.0f}" for name in names]
                    own = times["dqdt"]
                    ratios = [times["Pinocchio"] / own, least, times["CasADi"] / own, times["CasADi, gcc"] / own]
                    cells += [f"{r:.1f}" for r in ratios]
                    if ratios[0] < least:
                        missed.append(f"{robot}, `{ours}`, {what}: {ratios[0]:.1f} of Pinocchio ({least:g})")
                    if ratios[2] < AIM_CASADI:
                        missed.append(f"{robot}, `{ours}`, {what}: {ratios[2]:.1f} of CasADi ({AIM_CASADI:g})")
                    lines.append(f"| {robot} | `{ours}` | {what} | {' | '.join(cells)} |")
                    print(lines[-1], flush=True)
    lines += ["", f"Aims missed: {'; '.join(missed) or 'none'}. Largest disagreement with Pinocchio: {worst:.0e}."]
    return "\n".join(lines)


def main():
    os.sched_setaffinity(0, {int(os.environ.get("PEERS_CORE", "1"))})
    text = table()
    print(text)
    if "--docs" in sys.argv:
        page = ROOT / "docs/performance.md"
        pattern = r"(<!-- python: [^>]* -->\n).*?(<!-- end of table -->)"
        new, count = re.subn(pattern, lambda k: f"{k[1]}{text}\n{k[2]}", page.read_text(), count=1, flags=re.DOTALL)
        assert count == 1, "docs/performance.md has no place for the table"
        page.write_text(new)


if __name__ == "__main__":
    main()
