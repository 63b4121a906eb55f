"""Times emitted CUDA on the device that is there: evaluations and rollouts by batch, errors beside doubles.

usage: gpu.py [--host] [--docs] [--seconds S] [SPEC...]

Needs NumPy, the driver's library and pip install nvidia-cuda-nvrtc-cu12. One run takes below ten minutes, and prints a table
with the device and its clocks. --host compiles the same header by g++, whose kernels are loops, and times one core: it needs no
GPU, and shows that the script is complete; its time is that of the processor. --docs puts the table into docs/cuda.md.
The specs of iiwa14, go2 and g1 of the field's newest table are FOLDER/NAME.toml after `robots.py FOLDER`.

Errors are those of accelerations in f32, relative to the largest acceleration of the same state in f64: largest, median, share
of entries beyond 1e-3. Random states of single precision: angles within 2.5 rad, speeds within 2, inputs within 10.
"""

import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
from cuda_registers import END, ROOT, Nvrtc, emit

ROBOTS = [
    *(ROOT / "tests/data/robots" / f"{name}.toml" for name in ("ur5", "panda", "chain10", "hyq")),
    *(ROOT / "tests/data/urdf" / f"{name}.urdf" for name in ("go2", "g1")),
]
BATCHES = (16, 64, 256, 1024, 4096, 16384, 65536)
SAMPLES = (1024, 65536)
STEPS = 32
REALS = {"f32": np.float32, "f64": np.float64}


class Header:
    """An emitted header: its text, the name of the mechanism, its lengths."""

    def __init__(self, spec):
        self.text = emit(spec, "--functions", "dqdt")
        self.name = re.search(r"void (\w+)_dqdt_f64\(", self.text)[1]
        lengths = dict(re.findall(r"    (N[A-Z]+) = (\d+), //", self.text))
        self.nq, self.nv, self.nx, self.nu, self.nmodel = (int(lengths[n]) for n in ("NQ", "NV", "NX", "NU", "NMODEL"))
        self.quaternions = [int(i) for i in re.findall(r"normalise\(x \+ (\d+)\)", self.text)]

    def samples(self, n):
        """States and inputs by coordinate."""
        random = np.random.default_rng(1)
        x = random.uniform(-2.5, 2.5, (self.nx, n))
        x[self.nq :] = random.uniform(-2, 2, (self.nx - self.nq, n))
        for i in self.quaternions:
            x[i : i + 4] = random.normal(size=(4, n))
            x[i : i + 4] /= np.linalg.norm(x[i : i + 4], axis=0)
        u = random.uniform(-10, 10, (self.nu, n))
        return x.astype(np.float32), u.astype(np.float32)


class Host:
    """Kernels as loops on one core."""

    def __init__(self, header):
        with tempfile.TemporaryDirectory() as folder:
            source, binary = pathlib.Path(folder, "a.cpp"), pathlib.Path(folder, "a.so")
            # The C++ form has inline kernels with C names: this file exports them.
            text = header.text.replace('#define DQDT_KERNEL extern "C" inline', '#define DQDT_KERNEL extern "C"')
            source.write_text(text)
            flags = ["-O3", "-march=native", "-std=c++14", "-shared", "-fPIC"]
            subprocess.run(["g++", *flags, str(source), "-o", str(binary)], check=True)
            self.library = ctypes.CDLL(str(binary))

    @staticmethod
    def describe():
        """The processor."""
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return "one core of " + next((line.split(": ")[1] for line in lines if line.startswith("model name")), "?")

    def array(self, values):
        return np.ascontiguousarray(values)

    def empty(self, shape, dtype):
        return np.empty(shape, dtype)

    def read(self, array):
        return array

    def kernel(self, name, arguments):
        """A function that runs a kernel once; `n`, the number of states, is an argument."""
        f = getattr(self.library, name)
        f.restype = None
        values = [by_pointer(a) if isinstance(a, np.ndarray) else a for a in arguments]

        def run(n):
            # The list keeps the arrays alive.
            assert len(arguments) == len(values)
            f(*values)

        return run

    def model(self, header, suffix):
        """The model by value, as an argument."""
        numbers = np.empty(header.nmodel, REALS[suffix])
        self.kernel(f"{header.name}_model_{suffix}", [None, numbers])(1)
        return structure(numbers)

    def seconds(self, run, n, enough):
        """Least time of the processor for a run [s]."""
        times, end = [], time.thread_time() + enough
        while len(times) < 3 or time.thread_time() < end and len(times) < 1000:
            begin = time.thread_time()
            run(n)
            times.append(time.thread_time() - begin)
        return min(times)


