"""Mechanisms: read from a file or a text, and everything that is derived from them."""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, NamedTuple, Sequence, Union

import numpy as np

from . import _dqdt
from ._dqdt import Error
from ._functions import Functions, result_type
from ._linearization import Linearization
from ._report import BaseParameters, Report
from ._run import Run
from ._sweep import SweepResults, run_sweep

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Setting = Union[float, str]


class SpecWarning(UserWarning):
    """A warning about the description of a mechanism."""


class Claim(NamedTuple):
    """A claim about the equations, as `Mechanism.prove` decided it."""

    #: The claim, or the element that was compared with a formula.
    title: str
    #: "proved", "checked" (at random points with 100 digits), "undecided" or "refuted".
    verdict: str
    #: Entries that are not proved, each with its verdict.
    open: tuple[str, ...]
    #: For a refuted formula, exact values at which the difference is not zero: a text by name.
    counterexample: Mapping[str, str] = {}


def load(
    source: Union[str, os.PathLike[str]],
    *,
    base: str | None = None,
    set: Mapping[str, int] | None = None,
    parameters: Mapping[str, Setting] | None = None,
    inputs: Mapping[str, Setting] | None = None,
    accept: Iterable[str] = (),
    loops: Union[str, os.PathLike[str], None] = None,
    folder: Union[str, os.PathLike[str], None] = None,
) -> Mechanism:
    """Reads a mechanism.

    source: path of a TOML, URDF or MJCF file, or a text (with more than one line).
    base: "fixed" or "free", for the root of a URDF.
    set: sizes of `[repeat]`, such as `{"n": 10}`.
    parameters: values that replace those of the spec: numbers in SI units, or texts ("20 cm").
    inputs: laws of inputs along a motion: numbers in SI units, or formulas ("-2 [N]*theta").
    accept: parts of a robot that may be omitted, and warnings that are accepted.
    loops: file with the closed loops of a URDF.
    folder: folder of the files that a text names; by default the working directory.

    Raises `SpecError` with all faults of the text; `Error` for a wrong argument.
    """
    try:
        source = os.fspath(source)
    except TypeError:
        raise Error(f"`source` must be a path or a text, not {type(source).__name__}") from None
    if isinstance(source, bytes):
        raise Error("`source` must be a str, not bytes")
    options: dict[str, Any] = {
        "base": base,
        "sizes": _sizes(set),
        "accept": _texts(accept, "accept"),
        "parameters": _mapping(parameters, "parameters"),
        "inputs": _mapping(inputs, "inputs"),
        "loops": None,
    }
    if loops is not None:
        path = os.fspath(loops)
        try:
            with open(path, encoding="utf-8") as file:
                options["loops"] = (path, file.read())
        except (OSError, UnicodeDecodeError) as e:
            raise Error(f"cannot read {path}: {e}") from None
    if "\n" in source:
        options["text"] = source
        options["folder"] = os.path.abspath(os.fspath(folder) if folder is not None else ".")
    else:
        options["path"] = source
        options["folder"] = os.path.dirname(os.path.abspath(source))
    mechanism = Mechanism(options)
    if any(d["severity"] == "warning" for d in mechanism.warnings):
        warnings.warn(mechanism._core.rendered_warnings, SpecWarning, stacklevel=2)
    return mechanism


def _read_formulas(source: Union[str, os.PathLike[str]]) -> tuple[str, str]:
    """Name and text of a file of formulas, or of a text with more than one line."""
    try:
        path = os.fspath(source)
    except TypeError:
        raise Error(f"`against` must be a path or a text, not {type(source).__name__}") from None
    if "\n" in path:
        return "text", path
    try:
        with open(path, encoding="utf-8") as file:
            return path, file.read()
    except (OSError, UnicodeDecodeError, ValueError) as e:
        raise Error(f"cannot read {path}: {e}") from None


#: Gain by rows, names of its columns, reference state and inputs.
_Gain = tuple[list[list[float]], "list[str] | None", list[float], list[float]]


