"""The page of results: ``python -m benchmarks.results_page`` writes it anew.

Reads ``benchmarks/results/frontiers.json`` and writes ``docs/results.md``: no number on
that page is typed by hand.
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
_FOOT = """
Measured on {cpu}, {cores} cores, {workers} worker(s) of one thread each; Python
{python}, numpy {numpy}, scipy {scipy}, scikit-learn {sklearn}; commit {commit}; load
before {load}.

[1] Nadeau and Bengio, "Inference for the generalization error", 2003.
"""


def page(results):
    """Return the page as Markdown."""
    where = results["environment"]
    runs, accounting = len(results["seeds"]), results["accounting"]
    parts = [_HEAD.format(runs=runs, accounting=accounting)]
    for name, found in results["datasets"].items():
        parts.append(_section(name, found, results["budgets"]))
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
    options.output.write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    main()
