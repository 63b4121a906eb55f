"""Random models with tendons, by `dqdt eval` and by MuJoCo.

    target/mjcf/bin/python tests/mjcf/tendons.py target/release/dqdt 200

Trees of hinges and slides carry fixed and spatial tendons with springs, dampers, dead bands and actuators; half of the models hold one length
equal to a polynomial of another or of none. At three states it compares the mass matrix and the bias with all forces, and of equalities
their residual and the space that their rows span. The exit status is 0 if all agree to 1e-9.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import mujoco
import numpy as np

STATES = 3
TOLERANCE = 1e-9


class Drawn:
    """A random model as a text."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.joints, self.sites = [], ["w0", "w1"]

    def triple(self, size):
        return " ".join(f"{self.r.uniform(-size, size):.3f}" for _ in range(3))

    def joint(self, body, number):
        r = self.r
        hinge = r.random() < 0.67
        text = f'<joint name="j{body}_{number}" type="{"hinge" if hinge else "slide"}" axis="{self.triple(1)}"'
        for name in ("ref", "springref"):
            if r.random() < 0.4:
                size = 40 if hinge else 0.3
                text += f' {name}="{r.uniform(-size, size):.2f}"'
        self.joints.append(f"j{body}_{number}")
        return text + "/>"

    def body(self, at, children):
        r = self.r
        angles = " ".join(f"{r.uniform(-90, 90):.1f}" for _ in range(3))
        text = f'<body name="b{at}" pos="{self.triple(0.5)}" euler="{angles}">'
        text += "".join(self.joint(at, k) for k in range(1 if r.random() < 0.8 else 2))
        moments = " ".join(f"{r.uniform(0.02, 0.03):.3f}" for _ in range(3))
        text += f'<inertial pos="{self.triple(0.1)}" mass="{r.uniform(0.5, 3):.2f}" diaginertia="{moments}"/>'
        for k in range(2):
            self.sites.append(f"s{at}_{k}")
            text += f'<site name="s{at}_{k}" pos="{self.triple(0.4)}"/>'
        return text + "".join(self.body(c, children) for c in children[at]) + "</body>"

    def tendon(self, name):
        r = self.r
        keys = ""
        if r.random() < 0.8:
            keys += f' stiffness="{r.uniform(1, 80):.2f}"'
        if r.random() < 0.7:
            keys += f' damping="{r.uniform(0.1, 5):.2f}"'
        low, width = r.uniform(0.1, 1.0), r.uniform(0.1, 1.0)
        keys += r.choice(["", "", f' springlength="{low:.2f}"', f' springlength="{low:.2f} {low + width:.2f}"'])
        if r.random() < 0.5:
            some = r.sample(self.joints, min(len(self.joints), r.randint(1, 3)))
            parts = "".join(f'<joint joint="{j}" coef="{r.uniform(-2, 2):.2f}"/>' for j in some)
            return f'<fixed name="{name}"{keys}>{parts}</fixed>'
        some = r.sample(self.sites, r.randint(2, min(4, len(self.sites))))
        parts = "".join(f'<site site="{s}"/>' for s in some)
        return f'<spatial name="{name}"{keys}>{parts}</spatial>'

    def actuator(self, tendon):
        r = self.r
        kind = r.choice(["motor", "position", "velocity"])
        gains = {
            "motor": "",
            "position": f' kp="{r.uniform(1, 20):.1f}" kv="{r.uniform(0, 2):.1f}"',
            "velocity": f' kv="{r.uniform(0.1, 3):.1f}"',
        }[kind]
        return f'<{kind} name="a{tendon}" tendon="{tendon}" gear="{r.uniform(0.5, 3):.2f}"{gains}/>'

    def model(self):
        r = self.r
        count = r.randint(2, 5)
        parents = [r.randint(-1, i - 1) for i in range(count)]
        children = {i: [c for c in range(count) if parents[c] == i] for i in range(-1, count)}
        world = f'<site name="w0" pos="{self.triple(1)}"/><site name="w1" pos="{self.triple(1)}"/>'
        world += "".join(self.body(c, children) for c in children[-1])
        names = [f"t{k}" for k in range(r.randint(1, 3))]
        tendons = "".join(self.tendon(name) for name in names)
        actuators = "".join(self.actuator(name) for name in names if r.random() < 0.5)
        equality = ""
        if r.random() < 0.5:
            other = ' tendon2="t1"' if len(names) > 1 and r.random() < 0.5 else ""
            # From the pose that is drawn, where the equality holds.
            factors = f"0 {r.uniform(-2, 2):.3f} {r.uniform(-0.5, 0.5):.3f} 0 0"
            equality = f'<tendon name="e" tendon1="t0"{other} polycoef="{factors}"/>'
        return (
            f'<mujoco model="m"><option><flag contact="disable"/></option><worldbody>{world}</worldbody><tendon>{tendons}</tendon>'
            f"<equality>{equality}</equality><actuator>{actuators}</actuator></mujoco>"
        )


