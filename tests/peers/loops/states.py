"""Trees, loops and checked states of the mechanisms with constraints.

usage: states.py WORK   writes WORK/models/NAME.txt, NAME.loops, NAME.rows and WORK/reference/NAME.bin

The reference is the null space of the constraints (by singular values) over Pinocchio's kinematics, in numpy: neither our way
nor that of any peer. States are assembled to 5e-14, speeds are in the null space to rounding.
"""

import struct
import sys
from pathlib import Path

import numpy as np
import pinocchio as pin

sys.path.insert(0, str(Path(__file__).resolve().parent))
import disc  # noqa: E402
from mechanisms import MECHANISMS  # noqa: E402

STATES = 32
KINDS = {
    "R": pin.JointModelRevoluteUnaligned,
    "P": pin.JointModelPrismaticUnaligned,
    "F": lambda _: pin.JointModelFreeFlyer(),
    "U": lambda _: pin.JointModelUniversal(np.array([1.0, 0, 0]), np.array([0, 1.0, 0])),
}


def model_of(mechanism):
    model = pin.Model()
    model.gravity.linear = np.array(mechanism.gravity, float)
    for j in mechanism.joints:
        place = pin.SE3(np.eye(3), np.array(j.at, float))
        index = model.addJoint(j.parent, KINDS[j.letter](np.array(j.axis, float)), place, j.name)
        inertia = pin.Inertia(j.mass, np.array(j.centre, float), np.diag(j.inertia).astype(float))
        model.appendBodyToJoint(index, inertia, pin.SE3.Identity())
    return model


class Kinematics:
    """Points of bodies and their derivatives at one state; joint 0 is the ground."""

    def __init__(self, model, data, q):
        self.model, self.data, self.q = model, data, q
        pin.computeJointJacobians(model, data, q)

    def point(self, joint, at):
        return self.data.oMi[joint].act(np.array(at, float)) if joint else np.array(at, float)

    def jacobian(self, joint, at):
        if joint == 0:
            return np.zeros((3, self.model.nv))
        j = pin.getJointJacobian(self.model, self.data, joint, pin.LOCAL_WORLD_ALIGNED)
        return j[:3] - pin.skew(self.data.oMi[joint].rotation @ np.array(at)) @ j[3:]

    def acceleration(self, joint, at):
        """At the accelerations of the last call of forwardKinematics."""
        if joint == 0:
            return np.zeros(3)
        v, a, p = self.data.v[joint], self.data.a[joint], np.array(at, float)
        turning = np.cross(v.angular, v.linear + np.cross(v.angular, p))
        return self.data.oMi[joint].rotation @ (a.linear + np.cross(a.angular, p) + turning)


def rows(loops, value):
    return np.concatenate([value(a, p) - value(b, r) for a, p, b, r in loops])


def assemble(model, data, q, loops):
    """The state nearby with closed loops, and what is left open."""
    for _ in range(100):
        k = Kinematics(model, data, q)
        gap = rows(loops, k.point)
        if abs(gap).max() < 1e-15:
            break
        step = -np.linalg.lstsq(rows(loops, k.jacobian), gap, rcond=1e-7)[0]
        length = np.linalg.norm(step)
        q = pin.integrate(model, q, step * min(1, 0.5 / length) if length else step)
    return q, abs(rows(loops, Kinematics(model, data, q).point)).max()


def accelerations(model, data, q, v, tau, loops):
    pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
    drift = rows(loops, Kinematics(model, data, q).acceleration)
    g = rows(loops, Kinematics(model, data, q).jacobian)
    bias = pin.nonLinearEffects(model, data, q, v).copy()
    upper = np.triu(pin.crba(model, data, q))
    mass = upper + np.triu(upper, 1).T
    u, s, vt = np.linalg.svd(g)
    rank = int((s > 1e-7 * s[0]).sum())
    null = vt[rank:].T
    part = -(vt[:rank].T @ ((u[:, :rank].T @ drift) / s[:rank]))
    return part + null @ np.linalg.solve(null.T @ mass @ null, null.T @ (tau - bias - mass @ part))


