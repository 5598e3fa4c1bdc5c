"""What a cascade is worth: against a fixed prefix, its rivals and its paper.

`rows` holds what every stage says of some rows, `prefix` compares with the same
machines used one for all, `line` asks how straight cost rises with the threshold,
`rounds` is the paper's Table 2, and `figures` computes its figures anew.
"""

from ..verdicts import Finding
from .figures import FIGURES, Figure, Series, trace_figure
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
    "CascadeRows",
    "ExitRound",
    "Figure",
    "Finding",
    "Linearity",
    "PrefixComparison",
    "Series",
    "compare_with_prefix",
    "linearity",
    "rounds_of",
    "trace_figure",
]
