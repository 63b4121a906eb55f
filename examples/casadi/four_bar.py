"""Swings up the four-bar linkage with CasADi and the exact Hessian of the emitted C, beside L-BFGS.

From the root of the repository, with a C compiler and the packages casadi 3.8 and numpy:

    cargo dqdt emit examples/specs/four_bar.toml --language c --functions dqdt,dqdt_derivatives,dqdt_hessian --casadi -o target/c
    cc -std=c99 -O2 -DDQDT_CASADI -shared -fPIC target/c/four_bar.c -lm -o target/c/four_bar.so
    python3 examples/casadi/four_bar.py target/c/four_bar.so

The crank starts at rest below, in equilibrium, and ends at rest upright. The moment may be 60 % of the largest that gravity exerts
on the crank, so it has to swing. Trapezoidal collocation of the crank over 1.2 s, least squares of the moment; the angles and rates
of coupler and rocker follow from the loop at every point. IPOPT runs at its defaults, then with its approximation of the Hessian.
The script fails unless both find the same optimum, and this is a motion of a model by hand: one equation for the crank, with its
reduced inertia.
"""

import sys
import time

import casadi as ca
import numpy as np

dqdt = ca.external("casadi_four_bar_dqdt", sys.argv[1])
p = [9.81, 0.1, 0.5, 0.4, 0.4, 0.5, 1.0, 0.8]  # as the header lists them: g, lengths, masses
g, a, b, c, d, *masses = p


def by_hand(phi):
    """Angles of coupler (to the crank) and rocker, their rates per rate of the crank, reduced inertia, potential energy."""
    ax, ay = a * np.cos(phi) - d, a * np.sin(phi)
    r = np.hypot(ax, ay)
    rocker = np.pi - np.arctan2(ay, -ax) - np.arccos((r * r + c * c - b * b) / (2 * r * c))
    coupler = np.arctan2(c * np.sin(rocker) - ay, c * np.cos(rocker) - ax)
    arm = lambda length, angle: length * np.array([-np.sin(angle), np.cos(angle)])
    rates = np.linalg.solve(np.array([arm(b, coupler), -arm(c, rocker)]).T, -arm(a, phi))
    links = [(arm(a / 2, phi), 1, a, a / 2 * np.sin(phi)),
             (arm(a, phi) + rates[0] * arm(b / 2, coupler), rates[0], b, ay + b / 2 * np.sin(coupler)),
             (rates[1] * arm(c / 2, rocker), rates[1], c, c / 2 * np.sin(rocker))]
    inertia = sum(m * (v @ v + length**2 / 12 * rate**2) for m, (v, rate, length, _) in zip(masses, links))
    return [coupler - phi, rocker], [rates[0] - 1, rates[1]], inertia, g * sum(m * y for m, (*_, y) in zip(masses, links))


def slopes(phi):
    """Derivatives of reduced inertia and potential energy by the angle of the crank."""
    e = 1e-5
    return [(above - below) / (2 * e) for above, below in zip(by_hand(phi + e)[2:], by_hand(phi - e)[2:])]


# Equilibria: the crank nearly hangs, and upright the linkage is highest.
turn = np.linspace(-np.pi, np.pi, 3601)
begin = turn[np.argmin([by_hand(phi)[3] for phi in turn])]
for _ in range(20):
    begin -= 1e-3 * slopes(begin)[1] / (slopes(begin + 5e-4)[1] - slopes(begin - 5e-4)[1])
limit = 0.6 * max(abs(slopes(phi)[1]) for phi in turn)

