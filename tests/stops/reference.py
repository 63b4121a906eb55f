"""Motions of seven mechanisms that come to rest at stops, for tests/data/stops.

    python3 -m venv target/stops && target/stops/bin/pip install -r tests/stops/requirements.txt
    target/stops/bin/python tests/stops/reference.py [NAME ...]

writes tests/data/stops/NAME.json. Tests read those alone. README.md describes law, methods and file.
The equations of motion are written by hand, in minimal coordinates; nothing here uses dqdt.
"""

import itertools
import json
import math
import sys
from pathlib import Path

import numpy as np
from scipy.integrate import DOP853, solve_ivp
from scipy.optimize import brentq

DATA = Path(__file__).resolve().parents[1] / "data/stops"
# Below this approach speed an impact is plastic.
PLASTIC = 1e-3
# Gap and rate below which a stop is closed, and touches.
GAP, RATE = 1e-9, 1e-9
G = 9.81


# Mechanisms ------------------------------------------------------------------------------------
#
# M(q) v̇ = f(t, q, v), q̇ = v, gaps g(q) with ġ = W v and g̈ = W v̇ + ẇ. `state` returns the
# coordinates and speeds of the spec.


class Mechanism:
    """Defaults of a mechanism."""

    # Times at which a load, or a derivative of it, jumps.
    switches = ()
    # Largest step, so that no load is missed.
    longest = 5e-3

    def state(self, q, v):
        return np.concatenate([q, v])

    def kinetic(self, q, v):
        return 0.5 * v @ self.mass(q) @ v

    def energy(self, q, v):
        return self.kinetic(q, v) + self.potential(q)

    def row_rates(self, q, v):
        return np.zeros(len(self.e))


class Ball(Mechanism):
    names, v0, q0, t_end = ["floor"], [0.0], [1.0], 4.5

    def __init__(self, e=0.5):
        self.e = np.array([e])

    def mass(self, q):
        return np.array([[2.0]])

    def force(self, t, q, v):
        return np.array([-2.0 * G])

    def gaps(self, q):
        return np.array([q[0]])

    def rows(self, q):
        return np.array([[1.0]])

    def potential(self, q):
        return 2 * G * q[0]


class Block(Mechanism):
    names, e = ["right", "left"], np.array([0.4, 0.4])
    q0, v0, t_end = [0.0], [0.0], 8.0

    def mass(self, q):
        return np.array([[1.5]])

    def force(self, t, q, v):
        return np.array([0.5 + 12 * math.sin(2.5 * t) - 20 * q[0] - v[0]])

    def gaps(self, q):
        return np.array([0.1 - q[0], q[0] + 0.1])

    def rows(self, q):
        return np.array([[-1.0], [1.0]])

    def potential(self, q):
        return 10 * q[0] ** 2


class SliderCrank(Mechanism):
    """One coordinate, the angle φ of the crank; ϑ is the angle of the rod from the x axis."""

    names, e, switches = ["end"], np.array([0.3]), (1.5,)
    q0, v0, t_end = [math.pi / 2], [0.0], 4.0
    r, l, m1, m2, m3 = 0.3, 0.5, 0.8, 0.5, 1.2

    def geometry(self, q):
        """s, c of φ, then ϑ, ϑ', ϑ'', x, x', x'' of the slider."""
        r, l = self.r, self.l
        s, c = np.sin(q[0]), np.cos(q[0])
        th = -np.arcsin(r * s / l)
        th1 = -r * c / (l * np.cos(th))
        th2 = (r * s / l + np.sin(th) * th1**2) / np.cos(th)
        st, ct = np.sin(th), np.cos(th)
        x = r * c + l * ct
        x1 = -r * s - l * st * th1
        x2 = -r * c - l * (ct * th1**2 + st * th2)
        return s, c, th, th1, th2, x, x1, x2

    def inertia(self, q):
        """J(φ) and J'(φ)."""
        r, m1, m2, m3 = self.r, self.m1, self.m2, self.m3
        s, c, _, _, _, _, x1, x2 = self.geometry(q)
        # Twice the kinetic energy of a rod whose ends have the velocities B' and D' is
        # m (B'² + B' D' + D'²)/3. Here B' = r (−s, c), D' = (x1, 0).
        j = m1 * r**2 / 3 + m2 * (r**2 - r * s * x1 + x1**2) / 3 + m3 * x1**2
        j1 = m2 * (-r * c * x1 - r * s * x2 + 2 * x1 * x2) / 3 + 2 * m3 * x1 * x2
        return j, j1

    def mass(self, q):
        return np.array([[self.inertia(q)[0]]])

    def force(self, t, q, v):
        moment = -6.0 if t < 1.5 else 6.0
        weight = -G * (self.m1 + self.m2) * self.r * math.cos(q[0]) / 2
        return np.array([moment - 0.4 * v[0] + weight - 0.5 * self.inertia(q)[1] * v[0] ** 2])

    def gaps(self, q):
        return np.array([0.75 - self.geometry(q)[5]])

    def rows(self, q):
        return np.array([[-self.geometry(q)[6]]])

    def row_rates(self, q, v):
        return np.array([-self.geometry(q)[7] * v[0] ** 2])

    def potential(self, q):
        return G * (self.m1 + self.m2) * self.r * math.sin(q[0]) / 2

    def state(self, q, v):
        _, _, th, th1, _, x, x1, _ = self.geometry(q)
        return np.array([q[0], th - q[0], x, v[0], (th1 - 1) * v[0], x1 * v[0]])


