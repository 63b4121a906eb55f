"""Reports, proofs and emitted code against the command."""

import os
import signal
import threading
import time
from fractions import Fraction

import numpy as np
import pytest
from conftest import ROOT, SPECS

import dqdt


def test_a_report_is_that_of_the_command(cart_pole, command):
    path = SPECS / "cart_pole.toml"
    assert cart_pole.equations.text(90) == command("inspect", path, "--sections", "equations", "--width", 90)
    words = ["--form", "robot", "--sections", "equations", "--format"]
    robot = cart_pole.equations.form("robot")
    assert robot.latex() == command("inspect", path, *words, "latex")
    assert robot.html() == command("inspect", path, *words, "html")
    assert cart_pole.inspect().text() == command("inspect", path, "--width", 100)
    assert cart_pole.base_parameters().text() == command("inspect", path, "--base-parameters", "--width", 100)


def test_base_parameters_give_the_efforts_of_all_inertial_parameters():
    panda = dqdt.load(SPECS / "panda_arm.toml")
    base = panda.base_parameters()
    assert (len(base), len(base.inertial_parameters), base.matrix.shape) == (43, 70, (43, 70))
    assert base.names[-1] == "link7.Izz" and base._repr_html_().count("<td") > 43
    regressor = panda.compile("regressor").regressor
    random = np.random.default_rng(5)
    for _ in range(5):
        pi = random.standard_normal(70)
        matrix, _ = regressor(0.0, random.uniform(-2, 2, panda.nx), random.uniform(-2, 2, 7))
        efforts = matrix @ pi
        np.testing.assert_allclose(matrix[:, base.columns] @ (base.matrix @ pi), efforts, atol=1e-10 * abs(efforts).max())


def test_a_notebook_shows_the_equations(cart_pole):
    equations = cart_pole.equations
    html = equations._repr_html_()
    assert html.count("<math") > 5 and "<html" not in html and "<script" not in html
    assert html.count("<section") == html.count("</section>") and "Parameters" not in html
    # Without this rule of the page, dots touch their letters.
    assert 'mover[accent="true"] > mo { position' in html and 'mover[accent="true"] > mo { position' in equations.html()
    latex = equations._repr_latex_()
    assert latex.startswith("$$\n\\begin{aligned}") and r"\ddot{\theta}" in latex
    assert all(text.startswith("<math>") for text in equations.mathml())
    assert "cos θ" in str(equations) and repr(equations) == equations.text()
    assert "<svg" in cart_pole._repr_html_()


def test_emitted_code_is_that_of_the_command(cart_pole, command, tmp_path):
    path = SPECS / "cart_pole.toml"
    assert cart_pole.emit("rust") == command("emit", path)
    assert cart_pole.emit(functions=["dqdt"]) == command("emit", path, "--functions", "dqdt")
    command("emit", path, "--language", "c", "--scalar", "float", "-o", tmp_path)
    texts = cart_pole.emit("c", scalar="float")
    assert texts == {file.name: file.read_text() for file in tmp_path.iterdir()}
    for arguments in [("cobol",), ("c", "x"), (3,)]:
        with pytest.raises((dqdt.Error, TypeError)):
            cart_pole.emit(*arguments)
    with pytest.raises(dqdt.Error):
        cart_pole.emit("rust", nonsense=True)


def test_proofs(cart_pole):
    claims = cart_pole.prove()
    assert claims[0].title.startswith("Kane's equations equal Lagrange's") and claims[0].open == ()
    assert {claim.verdict for claim in claims} <= {"proved", "checked"}


def test_formulas_of_a_paper_are_compared(cart_pole):
    formulas = """
    [equal]
    "M[x, x]" = "m_cart + m_pole"
    "M[x, theta]" = "m_pole*l*sin(theta)"
    """
    right, wrong = cart_pole.prove(against=formulas)
    assert (right.title, right.verdict, right.open, right.counterexample) == ("M[x, x]", "proved", (), {})
    assert wrong.verdict == "refuted" and "sin(theta)" in wrong.open[0]
    # The difference m_pole*l*(cos(theta) - sin(theta)) at the point, by exact numbers.
    point = {name: Fraction(value) for name, value in wrong.counterexample.items()}
    assert point["cos(theta)"] ** 2 + point["sin(theta)"] ** 2 == 1
    assert point["m_pole"] * point["l"] * (point["cos(theta)"] - point["sin(theta)"]) != 0
    with pytest.raises(dqdt.SpecError, match="unknown|there is no"):
        cart_pole.prove(against="[equal]\n'M[x, y]' = 'm_cart'\n")
    for bad in [3, "missing.toml"]:
        with pytest.raises(dqdt.Error):
            cart_pole.prove(against=bad)
    path = ROOT / "tests" / "data" / "formulas" / "snowboarder_formula7_printed.toml"
    claims = dqdt.load(SPECS / "snowboarder3.toml").prove(against=path)
    assert [c.verdict for c in claims if c.title == "M[phi1, phi1]"] == ["proved"]
    assert "refuted" in [c.verdict for c in claims]


@pytest.mark.parametrize("arguments", [{"form": "nothing"}, {"sections": ["nothing"]}, {"form": 3}, {"formalism": "x"}])
def test_wrong_arguments_are_errors(cart_pole, arguments):
    with pytest.raises(dqdt.Error):
        cart_pole.inspect(**arguments)
    with pytest.raises(dqdt.Error):
        cart_pole.equations.text(width=3)
    assert np.isfinite(cart_pole.start).all()


def test_ctrl_c_stops_a_proof():
    m = dqdt.load(SPECS / "four_bar.toml")
    begin = time.monotonic()
    m.prove()
    whole = time.monotonic() - begin
    timer = threading.Timer(whole / 20, lambda: os.kill(os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        m.prove()
        time.sleep(whole)
    assert time.monotonic() - begin < 0.8 * whole
    timer.join()
