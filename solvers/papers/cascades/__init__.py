"""What a cascade is worth: against a fixed prefix, its rivals and its paper.

`rows` holds what every stage says of some rows, `prefix` compares with the same
machines used one for all, `line` asks how straight cost rises with the threshold,
`rounds` is the paper's Table 2, `decided` trains one on a data set, and `figures`
computes the paper's anew.
"""

from ..verdicts import Finding
from .decided import (
    BudgetOutcome,
    ThresholdOutcome,
    budget_cascade,
    threshold_cascade,
)
from .figures import (
    FIGURES,
    RECORDED_FOLDS,
    Figure,
    Series,
    figure_studies,
    trace_figure,
)
from .rows import (
    CascadeRows,
    ExitRound,
    Linearity,
    PrefixComparison,
    compare_with_prefix,
    linearity,
    rounds_of,
)

__all__ = [
    "FIGURES",
    "RECORDED_FOLDS",
    "BudgetOutcome",
    "CascadeRows",
    "ExitRound",
    "Figure",
    "Finding",
    "Linearity",
    "PrefixComparison",
    "Series",
    "ThresholdOutcome",
    "budget_cascade",
    "compare_with_prefix",
    "figure_studies",
    "linearity",
    "rounds_of",
    "threshold_cascade",
    "trace_figure",
]
