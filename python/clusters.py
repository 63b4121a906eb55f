"""One sweep by threads, eight shards, Ray and Dask: equal bytes, also after kill -9.

Workers note the beginning and the end of each chunk of points in a log. So it can be counted which
points a kill costs: of a worker, those that begin twice; of the driver, those that have begun and
are not in the results file, and are simulated again by `resume`. There may be as many as the
cluster has at a time.

`python/clusters.sh` installs what it needs. Arguments: number of points.
"""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import psutil

import dqdt
from dqdt import _sweep

SPEC = pathlib.Path(__file__).resolve().parents[1] / "examples" / "specs" / "cart_pole.toml"
OPTIONS = {"t_end": 1.0, "step": 0.1, "times": [0.5]}

#: Options of a driver process that is killed.
DRIVER = "--drive"


def points(count: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    ranges = {"m_pole": (0.1, 0.5), "l": (0.2, 0.6), "theta": (-0.5, 0.5), "force": (-5, 5)}
    return {name: random.uniform(*ends, count) for name, ends in ranges.items()}


def start_ray() -> object:
    import ray

    ray.init(num_cpus=os.cpu_count(), include_dashboard=False, logging_level="ERROR")
    return ray


def start_dask() -> object:
    import distributed

    cluster = distributed.LocalCluster(n_workers=os.cpu_count(), threads_per_worker=1, dashboard_address=None)
    return distributed.Client(cluster)


def stop(engine: str, handle: object) -> None:
    if engine == "ray":
        handle.shutdown()
    elif engine == "dask":
        handle.cluster.close()
        handle.close()


START = {"ray": start_ray, "dask": start_dask, "threads": lambda: None}


def lines_of(path: pathlib.Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def log_chunks(log: pathlib.Path) -> None:
    """Lets workers note in a log when they begin and end a chunk. Only this process is changed:
    workers import the package as it is."""

    def run_chunk(chunk: _sweep.Chunk) -> _sweep.Lines:
        from dqdt import _sweep as unchanged

        def note(word: str) -> None:
            with open(log, "a") as file:
                file.write(f"{word} {chunk[3][0]} {len(chunk[3])}\n")

        note("begin")
        lines = unchanged.run_chunk(chunk)
        note("end")
        return lines

    log.write_text("")
    _sweep.run_chunk = run_chunk


def logged(log: pathlib.Path, what: str) -> list[range]:
    """Numbers of the points of all chunks that began, or ended."""
    words = [line.split() for line in log.read_text().splitlines()]
    return [range(int(first), int(first) + int(n)) for word, first, n in words if word == what]


def points_in(path: pathlib.Path) -> set[int]:
    """Numbers of the points with a whole line, below the two lines of the head."""
    whole = path.read_bytes().rpartition(b"\n")[0].splitlines()[2:]
    return {int(line.split(b",")[0]) for line in whole}


def most_lost() -> int:
    """Number of points that a cluster of this machine has at a time."""
    return _sweep.TASKS_PER_CORE * (os.cpu_count() or 1) * _sweep.CHUNK


def worker_processes(engine: str, handle: object) -> list[int]:
    if engine == "dask":
        return list(handle.run(os.getpid).values())
    tree = psutil.Process().children(recursive=True)
    return [p.pid for p in tree if any("ray::" in word and "run_chunk" in word for word in p.cmdline())]


def kill_a_worker(engine: str, handle: object, path: pathlib.Path, count: int, killed: list[int]) -> None:
    """Kills a worker once a tenth of the points are done."""
    while lines_of(path) < count / 10:
        time.sleep(0.05)
    for pid in worker_processes(engine, handle)[:1]:
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)


def drive(engine: str, count: int, path: str) -> None:
    log_chunks(pathlib.Path(path).with_suffix(".log"))
    handle = START[engine]()
    dqdt.load(SPEC).sweep(points(count), engine=engine, out=path, **OPTIONS)
    stop(engine, handle)


def main(count: int, folder: pathlib.Path) -> None:
    m = dqdt.load(SPEC)
    all_points = points(count)
    begun = time.monotonic()
    whole = folder / "threads.csv"
    results = m.sweep(all_points, out=whole, **OPTIONS)
    print(f"threads: {time.monotonic() - begun:.1f} s, {results}")
    expected = whole.read_bytes()

    begun = time.monotonic()
    for i in range(8):
        m.sweep(all_points, out=folder / "shards", shard=(i, 8), **OPTIONS)
    print(f"eight shards: {time.monotonic() - begun:.1f} s")
    if os.environ.get("DQDT"):
        joined = subprocess.run([os.environ["DQDT"], "collect", folder / "shards"], capture_output=True, check=True)
        assert joined.stdout == expected, "joined shards differ"
        print("eight shards, joined: equal bytes")

    for engine in ["ray", "dask"]:
        handle = START[engine]()
        path = folder / f"{engine}.csv"
        begun = time.monotonic()
        m.sweep(all_points, engine=engine, out=path, **OPTIONS)
        print(f"{engine}: {time.monotonic() - begun:.1f} s")
        assert path.read_bytes() == expected, engine
        path = folder / f"{engine}-killed-worker.csv"
        killed: list[int] = []
        log, plain = path.with_suffix(".log"), _sweep.run_chunk
        log_chunks(log)
        killer = threading.Thread(target=kill_a_worker, args=(engine, handle, path, count, killed))
        killer.start()
        begun = time.monotonic()
        m.sweep(all_points, engine=engine, out=path, **OPTIONS)
        killer.join()
        _sweep.run_chunk = plain
        assert killed and path.read_bytes() == expected, engine
        begins = [number for chunk in logged(log, "begin") for number in chunk]
        twice = len(begins) - len(set(begins))
        assert len(set(begins)) == count and twice <= most_lost(), f"{engine}: {twice} points ran twice"
        seconds = time.monotonic() - begun
        print(f"{engine}, a worker killed: {seconds:.1f} s, equal bytes, {twice} points ran twice")
        stop(engine, handle)

    for engine in ["threads", "ray", "dask"]:
        path = folder / f"{engine}-killed-driver.csv"
        words = [sys.executable, __file__, str(count), DRIVER, engine, str(path)]
        driver = subprocess.Popen(words, start_new_session=True)
        while lines_of(path) < count / 5 and driver.poll() is None:
            time.sleep(0.05)
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
        kept, log = points_in(path), path.with_suffix(".log")
        chunks = {what: {n for chunk in logged(log, what) for n in chunk} for what in ["begin", "end"]}
        lost = chunks["begin"] - kept
        assert len(lost) <= most_lost(), f"{engine}: {len(lost)} points are lost"
        begun = time.monotonic()
        m.sweep(all_points, out=path, **OPTIONS)
        assert path.read_bytes() == expected, engine
        seconds = time.monotonic() - begun
        text = f"{engine}, driver killed after {len(kept)} points: resumed in {seconds:.1f} s, equal bytes"
        if engine != "threads":
            text += f", {len(lost)} points ran twice ({len(lost & chunks['end'])} had ended)"
        print(text)


if __name__ == "__main__":
    if sys.argv[2:3] == [DRIVER]:
        drive(sys.argv[3], int(sys.argv[1]), sys.argv[4])
    else:
        with tempfile.TemporaryDirectory() as home:
            main(int(sys.argv[1]), pathlib.Path(home))
