"""Several methods on one data set: what a budget buys, and how sure the best is."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..checks import refuse_unknown
from ..costs.budgets import room_of
from ..datasets.base import Dataset
from ..datasets.splits import Split, split_dataset
from ..decisions.mistakes import MistakeCosts
from ..decisions.row_costs import Accounting
from ..decisions.scores import SCORES
from ..errors import DataError, ThriftscopeError, counted, shown
from ..methods import all_methods
from ..methods.base import CostAwareClassifier
from ..numerics.arrays import Floats
from ..values.knobs import Knob, Number, Switch
from .bands import Band, compare_bands, frontier_band
from .evaluation import (
    check_rules,
    classifier_of,
    evaluate,
    resolve_method,
    trace_frontier,
)
from .free_answer import free_scores
from .frontier import Charge, Frontier, FrontierPoint
from .scoring import ThresholdRule
from .total_cost import mistakes_among

Thing = TypeVar("Thing")


@dataclass(frozen=True, eq=False, repr=False)
class MethodComparison:
    """What ``compare_methods`` has found; printed, what the budget buys.

    Parameters
    ----------
    dataset : Dataset
        Rows, labels and prices.
    frontiers : mapping of str to tuple of Frontier
        By name of the method, one for each split.
    budget : float
        In the unit of the data set.
    threshold : {"tuned", "default"}
        Rule for the decision threshold.
    floor : float
        What the answer that computes nothing scores on test rows.
    chosen : FrontierPoint or None
        The model that was asked for by its parameters.
    """

    dataset: Dataset
    frontiers: Mapping[str, tuple[Frontier, ...]]
    budget: float
    threshold: ThresholdRule
    floor: float
    chosen: FrontierPoint | None = None

    @cached_property
    def frontier(self) -> Frontier:
        """The points of all methods on the first split."""
        first = [runs[0] for runs in self.frontiers.values()]
        return first[0].holding(point for frontier in first for point in frontier)

    @cached_property
    def best(self) -> FrontierPoint | None:
        """The best point within the budget; None where it buys nothing."""
        return self.frontier.best_within(self.budget)

    @property
    def point(self) -> FrontierPoint | None:
        """The chosen model, or else the best within the budget."""
        return self.best if self.chosen is None else self.chosen

    @cached_property
    def bands(self) -> dict[str, Band]:
        """Mean and spread of each method over the splits; empty for one split."""
        if len(next(iter(self.frontiers.values()))) < 2:
            return {}
        return method_bands(self.frontiers, self.floor)

    def __repr__(self) -> str:
        unit = self.dataset.unit
        if self.best is None:
            parts = [f"No point costs {self.budget:g} {unit} or less."]
        elif np.isinf(self.budget):
            parts = [self._report("Best of all", self.best)]
        else:
            parts = [self._report(f"Best within {self.budget:g} {unit}", self.best)]
        if self.chosen is not None:
            parts.append(self._report("Chosen", self.chosen))
        for name, band in self.bands.items():
            at = _place_of(self.budget, band)
            parts.append(
                f"{name} on {band.n_runs} splits: {self.frontier.score} "
                f"{band.mean[at]:.3f} +- {band.standard_error[at]:.3f} within the "
                "budget"
            )
        train, _, test = self.dataset.fractions
        parts.append(lead_sentence(self.bands, self.budget, unit, test / train))
        return "\n".join(filter(None, parts))

    def _report(self, title: str, point: FrontierPoint) -> str:
        axes, hypergraph = self.frontier, self.dataset.hypergraph
        features = point.features.nonzero()[0]
        needed = hypergraph.required_components(point.features).nonzero()[0]
        indent = "\n    "
        return (
            f"{title}: {point.method}, {axes.score} "
            f"{axes.scored(point):.3f} on test rows, "
            f"{point.cost[axes.accounting]:.6g} {axes.unit} ({axes.accounting})\n"
            f"parameters: {dict(point.params)}, threshold {point.threshold:.6g}\n"
            + indent.join(["features:", *(hypergraph.features[j] for j in features)])
            + "\n"
            + indent.join(["components:", *(hypergraph.components[i] for i in needed)])
        )


def compare_methods(
    dataset: Dataset,
    methods: Mapping[str, Mapping[str, Any]],
    *,
    budget: float = np.inf,
    accounting: Accounting = "mean",
    score: str = "f1",
    charge: Charge = "features",
    confidence: float = 0.0,
    limits: Mapping[str, float] | None = None,
    threshold: ThresholdRule = "tuned",
    mistake_costs: MistakeCosts | None = None,
    chosen: tuple[str, Mapping[str, Any]] | None = None,
    n_splits: int = 1,
    random_state: int | None = 0,
    progress: bool = False,
) -> MethodComparison:
    """Trace several methods on one data set, and say what a budget buys.

    Parameters
    ----------
    dataset : Dataset
        Rows, labels and prices.
    methods : mapping of str to mapping of str to object
        Parameters of each method that is traced, by its name in ``all_methods()``.
    budget : float, default=inf
        In the unit of the data set.
    accounting, score, charge, confidence, limits : optional
        What is charged, and which score counts, as for ``Frontier``.
    threshold : {"tuned", "default"}, default="tuned"
        Rule for the decision threshold, as for ``trace_frontier``.
    mistake_costs : MistakeCosts, optional
        What mistakes cost, as for ``trace_frontier``; ``score="neg_total_cost"`` needs
        them.
    chosen : tuple of str and mapping of str to object, optional
        A method and its parameters, such as those of a point, which is fitted by
        itself.
    n_splits : int, default=1
        On how many splits the methods are compared, with seeds from `random_state` on.
    random_state : int or None, default=0
        Seed of the split and of the methods.
    progress : bool, default=False
        Whether to show on standard error how far it has come.

    Returns
    -------
    MethodComparison

    Raises
    ------
    ThriftscopeError
        If an option or a method is unknown, a parameter is none of its method, or
        there is no method to compare.

    Examples
    --------
    >>> from solvers.datasets import make_heart
    >>> found = compare_methods(make_heart(), {"static_prefix": {}}, budget=20.0)
    >>> print(str(found).partition(",")[0])
    Best within 20 CAD: static_prefix
    """
    check_rules(accounting, threshold)
    refuse_unknown(score, SCORES, "score")
    if not methods:
        raise ThriftscopeError("There is no method to compare; name one or more.")
    if n_splits > 1 and random_state is None:
        raise ThriftscopeError("Several splits need a seed; give a random_state.")
    estimators = {name: _estimator(name, params) for name, params in methods.items()}
    asked = None if chosen is None else _estimator(*chosen)
    axes = Frontier(
        (),
        accounting,
        score,
        charge=charge,
        unit=dataset.unit,
        confidence=confidence,
        limits=limits,
    )
    frontiers = {
        name: tuple(
            axes.holding(
                _shown_progress(
                    trace_frontier(
                        estimator,
                        dataset,
                        threshold=threshold,
                        mistake_costs=mistake_costs,
                        random_state=seed,
                    ),
                    f"{name}, split {k + 1} of {n_splits}" if n_splits > 1 else name,
                    progress,
                )
            )
            for k, seed in enumerate(_seeds(random_state, n_splits))
        )
        for name, estimator in estimators.items()
    }
    split = split_dataset(dataset, random_state)
    floor = free_scores(split, score, mistake_costs)["test"]
    point = None
    if chosen is not None and asked is not None:
        point = _fitted(asked, chosen[0], split, threshold, random_state, mistake_costs)
    return MethodComparison(dataset, frontiers, budget, threshold, floor, point)


def _seeds(random_state: int | None, n_splits: int) -> list[int | None]:
    if random_state is None:
        return [None]
    return [random_state + run for run in range(n_splits)]


def _shown_progress(
    points: Iterable[Thing], name: str, is_shown: bool
) -> Iterator[Thing]:
    """Yield points, and show how many have come."""
    if is_shown:
        from tqdm import tqdm

        points = tqdm(points, name, unit=" points")
    yield from points


def _estimator(name: str, params: Mapping[str, Any]) -> CostAwareClassifier:
    """Return an unfitted method; a point keeps all of its parameters as floats."""
    _, estimator = resolve_method(name)
    known = inspect.signature(type(estimator)).parameters
    for key in params:
        if key not in known:
            raise ThriftscopeError(
                f"{name} takes no {shown(key)}; choose from {', '.join(known)}."
            )
    knobs = estimator.knobs
    typed = {key: _typed(knobs.get(key), value) for key, value in params.items()}
    return estimator.set_params(**typed)


def _typed(knob: Knob | None, value: Any) -> Any:
    if isinstance(knob, Switch) and value in (0, 1):
        return bool(value)
    is_whole = isinstance(value, float) and value.is_integer()
    return (
        int(value) if isinstance(knob, Number) and knob.integer and is_whole else value
    )


def _fitted(
    model: CostAwareClassifier,
    name: str,
    split: Split,
    threshold: ThresholdRule,
    random_state: int | None,
    mistake_costs: MistakeCosts | None,
) -> FrontierPoint:
    """Return the point of one model, told what ``trace_frontier`` tells it."""
    model.set_params(hypergraph=split.hypergraph)
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=random_state)
    if mistake_costs is not None and "mistake_costs" in model.get_params(deep=False):
        model.set_params(mistake_costs=mistakes_among(mistake_costs, split.dataset))
    model.fit(**split.training)
    return evaluate(
        model, split, name=name, threshold=threshold, mistake_costs=mistake_costs
    )


# --------------------------------------------------------------------- over the splits


def method_bands(
    frontiers: Mapping[str, Iterable[Frontier]], floor: float
) -> dict[str, Band]:
    """Return mean and spread of each method's frontiers, on one grid of budgets.

    Empty where there is no frontier.
    """
    runs = {name: [*of_method] for name, of_method in frontiers.items()}
    if not runs:
        return {}
    steps = [frontier_band(of_method).costs for of_method in runs.values()]
    grid = np.unique(np.concatenate([[0.0], *steps]))
    return {
        name: frontier_band(of_method, grid, floor=floor)
        for name, of_method in runs.items()
    }


def lead_sentence(
    bands: Mapping[str, Band], budget: float, unit: str, overlap: float
) -> str:
    """Return how sure it is that the best method within a budget is the best.

    Empty where there are fewer than two methods.
    """
    if len(bands) < 2:
        return ""
    at = _place_of(budget, next(iter(bands.values())))
    first, second = sorted(bands, key=lambda name: -bands[name].mean[at])[:2]
    difference = compare_bands(bands[first], bands[second], overlap=overlap)
    one, other = (all_methods()[name].title for name in (first, second))
    return difference.sentence(budget, one, other, unit)


def _place_of(budget: float, band: Band) -> int:
    return max(0, int(np.searchsorted(band.costs, room_of(budget), side="right")) - 1)


# ------------------------------------------------------------------------- raw samples


@dataclass(frozen=True, eq=False, repr=False)
class SampleAnswers:
    """What a trimmed extractor and its model answer; printed, how often each label.

    Parameters
    ----------
    answers : ndarray, shape (n_samples,)
        A label for each raw sample; empty where there is no model.
    components : tuple of str
        What the extractor computes.
    seconds : float
        How long it takes for one sample, measured here.
    """

    answers: NDArray
    components: tuple[str, ...] = ()
    seconds: float = 0.0

    def __repr__(self) -> str:
        if not len(self.answers):
            return "No sample is answered."
        lines = [
            f"trimmed extractor: {counted(len(self.components), 'component')}, "
            f"{self.seconds * 1e6:.3g} us measured per sample on this machine"
        ]
        labels, counts = np.unique(self.answers, return_counts=True)
        n = len(self.answers)
        lines += [
            f"{count} of {n} raw samples answered with {label}"
            for label, count in zip(labels, counts, strict=True)
        ]
        return "\n".join(lines)


def answer_samples(comparison: MethodComparison) -> SampleAnswers:
    """Answer from raw samples: compute what the point of a comparison needs, no more.

    Parameters
    ----------
    comparison : MethodComparison
        Of a data set that comes with its feature functions.

    Returns
    -------
    SampleAnswers

    Raises
    ------
    DataError
        If the data set has no feature functions or no samples.
    """
    dataset, point = comparison.dataset, comparison.point
    if dataset.pipeline is None or dataset.samples is None:
        raise DataError(
            f"{dataset.name} comes without feature functions; open data that have them."
        )
    if point is None:
        return SampleAnswers(dataset.y[:0])
    names = [dataset.feature_names[j] for j in point.features.nonzero()[0]]
    extractor = dataset.pipeline.trim(names)
    columns = [dataset.feature_names.index(name) for name in extractor.features]
    table = np.zeros((len(dataset.samples), dataset.n_features))
    table[:, columns] = extractor.extract(dataset.samples)
    timing = extractor.measure(dataset.samples)
    return SampleAnswers(
        _labels(table, point, comparison), tuple(extractor.components), timing.seconds
    )


def _labels(
    table: Floats, point: FrontierPoint, comparison: MethodComparison
) -> NDArray:
    dataset = comparison.dataset
    if comparison.threshold == "default":
        return np.asarray(point.model.predict(table))
    return np.asarray(classifier_of(point, dataset).predict(table))
