"""What NVIDIA's compilers make of emitted CUDA: registers, local memory and code size by robot and precision.

usage: cuda_registers.py [--docs] [--all] [SPEC...]

Compiles `dqdt` of each robot by NVRTC and ptxas for sm_90. No GPU is needed: pip install nvidia-cuda-nvrtc-cu12
nvidia-cuda-nvcc-cu12. The command is DQDT (default: target/release/dqdt, else target/debug/dqdt).

--docs puts the table into docs/cuda.md. --all compiles all default functions of every example and robot, for sm_80 and sm_90,
without optimisation of ptxas, and prints what fails.

live: the largest number of values that are alive at the same time in the emitted order, as `dqdt emit --explain` prints it.
registers: of 32 bits; 255 is the limit. spilled: bytes stored because registers ran out. local: bytes of the frame, with the
40 bytes that the library's reduction of angles beyond the polynomials takes.
"""

import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK, END = "<!-- table: tests/peers/cuda_registers.py --docs -->", "<!-- end of table -->"
ROBOTS = [
    *(ROOT / "examples/specs" / f"{name}.toml" for name in ("cart_pole", "quadrotor", "four_bar", "stewart_platform")),
    *(ROOT / "tests/data/robots" / f"{name}.toml" for name in ("ur5", "panda", "chain10", "hyq", "anymal", "solo12", "talos")),
    *(ROOT / "tests/data/urdf" / f"{name}.urdf" for name in ("xarm7", "kinova", "allegro", "tiago", "cassie", "go2", "g1")),
]


def library(pattern):
    """A file of the packages of NVIDIA in this interpreter."""
    for folder in map(pathlib.Path, sys.path):
        found = sorted(folder.glob(f"nvidia/*/{pattern}"))
        if found:
            return str(found[0])
    sys.exit(f"{pattern} is missing: pip install nvidia-cuda-nvrtc-cu12 nvidia-cuda-nvcc-cu12")


class Nvrtc:
    """NVRTC by its C interface."""

    def __init__(self):
        self.lib = ctypes.CDLL(library("lib/libnvrtc.so.12"), mode=ctypes.RTLD_GLOBAL)
        self.ptxas = library("bin/ptxas")

    def text(self, program, what):
        size, name = ctypes.c_size_t(), f"nvrtcGet{what}"
        getattr(self.lib, f"{name}Size")(program, ctypes.byref(size))
        out = ctypes.create_string_buffer(size.value)
        getattr(self.lib, name)(program, out)
        return out.value.decode()

    def ptx(self, source, arch, options=()):
        """The PTX of a source for an architecture such as 90."""
        program = ctypes.c_void_p()
        self.lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"emitted.cu", 0, None, None)
        options = [f"--gpu-architecture=compute_{arch}".encode(), *(o.encode() for o in options)]
        failed = self.lib.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
        log = self.text(program, "ProgramLog")
        if failed or "warning" in log:
            raise RuntimeError(log)
        out = self.text(program, "PTX")
        self.lib.nvrtcDestroyProgram(ctypes.byref(program))
        return out

    def assemble(self, ptx, arch, options=("-v",)):
        """What ptxas says, and the bytes of code."""
        with tempfile.TemporaryDirectory() as folder:
            source, binary = pathlib.Path(folder, "a.ptx"), pathlib.Path(folder, "a.cubin")
            source.write_text(ptx)
            run = subprocess.run(
                [self.ptxas, *options, f"-arch=sm_{arch}", str(source), "-o", str(binary)], capture_output=True, text=True
            )
            if run.returncode:
                raise RuntimeError(run.stderr)
            return run.stderr, code_size(binary.read_bytes())


def code_size(elf):
    """Bytes of the sections .text of an object."""
    offset = int.from_bytes(elf[40:48], "little")
    size, count, names = (int.from_bytes(elf[k : k + 2], "little") for k in (58, 60, 62))
    rows = [elf[offset + k * size : offset + (k + 1) * size] for k in range(count)]
    where = lambda row: (int.from_bytes(row[24:32], "little"), int.from_bytes(row[32:40], "little"))
    start, _ = where(rows[names])
    total = 0
    for row in rows:
        at = start + int.from_bytes(row[:4], "little")
        if elf[at : elf.index(b"\0", at)].startswith(b".text."):
            total += where(row)[1]
    return total


