"""Sweeps: motions at many points, on threads or on a cluster of Ray or Dask."""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Sequence, Union

import numpy as np

from . import _dqdt
from ._dqdt import Error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._mechanism import Mechanism

    Matrix = NDArray[np.float64]
    Lines = list[tuple[int, str]]
    #: Pickled mechanism and options, hash of the derived equations, names, numbers and rows of a
    #: chunk.
    Chunk = tuple[bytes, str, list[str], list[int], Matrix]

#: Points of a task, unless the caller chooses another number.
CHUNK = 200

#: Tasks that wait or run, for each core of a cluster: enough to keep it busy.
TASKS_PER_CORE = 2

#: Derived equations of a worker process, by the hash of what they were derived from.
_DERIVED: dict[bytes, _dqdt.Sweep] = {}

#: Maximum number of these.
MOST_DERIVED = 4


class SweepResults:
    """Results of a sweep: `results["theta_final"]` is an array with an entry for each point."""

    __slots__ = ("name", "point", "status", "message", "_columns", "_values", "_points", "_names")

    def __init__(
        self, name: str, core: _dqdt.Sweep, lines: list[str], names: list[str], points: Matrix
    ) -> None:
        numbers, statuses, messages, values = core.read_lines(lines)
        #: Name of the mechanism.
        self.name: str = name
        #: Numbers of the points, which are those of the rows passed to `sweep`.
        self.point: NDArray[np.int64] = np.array(numbers, dtype=np.int64)
        #: "ok", "stopped" or "failed" for each point.
        self.status: NDArray[np.str_] = np.array(statuses, dtype="<U7")
        #: The reason where the status is not "ok"; else an empty text.
        self.message: list[str] = messages
        self._columns = {column: i for i, column in enumerate(core.columns)}
        self._values: Matrix = values
        self._names = names
        self._points = points

    def __getitem__(self, name: str) -> Matrix:
        """A result, or a value of the points, with an entry for each point."""
        column: Matrix
        if name in self._columns:
            column = self._values[:, self._columns[name]]
        elif name in self._names:
            column = self._points[self.point, self._names.index(name)]
        else:
            raise Error(f"there is no result {name!r}; there are: {', '.join(self.keys())}")
        return column

    def keys(self) -> list[str]:
        """Names of all results."""
        return list(self._columns)

    def _ipython_key_completions_(self) -> list[str]:
        return self._names + self.keys()

    def to_dataframe(self) -> Any:
        """Points and results as a `pandas.DataFrame`, with the number of the point as index."""
        import pandas

        columns: dict[str, Any] = {name: self[name] for name in self._names if name not in self._columns}
        columns.update(status=self.status, message=self.message)
        columns.update((name, self[name]) for name in self._columns)
        return pandas.DataFrame(columns, index=pandas.Index(self.point, name="point"))

    def __len__(self) -> int:
        return len(self.point)

    def __repr__(self) -> str:
        words, counts = np.unique(self.status, return_counts=True)
        counted = ", ".join(f"{n} {word}" for word, n in zip(words, counts))
        return f"<dqdt sweep of {self.name}: {len(self)} points{': ' if counted else ''}{counted}>"


def read_points(points: Any) -> tuple[list[str], Matrix]:
    """Names, and a matrix with a row for each point, of a dict of arrays, a data frame or dicts."""
    if isinstance(points, Mapping):
        columns = dict(points)
    elif hasattr(points, "columns") and hasattr(points, "to_numpy"):
        columns = {name: points[name].to_numpy() for name in points.columns}
    else:
        rows = _rows(points)
        names = list(rows[0])
        for i, row in enumerate(rows):
            if set(row) != set(names):
                raise Error(f"point {i} has the names {', '.join(map(str, row))}, unlike point 0: {', '.join(map(str, names))}")
        columns = {name: [row[name] for row in rows] for name in names}
    if not columns or not all(isinstance(name, str) for name in columns):
        raise Error("`points` must have names of parameters, start values or inputs")
    arrays = {name: _column(name, values) for name, values in columns.items()}
    lengths = {len(array) for array in arrays.values() if array.ndim == 1}
    if len(lengths) > 1:
        shown = ", ".join(f"{name}: {array.size}" for name, array in arrays.items())
        raise Error(f"the arrays of `points` must have one length, not {shown}")
    if not lengths:
        raise Error("`points` must have at least one array; a number alone applies to all points")
    count = lengths.pop()
    if count == 0:
        raise Error("`points` has no rows")
    matrix = np.column_stack([np.broadcast_to(array, count) for array in arrays.values()])
    return list(arrays), np.ascontiguousarray(matrix, dtype=np.float64)


def _rows(points: Any) -> list[Mapping[str, Any]]:
    expected = "`points` must be a dict of arrays, a data frame, or a list of dicts"
    try:
        rows = list(points)
    except TypeError:
        raise Error(f"{expected}, not {type(points).__name__}") from None
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise Error(expected)
    return rows


