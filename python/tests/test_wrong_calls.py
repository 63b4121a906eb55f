"""Random calls, most of them wrong: each returns a result or raises an exception of the package.

DQDT_WRONG_CALLS sets their number; 500 by default.
"""

import os

import numpy as np
import pytest
from conftest import SPECS

import dqdt

CALLS = int(os.environ.get("DQDT_WRONG_CALLS", "500"))


class Odd:
    """An object that looks a little like an array."""

    def __float__(self):
        raise RuntimeError("no number")

    def __len__(self):
        return 4


def value(random, n):
    """Some value for an argument of `n` entries."""
    rows = int(random.integers(0, 6))
    good = random.standard_normal((rows, n))
    choices = [
        lambda: good,
        lambda: good[0] if rows else good,
        lambda: random.standard_normal(n),
        lambda: random.standard_normal(n).tolist(),
        lambda: random.standard_normal(n + 1),
        lambda: random.standard_normal((2, n, 1)),
        lambda: random.standard_normal((rows, 2 * n + 1))[:, : n],
        lambda: random.standard_normal((rows, 2 * n))[:, ::2],
        lambda: np.asfortranarray(random.standard_normal((4, n))),
        lambda: random.standard_normal(n)[::-1],
        lambda: np.full(n, np.nan),
        lambda: np.full((3, n), np.inf),
        lambda: np.zeros(n, dtype=random.choice(["f4", "f2", "i8", "u1", "?", "c16", "O", "U3", ">f8", "M8[s]"])),
        lambda: np.broadcast_to(1.0, (7, n)),
        lambda: np.ma.masked_array(np.zeros(n), mask=True),
        lambda: np.frombuffer(bytes(8 * n + 1), np.uint8)[1:].view("f8"),
        lambda: [[1.0], [1.0, 2.0]],
        lambda: None,
        lambda: "x",
        lambda: b"x",
        lambda: {},
        lambda: {"m_cart": 1.0},
        lambda: 1j,
        lambda: 3,
        lambda: 10**400,
        lambda: True,
        lambda: object(),
        lambda: Odd(),
        lambda: lambda: 1,
        lambda: np.float64(1.0),
        lambda: np.array(1.0),
        lambda: 1e400,
    ]
    return choices[int(random.integers(len(choices)))]()


@pytest.fixture(scope="module")
def everything():
    out = []
    for name in ["cart_pole", "four_bar", "bouncing_pendulum", "rolling_disc"]:
        m = dqdt.load(SPECS / f"{name}.toml")
        for precision in ["double", "single"]:
            for function in ["dqdt", "mass_matrix", "energy", "inverse_dynamics", "linearize", "impact", "closure"]:
                try:
                    f = m.compile(function, precision=precision)
                except dqdt.Error:
                    continue
                out.append((m, f[function] if function in list(f) else f[next(iter(f))]))
    return out


def test_wrong_calls_end_in_exceptions(everything):
    random = np.random.default_rng(7)
    outcomes = {"result": 0, "error": 0}
    for _ in range(CALLS):
        m, f = everything[int(random.integers(len(everything)))]
        lengths = {"t": 1, "x": m.nx, "q": len(m.coordinates), "u": m.nu}
        t = 0.0 if random.random() < 0.7 else value(random, 3)
        # The first argument often has the right shape, so that others are reached.
        arguments = []
        for name in f.arguments[1:]:
            n = lengths.get(name, len(m.speeds))
            right = random.random() < 0.5
            arguments.append(random.standard_normal(n) if right else value(random, n))
        if random.random() < 0.1:
            arguments.pop() if arguments and random.random() < 0.5 else arguments.append(value(random, 2))
        named = {}
        for name in ["parameters", "out", "threads", "return_mask", "t", "x", "nonsense"]:
            if random.random() < 0.08:
                named[name] = value(random, m.nx)
        if random.random() < 0.1:
            named["threads"] = int(random.integers(-2, 9))
        try:
            f(t, *arguments, **named)
            outcomes["result"] += 1
        except dqdt.Error as e:
            assert str(e)
            outcomes["error"] += 1
        except (RuntimeError, OverflowError) as e:
            # Raised by an argument itself.
            assert "no number" in str(e) or "too large" in str(e), e
            outcomes["error"] += 1
    assert min(outcomes.values()) > CALLS // 50, outcomes


def test_wrong_simulations_end_in_exceptions(cart_pole):
    random = np.random.default_rng(8)
    for _ in range(max(30, CALLS // 100)):
        arguments = {"t_end": 0.01}
        for name in ["t_end", "start", "inputs", "parameters", "rtol", "step", "feedback", "signals", "method"]:
            if random.random() < 0.2:
                arguments[name] = value(random, 4)
        try:
            cart_pole.simulate(**arguments)
        except (dqdt.Error, TypeError, RuntimeError, OverflowError):
            pass
        named = {name: value(random, 4) for name in ["trim", "at", "inputs", "parameters"] if random.random() < 0.3}
        try:
            cart_pole.linearize(**named)
        except (dqdt.Error, TypeError, RuntimeError, OverflowError):
            pass
