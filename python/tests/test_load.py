"""Reading mechanisms: names, values, options, errors, copies."""

import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import EXAMPLES, ROBOTS, ROOT, SPECS

import dqdt

SLED = """
name = "sled"
[parameters]
m = { value = 2, unit = "kg" }
[bodies.sled]
mass = "m"
[joints.rail]
type = "prismatic"
axis = "x"
parent = "ground"
child = "sled"
coordinates = { names = ["s"] }
[inputs]
push = { unit = "kN", default = 1 }
[loads.engine]
type = "actuator"
joint = "rail"
effort = "push"
"""


def test_names_and_values_are_those_of_the_spec(cart_pole):
    m = cart_pole
    assert (m.name, m.coordinates, m.speeds) == ("cart_pole", ["x", "theta"], ["x_dot", "theta_dot"])
    assert m.states == m.coordinates + m.speeds and (m.nx, m.nu) == (4, 1)
    assert m.inputs == ["force"] and m.outputs == ["energy", "tip"]
    assert m.parameters["l"] == 0.3 and m.units["l"] == "m" and m.units["force"] == "N"
    assert m.descriptions["force"].startswith("push on the cart")
    np.testing.assert_array_equal(m.start, [0, np.deg2rad(5), 0, 0])
    np.testing.assert_array_equal(m.default_inputs, [0])
    assert repr(m) == "<dqdt mechanism cart_pole: 4 states, 1 inputs>"
    assert "pole on a cart" in m.description


def test_a_text_is_a_mechanism():
    m = dqdt.load(SLED)
    assert m.name == "sled" and m.states == ["s", "s_dot"]


def test_numbers_are_in_si_units_and_texts_as_in_a_spec():
    assert dqdt.load(SLED, parameters={"m": 3}).parameters == {"m": 3.0}
    assert dqdt.load(SLED, parameters={"m": "500 g"}).parameters == {"m": 0.5}
    m = dqdt.load(SPECS / "cart_pole.toml", parameters={"l": "40 cm", "f_max": 2.5})
    assert m.parameters["l"] == 0.4 and m.parameters["f_max"] == 2.5
    m = dqdt.load(SLED, inputs={"push": 3000})
    assert m.simulate(1)["push"][0] == pytest.approx(3000)


def test_sizes_and_robots():
    assert dqdt.load(SPECS / "families" / "chain.toml", set={"n": 3}).nx == 6
    panda = ROBOTS / "urdf" / "panda.urdf"
    accept = ["robot-idealised"]
    fixed, free = dqdt.load(panda, accept=accept), dqdt.load(panda, base="free", accept=accept)
    assert free.nx == fixed.nx + 13
    text = panda.read_text()
    assert dqdt.load(text, base="free", accept=accept).states == free.states
    with pytest.raises(dqdt.Error, match="URDF"):
        dqdt.load(SPECS / "cart_pole.toml", base="free")


def test_errors_carry_their_places():
    with pytest.raises(dqdt.SpecError) as caught:
        dqdt.load('name = "x"\n[bodies.a]\nmas = 1\n')
    places = {d["code"]: (d["file"], d["line"], d["column"], d["severity"]) for d in caught.value.diagnostics}
    assert places["unknown-key"] == ("text", 3, 1, "error")
    assert "did you mean `mass`?" in str(caught.value)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.diagnostics == caught.value.diagnostics and str(copy) == str(caught.value)
    with pytest.raises(dqdt.SpecError, match="cannot read"):
        dqdt.load("missing.toml")
    with pytest.raises(dqdt.SpecError, match="the spec has no parameter `ll`"):
        dqdt.load(SPECS / "cart_pole.toml", parameters={"ll": 1})
    for text, place in [("a = \nb = 1\n", (1, 5)), ('name = "x"\n[bodies\n', (2, 8)), ("\n\nx y\n", (3, 3))]:
        with pytest.raises(dqdt.SpecError) as caught:
            dqdt.load(text)
        d = caught.value.diagnostics[0]
        assert (d["line"], d["column"]) == place, (text, d)
    assert issubclass(dqdt.SpecError, dqdt.Error) and issubclass(dqdt.Error, ValueError)


@pytest.mark.parametrize(
    "arguments",
    [
        {"source": 3},
        {"source": b"cart_pole.toml"},
        {"source": SLED, "base": "loose"},
        {"source": SLED, "set": {"n": 1.5}},
        {"source": SLED, "set": ["n"]},
        {"source": SLED, "parameters": {"m": None}},
        {"source": SLED, "parameters": {"m": float("nan")}},
        {"source": SLED, "parameters": {1: 2}},
        {"source": SLED, "accept": 3},
        {"source": SLED, "loops": "missing.yaml"},
    ],
)
def test_wrong_arguments_are_errors(arguments):
    with pytest.raises(dqdt.Error):
        dqdt.load(**arguments)


def test_warnings_of_a_spec_are_warnings():
    with pytest.warns(dqdt.SpecWarning, match="redundant-constraint"):
        m = dqdt.load(SPECS / "bricard.toml")
    assert "redundant-constraint" in [d["code"] for d in m.warnings]
    with pytest.warns(dqdt.SpecWarning, match="start-beyond-limits"):
        ant = dqdt.load(ROBOTS / "mjcf" / "ant.xml")
    assert ant.nu == 8


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_mechanism_can_be_pickled(name, tmp_path):
    path = tmp_path / f"{name}.toml"
    shutil.copy(SPECS / f"{name}.toml", path)
    m = dqdt.load(path)
    data = pickle.dumps(m)
    path.unlink()
    copy = pickle.loads(data)
    assert copy.states == m.states and copy.parameters == m.parameters
    np.testing.assert_array_equal(copy.start, m.start)


def test_other_packages_are_imported_only_when_asked_for():
    code = (
        "import sys, dqdt; m = dqdt.load(sys.argv[1]); m.compile('dqdt'); m.simulate(0.1); m.linearize(); m.equations;"
        "print([name for name in ('matplotlib', 'pandas', 'control', 'scipy') if name in sys.modules])"
    )
    words = [sys.executable, "-c", code, str(SPECS / "cart_pole.toml")]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT / "python")
    assert done.stdout.strip() == "[]"


def test_a_mechanism_cannot_be_changed(cart_pole):
    with pytest.raises(AttributeError):
        cart_pole.name = "other"
