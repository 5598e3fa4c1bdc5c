"""The page of results: ``python -m benchmarks.results_page`` writes it anew.

Reads ``frontiers.json``, ``acafh.json`` and ``scale.json`` of ``benchmarks/results``
and writes ``docs/results.md``: no number on that page is typed by hand.
"""

import argparse
import json
from pathlib import Path

from benchmarks.frontiers import RESULTS

PAGE = Path(__file__).parents[1] / "docs" / "results.md"

_HEAD = """# Results: every method on one frontier

Made by `python -m benchmarks.results_page` from `benchmarks/results/frontiers.json`,
which `python -m benchmarks.frontiers` measures.

Each table: the mean **test F1** of what a budget buys, over {runs} seeds. A budget is a
share of what all features cost, held against the **{accounting} cost over validation
rows**. The point and its threshold are chosen on validation rows; test rows choose
nothing. **Bold** is the best method, and every method whose difference from it, run by
run, is within noise (95 % interval of the paired difference, widened where runs share
training rows [1]). "–": not every run can buy something for that budget. *HV* is the
share of the cost-score rectangle under the frontier (± one standard error), *time* the
training time of the whole path. The floors, in italics, are what a method must beat.
Generated data are drawn anew with each seed.

Adaptive methods, which compute for each row what that row needs, look better under the
mean than under a hard limit for every row.
"""
_PUBLISHED = """## ACAFH as published, and ours

From `benchmarks/results/acafh.json` (`python -m benchmarks.acafh`): how far along a
path from the best objective that any solver found, or the objective itself, and
processor seconds. The published operator order, and where its speed-up comes from, is
in the [figures of the paper](figures_acafh.md).

| data | solver | reached | processor, s |
|---|---|---|---|
"""
_SCALE = """## ACAFH at scale

From `benchmarks/results/scale.json` (`python -m benchmarks.scale`): a whole path in
single precision over a sparse hypergraph; time grows with features to the power
{exponent:.2f}. A hypergraph of {incidences:,} incidences is read in {reading:.1f} s
(target {target:g} s). Peak memory holds the table; the target is {memory:g} GB.

| features | rows | models | seconds | table, GB | peak, GB |
|---|---|---|---|---|---|
"""
_FOOT = """
Measured on {cpu}, {cores} cores, {workers} worker(s) of one thread each; Python
{python}, numpy {numpy}, scipy {scipy}, scikit-learn {sklearn}; commit {commit}; load
before {load}.

[1] Nadeau and Bengio, "Inference for the generalization error", 2003.
"""


def page(results, published=None, scale=None):
    """Return the page as Markdown; without what was not measured."""
    where = results["environment"]
    runs, accounting = len(results["seeds"]), results["accounting"]
    parts = [_HEAD.format(runs=runs, accounting=accounting)]
    for name, found in results["datasets"].items():
        parts.append(_section(name, found, results["budgets"]))
    if published:
        solved = [row for row in published["rows"] if row["what"] != "re-solve"]
        parts.append(_PUBLISHED + "".join(map(_solver, solved)))
    if scale:
        parts.append(_scaled(scale))
    parts.append(
        _FOOT.format(
            cpu=where["cpu"],
            cores=where["cores"],
            workers=where["workers"],
            python=where["python"],
            numpy=where["numpy"],
            scipy=where["scipy"],
            sklearn=where["scikit-learn"],
            commit=where["commit"],
            load=", ".join(map(str, where["load before"])),
        )
    )
    return "\n".join(parts)


def _section(name, found, budgets):
    methods = found["methods"]
    rivals = [label for label in methods if not methods[label]["floor"]]
    floors = [label for label in methods if methods[label]["floor"]]
    rivals.sort(key=lambda label: -methods[label]["hypervolume"]["mean"])
    shares = " | ".join(f"{100 * budget:g} %" for budget in budgets)
    full = found["full cost"]["mean"]
    lines = [
        f"## {name}",
        "",
        f"All features cost {full:.4g} {found['unit']}.",
        "",
        f"| method | {shares} | HV | time, s |",
        "|---|" + "---|" * (len(budgets) + 2),
        *(_row(label, methods[label]) for label in [*rivals, *floors]),
    ]
    over = {label for label in methods if methods[label]["over budget"]}
    if over:
        lines += ["", f"**Over budget on validation rows: {', '.join(sorted(over))}.**"]
    lines += [f"\nNot run: {label} ({why})" for label, why in found["skipped"].items()]
    return "\n".join([*lines, ""])


def _solver(row):
    if "objective" in row:
        reached = f"objective {row['objective']:.4f} at λ = {row['alpha']:g}"
    else:
        mean, most = row["mean gap to best known"], row["largest gap"]
        reached = f"{mean:.1g} above the best on average, at most {most:.1g}"
    seconds = f"{row['cpu_seconds']:.2g}"
    return f"| {row['data']} | {row['solver']} | {reached} | {seconds} |\n"


def _scaled(scale):
    reading = scale["reading"]
    head = _SCALE.format(
        exponent=scale["exponent in features"],
        incidences=reading["incidences"],
        reading=reading["seconds"],
        target=reading["target seconds"],
        memory=scale["memory target GB"],
    )
    rows = [
        f"| {row['features']:,} | {row['rows']:,} | {row['models']} "
        f"| {row['seconds']:.1f} | {row['table GB']:.2f} | {row['peak GB']:.2f} |\n"
        for row in scale["features"]
    ]
    return head + "".join(rows)


def _row(label, method):
    marks = method["best or within noise of it"]
    cells = [
        _score(f1["mean"], bold) for f1, bold in zip(method["f1"], marks, strict=True)
    ]
    shown = f"*{label}*" if method["floor"] else f"`{label}`"
    seconds = method["seconds"]["mean"]
    volume = _spread(method["hypervolume"])
    return f"| {shown} | {' | '.join(cells)} | {volume} | {seconds:.2g} |"


def _score(mean, bold):
    if mean is None:
        return "–"
    text = f"{mean:.3f}".removeprefix("0")
    return f"**{text}**" if bold else text


def _spread(value):
    mean, error = value["mean"], value["standard error"]
    return f"{mean:.3f}" + ("" if error is None else f" ± {error:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--output", type=Path, default=PAGE)
    options = parser.parse_args()
    results = json.loads(options.results.read_text("utf-8"))
    others = [_read(options.results.with_name(n)) for n in ("acafh.json", "scale.json")]
    options.output.write_text(page(results, *others), encoding="utf-8")


def _read(path):
    return json.loads(path.read_text("utf-8")) if path.exists() else None


if __name__ == "__main__":
    main()