n, duration = 64, 1.2
h = duration / n
x = ca.MX.sym("x", 6, n + 1)  # angles of crank, coupler to crank, rocker, and their rates
u = ca.MX.sym("u", 1, n + 1)  # moment over its limit
angle = ca.vertcat(x[0, :], x[0, :] + x[1, :], x[2, :])  # of crank, coupler, rocker to the x-axis
rate = ca.vertcat(x[3, :], x[3, :] + x[4, :], x[5, :])
length = ca.DM([a, b, -c]).T
loop = ca.vertcat(length @ ca.cos(angle) - d, length @ ca.sin(angle))
rate_of_loop = ca.vertcat(length @ (ca.sin(angle) * rate), length @ (ca.cos(angle) * rate))
slope = [dqdt(0, x[:, k], limit * u[:, k], p) for k in range(n + 1)]
crank = [0, 3]
constraints = [(x[:, k + 1] - x[:, k] - h / 2 * (slope[k] + slope[k + 1]))[crank] for k in range(n)]
constraints += [x[crank, 0] - ca.DM([begin, 0]), x[crank, n] - ca.DM([np.pi / 2, 0]), ca.vec(loop), ca.vec(rate_of_loop)]
problem = {"x": ca.veccat(x, u), "f": h * ca.sumsqr(u), "g": ca.vertcat(*constraints)}
# The guess turns the crank evenly; a mechanism with loops needs one that closes them.
guess = np.zeros((6, n + 1))
for k, phi in enumerate(np.linspace(begin, np.pi / 2, n + 1)):
    speed = (np.pi / 2 - begin) / duration
    (beta, psi), (beta_dot, psi_dot), *_ = by_hand(phi)
    guess[:, k] = phi, beta, psi, speed, speed * beta_dot, speed * psi_dot
bound = ca.veccat(ca.inf * np.ones((6, n + 1)), np.ones((1, n + 1)))
costs = []
for name, more in [("exact Hessian", {}), ("L-BFGS", {"ipopt.hessian_approximation": "limited-memory"})]:
    options = {"ipopt.print_level": 0, "ipopt.sb": "yes", "ipopt.max_iter": 3000, "print_time": 0, **more}
    solver = ca.nlpsol("solver", "ipopt", problem, options)
    started = time.perf_counter()
    answer = solver(x0=ca.veccat(guess, np.zeros((1, n + 1))), lbx=-bound, ubx=bound, lbg=0, ubg=0)
    seconds, stats = time.perf_counter() - started, solver.stats()
    costs.append(float(answer["f"]))
    print(f"{name}: {stats['return_status']}, {stats['iter_count']} iterations, {seconds:.1f} s, cost {costs[-1]:.6f}")
    if not costs[1:]:
        values = np.array(answer["x"]).ravel()

states, moment = values[: 6 * (n + 1)].reshape(n + 1, 6), limit * values[6 * (n + 1) :]
print(f"moment up to {abs(moment).max():.3f} N·m of {limit:.3f}; crank between {states[:, 0].min():.2f} and {states[:, 0].max():.2f} rad")


def acceleration(phi, speed, moment):
    """Of the crank, by hand: I φ̈ + I′ φ̇² / 2 + V′ = M (Eksergian 1930)."""
    inertia_slope, potential_slope = slopes(phi)
    return (moment - potential_slope - inertia_slope * speed**2 / 2) / by_hand(phi)[2]

worst = max(abs(acceleration(s[0], s[3], m) - float(dqdt(0, s, m, p)[3])) for s, m in zip(states, moment))
print(f"emitted C beside the model by hand: {worst:.1e} rad/s²")
defect, step = 0.0, h / 10
for k in range(n):
    y = states[k, crank]
    for j in range(10):
        slope = lambda y, at: np.array([y[1], acceleration(*y, moment[k] + (moment[k + 1] - moment[k]) * (j + at) / 10)])
        k1 = slope(y, 0)
        k2 = slope(y + step / 2 * k1, 0.5)
        k3 = slope(y + step / 2 * k2, 0.5)
        y = y + step / 6 * (k1 + 2 * k2 + 2 * k3 + slope(y + step * k3, 1))
    defect = max(defect, abs(y[0] - states[k + 1, 0]))
print(f"each interval integrated by hand ends within {defect:.1e} rad of the next point (error of the trapezoidal rule)")
if max(costs) - min(costs) > 1e-4 * min(costs) or worst > 1e-6 or defect > 0.02:
    sys.exit(f"no optimal swing-up: costs {costs}, accelerations {worst:.1e}, intervals {defect:.1e}")
