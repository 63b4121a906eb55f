"""Linear feedback from dicts and files: one law with the command, and mistakes with their places."""

import json

import numpy as np
import pytest
from conftest import SPECS
from test_simulate import table

import dqdt

GAIN = np.array([[-1.0, -40.0, -2.0, -6.0]])


@pytest.fixture(scope="module")
def system(cart_pole):
    return cart_pole.linearize(trim=["theta"])


def test_a_dict_a_file_and_a_matrix_are_one_law(cart_pole, system, tmp_path):
    expected = cart_pole.simulate(3, feedback=GAIN, around=system)
    law = system.feedback(GAIN)
    np.testing.assert_array_equal(cart_pole.simulate(3, feedback=law).x, expected.x)
    path = tmp_path / "gain.json"
    path.write_text(json.dumps(law))
    np.testing.assert_array_equal(cart_pole.simulate(3, feedback=path).x, expected.x)
    arrays = {**law, "gain": GAIN[:, ::-1], "states": law["states"][::-1]}
    np.testing.assert_allclose(cart_pole.simulate(3, feedback=arrays).x, expected.x, atol=1e-8)


def test_a_motion_with_feedback_is_that_of_the_command(cart_pole, system, tmp_path, command):
    path = tmp_path / "gain.json"
    path.write_text(json.dumps(system.feedback(GAIN)))
    printed = command("simulate", SPECS / "cart_pole.toml", "--t-end", 2, "--feedback", path, "--csv", "-")
    run = cart_pole.simulate(2, feedback=path)
    for name, values in table(printed).items():
        if name != "t":
            np.testing.assert_allclose(run[name], values, rtol=1e-9, atol=1e-12, err_msg=name)


def test_a_feedback_of_a_free_body_has_angles(tmp_path):
    control = pytest.importorskip("control")
    m = dqdt.load(SPECS / "quadrotor.toml")
    around = m.linearize(at={"qw": 1, "qx": 0, "omega_z": 0})
    gain, _, _ = control.lqr(around.A, around.B, np.eye(len(around.states)), np.eye(m.nu))
    law = around.feedback(gain)
    assert "flight_delta_x" in law["states"] and law["trim"]["qw"] == 1
    start = {"qw": np.cos(0.15), "qx": np.sin(0.15)}
    expected = m.simulate(3, start=start, feedback=gain, around=around)
    np.testing.assert_array_equal(m.simulate(3, start=start, feedback=law).x, expected.x)
    # A quaternion and a multiple of it are the same attitude.
    law["trim"].update(qw=-2.0)
    np.testing.assert_allclose(m.simulate(3, start=start, feedback=law).x, expected.x, atol=1e-9)
    law["trim"].update(qw=0.0)
    with pytest.raises(dqdt.SpecError, match="quaternion of `trim`"):
        m.simulate(3, feedback=law)


def test_constraints_leave_the_independent_states():
    m = dqdt.load(SPECS / "four_bar.toml", inputs=None)
    system = m.linearize()
    if not system.inputs:
        pytest.skip("the example has no input")
    law = system.feedback(np.ones((len(system.inputs), len(system.states))))
    assert m.simulate(0.1, feedback=law).stopped is None
    law["states"], law["gain"] = [], [[] for _ in system.inputs]
    with pytest.raises(dqdt.SpecError, match="constraints determine at most"):
        m.simulate(0.1, feedback=law)


def test_mistakes_have_places(cart_pole, system):
    law = system.feedback(GAIN)
    with pytest.raises(dqdt.SpecError, match="there is no state `thet`") as caught:
        cart_pole.simulate(feedback={**law, "states": ["x", "thet", "x_dot", "theta_dot"], "gain": [[1, 2, float("nan"), 4]]})
    places = [(d["line"], d["code"]) for d in caught.value.diagnostics]
    assert places == [(2, "not-finite"), (4, "unknown-name")]
    for wrong in [{}, {"gain": 1}, {1: 2}, {**law, "gain": object()}, {**law, "inputs": [1]}, "no/such/file.json"]:
        with pytest.raises(dqdt.Error):
            cart_pole.simulate(feedback=wrong)
    with pytest.raises(dqdt.Error, match="belong to a matrix"):
        cart_pole.simulate(feedback=law, around=system)
    with pytest.raises(dqdt.Error, match="set by the feedback and by `inputs`"):
        cart_pole.simulate(feedback=law, inputs={"force": 1})
    for wrong in ["x", [[1, 2]], [[1, 2, 3, float("nan")]]]:
        with pytest.raises(dqdt.Error):
            system.feedback(wrong)


def test_a_feedback_replaces_a_law_given_to_load(cart_pole, system):
    driven = dqdt.load(SPECS / "cart_pole.toml", inputs={"force": "2 [N]"})
    expected = cart_pole.simulate(1, feedback=GAIN, around=system)
    for feedback in [{"feedback": GAIN, "around": system}, {"feedback": system.feedback(GAIN)}]:
        np.testing.assert_allclose(driven.simulate(1, **feedback).x, expected.x, atol=1e-9)