def our_state(mechanism, model, q, v):
    """Our state: quaternions scalar first, then the speeds."""
    x = []
    for letter, joint in zip((j.letter for j in mechanism.joints), model.joints[1:], strict=True):
        part = list(q[joint.idx_q : joint.idx_q + joint.nq])
        x += [*part[:3], part[6], *part[3:6]] if letter == "F" else part
    return [*x, *v]


def states(name, mechanism):
    model = model_of(mechanism)
    data = model.createData()
    random = np.random.default_rng(7)
    nv, loops = model.nv, mechanism.loops
    inputs = mechanism.inputs or len(mechanism.driven)
    found, rank = [], None
    while len(found) < STATES:
        way = np.array(mechanism.spread) * random.uniform(-1, 1, nv)
        q, gap = assemble(model, data, pin.integrate(model, np.array(mechanism.start, float), way), loops)
        if gap > 5e-14:
            continue
        g = rows(loops, Kinematics(model, data, q).jacobian)
        s = np.linalg.svd(g, compute_uv=False)
        rank = rank or int((s > 1e-7 * s[0]).sum())
        # Away from poses in which the rank falls, where no answer is right to 1e-9.
        if int((s > 1e-7 * s[0]).sum()) != rank or (s[rank - 1] < 0.05 * s[0] and name != "seven_body"):
            continue
        v = mechanism.speed * random.uniform(-1, 1, nv)
        for _ in range(2):
            v -= np.linalg.lstsq(g, g @ v, rcond=1e-7)[0]
        u = 5 * random.uniform(-1, 1, inputs)
        tau = np.zeros(nv)
        tau[mechanism.driven] = u[: len(mechanism.driven)]
        if mechanism.extra:
            mechanism.extra(Kinematics(model, data, q), tau, u)
        a = accelerations(model, data, q, v, tau, loops)
        found.append((q, v, tau, a, our_state(mechanism, model, q, v), u))
    return found


def write_states(path, found):
    """As bench_pinocchio writes them, efforts and mass matrix zero; then our state and inputs."""
    q, v, _, _, x, u = found[0]
    nv = len(v)
    head = struct.pack("4i", len(q), nv, len(x), len(u))
    unused = np.zeros(nv + nv * nv)
    body = [np.concatenate([q, v, tau, a, unused, x, u]) for q, v, tau, a, x, u in found]
    path.write_bytes(head + np.array(body).tobytes())


def numbers(values):
    return " ".join(repr(float(v)) for v in values)


def write_model(folder, name, mechanism, model):
    head = f"model {name}\nnq {model.nq} nv {model.nv} nj {len(mechanism.joints)}\ngravity {numbers(mechanism.gravity)}\n"
    lines = []
    for i, j in enumerate(mechanism.joints, 1):
        xx, yy, zz = j.inertia
        values = [*j.axis, *np.eye(3).ravel(), *j.at, j.mass, *j.centre, xx, 0, yy, 0, 0, zz]
        lines.append(f"{i} {j.parent} {j.letter} {numbers(values)} {j.name}")
    (folder / f"{name}.txt").write_text(head + "\n".join(lines) + "\n")
    loops = [f"{a} {b} {numbers([*p, *r])}" for a, p, b, r in mechanism.loops]
    (folder / f"{name}.loops").write_text("\n".join(loops) + "\n")
    chosen = [" ".join(map(str, row)) for row in mechanism.rows]
    (folder / f"{name}.rows").write_text("\n".join(chosen) + "\n")


def main():
    work = Path(sys.argv[1])
    for name, make in MECHANISMS.items():
        mechanism = make()
        write_model(work / "models", name, mechanism, model_of(mechanism))
        write_states(work / "reference" / f"{name}.bin", states(name, mechanism))
        print(name, flush=True)
    write_states(work / "reference" / f"{disc.NAME}.bin", disc.states(STATES))
    disc.generate(work / "gen")


if __name__ == "__main__":
    main()
