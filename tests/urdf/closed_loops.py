"""Cassie, a biped whose legs are closed loops, from the SDF of the Python package example-robot-data: a tree as URDF, a spec that closes
its loops and adds its springs, and what Pinocchio's constrained dynamics say of its motion.

    python3 -m venv target/urdf && target/urdf/bin/pip install -r tests/urdf/requirements.txt
    target/urdf/bin/python tests/urdf/closed_loops.py

writes tests/data/urdf/cassie.urdf, cassie.toml and cassie.json anew. Tests read those alone.
"""

import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pinocchio as pin

SDF = "cassie_description/robots/cassie_v2.sdf"
OUT = Path(__file__).parent.parent / "data" / "urdf"
STATES = 100
# What a state is drawn by, beside the base; all else follows from the loops.
INDEPENDENT = ["roll-op", "yaw-op", "pitch-op", "knee-op", "knee-shin-joint", "tarsus-spring-joint", "tarsus-crank-joint", "pitch-rod-x"]
LICENSE = """
Tree of the robot in cassie_v2.sdf of example-robot-data 6.0.0, written by tests/urdf/closed_loops.py.
Copyright (c) 2018 Agility Robotics

Permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted, provided that the
above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY
DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
"""


class Random:
    """The generator of the tests: the same numbers in Rust."""

    def __init__(self, seed):
        self.x = seed

    def next(self):
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.x >> 11) / 2**52 - 1.0


def pose(text):
    x = [float(w) for w in (text or "0 0 0 0 0 0").split()]
    return pin.SE3(pin.rpy.rpyToMatrix(*x[3:]), np.array(x[:3]))


def words(numbers):
    return " ".join(f"{x:.17g}" for x in np.asarray(numbers) + 0.0)


def origin(frame):
    return {"xyz": words(frame.translation), "rpy": words(pin.rpy.matrixToRpy(frame.rotation))}


def straight(frame):
    """Without angles below 1e-6 rad and lengths below 1e-12 m, which are rounding of the file: axes that are meant to be so are parallel."""
    rpy, place = pin.rpy.matrixToRpy(frame.rotation), frame.translation.copy()
    rpy[np.abs(rpy) < 1e-6] = 0
    place[np.abs(place) < 1e-12] = 0
    return pin.SE3(pin.rpy.rpyToMatrix(rpy), place)


def name_in_spec(name):
    return name.replace("-", "_")


class Loop:
    """A ball joint that closes a loop, at a point of each link."""

    def __init__(self, name, first, second):
        self.name, self.first, self.second = name, first, second


