# %% [markdown]
# # Identification: base parameters of a Panda from noisy torques
#
# The torques of a robot are linear in the inertial parameters π of its bodies: `τ = Y π + rest`. The
# matrix `Y` is the regressor. A motion determines only some combinations of π, the base parameters. We
# find these combinations, choose a motion that excites them, and fit them to noisy torques.
#
# This notebook needs `pip install dqdt matplotlib`, and the file `panda_arm.toml` of the repository.

# %%
import matplotlib.pyplot as plt
import numpy as np

import dqdt

m = dqdt.load("../../examples/specs/panda_arm.toml")
m

# %% [markdown]
# ## Base parameters
#
# Each of the seven bodies has ten inertial parameters: mass, first moments, and the inertia tensor. Of
# these 70, a motion determines 43 combinations (Gautier and Khalil 1990):

# %%
base = m.base_parameters()
print(len(base.inertial_parameters), "inertial parameters,", len(base), "base parameters")
for row in range(3):
    terms = [f"{base.matrix[row, i]:+.3g} {base.inertial_parameters[i]}" for i in np.flatnonzero(base.matrix[row])]
    print(f"{base.names[row]}:", " ".join(terms))

# %% [markdown]
# `base` alone in a cell shows all of them as a table. `base.columns` are the columns of the regressor
# that remain, and `base.matrix` computes the base parameters from π:

# %%
f = m.compile("inverse_dynamics", "regressor", "inertial_parameters")

rng = np.random.default_rng(7)
x = rng.uniform(-2, 2, m.nx)
dv = rng.uniform(-2, 2, 7)
pi = f.inertial_parameters(0.0, x)
Y = f.regressor(0.0, x, dv)
torque = f.inverse_dynamics(0.0, x, dv)
print("by all 70:", np.abs(Y.matrix @ pi + Y.rest - torque).max())
print("by the 43:", np.abs(Y.matrix[:, base.columns] @ (base.matrix @ pi) + Y.rest - torque).max())

# %% [markdown]
# `rest` has what does not depend on π: here the friction of the joints, which we take as known.
#
# ## A motion that excites them
#
# Each joint moves as a sum of sines around the start (Swevers et al. 1997). The condition number of the
# stacked regressor says how well a motion separates the parameters. We draw 10 motions and take the
# best.

# %%
t = np.arange(0, 10, 0.02)


def motion(seed):
    """States and accelerations of a sum of four sines in each joint."""
    random = np.random.default_rng(seed)
    frequency = 0.2 * 2 * np.pi * np.arange(1, 5)
    size = random.uniform(0.1, 0.35, (7, 4))
    phase = frequency * t[:, None, None] + random.uniform(0, 2 * np.pi, (7, 4))
    q = m.start[:7] + (size * np.sin(phase)).sum(-1)
    v = (size * frequency * np.cos(phase)).sum(-1)
    dv = -(size * frequency**2 * np.sin(phase)).sum(-1)
    return np.hstack([q, v]), dv


def stacked(states, accelerations):
    """Columns of the base parameters for all samples and joints, and the rest."""
    Y = f.regressor(0.0, states, accelerations)
    return Y.matrix[:, :, base.columns].reshape(-1, len(base)), Y.rest.ravel()


def condition(seed):
    W, _ = stacked(*motion(seed))
    return np.linalg.cond(W / np.linalg.norm(W, axis=0))


conditions = [condition(seed) for seed in range(10)]
best = int(np.argmin(conditions))
print(f"condition from {min(conditions):.0f} to {max(conditions):.0f}; the best motion is number {best}")

# %% [markdown]
# ## Measured torques
#
# The measurement is made by inverse dynamics, with noise of 0.2 N·m.

# %%
noise = 0.2
states, accelerations = motion(best)
measured = f.inverse_dynamics(0.0, states, accelerations)
measured = measured + noise * np.random.default_rng(42).standard_normal(measured.shape)
measured.shape

# %% [markdown]
# ## Least squares
#
# Columns have different units, so they are scaled to unit length before the fit.

# %%
W, rest = stacked(states, accelerations)
scale = np.linalg.norm(W, axis=0)
fit, *_ = np.linalg.lstsq(W / scale, measured.ravel() - rest, rcond=None)
beta = fit / scale

residual = measured.ravel() - rest - W @ beta
variance = residual @ residual / (len(residual) - len(beta))
deviation = np.sqrt(variance * np.diag(np.linalg.inv((W / scale).T @ (W / scale)))) / scale
print(f"noise {noise} N·m, residual {np.sqrt(variance):.3f} N·m")

# %% [markdown]
# The fit knows nothing of the values of the spec. They are used here for comparison:

# %%
true = base.matrix @ f.inertial_parameters(0.0, m.start)
error = (beta - true) / deviation
print(f"{(np.abs(error) < 3).sum()} of {len(base)} within three standard deviations")
for name, estimate, spread, value in list(zip(base.names, beta, deviation, true))[:6]:
    print(f"{name:>10}: {estimate:8.4f} ± {spread:.4f}, in the spec {value:8.4f}")

# %%
_, axes = plt.subplots(1, 2, figsize=(12, 4))
axes[0].bar(np.arange(len(base)), error)
axes[0].axhline(3, color="black", linestyle=":")
axes[0].axhline(-3, color="black", linestyle=":")
axes[0].set(xlabel="base parameter", title="errors of the fit, in standard deviations")
axes[1].hist(residual, 80, density=True)
grid = np.linspace(-0.8, 0.8, 200)
axes[1].plot(grid, np.exp(-((grid / noise) ** 2) / 2) / noise / np.sqrt(2 * np.pi), color="black")
axes[1].set(xlabel="residual [N·m]", title="residuals, and the density of the noise");

# %% [markdown]
# ## Another motion
#
# The fit predicts the torques of a motion that it has not seen:

# %%
states, accelerations = motion(1000)
actual = f.inverse_dynamics(0.0, states, accelerations)
W, rest = stacked(states, accelerations)
predicted = (W @ beta + rest).reshape(actual.shape)
rms = np.sqrt(np.mean((predicted - actual) ** 2))
print(f"torques are off by {rms:.3f} N·m (root mean square)")
assert rms < noise

_, axes = plt.subplots(2, 1, sharex=True, figsize=(9, 5))
for joint in [1, 3, 5]:
    axes[0].plot(t, actual[:, joint], label=f"joint {joint + 1}")
    axes[1].plot(t, predicted[:, joint] - actual[:, joint])
axes[0].set(ylabel="torque [N·m]")
axes[0].legend()
axes[1].set(ylabel="error [N·m]", xlabel="t [s]");

# %% [markdown]
# The inertial parameters that give these torques need not be physical: zero masses are possible,
# because only the combinations are determined. The book lists the functions for identification in
# [functions of a robot](../../docs/functions.md).
