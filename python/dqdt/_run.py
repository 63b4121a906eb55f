"""Simulated motions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Sequence, Union

from . import _dqdt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Animation:
    """An animation as one HTML page; a notebook shows it."""

    __slots__ = ("_page",)

    def __init__(self, page: str) -> None:
        self._page = page

    def html(self) -> str:
        """The page."""
        return self._page

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the page to an HTML file."""
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending not in ("", ".html", ".htm"):
            raise _dqdt.Error(
                f"an animation is an HTML page: use a file name that ends with .html, not {ending}"
            )
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._page)

    def _repr_html_(self) -> str:
        source = self._page.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{source}" width="100%" height="640" frameborder="0"></iframe>'


class Run:
    """A simulated motion: `run.t`, `run.x`, `run["theta"]`."""

    __slots__ = ("_core", "t", "x", "name")

    def __init__(self, core: _dqdt.Run, name: str) -> None:
        self._core = core
        #: Name of the mechanism.
        self.name: str = name
        #: Times of the rows [s].
        self.t: NDArray[np.float64] = core.t
        #: States, one row for each time.
        self.x: NDArray[np.float64] = core.x

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """A coordinate, speed, user state, signal or energy at the times `t`."""
        if not isinstance(name, str):
            raise _dqdt.Error(f"a signal has a name, not {name!r}")
        return self._core.signal(name)

    def keys(self) -> list[str]:
        """Names of all signals."""
        return [name for name, _ in self._core.signals]

    def _ipython_key_completions_(self) -> list[str]:
        return self.keys()

    @property
    def units(self) -> dict[str, str]:
        """SI unit of each signal."""
        return dict(self._core.signals)

    @property
    def events(self) -> list[tuple[str, float]]:
        """Name and time of each event."""
        return self._core.events

    @property
    def rests(self) -> list[tuple[str, float, float | None]]:
        """Stops on which the motion rests: name, and the times from and until which; None if to the end."""
        return self._core.rests

    @property
    def ended(self) -> bool:
        """True if an event ended the motion."""
        return self._core.ended

    @property
    def stopped(self) -> str | None:
        """Reason why the motion stopped before its end; None if it did not."""
        return self._core.stopped

    @property
    def evaluations(self) -> int:
        """Number of evaluations of the equations."""
        return self._core.evaluations

    @property
    def steps(self) -> int:
        """Number of integration steps, including rejected ones."""
        return self._core.steps

    @property
    def parameters(self) -> NDArray[np.float64]:
        """Values of the parameters of this motion."""
        return self._core.parameters

    def to_dataframe(self) -> Any:
        """All signals as a `pandas.DataFrame` with the time as index."""
        import pandas

        columns = {name: self._core.signal(name) for name in self.keys()}
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Plots signals with matplotlib and returns the axes, one for each unit.

        names: names of the signals; by default the coordinates.
        axes: axes to draw on, instead of a new figure.
        """
        import matplotlib.pyplot as plt

        units = self.units
        if not names:
            names = tuple(self.keys()[: self._coordinates()])
        panels: dict[str, list[str]] = {}
        for name in names:
            if name not in units:
                self._core.signal(name)
            panels.setdefault(units[name], []).append(name)
        if axes is None:
            _, axes = plt.subplots(len(panels), 1, sharex=True, squeeze=False)
            axes = axes[:, 0]
        try:
            axes = list(axes)
        except TypeError:
            axes = [axes]
        if len(axes) < len(panels):
            raise _dqdt.Error(f"{len(panels)} axes are needed, one for each unit, not {len(axes)}")
        for axis, (unit, members) in zip(axes, panels.items()):
            for name in members:
                axis.plot(self.t, self._core.signal(name), label=name)
            axis.set_ylabel("" if unit in ("", "1") else unit)
            axis.legend()
        axes[len(panels) - 1].set_xlabel("t [s]")
        # Not the figure: a notebook would show it twice.
        return axes[: len(panels)]

    def _coordinates(self) -> int:
        return max(1, self._core.coordinates)

    def svg(self, *names: str, title: str | None = None) -> str:
        """Plot of signals as SVG, without matplotlib; by default of coordinates, speeds, energies."""
        return self._core.svg(list(names) or None, title)

    def animate(self, *names: str) -> Animation:
        """Animation of the motion, with these signals below it."""
        return Animation(self._core.animation(list(names) or None))

    def _repr_html_(self) -> str:
        return self.svg()

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        end = self.t[-1] if len(self.t) else 0.0
        reason = f", stopped: {self.stopped}" if self.stopped else ""
        return f"<dqdt run of {self.name}: {len(self.t)} rows to t = {end:g} s{reason}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


__all__: Sequence[str] = ["Animation", "Run"]
