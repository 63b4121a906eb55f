"""Paths and the command `dqdt`, whose JSON the package must reproduce.

The environment variable DQDT names the command; without it, comparisons are skipped.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

SPECS = ROOT / "examples" / "specs"
ROBOTS = ROOT / "tests" / "data"

#: Mechanisms of all kinds: open, with constraints, with quaternions, with events.
EXAMPLES = ["cart_pole", "double_pendulum", "four_bar", "quadrotor", "panda_arm", "bouncing_pendulum", "rolling_disc"]


@pytest.fixture(scope="session")
def specs() -> pathlib.Path:
    return SPECS


@pytest.fixture(scope="session")
def command():
    path = os.environ.get("DQDT")
    if not path:
        pytest.skip("DQDT does not name the command")

    def run(*arguments: object, stdin: str = "") -> str:
        words = [path, *map(str, arguments)]
        done = subprocess.run(words, input=stdin, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.json = lambda *arguments, stdin="": json.loads(run(*arguments, stdin=stdin))
    return run


@pytest.fixture(scope="session")
def cart_pole():
    import dqdt

    return dqdt.load(SPECS / "cart_pole.toml")


@pytest.fixture(scope="session")
def functions(cart_pole):
    return cart_pole.compile("dqdt", "mass_matrix", "energy", "outputs", "bias", "inverse_dynamics")
