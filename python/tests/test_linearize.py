"""Linearisations against the JSON of the command, and as systems of python-control."""

import numpy as np
import pytest
from conftest import ROBOTS, SPECS

import dqdt

CASES = [
    (SPECS / "cart_pole.toml", ["theta"]),
    (SPECS / "cart_pole.toml", []),
    (SPECS / "furuta_pendulum.toml", []),
    (SPECS / "four_bar.toml", []),
    (SPECS / "quadrotor.toml", []),
    (ROBOTS / "linearize" / "whipple.toml", []),
]


@pytest.mark.parametrize("path,trim", CASES, ids=lambda v: v.stem if hasattr(v, "stem") else "-".join(v))
def test_matrices_are_those_of_the_command(path, trim, command):
    words = ["--trim", ",".join(trim)] if trim else []
    expected = command.json("linearize", path, "--format", "json", *words)
    system = dqdt.load(path).linearize(trim=trim)
    for name in "ABCD":
        np.testing.assert_allclose(getattr(system, name), np.array(expected[name]).reshape(getattr(system, name).shape))
    np.testing.assert_allclose(system.f0, expected["f0"])
    np.testing.assert_allclose(system.y0, expected["y0"])
    assert (system.states, system.inputs, system.outputs) == tuple(expected[k] for k in ["states", "inputs", "outputs"])
    assert system.dependent == expected["dependent"] and system.kind == expected["kind"]
    poles = [complex(*mode["value"]) for mode in expected["modes"]]
    np.testing.assert_allclose(system.eigenvalues, poles)
    if trim:
        assert system.trim == pytest.approx(expected["trim"]["free"])


def test_options(cart_pole):
    at = {"theta": 0.3, "x_dot": 1}
    system = cart_pole.linearize(at=at, inputs={"force": 2}, parameters={"l": 0.5})
    np.testing.assert_array_equal(system.x0, [0, 0.3, 1, 0])
    np.testing.assert_array_equal(system.u0, [2])
    x, h = np.array([0, 0.3, 1, 0]), 1e-6
    f = cart_pole.compile("dqdt").dqdt
    columns = [(f(0, x + d, [2.0], parameters={"l": 0.5}) - f(0, x - d, [2.0], parameters={"l": 0.5})) / (2 * h) for d in h * np.eye(4)]
    np.testing.assert_allclose(system.A, np.transpose(columns), rtol=1e-6, atol=1e-6)
    assert "moving" in repr(system) or system.kind in repr(system)


@pytest.mark.parametrize(
    "arguments",
    [{"trim": "thet"}, {"independent": ["nothing"]}, {"at": {"thet": 1}}, {"inputs": {"force": "x"}}, {"trim": 3}],
)
def test_wrong_arguments_are_errors(arguments):
    with pytest.raises(dqdt.Error):
        dqdt.load(SPECS / "cart_pole.toml").linearize(**arguments)


def test_a_state_that_the_constraints_move_is_a_warning(recwarn):
    m = dqdt.load(SPECS / "four_bar.toml")
    m.linearize()
    assert not recwarn.list
    closed = dict(zip(m.states, m.start.tolist(), strict=True))
    with pytest.warns(dqdt.SpecWarning, match="start-moved"):
        m.linearize(at={"beta": closed["beta"] + 0.2})


def test_surplus_independent_states_are_an_error():
    m = dqdt.load(SPECS / "four_bar.toml")
    system = m.linearize()
    with pytest.raises(dqdt.Error, match=f"leave {len(system.states)} independent states"):
        m.linearize(independent=system.states + system.dependent)
    assert m.linearize(independent=system.states).states == system.states


def test_a_failed_trim_speaks_of_constraints_only_where_there_are_some(cart_pole):
    with pytest.raises(dqdt.Error, match="no steady state was found") as caught:
        cart_pole.linearize(trim=["x"])
    assert "constraints" not in str(caught.value)


def test_control(cart_pole, command):
    control = pytest.importorskip("control")
    system = cart_pole.linearize(trim=["theta"]).to_control()
    assert isinstance(system, control.StateSpace)
    assert system.state_labels == cart_pole.states and system.input_labels == ["force"]
    expected = command.json("linearize", SPECS / "cart_pole.toml", "--format", "json", "--trim", "theta")
    poles = sorted(complex(*mode["value"]).real for mode in expected["modes"])
    np.testing.assert_allclose(np.sort(system.poles().real), poles, atol=1e-9)
