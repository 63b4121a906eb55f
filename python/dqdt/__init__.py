"""Equations of motion of mechanisms: read, inspect, compile, simulate, linearise, prove.

`load` reads a mechanism. All values are in SI units and radians; names are those of the spec.
"""

from ._dqdt import Error, Function, Singular, SpecError, __version__
from ._functions import Functions
from ._linearization import Linearization
from ._mechanism import Claim, Mechanism, SpecWarning, load
from ._report import BaseParameters, Report
from ._run import Animation, Run
from ._sweep import SweepResults

__all__ = [
    "Animation",
    "BaseParameters",
    "Claim",
    "Error",
    "Function",
    "Functions",
    "Linearization",
    "Mechanism",
    "Report",
    "Run",
    "Singular",
    "SpecError",
    "SpecWarning",
    "SweepResults",
    "__version__",
    "load",
]
