"""Reports of a mechanism: tables and equations as text, LaTeX and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable

import numpy as np

from . import _dqdt

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Style of a report within a notebook; `{font}` is the font of the formulas, as in the page.
_STYLE = """<style>
{font}
.dqdt-report math {{ font-family: "Report Math", "STIX Two Math", "Cambria Math", math, serif; font-size: 1.08em; }}
.dqdt-report mover[accent="true"] > mo {{ position: relative; top: -.09em; }}
.dqdt-report mtd {{ padding: .3em .7em; }}
.dqdt-report h2 {{ font-size: 1.15em; }}
.dqdt-report .anchor {{ display: none; }}
.dqdt-report .equations {{ margin: 0.6em 0; padding-left: 1em; overflow: auto hidden; }}
.dqdt-report .equation {{ padding: 0.3em 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); align-items: baseline; }}
.dqdt-report .relation {{ padding: 0.2em 0 0.2em 1.6em; text-indent: -1.6em; line-height: 2; }}
.dqdt-report .relation math {{ text-indent: 0; }}
.dqdt-report .matrix {{ padding: 0.3em 1em; overflow: auto hidden; }}
.dqdt-report .matrix math {{ width: max-content; margin: 0; }}
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
        font = page.partition("@font-face")[2].partition("}")[0]
        style = _STYLE.format(font=f"@font-face{font}}}" if font else "")
        return f'{style}<div class="dqdt-report">{main}</div>'

    def _repr_latex_(self) -> str | None:
        aligned = self._core.aligned()
        return f"$$\n{aligned}\n$$" if aligned else None

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()


class BaseParameters(Report):
    """Base inertial parameters: the combinations of inertial parameters that efforts determine.

    With the regressor `Y` and `rest`, the efforts are `Y π + rest` for all inertial parameters `π`,
    and `Y[:, columns] β + rest` for the base parameters `β = matrix π`. In a notebook it shows as a
    table of the combinations.
    """

    __slots__ = ("inertial_parameters", "columns", "matrix")

    def __init__(
        self,
        core: _dqdt.Report,
        inspect: Callable[..., Report],
        names: list[str],
        combinations: list[tuple[int, list[tuple[int, float]]]],
    ) -> None:
        super().__init__(core, inspect)
        #: Names of all inertial parameters, ten for each body: the columns of the regressor.
        self.inertial_parameters: list[str] = names
        #: For each base parameter, its column of the regressor.
        self.columns: list[int] = [column for column, _ in combinations]
        #: Factors of the combinations: base parameters by inertial parameters.
        self.matrix: NDArray[np.float64] = np.zeros((len(combinations), len(names)))
        for row, (_, factors) in zip(self.matrix, combinations):
            for column, factor in factors:
                row[column] = factor

    @property
    def names(self) -> list[str]:
        """Name of each base parameter: that of the inertial parameter whose column it has."""
        return [self.inertial_parameters[column] for column in self.columns]

    def __len__(self) -> int:
        return len(self.columns)
