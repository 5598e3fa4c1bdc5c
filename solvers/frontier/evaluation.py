"""The one place that splits, tunes the decision threshold, scores and charges.

Every method sees the same rows, has its threshold tuned by the same rule and pays by
the same hypergraph; none scores itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier

from ..adopted import AdoptedClassifier
from ..checks import refuse_unknown
from ..costs.alignment import order_by_name
from ..datasets.base import Dataset
from ..datasets.splits import Split, split_dataset
from ..decisions.mistakes import MistakeCosts
from ..decisions.row_costs import Accounting, RowCosts, accounts, check_accounting
from ..errors import DataError, ThriftscopeError, listed, shown
from ..methods import all_methods, unavailable_methods
from ..methods.base import CostAwareClassifier
from ..methods.wrapped import order_on_arrival
from ..numerics.arrays import Floats
from ..numerics.threads import in_one_thread, one_thread
from .frontier import FrontierPoint
from .priced_model import PricedModel
from .scoring import ThresholdRule, scored
from .total_cost import mistakes_among

# So many rows are decided alone at most, and no further once this time is spent: more
# would take most of a fit that a slider asks for, and spread as much.
_SINGLE_ROWS = 3
_SINGLE_SECONDS = 0.02


def trace_frontier(
    method: CostAwareClassifier | type[CostAwareClassifier] | str,
    dataset: Dataset,
    *,
    accounting: Accounting = "mean",
    threshold: ThresholdRule = "tuned",
    mistake_costs: MistakeCosts | None = None,
    random_state: int | None = 0,
    split: Split | None = None,
) -> Iterator[FrontierPoint]:
    """Yield a point for every model along a method's own path.

    Parameters
    ----------
    method : CostAwareClassifier, class or name
        What to trace; its hypergraph is replaced by that of the data set.
    dataset : Dataset
        Rows, labels and prices.
    accounting : {"mean", "p95", "max"}, default="mean"
        Which cost over rows counts. Every point carries all three; methods that
        optimise for one of them (those with a parameter ``accounting``) are told which.
    threshold : {"tuned", "default"}, default="tuned"
        "tuned": the decision threshold of best F1 on validation rows, or of least
        mistakes where these are priced, and of three classes or more then the answer
        of least expected mistakes; "default": the method's own.
    mistake_costs : MistakeCosts, optional
        What mistakes cost, in the unit of the data set or in one with a rate. Every
        point then has a "neg_total_cost", and methods with a parameter
        ``mistake_costs`` are told.
    random_state : int or None, default=0
        Seed of the split and of the method.
    split : Split, optional
        Of `dataset`, such as one of ``split_folds``; drawn by default.

    Yields
    ------
    FrontierPoint
        In the order of the path. Closing the iterator stops the method.

    Notes
    -----
    Linear algebra runs in one thread: more of them mostly wait on each other, and sums
    are added up in the same order everywhere.

    Raises
    ------
    ThriftscopeError
        Before the first point, if an option is unknown or the data do not suit.
    """
    steps = iter_frontier(
        method,
        dataset,
        accounting=accounting,
        threshold=threshold,
        mistake_costs=mistake_costs,
        random_state=random_state,
        split=split,
    )
    return (step for step in steps if isinstance(step, FrontierPoint))


def iter_frontier(
    method: CostAwareClassifier | type[CostAwareClassifier] | str,
    dataset: Dataset,
    *,
    accounting: Accounting = "mean",
    threshold: ThresholdRule = "tuned",
    mistake_costs: MistakeCosts | None = None,
    random_state: int | None = 0,
    split: Split | None = None,
    timed: bool = True,
) -> Iterator[FrontierPoint | float]:
    """Yield what ``trace_frontier`` does, and before how much of training is done.

    That is a share of 1, of methods that train for long before their first point.
    Closing the iterator stops the method. `timed`: whether points say how long deciding
    takes, which itself takes up to half as long as all else.
    """
    check_rules(accounting, threshold)
    name, estimator = resolve_method(method)
    split = split or split_dataset(dataset, random_state)
    estimator.set_params(hypergraph=split.hypergraph)
    told: dict[str, Any] = {"accounting": accounting, "random_state": random_state}
    if mistake_costs is not None:
        mistake_costs = mistakes_among(mistake_costs, dataset)
        told["mistake_costs"] = mistake_costs
    settable = estimator.get_params(deep=False)
    estimator.set_params(**{key: told[key] for key in told if key in settable})
    started = time.perf_counter()
    with one_thread():
        models = estimator.iter_path(**split.training)
    # What all models share is part of the first.
    seconds = time.perf_counter() - started
    return _points(name, models, split, threshold, mistake_costs, seconds, timed)


@in_one_thread
def _points(
    name: str,
    models: Iterator[CostAwareClassifier | float],
    split: Split,
    threshold: ThresholdRule,
    mistake_costs: MistakeCosts | None,
    seconds: float,
    timed: bool,
) -> Iterator[FrontierPoint | float]:
    started = time.perf_counter()
    for model in models:
        seconds += time.perf_counter() - started
        if isinstance(model, float):
            yield model
        else:
            point = evaluate(
                model,
                split,
                name=name,
                threshold=threshold,
                mistake_costs=mistake_costs,
                seconds=seconds,
            )
            yield time_decisions(point, split) if timed else point
            seconds = 0.0
        started = time.perf_counter()


def resolve_method(
    method: CostAwareClassifier | type[CostAwareClassifier] | str,
) -> tuple[str, CostAwareClassifier]:
    """Return the name of a method and an unfitted estimator of it."""
    methods = all_methods()
    if isinstance(method, str):
        if method in unavailable_methods():
            raise ThriftscopeError(unavailable_methods()[method])
        refuse_unknown(method, methods, "method")
        return method, methods[method]()
    wanted: object = method if isinstance(method, type) else type(method)
    names = [name for name, found in methods.items() if found is wanted]
    estimator = method() if isinstance(method, type) else clone(method)
    return (names[0] if names else type(estimator).__name__), estimator


def evaluate(
    model: CostAwareClassifier,
    split: Split,
    *,
    name: str | None = None,
    threshold: ThresholdRule = "tuned",
    mistake_costs: MistakeCosts | None = None,
    seconds: float = 0.0,
) -> FrontierPoint:
    """Return what a fitted model costs and what it gets right.

    Parameters
    ----------
    model : CostAwareClassifier
        Fitted on the training rows of `split`.
    split : Split
        Where to tune (validation) and to report (test).
    name : str, optional
        Name of the method; looked up by default.
    threshold : {"tuned", "default"}, default="tuned"
        Rule for the decision threshold.
    mistake_costs : MistakeCosts, optional
        What mistakes cost, as for ``trace_frontier``.
    seconds : float, default=0.0
        How long training took.

    Returns
    -------
    FrontierPoint

    Raises
    ------
    DataError
        If the model's hypergraph names other features than the split's, or these in
        another order.
    """
    check_rules("mean", threshold)
    _refuse_other_features(model, split)
    hypergraph = split.dataset.hypergraph
    decided = {
        p: model.decide(rows_for(model, split, p)) for p in ("validation", "test")
    }
    takes_table = _takes_table(model, split)
    in_table = np.asarray if takes_table else split.features_of
    acquired = {part: in_table(one.acquired) for part, one in decided.items()}
    features = np.asarray(acquired["test"].any(axis=0))
    prices = {
        part: {
            name: accounts(costs, split.weight(part))
            for name, costs in hypergraph.price_rows(rows).items()
        }
        for part, rows in acquired.items()
    }
    acquirable = in_table(model.acquirable_features())
    validation_rows = RowCosts(
        hypergraph.cost_rows(acquired["validation"]),
        largest=float(hypergraph.cost_rows(acquirable).max()),
        weight=split.weight("validation"),
    )
    paid = {
        "validation": accounts(validation_rows.costs, validation_rows.weight),
        "test": accounts(hypergraph.cost_rows(acquired["test"]), split.weight("test")),
    }
    tests = {part: of_rows["mean"] for part, of_rows in paid.items()}
    if mistake_costs is not None:
        mistake_costs = mistakes_among(mistake_costs, split.dataset)
    cut, priced, scores = scored(
        model.classes_,
        split,
        threshold,
        decided,
        tests,
        mistake_costs,
        answers_by_cost=model.answers_by_cost,
    )
    return FrontierPoint(
        method=name or resolve_method(type(model))[0],
        params=_plain_params(model),
        features=features,
        n_features=int(features.sum()),
        n_components=int(hypergraph.required_components(features).sum()),
        cost=paid["test"],
        scores=scores,
        seconds=seconds,
        threshold=cut,
        validation_cost=paid["validation"],
        validation_rows=validation_rows,
        mistake_costs=mistake_costs,
        priced=priced,
        prices=prices["test"],
        validation_prices=prices["validation"],
        model=model,
        encoder=None if takes_table else split.encoder,
    )


def price_mistakes(
    point: FrontierPoint,
    split: Split,
    mistake_costs: MistakeCosts,
    *,
    threshold: ThresholdRule = "tuned",
) -> FrontierPoint:
    """Return a point for other costs of mistakes; its model stays as it was trained.

    Parameters
    ----------
    point : FrontierPoint
        With its model.
    split : Split
        Its rows.
    mistake_costs : MistakeCosts
        What mistakes cost, as for ``trace_frontier``.
    threshold : {"tuned", "default"}, default="tuned"
        Rule for the decision threshold.

    Returns
    -------
    FrontierPoint
        With the threshold, the scores and the total cost that go with them.
    """
    priced = evaluate(
        point.model,
        split,
        name=point.method,
        threshold=threshold,
        mistake_costs=mistake_costs,
        seconds=point.seconds,
    )
    return replace(priced, decision_seconds=point.decision_seconds)


def labels_of(point: FrontierPoint, split: Split, part: str) -> NDArray:
    """Return what a point's model says of the rows of a part, by its threshold."""
    model = point.model
    if point.threshold or point.priced:
        model = classifier_of(point, split.dataset)
    return np.asarray(model.predict(rows_for(point.model, split, part)))


