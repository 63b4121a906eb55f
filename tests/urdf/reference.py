"""Robots of the Python package example-robot-data, without meshes, and what Pinocchio says of their motion.

    python3 -m venv target/urdf && target/urdf/bin/pip install -r tests/urdf/requirements.txt
    target/urdf/bin/python tests/urdf/reference.py

writes tests/data/urdf anew: NAME.urdf (elements of shape are there, empty) and reference.json. Tests read those alone.
"""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pinocchio as pin

# Name, path in the package, base.
ROBOTS = [
    ("ur5", "ur_description/urdf/ur5_robot.urdf", "fixed"),
    ("panda", "panda_description/urdf/panda.urdf", "fixed"),
    ("kinova", "kinova_description/robots/kinova.urdf", "fixed"),
    ("xarm7", "xarm_description/urdf/xarm7.urdf", "fixed"),
    ("so101", "so_arm_description/urdf/so101.urdf", "fixed"),
    ("baxter", "baxter_description/urdf/baxter.urdf", "fixed"),
    ("tiago", "tiago_description/robots/tiago_no_hand.urdf", "fixed"),
    ("allegro", "allegro_hand_description/urdf/allegro_right_hand.urdf", "fixed"),
    ("finger", "finger_edu_description/robots/finger_edu.urdf", "fixed"),
    ("solo12", "solo_description/robots/solo12.urdf", "free"),
    ("anymal_c", "anymal_c_simple_description/urdf/anymal.urdf", "free"),
    ("go2", "go2_description/urdf/go2.urdf", "free"),
    ("bolt", "bolt_description/robots/bolt.urdf", "free"),
    ("iris", "iris_description/robots/iris.urdf", "free"),
    ("g1", "g1_description/urdf/g1_29dof_rev_1_0.urdf", "fixed"),
    ("talos", "talos_data/robots/talos_reduced.urdf", "free"),
]
STATES = 100
OUT = Path(__file__).parent.parent / "data" / "urdf"


class Random:
    """The generator of the tests: the same numbers in Rust."""

    def __init__(self, seed):
        self.x = seed

    def next(self):
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.x >> 11) / 2**52 - 1.0


def stripped(path):
    """The file without what has a shape: its elements stay, empty."""
    tree = ET.parse(path)
    for link in tree.getroot().iter("link"):
        for tag in ("visual", "collision"):
            for element in link.findall(tag):
                tail = element.tail
                element.clear()
                element.tail = tail
    for tag in ("material", "gazebo", "transmission"):
        for element in tree.getroot().findall(tag):
            tail = element.tail
            element.clear()
            element.tail = tail
    for element in tree.iter():
        element.text = None if not (element.text or "").strip() else element.text
        element.tail = "\n"
    return ET.tostring(tree.getroot(), encoding="unicode")


def without_shapes(text):
    """For Pinocchio, which does not take empty ones."""
    root = ET.fromstring(text)
    for link in root.iter("link"):
        for tag in ("visual", "collision"):
            for element in link.findall(tag):
                link.remove(element)
    for tag in ("material", "gazebo", "transmission"):
        for element in root.findall(tag):
            root.remove(element)
    return ET.tostring(root, encoding="unicode")


def reference(name, text, base):
    text = without_shapes(text)
    root = pin.JointModelFreeFlyer() if base == "free" else None
    build = lambda **k: (pin.buildModelFromXML(text, root, **k) if root else pin.buildModelFromXML(text, **k))
    model = build()
    model.armature[:] = 0
    data = model.createData()
    joints = {j.get("name"): j for j in ET.fromstring(text).findall("joint")}
    follow = {n: j.find("mimic") for n, j in joints.items() if j.find("mimic") is not None and n in list(model.names)}
    coupled = build(mimic=True) if follow else None
    frame = last_fixed(text, model)
    random = Random(1 + sum(map(ord, name)))
    states = []
    for _ in range(STATES):
        q, v, a = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
        values = {}
        for j in range(1, model.njoints):
            joint = model.joints[j]
            given = [[random.next() for _ in range(4)] for _ in range(joint.nv)]
            v[joint.idx_v : joint.idx_v + joint.nv] = [2 * g[1] for g in given]
            a[joint.idx_v : joint.idx_v + joint.nv] = [5 * g[2] for g in given]
            values[model.names[j]] = [[g[0], g[1], g[2], g[3]] for g in given]
            if joint.nq == 7:
                p = [g[0] for g in given[:3]]
                e = np.array([1.0] + [g[0] for g in given[3:]])
                e /= np.linalg.norm(e)
                q[joint.idx_q : joint.idx_q + 7] = [*p, e[1], e[2], e[3], e[0]]
            else:
                angle = 3 * given[0][0]
                if joint.nq == 2:
                    q[joint.idx_q : joint.idx_q + 2] = [np.cos(angle), np.sin(angle)]
                else:
                    q[joint.idx_q] = angle
        # On what is coupled: followers after those that they follow.
        entry = {}
        m = pin.crba(model, data, q)
        m = np.triu(m) + np.triu(m, 1).T
        w = np.array([np.nan] * model.nv)
        for j in range(1, model.njoints):
            joint = model.joints[j]
            w[joint.idx_v : joint.idx_v + joint.nv] = [g[3] for g in values[model.names[j]]]
        efforts = pin.rnea(model, data, q, v, a)
        entry["m"] = w @ m @ w
        entry["efforts"] = w @ efforts
        entry["size"] = np.abs(efforts).max()
        if frame is not None:
            entry.update(of_frame(model, data, frame, q, v, w))
        if not follow:
            dv = pin.aba(model, data, q, v, np.zeros(model.nv))
            entry["rate"] = w @ dv
            entry["fast"] = np.abs(dv).max()
            entry["condition"] = np.linalg.cond(m)
        else:
            entry.update(with_mimics(model, coupled, q, v, follow, w))
        states.append({k: [float(y) for y in x] if np.ndim(x) else float(x) for k, x in entry.items()})
    names = [model.names[j] for j in range(1, model.njoints)]
    found = model.frames[frame].name if frame is not None else None
    return {"base": base, "joints": names, "frame": found, "states": states}


