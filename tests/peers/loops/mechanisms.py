"""Mechanisms with closed loops, written down apart from our specs: a tree, and points that coincide.

A loop is (joint, point in its frame, other joint or 0 for the ground, point there). `rows` are the independent rows of the
constraints that a generator solves with: (loop, joint in whose axes it is written or 0, axis).
"""

from dataclasses import dataclass, field
from math import atan2, cos, pi, radians, sin

import numpy as np

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


@dataclass
class Joint:
    name: str
    parent: int
    letter: str
    axis: tuple
    at: tuple = (0, 0, 0)
    mass: float = 0.0
    centre: tuple = (0, 0, 0)
    inertia: tuple = (0, 0, 0)  # principal values, about the centre


@dataclass
class Mechanism:
    gravity: tuple
    joints: list
    loops: list
    start: list
    spread: list  # of random states about the start, before they are assembled
    rows: list
    driven: list = field(default_factory=list)  # speeds on which an input acts
    inputs: int = 0  # where inputs act otherwise
    extra: object = None  # forces beside the inputs, which our spec computes itself
    speed: float = 2.0


def rod(mass, length):
    """Slender, along x."""
    return (0, mass * length**2 / 12, mass * length**2 / 12)


def planar_rows(loops):
    return [(k, 0, axis) for k in range(loops) for axis in (0, 1)]


def four_bar():
    a, b, c, d = 0.1, 0.5, 0.4, 0.4
    joints = [
        Joint("A", 0, "R", Z, (0, 0, 0), 0.5, (a / 2, 0, 0), rod(0.5, a)),
        Joint("B", 1, "R", Z, (a, 0, 0), 1, (b / 2, 0, 0), rod(1, b)),
        Joint("D", 0, "R", Z, (d, 0, 0), 0.8, (c / 2, 0, 0), rod(0.8, c)),
    ]
    loops = [(3, (c, 0, 0), 2, (b, 0, 0))]
    start = [pi / 2, atan2(3, 4) - pi / 2, pi / 2]
    return Mechanism((0, -9.81, 0), joints, loops, start, [3, 0.3, 0.3], planar_rows(1), driven=[0])


def slider_crank():
    r, l = 0.3, 0.5
    joints = [
        Joint("A", 0, "R", Z, (0, 0, 0), 0.8, (r / 2, 0, 0), rod(0.8, r)),
        Joint("B", 1, "R", Z, (r, 0, 0), 0.5, (l / 2, 0, 0), rod(0.5, l)),
        Joint("guide", 0, "P", X, (0, 0, 0), 1.2),
    ]
    loops = [(3, (0, 0, 0), 2, (l, 0, 0))]
    start = [pi / 2, -pi / 2 - atan2(3, 4), 0.4]
    return Mechanism((0, -9.81, 0), joints, loops, start, [3, 0.3, 0.1], planar_rows(1), driven=[2])


def seven_body():
    def body(name, parent, at, mass, centre, i):
        return Joint(name, parent, "R", Z, at, mass, centre, (i / 2, i / 2, i))

    joints = [
        body("O", 0, (0, 0, 0), 0.04325, (0.00092, 0, 0), 2.194e-6),
        body("P", 1, (0.007, 0, 0), 0.00365, (-0.0115, 0, 0), 4.41e-7),
        body("B", 0, (-0.03635, 0.03273, 0), 0.02373, (0.01043, -0.01874, 0), 5.255e-6),
        body("A_low", 0, (-0.06934, -0.00227, 0), 0.0705, (0.02308, 0.00916, 0), 1.169e-5),
        body("E", 4, (0.04, 0, 0), 0.00706, (0, 0.01421 - 0.02, 0), 5.667e-7),
        body("A_high", 0, (-0.06934, -0.00227, 0), 0.05498, (-0.00449, -0.01228, 0), 1.912e-5),
        body("H", 6, (0, -0.04, 0), 0.00706, (0.02 - 0.01421, 0, 0), 5.667e-7),
    ]
    end = (2, (-0.028, 0, 0))
    loops = [(3, (0, -0.035, 0), *end), (5, (0, -0.02, 0), *end), (7, (0.02, 0, 0), *end)]

    def extra(kinematics, tau, _inputs):
        """A moment on the crank, and a spring between the ground and the third body."""
        tau[0] += 0.033
        at = (0.02, -0.018, 0)
        way = kinematics.point(3, at) - np.array([0.014, 0.072, 0])
        length = np.linalg.norm(way)
        tau += kinematics.jacobian(3, at).T @ (-4530 * (length - 0.07785) * way / length)

    start = [-0.06171389001427645, 0, 0.4552798191630704, 0.4873649795438426]
    start += [0.2226683901658859, 1.2305474445498212, -0.2226683901658859]
    spread = [0.6, 0.15, *[0.1] * 5]
    return Mechanism((0, 0, 0), joints, loops, start, spread, planar_rows(3), extra=extra, speed=20)


