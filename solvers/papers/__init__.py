"""Every figure and table of the five papers: what was computed, and what follows.

A figure is a study, whose rows bear its claims out or not; claims are data, and one
rule judges them. `findings` returns what was recorded last of a figure, and `verdict`
the sentences that follow from it; nothing is settled in advance. ``python -m
benchmarks.papers`` computes and records them.

>>> from solvers.papers import Ahead, Claim, Row, study
>>> @study("Tiny Fig. 1", pair="seed", pairs="seeds")
... def figure_1(n_seeds=3):
...     for seed in range(n_seeds):
...         yield Row(seed=seed, method="ours", cost=1.0 + seed)
...         yield Row(seed=seed, method="theirs", cost=2.5 + seed)
>>> ahead = Ahead("ours", of="theirs", by="-cost")
>>> figure_1.claims = [Claim("Ours is cheaper.", "by half", ahead)]
>>> verdict(figure_1.findings())
'Ours is cheaper. Holds: ours 2, theirs 3.5: +1.5 ± 0 over 3 seeds.'
"""

from .claims import (
    Above,
    Ahead,
    AsPrinted,
    Below,
    Claim,
    Either,
    Equal,
    Every,
    Form,
    Grows,
    Row,
)
from .studies import Study, findings, record, study
from .verdicts import Finding, verdict

__all__ = [
    "Above",
    "Ahead",
    "AsPrinted",
    "Below",
    "Claim",
    "Either",
    "Equal",
    "Every",
    "Finding",
    "Form",
    "Grows",
    "Row",
    "Study",
    "findings",
    "record",
    "study",
    "verdict",
]
