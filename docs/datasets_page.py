"""The table of the page on data sets, from the data sets themselves."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from docs.parts import cell, table, with_part
from solvers.datasets import all_datasets, dataset_facts
from solvers.datasets.makers import pima

__all__ = ["PAGE", "filled"]

PAGE = Path(__file__).parent / "datasets.md"
HEAD = (
    *("data set", "rows × features", "classes", "components, blocks", "prices"),
    *("source", "licence of the rows", "what it shows"),
)


def filled(text: str) -> str:
    """Return the page with its tables as they should be."""
    return with_part(with_part(text, "list", _listed()), "known", _known())


@cache  # asked for once a page, and every data set is made for it
def _listed() -> str:
    return table(HEAD, (_row(name) for name in all_datasets()))


def _row(name: str) -> list[str]:
    facts = dataset_facts(name)
    if facts.is_bundled:
        data = all_datasets()[name]()
        prices, source = data.hypergraph, data.source
    else:  # its rows are on few machines; the page says the same on all
        prices, source = pima.prices(), pima.SOURCE
    n_blocks = len(set(prices.connected_components()[0].tolist()))
    return [
        f"`{name}`",
        f"{facts.n_rows:,} × {prices.n_features:,}",
        f"{facts.n_classes}",
        f"{prices.n_components:,}, {n_blocks}",
        f"{facts.prices}, {prices.unit}",
        cell(source),
        facts.licence,
        cell(facts.shows),
    ]


def _known() -> str:
    answers = {name: dataset_facts(name).known_answer for name in all_datasets()}
    return "\n".join(f"- `{name}`: {said}" for name, said in answers.items() if said)
