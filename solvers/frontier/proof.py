"""How good a linear model can be for the money: one budget of a data set, proven."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from ..certify import (
    CertifiedBudget,
    NearOptimal,
    certified_frontier,
    check_certificate,
    near_optimal,
)
from ..costs.hypergraph import FeatureHypergraph
from ..datasets.base import Dataset
from ..datasets.splits import split_dataset
from ..numerics.arrays import Floats, Integers, Mask
from ..values.knobs import Number

SHARE = Number("Budget as a share of the cost of everything", 0, 1)
MAX_ROWS = Number("Most training rows", 1, np.inf, integer=True)


@dataclass(frozen=True, eq=False)
class ProofRows:
    """Training rows, and what their columns need."""

    dataset: Dataset  # Where they come from
    X: Floats  # (n_rows, n_columns) Encoded columns
    y: Integers  # (n_rows,) 1 for the positive class
    hypergraph: FeatureHypergraph  # Of the encoded columns
    # (n_columns, n_features) Which feature of the data set each column comes from
    features: Mask
    n_train: int  # Training rows that there are, of which the first are taken
    weight: Floats | None = None  # Of the rows; None: all count the same
    groups: Integers | None = None  # Which rows belong together, where some do

    @classmethod
    def of(cls, dataset: Dataset, max_rows: int) -> Self:
        """Return the first training rows of a data set that has a positive class."""
        positive = dataset.one_against_others()
        split = split_dataset(dataset)
        table = np.asarray(split.X("train")[:max_rows], dtype=float)
        labels = split.y("train")[:max_rows]
        weight, groups = split.weight("train"), split.groups("train")
        return cls(
            dataset,
            table,
            (labels == positive).astype(int),
            split.hypergraph,
            split.features_of(np.eye(table.shape[1], dtype=bool)),
            len(split.rows["train"]),
            None if weight is None else weight[:max_rows],
            None if groups is None else groups[:max_rows],
        )

    def names_of(self, columns: Mask) -> list[str]:
        """Return the features of the data set that some columns come from."""
        found = np.flatnonzero(self.features[columns].any(axis=0))
        return [self.dataset.feature_names[j] for j in found]

    def columns_of(self, bought: Mask) -> Mask:
        """Return the columns that some components allow, with what costs nothing."""
        graph = self.hypergraph
        needs = graph.incidence.toarray().astype(bool)
        lacking = ~bought & (graph.component_costs > 0)
        return np.asarray(~needs[lacking].any(axis=0))

    def known(self, names: Iterable[str]) -> list[str]:
        """Return which of some names are components here."""
        components = {*(self.hypergraph.component_names or ())}
        return [name for name in names if name in components]


@dataclass(frozen=True, eq=False, repr=False)
class BudgetProof:
    """What ``prove_budget`` has found; printed, what is proven of the budget.

    Parameters
    ----------
    rows : ProofRows
        What was trained on.
    certified : CertifiedBudget
        The floor, the best selection known, and the certificate.
    checked : float
        What the certificate proves, by code that shares nothing with the search.
    nearly : NearOptimal
        Selections that are nearly as good.
    tol, within : float
        At which gap it counts as proven, and what is nearly as good.
    """

    rows: ProofRows
    certified: CertifiedBudget
    checked: float
    nearly: NearOptimal
    tol: float
    within: float

    def __repr__(self) -> str:
        one, graph = self.certified, self.rows.hypergraph
        bought = graph.required_components(one.features)
        names = [graph.components[i] for i in np.flatnonzero(bought)]
        return "\n".join(
            [
                f"within {one.budget:.6g} {graph.unit}: none below {one.lower:.6f}, "
                f"best known {one.upper:.6f}, gap {one.gap:.2%}, "
                f"{'proven' if one.gap <= self.tol else 'OPEN'}",
                f"buys {names}",
                f"checked: the certificate proves {self.checked:.6f}",
                f"{'exactly' if self.nearly.complete else 'at least'} "
                f"{self.nearly.count} selections are within {self.within:.2%} of the "
                "best",
            ]
        )


def prove_budget(
    dataset: Dataset,
    *,
    share: float = 0.35,
    ridge: float = 1e-2,
    without: Iterable[str] = (),
    tol: float = 0.01,
    gap: float | None = None,
    within: float = 0.01,
    seconds: float = 20.0,
    limit: int = 300,
    max_rows: int = 2000,
) -> BudgetProof:
    """Prove how good any linear model within a budget can be on training rows.

    The objective is that of ``certified_frontier``: it says nothing of rows that were
    not seen.

    Parameters
    ----------
    dataset : Dataset
        Of two classes, or with one that counts as positive.
    share : float, default=0.35
        The budget as a share of the cost of everything.
    ridge : float, default=0.01
        Half of it times the squared norm of the weights is added to the loss.
    without : iterable of str, optional
        Components that must not be bought; names of no component are passed over.
    tol : float, default=0.01
        Gap at which the budget counts as proven, as a share of what all features
        bring.
    gap : float, optional
        The gap at which the search ends; `tol` by default.
    within : float, default=0.01
        How far above the best is nearly as good, as a share likewise.
    seconds : float, default=20
        When the proof stops, and when the list of what is nearly as good.
    limit : int, default=300
        Selections that are listed at most.
    max_rows : int, default=2000
        Training rows that are taken at most, the first ones.

    Returns
    -------
    BudgetProof

    Raises
    ------
    ThriftscopeError
        If no class is positive or an argument makes no sense.

    Examples
    --------
    >>> from solvers.datasets import make_heart
    >>> found = prove_budget(make_heart(), share=0.1, seconds=10.0)
    >>> found.certified.proven, found.nearly.complete
    (True, True)
    """
    SHARE.check("share", share)
    MAX_ROWS.check("max_rows", max_rows)
    rows = ProofRows.of(dataset, max_rows)
    budget, banned = share * rows.hypergraph.total_cost, rows.known(without)
    table = rows.X, rows.y, rows.hypergraph
    # Bounds improve while one waits; the last ones count.
    *_, one = certified_frontier(
        *table,
        ridge=ridge,
        budgets=[budget],
        tol=tol if gap is None else gap,
        seconds=seconds,
        without=banned,
        sample_weight=rows.weight,
    )
    nearly = near_optimal(
        *table,
        ridge=ridge,
        budget=budget,
        within=within,
        seconds=seconds,
        limit=limit,
        without=banned,
        sample_weight=rows.weight,
    )
    floor = check_certificate(one.certificate, *table, sample_weight=rows.weight)
    return BudgetProof(rows, one, floor, nearly, tol, within)
