"""Writes each notebook from its source: `python python/notebooks/make.py`, with --check it only compares.

A source is a Python file: a line `# %%` begins a cell of code, `# %% [markdown]` one of text, whose
lines are comments. Notebooks are stored without outputs.
"""

import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def sources():
    """The sources of the notebooks."""
    return sorted(path for path in FOLDER.glob("*.py") if path.name != "make.py")


def split_cells(source):
    """Kind and lines of each cell."""
    cells = []
    for line in source.splitlines():
        if line.startswith("# %%"):
            cells.append(("markdown" if line.endswith("[markdown]") else "code", []))
        elif cells:
            cells[-1][1].append(line)
        elif line.strip():
            raise ValueError(f"the first line must be `# %%`, not {line!r}")
    return cells


def without_comment(line):
    """A line of text, without the mark of its comment."""
    if not line.startswith("#"):
        raise ValueError(f"a line of text must begin with `#`: {line!r}")
    return line.removeprefix("#").removeprefix(" ")


def notebook(source):
    """The notebook as JSON: the same source gives the same bytes."""
    cells = []
    for number, (kind, lines) in enumerate(split_cells(source), 1):
        while lines and not lines[-1].strip():
            lines.pop()
        if kind == "markdown":
            lines = [without_comment(line) for line in lines]
        cell = {"cell_type": kind, "id": f"cell-{number:02}", "metadata": {}}
        if kind == "code":
            cell.update(execution_count=None, outputs=[])
        cells.append({**cell, "source": [line + "\n" for line in lines[:-1]] + lines[-1:]})
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    content = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def main():
    stale = []
    for source in sources():
        path, text = source.with_suffix(".ipynb"), notebook(source.read_text(encoding="utf-8"))
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    if "--check" in sys.argv and stale:
        sys.exit(f"stale: {', '.join(stale)}; `python python/notebooks/make.py` writes them anew")


if __name__ == "__main__":
    main()
