"""The table of the page on data sets, from the data sets themselves."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from docs.parts import cell, table, with_part
from solvers.datasets import all_datasets, dataset_facts

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
    facts, data = dataset_facts(name), all_datasets()[name]()
    prices = data.hypergraph
    n_blocks = len(set(prices.connected_components()[0].tolist()))
    return [
        f"`{name}`",
        f"{data.n_samples:,} × {data.n_features:,}",
        f"{len(data.classes)}",
        f"{prices.n_components:,}, {n_blocks}",
        f"{facts.prices}, {data.unit}",
        cell(data.source),
        facts.licence,
        cell(facts.shows),
    ]


def _known() -> str:
    answers = {name: dataset_facts(name).known_answer for name in all_datasets()}
    return "\n".join(f"- `{name}`: {said}" for name, said in answers.items() if said)
