"""All robots of a folder: what `dqdt` accepts, how long it takes, and how far it is from MuJoCo and Pinocchio.

    python3 -m venv target/survey && target/survey/bin/pip install -r tests/import/requirements.txt
    cargo build --release -p dqdt-command --bin dqdt
    packages=$(echo target/survey/lib/python3*/site-packages)
    target/survey/bin/python tests/import/survey.py $packages/dm_control $packages/gymnasium_robotics \\
        $packages/cmeel.prefix/share/example-robot-data --table tests/import/table.md

runs `import --snap 0`, `inspect` and `eval` on every URDF and MJCF below the folders. At three states it compares the mass matrix,
a point of every body, and `bias` of the spec without its loads with MuJoCo (MJCFs) or Pinocchio (URDFs), where they are
installed; in MJCFs also `bias` with the loads. Structural parts are accepted by name (`--accept`) where a refusal says so, and
counted. README.md says what a row means. The exit status is 0 if all marks are met.
"""

import argparse
import collections
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATES = 3
# Largest difference from the peer, relative to the largest entry.
TOLERANCE = 1e-9
# Processor time of one `eval` [s].
SLOW = 2.0
TIMEOUT = 120


def load(name, path):
    """The module of a script beside this one; `None` if a package that it needs is not installed."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ImportError:
        return None
    return module


mjcf = load("mjcf_reference", ROOT / "tests/mjcf/reference.py")
urdf = load("urdf_reference", ROOT / "tests/urdf/reference.py")


class Run:
    """One command: exit status, output, messages, processor time [s]."""

    def __init__(self, program, *arguments, text=None):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
            given.write((text or "").encode())
            given.seek(0)
            child = subprocess.Popen([program, *map(str, arguments)], stdin=given, stdout=out, stderr=err)
            end = time.monotonic() + TIMEOUT
            while True:
                pid, status, usage = os.wait4(child.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() > end:
                    child.kill()
                time.sleep(0.002)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.status = child.returncode
            self.seconds = usage.ru_utime + usage.ru_stime
            out.seek(0), err.seek(0)
            self.out, self.err = out.read().decode(), err.read().decode()

    def codes(self):
        return re.findall(r"^error\[([\w-]+)\]", self.err, re.M)

    def code(self):
        return "killed" if self.status < 0 else next(iter(self.codes()), f"exit {self.status}")

    def speaks(self):
        """True if every error has a line and a remedy."""
        parts = [p for p in re.split(r"^(?=error\[|warning\[)", self.err, flags=re.M) if p.startswith("error[")]
        whole = [p for p in parts if re.search(r"--> .*:\d+:\d+$", p, re.M) and "= help:" in p]
        return bool(parts) and len(whole) == len(parts)


class Row:
    """One file of the table."""

    def __init__(self, path, name):
        self.path, self.name = path, name
        self.kind = self.without = self.refused = self.peer = ""
        self.speaks = True
        self.speeds = 0
        self.accepted = []
        self.functions = None
        self.seconds = self.mass = self.bias = self.points = self.loads = None
        self.silent = []
        self.told = ""


def expanded(path, element, folder):
    """Replaces each <include> by what the file holds."""
    children = []
    for child in list(element):
        if child.tag == "include":
            places = [folder / child.get("file", ""), path.parent / child.get("file", "")]
            place = next((p for p in places if p.is_file()), None)
            if place is not None:
                children += list(expanded(place, ET.parse(place).getroot(), folder))
        else:
            children.append(expanded(path, child, folder))
    element[:] = children
    return element


def tree_of(path):
    """Kind of the file, its elements, and why there is no tree of bodies in it (empty if there is one)."""
    try:
        root = ET.parse(path).getroot()
    except ET.ParseError as e:
        text = path.read_text(errors="replace")
        kind = "MJCF" if "<mujoco" in text else "URDF" if "<robot" in text else ""
        return kind, None, "" if kind else f"no XML ({e})"
    tag = root.tag.rsplit("}")[-1]
    if tag == "robot":
        if any(e.tag.startswith("{") and "xacro" in e.tag for e in root.iter()):
            return "URDF", root, "xacro, not URDF yet"
        return "URDF", root, "" if root.find("link") is not None else "no link"
    if tag == "mujocoinclude":
        return "MJCF", root, "a part that other files include (<mujocoinclude>)"
    if tag != "mujoco":
        return "", root, "SDF" if tag == "sdf" else f"no robot (<{tag}>)"
    root = expanded(path, root, path.parent)
    bodies = [b for world in root.findall("worldbody") for b in world.iter("body")]
    if any(b.find(".//" + kind) is not None for b in bodies for kind in ("joint", "freejoint")):
        return "MJCF", root, ""
    if root.find(".//body") is None and root.find(".//replicate") is None and root.find(".//composite") is None:
        return "MJCF", root, "no body"
    if not bodies:
        return "MJCF", root, "a part that other files include (bodies outside of <worldbody>)"
    return "MJCF", root, "no joint"


def without_loads(text):
    """The spec without its loads, inputs and what they alone use."""
    text = re.sub(r"^\[(loads|inputs)\]\n(?:(?!\[).*\n?)*", "", text, flags=re.M)
    # Forces along tendons are definitions; lengths may be held by constraints.
    return re.sub(r"^(?:force|rate)_\w+ = \".*\"\n", "", text, flags=re.M)


# A point of every body, in its frame.
POINT = [0.1, 0.2, 0.3]


def with_points(text, bodies):
    """The spec with one more named point on every body."""
    for body in bodies:
        head = f"[bodies.{body}.points]\n"
        line = f"survey = {POINT}\n"
        text = text.replace(head, head + line, 1) if head in text else f"{text}\n{head}{line}"
    return text


def difference(values, expected, least=1e-6):
    """The largest difference, relative to the largest entry; infinite if it is no number."""
    import numpy as np

    values, expected = np.array(values, dtype=float), np.array(expected, dtype=float)
    if values.shape != expected.shape or not np.isfinite(values).all():
        return float("inf")
    return float(np.abs(values - expected).max() / max(least, np.abs(expected).max())) if values.size else 0.0


def of_mujoco(path, row, spec, coordinates, speeds):
    """States, with M, bias and all forces by MuJoCo; the order of coordinates and speeds is the same."""
    import mujoco
    import numpy as np

    try:
        model = mjcf.without_contacts(path)
    except ValueError as e:
        row.peer = "refuses too: " + str(e).strip().splitlines()[0].replace("\n", " ").replace(str(path.parent) + "/", "")
        return
    if (model.nq, model.nv) != (len(coordinates), len(speeds)):
        row.peer = f"{model.nq} coordinates and {model.nv} speeds, here {len(coordinates)} and {len(speeds)}"
        row.silent.append(row.peer)
        return
    row.peer = "MuJoCo"
    active = int(np.count_nonzero(model.eq_active0)) if model.neq else 0
    if active > len(spec.get("constraints", {})):
        row.silent.append(f"{active} equalities, {len(spec.get('constraints', {}))} constraints")
    random = mjcf.Random(1 + sum(map(ord, path.name)))
    for _ in range(STATES):
        data = mjcf.drawn(model, random)
        data.ctrl[:] = 0
        mujoco.mj_forward(model, data)
        mass = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass)
        state = {"q": dict(zip(coordinates, data.qpos)), "v": dict(zip(speeds, data.qvel))}
        points = {}
        for i in range(1, model.nbody):
            points[model.body(i).name] = data.xpos[i] + data.xmat[i].reshape(3, 3) @ POINT
        forces = data.qfrc_bias - data.qfrc_passive - data.qfrc_actuator
        yield state, range(model.nv), mass, data.qfrc_bias, forces, points


def of_pinocchio(path, elements, row, spec, report, coordinates, speeds):
    """The same by Pinocchio, without loads; `order` says where its speeds stand here."""
    import numpy as np
    import pinocchio as pin

    text = path.read_text()
    if elements is None:
        row.peer = "not compared: an undeclared prefix"
        return
    text = urdf.without_shapes(text)
    sizes = {"revolute": (1, 1), "prismatic": (1, 1), "free": (7, 6), "fixed": (0, 0)}
    places, at = {}, (0, 0)
    free = False
    for name, joint in spec["joints"].items():
        if joint["type"] not in sizes:
            row.peer = f"not compared: a {joint['type']} joint"
            return
        places[name] = at
        if joint["type"] == "free" and joint["parent"] == "ground":
            free = True
            places["root_joint"] = at
        at = tuple(a + b for a, b in zip(at, sizes[joint["type"]]))
    renamed = dict(re.findall(r"^renamed: joint `(.*?)` is `(.*?)`", report, re.M))
    try:
        model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer()) if free else pin.buildModelFromXML(text)
    except (ValueError, RuntimeError) as e:
        row.peer = "refuses too: " + str(e).strip().splitlines()[0]
        return
    model.armature[:] = 0
    data = model.createData()
    if at != (len(coordinates), len(speeds)) or model.nv != len(speeds):
        row.peer = f"{model.nv} speeds, here {len(speeds)}"
        row.silent.append(row.peer)
        return
    row.peer = "Pinocchio"
    # Of a fixed joint a <mimic> says nothing.
    mimics = sum(j.find("mimic") is not None and j.get("type") != "fixed" for j in elements.findall("joint"))
    followers = sum(1 for c in spec.get("constraints", {}).values() if c["type"] == "gear")
    if mimics > followers:
        row.silent.append(f"{mimics} <mimic>, {followers} constraints")
    random = urdf.Random(1 + sum(map(ord, path.name)))
    for _ in range(STATES):
        q, v = pin.neutral(model), np.zeros(model.nv)
        state = {"q": {}, "v": {}}
        order = []
        for j in range(1, model.njoints):
            joint, name = model.joints[j], model.names[j]
            at_q, at_v = places[renamed.get(name, name)]
            order += range(at_v, at_v + joint.nv)
            rates = [2 * random.next() for _ in range(joint.nv)]
            v[joint.idx_v : joint.idx_v + joint.nv] = rates
            if joint.nq == 7:
                place = [random.next() for _ in range(3)]
                e = np.array([1.0] + [random.next() for _ in range(3)])
                e /= np.linalg.norm(e)
                q[joint.idx_q : joint.idx_q + 7] = [*place, e[1], e[2], e[3], e[0]]
                values = [*place, *e]
            else:
                angle = 1.5 * random.next()
                q[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(angle), np.sin(angle)] if joint.nq == 2 else angle
                values = [angle]
            state["q"].update(zip(coordinates[at_q : at_q + len(values)], values))
            state["v"].update(zip(speeds[at_v : at_v + joint.nv], rates))
        mass = pin.crba(model, data, q)
        mass = np.triu(mass) + np.triu(mass, 1).T
        bias = pin.nle(model, data, q, v)
        pin.framesForwardKinematics(model, data, q)
        frames = [(f.name, data.oMf[i]) for i, f in enumerate(model.frames) if f.type == pin.FrameType.BODY]
        points = {name: pose.translation + pose.rotation @ POINT for name, pose in frames}
        yield state, order, mass, bias, None, points


def compared(program, row, folder, spec, bodies, states):
    """Largest differences of M, bias, points of bodies, and bias with loads."""
    import numpy as np

    loose = folder / "loose.toml"
    loose.write_text(with_points(without_loads(spec), bodies))
    row.mass = row.bias = row.points = 0.0
    for state, order, mass, bias, forces, points in states:
        text = json.dumps({group: {k: float(x) for k, x in values.items()} for group, values in state.items()})
        order = list(order)
        bare = Run(program, "eval", loose, "--functions", "mass_matrix,bias,gravity,frames", "--at", "-", text=text)
        if bare.status:
            row.functions = f"eval without loads: {bare.code()}"
            row.mass = row.bias = row.points = None
            return
        answer = json.loads(bare.out)
        if mass is None:
            row.mass = row.bias = row.points = None
            return
        row.mass = max(row.mass, difference(np.array(answer["mass_matrix"], dtype=float)[np.ix_(order, order)], mass))
        row.bias = max(row.bias, difference(np.array(answer["bias"], dtype=float)[order], bias))
        common = [b for b in bodies if b in points]
        places = [answer["frames"][f"{body}_survey"] for body in common]
        row.points = max(row.points, difference(places, [points[b] for b in common]))
        if forces is not None:
            full = Run(program, "eval", folder / "robot.toml", "--functions", "bias", "--at", "-", text=text)
            values = np.array(json.loads(full.out)["bias"], dtype=float)[order] if not full.status else []
            row.loads = max(row.loads or 0.0, difference(values, forces))


def survey(program, path, name):
    """The row of a file."""
    row = Row(path, name)
    row.kind, elements, row.without = tree_of(path)
    if row.without:
        return row
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        spec = folder / "robot.toml"
        command = ["import", path, "--snap", "0", "-o", spec, "--report", folder / "report.txt"]
        done = Run(program, *command)
        if "urdf-rigid" in done.codes():
            command += ["--base", "free"]
            done = Run(program, *command)
        for _ in range(8):
            names = [n for n in re.findall(r"--accept[ =]([\w,:@/-]+)", done.err) if n not in row.accepted]
            if not done.status or not names:
                break
            row.accepted += sorted(set(names))
            done = Run(program, *command, *(x for n in row.accepted for x in ("--accept", n)))
        if done.status:
            row.refused, row.speaks = done.code(), done.speaks()
            return row
        report = (folder / "report.txt").read_text()
        row.told = "\n".join(l for l in report.splitlines() if l.startswith(("not used", "idealised", "accepted", "warning", "note")))
        seen = Run(program, "inspect", spec, "--sections", "summary,bodies,loads")
        first = Run(program, "eval", spec, "--functions", "gravity,frames", "--at", "-", text="{}")
        row.seconds = first.seconds
        if seen.status or first.status:
            failed = seen if seen.status else first
            row.functions = f"{'inspect' if seen.status else 'eval'}: {failed.code()}"
            return row
        answer = json.loads(first.out)
        if answer.get("gravity") is None:
            row.functions = "eval: no gravity"
            return row
        coordinates, speeds = list(answer["qdot"]), list(answer["vdot"])
        row.speeds = len(speeds)
        parsed = tomllib.loads(spec.read_text())
        if row.kind == "MJCF" and mjcf is not None:
            states = of_mujoco(path, row, parsed, coordinates, speeds)
        elif row.kind == "URDF" and urdf is not None:
            states = of_pinocchio(path, elements, row, parsed, report, coordinates, speeds)
        else:
            states = []
        states = list(states)
        # Gravity and frames are asked for at rest where there is no peer.
        at_rest = [({}, range(row.speeds), None, None, None, {})]
        compared(program, row, folder, spec.read_text(), parsed["bodies"], states or at_rest)
    return row


def shown(x):
    return "" if x is None else "0" if x == 0 else f"{x:.0e}"


def loads_of(row):
    """How the forces of the spec compare: equal, told of in the report, or different without a word."""
    if row.loads is None:
        return ""
    if row.loads < TOLERANCE:
        return "equal"
    return "told" if row.accepted or "not used" in row.told or "idealised" in row.told or "warning" in row.told else "**differ**"


def table(rows):
    lines = ["| file | speeds | result | eval [s] | M | bias | points | loads | compared with |", "|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        if row.without:
            continue
        result = row.refused and f"refused: `{row.refused}`" or row.functions or "accepted"
        if row.accepted and not row.refused:
            result += " with " + ", ".join(f"`{n}`" for n in row.accepted)
        if row.silent:
            result += " (" + "; ".join(row.silent) + ")"
        seconds = "" if row.seconds is None else f"{row.seconds:.2f}"
        cells = [row.name, row.speeds or "", result, seconds, shown(row.mass), shown(row.bias), shown(row.points), loads_of(row), row.peer]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def summary(rows):
    """Counts with their marks, and whether all are met."""
    trees = [r for r in rows if not r.without]
    accepted = [r for r in trees if not r.refused]
    named = [r for r in accepted if r.accepted]
    useful = [r for r in accepted if r.functions is None]
    quick = [r for r in useful if r.seconds < SLOW]
    peers = [r for r in useful if r.mass is not None]
    close = [r for r in peers if max(r.mass, r.bias, r.points) < TOLERANCE]
    far = [r for r in peers if r not in close]
    mute = [r for r in trees if not r.speaks]
    silent = [r for r in accepted if (r.silent and not r.accepted) or loads_of(r) == "**differ**"]
    part = lambda some, all: f"{len(some)} of {len(all)}"
    marks = [
        ("files with a tree of bodies", str(len(trees)), "", True),
        ("accepted", part(accepted, trees), "80 %", len(accepted) >= 0.8 * len(trees)),
        ("of these with structural parts accepted by name", str(len(named)), "", True),
        ("give gravity and frames", part(useful, accepted), "all", len(useful) == len(accepted)),
        ("answer `eval` within 2 s of processor time", part(quick, useful), "95 %", len(quick) >= 0.95 * len(useful)),
        ("M, bias and points equal the peer's to 1e-9 at three states", part(close, peers), "all but those accepted by name", all(r.accepted for r in far)),
        ("lose a part without a word", str(len(silent)), "none", not silent),
        ("refused without a line or a remedy", str(len(mute)), "none", not mute),
    ]
    lines = ["| | count | mark |", "|---|---|---|"]
    lines += [f"| {what} | {count} | {mark}{'' if met else ' (missed)'} |" for what, count, mark, met in marks]
    refusals = collections.Counter(r.refused for r in trees if r.refused)
    others = collections.Counter(r.without for r in rows if r.without)
    lines += ["", "| refused | files |", "|---|---|"] + [f"| `{k}` | {n} |" for k, n in refusals.most_common()]
    lines += ["", "| without a tree of bodies | files |", "|---|---|"] + [f"| {k} | {n} |" for k, n in others.most_common()]
    return "\n".join(lines), all(met for *_, met in marks)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="+", type=Path)
    parser.add_argument("--dqdt", default=str(ROOT / "target/release/dqdt"), help="the program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files at the same time")
    parser.add_argument("--only", default="", help="files whose path has this in it")
    parser.add_argument("--table", type=Path, help="where to write counts and rows")
    arguments = parser.parse_args()
    files = []
    for folder in arguments.folder:
        some = {p for end in ("xml", "urdf", "mjcf", "sdf", "xacro") for p in folder.rglob(f"*.{end}")}
        files += [(p, str(p.relative_to(folder.parent))) for p in sorted(some) if arguments.only in str(p)]

    def one(file):
        row = survey(arguments.dqdt, *file)
        if not row.without:
            print(table([row]).splitlines()[-1], file=sys.stderr, flush=True)
        return row

    with ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(one, files))
    counts, met = summary(rows)
    text = f"{counts}\n\n{table(rows)}\n"
    if arguments.table:
        arguments.table.write_text(text)
    print(counts)
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
