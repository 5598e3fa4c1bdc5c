"""The page of results, which ``python -m docs.tables`` writes anew.

Of ``frontiers.json``, ``acafh.json`` and ``scale.json`` of ``benchmarks/results``: no
number on that page is typed by hand. What was measured with other code than that of now
is named.
"""

import json
from pathlib import Path

from benchmarks.frontiers import RESULTS
from benchmarks.sources import is_current

PAGE = Path(__file__).parents[1] / "docs" / "results.md"

_HEAD = """# Results: every method on one frontier

Made by `python -m docs.tables` from `benchmarks/results/frontiers.json`, which
`python -m benchmarks.frontiers` measures. Each table says with which commit, and what
is *of older code*: the method or the data set was edited since, in more than comments
and docstrings, though perhaps in nothing that changes a number.

Each table: the mean **test F1** of what a budget buys. A budget is a share of what all
features cost, held against the **{accounting} cost over validation rows**. The point
and its threshold are chosen on validation rows; test rows choose nothing. Calling every
row positive is free for everybody. *HV* is the share of the cost-score rectangle under
the frontier (± one standard error); *behind* is by how much, seed by seed, that is less
than the best one's, with the p-value of the paired difference; *points* is how many
models a method offers for choice on validation rows: who offers more may be luckier;
*time* is the training time of the whole path. The floors, in italics, are what a method
must beat.

**Bold** is the best method at a budget, and every method that is not told from it: the
paired differences of all methods from the best one are tested together, corrected by
Holm's procedure, at 5 %{widened}. That the best is picked by the same seeds is not
corrected for.

Adaptive methods, which compute for each row what that row needs, look better under the
mean than under a hard limit for every row.

{kinds}
"""
_PUBLISHED = """## ACAFH as published, and ours

From `benchmarks/results/acafh.json` (`python -m benchmarks.acafh`): how far along a
path from the best objective that any solver found, or the objective itself, and
processor seconds. The published operator order, and where its speed-up comes from, is
in the [figures of the paper](figures_acafh.md). {dated}

| data | solver | reached | processor, s |
|---|---|---|---|
"""
_SCALE = """## ACAFH at scale

From `benchmarks/results/scale.json` (`python -m benchmarks.scale`): a whole path in
single precision over a sparse hypergraph; time grows with features to the power
{exponent:.2f}. A hypergraph of {incidences:,} incidences is read in {reading:.1f} s
(target {target:g} s). Peak memory holds the table; the target is {memory:g} GB.
{dated}

| features | rows | models | seconds | table, GB | peak, GB |
|---|---|---|---|---|---|
"""
_FOOT = """
Measured on {cpu}, {cores} cores, one thread; Python {python}, numpy {numpy}, scipy
{scipy}, scikit-learn {sklearn}; load when the results were put together {load}.{since}

[1] Nadeau and Bengio, "Inference for the generalization error", 2003.
"""
_SINCE = " What splits, scores and charges has changed since."
_WIDENED = " (wider where seeds share rows [1])"


def page(results, published=None, scale=None):
    """Return the page as Markdown; without what was not measured."""
    where, datasets = results["environment"], results["datasets"]
    parts = [
        _HEAD.format(
            accounting=results["accounting"],
            widened=_WIDENED,
            kinds=_kinds(datasets),
        )
    ]
    for name, found in datasets.items():
        parts.append(_section(name, found, results))
    if published:
        solved = [row for row in published["rows"] if row["what"] != "re-solve"]
        head = _PUBLISHED.format(dated=_dated(published))
        parts.append(head + "".join(map(_solver, solved)))
    if scale:
        parts.append(_scaled(scale))
    parts.append(
        _FOOT.format(
            cpu=where["cpu"],
            cores=where["cores"],
            python=where["python"],
            numpy=where["numpy"],
            scipy=where["scipy"],
            sklearn=where["scikit-learn"],
            load=", ".join(map(str, where["load before"])),
            since="" if is_current(results.get("sources")) else _SINCE,
        )
    )
    return "\n".join(parts)


