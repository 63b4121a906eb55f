# %% [markdown]
# # Ten minutes: from a sketch on paper to a motion
#
# A weight hangs on a spring and swings. The spring can turn about its hook and change its length. If
# the weight bounces at twice the frequency at which it swings, energy goes from the bouncing to the
# swinging and back. This is the motion that we want to see.
#
# You need the package and matplotlib: `pip install dqdt matplotlib`. No compiler is needed.

# %%
import timeit

import numpy as np

import dqdt

# %% [markdown]
# ## From the sketch to a mechanism
#
# Every joint connects a parent to a child. Here a revolute joint at the hook carries `arm`, a body
# without mass that gives the spring its direction. A prismatic joint along the arm carries the
# weight. Where a number is expected you can write a formula in quotes. Units are optional; if you
# write them, dimensions are checked.

# %%
swinging_spring = """
name = "swinging_spring"
description = "a weight that hangs on a spring and swings"
gravity = [0, "-g", 0]                  # the y axis of the ground points up

[parameters]
g = { value = 9.81, unit = "m/s^2", description = "gravitational acceleration" }
m = { value = 1, unit = "kg", description = "mass of the weight" }
l = { value = 0.3, unit = "m", description = "unloaded length of the spring" }
k = { value = 98.1, unit = "N/m", description = "stiffness of the spring" }

[bodies.arm]                            # no mass: the direction of the spring

[bodies.weight]
mass = "m"

[joints.hook]
type = "revolute"
axis = "z"
parent = "ground"
child = "arm"
coordinates = { names = ["theta"], start = ["5 deg"] }

[joints.slide]
type = "prismatic"
axis = "-y"                             # down, where theta is zero
parent = "arm"
child = "weight"
coordinates = { names = ["r"], start = ["0.5 m"] }

[loads.spring]
type = "joint_spring"
joint = "slide"
stiffness = "k"
rest = "l"

[outputs]
stretch = "r - l"
"""

m = dqdt.load(swinging_spring)
m

# %% [markdown]
# The picture shows the start. Names are those of the text:

# %%
print(m.states, m.outputs, m.parameters)

# %% [markdown]
# ## The equations
#
# The equations of motion are derived symbolically. A notebook shows them typeset; `print` shows them
# as text, and `m.equations.latex()` writes a document.

# %%
m.equations

# %% [markdown]
# `form` selects another form. The form "robot" has the mass matrix M, the velocity terms and gravity:

# %%
m.equations.form("robot")

# %% [markdown]
# Are they right? `prove` derives them again by other methods, and proves symbolically that the results
# are equal and that the compiled code computes them:

# %%
for claim in m.prove():
    print(f"{claim.verdict:8}  {claim.title}")

# %% [markdown]
# ## Numbers
#
# `compile` makes machine code in this process. A function takes the time and a state: the coordinates,
# then their speeds. A weight that hangs still at r = 0.4 m stays there; its rates are zero up to rounding:

# %%
f = m.compile("dqdt", "mass_matrix", "energy")
print(f.dqdt(0.0, [0, 0.4, 0, 0]))
print(f.mass_matrix(0.0, m.start))
print(f.energy(0.0, m.start))

# %% [markdown]
# A matrix has one state in each row. All of them are computed in one call:

# %%
rng = np.random.default_rng(1)
states = m.start + 0.1 * rng.standard_normal((10_000, m.nx))
rates = f.dqdt(0.0, states)
seconds = min(timeit.repeat(lambda: f.dqdt(0.0, states), number=1, repeat=10))
print(rates.shape, f"{1e9 * seconds / len(states):.0f} ns for each state")

# %% [markdown]
# ## The motion
#
# At first the weight mainly bounces. After three seconds it swings with an amplitude of 28°, and
# bounces much less. Three seconds later it mainly bounces again.

# %%
run = m.simulate(30)
run.plot("theta", "r");

# %% [markdown]
# No energy is lost:

# %%
energy = run["total_energy"]
print(f"{run.evaluations} evaluations, energy from {energy.min():.9f} to {energy.max():.9f} J")

# %% [markdown]
# The same as an animation. The button stops it:

# %%
run.animate("theta", "r")

# %% [markdown]
# ## Changes and mistakes
#
# With a softer spring the ratio of the frequencies is no longer two, and the angle stays small. A
# parameter changes without deriving anything again:

# %%
soft = m.simulate(30, parameters={"k": 60})
for spring in [run, soft]:
    print(f"largest angle: {np.rad2deg(spring['theta'].max()):.1f}°")

# %% [markdown]
# If a description is wrong, the message names the line and the remedy:

# %%
try:
    dqdt.load(swinging_spring.replace("mass =", "mas ="))
except dqdt.SpecError as error:
    print(error)

# %% [markdown]
# ## Code for other programs
#
# The same equations as Rust or C, without dependencies and without allocation:

# %%
code = m.emit("c")
print(list(code))
_, _, function = code["swinging_spring.c"].partition("void swinging_spring_dqdt(")
print("void swinging_spring_dqdt(" + function[:800])

# %% [markdown]
# Next: [a robot from a URDF file to a controller](urdf_to_lqr.ipynb),
# [identification](identification.ipynb), and [the equations of a paper checked](paper.ipynb).