def _as_json(value: Any) -> Any:
    """An array or a number of NumPy for `json`."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is neither a number nor a list")


def _read_feedback(feedback: Any) -> tuple[str, str]:
    """Name and text of a feedback: of a file, or of a dict as JSON, with a line for each key."""
    if isinstance(feedback, Mapping):
        try:
            lines = [f"  {json.dumps(str(key))}: {json.dumps(value, default=_as_json)}" for key, value in feedback.items()]
        except (TypeError, ValueError, RecursionError) as e:
            raise Error(f"`feedback` must be a dict of numbers, lists and dicts: {e}") from None
        return "feedback", "{\n" + ",\n".join(lines) + "\n}\n"
    path = os.fspath(feedback)
    try:
        with open(path, encoding="utf-8") as file:
            return os.fsdecode(path), file.read()
    except (OSError, UnicodeDecodeError, ValueError) as e:
        raise Error(f"cannot read {os.fsdecode(path)}: {e}") from None


def _sizes(sizes: Mapping[str, int] | None) -> list[tuple[str, int]]:
    out = []
    for name, value in _mapping(sizes, "set").items():
        if not isinstance(name, str) or isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            raise Error(f"`set` must have names and whole numbers, such as {{'n': 10}}, not {name!r}: {value!r}")
        if not -(2**63) <= int(value) < 2**63:
            raise Error(f"the size `{name}` is too large: {value}")
        out.append((name, int(value)))
    return out


def _mapping(value: Any, name: str) -> dict[Any, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Error(f"`{name}` must be a dict, not {type(value).__name__}")
    return dict(value)


def _texts(value: Any, name: str) -> list[str]:
    """A list of texts; a single text counts as one."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    try:
        texts = list(value)
    except TypeError:
        raise Error(f"`{name}` must be a list of texts, not {type(value).__name__}") from None
    if not all(isinstance(text, str) for text in texts):
        raise Error(f"`{name}` must be a list of texts, not {texts!r}")
    return texts


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise Error(f"`{name}` must be a number, not {type(value).__name__}")
    return float(value)


def _span(
    t_end: Any, step: Any, rtol: Any, atol: Any, rest_speed: Any, method: Any
) -> tuple[float, float | None, float, float, float, str]:
    if not isinstance(method, str):
        raise Error(f'`method` must be a text such as "dop853", not {type(method).__name__}')
    return (
        _number(t_end, "t_end"),
        None if step is None else _number(step, "step"),
        _number(rtol, "rtol"),
        _number(atol, "atol"),
        _number(rest_speed, "rest_speed"),
        method,
    )