def _section(name, found, results):
    methods, budgets = found["methods"], results["budgets"]
    rivals = [label for label in methods if not methods[label]["floor"]]
    floors = [label for label in methods if methods[label]["floor"]]
    rivals.sort(key=lambda label: -methods[label]["hypervolume"]["mean"])
    shares = " | ".join(f"{100 * budget:g} %" for budget in budgets)
    full = found["full cost"]["mean"]
    lines = [
        f"## {name}",
        "",
        f"{_many(len(found['seeds']), 'seed')} of {found['rows']} rows; all features "
        f"cost {full:.4g} {found['unit']}. {_told_apart(methods, rivals)}",
        "",
        f"| method | {shares} | HV | behind | points | time, s |",
        "|---|" + "---|" * (len(budgets) + 4),
        *(_row(label, methods[label]) for label in [*rivals, *floors]),
    ]
    over = {label for label in methods if methods[label]["over budget"]}
    if over:
        lines += ["", f"**Over budget on validation rows: {', '.join(sorted(over))}.**"]
    lines += [f"\nNot run: {label} ({why})" for label, why in found["skipped"].items()]
    lines += ["", _of_commits(methods, results["code"])]
    return "\n".join([*lines, ""])


def _of_commits(methods, code):
    """Return with which commits a table was measured, and what has changed since."""
    commits = {c for method in methods.values() for c in method.get("code", code)}
    older = [m for m, one in methods.items() if not is_current(one.get("sources"))]
    named = "all of it" if len(older) == len(methods) else ", ".join(older)
    told = f" Of older code: {named}." if older else ""
    return f"Solvers of commit {', '.join(sorted(commits))}.{told}"


def _dated(found):
    """Return the same of results of one benchmark, whose commit may not be known."""
    commit = found.get("code")
    said = (
        f"Solvers of commit {commit}" if commit else "The commit was not written down"
    )
    return f"{said}{'' if is_current(found.get('sources')) else '; of older code'}."


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
        dated=_dated(scale),
    )
    rows = [
        f"| {row['features']:,} | {row['rows']:,} | {row['models']} "
        f"| {row['seconds']:.1f} | {row['table GB']:.2f} | {row['peak GB']:.2f} |\n"
        for row in scale["features"]
    ]
    return head + "".join(rows)


def _row(label, method):
    cells = [_score(f1["mean"], f1["best or as good"]) for f1 in method["f1"]]
    shown = f"*{label}*" if method["floor"] else f"`{label}`"
    volume = method["hypervolume"]
    columns = [
        *cells,
        _spread(volume),
        _behind(volume),
        f"{method['candidates']:.0f}",
        f"{method['seconds']['mean']:.2g}",
    ]
    return f"| {shown} | {' | '.join(columns)} |"


def _score(mean, bold):
    text = f"{mean:.3f}".removeprefix("0")
    return f"**{text}**" if bold else text


def _behind(volume):
    gap, p = volume["behind the best"], volume["p, corrected"]
    if gap == 0:
        return "–"
    return f"{gap:.3f} (p {'< .001' if p < 0.001 else f'{p:.3f}'.removeprefix('0')})"


def _spread(value):
    mean, error = value["mean"], value["standard error"]
    return f"{mean:.3f}" + ("" if error is None else f" ± {error:.3f}")


def _told_apart(methods, rivals):
    """Return how much the bold letters say."""
    cells = [f1["best or as good"] for label in rivals for f1 in methods[label]["f1"]]
    return f"Not told from the best: {sum(cells)} of {len(cells)} cells."


def _kinds(datasets):
    linear = [name for name, found in datasets.items() if found["linear"]]
    return (
        f"Of the {len(datasets)} data sets {len(linear)} ({', '.join(linear)}) have "
        "labels drawn from a linear function of the features, which flatters linear "
        "methods."
    )


def _many(count, what):
    return f"{count} {what}" + ("" if count == 1 else "s")


def filled():
    """Return the page of the results that are kept."""
    results, *others = (
        _read(RESULTS.with_name(f"{name}.json"))
        for name in ("frontiers", "acafh", "scale")
    )
    return page(results, *others)


def _read(path):
    return json.loads(path.read_text("utf-8")) if path.exists() else None
