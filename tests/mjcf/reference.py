"""Models of the Python package gymnasium and models of our own, and what MuJoCo says of their motion.

    python3 -m venv target/mjcf && target/mjcf/bin/pip install -r tests/mjcf/requirements.txt
    target/mjcf/bin/python tests/mjcf/reference.py

copies the models of gymnasium to tests/data/mjcf and writes reference.json there. Tests read those alone.
"""

import json
import math
from pathlib import Path

import mujoco
import numpy as np

# Of gymnasium, as they are.
GIVEN = [
    "ant",
    "half_cheetah",
    "hopper",
    "humanoid",
    "humanoidstandup",
    "inverted_double_pendulum",
    "inverted_pendulum",
    "point",
    "pusher_v5",
    "reacher",
    "swimmer",
    "walker2d_v5",
]
# Written for these tests.
OWN = ["all_kinds", "bounds", "loops", "tendons", "drives"]
STATES = 10
OUT = Path(__file__).parent.parent / "data" / "mjcf"


class Random:
    """Numbers from -1 to 1, the same everywhere."""

    def __init__(self, seed):
        self.x = seed

    def next(self):
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.x >> 11) / 2**52 - 1.0


def without_contacts(path):
    """The model without what this project does not take: contacts, limits, dry friction, fluids."""
    model = mujoco.MjModel.from_xml_path(str(path))
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= int(off.mjDSBL_CONTACT | off.mjDSBL_LIMIT | off.mjDSBL_FRICTIONLOSS)
    model.opt.density = model.opt.viscosity = 0
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    return model


def drawn(model, random):
    """A state, and controls within their limits and beyond them."""
    data = mujoco.MjData(model)
    kinds = mujoco.mjtJoint
    for j in range(model.njnt):
        at = int(model.jnt_qposadr[j])
        kind = mujoco.mjtJoint(int(model.jnt_type[j]))
        if kind in (kinds.mjJNT_HINGE, kinds.mjJNT_SLIDE):
            data.qpos[at] += 1.5 * random.next()
            continue
        if kind == kinds.mjJNT_FREE:
            data.qpos[at : at + 3] += [random.next() for _ in range(3)]
            at += 3
        e = np.array([1.0] + [random.next() for _ in range(3)])
        data.qpos[at : at + 4] = e / np.linalg.norm(e)
    data.qvel[:] = [2 * random.next() for _ in range(model.nv)]
    data.ctrl[:] = [1.5 * random.next() for _ in range(model.nu)]
    return data


def assembled(model, data):
    """Moves the coordinates by the shortest ways until what is to be equal is equal; the residual that is left."""
    for _ in range(100):
        mujoco.mj_forward(model, data)
        if data.nefc == 0:
            return 0.0
        jacobian = data.efc_J.reshape(data.nefc, model.nv)
        step = np.linalg.lstsq(jacobian, -data.efc_pos, rcond=None)[0]
        # By short steps, so that no branch is jumped over.
        step *= min(1.0, 0.3 / max(1e-30, np.abs(step).max()))
        mujoco.mj_integratePos(model, data.qpos, step, 1.0)
    mujoco.mj_forward(model, data)
    return np.abs(data.efc_pos).max()


def reference(name):
    model = without_contacts(OUT / f"{name}.xml")
    random = Random(1 + sum(map(ord, name)))
    states = []
    w = np.array([math.cos(3 * i) for i in range(model.nv)])
    while len(states) < STATES:
        data = drawn(model, random)
        if assembled(model, data) > 1e-14:
            continue
        m = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, m)
        entry = {
            "q": data.qpos,
            "v": data.qvel,
            "u": data.ctrl,
            "m": m @ w,
            "bias": data.qfrc_bias,
            "force": data.qfrc_passive + data.qfrc_actuator,
        }
        if data.nefc:
            jacobian = data.efc_J.reshape(data.nefc, model.nv)
            entry["held"] = np.linalg.pinv(jacobian) @ (jacobian @ w)
        states.append({k: [float(y) for y in x] for k, x in entry.items()})
    return states


def main():
    import gymnasium

    assets = Path(gymnasium.__file__).parent / "envs/mujoco/assets"
    for name in GIVEN:
        (OUT / f"{name}.xml").write_text((assets / f"{name}.xml").read_text())
    lines = []
    for name in GIVEN + OWN:
        states = reference(name)
        lines.append(f' "{name}": [\n' + ",\n".join("  " + json.dumps(s) for s in states) + "]")
        print(name, len(states[0]["v"]))
    (OUT / "reference.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