def _shard(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    try:
        index, count = (int(part) if isinstance(part, (int, np.integer)) else None for part in value)
    except (TypeError, ValueError):
        index, count = None, None
    if index is None or count is None or not 0 <= index < count:
        raise Error(f"`shard` must be two whole numbers (i, n) with 0 <= i < n, not {value!r}")
    return index, count


class Mechanism:
    """A mechanism, from `load`. It cannot be changed, and threads can share it."""

    __slots__ = ("_core", "_options", "__weakref__")

    _core: _dqdt.Mechanism
    _options: dict[str, Any]

    def __init__(self, options: dict[str, Any]) -> None:
        core = _dqdt.Mechanism(**options)
        object.__setattr__(self, "_core", core)
        object.__setattr__(self, "_options", {**options, "text": core.text})

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a mechanism cannot be changed; load it with other options")

    def __reduce__(self) -> tuple[Any, ...]:
        return (Mechanism, (self._options,))

    def __repr__(self) -> str:
        return f"<dqdt mechanism {self.name}: {self.nx} states, {self.nu} inputs>"

    # Names and values

    def _names(self, *groups: str) -> list[str]:
        return [slot[0] for group in groups for slot in self._core.slots(group)]

    def _values(self, *groups: str) -> NDArray[np.float64]:
        return np.array([slot[3] for group in groups for slot in self._core.slots(group)], dtype=np.float64)

    @property
    def name(self) -> str:
        """Name of the mechanism."""
        return self._core.name

    @property
    def description(self) -> str:
        """Description of the mechanism in one line."""
        return self._core.description

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates, the first entries of a state."""
        return self._names("q")

    @property
    def speeds(self) -> list[str]:
        """Names of the speeds, which follow the coordinates in a state."""
        return self._names("v")

    @property
    def user_states(self) -> list[str]:
        """Names of the states that the spec adds, the last entries of a state."""
        return self._names("z")

    @property
    def states(self) -> list[str]:
        """Names of all entries of a state: coordinates, speeds, user states."""
        return self._names("q", "v", "z")

    @property
    def inputs(self) -> list[str]:
        """Names of the inputs."""
        return self._names("u")

    @property
    def outputs(self) -> list[str]:
        """Names of the outputs of the spec."""
        return self._core.outputs

    @property
    def events(self) -> list[str]:
        """Names of the events of the spec."""
        return self._core.events

    @property
    def parameters(self) -> dict[str, float]:
        """Parameters with their values in SI units."""
        return {slot[0]: slot[3] for slot in self._core.slots("p")}

    @property
    def units(self) -> dict[str, str]:
        """SI unit of each coordinate, speed, user state, input and parameter."""
        return {slot[0]: slot[1] for group in "qvzup" for slot in self._core.slots(group)}

    @property
    def descriptions(self) -> dict[str, str]:
        """Description of each coordinate, speed, user state, input and parameter that has one."""
        slots = (slot for group in "qvzup" for slot in self._core.slots(group))
        return {slot[0]: slot[2] for slot in slots if slot[2]}

    @property
    def start(self) -> NDArray[np.float64]:
        """Start state of the spec, assembled onto the constraints."""
        return self._values("q", "v", "z")

    @property
    def default_inputs(self) -> NDArray[np.float64]:
        """Default values of the inputs."""
        return self._values("u")

    @property
    def nx(self) -> int:
        """Number of entries of a state."""
        return len(self.states)

    @property
    def nu(self) -> int:
        """Number of inputs."""
        return len(self.inputs)

    @property
    def text(self) -> str:
        """Text of the source."""
        return self._core.text

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """Warnings and notes about the spec."""
        return self._core.warnings

    # Reports and code

    @property
    def equations(self) -> Report:
        """The equations of motion; a notebook shows them typeset."""
        return self.inspect(sections=["equations"])

    def inspect(
        self,
        *,
        form: Union[str, Iterable[str]] = (),
        sections: Union[str, Iterable[str]] = (),
        formalism: str | None = None,
    ) -> Report:
        """A report; by default of all parts that are short enough to read.

        form: forms of the equations: scalar, constrained, implicit, robot, recursive.
        sections: summary, equations, constraints, definitions, state, bodies, loads, parameters,
        energy, kinematics, topology, structure, costs, sources.

        Ctrl-C has an effect only when the report is done.
        """
        core = self._core.inspect(_texts(form, "form"), _texts(sections, "sections"), formalism)
        return Report(core, self.inspect)

    def base_parameters(self) -> BaseParameters:
        """The base inertial parameters, which efforts determine, with a report of them."""
        report, names, combinations = self._core.base_parameters()
        return BaseParameters(report, self.inspect, names, combinations)

    def sketch(self) -> str:
        """Drawing of the start pose, as SVG."""
        return self._core.sketch()

    def _repr_html_(self) -> str:
        return f"<p>{_escape(repr(self))}</p>{self.sketch()}"

    def emit(
        self,
        language: str = "rust",
        *,
        functions: Union[str, Iterable[str], None] = None,
        formalism: str | None = None,
        **options: Union[str, bool],
    ) -> Union[str, dict[str, str]]:
        """Code of the functions: a text, or texts by file name for a language with several files.

        options: those of `dqdt emit` for the language, such as `scalar="float"`.

        Ctrl-C has an effect only when the code is printed.
        """
        names = None if functions is None else _texts(functions, "functions")
        words = []
        for name, value in options.items():
            if value is False:
                continue
            if value is not True and not isinstance(value, str):
                raise Error(f"option `{name}` must be True or a text, not {type(value).__name__}")
            words.append((name, "true" if value is True else value))
        if not isinstance(language, str):
            raise Error(f"`language` must be a text, not {type(language).__name__}")
        texts = self._core.emit(language, names, formalism, words)
        return texts[0][1] if len(texts) == 1 else dict(texts)

    def prove(self, against: Union[str, os.PathLike[str], None] = None) -> list[Claim]:
        """Proves that all formalisms and printed forms agree; one claim for each comparison.

        against: path or text of formulas, such as those of a paper, to compare with the derived
        ones; one claim for each element. `open` then has the difference of a refuted element, and
        `counterexample` a point where it is not zero.

        Ctrl-C stops it when the claim is decided that is in progress; with `against`, and while
        equations are derived, when that is done.
        """
        if against is not None:
            name, text = _read_formulas(against)
            elements = self._core.prove_against(name, text)
            return [
                Claim(title, verdict, (difference,) if difference else (), dict(point))
                for title, verdict, difference, point in elements
            ]
        return [Claim(title, verdict, tuple(open)) for title, verdict, open in self._core.prove()]

    def compile(
        self,
        *functions: str,
        precision: str = "double",
        search: bool = False,
        formalism: str | None = None,
    ) -> Functions:
        """Derives functions and compiles them to machine code.

        functions: their names; "dqdt+outputs" is one call of both, named `dqdt_and_outputs`.
        precision: "double" or "single".
        search: True searches for the form with the fewest operations, which takes longer.

        Ctrl-C has an effect only when the functions are compiled.
        """
        if precision not in ("double", "single"):
            raise Error(f"`precision` must be \"double\" or \"single\", not {precision!r}")
        if not functions:
            raise Error("name the functions to compile, such as m.compile(\"dqdt\")")
        names = _texts(functions, "functions")
        return Functions(
            self._core.compile(names, result_type, precision == "single", bool(search), formalism)
        )

    # Motion

    def simulate(
        self,
        t_end: float = 10.0,
        start: Union[Mapping[str, Union[float, str]], ArrayLike, None] = None,
        inputs: Any = None,
        *,
        parameters: Union[Mapping[str, Setting], ArrayLike, None] = None,
        method: str = "dop853",
        rtol: float = 1e-9,
        atol: float = 1e-9,
        rest_speed: float = 1e-3,
        step: float | None = None,
        signals: Union[str, Iterable[str]] = (),
        feedback: Union[ArrayLike, Mapping[str, Any], os.PathLike[str], None] = None,
        around: Linearization | None = None,
        trim: Union[str, Sequence[str]] = (),
        formalism: str | None = None,
    ) -> Run:
        """Integrates the motion from t = 0.

        start: values by name, numbers in SI units or texts ("10 deg"), or a whole state; everything
            else is that of the spec.
        inputs: for each input a number, a formula ("-2 [N]*theta") or a callable of time and state;
        or one callable that returns all inputs.
        step: time between two rows; by default 1/500 of the motion.
        method: "dop853", or "radau" for stiff equations.
        rest_speed: approach speed of a stop (m/s or rad/s) below which its impact is plastic, so
        that the motion may rest on it.
        signals: further groups: definitions, multipliers, reactions, inputs.
        feedback: gain K of `u = u0 - K (x - x0)`; its columns are the states of `around`, a
        linearization, or of one after a trim of `trim`, or of the start. `inputs` take precedence.
        Or a dict or the path of a JSON file, as for `dqdt simulate --feedback`, with its own trim,
        for inputs that `inputs` does not set.
        """
        gain, file = self._feedback(feedback, around, _texts(trim, "trim"), parameters)
        core = self._core.simulate(
            _span(t_end, step, rtol, atol, rest_speed, method),
            _texts(signals, "signals"),
            start=_plain(start),
            inputs=_plain(inputs),
            parameters=_plain(parameters),
            feedback=gain,
            feedback_file=file,
            formalism=formalism,
        )
        if core.start_note is not None:
            warnings.warn(core.start_note, SpecWarning, stacklevel=2)
        return Run(core, self.name)

    def sweep(
        self,
        points: Any,
        t_end: float = 10.0,
        *,
        engine: str = "threads",
        out: Union[str, os.PathLike[str], None] = None,
        resume: bool = True,
        shard: tuple[int, int] | None = None,
        times: Iterable[float] = (),
        threads: int | None = None,
        chunk: int | None = None,
        signals: Union[str, Iterable[str]] = (),
        method: str = "dop853",
        rtol: float = 1e-9,
        atol: float = 1e-9,
        rest_speed: float = 1e-3,
        step: float | None = None,
        formalism: str | None = None,
    ) -> SweepResults:
        """Integrates the motion of each point: values of parameters, start values and inputs.

        points: a dict of arrays (a number applies to all points), a data frame, or a list of dicts,
        in SI units.
        engine: "threads", or "ray" or "dask" for the cluster that this process is connected to,
        whose workers need this package only.
        out: file of the results, as `dqdt simulate --points` writes it. Each point is appended
        when it ends; if `resume` is true, a file that is there is continued.
        shard: part (i, n) of the points: rows i, i + n, …; `out` is then a folder, for
        `dqdt collect`.
        times: further times at which states, outputs and signals are results.
        threads: number of threads; by default one for each core.
        chunk: number of points of a task of Ray or Dask.
        signals: further groups: definitions, multipliers, reactions, inputs.

        A point that cannot be simulated has the status "stopped" or "failed" and a message.
        """
        options = (
            _span(t_end, step, rtol, atol, rest_speed, method),
            _texts(signals, "signals"),
            [_number(t, "times") for t in times],
            formalism,
        )
        return run_sweep(
            self,
            options,
            points,
            engine=engine,
            out=out,
            resume=bool(resume),
            shard=_shard(shard),
            threads=threads,
            chunk=chunk,
        )

    def _feedback(
        self,
        gain: Any,
        around: Linearization | None,
        trim: list[str],
        parameters: Any,
    ) -> tuple[_Gain | None, tuple[str, str] | None]:
        if gain is None:
            if around is not None or trim:
                raise Error("`around` and `trim` need a gain: pass `feedback`")
            return None, None
        if around is not None and trim:
            raise Error("`around` is a linearization, so `trim` has no effect: pass one of the two")
        if isinstance(gain, (str, bytes, os.PathLike, Mapping)):
            if around is not None or trim:
                raise Error("`around` and `trim` belong to a matrix: a dict or a file has its own `trim`")
            return None, _read_feedback(gain)
        if around is None and trim:
            around = self.linearize(trim=trim, parameters=parameters)
        names: list[str] | None
        if around is None:
            names, x0, u0 = None, self.start, self.default_inputs
        elif isinstance(around, Linearization):
            names, x0, u0 = around.states, around.x0, around.u0
        else:
            raise Error(f"`around` must be a linearization, not {type(around).__name__}")
        try:
            matrix = np.asarray(gain, dtype=np.float64)
        except (TypeError, ValueError):
            raise Error("`feedback` must be a matrix of numbers") from None
        if matrix.ndim < 2:
            matrix = matrix.reshape(1, -1) if self.nu == 1 else matrix
        columns = self.states if names is None else names
        if matrix.shape != (self.nu, len(columns)) or not np.isfinite(matrix).all():
            raise Error(
                f"`feedback` must be a finite matrix of the shape ({self.nu}, {len(columns)}), inputs by the states "
                f"{', '.join(columns)}; its shape is {matrix.shape}"
            )
        return (matrix.tolist(), names, x0.tolist(), u0.tolist()), None

    def linearize(
        self,
        trim: Union[str, Sequence[str]] = (),
        *,
        at: Union[Mapping[str, Union[float, str]], ArrayLike, None] = None,
        inputs: Union[Mapping[str, float], ArrayLike, None] = None,
        parameters: Union[Mapping[str, Setting], ArrayLike, None] = None,
        independent: Union[str, Sequence[str]] = (),
    ) -> Linearization:
        """Linearises around a state, by default the start.

        trim: states and inputs that may change so that accelerations vanish.
        at: values by name, numbers in SI units or texts ("10 deg"), or a whole state.
        independent: states that are independent, if constraints leave a choice.
        """
        core = self._core.linearize(
            _texts(trim, "trim"),
            _texts(independent, "independent"),
            at=_plain(at),
            inputs=_plain(inputs),
            parameters=_plain(parameters),
        )
        if core.start_note is not None:
            warnings.warn(core.start_note, SpecWarning, stacklevel=2)
        names = _texts(independent, "independent")
        surplus = [name for name in names if name in core.dependent]
        if surplus:
            raise Error(
                f"constraints leave {len(core.states)} independent states, so these states in `independent` depend on "
                f"the others: {', '.join(surplus)}"
            )
        return Linearization(core, self.name, self.states)


def _plain(value: Any) -> Any:
    """A mapping as a dict; anything else unchanged."""
    return dict(value) if isinstance(value, Mapping) else value


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


Law = Callable[[float, "NDArray[np.float64]"], Any]
