"""Extension module of the package; use `dqdt`, which wraps its classes."""

from typing import Any, Mapping, Sequence, Union, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

class Error(ValueError):
    """Error of the package; the text says what was expected."""

class SpecError(Error):
    """Errors in the description of a mechanism."""

    #: One dictionary for each message: file, line, column, code, severity, message, help.
    diagnostics: list[dict[str, Any]]

class Singular(Error):
    """A function has no result at a state."""

    #: The divisor that vanishes, or the value that is not finite.
    name: str
    #: Its value.
    value: float
    #: The cause and the remedy.
    hint: str

@final
class Function:
    """A compiled function. Call it with the time, then its arguments.

    Each argument is a vector, or a matrix with one row for each state. `parameters` replaces
    values of the spec; `out` receives the results; `threads` shares a batch; with `return_mask` the
    call also returns where a result is not finite (True there), instead of an exception. Rows of a
    batch in which a divisor vanishes are NaN.
    """

    @property
    def __name__(self) -> str:
        """Name of the function."""
    @property
    def arguments(self) -> list[str]:
        """Names of the arguments, the time `t` first."""
    @property
    def results_info(self) -> list[dict[str, Any]]:
        """For each result its name, unit, description and shape, without the dimension of a batch."""
    @property
    def precision(self) -> str:
        """Precision of the numbers: "double" or "single"."""
    def __call__(
        self,
        t: Union[float, ArrayLike],
        *arguments: Union[ArrayLike, None],
        parameters: Union[Mapping[str, float], ArrayLike, None] = None,
        out: Any = None,
        threads: Union[int, None] = None,
        return_mask: bool = False,
        **named: Union[ArrayLike, None],
    ) -> Any: ...

@final
class Report:
    def text(self, width: int = 100) -> str: ...
    def latex(self) -> str: ...
    def html(self) -> str: ...
    def aligned(self) -> str: ...
    def mathml(self) -> list[str]: ...

@final
class Run:
    @property
    def t(self) -> NDArray[np.float64]: ...
    @property
    def x(self) -> NDArray[np.float64]: ...
    @property
    def events(self) -> list[tuple[str, float]]: ...
    @property
    def rests(self) -> list[tuple[str, float, float | None]]: ...
    @property
    def ended(self) -> bool: ...
    @property
    def start_note(self) -> Union[str, None]: ...
    @property
    def stopped(self) -> Union[str, None]: ...
    @property
    def evaluations(self) -> int: ...
    @property
    def coordinates(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def parameters(self) -> NDArray[np.float64]: ...
    @property
    def signals(self) -> list[tuple[str, str]]: ...
    def signal(self, name: str) -> NDArray[np.float64]: ...
    def svg(self, names: Union[Sequence[str], None] = None, title: Union[str, None] = None) -> str: ...
    def animation(self, names: Union[Sequence[str], None] = None) -> str: ...

@final
class Linearization:
    @property
    def states(self) -> list[str]: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def outputs(self) -> list[str]: ...
    @property
    def dependent(self) -> list[str]: ...
    @property
    def A(self) -> NDArray[np.float64]: ...
    @property
    def B(self) -> NDArray[np.float64]: ...
    @property
    def C(self) -> NDArray[np.float64]: ...
    @property
    def D(self) -> NDArray[np.float64]: ...
    @property
    def f0(self) -> NDArray[np.float64]: ...
    @property
    def y0(self) -> NDArray[np.float64]: ...
    @property
    def x0(self) -> NDArray[np.float64]: ...
    @property
    def u0(self) -> NDArray[np.float64]: ...
    @property
    def eigenvalue_parts(self) -> list[tuple[float, float]]: ...
    @property
    def kind(self) -> str: ...
    @property
    def depends_on_time(self) -> bool: ...
    @property
    def start_note(self) -> str | None: ...
    @property
    def trim(self) -> list[tuple[str, float]]: ...

@final
class SweepPoints: ...

@final
class ResultFile:
    def missing(self) -> list[int]: ...
    def append(self, lines: list[tuple[int, str]]) -> None: ...
    def finish(self) -> list[str]: ...

@final
class Sweep:
    @property
    def columns(self) -> list[str]: ...
    @property
    def mechanism_hash(self) -> str: ...
    def points(self, names: list[str], values: NDArray[np.float64]) -> SweepPoints: ...
    def open(
        self, path: str, points: SweepPoints, resume: bool, shard: Union[tuple[int, int], None] = None
    ) -> ResultFile: ...
    def run(
        self,
        points: SweepPoints,
        numbers: list[tuple[int, int]],
        threads: Union[int, None] = None,
        file: Union[ResultFile, None] = None,
    ) -> list[tuple[int, str]]: ...
    def read_lines(self, lines: list[str]) -> tuple[list[int], list[str], list[str], NDArray[np.float64]]: ...

def shard_file_name(index: int, count: int) -> str: ...
def shard_numbers(index: int, count: int, points: int) -> list[int]: ...

@final
class Mechanism:
    def __new__(
        cls,
        *,
        path: Union[str, None] = None,
        text: Union[str, None] = None,
        folder: Any = None,
        base: Union[str, None] = None,
        loops: Union[tuple[str, str], None] = None,
        sizes: Union[list[tuple[str, int]], None] = None,
        accept: Union[list[str], None] = None,
        parameters: Union[dict[str, Union[float, str]], None] = None,
        inputs: Union[dict[str, Union[float, str]], None] = None,
    ) -> Mechanism: ...
    @property
    def text(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def outputs(self) -> list[str]: ...
    @property
    def events(self) -> list[str]: ...
    @property
    def quaternions(self) -> list[int]: ...
    @property
    def warnings(self) -> list[dict[str, Any]]: ...
    @property
    def rendered_warnings(self) -> str: ...
    def slots(self, group: str) -> list[tuple[str, str, str, float]]: ...
    def inspect(self, forms: list[str], sections: list[str], formalism: Union[str, None] = None) -> Report: ...
    def base_parameters(self) -> tuple[Report, list[str], list[tuple[int, list[tuple[int, float]]]]]: ...
    def sketch(self) -> str: ...
    def prove(self) -> list[tuple[str, str, list[str]]]: ...
    def prove_against(
        self, name: str, formulas: str
    ) -> list[tuple[str, str, str, list[tuple[str, str]]]]: ...
    def emit(
        self,
        language: str,
        functions: Union[list[str], None] = None,
        formalism: Union[str, None] = None,
        options: Union[list[tuple[str, str]], None] = None,
    ) -> list[tuple[str, str]]: ...
    def compile(
        self,
        names: list[str],
        result_type: Any,
        is_single: bool = False,
        search: bool = False,
        formalism: Union[str, None] = None,
    ) -> list[Function]: ...
    def simulate(
        self,
        span: tuple[float, Union[float, None], float, float, float, str],
        groups: list[str],
        *,
        start: Any = None,
        inputs: Any = None,
        parameters: Any = None,
        feedback: Any = None,
        feedback_file: Union[tuple[str, str], None] = None,
        formalism: Union[str, None] = None,
    ) -> Run: ...
    def sweep(
        self,
        span: tuple[float, Union[float, None], float, float, float, str],
        groups: list[str],
        times: list[float],
        formalism: Union[str, None] = None,
    ) -> Sweep: ...
    def linearize(
        self,
        trim: list[str],
        independent: list[str],
        *,
        at: Any = None,
        inputs: Any = None,
        parameters: Any = None,
    ) -> Linearization: ...