def last_fixed(text, model):
    """The last link behind a fixed joint that moves; None if there is none."""
    fixed = [j.find("child").get("link") for j in ET.fromstring(text).findall("joint") if j.get("type") == "fixed"]
    ids = [model.getFrameId(link, pin.FrameType.BODY) for link in fixed]
    ids = [i for i in ids if i < model.nframes and model.frames[i].parentJoint > 0]
    return ids[-1] if ids else None


def of_frame(model, data, frame, q, v, w):
    """Position, J w and J' v of a frame, in its own axes but for the position."""
    pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
    pin.updateFramePlacements(model, data)
    jacobian = pin.computeFrameJacobian(model, data, q, frame, pin.LOCAL)
    pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
    bias = pin.getFrameClassicalAcceleration(model, data, frame, pin.LOCAL)
    return {"place": data.oMf[frame].translation, "moved": jacobian @ w, "bias": bias.vector}


def with_mimics(model, coupled, q, v, follow, w):
    """Accelerations where followers follow, by Pinocchio's model of them."""
    data = coupled.createData()
    qc, vc = pin.neutral(coupled), np.zeros(coupled.nv)
    for j in range(1, coupled.njoints):
        name = coupled.names[j]
        if name in follow:
            continue
        own, free = coupled.joints[j], model.joints[model.getJointId(name)]
        qc[own.idx_q : own.idx_q + own.nq] = q[free.idx_q : free.idx_q + free.nq]
        vc[own.idx_v : own.idx_v + own.nv] = v[free.idx_v : free.idx_v + free.nv]
    m = pin.crba(coupled, data, qc)
    m = np.triu(m) + np.triu(m, 1).T
    dv = -np.linalg.solve(m, pin.nle(coupled, data, qc, vc))
    total = 0.0
    for j in range(1, coupled.njoints):
        name = coupled.names[j]
        own, free = coupled.joints[j], model.joints[model.getJointId(name)]
        if name not in follow:
            total += w[free.idx_v : free.idx_v + free.nv] @ dv[own.idx_v : own.idx_v + own.nv]
    return {"rate": total, "fast": np.abs(dv).max(), "condition": np.linalg.cond(m)}


def main():
    import glob

    found = glob.glob(str(Path(pin.__file__).parents[2] / "**/share/example-robot-data/robots"), recursive=True)
    found += glob.glob(str(Path(pin.__file__).parents[4] / "**/share/example-robot-data/robots"), recursive=True)
    folder = Path(found[0])
    OUT.mkdir(parents=True, exist_ok=True)
    all_robots = {}
    for name, path, base in ROBOTS:
        text = stripped(folder / path)
        (OUT / f"{name}.urdf").write_text(text + "\n")
        all_robots[name] = reference(name, text, base)
        print(name, len(all_robots[name]["joints"]))
    lines = []
    for name, robot in all_robots.items():
        states = ",\n".join("   " + json.dumps(s) for s in robot["states"])
        head = f' "{name}": {{"base": "{robot["base"]}", "joints": {json.dumps(robot["joints"])}, "frame": {json.dumps(robot["frame"])},\n  "states": [\n'
        lines.append(head + states + "]}")
    (OUT / "reference.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
