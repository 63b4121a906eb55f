"""The reference of the package in the book is that of its docstrings."""

import ast
import importlib.util
import re

import pytest
from conftest import ROOT

import dqdt


@pytest.fixture(scope="module")
def reference():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "python" / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_fresh_and_has_every_public_name(reference):
    text = reference.PAGE.read_text(encoding="utf-8")
    assert text == reference.page(), "`python python/reference.py` writes it anew"
    assert set(re.findall(r"^## `dqdt\.(\w+)`", text, re.MULTILINE)) == set(dqdt.__all__) - {"__version__"}


def test_the_page_has_every_public_attribute(reference):
    text = reference.PAGE.read_text(encoding="utf-8")
    for name in dqdt.__all__:
        owner = getattr(dqdt, name)
        if isinstance(owner, type) and owner is not dqdt.Claim:
            section = text.split(f"## `dqdt.{name}`\n")[1].split("\n## ")[0]
            for member in [m for m in vars(owner) if not m.startswith("_")]:
                assert f"| `{member}` |" in section or f"### `{name}.{member}`" in section, f"{name}.{member}"


def test_a_public_name_without_a_docstring_is_refused(reference, tmp_path):
    path = tmp_path / "module.py"
    path.write_text('class A:\n    """A class."""\n\n    def method(self) -> int:\n        return 1\n')
    with pytest.raises(LookupError, match="A.method"):
        list(reference.methods(reference.Source(path).definition("A")))


def test_types_are_written_as_in_python_today(reference):
    for text, expected in [
        ("Union[int, None]", "int | None"),
        ("Mapping[str, Union[float, 'np.float64']]", "Mapping[str, float | float64]"),
        ("Optional[str]", "str | None"),
        ("Mapping[str, Setting]", "Mapping[str, float | str]"),
    ]:
        assert reference.type_text(ast.parse(text, mode="eval").body) == expected