class Boom(Mechanism):
    """One coordinate, the angle ϑ of the boom; L is the length of the cylinder, ψ its angle."""

    names, e = ["extended", "retracted"], np.array([0.2, 0.2])
    q0, v0, t_end = [0.0], [0.0], 8.0
    mb, l, p, cx, cy = 50.0, 2.0, 0.8, 0.3, -0.6
    mt, lt, mr, lr = 6.0, 0.6, 4.0, 0.5

    def geometry(self, q):
        """L, L', L'', ψ, ψ', ψ''."""
        p, c, a = self.p, math.hypot(self.cx, self.cy), math.atan2(self.cy, self.cx)
        s0, c0 = p * c * math.sin(q[0] - a), p * c * math.cos(q[0] - a)
        L = math.sqrt(p * p + c * c - 2 * c0)
        L1 = s0 / L
        L2 = (c0 - L1 * L1) / L
        psi = math.atan2(p * math.sin(q[0]) - self.cy, p * math.cos(q[0]) - self.cx)
        n = p * p - c0
        psi1 = n / L**2
        psi2 = s0 / L**2 - 2 * n * L1 / L**3
        return L, L1, L2, psi, psi1, psi2

    def inertia(self, q):
        L, L1, L2, _, w1, w2 = self.geometry(q)
        b = L - self.lr / 2
        jr = self.mr * (b * b + self.lr**2 / 12)
        jc = self.mt * self.lt**2 / 3
        j = self.mb * self.l**2 / 3 + (jc + jr) * w1**2 + self.mr * L1**2
        j1 = 2 * (jc + jr) * w1 * w2 + 2 * self.mr * b * L1 * w1**2 + 2 * self.mr * L1 * L2
        return j, j1

    def mass(self, q):
        return np.array([[self.inertia(q)[0]]])

    def force(self, t, q, v):
        L, L1, _, psi, w1, _ = self.geometry(q)
        push = 800 + 700 * math.sin(1.6 * t) - 800 * L1 * v[0]
        b = L - self.lr / 2
        weight = self.mb * self.l / 2 * math.cos(q[0])
        weight += self.mt * self.lt / 2 * math.cos(psi) * w1
        weight += self.mr * (L1 * math.sin(psi) + b * math.cos(psi) * w1)
        return np.array([push * L1 - G * weight - 0.5 * self.inertia(q)[1] * v[0] ** 2])

    def gaps(self, q):
        L = self.geometry(q)[0]
        return np.array([1.1 - L, L - 0.65])

    def rows(self, q):
        L1 = self.geometry(q)[1]
        return np.array([[-L1], [L1]])

    def row_rates(self, q, v):
        a = self.geometry(q)[2] * v[0] ** 2
        return np.array([-a, a])

    def potential(self, q):
        L, _, _, psi, _, _ = self.geometry(q)
        height = self.mb * self.l / 2 * math.sin(q[0]) + self.mt * self.lt / 2 * math.sin(psi)
        height += self.mr * (L - self.lr / 2) * math.sin(psi) + (self.mt + self.mr) * self.cy
        return G * height

    def state(self, q, v):
        L, L1, _, psi, w1, _ = self.geometry(q)
        return np.array([q[0], psi, L, v[0], w1 * v[0], L1 * v[0]])


def smooth_step(t, a, b):
    s = min(max((t - a) / (b - a), 0.0), 1.0)
    return s * s * (3 - 2 * s)


