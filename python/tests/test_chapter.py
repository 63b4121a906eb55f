"""The chapters of the book: their code runs, block by block, as a reader would type it."""

import json
import os
import re
import shutil
import subprocess

import numpy as np
import pytest
from conftest import ROOT, SPECS

#: Definitions for the commands of a chapter, which are written for the workspace.
SHELL = 'set -euo pipefail\ndqdt() { "$DQDT" "$@"; }\ncargo() { [ "$1" = dqdt ] || exit 99; shift; dqdt "$@"; }\n'


def blocks(chapter, *fences):
    """Fence and text of each block with one of these fences, in the order of the chapter."""
    text = (ROOT / "docs" / chapter).read_text(encoding="utf-8")
    found = re.findall(r"^```([^\n]+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [(fence, block) for fence, block in found if fence in fences]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for package in ["control", "pandas", "matplotlib"]:
        pytest.importorskip(package)
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_code_of_the_chapter_runs(folder):
    shutil.copy(SPECS / "cart_pole.toml", folder)
    all_blocks = blocks("python.md", "python")
    names: dict = {}
    for _, block in all_blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert len(all_blocks) >= 5 and (folder / "motion.html").stat().st_size > 10_000
    assert np.abs(names["run"].x[-1]).max() < 1e-2


def test_the_chapter_on_control_design_runs(folder, command):
    (folder / "examples").symlink_to(ROOT / "examples")
    chapter = "how-to/control-design.md"
    names: dict = {}
    for fence, block in blocks(chapter, "sh", "python", "json,gain.json"):
        if fence == "sh":
            subprocess.run(["bash", "-c", SHELL + block], check=True, env=os.environ)
        elif fence == "python":
            exec(compile(block, chapter, "exec"), names)
        else:
            shown, written = json.loads(block), json.loads((folder / "gain.json").read_text())
            np.testing.assert_allclose(shown["gain"], written["gain"], rtol=1e-6)
            assert (shown["states"], shown["inputs"]) == (written["states"], written["inputs"])
    assert (folder / "target" / "masses.svg").stat().st_size > 1000
    if shutil.which("rustc") is None:
        return
    # The law in Rust has the force of the simulation.
    run = names["run"]
    states = ", ".join(str(list(map(float, x))) for x in run.x[::50])
    main = f'include!("law.rs");\nfn main() {{ for x in [{states}] {{ println!("{{}}", force(&x)); }} }}\n'
    (folder / "main.rs").write_text(main)
    subprocess.run(["rustc", "--edition", "2021", "main.rs"], check=True)
    printed = subprocess.run(["./main"], check=True, capture_output=True, text=True).stdout
    np.testing.assert_allclose(np.array(printed.split(), float), run["force"][::50], rtol=1e-9, atol=1e-12)
