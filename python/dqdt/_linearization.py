"""Linearised equations of a mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _dqdt

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Linearization:
    """Linearised equations: `δẋ = A δx + B δu + f0`, `δy = C δx + D δu + y0`."""

    __slots__ = ("_core", "_names", "A", "B", "C", "D", "name")

    def __init__(self, core: _dqdt.Linearization, name: str, names: list[str]) -> None:
        self._core = core
        self._names = names
        #: Name of the mechanism.
        self.name: str = name
        #: Derivatives of the rates by the states.
        self.A: NDArray[np.float64] = core.A
        #: Derivatives of the rates by the inputs.
        self.B: NDArray[np.float64] = core.B
        #: Derivatives of the outputs by the states.
        self.C: NDArray[np.float64] = core.C
        #: Derivatives of the outputs by the inputs.
        self.D: NDArray[np.float64] = core.D

    @property
    def states(self) -> list[str]:
        """Names of the rows of A: the independent states."""
        return self._core.states

    @property
    def inputs(self) -> list[str]:
        """Names of the columns of B."""
        return self._core.inputs

    @property
    def outputs(self) -> list[str]:
        """Names of the rows of C."""
        return self._core.outputs

    @property
    def dependent(self) -> list[str]:
        """Names of the states that the constraints determine from the others."""
        return self._core.dependent

    @property
    def x0(self) -> NDArray[np.float64]:
        """The whole state `[q, v, z]` at the point."""
        return self._core.x0

    @property
    def u0(self) -> NDArray[np.float64]:
        """The inputs at the point."""
        return self._core.u0

    @property
    def y0(self) -> NDArray[np.float64]:
        """The outputs at the point."""
        return self._core.y0

    @property
    def f0(self) -> NDArray[np.float64]:
        """Rates of the states at the point: zero at an equilibrium."""
        return self._core.f0

    @property
    def kind(self) -> str:
        """Kind of the point: "equilibrium", "steady motion", "moving", …"""
        return self._core.kind

    @property
    def trim(self) -> dict[str, float]:
        """States and inputs that the trim changed, with their values."""
        return dict(self._core.trim)

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Eigenvalues of A [1/s], largest real part first."""
        parts = np.array(self._core.eigenvalue_parts, dtype=np.float64).reshape(-1, 2)
        return parts[:, 0] + 1j * parts[:, 1]

    def feedback(self, gain: ArrayLike) -> dict[str, Any]:
        """The feedback `u = u0 - K (x - x0)` of these states to these inputs, as a dict.

        `Mechanism.simulate(feedback=…)` reads it, and the command does after `json.dump`:
        `dqdt simulate --feedback FILE`.
        """
        try:
            matrix = np.asarray(gain, dtype=np.float64)
        except (TypeError, ValueError):
            raise _dqdt.Error("`gain` must be a matrix of numbers") from None
        shape = (len(self.inputs), len(self.states))
        if matrix.ndim == 1 and len(self.inputs) == 1:
            matrix = matrix.reshape(1, -1)
        if matrix.shape != shape or not np.isfinite(matrix).all():
            raise _dqdt.Error(f"`gain` must be a finite matrix of the shape {shape}; its shape is {matrix.shape}")
        trim: dict[str, Any] = dict(zip(self._names, self.x0.tolist()))
        trim["inputs"] = dict(zip(self.inputs, self.u0.tolist()))
        return {"gain": matrix.tolist(), "inputs": self.inputs, "states": self.states, "trim": trim}

    def to_control(self) -> Any:
        """The system as `control.StateSpace`, with names; needs the package `control`."""
        import control

        labels = {"inputs": self.inputs, "outputs": self.outputs, "states": self.states}
        if not self.outputs:
            # Without outputs in the spec, the states are the outputs.
            n = len(self.states)
            labels["outputs"] = [f"{name}" for name in self.states]
            return control.ss(self.A, self.B, np.eye(n), np.zeros((n, len(self.inputs))), name=self.name, **labels)
        return control.ss(self.A, self.B, self.C, self.D, name=self.name, **labels)

    def __repr__(self) -> str:
        return (
            f"<dqdt linearization of {self.name}: {self.kind}, {len(self.states)} states, "
            f"{len(self.inputs)} inputs, {len(self.outputs)} outputs>"
        )
