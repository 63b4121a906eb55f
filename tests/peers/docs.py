"""Puts the table of a run into docs/performance.md, between its marks, and the figure beside it.

usage: docs.py WORK DOCS
"""

import sys
from pathlib import Path

BEGIN, END = "<!-- table: tests/peers/run.sh docs -->", "<!-- end of table -->"


def main():
    out, docs = Path(sys.argv[1]) / "out", Path(sys.argv[2])
    page = docs / "performance.md"
    before, rest = page.read_text().split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{(out / 'table.md').read_text()}{END}{after}")
    (docs / "peers.svg").write_text((out / "ratios.svg").read_text())


if __name__ == "__main__":
    main()
