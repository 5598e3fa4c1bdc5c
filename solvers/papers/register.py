"""How the findings of each figure and table are computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from . import acafh, csmn, eca_trim, selective_ridge  # noqa: F401
from .cascades import trace_figure
from .figures import all_figures, figure_blocks
from .study import STUDIES
from .verdict import Finding


def computed() -> dict[str, Callable[[], Sequence[Finding]]]:
    """Return what computes the findings of each figure, by paper and number."""
    return {
        **{f"ACAFH Fig. {n}": partial(_acafh, n) for n in range(2, 11)},
        **{f"TEFE {number}": partial(_tefe, name) for number, name in _TEFE},
        "Ridge Fig. 1": lambda: selective_ridge.figure_1(selective_ridge.measured()),
        **{one.key: one.findings for one in STUDIES.values()},
    }


# Table 2 shows the rows of Fig. 6.
_TEFE = (
    ("Fig. 3", "fig3"),
    ("Fig. 5", "fig5"),
    ("Table 2", "table2"),
    ("Fig. 7", "fig7"),
    ("Fig. 8", "fig8"),
    ("Fig. 9", "fig9"),
    ("Fig. 10", "fig10"),
)
_ACAFH: dict[int, Callable[..., list[Finding]]] = {
    2: acafh.figure_2,
    3: acafh.figure_3,
    4: acafh.selections,
    5: acafh.selections,
    6: acafh.times,
    7: acafh.times,
    8: acafh.memory,
    9: acafh.memory,
}


def _acafh(number: int) -> list[Finding]:
    rows = list(all_figures()[str(number)].rows())
    if number == 10:
        return acafh.figure_10(rows, list(figure_blocks()))
    return _ACAFH[number](rows)


def _tefe(name: str) -> list[Finding]:
    """Compute a figure again, and return what comes out for each claim.

    The claim that the paper does not make, to be better than a fixed prefix, is ours.
    """
    *_, last = trace_figure(name, folds=5, n_samples=1000)
    return [replace(claim, sentence=f"{claim.sentence}.") for claim in last.claims]
