# %% [markdown]
# # Checking the equations of a paper
#
# Type the equations of a paper, and compare them with derived ones. A right equation is proved. A wrong
# one is refuted, with the difference and a point where it is not zero. We check a textbook and a paper.
#
# This notebook needs `pip install dqdt`, and files of the repository.

# %%
import dqdt

# %% [markdown]
# ## A textbook: two links in a vertical plane
#
# J. J. Craig, *Introduction to Robotics*, derives the torques of an arm with two links whose masses are
# points at their ends. This is the mechanism:

# %%
arm = dqdt.load("../../tests/data/textbook/two_link_arm.toml")
arm.equations

# %% [markdown]
# And these are the equations of the book, typed as printed. `theta1_ddot` is an acceleration, `tau1` a
# torque; both sides count, sign included.

# %%
craig = """
description = "Craig, Introduction to Robotics, the two-link arm"

[definitions]
c1 = "cos(theta1)"
c2 = "cos(theta2)"
s2 = "sin(theta2)"
c12 = "cos(theta1 + theta2)"

[equal]
"equation[theta1]" = '''m2*l2^2*(theta1_ddot + theta2_ddot) + m2*l1*l2*c2*(2*theta1_ddot + theta2_ddot)
    + (m1 + m2)*l1^2*theta1_ddot - m2*l1*l2*s2*theta2_dot^2 - 2*m2*l1*l2*s2*theta1_dot*theta2_dot
    + m2*l2*g*c12 + (m1 + m2)*l1*g*c1 = tau1'''
"equation[theta2]" = '''m2*l1*l2*c2*theta1_ddot + m2*l1*l2*s2*theta1_dot^2 + m2*l2*g*c12
    + m2*l2^2*(theta1_ddot + theta2_ddot) = tau2'''
"""

for claim in arm.prove(against=craig):
    print(f"{claim.verdict:8}  {claim.title}")

# %% [markdown]
# Both are proved: the difference of derived and typed equation simplifies to zero, exactly. Now we
# forget the factor 2 of the Coriolis term, as a misprint would:

# %%
for claim in arm.prove(against=craig.replace("- 2*m2*l1*l2*s2", "- m2*l1*l2*s2")):
    print(f"{claim.verdict:8}  {claim.title}")
    for difference in claim.open:
        print(f"          derived minus typed: {difference}")

# %% [markdown]
# ## A paper: a snowboarder with n links
#
# Borisov, Kaspirovich and Mukharlyamov describe a snowboarder as a chain of links on a ski. Their
# formula (7) has the elements of the mass matrix between the azimuths φᵢ of the links, for any number n.
# This is the formula as printed:

# %%
printed = """
description = "snowboarder paper, formula (7), as printed"

[repeat]
i = "1 to n"
j = "i+1 to n"
k = "i+1 to n"                          # links beyond i
t = "j+1 to n"                          # links beyond j

[equal]
"M[phi{i}, phi{i}]" = "(I{i} + (m{i}*n{i}^2 + sum{k}(m{k}))*l{i}*l{i})*cos(psi{i})*cos(psi{i})"
"M[phi{i}, phi{j}]" = "sum{t}(m{t})*l{i}*l{j}*cos(phi{i} - phi{j})*cos(psi{i})*cos(psi{j})"
"""

# %% [markdown]
# `sum{k}` is a sum over the index `k`. We compare with the mechanism of three links:

# %%
snowboarder = dqdt.load("../../examples/specs/snowboarder3.toml")
claims = snowboarder.prove(against=printed)
for claim in claims:
    print(f"{claim.verdict:8}  {claim.title}   {' '.join(claim.open)}")

# %% [markdown]
# The diagonal is right. Beside it, the formula of the paper lacks the mass of link j itself: each
# difference has the same shape. The counterexample of the first one:

# %%
wrong = next(claim for claim in claims if claim.verdict == "refuted")
print(wrong.title, "differs at")
for name, value in wrong.counterexample.items():
    print(f"  {name} = {value}")

# %% [markdown]
# ## The same without the proof
#
# A number is convincing too. We compute the mass matrix at a state, and the formula as printed:

# %%
import numpy as np

f = snowboarder.compile("mass_matrix")
rng = np.random.default_rng(3)
x = snowboarder.start + rng.uniform(-1, 1, snowboarder.nx)
state = dict(zip(snowboarder.states, x))
p = snowboarder.parameters

row, column = snowboarder.coordinates.index("phi1"), snowboarder.coordinates.index("phi2")
derived = f.mass_matrix(0.0, x)[row, column]
angles = np.cos(state["phi1"] - state["phi2"]) * np.cos(state["psi1"]) * np.cos(state["psi2"])
by_the_paper = p["m3"] * p["l1"] * p["l2"] * angles
missing = p["m2"] * p["n2"] * p["l1"] * p["l2"] * angles
print(f"derived {derived:.6f}, by the paper {by_the_paper:.6f}, with the missing term {by_the_paper + missing:.6f}")
assert np.isclose(derived, by_the_paper + missing)

# %% [markdown]
# With the term `m{j}*n{j}` the formula is right, for all elements:

# %%
corrected = printed.replace("sum{t}(m{t})*l{i}", "(m{j}*n{j} + sum{t}(m{t}))*l{i}")
claims = snowboarder.prove(against=corrected)
for claim in claims:
    print(f"{claim.verdict:8}  {claim.title}")
assert {claim.verdict for claim in claims} == {"proved"}

# %% [markdown]
# What can be compared, and what the verdicts mean, is described in the chapter [checking a paper's
# equations](../../docs/against.md). The command does the same: `dqdt prove SPEC --against FILE`.