class Table(Mechanism):
    """Height z, roll a about x, pitch b about the turned y, and the place s of the block."""

    names = ["back_left", "back_right", "front_left", "front_right"]
    e = np.full(4, 0.2)
    v0 = [0.0] * 4
    m, mb, inertia = 12.0, 4.0, np.array([1.0, 1.5, 2.4])
    legs = [(-0.4, 0.3, -0.7), (-0.4, -0.3, -0.7), (0.4, 0.3, -0.7), (0.4, -0.3, -0.7)]

    def __init__(self, start=0.2, roll=0.0, pitch=0.0, t_end=3.0):
        self.start, self.t_end = start, t_end
        self.q0 = [0.71, roll, pitch, 0.0]
        self.switches = tuple(t for t in (start, start + 0.1, 1.0, 1.2, 1.4, 1.5) if 0 < t < t_end)

    def turned(self, q, p):
        """R p and its Jacobian by z, a, b; z included in the third component."""
        sa, ca, sb, cb = math.sin(q[1]), math.cos(q[1]), math.sin(q[2]), math.cos(q[2])
        u, w = p[0] * cb + p[2] * sb, -p[0] * sb + p[2] * cb
        at = (u, p[1] * ca - w * sa, q[0] + p[1] * sa + w * ca)
        by_a = (0.0, -p[1] * sa - w * ca, p[1] * ca - w * sa)
        by_b = (w, u * sa, -u * ca)
        return at, by_a, by_b, u, w

    def block(self, q, v):
        """Height of the block, its Jacobian J, and J̇ v."""
        p = (q[3], 0.05, 0.1)
        sa, ca, sb, cb = math.sin(q[1]), math.cos(q[1]), math.sin(q[2]), math.cos(q[2])
        at, by_a, by_b, u, w = self.turned(q, p)
        j = np.array([[0, by_a[0], by_b[0], cb], [0, by_a[1], by_b[1], sb * sa], [1, by_a[2], by_b[2], -sb * ca]])
        # Rates along the motion: u̇, ẇ at fixed z; second derivatives by the chain rule.
        _, da, db, ds = v
        u1, w1 = w * db + cb * ds, -u * db - sb * ds
        u2 = w1 * db - sb * db * ds
        w2 = -u1 * db - cb * db * ds
        y = p[1]
        bias = np.array(
            [
                u2,
                -y * ca * da**2 - w2 * sa - 2 * w1 * ca * da + w * sa * da**2,
                -y * sa * da**2 + w2 * ca - 2 * w1 * sa * da - w * ca * da**2,
            ]
        )
        return at[2], j, bias

    def spin(self, q):
        sb, cb = math.sin(q[2]), math.cos(q[2])
        return np.array([[0, cb, 0, 0], [0, 0, 1, 0], [0, sb, 0, 0]])

    def mass(self, q):
        _, j, _ = self.block(q, np.zeros(4))
        s = self.spin(q)
        m = self.mb * j.T @ j + s.T @ (self.inertia[:, None] * s)
        m[0, 0] += self.m
        return m

    def force(self, t, q, v):
        _, j, bias = self.block(q, v)
        s = self.spin(q)
        omega = s @ v
        sb, cb = math.sin(q[2]), math.cos(q[2])
        alpha = np.array([-v[1] * v[2] * sb, 0.0, v[1] * v[2] * cb])
        torque = self.inertia * alpha + np.cross(omega, self.inertia * omega)
        f = -j.T @ (self.mb * (bias + np.array([0, 0, G]))) - s.T @ torque
        f[0] -= self.m * G
        lift = 80 * smooth_step(t, 1, 1.2) * (1 - smooth_step(t, 1.4, 1.5))
        _, by_a, by_b, _, _ = self.turned(q, (-0.6, 0.0, 0.0))
        f += lift * np.array([1.0, by_a[2], by_b[2], 0.0])
        f[3] += 8 * smooth_step(t, self.start, self.start + 0.1) * math.sin(3 * t) - 100 * q[3] - 4 * v[3]
        return f

    def gaps(self, q):
        return np.array([self.turned(q, p)[0][2] for p in self.legs])

    def rows(self, q):
        turned = [self.turned(q, p) for p in self.legs]
        return np.array([[1.0, by_a[2], by_b[2], 0.0] for _, by_a, by_b, _, _ in turned])

    def row_rates(self, q, v):
        sa, ca = math.sin(q[1]), math.cos(q[1])
        out = []
        for p in self.legs:
            _, _, _, u, w = self.turned(q, p)
            a = -p[1] * sa * v[1] ** 2 - w * ca * v[2] ** 2 + 2 * u * sa * v[1] * v[2] - w * ca * v[1] ** 2
            out.append(a)
        return np.array(out)

    def potential(self, q):
        return G * (self.m * q[0] + self.mb * self.block(q, np.zeros(4))[0]) + 50 * q[3] ** 2


