"""Gravity, Coriolis matrix, inverse mass matrix, centre of mass, centroidal momentum and regressor of a fixed-base robot beside Pinocchio.

By hand, from the root of the repository, with a C compiler and the packages pin (4.1.0) and numpy:

    cargo dqdt emit tests/data/urdf/ur5.urdf --language c -o target/c --functions \\
        gravity,coriolis_matrix,inverse_mass_matrix,center_of_mass,centroidal_momentum,regressor
    cc -std=c99 -O2 -shared -fPIC target/c/ur5.c -lm -o target/c/ur5.so
    python3 tests/urdf/functions.py tests/data/urdf/ur5.urdf target/c ur5

Prints the largest relative difference of each over 100 states. The import makes rounded right angles exact, Pinocchio takes the file.
"""

import ctypes
import re
import sys

import numpy as np
import pinocchio as pin

robot, folder, name = sys.argv[1:4]
model = pin.buildModelFromUrdf(robot)
data = model.createData()
header = open(f"{folder}/{name}.h").read()
library = ctypes.CDLL(f"{folder}/{name}.so")
n = model.nv
assert model.nq == n, "one coordinate a joint"

memory = ctypes.create_string_buffer(1 << 20)
defaults = ctypes.addressof(ctypes.c_char.in_dll(library, f"{name}_defaults"))
getattr(library, f"{name}_model_init")(memory, ctypes.c_void_p(defaults))


def fields(struct):
    body = re.search(rf"struct {name}_{struct} \{{\n(.*?)\}};", header, re.S).group(1)
    rows = re.findall(r"double (\w+)((?:\[\d+\])*);", body)
    return [(field, int(np.prod([int(k) for k in re.findall(r"\d+", dims)] or [1]))) for field, dims in rows]


def call(function, size, *arguments):
    result = (ctypes.c_double * size)()
    given = [(ctypes.c_double * len(a))(*a) for a in arguments]
    getattr(library, f"{name}_{function}")(memory, ctypes.c_double(0.0), *given, result)
    return np.array(result)


def parts(function, *arguments):
    layout = fields(function)
    values = call(function, sum(size for _, size in layout), *arguments)
    ends = np.cumsum([size for _, size in layout])
    return {field: values[end - size : end] for (field, size), end in zip(layout, ends)}


random = np.random.default_rng(1)
worst = {}


def compare(what, found, expected):
    expected = np.ravel(expected)
    difference = np.max(np.abs(found - expected)) / max(1.0, np.max(np.abs(expected)))
    worst[what] = max(worst.get(what, 0.0), difference)


for _ in range(100):
    q, v, a = random.uniform(-3, 3, n), random.uniform(-2, 2, n), random.uniform(-2, 2, n)
    x, still = np.concatenate([q, v]), np.zeros(n)
    compare("gravity", call("gravity", n, x), pin.computeGeneralizedGravity(model, data, q))
    compare("coriolis_matrix", call("coriolis_matrix", n * n, x), pin.computeCoriolisMatrix(model, data, q, v))
    inverse = np.triu(pin.computeMinverse(model, data, q))
    compare("inverse_mass_matrix", call("inverse_mass_matrix", n * n, x), inverse + np.triu(inverse, 1).T)
    jacobian = pin.jacobianCenterOfMass(model, data, q).copy()
    pin.centerOfMass(model, data, q, v, still)
    found = parts("center_of_mass", x)
    for field, expected in [("position", data.com[0]), ("velocity", data.vcom[0]), ("jacobian", jacobian), ("bias", data.acom[0])]:
        compare(f"center_of_mass.{field}", found[field], expected)
    rate = pin.dccrba(model, data, q, v) @ v
    pin.computeCentroidalMomentum(model, data, q, v)
    momentum = np.concatenate([data.hg.linear, data.hg.angular])
    found = parts("centroidal_momentum", x)
    for field, expected in [("momentum", momentum), ("matrix", data.Ag), ("bias", rate)]:
        compare(f"centroidal_momentum.{field}", found[field], expected)
    expected = pin.computeJointTorqueRegressor(model, data, q, v, a)
    compare("regressor", parts("regressor", x, a)["matrix"], expected)

for what, difference in worst.items():
    print(f"{what:<28} {difference:.1e}")