def by_pointer(array):
    """The address of the numbers of an array."""
    return ctypes.c_void_p(array.ctypes.data)


def structure(numbers):
    """A C structure with these numbers, which is passed by value."""
    of_type = ctypes.c_float if numbers.dtype == np.float32 else ctypes.c_double
    fields = type("Model", (ctypes.Structure,), {"_fields_": [("numbers", of_type * len(numbers))]})
    return fields.from_buffer_copy(numbers.tobytes())


class Device:
    """The first device, by the C interface of the driver."""

    lib = None

    def __init__(self, header):
        if Device.lib is None:
            Device.start()
        major, minor = (self.attribute(k) for k in (75, 76))
        ptx = Nvrtc().ptx(header.text, f"{major}{minor}").encode()
        self.module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(self.module), ptx)

    @classmethod
    def start(cls):
        """Opens the first device."""
        try:
            cls.lib = ctypes.CDLL("libcuda.so.1")
        except OSError:
            sys.exit("There is no CUDA device here: libcuda.so.1 is missing. `--host` times one core instead.")
        cls.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        cls.call("cuDeviceGet", ctypes.byref(device), 0)
        cls.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        cls.call("cuCtxSetCurrent", context)
        cls.device = device

    @classmethod
    def call(cls, name, *arguments):
        error = getattr(cls.lib, name)(*arguments)
        if error:
            sys.exit(f"{name}: error {error} of the driver")

    @classmethod
    def attribute(cls, number):
        """An attribute of the device; 75, 76: compute capability, 13, 36: clocks in kHz, 16: multiprocessors."""
        value = ctypes.c_int()
        cls.call("cuDeviceGetAttribute", ctypes.byref(value), number, cls.device)
        return value.value

    @classmethod
    def describe(cls):
        """Name and clocks."""
        if cls.lib is None:
            cls.start()
        name = ctypes.create_string_buffer(256)
        cls.call("cuDeviceGetName", name, 256, cls.device)
        clock, memory, count = (cls.attribute(k) for k in (13, 36, 16))
        return f"{name.value.decode()}, {count} multiprocessors, {clock / 1e3:.0f} MHz, memory {memory / 1e3:.0f} MHz"

    def empty(self, shape, dtype):
        """An array on the device: its address, shape and type."""
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        at = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(max(size, 8)))
        return DeviceArray(at, shape, np.dtype(dtype))

    def array(self, values):
        values = np.ascontiguousarray(values)
        out = self.empty(values.shape, values.dtype)
        if values.size:
            self.call("cuMemcpyHtoD_v2", out.at, by_pointer(values), ctypes.c_size_t(values.nbytes))
        return out

    def read(self, array):
        out = np.empty(array.shape, array.dtype)
        self.call("cuMemcpyDtoH_v2", by_pointer(out), array.at, ctypes.c_size_t(out.nbytes))
        return out

    def kernel(self, name, arguments):
        f = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(f), self.module, name.encode())
        values = [a.at if isinstance(a, DeviceArray) else ctypes.c_void_p(0) if a is None else a for a in arguments]
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))

        def run(n):
            # The lists keep the values and the arrays alive.
            assert len(arguments) == len(values) == len(pointers)
            self.call("cuLaunchKernel", f, (n + 127) // 128, 1, 1, 128, 1, 1, 0, None, pointers, None)

        return run

    def model(self, header, suffix):
        numbers = self.empty((header.nmodel,), REALS[suffix])
        self.kernel(f"{header.name}_model_{suffix}", [None, numbers])(1)
        return structure(self.read(numbers))

    def seconds(self, run, n, enough):
        """Least time of a run [s], by events around ten runs."""
        events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in events:
            self.call("cuEventCreate", ctypes.byref(event), 0)
        run(n)
        times, end = [], time.perf_counter() + enough
        while len(times) < 3 or time.perf_counter() < end:
            self.call("cuEventRecord", events[0], None)
            for _ in range(10):
                run(n)
            self.call("cuEventRecord", events[1], None)
            self.call("cuEventSynchronize", events[1])
            milliseconds = ctypes.c_float()
            self.call("cuEventElapsedTime", ctypes.byref(milliseconds), *events)
            times.append(milliseconds.value / 1e4)
        return min(times)


class DeviceArray:
    """An array on the device."""

    def __init__(self, at, shape, dtype):
        self.at, self.shape, self.dtype = at, shape, dtype


def evaluate(machine, header, suffix, n):
    """A run of `dqdt` for n states, and the array of its results."""
    real, integer = REALS[suffix], ctypes.c_int
    scalar = ctypes.c_float if suffix == "f32" else ctypes.c_double
    x, u = (machine.array(a.astype(real)) for a in header.samples(n))
    dx, verdicts = machine.empty((header.nx, n), real), machine.empty((n,), np.int32)
    fallible = re.search(rf"{header.name}_dqdt_{suffix}\([^)]*int \*verdicts", header.text)
    arguments = [machine.model(header, suffix), scalar(0), integer(n), integer(n), x, u, dx]
    return machine.kernel(f"{header.name}_dqdt_{suffix}", arguments + ([verdicts] if fallible else [])), dx


def roll_out(machine, header, suffix, n):
    """A run of rollouts of n samples with held inputs."""
    real, integer = REALS[suffix], ctypes.c_int
    scalar = ctypes.c_float if suffix == "f32" else ctypes.c_double
    x, u = (machine.array(a.astype(real)) for a in header.samples(n))
    last, completed = machine.empty((header.nx, n), real), machine.empty((n,), np.int32)
    run = [scalar(0), scalar(1e-3), integer(STEPS), integer(0), integer(n), integer(n)]
    arguments = [machine.model(header, suffix), *run, x, u, last, None, completed]
    return machine.kernel(f"{header.name}_rk4_rollout_{suffix}", arguments)


def errors(single, double):
    """Largest and median error of singles, and the share of entries beyond 1e-3."""
    size = np.abs(double).max(axis=0)
    relative = np.abs(single - double) / np.where(size > 0, size, 1)
    return f"{relative.max():.1e} | {np.median(relative):.1e} | {100 * (relative > 1e-3).mean():.3f} %"


def rows_of(kind, spec, enough):
    """The rows of a robot: single precision with its errors, then double."""
    header = Header(spec)
    machine, results, rows = kind(header), {}, {}
    for suffix in REALS:
        cells = []
        for n in BATCHES:
            run, dx = evaluate(machine, header, suffix, n)
            cells.append(f"{1e9 * machine.seconds(run, n, enough) / n:.2f}")
            results[suffix] = machine.read(dx)[header.nq : header.nq + header.nv].astype(np.float64)
        for n in SAMPLES:
            run = roll_out(machine, header, suffix, n)
            cells.append(f"{1e9 * machine.seconds(run, n, enough) / (n * STEPS):.2f}")
        rows[suffix] = " | ".join(cells)
    single = f"| {spec.stem} | f32 | {rows['f32']} | {errors(results['f32'], results['f64'])} |"
    return [single, f"| {spec.stem} | f64 | {rows['f64']} | | | |"]


def main():
    words = sys.argv[1:]
    enough = float(words[words.index("--seconds") + 1]) if "--seconds" in words else 0.2
    specs = [pathlib.Path(word) for word in words if word.endswith((".toml", ".urdf"))] or ROBOTS
    kind = Host if "--host" in words else Device
    batches = " | ".join([*(f"{n:,}" for n in BATCHES), *(f"RK4, {n:,}" for n in SAMPLES)])
    lines = [
        f"{kind.describe()}. ns a state of `dqdt`, ns a step and sample of {STEPS} RK4 steps.\n",
        f"| | | {batches} | largest error | median | beyond 1e-3 |",
        "|---" * (len(BATCHES) + len(SAMPLES) + 5) + "|",
    ]
    print("\n".join(lines))
    for spec in specs:
        rows = rows_of(kind, spec, enough)
        print("\n".join(rows), flush=True)
        lines += rows
    if "--docs" in words:
        page = ROOT / "docs/cuda.md"
        mark = f"<!-- times: tests/peers/gpu.py {'--host ' if kind is Host else ''}--docs -->"
        before, rest = page.read_text().split(mark)
        table = "\n".join(lines)
        page.write_text(f"{before}{mark}\n{table}\n{END}{rest.split(END, 1)[1]}")


if __name__ == "__main__":
    main()