class Balls(Mechanism):
    names, e = ["ab", "bc"], np.array([1.0, 1.0])
    q0, v0, t_end = [-0.5, 0.0, 0.0], [1.0, 0.0, 0.0], 1.5

    def mass(self, q):
        return 0.7 * np.eye(3)

    def force(self, t, q, v):
        return np.zeros(3)

    def gaps(self, q):
        return np.array([q[1] - q[0], q[2] - q[1]])

    def rows(self, q):
        return np.array([[-1.0, 1, 0], [0, -1, 1]])

    def potential(self, q):
        return 0.0


class Hopper(Mechanism):
    names, e = ["floor"], np.array([0.0])
    switches = tuple(k * math.pi / 6 for k in range(1, 9))
    q0, v0, t_end = [0.0, 0.5 - 4 * G / 1000], [0.0, 0.0], 4.0

    def mass(self, q):
        return np.array([[5.0, 4.0], [4.0, 4.0]])

    def force(self, t, q, v):
        push = (150 if math.sin(6 * t) > 0 else 0) - 1000 * (q[1] - 0.5) - 40 * v[1]
        return np.array([-5 * G, push - 4 * G])

    def gaps(self, q):
        return np.array([q[0]])

    def rows(self, q):
        return np.array([[1.0, 0.0]])

    def potential(self, q):
        return G * (5 * q[0] + 4 * q[1]) + 500 * (q[1] - 0.5) ** 2


# Complementarity -------------------------------------------------------------------------------


def solve_lcp(d, b, tol):
    """λ ≥ 0, y = d λ + b ≥ 0, λ·y = 0, by trying all sets; the sets where many act come first."""
    n = len(b)
    for size in range(n, -1, -1):
        for chosen in itertools.combinations(range(n), size):
            on = list(chosen)
            x = np.zeros(n)
            if on:
                x[on] = np.linalg.lstsq(d[np.ix_(on, on)], -b[on], rcond=1e-10)[0]
                x[on] = lift_to_positive(d[np.ix_(on, on)], x[on])
            y = d @ x + b
            if np.all(x >= -tol) and np.all(y >= -tol) and np.all(np.abs(y[on]) <= tol):
                return np.maximum(x, 0), y, on
    raise RuntimeError(f"no solution: {d} {b}")


def lift_to_positive(d, x):
    """x with the largest possible smallest entry, along the null space of d if that is a line."""
    u, s, vt = np.linalg.svd(d)
    if s[-1] > 1e-10 * s[0] or (len(s) > 1 and s[-2] <= 1e-10 * s[0]):
        return x
    n = vt[-1]
    best = x
    for i, j in itertools.combinations(range(len(x)), 2):
        if abs(n[i] - n[j]) > 1e-12:
            trial = x + n * (x[j] - x[i]) / (n[i] - n[j])
            if trial.min() > best.min():
                best = trial
    return best


# Event-driven solution -------------------------------------------------------------------------


