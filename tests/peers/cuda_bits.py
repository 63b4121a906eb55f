"""Emitted CUDA as C++ beside emitted C: the same bits, for all robots of tests/data, by g++ and clang++.

usage: cuda_bits.py [SPEC...]

Compiles `dqdt` and `mass_matrix` of each robot, with all warnings as errors and without fused operations, and compares both
at 50 states: the start, random ones, some of them at rest. The examples have a test (tests/tests/it/emitted_cuda.rs), for all
functions. The command is DQDT (default: target/release/dqdt, else target/debug/dqdt).
"""

import pathlib
import subprocess
import sys
import tempfile

from cuda_registers import ROOT, command

DRIVER = """#include "NAME.h"
#include "NAME.cuh"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
using namespace NAME;
static struct NAME_model c;
static Model<double> m;
static double x[NX], u[NU > 0 ? NU : 1], a[NX], b[NX], mass[NV][NV], other[NV][NV];
static double within(double limit) { return limit * (2.0 * rand() / RAND_MAX - 1.0); }
int main() {
    NAME_model_init(&c, &NAME_defaults);
    const Params<double> params = NAME::default_params<double>();
    NAME::model_init(&m, &params);
    int bad = 0;
    for (int k = 0; k < 50; k++) {
        NAME::start_state(x);
        for (int i = 0; i < NX; i++) x[i] += k > 0 ? within(2) : 0.0;
        for (int i = NX - NV; i < NX; i++) x[i] *= k % 7 != 3;
        for (int i = 0; i < NU; i++) u[i] = within(5);
        const double t = 0.3 * k;
        bad += NAME_dqdt(&c, t, x, u, a)
            != NAME::dqdt(&m, t, Rows<double>{x, 0, 1}, Rows<double>{u, 0, 1}, ResultRows<double>{b, 0, 1});
        for (int i = 0; i < NX; i++) bad += memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]));
        NAME_mass_matrix(&c, t, x, mass);
        NAME::mass_matrix(&m, t, Rows<double>{x, 0, 1}, other);
        bad += memcmp(mass, other, sizeof mass) != 0;
    }
    printf("%d differ\\n", bad);
    return bad != 0;
}
"""
FLAGS = ["-std=c++14", "-Wall", "-Wextra", "-Werror", "-O0", "-ffp-contract=off"]


def run(folder, *words):
    """Output of a command; an exception with its messages if it fails."""
    result = subprocess.run(list(map(str, words)), cwd=folder, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{words[0]}: {result.stdout}{result.stderr[:1000]}")
    return result.stdout.strip()


def compare(spec, folder):
    """What each compiler's program prints."""
    accept = ["--accept", "robot-idealised"] if spec.suffix == ".urdf" else []
    run(folder, command(), "emit", spec, *accept, "--language", "c", "-o", folder)
    name = next(folder.glob("*.c")).stem
    run(folder, command(), "emit", spec, *accept, "--language", "cuda", "-o", folder / f"{name}.cuh")
    (folder / "driver.cpp").write_text(DRIVER.replace("NAME", name))
    run(folder, "gcc", "-std=c99", "-O0", "-ffp-contract=off", "-c", f"{name}.c", "-o", "c.o")
    said = []
    for compiler in ("g++", "clang++"):
        run(folder, compiler, *FLAGS, "driver.cpp", "c.o", "-lm", "-o", "driver")
        said.append(f"{compiler} {run(folder, './driver')}")
    return ", ".join(said)


def main():
    robots = [*(ROOT / "tests/data/robots").glob("*.toml"), *(ROOT / "tests/data/urdf").glob("*.urdf")]
    specs = [pathlib.Path(word).resolve() for word in sys.argv[1:]] or sorted(robots)
    good = True
    for spec in specs:
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"{spec.name}: {compare(spec, pathlib.Path(folder))}", flush=True)
            except RuntimeError as error:
                good = False
                print(f"{spec.name}: {error}", flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
