"""Specs of robots whose files are in Python packages: iiwa14, go2 and g1, the robots of the field's newest table.

usage: robots.py FOLDER   writes FOLDER/NAME.toml for each robot

Pinocchio reads the URDF, merges fixed joints and orders the rest. The specs are like those of tests/data/robots: one body a
joint, whose frame is that of the joint, one effort a speed, no friction, no limit, no rotor. Rotations within 1e-5 of a
multiple of a right angle are that multiple. The files stay in their packages.
"""

import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pinocchio as pin


class Source(NamedTuple):
    """The file of a robot in a package, and whether its base is free."""

    package: str
    path: str
    free: bool


EXAMPLES = "cmeel.prefix/share/example-robot-data/robots"
SOURCES = {
    "iiwa14": Source("frax", "frax/assets/iiwa/iiwa14.urdf", False),
    "go2": Source("example-robot-data", f"{EXAMPLES}/go2_description/urdf/go2.urdf", True),
    "g1": Source("example-robot-data", f"{EXAMPLES}/g1_description/urdf/g1_29dof_rev_1_0.urdf", True),
}
AXES = {"X": "x", "Y": "y", "Z": "z"}
FREE_SPEEDS = ["v1_x", "v1_y", "v1_z", "w1_x", "w1_y", "w1_z"]


def urdf(name):
    """The path of the file of a robot."""
    source = SOURCES[name]
    return str(distribution(source.package).locate_file(source.path))


def model(name):
    """Pinocchio's model of a robot."""
    if SOURCES[name].free:
        return pin.buildModelFromUrdf(urdf(name), pin.JointModelFreeFlyer())
    return pin.buildModelFromUrdf(urdf(name))


def rounded(rotation):
    """The rotation, if it is near a multiple of a right angle that multiple."""
    near = np.round(rotation)
    return near if np.abs(rotation - near).max() < 1e-5 else rotation


def number(value):
    """Fourteen digits, so that mirrored limbs have equal numbers; zero for what rounding left."""
    value = 0.0 if abs(value) < 1e-15 else float(f"{value:.14g}")
    return repr(int(value)) if value == int(value) else repr(value)


def numbers(values):
    return "[" + ", ".join(number(v) for v in values) + "]"


def parent_of(m, j):
    """The table of the parent of a joint: body, place and rotation of the joint in it."""
    place = m.jointPlacements[j]
    body = f"b{m.parents[j]}" if m.parents[j] else "ground"
    rotation = rounded(place.rotation)
    entries = [f'body = "{body}"', f"at = {numbers(place.translation)}"]
    if not np.array_equal(rotation, np.eye(3)):
        entries.append(f"rotation = {{ matrix = [{', '.join(numbers(row) for row in rotation)}] }}")
    return "{ " + ", ".join(entries) + " }"


def joint(m, j):
    """The lines of a joint."""
    kind = m.joints[j].shortname()
    if kind == "JointModelFreeFlyer":
        names = '["p1_x", "p1_y", "p1_z", "e1_w", "e1_x", "e1_y", "e1_z"]'
        speeds = "[" + ", ".join(f'"{s}"' for s in FREE_SPEEDS) + "]"
        return [
            'type = "free"',
            'parent = "ground"',
            f'child = "b{j}"',
            f"coordinates = {{ quaternion = true, names = {names}, start = [0, 0, 0, 1, 0, 0, 0] }}",
            f'speeds = {{ names = {speeds}, velocity_frame = "body" }}',
        ]
    axis = kind.removeprefix("JointModelR")
    if axis not in AXES:
        raise ValueError(f"joint {m.names[j]}: the type {kind} is not handled")
    return [
        'type = "revolute"',
        f'axis = "{AXES[axis]}"',
        f"parent = {parent_of(m, j)}",
        f'child = "b{j}"',
        f'coordinates = {{ names = ["q{j}"] }}',
        f'speeds = {{ names = ["w{j}"] }}',
    ]


def spec(name):
    """The text of the spec of a robot."""
    m = model(name)
    out = [f'name = "{name}"', f"gravity = {numbers(m.gravity.linear)}"]
    loads = []
    for j in range(1, m.njoints):
        inertia = m.inertias[j]
        i = inertia.inertia
        entries = {"xx": i[0, 0], "xy": i[0, 1], "yy": i[1, 1], "xz": i[0, 2], "yz": i[1, 2], "zz": i[2, 2]}
        out += ["", f"[bodies.b{j}]", f"mass = {number(inertia.mass)}", f"center_of_mass = {numbers(inertia.lever)}"]
        out.append("inertia = { " + ", ".join(f"{k} = {number(v)}" for k, v in entries.items()) + " }")
    for j in range(1, m.njoints):
        out += ["", f"[joints.j{j}]", *joint(m, j)]
        if m.joints[j].nv == 6:
            for s in FREE_SPEEDS:
                loads.append((f"on_{s}", f'type = "generalised_force"\nspeed = "{s}"\nvalue = "tau_{s}"', f"tau_{s}"))
        else:
            loads.append((f"motor{j}", f'type = "actuator"\njoint = "j{j}"\neffort = "tau{j}"', f"tau{j}"))
    out += ["", "[inputs]", *(f"{effort} = {{}}" for _, _, effort in loads)]
    for load, text, _ in loads:
        out += ["", f"[loads.{load}]", text]
    return "\n".join(out) + "\n"


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in SOURCES:
        (folder / f"{name}.toml").write_text(spec(name))


if __name__ == "__main__":
    main()