class EventDriven:
    """Segments of smooth motion between impacts, contacts that begin, and contacts that end."""

    def __init__(self, m, rtol):
        self.m, self.rtol = m, rtol
        self.impacts, self.rests, self.rows = [], [], []
        self.lost = 0.0
        self.margins = []

    def acceleration(self, t, q, v, on):
        m = self.m
        mass, f = m.mass(q), m.force(t, q, v)
        if not on:
            return np.linalg.solve(mass, f), np.zeros(0)
        w = m.rows(q)[on]
        free, d = np.linalg.solve(mass, f), np.linalg.solve(mass, w.T)
        lam = np.linalg.lstsq(w @ d, -(w @ free + m.row_rates(q, v)[on]), rcond=1e-10)[0]
        if len(on) > 1:
            lam = lift_to_positive(w @ d, lam)
        return free + d @ lam, lam

    def contacts_that_stay(self, t, q, v, touching):
        m = self.m
        w = m.rows(q)[touching]
        mass = m.mass(q)
        b = w @ np.linalg.solve(mass, m.force(t + 1e-12, q, v)) + m.row_rates(q, v)[touching]
        lam, _, on = solve_lcp(w @ np.linalg.solve(mass, w.T), b, 1e-8)
        return [touching[i] for i in on]

    def collide(self, t, q, v):
        """Speeds after the impacts of this instant."""
        m = self.m
        for _ in range(20):
            gamma = m.rows(q) @ v
            closed = [i for i in range(len(m.e)) if m.gaps(q)[i] <= GAP and gamma[i] <= RATE]
            hit = [i for i in closed if gamma[i] < -RATE]
            if not hit:
                return v
            w = m.rows(q)[closed]
            minv = np.linalg.inv(m.mass(q))
            d = w @ minv @ w.T
            before = w @ v
            e = np.where(before > -PLASTIC, 0.0, m.e[closed])
            impulse, _, _ = solve_lcp(d, before + e * before, 1e-10)
            after = v + minv @ w.T @ impulse
            self.lost += m.kinetic(q, v) - m.kinetic(q, after)
            for i in hit:
                self.impacts.append((m.names[i], t, -gamma[i]))
                self.margins.append(abs(-gamma[i] / PLASTIC - 1))
            v = after
        raise RuntimeError("impacts do not end")

    def project(self, q, v, on):
        """Removes drift from the contacts that rest."""
        m = self.m
        if on:
            for _ in range(2):
                w = m.rows(q)[on]
                q = q - np.linalg.pinv(w, rcond=1e-8) @ m.gaps(q)[on]
            w = m.rows(q)[on]
            mw = np.linalg.solve(m.mass(q), w.T)
            v = v - mw @ np.linalg.lstsq(w @ mw, w @ v, rcond=1e-10)[0]
        return q, v

    def solve(self, times):
        m = self.m
        t, q, v = 0.0, np.array(m.q0, float), np.array(m.v0, float)
        open_rests, times = {}, list(times)
        # For each rest: whether its force was determined, in all segments or in none.
        determined = {}
        released = None
        while True:
            if released is None:
                v = self.collide(t, q, v)
                gamma = m.rows(q) @ v
                touching = [i for i in range(len(m.e)) if m.gaps(q)[i] <= GAP and abs(gamma[i]) <= 1e-8]
                on = self.contacts_that_stay(t, q, v, touching) if touching else []
            else:
                on = released
            q, v = self.project(q, v, on)
            for i in list(open_rests):
                if i not in on:
                    self.rests.append((m.names[i], open_rests.pop(i), t, self.agreed(determined.pop(i))))
            if t >= m.t_end:
                break
            dependent = bool(on) and len(on) > np.linalg.matrix_rank(m.rows(q)[on], tol=1e-8)
            for i in on:
                open_rests.setdefault(i, t)
                determined.setdefault(i, set()).add(not dependent)
            t, q, v, released, times = self.segment(t, q, v, on, times)
        for i, start in open_rests.items():
            self.rests.append((m.names[i], start, None, self.agreed(determined[i])))
        self.rests.sort(key=lambda r: r[1])
        return self

    @staticmethod
    def agreed(answers):
        return answers.pop() if len(answers) == 1 else None

    def segment(self, t, q, v, on, times):
        """Integrates to the next event. Returns the time, the state and the contacts that remain,
        or None if they are to be determined."""
        m, n = self.m, len(q)
        end = min([s for s in m.switches if s > t] + [m.t_end])
        middle = 0.5 * (t + end)

        def rates(time, x):
            # Loads that jump at the ends keep the value of this segment.
            inside = min(max(time, t + 1e-13), end - 1e-13) if time < middle else min(time, end - 1e-13)
            a, _ = self.acceleration(inside, x[:n], x[n:], on)
            return np.concatenate([x[n:], a])

        # A stop just left is not watched until the middle of the shortest flight.
        a, _ = self.acceleration(t + 1e-13, q, v, on)
        gamma, bend = m.rows(q) @ v, m.rows(q) @ a + m.row_rates(q, v)
        first, young = 1e-3, []
        for i in range(len(m.e)):
            if i not in on and m.gaps(q)[i] < GAP:
                young.append(i)
                if bend[i] < 0 and gamma[i] > 0:
                    first = min(first, gamma[i] / -bend[i])
        watch_from = t + (first if young else 0.0)
        solver = DOP853(
            rates,
            t,
            np.concatenate([q, v]),
            end,
            rtol=self.rtol,
            atol=1e-14,
            max_step=m.longest,
            first_step=min(first, end - t) if young else None,
        )

        def functions(time, x):
            g = m.gaps(x[:n])
            lam = self.acceleration(min(max(time, t + 1e-13), end - 1e-13), x[:n], x[n:], on)[1]
            out = [g[i] for i in range(len(m.e)) if i not in on]
            return out + ([lam.min()] if on else [])

        indices = [i for i in range(len(m.e)) if i not in on] + ([None] if on else [])
        last_t, last = t, functions(t, np.concatenate([q, v]))
        while solver.status == "running":
            if young and solver.t < watch_from:
                solver.max_step = max(watch_from - solver.t, 1e-12)
            else:
                solver.max_step = m.longest
            solver.step()
            dense = solver.dense_output()
            found = None
            for time in np.linspace(last_t, solver.t, 5)[1:]:
                now = functions(time, dense(time))
                for k, i in enumerate(indices):
                    if i in young and time <= watch_from + 1e-15:
                        continue
                    falls = now[k] < 0 and (last[k] >= 0 or i in young)
                    if falls:
                        root = self.locate(lambda s, k=k, dense=dense: functions(s, dense(s))[k], last_t, time, last[k])
                        if found is None or root < found[0]:
                            found = (root, i)
                last_t, last = time, now
                if found:
                    break
            reached = found[0] if found else solver.t
            while times and times[0] <= reached:
                x = dense(times[0])
                self.rows.append(self.row(times.pop(0), x, on, (t, end)))
            if found:
                x = dense(reached)
                if found[1] is not None:
                    # Gap of the stop that is met is zero at this instant.
                    return reached, x[:n], x[n:], None, times
                return reached, x[:n], x[n:], self.after_release(reached, x, on), times
        x = solver.y
        return end, x[:n], x[n:], None, times

    @staticmethod
    def locate(f, a, b, fa):
        if fa < 0:
            return a
        return brentq(f, a, b, xtol=1e-15, rtol=4 * np.finfo(float).eps) if fa > 0 else a

    def after_release(self, t, x, on):
        """Contacts that remain, from the accelerations a moment later."""
        n, ahead = len(x) // 2, 1e-7
        a, _ = self.acceleration(t, x[:n], x[n:], on)
        q, v = x[:n] + ahead * x[n:], x[n:] + ahead * a
        return self.contacts_that_stay(t + ahead, q, v, on)

    def row(self, t, x, on, span):
        n = len(x) // 2
        _, lam = self.acceleration(t, x[:n], x[n:], on)
        force = [0.0] * len(self.m.e)
        dependent = len(on) > np.linalg.matrix_rank(self.m.rows(x[:n])[on], tol=1e-8) if on else False
        for i, f in zip(on, lam, strict=True):
            force[i] = None if dependent else float(f)
        return {"t": t, "x": [float(y) for y in self.m.state(x[:n], x[n:])], "force": force}


