"""Compiled functions: values, shapes, batches, parameters, threads."""

import concurrent.futures
import json
import re

import numpy as np
import pytest
from conftest import EXAMPLES, SPECS

import dqdt


def states(m, count, seed=1):
    """States near the start, with unit quaternions."""
    random = np.random.default_rng(seed)
    x = m.start + 0.3 * random.standard_normal((count, m.nx))
    for first in m._core.quaternions:
        x[:, first : first + 4] /= np.linalg.norm(x[:, first : first + 4], axis=1, keepdims=True)
    return x


@pytest.mark.parametrize("name", EXAMPLES)
def test_values_are_those_of_the_command(name, command):
    path = SPECS / f"{name}.toml"
    m = dqdt.load(path)
    x, u = states(m, 1)[0], m.default_inputs + 0.5
    named = dict(zip(m.states, x))
    state = {
        "q": {n: named[n] for n in m.coordinates},
        "v": {n: named[n] for n in m.speeds},
        "z": {n: named[n] for n in m.user_states},
        "u": dict(zip(m.inputs, u)),
    }
    expected = command.json("eval", path, "--at", "-", stdin=json.dumps(state))
    names = ["dqdt", "mass_matrix", "bias", "energy"]
    f = m.compile(*names)
    rates = [*expected["qdot"].values(), *expected["vdot"].values(), *expected["zdot"].values()]
    np.testing.assert_allclose(f.dqdt(0.0, x, u), rates, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(f.mass_matrix(0.0, x), expected["mass_matrix"], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(f.bias(0.0, x), expected["bias"], rtol=1e-9, atol=1e-10)
    assert f.energy(0.0, x).kinetic == pytest.approx(expected["energy"]["kinetic"], rel=1e-12)
    if m.outputs:
        outputs = m.compile("outputs").outputs(0.0, x, u)
        every = [expected["outputs"][name] for name in m.outputs]
        flat = lambda values: np.concatenate([np.atleast_1d(v).ravel() for v in values])
        values = outputs if isinstance(outputs, tuple) else (outputs,)
        np.testing.assert_allclose(flat(values), flat(every), rtol=1e-9, atol=1e-9)


def test_shapes(cart_pole, functions):
    f, x = functions, cart_pole.start
    batch = np.tile(x, (5, 1))
    assert f.dqdt(0.0, x).shape == (4,) and f.dqdt(0.0, batch).shape == (5, 4)
    assert f.mass_matrix(0.0, x).shape == (2, 2) and f.mass_matrix(0.0, batch).shape == (5, 2, 2)
    assert f.energy._fields if hasattr(f.energy, "_fields") else True
    single, many = f.energy(0.0, x), f.energy(0.0, batch)
    assert type(single).__name__ == "Energy" and single._fields == ("kinetic", "potential")
    assert np.ndim(single.kinetic) == 0 and many.potential.shape == (5,)
    assert f.outputs(0.0, batch).tip.shape == (5, 3)
    assert f.dqdt(0.0, np.empty((0, 4))).shape == (0, 4)
    assert f.dqdt.arguments == ["t", "x", "u"] and f.dqdt.precision == "double"
    assert list(f)[:2] == ["dqdt", "mass_matrix"] and f["dqdt"] is f.dqdt and len(f) == 6
    assert "time derivative" in f.dqdt.__doc__.lower() or f.dqdt.__doc__
    with pytest.raises(AttributeError, match="was not compiled"):
        f.gravity
    with pytest.raises(AttributeError, match="cannot be replaced"):
        f.dqdt = None


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("threads", [1, 3])
def test_batches_have_the_bits_of_single_calls(name, threads):
    m = dqdt.load(SPECS / f"{name}.toml")
    f = m.compile("dqdt", "mass_matrix")
    x = states(m, 23)
    u = np.random.default_rng(2).standard_normal((23, m.nu))
    single = np.array([f.dqdt(0.3, a, b) for a, b in zip(x, u)])
    np.testing.assert_array_equal(f.dqdt(0.3, x, u, threads=threads), single)
    times = np.linspace(0, 1, 23)
    single = np.array([f.dqdt(t, a, u[0]) for t, a in zip(times, x)])
    np.testing.assert_array_equal(f.dqdt(times, x, u[0], threads=threads), single)
    masses = np.array([f.mass_matrix(0.0, a) for a in x])
    np.testing.assert_array_equal(f.mass_matrix(0.0, x, threads=threads), masses)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("precision", ["double", "single"])
def test_one_state_has_the_same_bits_as_arrays_and_as_lists(name, precision):
    m = dqdt.load(SPECS / f"{name}.toml")
    names = ["dqdt", "mass_matrix", "bias", "inverse_dynamics", "input_matrix", "generalised_forces", "linearize"]
    dtype = np.float64 if precision == "double" else np.float32
    random = np.random.default_rng(3)
    for function_name in names:
        try:
            f = m.compile(function_name, precision=precision)[function_name]
        except dqdt.Error:
            continue
        arguments = [states(m, 1)[0].astype(dtype)]
        if len(f.arguments) == 3:
            second = {"u": m.nu, "dv": None}.get(f.arguments[2])
            if second is None:
                # The length is in the message.
                with pytest.raises(dqdt.Error) as wrong:
                    f(0.3, arguments[0], np.zeros(1000))
                second = int(re.search(r"shape \((\d+),\)", str(wrong.value))[1])
            arguments.append(random.standard_normal(second).astype(dtype))
        as_arrays, as_lists = f(0.3, *arguments), f(0.3, *[a.tolist() for a in arguments])
        by_name = f(t=0.3, **dict(zip(f.arguments[1:], arguments)))
        for other in (as_lists, by_name):
            assert type(other) is type(as_arrays)
            as_tuple = lambda result: result if isinstance(result, tuple) else (result,)
            for x, y in zip(as_tuple(as_arrays), as_tuple(other)):
                np.testing.assert_array_equal(x, y, strict=True)


def test_every_kind_of_array_is_read(cart_pole, functions):
    f = functions.dqdt
    x = states(cart_pole, 6)
    expected = f(0.0, x, [1.0])
    np.testing.assert_array_equal(f(0.0, np.asfortranarray(x), [1.0]), expected)
    np.testing.assert_array_equal(f(0.0, np.repeat(x, 2, axis=0)[::2], (1,)), expected)
    np.testing.assert_array_equal(f(0.0, x.tolist(), np.array([1], dtype=np.int8)), expected)
    np.testing.assert_array_equal(f(0.0, x.astype(">f8"), np.float32([1])), expected)
    unaligned = np.frombuffer(b"\0" + x.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(x.shape)
    assert not unaligned.flags.aligned
    np.testing.assert_array_equal(f(0.0, unaligned, [1.0]), expected)
    x.flags.writeable = False
    np.testing.assert_array_equal(f(np.float32(0), x, u=[1.0]), expected)


def test_single_precision(cart_pole):
    x = states(cart_pole, 9)
    double, single = cart_pole.compile("dqdt"), cart_pole.compile("dqdt", precision="single")
    result = single.dqdt(0.0, x.astype(np.float32))
    assert result.dtype == np.float32 and single.dqdt.precision == "single"
    np.testing.assert_allclose(result, double.dqdt(0.0, x), rtol=1e-3, atol=1e-4)
    one = np.array([single.dqdt(0.0, a) for a in x])
    np.testing.assert_array_equal(one, result)


def test_out_receives_the_results(cart_pole, functions):
    x = states(cart_pole, 4)
    out = np.empty((4, 4))
    assert functions.dqdt(0.0, x, out=out) is out
    np.testing.assert_array_equal(out, functions.dqdt(0.0, x))
    kinetic, potential = np.empty(4), np.empty(4)
    result = functions.energy(0.0, x, out=(kinetic, potential))
    assert result.kinetic is kinetic
    for wrong in [x, np.empty((4, 3)), np.empty((4, 4), np.float32), np.empty((4, 8))[:, ::2], "out", (out, out)]:
        with pytest.raises(dqdt.Error):
            functions.dqdt(0.0, x, out=wrong)
    out.flags.writeable = False
    with pytest.raises(dqdt.Error, match="read-only"):
        functions.dqdt(0.0, x, out=out)


def test_parameters(cart_pole, functions):
    x = cart_pole.start
    heavier = functions.mass_matrix(0.0, x, parameters={"m_cart": 3.0})
    assert heavier[0, 0] == pytest.approx(3.2)
    values = {**cart_pole.parameters, "m_cart": 3.0}
    np.testing.assert_array_equal(functions.mass_matrix(0.0, x, parameters=list(values.values())), heavier)
    other = dqdt.load(SPECS / "cart_pole.toml", parameters={"m_cart": 3.0})
    np.testing.assert_array_equal(other.compile("mass_matrix").mass_matrix(0.0, x), heavier)
    batch = functions.mass_matrix(0.0, states(cart_pole, 5), parameters={"m_cart": 3.0})
    np.testing.assert_allclose(batch[:, 0, 0], 3.2)
    with pytest.raises(dqdt.Error, match="did you mean `m_cart`"):
        functions.mass_matrix(0.0, x, parameters={"m_car": 3.0})


def test_singular_states():
    m = dqdt.load(SPECS / "gyroscope.toml")
    f = m.compile("dqdt").dqdt
    x = states(m, 5)
    x[2] = np.nan
    with pytest.raises(dqdt.Singular) as caught:
        f(0.0, x[2])
    assert caught.value.name and np.isnan(caught.value.value)
    result, mask = f(0.0, x, return_mask=True)
    np.testing.assert_array_equal(mask, [False, False, True, False, False])
    assert np.isnan(result[2]).all() and np.isfinite(result[[0, 1, 3, 4]]).all()
    single, is_singular = f(0.0, x[2], return_mask=True)
    assert is_singular is True and np.isnan(single).all()


def test_a_mask_is_true_where_a_result_is_not_finite(cart_pole, functions):
    x = states(cart_pole, 5)
    x[3, 1] = np.nan
    for f in [functions.mass_matrix, functions.energy, functions.bias]:
        for precise in [x, np.asfortranarray(x)]:
            _, mask = f(0.0, precise, return_mask=True)
            np.testing.assert_array_equal(mask, [False, False, False, True, False])
        assert f(0.0, x[3], return_mask=True)[1] is True and f(0.0, x[0], return_mask=True)[1] is False


def test_singular_pose_has_a_hint():
    m = dqdt.load(SPECS / "kane_two_body.toml")
    f = m.compile("dqdt").dqdt
    for x in np.eye(m.nx) * np.pi / 2:
        try:
            f(0.0, x)
        except dqdt.Singular as e:
            assert e.hint and e.name in str(e)


def test_joint_calls_and_search(cart_pole):
    x = cart_pole.start
    f = cart_pole.compile("dqdt+outputs", "dqdt", search=True)
    both = f.dqdt_and_outputs(0.0, x)
    np.testing.assert_allclose(both.dqdt, f.dqdt(0.0, x), rtol=1e-14)
    with pytest.raises(dqdt.Error, match="did you mean `mass_matrix`"):
        cart_pole.compile("mass_matri")
    with pytest.raises(dqdt.Error, match="nothing for"):
        cart_pole.compile("position_constraints")
    with pytest.raises(dqdt.Error):
        cart_pole.compile()
    with pytest.raises(dqdt.Error, match="there is no formalism"):
        cart_pole.compile("dqdt", formalism="newton")


def test_threads_share_functions(cart_pole, functions):
    x = states(cart_pole, 400)
    expected = functions.dqdt(0.0, x)
    parameters = [{"m_cart": 1.0 + k} for k in range(8)]
    masses = [functions.mass_matrix(0.0, x, parameters=p) for p in parameters]

    def work(k):
        for _ in range(20):
            np.testing.assert_array_equal(functions.dqdt(0.0, x, threads=1 + k % 3), expected)
            np.testing.assert_array_equal(functions.mass_matrix(0.0, x, parameters=parameters[k]), masses[k])

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


def test_functions_without_inputs_or_states():
    m = dqdt.load(SPECS / "double_pendulum.toml")
    assert m.nu == 0
    f = m.compile("dqdt")
    x = states(m, 5)
    np.testing.assert_array_equal(f.dqdt(0.0, x, np.empty((5, 0))), f.dqdt(0.0, x))
    np.testing.assert_array_equal(f.dqdt(0.0, x[0], []), f.dqdt(0.0, x)[0])
    try:
        matrix = m.compile("input_matrix").input_matrix
    except dqdt.Error:
        return
    assert matrix(0.0, x).shape == (5, 2, 0)
