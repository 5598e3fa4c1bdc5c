"""Methods of any number of classes that compute features group by group.

Features of a group come together: one computation yields all of them, so there is no
sense in asking for a part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ..costs.hypergraph import FeatureHypergraph
from ..decisions.mistakes import MistakeCosts
from ..decisions.program import Program, weighed_sum
from ..errors import HypergraphError, KnobError, shown
from ..numerics.acquisition_order import FeatureOrder, acquisition_order
from ..numerics.relief import relief_weights
from ..numerics.svm_stages import (
    STEPS,
    StageSolution,
    class_signs,
    rounded,
    train_stages,
)
from ..values.fields import Described
from ..values.knobs import STANDARDISE_KNOB, Choice, Number
from .base import CostAwareClassifier, LabelledRows
from .rows import labelled_rows
from .static import StaticClassifier

# Relief looks at so many rows at most; more do not change an order.
_RELIEF_DRAWS = 1000

Groups: TypeAlias = Sequence[Sequence[int] | Sequence[str]]

# What several of these methods take, in the same words.
GivenGroups: TypeAlias = Annotated[
    Groups | None,
    Described(
        "sequence of sequences of int or str",
        "Features that come together; by default those that need the same components.",
    ),
]
LossWeight: TypeAlias = Annotated[
    float,
    Number(
        "Regularisation C",
        0.0,
        np.inf,
        scale="log",
        open=True,
        shown=(1e-3, 1e3),
        doc="Weight of the losses against the size of the weights.",
    ),
    "Weight of the losses; a row's is multiplied by its sample weight.",
]
GroupOrder: TypeAlias = Annotated[
    FeatureOrder,
    Choice(
        "Feature order",
        ("alone", "marginal", "amortised", "value"),
        doc="Which group of features is computed next.",
    ),
    'The order of the groups, see ``acquisition_order``; "alone", by their own cost, '
    "is the paper's.",
]
Standardise: TypeAlias = Annotated[
    bool,
    STANDARDISE_KNOB,
    "Measure columns in units of their standard deviation, so that neither unit nor "
    "zero of one counts; weights are given for the rows as they are. False is the "
    "problem as published, on X as given.",
]
ErrorCost: TypeAlias = Annotated[
    float | None,
    Number(
        "Cost of an error",
        0.0,
        np.inf,
        scale="log",
        open=True,
        optional=True,
        doc="How much computing one error is worth, in the unit of the costs.",
    ),
    "What an error costs, in the hypergraph's unit; by default ten times what all "
    "features cost.",
]
GivenMistakes: TypeAlias = Annotated[
    MistakeCosts | None,
    Described(
        "MistakeCosts",
        "What mistakes cost, in the unit of the hypergraph or with a rate; without "
        "them the method is as published.",
    ),
]
Bins: TypeAlias = Annotated[
    int,
    Number(
        "Bins",
        2,
        np.inf,
        integer=True,
        shown=(2, 20),
        doc="Into how many bins of equal weight each feature is cut.",
    ),
    "Each feature is cut into at most so many bins of equal weight.",
]


@dataclass(frozen=True)
class GroupedTraining(LabelledRows):
    """Checked training data of two classes or more, and the groups of its columns."""

    # The features of each group; each feature is in one
    groups: tuple[NDArray[np.int_], ...] = field(kw_only=True)

    @property
    def costs(self) -> NDArray[np.float64]:
        """Cost of each component, shape (n_components,)."""
        return self.hypergraph.component_costs

    @cached_property
    def needs(self) -> NDArray[np.bool_]:
        """Which components each group needs, shape (n_groups, n_components)."""
        return np.array(
            [self.hypergraph.required_components(group) for group in self.groups]
        )

    @cached_property
    def group_of(self) -> NDArray[np.int_]:
        """Group of each feature, shape (n_features,)."""
        group_of = np.empty(self.X.shape[1], dtype=np.int64)
        for number, group in enumerate(self.groups):
            group_of[group] = number
        return group_of

    def ordered(self, order: FeatureOrder) -> tuple[NDArray[np.int_], ...]:
        """Return the groups in an order of acquisition.

        `order`: see ``acquisition_order``; what a group is worth is the Relief weight
        of its best feature.
        """
        values = None
        if order == "value":
            rows = self.X, self.labels, self.weights
            relief = relief_weights(*rows, _RELIEF_DRAWS, groups=self.row_groups)
            values = np.array([relief[group].max() for group in self.groups])
        chosen = acquisition_order(self.needs, self.costs, order, values)
        return tuple(self.groups[g] for g in chosen)


class GroupedClassifier(CostAwareClassifier):
    """A method with a parameter ``groups``, for two classes or more.

    ``decision_function`` is of shape (n_samples,) for two classes and
    (n_samples, n_classes) for more; the largest is predicted.
    """

    takes_many_classes: ClassVar[bool] = True
    groups: Groups | None
    mistake_costs: MistakeCosts | None = None
    error_cost: float | None = None

    def _mistakes(self) -> MistakeCosts | None:
        """Return what mistakes cost for the classes that were learned, if anything."""
        given = self.mistake_costs
        if given is None:
            return None
        if not isinstance(given, MistakeCosts):
            raise KnobError(
                f"mistake_costs is {shown(given)}; give MistakeCosts, such as "
                "MistakeCosts.binary(miss=..., false_alarm=...)."
            )
        return given.for_classes(self.classes_).in_unit(self._hypergraph().unit)

    def _priced(self) -> NDArray[np.float64] | None:
        """Return the matrix of mistakes, the dearest as `error_cost` where that is."""
        mistakes = self._mistakes()
        if mistakes is None or self.error_cost is None:
            return None if mistakes is None else mistakes.costs
        return mistakes.costs * (self.error_cost / mistakes.excess.max())

    def _error_costs(self) -> list[float]:
        """Return costs of an error along a path; the one that is priced among them."""
        path = error_costs(self._hypergraph()).tolist()
        mistakes = self._mistakes()
        return sorted({*path, *([] if mistakes is None else [mistakes.excess.max()])})

    def _checked(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any
    ) -> GroupedTraining:
        known = labelled_rows(self, X, y, sample_weight, groups)
        together = resolve_groups(self.groups, known.hypergraph)
        return GroupedTraining(**vars(known), groups=together)


class GroupedSVM(GroupedClassifier, StaticClassifier):
    """One linear support vector machine for every row, on the features of some groups.

    `coef_`: (n_outputs, n_features), one row for two classes, one a class for more;
    `intercept_`: (n_outputs,); `gap_`: the largest relative duality gap.
    """

    C: float
    standardise: bool
    coef_: NDArray[np.float64]
    intercept_: NDArray[np.float64]

    def _machines(
        self, training: GroupedTraining, groups: Sequence[NDArray[np.int_]]
    ) -> Iterator[StageSolution]:
        """Yield the machine after each group of features has been added."""
        signs = class_signs(training.labels, len(self.classes_))
        caps = self.C * training.weights
        return train_stages(
            training.X, signs, caps, groups, standardise=self.standardise
        )

    def _take_machine(self, solved: StageSolution, support: NDArray[np.bool_]) -> Self:
        self.coef_, self.intercept_ = solved.coef, solved.intercept
        self.gap_ = float(solved.gap.max())
        self._set_support(support)
        return self

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return how strongly each row is held to be of each class."""
        rows = self._check_rows(X)[:, self.support_]
        margins = rounded(rows @ self.coef_[:, self.support_].T + self.intercept_)
        return margins[:, 0] if len(self.classes_) == 2 else margins

    def program(self) -> Program:
        """Return the one node, the weighted sums of what is selected."""
        check_is_fitted(self)
        return weighed_sum(self.support_, self.coef_, self.intercept_, STEPS)


