"""The models, from our specs: each is read with a reader of TOML and handed to peers as a plain tree and as MJCF.

usage: models.py WORK [NAME...]         writes WORK/models/NAME.txt and NAME.xml, of all trees if none is named
       models.py --list trees|loops   prints names
       models.py --spec NAME          prints the path of the spec of a tree

A tree has a line a body: index, parent, type of the joint (R P S F), axis, rotation (row by row) and place of the joint in
the parent, mass, centre of mass, inertia about it (xx xy yy xz yz zz), name. The body's frame is that of its joint.
Only numbers are read, no formulas: these specs have none.
"""

import math
import os
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SPECS = ROOT / "tests/data/robots"
MODELS = [
    *(f"chain{n}" for n in (2, 3, 5, 10, 20, 50)),
    *("ur5", "panda", "sph_rev", "solo12", "anymal", "hyq", "talos", "talosfull"),
]
# The robots of the field's newest table; robots.py writes their specs to PEERS_SPECS.
FIELD = ["iiwa14", "go2", "g1"]
# With closed loops or rolling; their trees come from loops/states.py.
LOOPS = ["four_bar", "slider_crank", "seven_body", "bricard", "stewart_platform", "fb_leg", "fb_quad", "rolling_disc"]
LETTER = {"revolute": "R", "prismatic": "P", "spherical": "S", "free": "F"}
UNIT = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1], "-x": [-1, 0, 0], "-y": [0, -1, 0], "-z": [0, 0, -1]}
IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
ENTRIES = ("xx", "xy", "yy", "xz", "yz", "zz")


def spec_path(model):
    folder = Path(os.environ["PEERS_SPECS"]) if model in FIELD else SPECS
    return folder / f"{model}.toml"


def loop_path(model):
    own = SPECS / "loops" / f"{model}.toml"
    return own if own.exists() else ROOT / f"examples/specs/{model}.toml"


def load(model):
    return tomllib.loads(spec_path(model).read_text())


def joint_types(model):
    return [joint["type"] for joint in load(model)["joints"].values()]


def bodies(spec):
    """One dictionary a body, in the order of the joints."""
    index = {"ground": 0}
    rows = []
    for name, joint in spec["joints"].items():
        parent = joint["parent"]
        parent = {"body": parent} if isinstance(parent, str) else parent
        body = spec["bodies"][joint["child"]]
        axis = joint.get("axis", [0, 0, 0])
        index[joint["child"]] = len(rows) + 1
        rows.append(
            {
                "index": len(rows) + 1,
                "parent": index[parent["body"]],
                "letter": LETTER[joint["type"]],
                "axis": UNIT[axis] if isinstance(axis, str) else axis,
                "rotation": parent.get("rotation", {}).get("matrix", IDENTITY),
                "at": parent.get("at", [0, 0, 0]),
                "mass": body["mass"],
                "centre": body["center_of_mass"],
                "inertia": [body["inertia"][e] for e in ENTRIES],
                "name": name,
            }
        )
    return rows


def numbers(values):
    return " ".join(repr(float(v)) for v in values)


def tree(name, spec):
    rows = bodies(spec)
    size = {"R": (1, 1), "P": (1, 1), "S": (4, 3), "F": (7, 6)}
    nq, nv = (sum(size[r["letter"]][k] for r in rows) for k in (0, 1))
    lines = [f"model {name}", f"nq {nq} nv {nv} nj {len(rows)}", f"gravity {numbers(spec['gravity'])}"]
    for r in rows:
        turned = [x for row in r["rotation"] for x in row]
        values = [*r["axis"], *turned, *r["at"], r["mass"], *r["centre"], *r["inertia"]]
        lines.append(f"{r['index']} {r['parent']} {r['letter']} {numbers(values)} {r['name']}")
    return "\n".join(lines) + "\n"


def quaternion(m):
    """Scalar first, of a rotation given by rows; the largest component decides, so that no root is of a small number."""
    trace = m[0][0] + m[1][1] + m[2][2]
    squares = [1 + trace, *(1 + 2 * m[i][i] - trace for i in range(3))]
    k = squares.index(max(squares))
    e = math.sqrt(squares[k]) / 2
    d = 4 * e
    if k == 0:
        return [e, (m[2][1] - m[1][2]) / d, (m[0][2] - m[2][0]) / d, (m[1][0] - m[0][1]) / d]
    i, j, l = k - 1, k % 3, (k + 1) % 3
    q = [(m[l][j] - m[j][l]) / d, 0, 0, 0]
    q[1 + i], q[1 + j], q[1 + l] = e, (m[j][i] + m[i][j]) / d, (m[l][i] + m[i][l]) / d
    return q


def mjcf(name, spec):
    rows = bodies(spec)
    out = [
        f'<mujoco model="{name}">',
        '<compiler autolimits="false" balanceinertia="true" boundmass="1e-6"/>',
        f'<option gravity="{numbers(spec["gravity"])}"/>',
        "<worldbody>",
    ]
    kinds = {"F": '<freejoint name="{n}"/>', "S": '<joint name="{n}" type="ball"/>'}
    kinds["R"] = '<joint name="{n}" type="hinge" axis="{a}"/>'
    kinds["P"] = '<joint name="{n}" type="slide" axis="{a}"/>'

    def body(r):
        xx, xy, yy, xz, yz, zz = r["inertia"]
        n = r["name"]
        out.append(f'<body name="b_{n}" pos="{numbers(r["at"])}" quat="{numbers(quaternion(r["rotation"]))}">')
        out.append(kinds[r["letter"]].format(n=n, a=numbers(r["axis"])))
        out.append(
            f'<inertial pos="{numbers(r["centre"])}" mass="{r["mass"]!r}" fullinertia="{numbers([xx, yy, zz, xy, xz, yz])}"/>'
        )
        for child in rows:
            if child["parent"] == r["index"]:
                body(child)
        out.append("</body>")

    for r in rows:
        if r["parent"] == 0:
            body(r)
    return "\n".join([*out, "</worldbody>", "</mujoco>"]) + "\n"


def main():
    folder = Path(sys.argv[1]) / "models"
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or [*MODELS, *FIELD]:
        spec = load(name)
        (folder / f"{name}.txt").write_text(tree(name, spec))
        (folder / f"{name}.xml").write_text(mjcf(name, spec))


if __name__ == "__main__":
    if sys.argv[1] == "--list":
        print(*{"trees": [*MODELS, *FIELD], "loops": LOOPS}[sys.argv[2]])
    elif sys.argv[1] == "--spec":
        print(spec_path(sys.argv[2]))
    else:
        main()
