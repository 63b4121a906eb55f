"""Sweeps: the bytes of the command, interruptions, wrong points, Ray and Dask where they are."""

import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import EXAMPLES, ROOT, SPECS

import dqdt
from dqdt import _sweep


@pytest.fixture(scope="module")
def points():
    random = np.random.default_rng(5)
    return {"m_pole": random.uniform(0.1, 0.5, 60), "theta": random.uniform(-0.3, 0.3, 60), "force": np.linspace(-2, 2, 60)}


@pytest.fixture(scope="module")
def expected(cart_pole, points, tmp_path_factory):
    """Bytes of the results by threads."""
    path = tmp_path_factory.mktemp("threads") / "out.csv"
    cart_pole.sweep(points, 0.5, times=[0.25], out=path)
    return path.read_bytes()


def test_results_are_those_of_simulate(cart_pole, points):
    results = cart_pole.sweep(points, 0.5, times=[0.25])
    assert len(results) == 60 and (results.status == "ok").all() and not any(results.message)
    for i in [0, 31, 59]:
        inputs = {"force": float(points["force"][i])}
        start = {"theta": points["theta"][i]}
        run = cart_pole.simulate(0.5, start, inputs, parameters={"m_pole": points["m_pole"][i]})
        np.testing.assert_array_equal(results["theta_final"][i], run["theta"][-1])
        np.testing.assert_array_equal(results["tip_x_min"][i], run["tip_x"].min())
        np.testing.assert_array_equal(results["tip_x_max"][i], run["tip_x"].max())
        np.testing.assert_array_equal(results["x_dot_at_0.25"][i], run["x_dot"][run.t == 0.25][0])


@pytest.mark.parametrize("name", EXAMPLES)
def test_mechanisms_of_all_kinds_end_as_in_simulate(name):
    m = dqdt.load(SPECS / f"{name}.toml")
    parameter, value = next((n, x) for n, x in m.parameters.items() if x != 0)
    values = np.array([value, 1.01 * value])
    groups = ["multipliers", "reactions", "inputs", "definitions"]
    results = m.sweep({parameter: values}, 0.3, step=0.01, signals=groups)
    for i, x in enumerate(values):
        try:
            run = m.simulate(0.3, parameters={parameter: x}, step=0.01, signals=groups)
        except dqdt.Error as e:
            assert results.status[i] == "failed" and results.message[i] == " ".join(str(e).split())
            continue
        assert results.status[i] == ("ok" if run.stopped is None else "stopped")
        final = [results[f"{state}_final"][i] for state in m.states]
        np.testing.assert_array_equal(final, run.x[-1])
        assert results["t_final"][i] == run.t[-1]
        for signal in set(run.keys()) - {"kinetic_energy", "potential_energy", "total_energy", "work", "balance"}:
            np.testing.assert_array_equal(results[f"{signal}_max"][i], run[signal].max(), err_msg=signal)


def test_the_file_has_the_bytes_of_the_command(points, expected, command, tmp_path):
    rows = zip(*(points[name] for name in points))
    text = "".join(",".join(repr(float(x)) for x in row) + "\n" for row in rows)
    (tmp_path / "points.csv").write_text(",".join(points) + "\n" + text)
    options = ["--t-end", 0.5, "--times", 0.25]
    command("simulate", SPECS / "cart_pole.toml", "--points", tmp_path / "points.csv", "-o", tmp_path / "out", *options)
    assert (tmp_path / "out" / "shard-0000-of-0001.csv").read_bytes() == expected


def test_points_may_be_a_frame_or_dicts(cart_pole, points):
    whole = cart_pole.sweep(points, 0.2)
    rows = [{name: points[name][i] for name in points} for i in range(60)]
    np.testing.assert_array_equal(cart_pole.sweep(rows, 0.2)["theta_final"], whole["theta_final"])
    fixed = cart_pole.sweep({"theta": points["theta"], "m_pole": 0.2}, 0.2)
    alone = cart_pole.sweep({"theta": points["theta"]}, 0.2)
    np.testing.assert_array_equal(fixed["theta_final"], alone["theta_final"])
    pandas = pytest.importorskip("pandas")
    frame = cart_pole.sweep(pandas.DataFrame(points), 0.2).to_dataframe()
    np.testing.assert_array_equal(frame["theta_final"], whole["theta_final"])
    np.testing.assert_array_equal(frame["m_pole"], points["m_pole"])
    assert list(frame["status"]) == ["ok"] * 60


