"""Writes `plot_font.ttf` and `plot_signs.ttf`, the fonts of figures as PNG, and `characters.txt`, what
they have.

    pip install fonttools==4.68.0
    apt-get download fonts-noto-core && dpkg -x fonts-noto-core_*.deb noto
    python3 subset.py noto/usr/share/fonts/truetype/noto

Noto Sans 2.004 and Noto Sans Math 2.000, copyright 2015-2020 Google LLC
(https://github.com/notofonts), SIL Open Font License 1.1, in `OFL.txt` beside this file. They reserve
no name.
"""

import os
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

# First and last of consecutive characters.
LETTERS = [
    # ASCII, Latin-1, Latin Extended-A; accents as characters of their own.
    (0x20, 0x7E), (0xA0, 0x17F), (0x2B0, 0x2B8), (0x2C6, 0x2C7), (0x2D8, 0x2DD), (0x2E1, 0x2E3),
    # Combining accents.
    (0x300, 0x30C), (0x338, 0x338),
    # Greek, Cyrillic.
    (0x386, 0x3CE), (0x3D1, 0x3D1), (0x3D5, 0x3D6), (0x3F0, 0x3F1), (0x3F5, 0x3F5), (0x400, 0x45F),
    # Superscripts and subscripts.
    (0x1D2C, 0x1D6A), (0x2070, 0x209C),
    # Dashes, quotation marks, dots, primes; letters of units.
    (0x2010, 0x2027), (0x2030, 0x203A), (0x2044, 0x2044), (0x20AC, 0x20AC), (0x2113, 0x2113),
    (0x2126, 0x2126),
]
SIGNS = [
    (0x2190, 0x2199), (0x2202, 0x2202), (0x2206, 0x2206), (0x220F, 0x2213), (0x2215, 0x221E),
    (0x222B, 0x222B), (0x223C, 0x223C), (0x2248, 0x2248), (0x2260, 0x2260), (0x2264, 0x2265),
    (0x22C5, 0x22C5), (0x25CA, 0x25CB), (0x25CF, 0x25CF), (0x27E8, 0x27E9),
]


def write(source, target, ranges, features):
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options()
    options.hinting = False
    options.glyph_names = False
    options.layout_features = features
    # Copyright, names, licence and its address.
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["MATH"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[c for a, b in ranges for c in range(a, b + 1)])
    subsetter.subset(font)
    subset.save_font(font, target, options)
    return font.getBestCmap()


def main(source):
    folder = os.path.dirname(os.path.abspath(__file__))
    letters = write(
        os.path.join(source, "NotoSans-Regular.ttf"),
        os.path.join(folder, "plot_font.ttf"),
        LETTERS,
        ["ccmp", "mark", "mkmk"],
    )
    signs = write(
        os.path.join(source, "NotoSansMath-Regular.ttf"), os.path.join(folder, "plot_signs.ttf"), SIGNS, []
    )
    with open(os.path.join(folder, "characters.txt"), "w", encoding="utf-8") as f:
        f.write("".join(chr(c) for c in sorted({**letters, **signs})) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
