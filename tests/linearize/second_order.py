"""M, C1, K0 and K2 of M q'' + v C1 q' + (g K0 + v^2 K2) q = f, from `dqdt linearize` at three speeds.

    python3 tests/linearize/second_order.py tests/data/linearize/whipple_torques.toml \
        --speed x_dot --coordinates roll,-steer --inputs lean_torque,-steer_torque [--dqdt PATH] [--expect FILE]

Nothing of it knows the mechanism: B gives the inverse of M, the lower half of A at speeds 0 and 1 gives the rest, and a third speed
checks that it is of this form. A sign before a name turns the coordinate round. With --expect the matrices are compared with those of
a JSON file, to ten digits of the largest entry.
"""

import argparse
import json
import subprocess
import sys
import tempfile


def linearized(dqdt, spec, speed, value):
    """A and B, with the names of states and inputs."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as at:
        json.dump({"v": {speed: value}}, at)
        at.flush()
        run = [*dqdt, "linearize", spec, "--at", at.name, "--format", "json"]
        return json.loads(subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout)


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def scaled(a, factor):
    return [[factor * x for x in row] for row in a]


def inverse(a):
    """By Gauss and Jordan, with the largest pivot of the column."""
    n = len(a)
    rows = [list(row) + [float(i == j) for j in range(n)] for i, row in enumerate(a)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k])]
    return [row[n:] for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("spec")
    parser.add_argument("--speed", required=True)
    parser.add_argument("--coordinates", required=True)
    parser.add_argument("--inputs", required=True)
    parser.add_argument("--gravity", type=float, default=9.81)
    parser.add_argument("--dqdt", default="cargo run -q -p dqdt-command --")
    parser.add_argument("--expect")
    options = parser.parse_args()
    dqdt = options.dqdt.split()

    def names(text):
        return [(name.lstrip("-"), -1.0 if name.startswith("-") else 1.0) for name in text.split(",")]

    coordinates, inputs = names(options.coordinates), names(options.inputs)

    def parts(value):
        """Of the accelerations by the inputs, by the speeds and by the coordinates."""
        found = linearized(dqdt, options.spec, options.speed, value)
        states = found["states"]

        def block(matrix, columns, suffix, known):
            return [
                [row_sign * sign * matrix[states.index(row + "_dot")][known.index(name + suffix)] for name, sign in columns]
                for row, row_sign in coordinates
            ]

        return (
            block(found["B"], inputs, "", found["inputs"]),
            block(found["A"], coordinates, "_dot", states),
            block(found["A"], coordinates, "", states),
        )

    b, _, still = parts(0.0)
    _, damping, rolling = parts(1.0)
    mass = inverse(b)
    k0 = scaled(product(mass, still), -1.0 / options.gravity)
    c1 = scaled(product(mass, damping), -1.0)
    difference = [[x - y for x, y in zip(*rows)] for rows in zip(rolling, still)]
    k2 = scaled(product(mass, difference), -1.0)
    found = {"M": mass, "C1": c1, "K0": k0, "K2": k2}

    # Another speed: what these matrices say of it.
    v = 4.6
    _, by_speeds, by_coordinates = parts(v)
    own = product(inverse(mass), [[v * x for x in row] for row in c1])
    stiffness = [[options.gravity * x + v * v * y for x, y in zip(*rows)] for rows in zip(k0, k2)]
    own_stiffness = product(inverse(mass), stiffness)
    largest = max(abs(x) for row in by_coordinates for x in row)
    for measured, said in ((by_speeds, own), (by_coordinates, own_stiffness)):
        for rows in zip(measured, said):
            for x, y in zip(*rows):
                if abs(x + y) > 1e-9 * largest:
                    sys.exit(f"not of this form: {x} is {-y} at {v} m/s")

    for name, matrix in found.items():
        print(name)
        for row in matrix:
            print("".join(f" {x:20.14f}" for x in row))
    if options.expect:
        with open(options.expect, encoding="utf-8") as file:
            expected = json.load(file)
        for name, matrix in found.items():
            size = max(abs(x) for row in expected[name] for x in row)
            for rows in zip(matrix, expected[name]):
                for x, y in zip(*rows):
                    if abs(x - y) > 1e-10 * size:
                        sys.exit(f"{name}: {x} where {y} is expected")
        print(f"as in {options.expect}, to ten digits")


if __name__ == "__main__":
    main()
