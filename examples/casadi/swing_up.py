"""Swings up the cart-pole with CasADi, which calls the emitted C with its exact Jacobians.

From the root of the repository, with a C compiler and the packages casadi 3.8, numpy and, for the picture, matplotlib:

    cargo dqdt emit examples/specs/cart_pole.toml --language c --functions dqdt,linearize,sensitivities --casadi -o target/c
    cc -std=c99 -O2 -DDQDT_CASADI -shared -fPIC target/c/cart_pole.c -lm -o target/c/cart_pole.so
    python3 examples/casadi/swing_up.py target/c/cart_pole.so examples/casadi/swing_up.svg

It fails where no swing-up is found, or where what was found is no motion of a model by hand. Without the last argument no picture is drawn.

Trapezoidal collocation over 2.5 s, least squares of the force, which stays within the motor's 10 N; the cart stays within 1 m.
"""

import sys

import casadi as ca
import numpy as np

library, picture = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
dqdt = ca.external("casadi_cart_pole_dqdt", library)
p = [9.81, 1.0, 0.2, 0.3, 0.1, 0.002, 10.0]  # as the header lists them: g, masses, length, friction, force

n, duration = 60, 2.5
h = duration / n
x = ca.MX.sym("x", 4, n + 1)  # displacement, angle from upright, their rates
u = ca.MX.sym("u", 1, n + 1)
slope = [dqdt(0, x[:, k], u[:, k], p) for k in range(n + 1)]
constraints = [x[:, k + 1] - x[:, k] - h / 2 * (slope[k] + slope[k + 1]) for k in range(n)]
hanging, upright = [0, np.pi, 0, 0], [0, 0, 0, 0]
constraints += [x[:, 0] - hanging, x[:, n] - upright]
variables = ca.veccat(x, u)
problem = {"x": variables, "f": h * ca.sumsqr(u), "g": ca.vertcat(*constraints)}
# Second derivatives are not emitted: IPOPT approximates them.
options = {"ipopt.hessian_approximation": "limited-memory", "ipopt.print_level": 0, "ipopt.max_iter": 3000, "ipopt.tol": 1e-6, "ipopt.acceptable_tol": 1e-5, "print_time": 0}
solver = ca.nlpsol("solver", "ipopt", problem, options)
guess = np.linspace(hanging, upright, n + 1).T
limit = ca.veccat(np.tile(np.array([[1.0], [20], [20], [40]]), n + 1), 10 * np.ones((1, n + 1)))
answer = solver(x0=ca.veccat(guess, np.zeros((1, n + 1))), lbx=-limit, ubx=limit, lbg=0, ubg=0)
if not solver.stats()["success"]:
    sys.exit(f"no swing-up: {solver.stats()['return_status']}")
values = np.array(answer["x"]).ravel()
states, force = values[: 4 * (n + 1)].reshape(n + 1, 4), values[4 * (n + 1) :]
print(f"swings up in {duration} s, {solver.stats()['iter_count']} iterations; cost {float(answer['f']):.4f} N²s; "
      f"force up to {abs(force).max():.2f} N, cart up to {abs(states[:, 0]).max():.3f} m")

# An independent check: the model by hand, integrated with the force found (Runge-Kutta, ten steps an interval).
def by_hand(s, f):
    g, mc, mp, l, dr, dh, _ = p
    _, th, v, w = s
    # The pole is a rod of length 2 l: moment of inertia 4/3 m l² about the hinge.
    m = np.array([[mc + mp, mp * l * np.cos(th)], [mp * l * np.cos(th), 4 / 3 * mp * l * l]])
    r = np.array([f - dr * v + mp * l * np.sin(th) * w * w, mp * g * l * np.sin(th) - dh * w])
    return np.array([v, w, *np.linalg.solve(m, r)])

worst = max(abs(by_hand(s, f) - np.array(dqdt(0, s, f, p)).ravel()).max() for s, f in zip(states, force))
print(f"emitted C beside the model by hand: {worst:.1e}")
defect, d = 0.0, h / 10
for k in range(n):
    s = states[k]
    for j in range(10):
        f = [force[k] + (force[k + 1] - force[k]) * (j + c) / 10 for c in (0, 0.5, 1)]
        k1 = by_hand(s, f[0])
        k2 = by_hand(s + d / 2 * k1, f[1])
        k3 = by_hand(s + d / 2 * k2, f[1])
        s = s + d / 6 * (k1 + 2 * k2 + 2 * k3 + by_hand(s + d * k3, f[2]))
    defect = max(defect, abs(s - states[k + 1])[:2].max())
if worst > 1e-10 or defect > 0.02 or abs(states[-1, :2]).max() > 1e-6:
    sys.exit(f"the motion that was found is none: {worst:.1e}, {defect:.1e}, ends at {states[-1]}")
print(f"each interval integrated by hand ends within {defect:.1e} rad and m of the next point (error of the trapezoidal rule)")

if picture is None:
    sys.exit(0)
import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt
matplotlib.rcParams.update({"svg.hashsalt": "dqdt", "svg.fonttype": "none"})
time = np.linspace(0, duration, n + 1)
figure, axes = plt.subplots(3, 1, sharex=True, figsize=(6, 5.5), layout="constrained")
for axis, curve, label in zip(axes, (states[:, 1], states[:, 0], force), ("θ [rad]", "x [m]", "force [N]")):
    axis.plot(time, curve, color="C0")
    axis.set_ylabel(label)
    axis.grid(alpha=0.3)
axes[0].set_title("Swing-up of a cart-pole by CasADi and the emitted C")
axes[-1].set_xlabel("t [s]")
figure.savefig(picture, metadata={"Date": None})
