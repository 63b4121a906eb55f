"""Builds the tests of the workspace, then the command, the tour and the Python package: the generator is compiled once for all.

Where a package asks for other features of a crate than the workspace does, cargo compiles the crate
and all that links it once more: for the generator that takes minutes. Prints what was compiled again
and ends with status 1. `cargo tree --edges normal,build --format '{p} {f}'`, with `--workspace` and
with `--package`, shows the features.
"""

import collections
import json
import subprocess
import sys

# A crate that links most of the generator.
GENERATOR = "dqdt_derivation"

OTHERS = {"dqdt-command": "cargo dqdt", "tour": "cargo run -p tour", "dqdt-python": "python/build.sh"}


def artifacts(words):
    """Libraries that a command of cargo builds: name, and whether they were compiled by it."""
    words = ["cargo", *words, "--message-format", "json-render-diagnostics"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as cargo:
        for line in cargo.stdout:
            message = json.loads(line) if line.startswith("{") else {}
            if message.get("reason") == "compiler-artifact" and not message["profile"]["test"]:
                yield message["target"]["name"], not message["fresh"]
    if cargo.returncode:
        sys.exit(cargo.returncode)


def main():
    twice = False
    counts = collections.Counter(name for name, _ in artifacts(["test", "--workspace", "--no-run"]))
    if counts[GENERATOR] != 1:
        twice = True
        print(f"the tests of the workspace link {counts[GENERATOR]} builds of `{GENERATOR}`: for build scripts and for the rest")
    for package, command in OTHERS.items():
        again = [name for name, is_compiled in artifacts(["build", "--package", package]) if is_compiled]
        if GENERATOR in again:
            twice = True
            print(f"`{command}` compiles again: {', '.join(again)}")
    if twice:
        print("ask for the same features in the manifests, or in [workspace.dependencies]")
    return 1 if twice else 0


sys.exit(main())