# Penalty solution ------------------------------------------------------------------------------


def restitution(zeta):
    """Restitution of a spring and damper that never pull, by the ratio of damping."""
    s = math.sqrt(1 - zeta**2)

    def force(y):
        return math.sin(y) / s + 2 * zeta * (math.cos(y) - zeta / s * math.sin(y))

    y = brentq(force, 1e-3 if zeta < 0.5 else 1e-6, math.pi)
    return -math.exp(-zeta / s * y) * (math.cos(y) - zeta / s * math.sin(y))


def penalty(m, k, times):
    """Motion with springs and dampers as stops. States at `times`, starts and ends of contacts."""
    n = len(m.q0)
    zeta = [brentq(lambda z, e=e: restitution(z) - e, 1e-6, 0.99) if e > 0.15 else None for e in m.e]

    def contact(q, v):
        g, w = m.gaps(q), m.rows(q)
        f = np.zeros(len(g))
        for i in np.flatnonzero(g < 0):
            effective = 1 / (w[i] @ np.linalg.solve(m.mass(q), w[i]))
            # Plastic impacts: damping that grows with the stiffness.
            z = zeta[i] if zeta[i] is not None else 0.5 * (k / effective) ** 0.25
            f[i] = max(0.0, -k * g[i] - 2 * z * math.sqrt(k * effective) * (w[i] @ v))
        return f, w

    def rates(t, x):
        f, w = contact(x[:n], x[n:])
        return np.concatenate([x[n:], np.linalg.solve(m.mass(x[:n]), m.force(t, x[:n], x[n:]) + w.T @ f)])

    ends = [0.0, *[s for s in m.switches if s < m.t_end], m.t_end]
    x, out, contacts = np.array([*m.q0, *m.v0], float), [], []
    for a, b in itertools.pairwise(ends):
        inside = [t for t in times if a <= t < b or t == b == m.t_end]
        run = solve_ivp(rates, (a, b - 1e-12), x, method="LSODA", rtol=1e-9, atol=1e-12, max_step=2e-3, dense_output=True)
        out += [m.state(y[:n], y[n:]) for y in (run.sol(t) for t in inside)]
        x = run.y[:, -1]
        gaps = np.array([[*m.gaps(y[:n])] for y in run.y.T])
        for i in range(len(m.e)):
            for j in np.flatnonzero((gaps[:-1, i] > 0) != (gaps[1:, i] > 0)):
                a, b = gaps[j, i], gaps[j + 1, i]
                at = run.t[j] + (run.t[j + 1] - run.t[j]) * a / (a - b)
                contacts.append((at, i, bool(gaps[j, i] > 0)))
    return np.array(out), sorted(contacts)


