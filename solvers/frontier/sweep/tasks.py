"""What a sweep is made of: one frontier a task."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...checks import refuse_twins, refuse_unknown
from ...datasets import all_datasets
from ...datasets.base import Dataset
from ...datasets.splits import Split, split_dataset, split_folds
from ...decisions.row_costs import Accounting
from ...errors import DataError, ThriftscopeError
from ...methods.base import CostAwareClassifier
from ...numerics.arrays import Floats
from ..evaluation import check_rules, resolve_method, trace_frontier
from ..frontier import FrontierPoint
from ..scoring import ThresholdRule

AnyMethod: TypeAlias = "CostAwareClassifier | type[CostAwareClassifier] | str"
Methods: TypeAlias = "Mapping[str, AnyMethod] | Iterable[AnyMethod]"
Datasets: TypeAlias = "Iterable[Dataset | str] | Dataset | str"
# Of what is kept of a point: files of another layout are not read as this one's.
_LAYOUT = "points above a floor"


@dataclass(frozen=True, eq=False)
class SweepTask:
    """One method's frontier on one data set with one seed.

    Parameters
    ----------
    method : str
        What the method is called in the results.
    estimator : CostAwareClassifier
        Unfitted, with its parameters.
    dataset : Dataset
        Rows, labels and prices.
    seed : int
        Of the split and the method, and of the data where they are drawn anew.
    fold, n_folds : int or None
        Which of how many folds is tested on; None where the split is a single one.
    accounting : {"mean", "p95", "max"}
        As in ``trace_frontier``.
    threshold : {"tuned", "default"}
        As in ``trace_frontier``.
    """

    method: str
    estimator: CostAwareClassifier
    dataset: Dataset
    seed: int
    fold: int | None = None
    n_folds: int | None = None
    accounting: Accounting = "mean"
    threshold: ThresholdRule = "tuned"

    @property
    def key(self) -> tuple[str, str, int, int]:
        """Data set, method, seed and fold (-1 for none): unique in a sweep."""
        fold = -1 if self.fold is None else self.fold
        return self.dataset.name, self.method, self.seed, fold

    def __str__(self) -> str:
        fold = "" if self.fold is None else f", fold {self.fold}"
        return f"{self.method} on {self.dataset.name}, seed {self.seed}{fold}"

    def split(self) -> Split:
        """Return the rows to train on, to choose on and to report on.

        Returns
        -------
        Split
        """
        if self.fold is None or self.n_folds is None:
            return split_dataset(self.dataset, self.seed)
        return split_folds(self.dataset, self.n_folds, self.seed)[self.fold]

    def digest(self) -> str:
        """Return a fingerprint of everything that the points depend on.

        Returns
        -------
        str
            Hexadecimal.
        """
        hypergraph, dataset = self.dataset.hypergraph, self.dataset
        described = {
            "layout": _LAYOUT,
            "method": type(self.estimator).__qualname__,
            "params": {
                name: repr(value)
                for name, value in self.estimator.get_params(deep=False).items()
                if name != "hypergraph"
            },
            "split": [self.seed, self.fold, self.n_folds, *dataset.fractions],
            "rules": [self.accounting, self.threshold, str(dataset.positive)],
            "labels": [str(label) for label in dataset.classes],
            "schema": repr(dataset.schema),
        }
        if hypergraph.prices:
            described["prices"] = [
                [price.name, price.unit, price.rule, price.values.tolist()]
                for price in hypergraph.prices
            ]
        known = hashlib.sha256(json.dumps(described, sort_keys=True).encode())
        for values in (
            *_stored(dataset.X),
            np.searchsorted(dataset.classes, dataset.y),
            hypergraph.component_costs,
            hypergraph.incidence.indptr,
            hypergraph.incidence.indices,
            *(() if dataset.roles is None else dataset.roles.arrays()),
        ):
            known.update(np.ascontiguousarray(values).tobytes())
        return known.hexdigest()


def _stored(rows: Floats | sparse.csr_array) -> tuple[NDArray[np.generic], ...]:
    """Return the arrays that a table is made of, dense or sparse."""
    if isinstance(rows, sparse.csr_array):
        return np.array(rows.shape), rows.indptr, rows.indices, rows.data
    return (rows,)


@dataclass(frozen=True, eq=False)
class SweepPoint:
    """A point of one frontier of a sweep."""

    dataset: str  #: Name of the data set
    method: str  #: What the method is called
    seed: int  #: Seed of the task
    fold: int | None  #: Fold of the task
    number: int  #: Place on the method's path, from 0
    full_cost: float  #: What all features of the data set cost
    unit: str  #: Of the costs
    point: FrontierPoint  #: Without its model
    floor: Mapping[str, float]  #: F1 of the free answer on the rows of its task

    def row(self) -> dict[str, Any]:
        """Return the point as one flat row of a table.

        Returns
        -------
        dict
        """
        return {
            "dataset": self.dataset,
            "seed": self.seed,
            "fold": self.fold,
            "number": self.number,
            "full_cost": self.full_cost,
            "unit": self.unit,
            **self.point.row(),
        }


@dataclass(frozen=True)
class SweepRefusal:
    """A frontier that a sweep does without, since its method cannot take the data."""

    #: Their names
    dataset: str
    method: str
    seed: int  #: Seed of the task
    fold: int | None  #: Fold of the task
    sentence: str  #: Why; it names the task


def plan_sweep(
    methods: Methods,
    datasets: Datasets,
    seeds: Iterable[int] = (0,),
    *,
    n_folds: int | None = None,
    redraw: bool = False,
    accounting: Accounting = "mean",
    threshold: ThresholdRule = "tuned",
) -> tuple[SweepTask, ...]:
    """Return the tasks of a sweep in the order of its results.

    Parameters
    ----------
    methods : iterable of methods, or mapping of str to method
        Names, classes or estimators. A mapping says what they are called.
    datasets : iterable of Dataset or str
        Data sets, or names of ``all_datasets()``.
    seeds : iterable of int, default=(0,)
        Each seed splits anew.
    n_folds : int, optional
        Test on each of so many folds instead of on one part.
    redraw : bool, default=False
        Whether data sets given by name are drawn anew with each seed, where they are
        drawn at all.
    accounting, threshold
        As in ``trace_frontier``.

    Returns
    -------
    tuple of SweepTask
        By data set, then seed, fold and method.

    Raises
    ------
    ThriftscopeError
        If a name is unknown or stands twice, or a data set is too small for the split.
    """
    check_rules(accounting, threshold)
    estimators = _labelled(methods)
    folds = [None] if n_folds is None else list(range(n_folds))
    numbers = _distinct([int(seed) for seed in seeds], "seed")
    listed = [datasets] if isinstance(datasets, Dataset | str) else list(datasets)
    names = [data if isinstance(data, str) else data.name for data in listed]
    _distinct(names, "data set")
    tasks = []
    for given in listed:
        dataset = _drawn(given)
        for seed in numbers:
            if redraw and isinstance(given, str):
                dataset = _drawn(given, seed)
            _check_split(dataset, n_folds, seed)
            tasks += [
                SweepTask(
                    label,
                    estimator,
                    dataset,
                    seed,
                    fold,
                    n_folds,
                    accounting,
                    threshold,
                )
                for fold in folds
                for label, estimator in estimators.items()
            ]
    return tuple(tasks)


def _labelled(methods: Methods) -> dict[str, CostAwareClassifier]:
    if isinstance(methods, Mapping):
        found = [(str(label), resolve_method(m)[1]) for label, m in methods.items()]
    else:
        each = [methods] if isinstance(methods, str) else methods
        found = [resolve_method(method) for method in each]
    _distinct([label for label, _ in found], "method")
    return dict(found)


def _distinct(names: list[Any], what: str) -> list[Any]:
    if not names:
        raise ThriftscopeError(f"The sweep has no {what}; give one or more.")
    remedy = "give each a name of its own"
    refuse_twins(names, f"The sweep has the {what}", ThriftscopeError, remedy)
    return names


def _drawn(given: Dataset | str, seed: int | None = None) -> Dataset:
    if isinstance(given, Dataset):
        # Functions and raw samples are not needed, and may not travel.
        return replace(given, pipeline=None, samples=None)
    refuse_unknown(given, all_datasets(), "data set", DataError)
    make: Callable[..., Dataset] = all_datasets()[given]
    takes_seed = "random_state" in inspect.signature(make).parameters
    options = {} if seed is None or not takes_seed else {"random_state": seed}
    return replace(make(**options), name=given, pipeline=None, samples=None)


def _check_split(dataset: Dataset, n_folds: int | None, seed: int) -> None:
    if n_folds is None:
        split_dataset(dataset, seed)
    else:
        split_folds(dataset, n_folds, seed)


def attempt_task(task: SweepTask) -> list[FrontierPoint] | ThriftscopeError:
    """Return the points of one frontier, without their models, or why there are none.

    Linear algebra runs in one thread there: workers do not fight for processors.
    """
    try:
        points = trace_frontier(
            task.estimator,
            task.dataset,
            accounting=task.accounting,
            threshold=task.threshold,
            random_state=task.seed,
            split=task.split(),
        )
        return [
            replace(p, method=task.method, model=None, encoder=None) for p in points
        ]
    except ThriftscopeError as error:
        return ThriftscopeError(f"{task}: {error}")
