"""Moves the UR5 from one pose to another with CasADi and the exact Hessian of the emitted C, beside L-BFGS.

From the root of the repository, with a C compiler and the packages casadi 3.8 and numpy:

    cargo dqdt emit tests/data/robots/ur5.toml --language c --functions dqdt,dqdt_derivatives,dqdt_hessian --casadi -o target/c
    cc -std=c99 -O2 -DDQDT_CASADI -shared -fPIC target/c/ur5.c -lm -o target/c/ur5.so
    python3 examples/casadi/point_to_point.py target/c/ur5.so

Trapezoidal collocation over one second, least squares of the torques, each relative to its limit. IPOPT runs at its defaults, then with
its approximation of the Hessian; the script fails unless both find the same optimum.
"""

import sys
import time

import casadi as ca
import numpy as np

dqdt = ca.external("casadi_ur5_dqdt", sys.argv[1])
n, duration = 40, 1.0
h = duration / n
limit = np.array([[150], [150], [150], [28], [28], [28]])
start, end = [0, -1.2, 1.0, -0.5, 0.3, 0], [1.5, -0.4, -0.8, 0.7, -0.9, 1.0]
x = ca.MX.sym("x", 12, n + 1)  # angles and their rates
u = ca.MX.sym("u", 6, n + 1)  # torques over their limits
slope = [dqdt(0, x[:, k], limit * u[:, k]) for k in range(n + 1)]
constraints = [x[:, k + 1] - x[:, k] - h / 2 * (slope[k] + slope[k + 1]) for k in range(n)]
rest = [0] * 6
constraints += [x[:, 0] - ca.DM(start + rest), x[:, n] - ca.DM(end + rest)]
problem = {"x": ca.veccat(x, u), "f": h * ca.sumsqr(u), "g": ca.vertcat(*constraints)}
guess = ca.veccat(np.linspace(start + rest, end + rest, n + 1).T, np.zeros((6, n + 1)))
bound = ca.veccat(20 * np.ones((12, n + 1)), np.ones((6, n + 1)))
costs = []
for name, more in [("exact Hessian", {}), ("L-BFGS", {"ipopt.hessian_approximation": "limited-memory"})]:
    options = {"ipopt.print_level": 0, "ipopt.sb": "yes", "ipopt.max_iter": 3000, "print_time": 0, **more}
    solver = ca.nlpsol("solver", "ipopt", problem, options)
    begun = time.perf_counter()
    answer = solver(x0=guess, lbx=-bound, ubx=bound, lbg=0, ubg=0)
    seconds, stats = time.perf_counter() - begun, solver.stats()
    costs.append(float(answer["f"]))
    print(f"{name}: {stats['return_status']}, {stats['iter_count']} iterations, {seconds:.1f} s, cost {costs[-1]:.6f}")
if max(costs) - min(costs) > 1e-4 * min(costs):
    sys.exit(f"the optima differ: {costs}")
