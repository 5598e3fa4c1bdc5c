"""Figures 2 to 10 of the ACAFH paper, measured again: what it claims, what we see.

Each figure is a study, which yields rows; `figure_table` makes a table of them. A size
out of range, or an unknown rival, is refused before the first row. `rivals` are further
names of ``all_methods()`` to compare with, `random_state` is the seed of the (first)
data set or split, and of `repeats` of a timing the median is taken.

>>> from solvers.papers.figures import all_figures, figure_9, figure_table
>>> rows = list(figure_9(copies=[1, 2]))
>>> figure_table(rows)[["procedure", "n_features", "n_blocks"]].shape
(10, 3)
>>> all_figures()["9"].judge(rows)[0].outcome
'holds'

References
----------
Li et al., "Accelerated cost-aware classification over large-scale sparse feature
dependency hypergraphs", 2019, section 6.
"""

from __future__ import annotations

from ..studies import Axes, Study, figure_table
from .budgets import BudgetChoice, figure_2, figure_3
from .efficiency import figure_6, figure_7, figure_10
from .memory import BlockRow, MemoryRow, figure_8, figure_9, figure_blocks
from .selections import SelectionRow, figure_4, figure_5
from .timing import TimeRow

__all__ = [
    "Axes",
    "BlockRow",
    "BudgetChoice",
    "MemoryRow",
    "SelectionRow",
    "Study",
    "TimeRow",
    "all_figures",
    "figure_2",
    "figure_3",
    "figure_4",
    "figure_5",
    "figure_6",
    "figure_7",
    "figure_8",
    "figure_9",
    "figure_10",
    "figure_blocks",
    "figure_table",
]

_FIGURES = (
    figure_2,
    figure_3,
    figure_4,
    figure_5,
    figure_6,
    figure_7,
    figure_8,
    figure_9,
    figure_10,
    figure_blocks,
)


def all_figures() -> dict[str, Study]:
    """Return the figures by their short names, in the order of the paper.

    Returns
    -------
    dict of str to Study
    """
    return {figure.name: figure for figure in _FIGURES}