def test_a_file_that_was_cut_goes_on(cart_pole, points, expected, tmp_path):
    path = tmp_path / "out.csv"
    for cut in [10, len(expected) // 2, len(expected)]:
        path.write_bytes(expected[:cut])
        with pytest.raises(dqdt.Error, match="exists: pass `resume=True`"):
            cart_pole.sweep(points, 0.5, times=[0.25], out=path, resume=False)
        results = cart_pole.sweep(points, 0.5, times=[0.25], out=path)
        assert path.read_bytes() == expected and len(results) == 60
    with pytest.raises(dqdt.Error, match="another sweep: the options changed"):
        cart_pole.sweep(points, 0.6, times=[0.25], out=path)
    assert path.read_bytes() == expected


def test_shards_are_files_of_the_command(cart_pole, points, expected, command, tmp_path):
    for i in range(3):
        part = cart_pole.sweep(points, 0.5, times=[0.25], shard=(i, 3), out=tmp_path, threads=2)
        np.testing.assert_array_equal(part.point, np.arange(i, 60, 3))
        np.testing.assert_array_equal(part["theta"], points["theta"][i::3])
    assert command("collect", tmp_path).encode() == expected


def test_points_without_a_motion_have_a_reason(cart_pole):
    results = cart_pole.sweep({"m_pole": [0.2, -1.0, 0.3]}, 0.1)
    assert list(results.status) == ["ok", "failed", "ok"]
    assert "mass" in results.message[1] and np.isnan(results["theta_final"][1])
    assert np.isfinite(results["theta_final"][[0, 2]]).all()


def test_wrong_points_and_options_are_refused(cart_pole):
    good = {"theta": [0.1, 0.2]}
    for points, text in [
        ({"thet": [1.0]}, "did you mean `theta`"),
        ({"J": [1.0]}, "cannot set parameter `J`"),
        ({"theta": [0.1, np.nan]}, "`theta` of point 1 must be a finite number"),
        ({"theta": [0.1], "x": [1, 2]}, "one length"),
        ({"theta": [[0.1]]}, "one dimension"),
        ({"theta": ["a"]}, "array of numbers"),
        ({"theta": 1.0}, "at least one array"),
        ({"theta": []}, "no rows"),
        ({}, "must have names"),
        ({1: [1.0]}, "must have names"),
        ([], "a dict of arrays"),
        (3, "a dict of arrays"),
        ([{"theta": 1}, {"x": 1}], "point 1 has the names x"),
    ]:
        with pytest.raises(dqdt.Error, match=re.escape(text)):
            cart_pole.sweep(points, 1)
    for options, text in [
        ({"engine": "mpi"}, "`engine`"),
        ({"threads": 0}, "`threads`"),
        ({"chunk": 1.5}, "`chunk`"),
        ({"shard": (3, 3)}, "`shard`"),
        ({"shard": 1}, "`shard`"),
        ({"times": [2.0]}, "`times`"),
        ({"times": ["a"]}, "`times`"),
        ({"method": "euler"}, "method"),
        ({"signals": "forces"}, "group"),
        ({"t_end": -1}, "t_end"),
    ]:
        with pytest.raises(dqdt.Error, match=re.escape(text)):
            cart_pole.sweep(good, **{"t_end": 1, **options})
    with pytest.raises(dqdt.Error, match="no result 'thet'"):
        cart_pole.sweep(good, 0.1)["thet"]


def test_ctrl_c_stops_a_sweep_and_its_file_goes_on(cart_pole, tmp_path):
    path = tmp_path / "out.csv"
    points = {"theta": np.linspace(0.1, 0.2, 5000)}
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        cart_pole.sweep(points, 100, out=path, threads=2)
    assert time.monotonic() - begun < 5
    few = path.read_text().count("\n") - 2
    assert 0 <= few < 5000


def test_a_task_gives_the_same_lines_whatever_its_chunk(cart_pole, points, expected):
    options = ((0.5, None, 1e-9, 1e-9, 1e-3, "dop853"), [], [0.25], None)
    names, matrix = _sweep.read_points(points)
    core = cart_pole._core.sweep(*options)
    payload = pickle.dumps((cart_pole, options))
    lines = []
    for numbers in [list(range(10)), list(range(10, 60))]:
        lines += _sweep.run_chunk((payload, core.mechanism_hash, names, numbers, matrix[numbers]))
    assert "".join(line for _, line in sorted(lines)).encode() == expected.split(b"\n", 2)[2]
    with pytest.raises(dqdt.Error, match="another version"):
        _sweep.run_chunk((payload, "0", names, [0], matrix[:1]))


def test_engines_are_imported_only_when_named():
    code = "import dqdt, sys; print({'ray', 'distributed', 'dask'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT / "python")
    assert done.stdout.strip() == "set()", done.stderr


def test_ray_gives_the_same_bytes(cart_pole, points, expected, tmp_path):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": str(ROOT / "python")}})
    try:
        cart_pole.sweep(points, 0.5, times=[0.25], engine="ray", chunk=7, out=tmp_path / "out.csv")
    finally:
        ray.shutdown()
    assert (tmp_path / "out.csv").read_bytes() == expected


def test_dask_gives_the_same_bytes(cart_pole, points, expected, tmp_path):
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster):
        cart_pole.sweep(points, 0.5, times=[0.25], engine="dask", chunk=7, out=tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == expected


@pytest.mark.parametrize("package", ["pandas", "ray", "distributed", "joblib"])
def test_the_code_of_the_chapter_runs(package, tmp_path, monkeypatch):
    imported = pytest.importorskip(package)
    shutil.copy(SPECS / "cart_pole.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python"))
    text = (ROOT / "docs" / "how-to" / "sweeps.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert [f"import {name}" in block for name, block in zip(["dqdt", "ray", "distributed", "joblib"], blocks)] == [True] * 4
    # Only the last line of the first block needs pandas.
    first = blocks[0] if package == "pandas" else blocks[0].replace("results.to_dataframe()", "")
    mine = [first, *(block for block in blocks[1:] if f"import {package}" in block)]
    names: dict = {}
    try:
        for block in mine:
            exec(compile(block, "sweeps.md", "exec"), names)
    finally:
        if package == "ray":
            imported.shutdown()
        if "client" in names:
            names["client"].close()
            names["client"].cluster.close()
    whole = (tmp_path / "results.csv").read_bytes()
    assert (names["results"].status == "ok").all() and whole.count(b"\n") == 102
    for other in {"ray": ["ray.csv"], "distributed": ["dask.csv"]}.get(package, []):
        assert (tmp_path / other).read_bytes() == whole
    if package == "joblib":
        assert len(list((tmp_path / "joblib").glob("shard-*-of-0008.csv"))) == 8