def _column(name: str, values: Any) -> Matrix:
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "fiu":
            raise ValueError
    except (TypeError, ValueError):
        raise Error(f"`{name}` in `points` must be an array of numbers in SI units") from None
    if array.ndim > 1:
        raise Error(f"`{name}` in `points` must have one dimension, not {array.ndim}")
    return array.astype(np.float64)


def run_sweep(
    mechanism: Mechanism,
    options: tuple[Any, ...],
    points: Any,
    *,
    engine: str,
    out: Union[str, os.PathLike[str], None],
    resume: bool,
    shard: tuple[int, int] | None,
    threads: int | None,
    chunk: int | None,
) -> SweepResults:
    """Runs a sweep; see `Mechanism.sweep`."""
    engines: dict[str, Engine] = {"ray": run_with_ray, "dask": run_with_dask}
    if engine != "threads" and engine not in engines:
        raise Error(f'`engine` must be "threads", "ray" or "dask", not {engine!r}')
    for name, value in [("threads", threads), ("chunk", chunk)]:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise Error(f"`{name}` must be a positive whole number, not {value!r}")
    names, matrix = read_points(points)
    core = mechanism._core.sweep(*options)
    all_points = core.points(names, matrix)
    index, count = (0, 1) if shard is None else shard
    file = None
    if out is not None:
        path = os.fspath(out)
        if shard is not None:
            os.makedirs(path, exist_ok=True)
            path = os.path.join(path, _dqdt.shard_file_name(index, count))
        file = core.open(path, all_points, resume, (index, count))
        missing = file.missing()
    else:
        missing = _dqdt.shard_numbers(index, count, len(matrix))
    lines: Lines = []
    if engine == "threads":
        lines = core.run(all_points, [(n, n) for n in missing], threads, file)
    elif missing:
        payload = pickle.dumps((mechanism, options))
        size = chunk or CHUNK
        parts = (missing[i : i + size] for i in range(0, len(missing), size))
        chunks = ((payload, core.mechanism_hash, names, part, matrix[part]) for part in parts)
        for done in engines[engine](chunks):
            if file is None:
                lines += done
            else:
                file.append(done)
    texts = [line for _, line in sorted(lines)] if file is None else file.finish()
    return SweepResults(mechanism.name, core, texts, names, matrix)


def run_chunk(chunk: Chunk) -> Lines:
    """Lines of the points of a chunk. A task may run twice: its lines do not change."""
    payload, mechanism_hash, names, numbers, rows = chunk
    key = hashlib.sha256(payload).digest()
    core = _DERIVED.get(key)
    if core is None:
        mechanism, options = pickle.loads(payload)
        core = mechanism._core.sweep(*options)
        if len(_DERIVED) >= MOST_DERIVED:
            _DERIVED.clear()
        _DERIVED[key] = core
    if core.mechanism_hash != mechanism_hash:
        raise Error("this worker has another version of dqdt, whose results differ: install the same version")
    points = core.points(names, np.ascontiguousarray(rows))
    return core.run(points, list(enumerate(numbers)), 1)


def run_with_ray(chunks: Iterable[Chunk]) -> Iterator[Lines]:
    """Runs chunks as tasks of the Ray cluster that this process is connected to."""
    import ray

    if not ray.is_initialized():
        warnings.warn("this process is not connected to a Ray cluster: calling ray.init()", stacklevel=4)
        ray.init()
    task = ray.remote(run_chunk)
    cores = int(ray.cluster_resources().get("CPU", 1))
    waiting: list[Any] = []
    for chunk in chunks:
        waiting.append(task.remote(chunk))
        if len(waiting) >= TASKS_PER_CORE * cores:
            done, waiting = ray.wait(waiting, num_returns=1)
            yield from map(ray.get, done)
    while waiting:
        done, waiting = ray.wait(waiting, num_returns=1)
        yield from map(ray.get, done)


def run_with_dask(chunks: Iterable[Chunk]) -> Iterator[Lines]:
    """Runs chunks as tasks of the Dask cluster whose client this process has."""
    import distributed

    try:
        client = distributed.get_client()
    except ValueError:
        warnings.warn("this process has no Dask client: calling distributed.Client()", stacklevel=4)
        client = distributed.Client()
    cores = max(1, sum(client.nthreads().values()))
    chunks = iter(chunks)
    first = itertools.islice(chunks, TASKS_PER_CORE * cores)
    running = distributed.as_completed([client.submit(run_chunk, chunk, pure=False) for chunk in first])
    for future in running:
        yield future.result()
        chunk = next(chunks, None)
        if chunk is not None:
            running.add(client.submit(run_chunk, chunk, pure=False))


Engine = Callable[[Iterable["Chunk"]], Iterator["Lines"]]

__all__: Sequence[str] = ["SweepResults", "run_chunk", "run_sweep"]
