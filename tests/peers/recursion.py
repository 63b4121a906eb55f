"""Articulated-body, Newton-Euler and composite-body recursions over any scalar, for tools that trace Python.

What a user of CasADi or wrenfold would write: frames fixed in the bodies, symmetric 6 x 6 inertias in blocks, numbers 0 and 1
folded away. A twist or a wrench is a pair (angular, linear) in body axes; the inertia of a body is (A, B, C), so that the
momentum is (A w + B v, Bᵀ w + C v).
"""

from dataclasses import dataclass, field

ZERO = [0.0, 0.0, 0.0]
UNITS = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def number(a):
    return type(a) in (float, int)


def add(a, b):
    if number(a) and a == 0:
        return b
    return a if number(b) and b == 0 else a + b


def neg(a):
    return 0.0 if number(a) and a == 0 else -a


def sub(a, b):
    if number(b) and b == 0:
        return a
    return -b if number(a) and a == 0 else a - b


def mul(a, b):
    for x, y in ((a, b), (b, a)):
        if number(x) and x in (0, 1, -1):
            return {0: 0.0, 1: y, -1: -y}[x]
    return a * b


def dot(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total = add(total, mul(x, y))
    return total


def cross(a, b):
    return [sub(mul(a[i - 2], b[i - 1]), mul(a[i - 1], b[i - 2])) for i in range(3)]


def plus(a, b):
    return [add(x, y) for x, y in zip(a, b, strict=True)]


def minus(a, b):
    return [sub(x, y) for x, y in zip(a, b, strict=True)]


def scaled(a, k):
    return [mul(x, k) for x in a]


def transposed(m):
    return [list(column) for column in zip(*m, strict=True)]


def apply(m, a):
    return [dot(row, a) for row in m]


def product(a, b):
    return [[dot(row, column) for column in transposed(b)] for row in a]


def matrix_plus(a, b):
    return [plus(x, y) for x, y in zip(a, b, strict=True)]


def matrix_minus(a, b):
    return [minus(x, y) for x, y in zip(a, b, strict=True)]


def tilde(p):
    return [[0.0, neg(p[2]), p[1]], [p[2], 0.0, neg(p[0])], [neg(p[1]), p[0], 0.0]]


def symmetric(entry):
    """Only the upper entries are computed."""
    upper = {(i, j): entry(i, j) for i in range(3) for j in range(i, 3)}
    return [[upper[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]


def turned(r, m):
    """R M Rᵀ of a symmetric M."""
    x = product(r, m)
    return symmetric(lambda i, j: dot(x[i], r[j]))


@dataclass
class Body:
    """One line of the tree that models.py writes."""

    index: int
    parent: int
    letter: str
    axis: list
    rotation: list
    at: list
    mass: float
    a: list
    b: list


@dataclass
class Pass:
    """What a body keeps between the sweeps."""

    r: list = None  # rotation to the parent
    back: list = None  # its transpose
    at: list = None
    axes: list = None  # of the joint: twists
    w: list = field(default_factory=lambda: ZERO)
    v: list = field(default_factory=lambda: ZERO)
    drift: tuple = None  # velocity-product acceleration
    bias: tuple = None  # force at zero acceleration
    first: int = 0  # speed
    inertia: tuple = None
    u: list = None
    rest: list = None
    solve: object = None


def load(path):
    lines = path.read_text().splitlines()
    gravity = [float(x) for x in lines[2].split()[1:]]
    bodies = []
    for line in lines[3:]:
        words = line.split()
        x = [float(w) for w in words[3:-1]]
        mass, centre = x[15], x[16:19]
        xx, xy, yy, xz, yz, zz = x[19:25]
        arm = tilde(centre)
        shift = product(arm, arm)
        own = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        a = [[float(own[i][j] - mass * shift[i][j]) for j in range(3)] for i in range(3)]
        b = [[float(mass * e) for e in row] for row in arm]
        rotation = [x[3:6], x[6:9], x[9:12]]
        bodies.append(Body(int(words[0]), int(words[1]), words[2], x[:3], rotation, x[12:15], mass, a, b))
    return bodies, gravity


def sizes(bodies):
    nq = sum({"R": 1, "P": 1, "S": 4, "F": 7}[b.letter] for b in bodies)
    return nq, sum({"R": 1, "P": 1, "S": 3, "F": 6}[b.letter] for b in bodies)


def of_quaternion(q):
    x, y, z, w = q
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]


def about(axis, s, c):
    if axis == UNITS[0]:
        return [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
    if axis == UNITS[1]:
        return [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
    if axis == UNITS[2]:
        return [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
    k = 1 - c
    x, y, z = axis
    return [
        [c + x * x * k, x * y * k - z * s, x * z * k + y * s],
        [x * y * k + z * s, c + y * y * k, y * z * k - x * s],
        [x * z * k - y * s, y * z * k + x * s, c + z * z * k],
    ]


def joint(b, q, v, sin, cos):
    """Rotation and place of the child in the parent, axes, velocity of the joint. q and v begin with the joint's own."""
    if b.letter == "R":
        r = product(b.rotation, about(b.axis, sin(q[0]), cos(q[0])))
        return r, b.at, [(b.axis, ZERO)], (scaled(b.axis, v[0]), ZERO)
    if b.letter == "P":
        at = plus(b.at, apply(b.rotation, scaled(b.axis, q[0])))
        return b.rotation, at, [(ZERO, b.axis)], (ZERO, scaled(b.axis, v[0]))
    turns = [(e, ZERO) for e in UNITS]
    if b.letter == "S":
        return product(b.rotation, of_quaternion(q[:4])), b.at, turns, (v[:3], ZERO)
    r = product(b.rotation, of_quaternion(q[3:7]))
    at = plus(b.at, apply(b.rotation, q[:3]))
    return r, at, [(ZERO, e) for e in UNITS] + turns, (v[3:6], v[:3])


def outward(bodies, q, v, sin, cos):
    state = {0: Pass()}
    iq, iv = 0, 0
    for b in bodies:
        r, at, axes, (jw, jv) = joint(b, q[iq:], v[iv:], sin, cos)
        parent, back = state[b.parent], transposed(r)
        w = plus(apply(back, parent.w), jw)
        vl = plus(apply(back, plus(parent.v, cross(parent.w, at))), jv)
        drift = (cross(w, jw), plus(cross(w, jv), cross(vl, jw)))
        moment = plus(apply(b.a, w), apply(b.b, vl))
        momentum = minus(scaled(vl, b.mass), apply(b.b, w))
        bias = (plus(cross(w, moment), cross(vl, momentum)), cross(w, momentum))
        state[b.index] = Pass(r, back, at, axes, w, vl, drift, bias, iv)
        iq += {"R": 1, "P": 1, "S": 4, "F": 7}[b.letter]
        iv += len(axes)
    return state


def moved(s, parent):
    """Acceleration of a body by that of its parent, without the joint's own."""
    w, v = parent
    return plus(apply(s.back, w), s.drift[0]), plus(apply(s.back, plus(v, cross(w, s.at))), s.drift[1])


def factors(d):
    """Solver of a small symmetric system, by LDLᵀ."""
    n = len(d)
    l, pivots, inverse = [[0.0] * n for _ in range(n)], [], []
    for j in range(n):
        pivot = d[j][j]
        for k in range(j):
            pivot = sub(pivot, mul(l[j][k], mul(l[j][k], pivots[k])))
        pivots.append(pivot)
        inverse.append(1 / pivot)
        for i in range(j + 1, n):
            e = d[i][j]
            for k in range(j):
                e = sub(e, mul(l[i][k], mul(l[j][k], pivots[k])))
            l[i][j] = mul(e, inverse[j])

    def solve(right):
        y = list(right)
        for i in range(n):
            for k in range(i):
                y[i] = sub(y[i], mul(l[i][k], y[k]))
        y = [mul(y[i], inverse[i]) for i in range(n)]
        for i in reversed(range(n)):
            for k in range(i + 1, n):
                y[i] = sub(y[i], mul(l[k][i], y[k]))
        return y

    return solve


def inward(s, parent):
    """Adds the articulated inertia and bias of a body to those of its parent."""
    (a, b, c), n = s.inertia, len(s.axes)
    # One column of U D⁻¹ a row of U; solved row by row, so that a one-axis joint divides once.
    solved = [s.solve([s.u[j][half][e] for j in range(n)]) for half in (0, 1) for e in range(3)]
    g = [([solved[e][j] for e in range(3)], [solved[3 + e][j] for e in range(3)]) for j in range(n)]

    def reduced(m, left, right, i, k):
        e = m[i][k]
        for j in range(n):
            e = sub(e, mul(s.u[j][left][i], g[j][right][k]))
        return e

    a = symmetric(lambda i, k: reduced(s.inertia[0], 0, 0, i, k))
    c = symmetric(lambda i, k: reduced(s.inertia[2], 1, 1, i, k))
    b = [[reduced(s.inertia[1], 0, 1, i, k) for k in range(3)] for i in range(3)]
    w, v = s.drift
    moment = plus(s.bias[0], plus(apply(a, w), apply(b, v)))
    force = plus(s.bias[1], plus(apply(transposed(b), w), apply(c, v)))
    for j in range(n):
        moment = plus(moment, scaled(g[j][0], s.rest[j]))
        force = plus(force, scaled(g[j][1], s.rest[j]))
    arm = tilde(s.at)
    a, c = turned(s.r, a), turned(s.r, c)
    b = product(product(s.r, b), s.back)
    shifted = matrix_plus(b, product(arm, c))
    whole = matrix_plus(matrix_minus(a, product(b, arm)), product(arm, transposed(shifted)))
    whole = symmetric(lambda i, j: whole[i][j])
    pa, pb, pc = parent.inertia
    parent.inertia = (matrix_plus(pa, whole), matrix_plus(pb, shifted), matrix_plus(pc, c))
    force = apply(s.r, force)
    moment = plus(apply(s.r, moment), cross(s.at, force))
    parent.bias = (plus(parent.bias[0], moment), plus(parent.bias[1], force))


def articulated_body(bodies, gravity, q, v, tau, sin, cos):
    state = outward(bodies, q, v, sin, cos)
    for b in bodies:
        state[b.index].inertia = (b.a, b.b, [[b.mass if i == j else 0.0 for j in range(3)] for i in range(3)])
    for b in reversed(bodies):
        s = state[b.index]
        a, bb, c = s.inertia
        s.u = [(plus(apply(a, w), apply(bb, l)), plus(apply(transposed(bb), w), apply(c, l))) for w, l in s.axes]
        d = [[add(dot(w, u[0]), dot(l, u[1])) for u in s.u] for w, l in s.axes]
        bias = [add(dot(w, s.bias[0]), dot(l, s.bias[1])) for w, l in s.axes]
        s.rest = [sub(tau[s.first + i], bias[i]) for i in range(len(s.axes))]
        s.solve = factors(d)
        if b.parent:
            inward(s, state[b.parent])
    out = []
    acceleration = {0: (ZERO, [neg(x) for x in gravity])}
    for b in bodies:
        s = state[b.index]
        w, v = moved(s, acceleration[b.parent])
        own = s.solve([sub(s.rest[j], add(dot(s.u[j][0], w), dot(s.u[j][1], v))) for j in range(len(s.axes))])
        for (a, l), x in zip(s.axes, own, strict=True):
            w, v = plus(w, scaled(a, x)), plus(v, scaled(l, x))
        acceleration[b.index] = (w, v)
        out += own
    return out


def newton_euler(bodies, gravity, q, v, accelerations, sin, cos):
    state = outward(bodies, q, v, sin, cos)
    acceleration, forces = {0: (ZERO, [neg(x) for x in gravity])}, {}
    for b in bodies:
        s = state[b.index]
        w, v = moved(s, acceleration[b.parent])
        for (a, l), x in zip(s.axes, accelerations[s.first :], strict=False):
            w, v = plus(w, scaled(a, x)), plus(v, scaled(l, x))
        acceleration[b.index] = (w, v)
        moment = plus(s.bias[0], plus(apply(b.a, w), apply(b.b, v)))
        forces[b.index] = (moment, plus(s.bias[1], minus(scaled(v, b.mass), apply(b.b, w))))
    out = {}
    for b in reversed(bodies):
        s = state[b.index]
        moment, force = forces[b.index]
        out[b.index] = [add(dot(a, moment), dot(l, force)) for a, l in s.axes]
        if b.parent:
            force = apply(s.r, force)
            moment = plus(apply(s.r, moment), cross(s.at, force))
            forces[b.parent] = (plus(forces[b.parent][0], moment), plus(forces[b.parent][1], force))
    return [x for b in bodies for x in out[b.index]]


def composite_body(bodies, gravity, q, v, tau, sin, cos):
    """The mass matrix, row by row; of v only the length counts, and neither gravity nor tau."""
    state = outward(bodies, q, [0.0] * len(v), sin, cos)
    parents = {b.index: b.parent for b in bodies}
    for b in bodies:
        state[b.index].inertia = (b.a, b.b, [[b.mass if i == j else 0.0 for j in range(3)] for i in range(3)])
    matrix = [[0.0] * len(v) for _ in v]
    for b in reversed(bodies):
        s = state[b.index]
        a, bb, c = s.inertia
        for j, (w, l) in enumerate(s.axes):
            moment, force = plus(apply(a, w), apply(bb, l)), plus(apply(transposed(bb), w), apply(c, l))
            index, row = b.index, s.first + j
            while index:
                at = state[index]
                for k, (aw, al) in enumerate(at.axes):
                    entry = add(dot(aw, moment), dot(al, force))
                    matrix[row][at.first + k] = matrix[at.first + k][row] = entry
                force = apply(at.r, force)
                moment = plus(apply(at.r, moment), cross(at.at, force))
                index = parents[index]
        if b.parent:
            arm = tilde(s.at)
            a, c = turned(s.r, a), turned(s.r, c)
            bb = product(product(s.r, bb), s.back)
            shifted = matrix_plus(bb, product(arm, c))
            whole = matrix_plus(matrix_minus(a, product(bb, arm)), product(arm, transposed(shifted)))
            parent = state[b.parent]
            parent.inertia = tuple(matrix_plus(x, y) for x, y in zip(parent.inertia, (whole, shifted, c), strict=True))
    return [x for row in matrix for x in row]
