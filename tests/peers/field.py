"""The robots of the field's newest table: states for all tools, frax on one core, and the table beside published times.

usage: field.py states FOLDER          FOLDER/NAME.bin for each robot of robots.py: states and Pinocchio's accelerations
       field.py frax FOLDER PRECISION  rows of frax as `batch/src/field.rs` prints them; PRECISION is f32 or f64
       field.py table WORK             WORK/out/field.md from WORK/out/field.tsv, published.toml, machine.txt, and results.tsv
                                       if a run of these robots left it

States are drawn as in the published table: joints within 0.75 rad, speeds within 1.5, efforts within 1, also of a free base,
whose quaternion is random. All numbers but those of the unit quaternion are of single precision. Pinocchio computes the
accelerations in double precision from the file of the package, not from our spec.
"""

import math
import os
import sys
import time
import tomllib
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
COUNT = 1024
BATCHES = (16, 64, 256, 1024, 4096, 16384, 65536)


def read_states(path):
    """Number of coordinates, rows of the state, of the efforts and of the accelerations."""
    numbers = np.fromfile(path)
    count, nq, nv = (int(n) for n in numbers[:3])
    x, u, accelerations = np.split(numbers[3:].reshape(-1, count), [nq + nv, nq + 2 * nv])
    return nq, x, u, accelerations


def write_states(folder):
    """Draws the states of all robots."""
    import pinocchio as pin
    from robots import SOURCES, model

    folder.mkdir(parents=True, exist_ok=True)
    for name, source in SOURCES.items():
        m = model(name)
        data, random = m.createData(), np.random.default_rng(1)
        q = random.uniform(-0.75, 0.75, (COUNT, m.nq))
        v = random.uniform(-1.5, 1.5, (COUNT, m.nv))
        u = random.uniform(-1, 1, (COUNT, m.nv))
        q, v, u = (a.astype(np.float32).astype(np.float64) for a in (q, v, u))
        if source.free:
            q[:, 3:7] = random.normal(size=(COUNT, 4))
            q[:, 3:7] /= np.linalg.norm(q[:, 3:7], axis=1, keepdims=True)
        accelerations = np.array([pin.aba(m, data, *state).copy() for state in zip(q, v, u, strict=True)])
        if source.free:
            # Our quaternions begin with the scalar.
            q[:, 3:7] = q[:, [6, 3, 4, 5]]
        rows = [np.array([COUNT, m.nq, m.nv], float), *(a.T.ravel() for a in (q, v, u, accelerations))]
        np.concatenate(rows).tofile(folder / f"{name}.bin")


def rotations(quaternions):
    """Matrices of unit quaternions with the scalar first."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(rows).transpose(2, 0, 1)


def print_errors(tool, robot, precision, found, expected):
    """The row of errors that `batch/src/field.rs` describes; arrays have a state a row."""
    errors = np.abs(found - expected)
    relative = errors / np.abs(expected).max(axis=1, keepdims=True)
    beyond, beyond_gate = (relative > 1e-3).sum(), (errors > 1e-3 + 2e-4 * np.abs(expected)).sum()
    numbers = f"{errors.max():.2e}\t{relative.max():.2e}\t{np.median(relative):.2e}\t{beyond}\t{beyond_gate}\t{errors.size}"
    print(f"error\t{tool}\t{robot}\t{precision}\t{numbers}", flush=True)


def shortest(call, n):
    """Shortest time of the processor for a call [s], of at least three calls and half a second."""
    call()
    times, end = [], time.process_time() + 0.5
    while len(times) < 3 or time.process_time() < end:
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times) / n


def time_frax(folder, precision):
    """Times frax on one core and compares its accelerations with Pinocchio's."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ["JAX_ENABLE_X64"] = "1" if precision == "f64" else "0"
    import frax
    import jax
    from robots import SOURCES, model, urdf

    jax.config.update("jax_default_matmul_precision", "highest")
    real = np.float64 if precision == "f64" else np.float32
    for name, source in SOURCES.items():
        names = list(model(name).names)[2 if source.free else 1 :]
        base = "quaternion" if source.free else None
        robot = frax.Robot(urdf(name), joint_ordering=names, floating_base=base)
        nq, x, u, accelerations = read_states(folder / f"{name}.bin")
        q, v, u, expected = x[:nq].T, x[nq:].T.copy(), u.T.copy(), accelerations.T
        if source.free:
            # The linear velocity of the base, and the force on it, are in the axes of the ground.
            turns, speeds = rotations(q[:, 3:7]), v[:, :6].copy()
            v[:, :3] = np.einsum("nij,nj->ni", turns, v[:, :3])
            u[:, :3] = np.einsum("nij,nj->ni", turns, u[:, :3])
        dynamics = jax.jit(jax.vmap(lambda q, v, u, robot=robot: robot.forward_dynamics(q, v, u, None)))
        for n in BATCHES:
            arrays = [jax.numpy.asarray(np.resize(a, (n, a.shape[1])).astype(real)) for a in (q, v, u)]
            seconds = shortest(lambda f=dynamics, a=arrays: f(*a).block_until_ready(), n)
            print(f"time\tfrax\t{name}\t{precision}\tdqdt\t{n}\t{1e9 * seconds:.2f}", flush=True)
            if n == COUNT:
                found = np.array(dynamics(*arrays), float)
                if source.free:
                    turned = np.einsum("nji,nj->ni", turns, found[:, :3])
                    found[:, :3] = turned - np.cross(speeds[:, 3:], speeds[:, :3])
                print_errors("frax", name, precision, found, expected)


