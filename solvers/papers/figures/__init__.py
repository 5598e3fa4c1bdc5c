"""Figures 2 to 10 of the ACAFH paper, measured again: what it claims, what we see.

Each figure is a generator of rows; `figure_table` makes a table of them.

>>> from solvers.papers.figures import all_figures, figure_9, figure_table
>>> rows = list(figure_9(copies=[1, 2]))
>>> figure_table(rows)[["procedure", "n_features", "n_blocks"]].shape
(10, 3)
>>> len(all_figures()["9"].measured(rows))
1

References
----------
Li et al., "Accelerated cost-aware classification over large-scale sparse feature
dependency hypergraphs", 2019, section 6.
"""

from __future__ import annotations

from .budgets import FIGURE_2, FIGURE_3, BudgetChoice, figure_2, figure_3
from .efficiency import FIGURE_6, FIGURE_7, FIGURE_10, figure_6, figure_7, figure_10
from .figure import Axes, PaperFigure, figure_table
from .memory import (
    FIGURE_8,
    FIGURE_9,
    FIGURE_BLOCKS,
    BlockRow,
    MemoryRow,
    figure_8,
    figure_9,
    figure_blocks,
)
from .selections import FIGURE_4, FIGURE_5, SelectionRow, figure_4, figure_5
from .timing import TimeRow

__all__ = [
    "Axes",
    "BlockRow",
    "BudgetChoice",
    "MemoryRow",
    "PaperFigure",
    "SelectionRow",
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
    FIGURE_2,
    FIGURE_3,
    FIGURE_4,
    FIGURE_5,
    FIGURE_6,
    FIGURE_7,
    FIGURE_8,
    FIGURE_9,
    FIGURE_10,
    FIGURE_BLOCKS,
)


def all_figures() -> dict[str, PaperFigure]:
    """Return the figures by their short names, in the order of the paper.

    Returns
    -------
    dict of str to PaperFigure
    """
    return {figure.name: figure for figure in _FIGURES}
