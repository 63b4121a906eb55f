"""Writes `math_font.css`, the font of formulas in HTML reports, and `characters.txt`, what it has.

    pip install fonttools==4.68.0 brotli==1.2.1
    npm pack @fontsource/stix-two-math@5.3.0 && tar xzf fontsource-stix-two-math-5.3.0.tgz
    python3 subset.py package/files/stix-two-math-latin-400-normal.woff2

STIX Two Math, copyright 2001-2021 The STIX Fonts Project Authors
(https://github.com/stipub/stixfonts), SIL Open Font License 1.1, in `OFL.txt` beside this file.
"""

import base64
import os
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

# First and last of consecutive characters.
CHARACTERS = [
    # ASCII; signs, fractions and digits of Latin-1.
    (0x20, 0x7E), (0xA0, 0xA0), (0xA7, 0xA8), (0xAC, 0xAC), (0xAF, 0xB7), (0xB9, 0xB9),
    (0xBC, 0xBE), (0xD7, 0xD7), (0xF7, 0xF7),
    # Letters and digits as superscripts and subscripts; accents.
    (0x2B0, 0x2B8), (0x2C6, 0x2C7), (0x2D8, 0x2DC), (0x2E1, 0x2E3), (0x300, 0x30C), (0x338, 0x338),
    (0x1D40, 0x1D40), (0x1D47, 0x1D4D), (0x1D50, 0x1D58), (0x2070, 0x209C), (0x20D0, 0x20DC),
    # Greek, upright; dotless i and j.
    (0x131, 0x131), (0x237, 0x237), (0x391, 0x3C9), (0x3D1, 0x3D1), (0x3D5, 0x3D6),
    (0x3F0, 0x3F1), (0x3F5, 0x3F5),
    # Dashes, dots, primes, invisible operators.
    (0x2010, 0x2027), (0x2030, 0x2037), (0x2044, 0x2044), (0x2061, 0x2064),
    # Operators, arrows, brackets and their pieces.
    (0x210E, 0x2113), (0x2190, 0x2199), (0x21A6, 0x21A6), (0x2202, 0x2202), (0x2205, 0x220B),
    (0x220F, 0x220F), (0x2211, 0x2213), (0x2218, 0x221A), (0x221E, 0x221E), (0x2223, 0x222A),
    (0x2234, 0x2235), (0x223C, 0x223D), (0x2245, 0x2248), (0x2260, 0x2261), (0x2264, 0x2265),
    (0x226A, 0x226B), (0x2295, 0x2299), (0x22A4, 0x22A5), (0x22C5, 0x22C5), (0x22EE, 0x22F1),
    (0x2308, 0x230B), (0x239B, 0x23AE), (0x23D0, 0x23D0), (0x27E8, 0x27EB),
    # Italics of Latin and Greek, which `<mi>` of one letter takes.
    (0x1D434, 0x1D467), (0x1D6A4, 0x1D71B),
]


def main(source):
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options()
    options.flavor = "woff2"
    options.hinting = False
    options.glyph_names = False
    options.layout_features = ["ssty", "flac", "dtls", "ccmp"]
    # Copyright, names, licence and its address.
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["GPOS"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[c for a, b in CHARACTERS for c in range(a, b + 1)])
    subsetter.subset(font)
    folder = os.path.dirname(os.path.abspath(__file__))
    file = os.path.join(folder, "math_font.woff2")
    subset.save_font(font, file, options)
    with open(file, "rb") as f:
        data = base64.b64encode(f.read()).decode("ascii")
    os.remove(file)
    with open(os.path.join(folder, "math_font.css"), "w", encoding="utf-8") as f:
        f.write(
            "/* A subset of STIX Two Math, copyright 2001-2021 The STIX Fonts Project Authors\n"
            "   (github.com/stipub/stixfonts), SIL Open Font License 1.1\n"
            "   (openfontlicense.org). */\n"
            '@font-face { font-family: "Report Math"; src: url(data:font/woff2;base64,' + data
            + ') format("woff2"); }\n'
        )
    characters = sorted(c for c in font.getBestCmap() if not 0x1D400 <= c < 0x1D800)
    with open(os.path.join(folder, "characters.txt"), "w", encoding="utf-8") as f:
        f.write("".join(chr(c) for c in characters) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
