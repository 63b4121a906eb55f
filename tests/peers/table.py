"""One table a function from what one run of the drivers printed, with our columns beside the best peer.

usage: table.py WORK   reads WORK/out/results.tsv and machine.txt; writes WORK/out/table.md with ratios.svg, derivatives.md, and
                       derivatives_large.md, each if the run has something for it

A line of results: tool model function median least ninetieth error, nanoseconds, tabs between. Fails if a result of ours
differs from the reference by more than 1e-9.
"""

import math
import statistics
import sys
from pathlib import Path
from typing import NamedTuple

from figure import svg
from lines import GOALS, MUST

TITLES = {"fd": "Forward dynamics", "id": "Inverse dynamics", "crba": "Mass matrix", "loop": "Closed loops"}
# On a page of its own: fewer models.
DERIVATIVES = {"dfd": "Derivatives of forward dynamics"}
# Their derivatives have a table of their own: gcc takes more than minutes over what CasADi writes of them.
LARGE = {"chain20", "chain50", "talosfull"}
# What a user calls; everything else generates code.
LIBRARIES = ("pinocchio", "mujoco")
AGREES = 1e-9
# A peer is left out of the ratios beyond this; Pinocchio's proximal steps stop somewhat below it.
PEER_AGREES = 1e-8
# What a user gets who names no form, without and with `--unfused`.
DEFAULTS = ("dqdt_default", "dqdt_default_unfused")


class Cell(NamedTuple):
    """Of one tool and model: the least and the largest median of the runs, and the largest error."""

    time: float
    slowest: float
    error: float


def read(path):
    """Cells by function, tool and model; a file holds several runs."""
    cells = {}
    for line in path.read_text().splitlines():
        tool, model, function, median, _, _, error = line.split("\t")
        row = cells.setdefault(function, {}).setdefault(tool, {})
        old = row.get(model, Cell(math.inf, 0.0, 0.0))
        time, error = float(median), float(error)
        worst = error if math.isnan(error) else max(old.error, error)
        row[model] = Cell(min(old.time, time), max(old.slowest, time), worst)
    return cells


def ours(tool):
    return tool.startswith("dqdt")


def peer(tool):
    return not ours(tool)


def generator(tool):
    return peer(tool) and not tool.startswith(LIBRARIES)


def row(name, values):
    return f"| {name} | " + " | ".join(values) + " |"


