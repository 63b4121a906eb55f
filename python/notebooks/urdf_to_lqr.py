# %% [markdown]
# # From a URDF file to a controller
#
# A UR5 arm is read from its URDF file. We look at its mass matrix and gravity, linearise it about a
# pose, design a linear–quadratic regulator (LQR), and simulate the nonlinear arm with it.
#
# This notebook needs `pip install dqdt matplotlib scipy`, and the file `ur5.urdf` of the repository.

# %%
import matplotlib.pyplot as plt
import numpy as np
import scipy.linalg

import dqdt

np.set_printoptions(precision=3, suppress=True, linewidth=120)

# %% [markdown]
# ## The robot
#
# Parts of the file that equations of motion cannot use are reported as a warning; here these are the
# shapes for contacts. `accept` acknowledges the warning.

# %%
m = dqdt.load("../../tests/data/urdf/ur5.urdf", accept=["robot-idealised"])
print(m.coordinates)
print(m.inputs)
m

# %% [markdown]
# The picture shows the arm with all angles zero. Our pose is one in which the tool points down:

# %%
pose = np.deg2rad([0, -60, 90, -30, 90, 0])
x = np.concatenate([pose, np.zeros(6)])

f = m.compile("dqdt", "mass_matrix", "gravity")
M = f.mass_matrix(0.0, x)
print(M)
print("eigenvalues of M:", np.linalg.eigvalsh(M))

# %% [markdown]
# `gravity` has the torques that hold the arm at rest. Applied as inputs, nothing moves:

# %%
holding = f.gravity(0.0, x)
print("torques [N·m]:", holding)
print("largest acceleration [rad/s²]:", np.abs(f.dqdt(0.0, x, holding)[6:]).max())

# %% [markdown]
# ## The linearised arm
#
# `trim` names what may change so that the pose is an equilibrium: here the torques. It finds those that
# `gravity` computed.

# %%
system = m.linearize(trim=m.inputs, at=dict(zip(m.coordinates, pose)))
print(system.kind, system.A.shape, system.B.shape)
print("the same torques:", np.allclose(system.u0, holding))
print("real parts of the eigenvalues [1/s]:", system.eigenvalues.real.round(3) + 0.0)

# %% [markdown]
# One eigenvalue is positive: with constant torques the arm falls.
#
# ## The regulator
#
# The weights follow Bryson's rule: an error of 0.5 rad, a speed of 2 rad/s and the largest torque of a
# motor cost the same. The gain K is that of `u = u0 − K (x − x0)`.

# %%
largest = np.array([150, 150, 150, 28, 28, 28])
Q = np.diag([1 / 0.5**2] * 6 + [1 / 2.0**2] * 6)
R = np.diag(1 / largest**2)
P = scipy.linalg.solve_continuous_are(system.A, system.B, Q, R)
K = np.linalg.solve(R, system.B.T @ P)
closed = np.linalg.eigvals(system.A - system.B @ K)
print(f"real parts of the closed loop [1/s]: {closed.real.min():.1f} to {closed.real.max():.1f}")

# %% [markdown]
# ## The motion
#
# The arm starts far from the pose. `feedback` applies the gain to the nonlinear equations. Without it
# the torques are constant.

# %%
start = x.copy()
start[:6] += np.deg2rad([20, 10, -15, 20, -20, 15])

with_feedback = m.simulate(2, start=start, feedback=K, around=system)
without = m.simulate(1, start=start, inputs=dict(zip(m.inputs, system.u0)))

# %%
_, axes = plt.subplots(1, 3, figsize=(13, 4))
for i, name in enumerate(m.coordinates):
    axes[0].plot(without.t, np.rad2deg(without[name] - pose[i]))
    axes[1].plot(with_feedback.t, np.rad2deg(with_feedback[name] - pose[i]), label=name)
    axes[2].plot(with_feedback.t, with_feedback[m.inputs[i]] / largest[i])
axes[0].set(title="without feedback", ylabel="error [°]", xlabel="t [s]")
axes[1].set(title="with LQR", ylabel="error [°]", xlabel="t [s]")
axes[1].legend()
axes[2].set(title="torque by its limit", xlabel="t [s]")
plt.tight_layout()

# %%
error = np.abs(with_feedback.x[-1] - x).max()
share = np.abs(np.array([with_feedback[name] for name in m.inputs]) / largest[:, None]).max()
print(f"largest error after 2 s: {error:.1e}, largest torque by its limit: {share:.2f}")
assert error < 1e-3 and share < 1

# %% [markdown]
# The return to the pose as an animation:

# %%
with_feedback.animate(*m.coordinates[:3])

# %% [markdown]
# The torques stay within their limits here. To enforce limits, write a spec with `template =
# "ur5.urdf"` that gives the inputs `limits`: `simulate` then applies them.
#
# `system.to_control()` is the same system for the package control, with names. The book has more on
# [linearised motions](../../docs/linearize.md) and [robots from URDF](../../docs/urdf.md).