def bricard():
    l, m, k = 1.0, 1.0, 1 / 12
    joints = [
        Joint("h1", 0, "R", X, (l, 0, 0), m, (0, l / 2, 0), (k, 0, k)),
        Joint("h2", 1, "R", Z, (0, l, 0), m, (-l / 2, 0, 0), (0, k, k)),
        Joint("h3", 2, "R", Y, (-l, 0, 0), m, (0, 0, l / 2), (k, k, 0)),
        Joint("h4", 3, "R", X, (0, 0, l), m, (0, -l / 2, 0), (k, 0, k)),
        Joint("h5", 4, "R", Z, (0, -l, 0), m, (l / 2, 0, 0), (0, k, k)),
    ]
    # A hinge is two points; of its six rows four are independent, these the farthest from dependence over the states.
    loops = [(5, (l, 0.5, 0), 0, (l, 0.5, l)), (5, (l, -0.5, 0), 0, (l, -0.5, l))]
    rows = [(0, 0, 1), (0, 0, 2), (1, 0, 0), (1, 0, 2)]
    return Mechanism((0, 0, -9.81), joints, loops, [0] * 5, [0.5] * 5, rows)


def stewart_platform():
    base, top, leg = 0.5, 0.3, 0.45
    joints = [Joint("free", 0, "F", X, (0, 0, 0), 20, (0, 0, 0), (0.5, 0.5, 0.9))]
    loops, start = [], [0.02, -0.03, 0.6, 0, sin(0.03), 0, cos(0.03)]
    for k in range(1, 7):
        low = radians(120 * (k // 2) + 20 * (k % 2) - 10)
        high = radians(120 * ((k - 1) // 2) + 70 - 20 * (k % 2))
        hip = (base * cos(low), base * sin(low), 0)
        joints.append(Joint(f"u{k}", 0, "U", X, hip, 1.5, (0, 0, 0.18), (0.02, 0.02, 0.001)))
        piston = (0.0135, 0.0135, 0.0002)
        joints.append(Joint(f"s{k}", len(joints), "P", Z, (0, 0, 0), 0.8, (0, 0, leg / 2), piston))
        loops.append((len(joints), (0, 0, leg), 1, (top * cos(high), top * sin(high), 0)))
        start += [0, 0, 0.2]

    def extra(kinematics, tau, inputs):
        """Motors and springs of the legs."""
        for k in range(6):
            tau[6 + 3 * k + 2] += inputs[k] - 2000 * (kinematics.q[7 + 3 * k + 2] - 0.26)

    spread = [0.05] * 3 + [0.2] * 3 + [0.05] * 18
    rows = [(k, 0, axis) for k in range(6) for axis in range(3)]
    return Mechanism((0, 0, -9.81), joints, loops, start, spread, rows, inputs=6, extra=extra)


def legs(number, with_abduction):
    """Four-bar legs on a floating base: thigh, shank, and a rocker beside the thigh."""
    joints = [Joint("free", 0, "F", X, (0, 0, 0), 10, (0.01, 0.02, -0.03), (0.3, 0.5, 0.6))]
    loops, rows, driven = [], [], []
    start, spread = [0, 0, 0.5, 0, 0, 0, 1], [0.3] * 3 + [0.4] * 3
    speeds = 6
    sites = [(0.3, 0.2, -0.05), (0.3, -0.2, -0.05), (-0.3, 0.2, -0.05), (-0.3, -0.2, -0.05)]
    thigh, arm, rocker, between = 0.3, 0.12, 0.3, 0.12
    for k, site in enumerate(sites[:number]):
        parent, origin = 1, site
        if with_abduction:
            joints.append(Joint(f"abd{k}", 1, "R", X, site, 0.6, (0.01, 0.015, 0), (0.001, 0.002, 0.0025)))
            parent, origin = len(joints), (0, 0.06, 0)
            driven.append(speeds)
            speeds += 1
            start.append(0)
            spread.append(0.3)
        first = len(joints) + 1
        ahead = (origin[0] - between, origin[1], origin[2])
        joints += [
            Joint(f"thigh{k}", parent, "R", Y, origin, 1.1, (0.005, 0.002, -0.13), (0.011, 0.012, 0.0012)),
            Joint(f"shank{k}", first, "R", Y, (0, 0, -thigh), 0.5, (-0.004, 0.001, -0.1), (0.0063, 0.0065, 0.0003)),
            Joint(f"rocker{k}", parent, "R", Y, ahead, 0.2, (0, 0.001, -0.15), (0.00155, 0.0016, 0.0001)),
        ]
        rows += [(len(loops), parent, axis) for axis in (0, 2)]
        loops.append((first + 2, (0, 0, -rocker), first + 1, (-arm, 0, 0.02)))
        driven += [speeds, speeds + 2]
        start += [0.4, -0.5, 0.4]
        spread += [0.4, 0.3, 0.4]
        speeds += 3
    return Mechanism((0, 0, -9.81), joints, loops, start, spread, rows, driven=driven)


MECHANISMS = {
    "four_bar": four_bar,
    "slider_crank": slider_crank,
    "seven_body": seven_body,
    "bricard": bricard,
    "stewart_platform": stewart_platform,
    "fb_leg": lambda: legs(1, False),
    "fb_quad": lambda: legs(4, True),
}