class Function:
    """The cells of one function."""

    def __init__(self, name, tools):
        self.name, self.tools = name, tools
        self.models = list(dict.fromkeys(m for cells in tools.values() for m in cells))
        # A library whose loops fit the caches may beat long generated code at derivatives of a large robot.
        self.word, keep = ("peer", peer) if name in DERIVATIVES else ("generator", generator)
        self.peer = {m: self.best(m, keep) for m in self.models}
        self.own = {m: self.best(m, ours) for m in self.models}

    def best(self, model, keep):
        """Least time and its column, of those whose results are right."""
        found = []
        for tool, cells in self.tools.items():
            cell = cells.get(model)
            if keep(tool) and cell and cell.error <= (AGREES if ours(tool) else PEER_AGREES):
                found.append((cell.time, tool))
        return min(found, default=(None, "-"))

    def ratios(self, tool=None):
        """Of one of our columns, or of our best, to the best peer or generator."""
        found = {}
        for m in self.models:
            cell = None if tool is None else self.tools[tool].get(m)
            time = self.own[m][0] if tool is None else cell and cell.time
            if time and self.peer[m][0]:
                found[m] = time / self.peer[m][0]
        return found

    def times(self):
        for tool, cells in self.tools.items():
            marks = {m: "" if c.error <= AGREES or not ours(tool) else " (differs)" for m, c in cells.items()}
            yield row(tool, [f"{cells[m].time:.0f}{marks[m]}" if m in cells else "-" for m in self.models])

    def summary(self):
        def cells(values, form="{:.2f}"):
            return [form.format(values[m]) if m in values else "-" for m in self.models]

        def named(best):
            return [f"{best[m][0]:.0f} {best[m][1].removeprefix('dqdt_')}" if best[m][0] else "-" for m in self.models]

        yield row(f"best {self.word}", named(self.peer))
        yield row("our best", named(self.own))
        for tool in DEFAULTS:
            if tool in self.tools:
                yield row(f"**{tool} / best {self.word}**", cells(self.ratios(tool)))
        yield row(f"**our best / best {self.word}**", cells(self.ratios()))
        for title, lines in (("must", MUST), ("to reach", GOALS)):
            if self.name in lines:
                yield row(title, cells(lines[self.name]))
        library = {m: self.best(m, lambda t: t.startswith("pinocchio"))[0] for m in self.models}
        yield row(
            "Pinocchio / our best", cells({m: t / self.own[m][0] for m, t in library.items() if t and self.own[m][0]}, "{:.1f}")
        )
        slowest = {m: self.tools[tool][m].slowest / time for m, (time, tool) in self.own.items() if time}
        yield row("our best, slowest run / quickest", cells(slowest))
        slowest = {m: self.tools[tool][m].slowest / time for m, (time, tool) in self.peer.items() if time}
        yield row(f"best {self.word}, slowest run / quickest", cells(slowest))
        yield row("our largest disagreement", cells(self.errors(), "{:.0e}"))

    def errors(self):
        def largest(model):
            found = [cells[model].error for tool, cells in self.tools.items() if ours(tool) and model in cells]
            return math.nan if any(math.isnan(e) for e in found) else max(found, default=0.0)

        return {m: largest(m) for m in self.models}

    def wrong(self):
        return [f"{m} by {e:.1e}" for m, e in self.errors().items() if not e <= AGREES]

    def missed(self, tool):
        lines, ratios = MUST.get(self.name, {}), self.ratios(tool)
        above = sorted(((ratios[m] / lines[m], m) for m in ratios if m in lines and ratios[m] > lines[m]), reverse=True)
        return ", ".join(f"{m} {ratios[m]:.2f} ({lines[m]:.2f})" for _, m in above) or "none"

    def steadiest(self):
        """Our column that loses least to our best of each model, and how much, by the geometric mean."""
        found = []
        for tool, cells in self.tools.items():
            if ours(tool) and all(m in cells and cells[m].error <= AGREES for m in self.models):
                found.append((statistics.geometric_mean(cells[m].time / self.own[m][0] for m in self.models), tool))
        return min(found, default=None)


def section(f, title):
    """Lines of one function, and whether all of it is right."""
    head = [f"\n**{title}** (ns, median)\n", row("", f.models), "|---" * (len(f.models) + 1) + "|"]
    text = [*head, *f.times(), *f.summary(), ""]
    if steadiest := f.steadiest():
        text.append(f"Quickest single column: {steadiest[1]}, {100 * (steadiest[0] - 1):.0f} % above our best.")
    for tool, words in ((None, "our best"), *((t, t) for t in DEFAULTS)):
        text.append(f"Above a must line, {words}: {f.missed(tool)}.  ")
    wrong = f.wrong()
    if wrong:
        text.append(f"**Differs by more than {AGREES}: {', '.join(wrong)}.**")
    return text, not wrong


def selected(tools, keep):
    """The cells of those models that `keep` accepts."""
    found = {tool: {m: cell for m, cell in cells.items() if keep(m)} for tool, cells in tools.items()}
    return {tool: cells for tool, cells in found.items() if cells}


def main():
    out = Path(sys.argv[1]) / "out"
    cells = read(out / "results.tsv")
    right = True
    pages = [
        ("table", TITLES, lambda m: True),
        ("derivatives", DERIVATIVES, lambda m: m not in LARGE),
        ("derivatives_large", DERIVATIVES, lambda m: m in LARGE),
    ]
    for page, titles, keep in pages:
        chosen = {name: selected(cells.get(name, {}), keep) for name in titles}
        functions = {title: Function(name, chosen[name]) for name, title in titles.items() if DEFAULTS[0] in chosen[name]}
        if not functions:
            (out / f"{page}.md").unlink(missing_ok=True)
            continue
        text = [f"Measured on: {(out / 'machine.txt').read_text().strip()}"]
        for title, f in functions.items():
            lines, agrees = section(f, title)
            text, right = text + lines, right and agrees
        (out / f"{page}.md").write_text("\n".join(text) + "\n")
        print("\n".join(text))
        if page == "table":
            (out / "ratios.svg").write_text(svg({title: f.ratios(DEFAULTS[0]) for title, f in functions.items()}))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
