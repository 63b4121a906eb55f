"""The figure of the README: our time by that of the best generator, a dot a model, a line a function."""

import math

LEFT, WIDTH, TOP, STEP = 130, 480, 34, 36
# The line is logarithmic; what lies outside is drawn at its end.
LEAST, MOST = 0.125, 2.0


def place(ratio):
    ratio = min(max(ratio, LEAST), MOST)
    return LEFT + WIDTH * math.log(ratio / LEAST) / math.log(MOST / LEAST)


def svg(ratios):
    """`ratios`: by title, then by model."""
    bottom = TOP + STEP * len(ratios)
    height = bottom + 30
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="640" height="{height}" fill="white"/>',
        '<text x="10" y="18">Time of our code by that of the best generator, one dot a model; left of 1 is quicker</text>',
    ]
    for ratio, label in ((0.125, "1/8"), (0.25, "1/4"), (0.5, "1/2"), (1.0, "1"), (2.0, "2")):
        x = place(ratio)
        colour = "#888" if ratio == 1.0 else "#ddd"
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" stroke="{colour}"/>')
        out.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{label}</text>')
    for i, (title, of) in enumerate(ratios.items()):
        y = TOP + STEP * (i + 0.5)
        out.append(f'<text x="10" y="{y + 4:.0f}">{title}</text>')
        for model, ratio in of.items():
            out.append(
                f'<circle cx="{place(ratio):.1f}" cy="{y:.1f}" r="4" fill="#1f77b4" fill-opacity="0.6">'
                f"<title>{model}: {ratio:.2f}</title></circle>"
            )
    return "\n".join([*out, "</svg>"]) + "\n"
