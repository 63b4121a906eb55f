"""Compares the features of crates in commands of one package with those of the whole workspace.

Where they differ, cargo compiles the crate and all that links it once more: the generator takes minutes. Prints the differences and
ends with status 1 if there are some.
"""

import subprocess
import sys

# Arguments of `cargo tree` for each command that must not compile the generator anew.
COMMANDS = {
    "cargo build --workspace": ["--workspace", "--edges", "normal,build"],
    "cargo dqdt": ["--package", "dqdt-command", "--edges", "normal"],
    "cargo run -p tour": ["--package", "tour", "--edges", "normal"],
    "python/build.sh": ["--package", "dqdt-python", "--edges", "normal"],
}

# The facade, which is small, and what only a package itself links.
EXCEPT = ("dqdt-codegen ",)


def features(arguments):
    """Sets of features with which each crate is compiled."""
    words = ["cargo", "tree", "--locked", "--prefix", "none", "--format", "{p}|{f}", *arguments]
    tree = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    found = {}
    for line in tree.replace(" (*)", "").splitlines():
        crate, _, names = line.partition("|")
        if crate:
            found.setdefault(crate, set()).add(names)
    return found


def main():
    workspace = features(["--workspace", "--edges", "normal,build,dev"])
    differs = False
    for command, arguments in COMMANDS.items():
        for crate, sets in sorted(features(arguments).items()):
            others = workspace.get(crate, set())
            if not sets <= others and not crate.startswith(EXCEPT):
                differs = True
                print(f"{command}: {crate} has the features {sorted(sets)}, in the tests of the workspace {sorted(others)}")
    if differs:
        print("ask for the same features in the manifest of the package, or in [workspace.dependencies]")
    return 1 if differs else 0


sys.exit(main())
