"""Puts the tables of a run into docs/performance.md, between their marks, and the figure beside it.

usage: docs.py WORK DOCS
"""

import sys
from pathlib import Path

# Of each page of a run the mark that it stands behind.
MARKS = {
    "table": "<!-- table: tests/peers/run.sh docs -->",
    "derivatives": "<!-- derivatives: PEERS_FUNCTIONS=dfd tests/peers/run.sh docs -->",
    "derivatives_large": "<!-- large derivatives: PEERS_FUNCTIONS=dfd tests/peers/run.sh docs -->",
    "field": "<!-- field: tests/peers/run.sh field docs -->",
    "batch": "<!-- batch: tests/peers/run.sh batch docs -->",
    "rollout": '<!-- rollout: PEERS_MODELS="ur5 panda" tests/peers/run.sh rollout docs -->',
}
END = "<!-- end of table -->"


def main():
    out, docs = Path(sys.argv[1]) / "out", Path(sys.argv[2])
    page = docs / "performance.md"
    for name, mark in MARKS.items():
        table = out / f"{name}.md"
        if table.exists() and mark not in page.read_text():
            print(f"no place for {name} in {page}: write a section with {mark} and {END}")
        elif table.exists():
            before, rest = page.read_text().split(mark)
            after = rest.split(END, 1)[1]
            page.write_text(f"{before}{mark}\n{table.read_text()}{END}{after}")
    if (out / "table.md").exists():
        (docs / "peers.svg").write_text((out / "ratios.svg").read_text())


if __name__ == "__main__":
    main()
