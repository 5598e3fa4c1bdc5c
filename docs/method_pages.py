"""The tables of the method pages.

What can be turned is read from the code, what was measured from
``benchmarks/results/``; the words around the tables are written by hand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numpydoc.docscrape import ClassDoc, FunctionDoc

from docs.parts import cell, table, with_part
from solvers import all_methods, bayes, markov

__all__ = ["HEADINGS", "PAGES", "filled", "subjects"]

FOLDER = Path(__file__).parent / "methods"
RESULTS = Path(__file__).parents[1] / "benchmarks" / "results"
HEADINGS = (
    "Objective",
    "Algorithm",
    "Departures from the paper",
    "Where it wins and loses",
    "Knobs",
)
# Methods that are no classifiers of tables.
OTHERS: dict[str, Any] = {
    "csmn": markov.CostSensitiveMarkovNetwork,
    "eca_trim": bayes.trim,
    "information_gain": bayes.information_gain_selection,
    "logreg": markov.NodeLogisticClassifier,
    "markov_network": markov.MarkovNetworkClassifier,
    "most_accurate": bayes.most_accurate_selection,
    "same_decision": bayes.same_decision_selection,
}
# Budgets that are shown, as shares of what all features cost.
SHOWN = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
YARDSTICK = "forward_selection"


def subjects() -> dict[str, Any]:
    """Return what each page is about, by the page's name."""
    return {**all_methods(), **OTHERS}


PAGES = {name: FOLDER / f"{name}.md" for name in subjects()}


def filled(name: str, text: str) -> str:
    """Return the text of a page with its tables as they should be."""
    text = with_part(text, "knobs", _knobs(subjects()[name]))
    measured = _measured(name) if name in all_methods() else _structured()
    return with_part(text, "measured", measured)


# ------------------------------------------------------------------------------- knobs


def _knobs(subject: Any) -> str:
    doc = ClassDoc(subject) if isinstance(subject, type) else FunctionDoc(subject)
    labels = getattr(subject, "knobs", {})
    path_knob = getattr(subject, "path_knob", None)
    rows = [
        (
            f"`{name}`" + (" (path)" if name == path_knob else ""),
            labels[name].label if name in labels else "–",
            cell(kind),
            cell(meaning),
        )
        for name, kind, meaning in _parameters(doc)
    ]
    return table(("parameter", "on the screen", "values", "what it does"), rows)


def _parameters(doc: Any) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and meaning, also of those described elsewhere."""
    for entry in doc["Parameters"]:
        meaning = " ".join(line.strip() for line in entry.desc)
        elsewhere = re.fullmatch(r"As for `(\w+)`\.", meaning)
        for name in entry.name.split(", "):
            if not elsewhere:
                yield name, entry.type, meaning
                continue
            other = FunctionDoc(getattr(bayes, elsewhere[1]))
            yield next(found for found in _parameters(other) if found[0] == name)


# ------------------------------------------------------------------------ measurements


def _measured(name: str) -> str:
    results = _results("frontiers")
    columns = [results["budgets"].index(share) for share in SHOWN]
    rows = [
        (f"`{data}`", label, *cells)
        for data, found in results["datasets"].items()
        for label, *cells in _compared(name, found["methods"], columns)
    ]
    head = ("data set", "method", *(f"{100 * share:g} %" for share in SHOWN))
    seeds = {len(found["seeds"]) for found in results["datasets"].values()}
    return table(head, rows) + (
        f"\nMean test F1 over {min(seeds)} seeds within a share of what all "
        f"features cost ({results['accounting']} over rows); from "
        "[all results](../results.md), which say which differences are noise, and "
        "what is of older code.\n"
    )


def _compared(
    name: str, methods: dict[str, Any], columns: list[int]
) -> Iterator[tuple[str, ...]]:
    """Yield a method's rows, the yardstick's and the best scores of all."""
    rivals = {label: one["f1"] for label, one in methods.items() if not one["floor"]}
    own = [label for label in rivals if label.split(",")[0] == name]
    for label in dict.fromkeys([*own, YARDSTICK]):
        cells = (_score(rivals[label][column]["mean"]) for column in columns)
        yield f"`{label}`", *cells
    yield "*best of all*", *(_best(rivals, column) for column in columns)


def _best(rivals: dict[str, Any], column: int) -> str:
    scores = [f1[column]["mean"] for f1 in rivals.values()]
    return _score(max((one for one in scores if one is not None), default=None))


def _score(mean: float | None) -> str:
    return "–" if mean is None else f"{mean:.3f}".removeprefix("0")


def _structured() -> str:
    """Return what the classifiers of graphs pay, by label agreement."""
    rows = _results("csmn")["costs (two of three graphs train, one tests)"]
    costs = {(row["method"], row["label agreement"]): row for row in rows}
    methods = dict.fromkeys(row["method"] for row in rows if row["method"] != "truth")
    levels = sorted({row["label agreement"] for row in rows})
    return table(
        ("method", *(f"ρ = {level:g}" for level in levels)),
        (
            (method, *(_spread(costs[method, level]) for level in levels))
            for method in methods
        ),
    )


def _spread(row: dict[str, float]) -> str:
    return f"{row['cost']:.0f} ± {row['standard_error']:.0f}"


def _results(name: str) -> dict[str, Any]:
    return json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