def time_stepping(m, h, times):
    """Moreau-Jean: impulses by projected Gauss-Seidel, gaps at the middle of each step. Linear
    interpolation of states between steps."""
    q, v = np.array(m.q0, float), np.array(m.v0, float)
    steps, out, k = round(m.t_end / h), [], 0
    impulse = np.zeros(len(m.e))
    ne = len(m.e)
    for step in range(steps):
        t = step * h
        while k < len(times) and times[k] < t + h - 1e-12:
            out.append(m.state(q + v * (times[k] - t), v))
            k += 1
        middle = q + 0.5 * h * v
        mass, f = m.mass(middle), m.force(t + 0.5 * h, middle, v)
        g = m.gaps(middle)
        new = v + h * np.linalg.solve(mass, f)
        closed = [i for i in range(ne) if g[i] <= 1e-11]
        if closed:
            w = m.rows(middle)[closed]
            mw = np.linalg.solve(mass, w.T)
            d = w @ mw
            before = w @ v
            e = np.where(before > -PLASTIC, 0.0, m.e[closed])
            b = w @ new + e * before
            p = impulse[closed]
            for _ in range(2000):
                old = p.copy()
                for i in range(len(closed)):
                    p[i] = max(0.0, p[i] - (d[i] @ p + b[i]) / d[i, i])
                if np.abs(p - old).max() < 1e-13:
                    break
            new = new + mw @ p
            impulse[closed] = p
        q, v = middle + 0.5 * h * new, new
    while k < len(times):
        out.append(m.state(q, v))
        k += 1
    return np.array(out)


# Files -----------------------------------------------------------------------------------------


def sample_times(m, run):
    """About twenty times that keep a distance from impacts and from ends of rest."""
    special = [t for _, t, _ in run.impacts] + [t for r in run.rests for t in r[1:3] if t]
    out = []
    for k in range(1, 21):
        for shift in np.arange(0, 0.04, 0.001):
            t = round(k * m.t_end / 20 - shift, 6)
            if all(abs(t - s) > 4e-3 for s in special) and t not in out:
                out.append(t)
                break
    return sorted(out)


def largest(numbers):
    return max((float(x) for x in numbers), default=0.0)


def check_by_penalty(m, run, times, stiffness):
    """Differences from springs and dampers, extrapolated by powers of k^(-1/2)."""
    motions = [penalty(m, k, times) for k in (stiffness, 4 * stiffness, 16 * stiffness)]
    a, b, c = (states for states, _ in motions)
    first, second = 2 * b - a, 2 * c - b
    extrapolated = (4 * second - first) / 3
    exact = np.array([row["x"] for row in run.rows])
    # Contacts that begin: those of hard impacts are apart by more than a contact lasts.
    begins = [[(t, m.names[i]) for t, i, begin in contacts if begin] for _, contacts in motions[1:]]
    times_off = []
    for event, t, approach in run.impacts:
        if approach > 0.1:
            near = [min((x for x, n in b if n == event), key=lambda x: abs(x - t)) for b in begins]
            times_off.append(abs(2 * near[1] - near[0] - t))
    return {
        "stiffness": 16 * stiffness,
        "states": largest(np.abs(c - exact).max(axis=1)),
        "states_extrapolated": largest(np.abs(extrapolated - exact).max(axis=1)),
        "impact_times_extrapolated": largest(times_off),
    }


def check_by_time_stepping(m, run, times, h):
    """Differences from Moreau-Jean with two steps."""
    exact = np.array([row["x"] for row in run.rows])
    coarse, fine = time_stepping(m, 2 * h, times), time_stepping(m, h, times)
    return {
        "step": h,
        "states": largest(np.abs(fine - exact).max(axis=1)),
        "states_with_twice_the_step": largest(np.abs(coarse - exact).max(axis=1)),
    }


def rounded(x):
    if x is None or isinstance(x, str | bool):
        return x
    x = float(f"{float(x):.12g}")
    return 0.0 if abs(x) < 1e-12 else x


