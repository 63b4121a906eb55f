"""Lines that we hold ourselves to: our time by that of the best generator in one run, of derivatives of any peer; and goals."""

TREES = ["chain2", "chain3", "chain5", "chain10", "chain20", "chain50", "ur5", "panda"]
TREES += ["sph_rev", "solo12", "anymal", "hyq", "talos", "talosfull"]

MUST = {
    "fd": {
        **{"chain5": 0.72, "chain10": 0.98, "chain50": 0.91, "ur5": 0.47, "panda": 0.68},
        **{"sph_rev": 0.87, "solo12": 0.54, "anymal": 0.45, "talos": 0.65},
    },
    "id": {m: 0.88 if m in ("panda", "chain2") else 0.77 for m in TREES},
    "crba": {m: 1.0 if m == "chain50" else 0.77 for m in TREES},
    "dfd": {m: 0.77 for m in ("ur5", "panda", "talos")},
    "loop": {
        **{"four_bar": 0.95, "slider_crank": 1.0, "seven_body": 0.85, "bricard": 0.85},
        **{"stewart_platform": 0.65, "fb_leg": 0.6, "fb_quad": 0.55, "rolling_disc": 1.2},
    },
}

GOALS = {
    "fd": {
        **{"chain5": 0.55, "chain10": 0.60, "chain50": 0.65, "ur5": 0.38, "panda": 0.50},
        **{"sph_rev": 0.60, "solo12": 0.42, "anymal": 0.36, "talos": 0.50},
    },
    **{f: {m: line / 2 for m, line in MUST[f].items()} for f in ("dfd", "loop")},
}