def read(path):
    """The URDF of the tree, the loops, and the springs by joint.

    The rods of the achilles hang on balls at both ends, as on the robot. The file has a hinge at the lower one, whose axis is so close to
    those of the leg that it takes away one motion more by nothing but rounding. The upper ball is three hinges here, for URDF has none.
    """
    model = ET.parse(path).getroot().find("model")
    links = {l.get("name"): l for l in model.findall("link")}
    place = {n: pose(l.findtext("pose")) for n, l in links.items()}
    at_joint = {j.get("name"): place[j.findtext("child").strip()] * pose(j.findtext("pose")) for j in model.findall("joint")}
    ends = {j.get("name"): [j.findtext(k).strip() for k in ("parent", "child")] for j in model.findall("joint")}
    frame, hinges, loops, springs = dict(place), [], [], {}
    robot = ET.Element("robot", name="cassie")
    for name, (rod, _) in ends.items():
        if name.endswith("pitch-rod-joint"):
            # The rod ends at the ball, in its own axes.
            frame[rod] = pin.SE3(place[rod].rotation, at_joint[name].translation)

    def hinge(name, parent, child, axis, limit=None):
        # Not continuous: Pinocchio has two coordinates for one that is.
        element = ET.SubElement(robot, "joint", name=name, type="revolute")
        own = straight(frame[parent].inverse() * frame[child])
        frame[child] = frame[parent] * own
        ET.SubElement(element, "origin", origin(own))
        ET.SubElement(element, "parent", link=parent)
        ET.SubElement(element, "child", link=child)
        ET.SubElement(element, "axis", xyz=axis)
        ET.SubElement(element, "limit", (limit or {"lower": "-3.2", "upper": "3.2"}) | {"effort": "0", "velocity": "0"})

    for n, link in links.items():
        element = ET.SubElement(robot, "link", name=n)
        inertial = link.find("inertial")
        own = ET.SubElement(element, "inertial")
        ET.SubElement(own, "origin", origin(frame[n].inverse() * place[n] * pose(inertial.findtext("pose"))))
        ET.SubElement(own, "mass", value=inertial.findtext("mass").strip())
        entries = {k: inertial.findtext(f"inertia/{k}").strip() for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
        ET.SubElement(own, "inertia", entries)
    for j in model.findall("joint"):
        name = j.get("name")
        if name.endswith("achilles-spring-joint"):
            loops.append(Loop(name, *[(link, at_joint[name]) for link in ends[name]]))
        elif name.endswith("plantar-foot-joint"):
            loops.append(Loop(name, *[(link, at_joint[name]) for link in ends[name]]))
        elif name.endswith("pitch-rod-joint"):
            rod, parent = ends[name]
            for axis, along in zip("zyx", ("0 0 1", "0 1 0", "1 0 0")):
                child = rod if axis == "x" else f"{rod}-{axis}"
                if child != rod:
                    ET.SubElement(robot, "link", name=child)
                    frame[child] = frame[rod]
                hinge(name.replace("joint", axis), parent, child, along)
                parent = child
        else:
            parent, child = ends[name]
            assert j.get("type") == "revolute" and j.find("pose") is None
            limit = {k: j.findtext(f"axis/limit/{k}") for k in ("lower", "upper")}
            limit = {k: x.strip() for k, x in limit.items()} if all(limit.values()) else None
            hinge(name, parent, child, j.findtext("axis/xyz").strip(), limit)
            stiffness = j.find("axis/dynamics/spring_stiffness")
            if stiffness is not None:
                springs[name] = float(stiffness.text)
    for loop in loops:
        local = lambda end: (end[0], (frame[end[0]].inverse() * end[1]).translation)
        loop.first, loop.second = local(loop.first), local(loop.second)
    ET.indent(robot, "")
    return ET.tostring(robot, encoding="unicode"), loops, springs


def is_driven(joint):
    """The motor of the foot turns the crank."""
    return joint.endswith(("-op", "crank-joint")) and not joint.endswith("foot-op")


def spec(loops, springs):
    out = [
        "# Cassie with its loops closed and its springs, over the tree of cassie.urdf. Written by tests/urdf/closed_loops.py.",
        'name = "cassie"',
        'template = "cassie.urdf"',
        "# What no motor drives has none.",
    ]
    passive = [j for j in names if not is_driven(j)]
    bare = lambda joint: name_in_spec(joint).replace("_joint", "")
    own = [bare(j) for j in passive]
    out.append("remove = [")
    out += [f'    "loads.motor_{n}", "inputs.tau_{n}",' for n in own]
    out += ["]", "", "[urdf]", 'base = "free"', "snap = 0", ""]
    for loop in loops:
        point = lambda end: f'{{ body = "{name_in_spec(end[0])}", at = [{", ".join(f"{x:.17g}" for x in end[1] + 0.0)}] }}'
        out += [
            f"[constraints.{name_in_spec(loop.name)}]",
            'type = "spherical"',
            f"from = {point(loop.first)}",
            f"to = {point(loop.second)}",
            "",
        ]
    for side in ("left", "right"):
        for joint, start in (("tarsus-crank-joint", -1.5), ("crank-rod-joint", 1.5), ("foot-op", -1.5)):
            joint = f"{side}-{joint}"
            coordinates = f'{{ names = ["q_{bare(joint)}"], start = ["{start} [rad]"] }}'
            out += [f"[joints.{name_in_spec(joint)}]", f"coordinates = {coordinates}", ""]
    for joint, stiffness in springs.items():
        out += [
            f"[loads.spring_{name_in_spec(joint)}]",
            'type = "joint_spring"',
            f'joint = "{name_in_spec(joint)}"',
            f"stiffness = {stiffness}",
            "",
        ]
    return "\n".join(out)


package = next(p for p in map(Path, sys.path) if (p / "cmeel.prefix").is_dir()) / "cmeel.prefix/share/example-robot-data/robots"
urdf, loops, springs = read(package / SDF)
model = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer())
model.armature[:] = 0
data = model.createData()
names = list(model.names)[2:]


def contact(loop):
    ends = []
    for link, point in (loop.first, loop.second):
        f = model.frames[model.getFrameId(link, pin.FrameType.BODY)]
        ends += [f.parentJoint, f.placement * pin.SE3(np.eye(3), point)]
    return pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *ends, pin.ReferenceFrame.LOCAL)


contacts, contact_data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
for loop in loops:
    contacts.append(contact(loop))
    contact_data.append(contacts[-1].createData())


def gaps(q):
    """Between the ends of the loops, in axes of the first; and their derivatives by the speeds."""
    pin.forwardKinematics(model, data, q)
    pin.computeJointJacobians(model, data, q)
    residual, rows = [], []
    for c in contacts:
        first, second = data.oMi[c.joint1_id] * c.joint1_placement, data.oMi[c.joint2_id] * c.joint2_placement
        turned = first.rotation.T
        between = second.translation - first.translation
        residual.append(turned @ between)
        j = [pin.getJointJacobian(model, data, i, pin.WORLD) for i in (c.joint1_id, c.joint2_id)]
        at = lambda j, p: j[:3] - pin.skew(p) @ j[3:]
        # The first end's axes turn.
        rows.append(turned @ (at(j[1], second.translation) - at(j[0], second.translation)))
    return np.concatenate(residual), np.vstack(rows)