def write(name, case):
    m = case["mechanism"]
    times = sample_times(m, EventDriven(m, 1e-9).solve([]))
    coarse = EventDriven(m, 1e-9).solve(times)
    run = EventDriven(m, 1e-12).solve(times)
    slow = case.get("slowest", 0.0)
    listed, before = ([i for i in r.impacts if i[2] > slow] for r in (run, coarse))
    assert [i[0] for i in before] == [i[0] for i in listed], name
    convergence = {
        "event_driven": {
            "rtol": 1e-12,
            "states_from_1e-9": largest(
                np.abs(np.array(a["x"]) - b["x"]).max() for a, b in zip(coarse.rows, run.rows, strict=True)
            ),
            "times_from_1e-9": largest(abs(a[1] - b[1]) for a, b in zip(before, listed, strict=True)),
        }
    }
    if case.get("penalty"):
        convergence["penalty"] = check_by_penalty(m, run, times, case["penalty"])
    convergence["time_stepping"] = check_by_time_stepping(m, run, times, case["step"])
    convergence = {key: {k: float(f"{x:.2g}") for k, x in part.items()} for key, part in convergence.items()}
    rests = [r for r in run.rests if case.get("rests", True) and (r[2] is None or r[2] - r[1] > 5e-3)]
    document = {
        "spec": case["spec"],
        "parameters": case.get("parameters", {}),
        "method": "event-driven, complementarity at impacts and at rest; tests/stops/reference.py",
        "convergence": convergence,
        "t_end": m.t_end,
        "state": case["state"],
        "events": m.names,
        "slowest_impact_listed": slow,
        "impacts": [[n, rounded(t), rounded(x)] for n, t, x in listed],
        "rests": [[rounded(x) for x in r] for r in rests],
        "energy_lost": rounded(run.lost),
        "rows": [
            {"t": r["t"], "x": [rounded(x) for x in r["x"]], "forces": [rounded(x) for x in r["force"]]} for r in run.rows
        ],
    }
    lines = []
    for key, value in document.items():
        if key in ("impacts", "rests", "rows") and value:
            inside = ",\n".join("  " + json.dumps(x) for x in value)
            lines.append(f'"{key}": [\n{inside}\n ]')
        else:
            lines.append(f'"{key}": {json.dumps(value)}')
    (DATA / f"{name}.json").write_text("{\n " + ",\n ".join(lines) + "\n}\n")
    print(name, len(run.impacts), "impacts;", "lost", run.lost)
    print("   margin of the least approach speed to the plastic limit:", f"{min(run.margins):.2f}")
    for key, part in convergence.items():
        print("  ", key, part)
    for r in rests:
        print("   rests", *r)


CRANK = ["phi", "beta", "s", "phi_dot", "beta_dot", "s_dot"]
BOOM = ["theta", "psi", "s", "theta_dot", "psi_dot", "s_dot"]
TABLE = ["z", "roll", "pitch", "s", "z_dot", "roll_dot", "pitch_dot", "s_dot"]
# `penalty` is the least of three stiffnesses, `step` that of the time stepping.
CASES = {
    "ball": {"spec": "ball.toml", "mechanism": Ball(0.5), "state": ["h", "h_dot"], "penalty": 1e7, "step": 2e-5},
    "ball_08": {
        "spec": "ball.toml",
        "parameters": {"e": 0.8},
        "mechanism": Ball(0.8),
        "state": ["h", "h_dot"],
        "penalty": 1e8,
        "step": 2e-5,
    },
    "block": {"spec": "block.toml", "mechanism": Block(), "state": ["x", "x_dot"], "penalty": 1e7, "step": 2e-5},
    "slider_crank": {
        "spec": "slider_crank.toml",
        "mechanism": SliderCrank(),
        "state": CRANK,
        "penalty": 4e6,
        "step": 2e-5,
    },
    "boom": {"spec": "boom.toml", "mechanism": Boom(), "state": BOOM, "penalty": 3e8, "step": 4e-5},
    "table": {"spec": "table.toml", "mechanism": Table(), "state": TABLE, "step": 1e-5},
    # The table falls at an angle: many impacts, plastic in the end, one leg at a time.
    "table_tilted": {
        "spec": "table.toml",
        "parameters": {"start": -1.0, "roll_start": 0.004, "pitch_start": 0.003},
        "mechanism": Table(-1.0, 0.004, 0.003, 0.5),
        "state": TABLE,
        "step": 1e-5,
        "slowest": 3e-3,
    },
    # Two balls touch, but no force acts between them: this is not listed as rest.
    "balls": {
        "spec": "balls.toml",
        "mechanism": Balls(),
        "state": ["x1", "x2", "x3", "v1", "v2", "v3"],
        "step": 2e-5,
        "rests": False,
    },
    "hopper": {
        "spec": "hopper.toml",
        "mechanism": Hopper(),
        "state": ["z", "length", "z_dot", "length_dot"],
        "penalty": 1e7,
        "step": 2e-5,
    },
}


if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        write(name, CASES[name])