def answer(program, path, names, inputs, q, v, u, held):
    """What `eval` says, in MuJoCo's order: M, the bias without what inputs do, residual and rows of the equality."""
    state = {
        "q": {f"q_{n}": float(x) for n, x in zip(names, q)},
        "v": {f"q_{n}_dot": float(x) for n, x in zip(names, v)},
        "u": {f"u_{n}": float(x) for n, x in zip(inputs, u)},
    }
    functions = ["mass_matrix", "bias", "input_matrix"] + (["velocity_constraints"] if held else [])
    command = [program, "eval", str(path), "--functions", ",".join(functions), "--at", "-"]
    run = subprocess.run(command, input=json.dumps(state), capture_output=True, text=True, check=False)
    if run.returncode:
        return None, run.stderr
    said = json.loads(run.stdout)
    order = [list(said["qdot"]).index(f"q_{n}") for n in names]
    bias = np.array(said["bias"])
    if inputs:
        bias = bias - np.array(said["input_matrix"]).reshape(len(names), -1) @ u
    found = [np.array(said["mass_matrix"])[np.ix_(order, order)], bias[order]]
    if held:
        rows = np.array(said["velocity_constraints"]["jacobian"]).reshape(-1, len(names))
        found += [np.array(list(said["constraints"]["position"].values())).ravel(), rows[:, order]]
    return found, ""


def compared(program, seed, folder):
    """The largest difference of one model; a text if it is refused."""
    text = Drawn(seed).model()
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    path = Path(folder) / "model.xml"
    path.write_text(text, encoding="utf-8")
    names = [model.joint(i).name for i in range(model.njnt)]
    inputs = [model.actuator(i).name for i in range(model.nu)]
    numbers = np.random.RandomState(seed)
    worst = 0.0
    for _ in range(STATES):
        data.qpos[:] = model.qpos0 + numbers.uniform(-1, 1, model.nq)
        data.qvel[:] = numbers.uniform(-1, 1, model.nv)
        data.ctrl[:] = numbers.uniform(-1, 1, model.nu)
        mujoco.mj_forward(model, data)
        found, refused = answer(program, path, names, inputs, data.qpos, data.qvel, data.ctrl, model.neq > 0)
        if found is None:
            return refused
        mass = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass)
        bias = data.qfrc_bias - data.qfrc_passive - data.qfrc_actuator
        worst = max(worst, abs(found[0] - mass).max() / abs(mass).max(), abs(found[1] - bias).max() / max(1, abs(bias).max()))
        if model.neq:
            rows = data.efc_J.reshape(-1, model.nv)[: data.ne]
            worst = max(worst, abs(abs(found[2]) - abs(data.efc_pos[: data.ne])).max())
            # One row each: they span the same if they are parallel.
            along = [r / np.linalg.norm(r) for r in (rows[0], found[3][0])]
            worst = max(worst, 1 - abs(along[0] @ along[1]))
    return worst


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    worst, wrong, held = 0.0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            found = compared(program, seed, folder)
            if isinstance(found, str):
                print(f"{seed} is refused\n{found}")
                wrong += 1
                continue
            held += "<tendon name" in (Path(folder) / "model.xml").read_text(encoding="utf-8")
            worst = max(worst, found)
            if not found < TOLERANCE:
                print(f"{seed} differs by {found:.1e}")
                wrong += 1
    print(f"{count} models, {held} of them with an equality: {wrong} wrong, largest difference {worst:.1e}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