def rows_for(model: Any, split: Split, part: str) -> Floats:
    """Return the rows of a part as a model takes them.

    They are encoded for the methods of this library; an adopted model is given the
    numbers of the table, with its gaps. Shape: (n_rows, n_columns).
    """
    if not _takes_table(model, split):
        return split.X(part)
    return _numbers(model, split.dataset)[split.rows[part]]


def _takes_table(model: Any, split: Split) -> bool:
    return isinstance(model, AdoptedClassifier) and split.encoder is not None


def _numbers(model: AdoptedClassifier, dataset: Dataset) -> Floats:
    """Return a table as numbers: listed ones too, and words as the model has them."""
    assert dataset.schema is not None
    looked_at, X = model.acquirable_features()[0], dataset.X.copy()
    for j, column in enumerate(dataset.schema):
        if column.kind == "number" or not looked_at[j]:
            continue
        values = _values(column.values, model.words.get(j))
        if not column.is_listed or not len(values):
            raise DataError(
                f"Column {shown(column.name)} is a {column.kind}, and the adopted "
                "model takes numbers; give the table as it was trained on it."
            )
        known = np.isfinite(X[:, j])
        X[known, j] = values[X[known, j].astype(int)]
    return X


def _values(listed_values: Sequence[str], words: Sequence[str] | None) -> Floats:
    """Return what a model is given for values of a list; nothing where they are odd."""
    if words is not None:
        place = {word: float(k) for k, word in enumerate(words)}
        return np.array([place.get(word, len(words)) for word in listed_values])
    try:
        return np.array([float(word) for word in listed_values])
    except ValueError:
        return np.empty(0)