def command():
    """The command `dqdt`."""
    built = [ROOT / "target" / profile / "dqdt" for profile in ("release", "debug")]
    return os.environ.get("DQDT") or next((str(path) for path in built if path.exists()), "dqdt")


def emit(spec, *options):
    """Emitted CUDA of a spec; legged robots have a free base."""
    with tempfile.TemporaryDirectory() as folder:
        if spec.stem in FREE and spec.suffix == ".urdf":
            free = pathlib.Path(folder, f"{spec.stem}.toml")
            free.write_text(f'name = "{spec.stem}"\ntemplate = "{spec.resolve()}"\n[urdf]\nbase = "free"\n')
            spec = free
        words = [command(), "emit", str(spec), "--language", "cuda", *options, "-o", "-"]
        run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return run.stdout


FREE = ("go2", "g1", "cassie")


def measure(nvrtc, spec, scalar):
    """A row of the table: live values, registers, spilled bytes, bytes of the frame, bytes of code."""
    source = emit(spec, "--functions", "dqdt", "--scalar", scalar)
    live = int(re.search(r"dqdt: .*?at most (\d+) values", source.replace("\n// ", " "))[1])
    suffix = {"float": "f32", "double": "f64"}[scalar]
    other = {"float": "F64", "double": "F32"}[scalar]
    # Only the kernel of `dqdt`.
    name = re.search(rf"void (\w+)_dqdt_{suffix}\(", source)[1]
    log, size = nvrtc.assemble(nvrtc.ptx(source, 90, [f"-DDQDT_WITHOUT_{other}", "-DDQDT_WITHOUT_ROLLOUTS"]), 90)
    part = log.split(f"Compiling entry function '{name}_dqdt_{suffix}'")[1]
    local, spilled = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores", part).groups()
    registers = re.search(r"Used (\d+) registers", part)[1]
    return live, int(registers), int(spilled), int(local), size


def ranks(values):
    """Ranks of numbers, equal ones sharing theirs."""
    order = sorted(values)
    return [order.index(x) + (order.count(x) - 1) / 2 for x in values]


def correlation(a, b):
    """Spearman's rank correlation."""
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    cov = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    return cov / (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5


def table(nvrtc, specs):
    """The table as Markdown."""
    rows, kinds = [], {}
    for spec in specs:
        cells = []
        for scalar, words in (("float", 1), ("double", 2)):
            live, registers, spilled, local, size = measure(nvrtc, spec, scalar)
            # Registers and spilled words, as one number.
            kinds.setdefault(scalar, []).append((live, registers + spilled // 4))
            cells += [live, registers, spilled, local, f"{size / 1024:.0f}"]
        rows.append(f"| {spec.stem} | " + " | ".join(map(str, cells)) + " |")
        print(rows[-1], flush=True)
    head = "| | live f32 | registers | spilled | local | KiB | live f64 | registers | spilled | local | KiB |"
    said = [f"{scalar} {correlation(*zip(*pairs)):.3f}" for scalar, pairs in kinds.items() if len(pairs) > 2]
    end = f"Rank correlation of live values with registers and spilled words: {', '.join(said)}."
    return "\n".join([head, "|---" * 11 + "|", *rows, "", end, ""])


def compile_all(nvrtc):
    """Compiles every default function of every example and robot; true if all compile."""
    specs = sorted((ROOT / "examples/specs").glob("*.toml")) + sorted((ROOT / "tests/data/robots").glob("*.toml"))
    specs += sorted((ROOT / "tests/data/urdf").glob("*.urdf"))
    good = True
    for spec in specs:
        try:
            source = emit(spec)
            for arch in (80, 90):
                nvrtc.assemble(nvrtc.ptx(source, arch), arch, ("-O0",))
            print(f"{spec.name}: {len(source.splitlines())} lines", flush=True)
        except RuntimeError as error:
            good = False
            print(f"{spec.name}: {str(error)[:2000]}", flush=True)
    return good


def main():
    nvrtc = Nvrtc()
    specs = [pathlib.Path(word) for word in sys.argv[1:] if not word.startswith("-")]
    if "--all" in sys.argv:
        sys.exit(0 if compile_all(nvrtc) else 1)
    text = table(nvrtc, specs or ROBOTS)
    print(text)
    if "--docs" in sys.argv:
        page = ROOT / "docs/cuda.md"
        before, rest = page.read_text().split(MARK)
        page.write_text(f"{before}{MARK}\n{text}{END}{rest.split(END, 1)[1]}")


if __name__ == "__main__":
    main()
