"""A cube whose corners are classes, hidden in one of five blocks: context comes first.

References
----------
CUBE-NM of AFABench (KDD 2026, arXiv 2508.14734), written anew from its description.
"""

from __future__ import annotations

import numpy as np

from ...costs.hypergraph import FeatureHypergraph
from ...costs.incidence import ComponentKind
from ...numerics.arrays import Floats
from ...values.knobs import Knob, Number
from ..base import Dataset
from ..options import Facts, checked_by
from ..rows import RowRoles

__all__ = ["FACTS", "N_CONTEXTS", "OPTIONS", "SPREAD", "class_means", "make_cube"]

FACTS = Facts(
    1000,
    8,
    "invented",
    "BSD-3-Clause",
    "one cheap look says which ten of fifty columns count: looking ahead pays",
    "With the exact posterior, context first: accuracy .44 with 3 actions, .66 with 5, "
    ".78 with 7, .85 with all.",
)

OPTIONS: dict[str, Knob] = {
    "n_samples": Number("Rows", 200, 1_000_000, integer=True, shown=(500, 20_000)),
    "noise": Number("Noise", 0.01, 3.0, shown=(0.05, 1.0), doc="Of telling columns."),
}

N_CONTEXTS = 5
N_CLASSES = 8
BLOCK = 10  # columns of a context
SPREAD = 0.3  # of a column that tells nothing
SHARES = (0.6, 0.2, 0.2)


@checked_by(OPTIONS)
def make_cube(
    n_samples: int = 1000, noise: float = 0.3, random_state: int | None = 0
) -> Dataset:
    """Return rows of eight classes; five columns at one price say which ten count.

    A row is of one of five contexts, which five indicators show; they are opened
    together by one action. Each context has a block of ten columns. In the block of
    the row's context three columns tell the class: for class y, columns y, y + 1 and
    y + 2 have the bits of y as their means, least significant first. All others are
    N(0.5, 0.3). Every action costs one.

    Parameters
    ----------
    n_samples : int, default=1000
        Rows: three fifths train, a fifth validates, a fifth tests.
    noise : float, default=0.3
        Standard deviation of a column that tells.
    random_state : int or None, default=0
        Seed.

    Returns
    -------
    Dataset
        55 features, 51 components; costs in "actions".

    Raises
    ------
    KnobError
        If an option lies outside of what `OPTIONS` allows.
    """
    rng = np.random.default_rng(random_state)
    context = rng.integers(N_CONTEXTS, size=n_samples)
    labels = rng.integers(N_CLASSES, size=n_samples)
    X = rng.normal(0.5, SPREAD, (n_samples, N_CONTEXTS, BLOCK))
    means = class_means()[labels]
    tells = np.isfinite(means)
    told = rng.normal(np.where(tells, means, 0.0), noise)
    rows = np.arange(n_samples)
    X[rows, context] = np.where(tells, told, X[rows, context])
    shown = np.eye(N_CONTEXTS)[context]
    n_train, n_validation = (round(share * n_samples) for share in SHARES[:2])
    n_test = n_samples - n_train - n_validation
    parts = np.repeat(["train", "validation", "test"], [n_train, n_validation, n_test])
    return Dataset(
        name="cube",
        X=np.hstack([shown, X.reshape(n_samples, -1)]),
        y=labels.astype(str),
        hypergraph=_hypergraph(),
        source="Generated: CUBE-NM of AFABench, written anew from its description.",
        costs_note="Invented: every action costs one, and one opens five columns.",
        fractions=SHARES,
        roles=RowRoles(part=parts),
    )


def class_means() -> Floats:
    """Return the mean of each column of a block in each class, NaN where none tells.

    Shape: (n_classes, n_columns of a block).
    """
    means = np.full((N_CLASSES, BLOCK), np.nan)
    for label in range(N_CLASSES):
        means[label, label : label + 3] = [label >> bit & 1 for bit in range(3)]
    return means


def _hypergraph() -> FeatureHypergraph:
    shown = [f"context {k}" for k in range(N_CONTEXTS)]
    columns = [f"block {k} column {j}" for k in range(N_CONTEXTS) for j in range(BLOCK)]
    names = (*shown, *columns)
    of_context = [[name in shown for name in names]]
    own = np.eye(len(names), dtype=bool)[N_CONTEXTS:]
    kinds: list[ComponentKind] = ["generation"] * (1 + len(columns))
    return FeatureHypergraph(
        np.vstack([of_context, own]),
        np.ones(1 + len(columns)),
        names,
        ("see context", *(f"see {name}" for name in columns)),
        tuple(kinds),
        unit="actions",
    )
