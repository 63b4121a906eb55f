"""SymPy's KanesMethod of a planar chain of rods: common parts of mass matrix and right side shared, then LDLᵀ in C."""

import sympy as sm
import sympy.physics.mechanics as me

SOLVE = """\
  for (int j = 0; j < {n}; ++j) {{
    double d = M[j][j];
    for (int k = 0; k < j; ++k) d -= M[j][k] * M[j][k] * M[k][k];
    M[j][j] = d;
    const double r = 1.0 / d;
    for (int i = j + 1; i < {n}; ++i) {{
      double s = M[i][j];
      for (int k = 0; k < j; ++k) s -= M[i][k] * M[j][k] * M[k][k];
      M[i][j] = s * r;
    }}
  }}
  for (int i = 0; i < {n}; ++i) for (int k = 0; k < i; ++k) b[i] -= M[i][k] * b[k];
  for (int i = 0; i < {n}; ++i) b[i] /= M[i][i];
  for (int i = {n} - 1; i >= 0; --i) for (int k = i + 1; k < {n}; ++k) b[i] -= M[k][i] * b[k];
  for (int i = 0; i < {n}; ++i) res[0][i] = b[i];
  return 0;
}}
"""


def by_kane(n):
    """C of the chain of models.py: rods of 1 kg and 1 m along x, relative angles, gravity along -y; numbers, no parameters."""
    q, u = me.dynamicsymbols(f"q1:{n + 1}"), me.dynamicsymbols(f"u1:{n + 1}")
    tau = sm.symbols(f"tau1:{n + 1}")
    mass, length, inertia, gravity = sm.Integer(1), sm.Integer(1), sm.Float(1) / 12, sm.Float("9.81")
    ground, point = me.ReferenceFrame("N"), me.Point("O")
    point.set_vel(ground, 0)
    frame, bodies, loads, rates = ground, [], [], []
    for i in range(n):
        rod = frame.orientnew(f"B{i}", "Axis", [q[i], ground.z])
        rod.set_ang_vel(frame, u[i] * ground.z)
        centre = point.locatenew(f"G{i}", length / 2 * rod.x)
        end = point.locatenew(f"P{i}", length * rod.x)
        centre.v2pt_theory(point, ground, rod)
        end.v2pt_theory(point, ground, rod)
        bodies.append(me.RigidBody(f"R{i}", centre, rod, mass, (me.inertia(rod, 0, 0, inertia), centre)))
        loads += [(centre, -mass * gravity * ground.y), (rod, tau[i] * ground.z)]
        if i:
            loads.append((frame, -tau[i] * ground.z))
        rates.append(u[i] - q[i].diff())
        frame, point = rod, end
    kane = me.KanesMethod(ground, q_ind=q, u_ind=u, kd_eqs=rates)
    kane.kanes_equations(bodies, loads)
    plain_q, plain_u = sm.symbols(f"q_1:{n + 1}"), sm.symbols(f"v_1:{n + 1}")
    plain = dict(zip([*q, *u], [*plain_q, *plain_u], strict=True))
    shared, (m, f) = sm.cse([kane.mass_matrix.xreplace(plain), kane.forcing.xreplace(plain)])
    lines = ["#include <math.h>", "int entry(const double **arg, double **res, long long *iw, double *w, int mem) {"]
    for i in range(n):
        lines.append(f"  const double {plain_q[i]} = arg[0][{i}], {plain_u[i]} = arg[1][{i}], {tau[i]} = arg[2][{i}];")
    lines += [f"  const double {name} = {sm.ccode(value)};" for name, value in shared]
    lines.append(f"  double M[{n}][{n}], b[{n}];")
    for i in range(n):
        lines += [f"  M[{i}][{j}] = {sm.ccode(m[i, j])};" for j in range(i + 1)]
        lines.append(f"  b[{i}] = {sm.ccode(f[i])};")
    return "\n".join(lines) + "\n" + SOLVE.format(n=n)