held = [model.joints[model.getJointId(f"{side}-{n}")].idx_v for side in ("left", "right") for n in INDEPENDENT]
free = [i for i in range(6, model.nv) if i not in held]
# Springs give little.
springy = [model.joints[model.getJointId(n)].idx_v for n in springs]
reach = {i: 0.02 if i in springy else 0.2 for i in held}


def apart(q, v, dv):
    """Accelerations between the ends of the loops."""
    pin.forwardKinematics(model, data, q, v, dv)
    found = []
    for c in contacts:
        ends = []
        for joint, placement in ((c.joint1_id, c.joint1_placement), (c.joint2_id, c.joint2_placement)):
            twist, rate = placement.actInv(data.v[joint]), placement.actInv(data.a[joint])
            local = rate.linear + np.cross(twist.angular, twist.linear)
            ends.append((data.oMi[joint] * placement).rotation @ local)
        found.append(np.abs(ends[0] - ends[1]).max())
    return max(found)


def close(q):
    for _ in range(60):
        residual, rows = gaps(q)
        step = np.zeros(model.nv)
        step[free] = -np.linalg.lstsq(rows[:, free], residual, rcond=1e-10)[0]
        q = pin.integrate(model, q, step)
        if np.abs(residual).max() < 1e-15 and np.abs(step).max() < 1e-14:
            break
    return q


random = Random(1)
states = []
ranks = set()
for _ in range(STATES):
    q, v, w = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    tau = np.zeros(model.nv)
    e = np.array([1.0] + [random.next() for _ in range(3)])
    e /= np.linalg.norm(e)
    q[:7] = [random.next(), random.next(), random.next(), e[1], e[2], e[3], e[0]]
    v[:6] = [2 * random.next() for _ in range(6)]
    for i in held:
        q[i + 1], v[i] = reach[i] * random.next(), 2 * random.next()
    # The crank and the foot stand across, as when the robot does; the rod keeps its direction, nearly.
    for side in ("left", "right"):
        place = lambda joint: model.joints[model.getJointId(f"{side}-{joint}")].idx_q
        crank = q[place("tarsus-crank-joint")] - 1.5
        q[place("tarsus-crank-joint")], q[place("crank-rod-joint")], q[place("foot-op")] = crank, -crank, crank
    for i in range(model.nv):
        w[i] = random.next()
    for i in [model.joints[model.getJointId(n)].idx_v for n in names if is_driven(n)]:
        tau[i] = 10 * random.next()
    q = close(q)
    residual, rows = gaps(q)
    assert np.abs(residual).max() < 1e-14, np.abs(residual).max()
    ranks.add(int(np.linalg.matrix_rank(rows, 1e-9)))
    v[free] = -np.linalg.lstsq(rows[:, free], rows @ np.where(np.isin(np.arange(model.nv), free), 0, v), rcond=1e-10)[0]
    assert np.abs(rows @ v).max() < 1e-13
    efforts = tau.copy()
    for joint, stiffness in springs.items():
        i = model.joints[model.getJointId(joint)].idx_v
        efforts[i] -= stiffness * q[i + 1]
    pin.initConstraintDynamics(model, data, contacts, contact_data)
    settings = pin.ProximalSettings(1e-16, 1e-10, 50)
    dv = pin.constraintDynamics(model, data, q, v, efforts, contacts, contact_data, settings).copy()
    # What of the equations is along the motions that are free.
    mass = pin.crba(model, data, q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    bias = pin.nonLinearEffects(model, data, q, v)
    _, values, vt = np.linalg.svd(rows)
    null = vt[np.sum(values > 1e-9) :].T
    projected = null.T @ mass @ null
    states.append(
        {
            "q": [float(q[i + 1]) for i in free],
            "v": [float(v[i]) for i in free],
            "mass": float(w @ mass @ w),
            "rate": float(w @ dv),
            "fast": float(np.abs(dv).max()),
            "condition": float(np.linalg.cond(projected)),
            "apart": float(apart(q, v, dv) / np.abs(dv).max()),
            "left": float(np.abs(null.T @ (mass @ dv + bias - efforts)).max() / np.abs(efforts).max()),
        }
    )
# What Pinocchio found fulfils the equations.
assert ranks == {10}, ranks
assert max(s.pop("left") for s in states) < 1e-11
assert max(s.pop("apart") for s in states) < 1e-11
out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
(out / "cassie.urdf").write_text(f"<!--{LICENSE}-->\n{urdf}\n")
(out / "cassie.toml").write_text(spec(loops, springs))
reference = {
    "joints": names,
    "held": [f"{s}-{n}" for s in ("left", "right") for n in INDEPENDENT],
    "following": [n for n in names if model.joints[model.getJointId(n)].idx_v in free],
    "states": states,
}
(out / "cassie.json").write_text(json.dumps(reference, indent=0) + "\n")
