"""Simulations against tables of the command; inputs from Python; results as arrays and pictures."""

import io
import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from conftest import EXAMPLES, SPECS

import dqdt


def table(text):
    """Columns of a CSV table by name."""
    values = np.genfromtxt(io.StringIO(text), delimiter=",", names=True, deletechars="")
    return {name: values[name] for name in values.dtype.names}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_motion_is_that_of_the_command(name, command):
    path = SPECS / f"{name}.toml"
    expected = table(command("simulate", path, "--t-end", 1, "--csv", "-"))
    run = dqdt.load(path).simulate(1)
    np.testing.assert_array_equal(run.t, expected.pop("t"))
    for column, values in expected.items():
        np.testing.assert_allclose(run[column], values, rtol=1e-9, atol=1e-12, err_msg=column)
    assert run.stopped is None and len(run) == len(run.t) == len(run.x)


def test_a_start_that_the_constraints_move_is_a_warning():
    m = dqdt.load(SPECS / "four_bar.toml")
    closed = dict(zip(m.states, m.start.tolist(), strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.simulate(0.1, start={name: closed[name] for name in m.coordinates})
    with pytest.warns(dqdt.SpecWarning, match="start-moved"):
        m.simulate(0.1, start={"beta": closed["beta"] + 0.2})


def test_options_are_those_of_the_command(command):
    path = SPECS / "cart_pole.toml"
    words = ["--t-end", 2, "--step", 0.25, "--rtol", 1e-6, "--atol", 1e-8, "--method", "radau", "-p", "l=20 cm"]
    words += ["--input", "force=3 [N]*cos(2 [rad/s]*t)"]
    expected = table(command("simulate", path, *words, "--csv", "-"))
    m = dqdt.load(path)
    options = {"step": 0.25, "rtol": 1e-6, "atol": 1e-8, "method": "radau", "parameters": {"l": "20 cm"}}
    run = m.simulate(2, inputs={"force": "3 [N]*cos(2 [rad/s]*t)"}, **options)
    np.testing.assert_allclose(run["theta"], expected["theta"], rtol=1e-9)
    np.testing.assert_allclose(run["force"], expected["force"], rtol=1e-9)
    assert run.parameters[m._names("p").index("l")] == 0.2
    numbers = m.simulate(2, inputs={"force": "3 [N]*cos(2 [rad/s]*t)"}, **{**options, "parameters": {"l": 0.2}})
    np.testing.assert_allclose(numbers.x, run.x, rtol=1e-12)


def test_a_callable_is_an_input(cart_pole):
    formula = cart_pole.simulate(2, inputs={"force": "-20 [N]*theta + 1 [N]*sin(3 [1/s]*t)"})
    law = {"force": lambda t, x: -20 * x[1] + np.sin(3 * t)}
    run = cart_pole.simulate(2, inputs=law)
    np.testing.assert_allclose(run.x, formula.x, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(run["force"], formula["force"], rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(run["balance"], run["balance"][0], atol=1e-7)
    every = cart_pole.simulate(2, inputs=lambda t, x: [law["force"](t, x)])
    np.testing.assert_array_equal(every.x, run.x)
    implicit = cart_pole.simulate(2, inputs=law, method="radau")
    np.testing.assert_allclose(implicit.x, run.x, rtol=1e-5, atol=1e-6)


def brake(t, x):
    """Dry friction, at which the cart stays."""
    return -5.0 * np.sign(x[2])


def chatter(t, x):
    """A relay that begins late and switches at every evaluation."""
    return 5.0 * np.sign(np.sin(1e12 * t)) if t >= 0.9 else 0.0


@pytest.mark.parametrize("law,begin", [(brake, 0.0), (chatter, 0.9)])
def test_a_callable_that_jumps_ends_the_motion_and_is_blamed(cart_pole, law, begin):
    start = time.monotonic()
    run = cart_pole.simulate(1, start={"x_dot": 1e-3}, inputs={"force": law})
    assert time.monotonic() - start < 20
    assert "the callable of input `force` is discontinuous" in run.stopped
    assert "stiff" not in run.stopped and "rtol" not in run.stopped and run.t[-1] >= begin - 1e-3


def test_a_callable_that_jumps_is_blamed_by_the_implicit_method(cart_pole):
    run = cart_pole.simulate(1, inputs=lambda t, x: [chatter(t, x)], method="radau")
    assert "the callable of the inputs is discontinuous" in run.stopped and "stiff" not in run.stopped


def test_violated_conditions_on_parameters_are_errors(cart_pole, functions):
    call = functions.mass_matrix
    for wrong in [{"m_pole": -0.2}, {"m_pole": float("nan")}]:
        for use in [
            lambda: cart_pole.simulate(0.1, parameters=wrong),
            lambda: cart_pole.linearize(parameters=wrong),
            lambda: call(0.0, cart_pole.start, parameters=wrong),
        ]:
            with pytest.raises(dqdt.Error, match="m_pole|pole"):
                use()
    assert call(0.0, cart_pole.start, parameters={"m_pole": 0.4})[0, 0] == pytest.approx(1.4)


def test_starts_may_have_units(cart_pole):
    by_text = cart_pole.simulate(0.1, start={"theta": "10 deg", "x_dot": "20 cm/s"})
    by_number = cart_pole.simulate(0.1, start={"theta": np.pi / 18, "x_dot": 0.2})
    np.testing.assert_array_equal(by_text.x, by_number.x)
    at_text = cart_pole.linearize(at={"theta": "10 deg"})
    np.testing.assert_array_equal(at_text.A, cart_pole.linearize(at={"theta": np.pi / 18}).A)
    for wrong in ["10 kg", "10", "ten", ""]:
        with pytest.raises(dqdt.Error, match="`theta` in `at` must be a finite number in rad, or a text with"):
            cart_pole.linearize(at={"theta": wrong})


def test_messages_name_the_value(cart_pole):
    with pytest.raises(dqdt.Error, match="finite number in rad, or a text with a number and its unit, not nan"):
        cart_pole.simulate(0.1, start={"theta": float("nan")})
    with pytest.raises(dqdt.Error, match="not inf"):
        cart_pole.simulate(0.1, inputs={"force": float("inf")})
    with pytest.raises(dqdt.Error, match="with an element of type `NoneType`"):
        cart_pole.simulate(0.1, start=[0, 0, None, 0])
    with pytest.raises(dqdt.Error, match="type object; convert it"):
        cart_pole.simulate(0.1, start=np.zeros(4, dtype=object))
    m = dqdt.load(SPECS / "quadrotor.toml")
    with pytest.raises(dqdt.Error, match="first component is `qw` is zero"):
        m.simulate(0.1, start={"qw": 0, "qx": 0, "qy": 0, "qz": 0})


def test_limits_apply_to_callables(cart_pole):
    run = cart_pole.simulate(0.5, inputs={"force": lambda t, x: 1e3})
    np.testing.assert_allclose(run["force"], 10)


def test_exceptions_of_a_callable_are_passed_on(cart_pole):
    def wrong(t, x):
        raise KeyError("boom")

    with pytest.raises(KeyError, match="boom"):
        cart_pole.simulate(1, inputs={"force": wrong})
    for value in [float("nan"), "text", None, [1, 2]]:
        with pytest.raises(dqdt.Error):
            cart_pole.simulate(1, inputs={"force": lambda t, x: value})


def test_starts(cart_pole):
    run = cart_pole.simulate(0.1, start={"theta": 0.2, "x_dot": -1})
    np.testing.assert_array_equal(run.x[0], [0, 0.2, -1, 0])
    np.testing.assert_array_equal(cart_pole.simulate(0.1, start=[0, 0.2, -1, 0]).x, run.x)
    m = dqdt.load(SPECS / "four_bar.toml")
    run = m.simulate(0.1, start={"phi": m.start[0] + 0.1})
    assert abs(run.x[0, 0] - m.start[0]) > 1e-3
    for wrong in [{"thet": 1}, {"theta": None}, [1, 2], "x", {"theta": float("inf")}]:
        with pytest.raises(dqdt.Error):
            cart_pole.simulate(0.1, start=wrong)


@pytest.mark.parametrize(
    "arguments",
    [
        {"t_end": -1},
        {"t_end": "1"},
        {"rtol": 0},
        {"rest_speed": -1},
        {"step": 1e-12},
        {"method": "euler"},
        {"method": 5},
        {"signals": "nothing"},
        {"inputs": {"forc": 1}},
        {"inputs": {"force": [1, 2]}},
        {"parameters": {"forc": 1}},
        {"formalism": "newton"},
        {"feedback": [[1, 2]]},
        {"around": 1},
        {"trim": ["theta"]},
        {"feedback": [[1, 2, 3, 4]], "trim": ["nothing"]},
    ],
)
def test_wrong_arguments_are_errors(cart_pole, arguments):
    with pytest.raises(dqdt.Error):
        cart_pole.simulate(**arguments)


def test_feedback_balances_the_pole(cart_pole):
    gain = np.array([[-1.0, -40.0, -2.0, -6.0]])
    around = cart_pole.linearize(trim=["theta"])
    assert (np.linalg.eigvals(around.A - around.B @ gain).real < 0).all()
    run = cart_pole.simulate(20, feedback=gain, around=around)
    assert np.abs(run.x[-1]).max() < 1e-3 and run["force"][0] == pytest.approx(40 * np.deg2rad(5))
    same = cart_pole.simulate(20, feedback=gain, trim=["theta"])
    np.testing.assert_array_equal(same.x, run.x)
    law = cart_pole.simulate(20, inputs=lambda t, x: -gain @ x)
    np.testing.assert_allclose(law.x, run.x, atol=1e-6)


def test_a_trim_beside_a_linearization_is_an_error(cart_pole):
    around = cart_pole.linearize(trim=["theta"])
    with pytest.raises(dqdt.Error, match="pass one of the two"):
        cart_pole.simulate(1, feedback=np.zeros((1, 4)), around=around, trim=["nothing"])


def test_numbers_take_precedence_over_feedback_and_laws(cart_pole):
    trim = cart_pole.linearize(trim=["theta"])
    feedback = np.zeros((1, 4))
    for inputs in [{"force": 1.0}, [1.0], {"force": lambda t, x: 1.0}]:
        run = cart_pole.simulate(0.1, feedback=feedback, around=trim, inputs=inputs)
        np.testing.assert_array_equal(run["force"], 1.0)
    driven = dqdt.load(SPECS / "cart_pole.toml", inputs={"force": "-20 [N]*theta"})
    expected = cart_pole.simulate(0.1, inputs={"force": 1.0})
    for inputs in [{"force": 1.0}, [1.0], {"force": lambda t, x: 1.0}, lambda t, x: [1.0]]:
        run = driven.simulate(0.1, inputs=inputs)
        np.testing.assert_array_equal(run["force"], 1.0)
        np.testing.assert_allclose(run.x, expected.x, atol=1e-9)


def test_feedback_holds_an_attitude():
    control = pytest.importorskip("control")
    m = dqdt.load(SPECS / "quadrotor.toml")
    around = m.linearize(at={"qw": 1, "qx": 0, "omega_z": 0})
    assert around.kind == "equilibrium" and "flight_delta_x" in around.states
    gain, _, _ = control.lqr(around.A, around.B, np.eye(len(around.states)), np.eye(m.nu))
    turn = np.deg2rad(20)
    for sign in [1, -1]:
        start = {"qw": sign * np.cos(turn / 2), "qx": sign * np.sin(turn / 2), "x": 0.3}
        run = m.simulate(15, start=start, feedback=gain, around=around)
        np.testing.assert_allclose(run.x[-1, :3], [0, 0, 1], atol=1e-2)
        np.testing.assert_allclose(np.abs(run.x[-1, 3:7]), [1, 0, 0, 0], atol=1e-3)


def test_events_and_stops():
    run = dqdt.load(SPECS / "bouncing_pendulum.toml").simulate(10)
    names = [name for name, _ in run.events]
    assert names.count("bounce") > 1 and names[-1] == "late" and run.ended
    assert run.t[-1] == pytest.approx(5)
    m = dqdt.load(SPECS / "cart_pole.toml")
    run = m.simulate(1, inputs={"force": lambda t, x: 0.0}, rtol=1e-3, atol=1e-3)
    assert run.evaluations > 10 and run.steps > 2


def test_a_ball_rests_on_the_floor():
    ball = """
name = "ball"
gravity = [0, 0, -9.81]
bodies.ball.mass = 2
[joints.fall]
type = "prismatic"
axis = "z"
parent = "ground"
child = "ball"
coordinates = { names = ["height"], start = [1] }
[events.floor]
type = "joint_stop"
joint = "fall"
side = "lower"
at = 0
restitution = 0
"""
    m = dqdt.load(ball)
    run = m.simulate(1, signals=["reactions"])
    fall = np.sqrt(2 / 9.81)
    [(name, begin, end)] = run.rests
    assert name == "floor" and begin == pytest.approx(fall, abs=1e-9) and end is None
    assert run["reaction_floor"][-1] == pytest.approx(2 * 9.81)

    bouncing = dqdt.load(ball.replace("restitution = 0", "restitution = 0.5"))
    slow, fast = (bouncing.simulate(2, rest_speed=v).rests[0][1] for v in (1e-2, 1))
    # With a coefficient of 0.5 the approach speeds are v, v/2, v/4, …, and each flight takes v/g.
    speed = 9.81 * fall
    for begin, rest_speed in [(slow, 1e-2), (fast, 1)]:
        count = int(np.ceil(np.log2(speed / rest_speed)))
        flights = sum(speed * 0.5**i / 9.81 for i in range(count))
        assert begin == pytest.approx(fall + flights, abs=1e-6)


def test_results_are_tables_and_pictures(cart_pole):
    run = cart_pole.simulate(1)
    assert run._ipython_key_completions_() == run.keys()
    assert set(cart_pole.states) <= set(run.keys()) and run.units["theta"] == "rad"
    np.testing.assert_allclose(run["total_energy"], run["kinetic_energy"] + run["potential_energy"])
    assert run.svg().startswith("<svg") and run.svg("theta", "x").count("<svg") == 1
    page = run.animate("theta")
    assert page.html().startswith("<!") and "iframe" in page._repr_html_()
    assert "501 rows" in repr(run) and run._repr_html_().startswith("<svg")
    with pytest.raises(dqdt.Error, match="tip_x, tip_y, tip_z"):
        run["tip"]
    with pytest.raises(dqdt.Error):
        run.svg("nothing")


def test_an_animation_is_an_html_file(cart_pole, tmp_path):
    page = cart_pole.simulate(0.1).animate()
    for name in ["a.html", "b.HTM", "c"]:
        page.save(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("<!")
    for name in ["x.gif", "x.mp4"]:
        with pytest.raises(dqdt.Error, match="ends with .html"):
            page.save(str(tmp_path / name))
        assert not (tmp_path / name).exists()


def test_data_frames(cart_pole):
    pytest.importorskip("pandas")
    frame = cart_pole.simulate(1).to_dataframe()
    assert frame.index.name == "t" and frame.shape[0] == 501 and "tip_y" in frame.columns


def test_plots(cart_pole):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = cart_pole.simulate(1)
    axes = run.plot("theta", "x", "theta_dot")
    assert [axis.get_ylabel() for axis in axes] == ["rad", "m", "rad/s"]
    assert run.plot("x_dot", "theta_dot", axes=axes) == axes[:2] and len(axes[0].lines) == 2
    assert len(run.plot()) == 2
    with pytest.raises(dqdt.Error):
        run.plot("nothing")


@pytest.mark.parametrize("inputs", [None, {"force": lambda t, x: 0.0}])
def test_ctrl_c_stops_a_simulation(cart_pole, inputs):
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        cart_pole.simulate(1e5, inputs=inputs, step=100)
        time.sleep(2)
    assert time.monotonic() - begin < 1.9
    timer.join()


def test_simulations_run_in_threads(cart_pole):
    runs = [None] * 4

    def work(k):
        runs[k] = cart_pole.simulate(1, inputs={"force": lambda t, x: float(k)})

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    for k, run in enumerate(runs):
        np.testing.assert_array_equal(run["force"], float(k))
