"""One table a function from what one run of the drivers printed, with our best column beside the best peer.

usage: table.py WORK   reads WORK/out/results.tsv; writes WORK/out/table.md and WORK/out/ratios.svg

A line of results: tool model function median least ninetieth error, nanoseconds, tabs between.
"""

import statistics
import sys
from pathlib import Path

from lines import GOALS, MUST

TITLES = {"fd": "Forward dynamics", "id": "Inverse dynamics", "crba": "Mass matrix", "loop": "Closed loops"}
# What a user builds upon, and does not generate.
LIBRARIES = ("pinocchio", "mujoco")
AGREES = 1e-9


def read(path):
    """Least median of each cell: a file may hold several runs. Errors are the largest."""
    cells = {}
    for line in path.read_text().splitlines():
        tool, model, function, median, _, _, error = line.split("\t")
        table = cells.setdefault(function, {}).setdefault(tool, {})
        old = table.get(model, (float("inf"), 0.0))
        table[model] = (min(old[0], float(median)), max(old[1], float(error)))
    return cells


def ours(tool):
    return tool.startswith("dqdt")


def generator(tool):
    return not ours(tool) and not tool.startswith(LIBRARIES)


def best(tools, model, keep):
    found = [(cells[model][0], tool) for tool, cells in tools.items() if keep(tool) and model in cells]
    return min(found, default=(None, None))


def row(name, values):
    return f"| {name} | " + " | ".join(values) + " |"


def summary(tools, models, function):
    """Rows below the times, and the ratio of each model to the best generator."""
    rows, ratios = [], {}
    peers = {m: best(tools, m, generator) for m in models}
    us = {m: best(tools, m, ours) for m in models}
    named = best_fixed_name(tools, models)
    rows.append(row("best generator", [f"{peers[m][0]:.0f} {peers[m][1]}" if peers[m][0] else "-" for m in models]))
    rows.append(row("our best", [f"{us[m][0]:.0f} {us[m][1].removeprefix('dqdt_')}" for m in models]))
    for tool in ("dqdt_default", "dqdt_default_fused", "best"):
        ratio = {}
        for m in models:
            t = us[m][0] if tool == "best" else tools.get(tool, {}).get(m, (None,))[0]
            if t and peers[m][0]:
                ratio[m] = t / peers[m][0]
        title = "our best" if tool == "best" else tool
        rows.append(row(f"**{title} / best generator**", [f"{ratio[m]:.2f}" if m in ratio else "-" for m in models]))
        if tool == "best":
            ratios = ratio
    for title, lines in (("must", MUST), ("to reach", GOALS)):
        if function in lines:
            of = lines[function]
            rows.append(row(title, [f"{of[m]:.2f}" if m in of else "-" for m in models]))
    pinocchio = {m: best(tools, m, lambda t: t.startswith("pinocchio"))[0] for m in models}
    rows.append(row("Pinocchio / our best", [f"{pinocchio[m] / us[m][0]:.1f}" if pinocchio[m] else "-" for m in models]))
    worst = {m: max((tools[t][m][1] for t in tools if ours(t) and m in tools[t]), default=0.0) for m in models}
    rows.append(row("our largest disagreement", [f"{worst[m]:.0e}" for m in models]))
    wrong = [f"{m} by {worst[m]:.1e}" for m in models if not worst[m] <= AGREES]
    missed = [(ratios[m] / MUST[function][m], m) for m in ratios if m in MUST.get(function, {})]
    missed = [f"{m} {ratios[m]:.2f} (must {MUST[function][m]:.2f})" for q, m in sorted(missed, reverse=True) if q > 1]
    return rows, ratios, wrong, missed, named


def best_fixed_name(tools, models):
    """Our column that is quickest on the whole, by the geometric mean of its ratios to our best of each model."""
    scores = []
    for tool, cells in tools.items():
        if ours(tool) and all(m in cells for m in models):
            scores.append((statistics.geometric_mean(cells[m][0] / best(tools, m, ours)[0] for m in models), tool))
    return min(scores, default=(None, None))


def main():
    work = Path(sys.argv[1])
    cells = read(work / "out/results.tsv")
    text, all_ratios, failed = [], {}, False
    for function, title in TITLES.items():
        tools = cells.get(function)
        if not tools:
            continue
        models = list(dict.fromkeys(m for t in tools.values() for m in t))
        text += [f"\n**{title}** (ns, median)\n", row("", models), "|---" * (len(models) + 1) + "|"]
        for tool, values in tools.items():
            marks = {m: "" if e <= AGREES or tool.startswith("mujoco") else " (differs)" for m, (_, e) in values.items()}
            text.append(row(tool, [f"{values[m][0]:.0f}{marks[m]}" if m in values else "-" for m in models]))
        rows, ratios, wrong, missed, named = summary(tools, models, function)
        text += rows
        all_ratios[title] = ratios
        text.append("")
        if named[0]:
            text.append(f"Our quickest single column: {named[1]}, {100 * (named[0] - 1):.0f} % above the best of each model.")
        text.append(f"Above a must line: {', '.join(missed) if missed else 'none'}.")
        if wrong:
            failed = True
            text.append(f"**Results differ by more than {AGREES}: {', '.join(wrong)}.**")
    (work / "out/table.md").write_text("\n".join(text).lstrip() + "\n")
    (work / "out/ratios.svg").write_text(svg(all_ratios))
    print("\n".join(text))
    return 1 if failed else 0


def svg(all_ratios):
    """Ratios to the best generator as dots on a logarithmic line, one line a function; below one is quicker."""
    import math

    left, width, top, step = 130, 480, 34, 36
    place = lambda ratio: left + width * (math.log2(ratio) + 2) / 3  # a quarter to twice
    height = top + step * len(all_ratios) + 30
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="640" height="{height}" fill="white"/>',
        '<text x="10" y="18">Time of our code by that of the best generator, one dot a model</text>',
    ]
    bottom = top + step * len(all_ratios)
    for ratio, label in ((0.25, "1/4"), (0.5, "1/2"), (1.0, "1"), (2.0, "2")):
        x = place(ratio)
        colour = "#888" if ratio == 1.0 else "#ddd"
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}" stroke="{colour}"/>')
        out.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{label}</text>')
    for i, (title, ratios) in enumerate(all_ratios.items()):
        y = top + step * (i + 0.5)
        out.append(f'<text x="10" y="{y + 4:.0f}">{title}</text>')
        for model, ratio in ratios.items():
            x = place(min(max(ratio, 0.25), 2.0))
            out.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#1f77b4" fill-opacity="0.6">'
                f"<title>{model}: {ratio:.2f}</title></circle>"
            )
    return "\n".join([*out, "</svg>"]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
