"""The notebooks are made from their sources, and run to their ends."""

import importlib.util
import os

import pytest
from conftest import ROOT

FOLDER = ROOT / "python" / "notebooks"

#: For each notebook, how many outputs of a kind it has at least.
OUTPUTS = {
    "ten_minutes": {"<math": 5, "image/png": 1, "<iframe": 1},
    "urdf_to_lqr": {"image/png": 1, "<iframe": 1},
    "identification": {"image/png": 2},
    "paper": {"<math": 2, "refuted": 4},
}


def load_make():
    spec = importlib.util.spec_from_file_location("make_notebooks", FOLDER / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_notebooks_are_made_from_their_sources_and_have_no_outputs():
    nbformat = pytest.importorskip("nbformat")
    make = load_make()
    assert {path.stem for path in make.sources()} == set(OUTPUTS) == {path.stem for path in FOLDER.glob("*.ipynb")}
    for source in make.sources():
        text = source.with_suffix(".ipynb").read_text(encoding="utf-8")
        hint = f"`python python/notebooks/make.py` writes {source.stem}.ipynb anew"
        assert text == make.notebook(source.read_text(encoding="utf-8")), hint
        content = nbformat.reads(text, as_version=4)
        nbformat.validate(content)
        assert all(cell.get("outputs", []) == [] for cell in content.cells)


@pytest.mark.parametrize("text", ["import dqdt\n", "# %% [markdown]\nno comment\n"])
def test_a_source_that_is_no_notebook_is_refused(text):
    with pytest.raises(ValueError, match="must"):
        load_make().notebook(text)


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_notebook_runs_to_its_end(name, monkeypatch):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    for package in ["matplotlib", "scipy"]:
        pytest.importorskip(package)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python"), prepend=os.pathsep)
    monkeypatch.delenv("MPLBACKEND", raising=False)
    content = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    resources = {"metadata": {"path": str(FOLDER)}}
    # Fails with the cell and the traceback if a cell raises.
    nbclient.NotebookClient(content, timeout=120, kernel_name="python3", resources=resources).execute()
    shown = [str(output) for cell in content.cells for output in cell.get("outputs", [])]
    for kind, least in OUTPUTS[name].items():
        assert sum(text.count(kind) for text in shown) >= least, kind