def time_decisions(point: FrontierPoint, split: Split) -> FrontierPoint:
    """Return a point with how long its model decides, once the features are there.

    Parameters
    ----------
    point : FrontierPoint
        As `evaluate` gives it, with its model.
    split : Split
        Where it was evaluated; its test rows are decided again.

    Returns
    -------
    FrontierPoint
        With `decision_seconds`: the median of three rows handed one at a time to
        ``predict`` of the model with its threshold, or the quicker of two where that
        takes long; and a row's share of all at once, the quicker of two tries.
    """
    rows = split.X("test")
    decider = classifier_of(point, split.dataset)
    # Other work on the machine only ever delays: one delay of some is not seen.
    alone: list[float] = []
    for k in range(_SINGLE_ROWS):
        row = k % rows.shape[0]
        alone.append(_seconds(decider.predict, rows[row : row + 1]))
        if k > 0 and sum(alone) > _SINGLE_SECONDS:
            break
    is_quick = len(alone) == _SINGLE_ROWS
    together = min(_seconds(point.model.decide, rows) for _ in range(2))
    seconds = {
        "one_row": float(np.median(alone) if is_quick else min(alone)),
        "batch_row": together / rows.shape[0],
    }
    return replace(point, decision_seconds=seconds)


def _seconds(decide: Callable[[Any], Any], rows: Floats) -> float:
    started = time.perf_counter()
    decide(rows)
    return time.perf_counter() - started


