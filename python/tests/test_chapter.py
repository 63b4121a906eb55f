"""The chapter of the book: its code runs, block by block, as a reader would type it."""

import re
import shutil

import numpy as np
import pytest
from conftest import ROOT, SPECS


def test_the_code_of_the_chapter_runs(tmp_path, monkeypatch):
    for package in ["control", "pandas", "matplotlib"]:
        pytest.importorskip(package)
    import matplotlib

    matplotlib.use("Agg")
    shutil.copy(SPECS / "cart_pole.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    names: dict = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert len(blocks) >= 5 and (tmp_path / "motion.html").stat().st_size > 10_000
    assert np.abs(names["run"].x[-1]).max() < 1e-2
