"""A thin disc that rolls on a plane: what a person would write by hand, traced by CasADi.

The body is free, its speeds linear along the axes of the ground and angular along its own; three rows keep the contact at
rest. Pinocchio has no such constraint.
"""

import casadi as ca
import numpy as np

NAME = "rolling_disc"
RADIUS, MASS, GRAVITY = 0.2, 1.0, 9.81
INERTIA = np.array([MASS * RADIUS**2 / 4, MASS * RADIUS**2 / 2, MASS * RADIUS**2 / 4])


class Numpy:
    cos, sin, cross, dot = np.cos, np.sin, np.cross, np.dot
    matrix = staticmethod(np.array)
    multiply = staticmethod(lambda a, b: a @ b)
    vector = staticmethod(lambda *a: np.array(a))


class Casadi:
    cos, sin, cross, dot, multiply = ca.cos, ca.sin, ca.cross, ca.dot, ca.mtimes
    vector = staticmethod(ca.vertcat)
    matrix = staticmethod(lambda m: ca.vertcat(*(ca.horzcat(*row) for row in m)))


def contact(lib, q, v):
    """Rotation, angular velocity in it and on the ground, arm from the centre to the contact and its rate."""
    c, s, mul = lib.cos, lib.sin, lib.multiply
    heading, lean, roll = q[3], q[4], q[5]
    about_z = lib.matrix([[c(heading), -s(heading), 0], [s(heading), c(heading), 0], [0, 0, 1]])
    about_x = lib.matrix([[1, 0, 0], [0, c(lean), -s(lean)], [0, s(lean), c(lean)]])
    about_y = lib.matrix([[c(roll), 0, s(roll)], [0, 1, 0], [-s(roll), 0, c(roll)]])
    rotation = mul(mul(about_z, about_x), about_y)
    own = v[3:6]
    omega = mul(rotation, own)
    n = rotation[:, 1]
    up = lib.vector(0.0, 0.0, 1.0) - n[2] * n
    n_dot = lib.cross(omega, n)
    up_dot = -n_dot[2] * n - n[2] * n_dot
    length = lib.dot(up, up) ** 0.5
    arm = -RADIUS * up / length
    arm_dot = -RADIUS * (up_dot / length - up * lib.dot(up, up_dot) / length**3)
    return rotation, own, omega, arm, arm_dot


def cross_matrix(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def states(count):
    random = np.random.default_rng(3)
    found = []
    for _ in range(count):
        angles = [random.uniform(-3, 3), random.uniform(-1.2, 1.2), random.uniform(-3, 3)]
        q = np.array([*random.uniform(-1, 1, 2), RADIUS * np.cos(angles[1]), *angles])
        v = np.concatenate([np.zeros(3), random.uniform(-4, 4, 3)])
        rotation, own, omega, arm, arm_dot = contact(Numpy, q, v)
        v[:3] = -np.cross(omega, arm)
        rows = np.hstack([np.eye(3), -cross_matrix(arm) @ rotation])
        system = np.zeros((9, 9))
        system[:6, :6] = np.diag([MASS] * 3 + list(INERTIA))
        system[:6, 6:], system[6:, :6] = -rows.T, rows
        gyroscopic = -np.cross(own, INERTIA * own)
        right = np.concatenate([[0, 0, -MASS * GRAVITY], gyroscopic, -np.cross(omega, arm_dot)])
        a = np.linalg.solve(system, right)[:6]
        found.append((q, v, np.zeros(6), a, [*q, *v], []))
    return found


def generate(folder):
    q, v, u = ca.SX.sym("q", 6), ca.SX.sym("v", 6), ca.SX.sym("u", 6)
    rotation, own, omega, arm, arm_dot = contact(Casadi, q, v)
    rows = -ca.mtimes(ca.skew(arm), rotation)
    inverse = ca.DM(1 / INERTIA)
    weighed = rows * ca.repmat(inverse.T, 3, 1)
    system = ca.mtimes(weighed, rows.T) + ca.SX.eye(3) / MASS
    force = ca.vertcat(0, 0, -MASS * GRAVITY)
    gyroscopic = -ca.cross(own, ca.DM(INERTIA) * own)
    right = -ca.cross(omega, arm_dot) - force / MASS - ca.mtimes(weighed, gyroscopic)
    d, lt, p = ca.ldl(system)
    multipliers = ca.ldl_solve(right, d, lt, p)
    a = ca.vertcat((force + multipliers) / MASS, inverse * (gyroscopic + ca.mtimes(rows.T, multipliers)))
    function = ca.Function("entry", [q, v, u], [ca.cse(ca.densify(a))])
    code = ca.CodeGenerator("generated", {"with_header": False})
    code.add(function)
    code.generate(f"{folder}/")
    (folder / "generated.c").rename(folder / f"casadi--{NAME}--loop.c")