def prediction_cost(estimator: Any, X: ArrayLike) -> Floats:
    """Return what each row's prediction costs, through scikit-learn's wrappers.

    Parameters
    ----------
    estimator : estimator
        A fitted method, or a ``Pipeline``, ``GridSearchCV`` (any search),
        ``TunedThresholdClassifierCV`` or ``FixedThresholdClassifier`` around one.
    X : array_like of float, shape (n_samples, n_features)
        The rows, as the outermost estimator takes them.

    Returns
    -------
    ndarray of float, shape (n_samples,)
        In the hypergraph's unit.

    Raises
    ------
    ThriftscopeError
        If there is no cost-aware method inside, or it was given columns without their
        names in another order than its hypergraph's.
    """
    if hasattr(estimator, "prediction_cost"):
        return estimator.prediction_cost(X)
    for inner in ("best_estimator_", "estimator_"):
        if hasattr(estimator, inner):
            return prediction_cost(getattr(estimator, inner), X)
    if hasattr(estimator, "steps"):
        order_on_arrival(estimator)  # refuses names that were lost on the way
        for _, step in estimator.steps[:-1]:
            X = X if step in (None, "passthrough") else step.transform(X)
        return prediction_cost(estimator.steps[-1][1], X)
    raise ThriftscopeError(
        f"{type(estimator).__name__} does not know what a prediction costs; give a "
        "fitted cost-aware method, or a pipeline or search around one."
    )


def check_rules(accounting: str, threshold: str) -> None:
    """Refuse an accounting or a threshold rule that there is not."""
    check_accounting(accounting)
    if threshold not in get_args(ThresholdRule):
        raise ThriftscopeError(
            f'The threshold rule is {shown(threshold)}; use "tuned" or "default".'
        )


def _refuse_other_features(model: CostAwareClassifier, split: Split) -> None:
    """Refuse a model whose features are not the columns of a split, one by one."""
    described = getattr(model, "hypergraph", None)
    if described is None:
        return
    takes_table = _takes_table(model, split)
    described_rows = split.dataset if takes_table else split
    wanted = described_rows.hypergraph.features
    if order_by_name(described.features, wanted, "The model's hypergraph", "the split"):
        raise DataError(
            f"The model's hypergraph has {listed(described.features)}, the split "
            f"{listed(wanted)}; give the method split.hypergraph."
        )


def _plain_params(model: CostAwareClassifier) -> dict[str, float | str]:
    return {
        name: value if isinstance(value, str) else float(value)
        for name, value in model.get_params(deep=False).items()
        if name in model.knobs and value is not None
    }


def classifier_of(point: FrontierPoint, dataset: Dataset) -> Any:
    """Return what predicts labels as a point of a frontier does."""
    if point.priced is not None:
        return PricedModel.of(point.model, point.priced)
    return with_threshold(point.model, point.threshold, dataset)


def with_threshold(model: Any, threshold: float, dataset: Dataset) -> Any:
    """Return what calls rows positive from a threshold on.

    The model alone where there are more than two classes, and so no threshold.

    Notes
    -----
    Rows at the threshold are called positive, as when the threshold was tuned.
    """
    if dataset.positive is None or len(model.classes_) > 2:
        return model
    positive = dataset.positive
    classifier = FixedThresholdClassifier(
        FrozenEstimator(model),
        threshold=threshold,
        pos_label=positive.item() if isinstance(positive, np.generic) else positive,
        response_method="decision_function",
    )
    # Frozen: a label of each class is enough to wire the two together.
    is_positive = dataset.y == positive
    rows = [np.argmin(is_positive), np.argmax(is_positive)]
    nothing = np.zeros((len(rows), model.n_features_in_))
    return classifier.fit(nothing, dataset.y[rows])