def usual_error_cost(hypergraph: FeatureHypergraph) -> float:
    """Return the cost of an error where none is given.

    Ten times what all features cost, in the hypergraph's unit.
    """
    return 10.0 * (hypergraph.total_cost or 1.0)


def error_costs(hypergraph: FeatureHypergraph) -> NDArray[np.float64]:
    """Return costs of an error along a path, from too low to buy to no object.

    Rising, in the hypergraph's unit.
    """
    return usual_error_cost(hypergraph) * np.geomspace(1e-4, 1e2, 19)


def resolve_groups(
    groups: Groups | None, hypergraph: FeatureHypergraph
) -> tuple[NDArray[np.int_], ...]:
    """Return the features of each group.

    `groups`: features, by index or name, that come together. None: features that need
    the very same components do, those that cost nothing aside.
    """
    if groups is None:
        return _by_components(hypergraph)
    resolved = []
    count = np.zeros(hypergraph.n_features, dtype=int)
    for number, group in enumerate(groups):
        members = np.flatnonzero(hypergraph.feature_mask(group))
        if not members.size:
            raise HypergraphError(
                f"Group {number} is empty; name the features that come together."
            )
        count[members] += 1
        resolved.append(members)
    wrong = np.flatnonzero(count != 1)
    if wrong.size:
        where = "no group" if count[wrong[0]] == 0 else "more than one group"
        raise HypergraphError(
            f"Feature {shown(hypergraph.features[wrong[0]])} is in {where}; put each "
            "feature in exactly one."
        )
    return tuple(resolved)


def _by_components(hypergraph: FeatureHypergraph) -> tuple[NDArray[np.int_], ...]:
    priced = hypergraph.incidence[hypergraph.component_costs > 0]
    columns = priced.tocsc()
    together: dict[bytes, list[int]] = {}
    for j in range(hypergraph.n_features):
        needed = columns.indices[columns.indptr[j] : columns.indptr[j + 1]]
        together.setdefault(np.sort(needed).tobytes(), []).append(j)
    return tuple(np.array(members) for members in together.values())