def measured(out):
    """Times by tool, robot, precision, function and batch, and errors by tool, robot and precision, of a run."""
    times, errors = {}, {}
    for line in (out / "field.tsv").read_text().splitlines():
        kind, tool, robot, precision, *rest = line.split("\t")
        if kind == "time":
            function, batch, nanoseconds = rest
            times[tool, robot, precision, function, int(batch)] = float(nanoseconds)
        elif kind == "error":
            errors[tool, robot, precision] = rest
    return times, errors


TITLES = {"mujoco": "MuJoCo", "pinocchio": "Pinocchio", "casadi": "CasADi", "wrenfold": "wrenfold"}


def libraries(out, robot):
    """Least times of calls for one state that a run of `bench` left: the best column of each tool."""
    path = out / "results.tsv"
    cells = [line.split("\t") for line in path.read_text().splitlines()] if path.exists() else []
    best = {}
    for tool, model, function, median, *_ in cells:
        if (model, function) == (robot, "fd") and not tool.startswith("dqdt"):
            kind = TITLES[tool.split("_")[0]]
            best[kind] = min(best.get(kind, math.inf), float(median))
    return best


def row(*cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def size(number):
    """An error, as text."""
    return f"{float(number):.1e}"


def share(count, entries):
    """A number of entries and the share."""
    return f"{count} ({100 * int(count) / int(entries):.2f} %)" if int(count) else "0"


def write_table(work):
    """The table at batch 1,024, and our times by batch."""
    out = work / "out"
    published = tomllib.loads((HERE / "published.toml").read_text())
    times, errors = measured(out)
    robots = [name for name in published if isinstance(published[name], dict)]
    text = [f"Measured on: {(out / 'machine.txt').read_text().strip()}", ""]
    head = ["robot", "library", "", "machine", "ns a state", "with copies"]
    head += ["largest error", "relative", "median", "beyond 1e-3", "beyond the gate"]
    text += [row(*head), "|---" * len(head) + "|"]
    for robot in robots:
        for (tool, name, precision, function, batch), nanoseconds in times.items():
            if (name, function, batch) == (robot, "dqdt", COUNT):
                largest, relative, median, beyond, gate, entries = errors[tool, robot, precision]
                cells = [*map(size, (largest, relative, median)), share(beyond, entries), share(gate, entries)]
                text.append(row(robot, tool, precision, "this one, one core", f"**{nanoseconds:.1f}**", "", *cells))
        for tool, nanoseconds in libraries(out, robot).items():
            text.append(row(robot, tool, "f64", "this one, one core, one state a call", f"{nanoseconds:.0f}", "", *[""] * 5))
        entries = published[robot]["entries"]
        for library, machine, resident, full, largest, beyond in published[robot]["rows"]:
            double = library.endswith("float64")
            where = published["gpu"] if machine == "gpu" else f"{published['cpu']}, {machine}"
            cells = [f"{1e3 * t / COUNT:.1f}" if t else "" for t in (resident or full, full if resident else "")]
            errors_of = [size(largest), "", "", "", share(beyond, entries)]
            text.append(row(robot, library.split(", float")[0], "f64" if double else "f32", where, *cells, *errors_of))
    text += ["", row("robot", "", "", *(f"{n:,}" for n in BATCHES), "RK4, 1,024", "RK4, 65,536")]
    text.append("|---" * (len(BATCHES) + 5) + "|")
    keys = dict.fromkeys((robot, tool, precision) for tool, robot, precision, *_ in times)
    for robot, tool, precision in sorted(keys, key=lambda key: robots.index(key[0])):
        cells = [times.get((tool, robot, precision, "dqdt", n)) for n in BATCHES]
        cells += [times.get((tool, robot, precision, "rk4", n)) for n in (1024, 65536)]
        text.append(row(robot, tool, precision, *("" if t is None else f"{t:.1f}" for t in cells)))
    page = "\n".join(text) + "\n"
    (out / "field.md").write_text(page)
    print(page)


def main():
    command, path = sys.argv[1], Path(sys.argv[2])
    if command == "states":
        write_states(path)
    elif command == "frax":
        time_frax(path, sys.argv[3])
    elif command == "table":
        write_table(path)
    else:
        sys.exit(f"no command `{command}`")


if __name__ == "__main__":
    main()
