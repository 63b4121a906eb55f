"""Reports of a mechanism: tables and equations as text, LaTeX and HTML."""

from __future__ import annotations

from typing import Callable

from . import _dqdt

_STYLE = """<style>
.dqdt-report .equations { overflow-x: auto; margin: 0.5em 0; }
.dqdt-report .equation, .dqdt-report .relation { margin: 0.3em 0; }
.dqdt-report h2 { font-size: 1.1em; }
.dqdt-report .anchor { display: none; }
.dqdt-report math { font-size: 1.1em; }
</style>
"""


class Report:
    """A report. In a notebook it shows as typeset equations."""

    __slots__ = ("_core", "_inspect")

    def __init__(self, core: _dqdt.Report, inspect: Callable[..., Report]) -> None:
        self._core = core
        self._inspect = inspect

    def text(self, width: int = 100) -> str:
        """The report as plain text, with lines of at most `width` columns."""
        return self._core.text(width)

    def latex(self) -> str:
        """The report as a complete LaTeX document."""
        return self._core.latex()

    def html(self) -> str:
        """The report as one HTML page, without scripts or downloads."""
        return self._core.html()

    def mathml(self) -> list[str]:
        """The equations as MathML, one text for each."""
        return self._core.mathml()

    def form(self, *names: str) -> Report:
        """The equations in these forms: scalar, constrained, implicit, robot, recursive."""
        return self._inspect(form=names, sections=["equations"])

    def _repr_html_(self) -> str:
        page = self._core.html()
        main = page.partition("<main>")[2].partition("</main>")[0]
        return f'{_STYLE}<div class="dqdt-report">{main}</div>'

    def _repr_latex_(self) -> str | None:
        aligned = self._core.aligned()
        return f"$$\n{aligned}\n$$" if aligned else None

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()
