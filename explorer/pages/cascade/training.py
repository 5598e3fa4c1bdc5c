"""What the cascade page computes: cascades, all budgets, rivals, one prediction."""

from __future__ import annotations

import copy
import time
from collections.abc import Collection, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers import CostAwareClassifier, Dataset
from solvers.datasets import make_scenes
from solvers.errors import DataError, shown
from solvers.frontier.evaluation import Split
from solvers.methods.csdt import CSDTClassifier
from solvers.methods.csnb import CSNBClassifier
from solvers.methods.hypergraph_cascade import (
    HypergraphCascadeClassifier,
    Policy,
    Replay,
)
from solvers.methods.jit import JITClassifier
from solvers.methods.relief_svm import ReliefSVMClassifier
from solvers.methods.tefe import TEFEClassifier
from solvers.numerics.acquisition_order import acquisition_order, cumulative_costs
from solvers.papers.cascades import CascadeRows, Series
from solvers.papers.cascades.decided import first_rows

from ...compute.cluster import computed
from ...compute.shared import data_key
from ...export.column_text import ColumnText
from ...session.state import bundled
from .result import CascadeResult, PredictionRun, early_row

#: What the page can learn from, by the name in a link.
SOURCES = {
    "session": "The open data set",
    "breast_cancer": "Breast cancer, two classes",
    "digits": "Digits, ten classes",
    "scenes": "Scenes, ten classes, costs measured",
    "scenes_published": "Scenes, ten classes, costs as published",
}
RIVALS: dict[str, type[CostAwareClassifier]] = {
    "jit": JITClassifier,
    "csdt": CSDTClassifier,
    "csnb": CSNBClassifier,
    "relief_svm": ReliefSVMClassifier,
}
# Exit threshold on which the page opens, as a quantile of confidence.
OPENING_SHARE = 0.5
# More rows than this are not waited for; the page says how many it takes.
MAX_ROWS = 1000


@dataclass(frozen=True)
class TrainingRequest:
    """What is to be trained."""

    source: str  # A name of `SOURCES`
    dataset: Dataset | None  # The session's own, which "session" means
    C: float  # Weight of the losses
    order: Any  # Order of the groups
    # Whether confidences are calibrated as well, which takes four times as long
    is_calibrated: bool


@dataclass(frozen=True, eq=False)
class TrainedCascade:
    """A cascade, and the rows that it is looked at with."""

    request: TrainingRequest  # What was asked for
    split: Split  # The rows; at most `MAX_ROWS` of each part
    # (n_features,) Mean and spread of the columns of the training rows: SVMs see
    # columns without the one and in units of the other
    centre: NDArray[np.float64]
    width: NDArray[np.float64]
    model: TEFEClassifier  # Fitted
    seconds: float  # How long training took
    _rows: dict[tuple[str, str], CascadeRows] = field(default_factory=dict)

    @property
    def dataset(self) -> Dataset:
        """What was learned from."""
        return self.split.dataset

    @property
    def n_columns(self) -> int:
        """Columns that are learned from, of which a feature may have several."""
        return len(self.centre)

    @property
    def full_cost(self) -> float:
        """What a row costs that goes to the end."""
        return float(self.model.stage_costs_[-1])

    @cached_property
    def costs_as_published(self) -> NDArray[np.float64]:
        """What is paid after each stage if groups come by what each costs alone.

        Shape: (n_stages,).
        """
        hypergraph = self.split.hypergraph
        costs = hypergraph.component_costs
        groups = sorted(self.model.stage_groups_, key=min)
        needs = np.array([hypergraph.required_components(group) for group in groups])
        return cumulative_costs(needs[acquisition_order(needs, costs)], costs)

    @property
    def stage_features(self) -> list[list[str]]:
        """The features of the table that each stage adds, each once."""
        columns = ColumnText(self.dataset, self.split.encoder)
        names = self.dataset.feature_names
        return [
            [names[j] for j in dict.fromkeys(map(columns.feature, group))]
            for group in self.model.stage_groups_
        ]

    @property
    def stage_names(self) -> list[str]:
        """What each stage adds, in a few words."""
        return [
            first if not others else f"{first} and {len(others)} more"
            for first, *others in self.stage_features
        ]

    def scaled(self, part: str) -> NDArray[np.float64]:
        """Return the rows of a part as the SVMs see them.

        Shape: (n_rows, n_features).
        """
        return self.split.scaled(part)

    def with_confidence(self, kind: Any, **params: Any) -> TEFEClassifier:
        """Return the same stages with other settings."""
        return copy.copy(self.model).set_params(confidence=kind, **params)

    @cached_property
    def early_row(self) -> int:
        """A test row that goes on at least once, and leaves early and right.

        At the threshold on which the page opens: it stays while that moves.
        """
        curve = self.rows("validation", "distance").curve
        test = self.rows("test", "distance")
        exits = test.exits(curve.threshold_at_share(OPENING_SHARE))
        return early_row(exits, test.right[np.arange(test.n_rows), exits])

    def rows(self, part: str, kind: str) -> CascadeRows:
        """Return what every stage says of the rows of a part."""
        if (part, kind) not in self._rows:
            model = self.with_confidence(kind)
            found = CascadeRows.of(model, self.scaled(part), self.split.y(part))
            self._rows[part, kind] = found
        return self._rows[part, kind]


class Fitted(NamedTuple):
    """A cascade that has learned, and how long that took."""

    model: Any
    seconds: float


def _trained(
    method: type[CostAwareClassifier],
    params: Mapping[str, Any],
    split: Split,
    is_scaled: bool = False,
) -> Iterator[Any]:
    """Return what training yields, on the cluster if there is one."""
    data = split.dataset
    shared = data_key(data)
    return computed(
        fit_on_first_rows,
        *(method, params, data, is_scaled),
        # What anybody may ask is asked of a cluster once for all who do.
        key=shared and (shared, method.__name__, sorted(params.items()), is_scaled),
    )


def fit_on_first_rows(
    method: type[CostAwareClassifier],
    params: Mapping[str, Any],
    dataset: Dataset,
    is_scaled: bool,
) -> Generator[float | Fitted, None, None]:
    """Yield the share that is done, and what was fitted to the rows of the page.

    `is_scaled`: whether columns are centred and scaled.
    """
    split = first_rows(dataset, MAX_ROWS)
    model: Any = method(split.hypergraph, **params)
    training = split.training | ({"X": split.scaled("train")} if is_scaled else {})
    started = time.perf_counter()
    for step in model.iter_fit(**training):
        yield step.done / step.total
    yield Fitted(model, time.perf_counter() - started)


def train_cascade(request: TrainingRequest) -> Iterator[Any]:
    """Yield the share that is done, and the cascade at the end."""
    confidence = "calibrated" if request.is_calibrated else "distance"
    params = {"C": request.C, "order": request.order, "confidence": confidence}
    split = read_rows(request.source, request.dataset)
    for found in _trained(TEFEClassifier, params, split, is_scaled=True):
        if isinstance(found, Fitted):
            yield TrainedCascade(request, split, *split.scale, *found)
        else:
            yield found


def read_rows(source: str, dataset: Dataset | None) -> Split:
    """Return the rows that the page works with: at most `MAX_ROWS` of each part."""
    return first_rows(_table_of(source, dataset), MAX_ROWS)


def _table_of(source: str, dataset: Dataset | None) -> Dataset:
    if source == "session":
        if dataset is None:
            raise DataError("No data set is open; choose other data.")
        return dataset
    return _published_scenes() if source == "scenes_published" else bundled(source)


@cache
def _published_scenes() -> Dataset:
    return make_scenes(costs="published")


def trace_rivals(cascade: TrainedCascade) -> Iterator[Series]:
    """Yield accuracy against cost of the rivals, on the same rows."""
    X, test = cascade.scaled("train"), cascade.scaled("test")
    y, truth = cascade.split.y("train"), cascade.split.y("test")
    weight, groups = cascade.split.weight("train"), cascade.split.groups("train")
    for name, method in RIVALS.items():
        estimator = method(cascade.split.hypergraph)
        if "C" in estimator.get_params(deep=False):
            estimator.set_params(C=cascade.request.C)
        points: list[tuple[float, float]] = []
        for model in estimator.path(X, y, weight, groups=groups):
            cost = float(np.mean(model.prediction_cost(test)))
            points.append((cost, float(np.mean(model.predict(test) == truth))))
            costs, scores = np.array(sorted(points)).T
            yield Series(method.title, name, costs, scores)


# Budget on which the page opens, as a share of the cost of all features.
OPENING_BUDGET = 0.3
# Bars of the scores of a stage.
N_BINS = 24


@dataclass(frozen=True)
class HypergraphRequest:
    """What is to be trained."""

    source: str  # A name of `SOURCES`
    dataset: Dataset | None  # The session's own, which "session" means
    order: Any  # As of the classifier
    model: Any
    routing: int  # As of the classifier
    objective: Any  # As of the classifier


@dataclass(frozen=True, eq=False)
class TrainedHypergraph:
    """A cascade for every budget, and what all its stages say of the test rows."""

    request: HypergraphRequest  # What was asked for
    split: Split  # The rows
    model: HypergraphCascadeClassifier  # Fitted
    replay: Replay  # Of the test rows
    seconds: float  # How long training took
    #: What each policy does that was looked at, by its number.
    results: dict[int, Any] = field(default_factory=dict, init=False)

    @property
    def dataset(self) -> Dataset:
        """What was learned from."""
        return self.split.dataset

    @property
    def full_cost(self) -> float:
        """What all features cost."""
        return float(self.dataset.hypergraph.total_cost)

    @cached_property
    def edges(self) -> NDArray[np.float64]:
        """Edges of the bars of scores; what lies outside counts at the ends."""
        scores = np.concatenate([s.scores.ravel() for s in self.replay.sheets])
        known = scores[np.isfinite(scores)]
        # Only the undecided reach late stages: what is far out would take their room.
        low, high = np.quantile(known, [0.1, 0.9])
        if not high > low:
            low, high = low - 1.0, low + 1.0
        # Two classes part at 0, and more begin there: an edge stands there.
        if low < 0.0 < high:
            width = max(-low, high)
            low, high = -width, width
        return np.linspace(low, high, N_BINS + 1)

    @cached_property
    def bins(self) -> tuple[NDArray[np.int_], ...]:
        """Bar of each row's score at each stage, one table a member."""
        return tuple(
            np.clip(np.searchsorted(self.edges, s.scores) - 1, 0, N_BINS - 1)
            for s in self.replay.sheets
        )

    @cached_property
    def curve(self) -> Series:
        """Accuracy against mean cost on test rows, of every policy."""
        found = [self.replay.outcome(policy) for policy in self.model.policies_]
        costs, scores = np.array(sorted(found)).T
        return Series(self.model.title, "hypergraph_cascade", costs, scores)

    def policy_within(self, share: float) -> int:
        """Return which policy a budget buys: a look-up."""
        found = self.model.at_budget(share * self.full_cost).policy_
        return self.model.policies_.index(found)

    @cached_property
    def early_row(self) -> int:
        """A test row that buys something, and leaves early and right.

        At the budget on which the page opens: it stays while that moves.
        """
        policy = self.model.policies_[self.policy_within(OPENING_BUDGET)]
        exits, right = self.replay.exits(policy), self.replay.right(policy)
        return early_row(exits, right[np.arange(len(exits)), exits])

    def at_policy(self, policy: Policy) -> HypergraphCascadeClassifier:
        """Return the cascade at a policy."""
        return self.model.at_budget(policy.mean)

    def at(self, number: int) -> HypergraphCascadeClassifier:
        """Return the cascade at a policy, by its number."""
        return self.at_policy(self.model.policies_[number])


def train_hypergraph(request: HypergraphRequest) -> Iterator[Any]:
    """Yield the share that is done, and the cascade at the end."""
    split = read_rows(request.source, request.dataset)
    params = {
        "order": request.order,
        "model": request.model,
        "routing": request.routing or None,  # "auto" then tries it by itself
        "objective": request.objective,
    }
    for found in _trained(HypergraphCascadeClassifier, params, split):
        if isinstance(found, Fitted):
            replay = Replay(found.model, split.X("test"), split.y("test"))
            model, seconds = found
            trained = TrainedHypergraph(request, split, model, replay, seconds)
            # Computed here, so that nothing waits for it on the page's thread.
            _ = trained.curve, trained.bins
            yield trained
        else:
            yield found


_MICROSECONDS = {"us": 1.0, "µs": 1.0, "ms": 1e3, "s": 1e6}
_REPEATS = 9
UNTRAINED = (
    "No cascade has learned from these data yet; wait until it is trained, then run it."
)


def missing_for_a_run(trained: Any, source: str) -> str:
    """Return what is missing before a prediction can run; empty if nothing.

    `trained`: the last cascade that was trained; `source`: what is to be learned from.
    """
    if trained is None or trained.request.source != source:
        return UNTRAINED
    try:
        _sample_row(trained.split)
    except DataError as error:
        return str(error)
    return ""


def run_prediction(
    result: CascadeResult, first: int = 0, done: Collection[int] = ()
) -> Iterator[float | PredictionRun]:
    """Yield how far it is, then a prediction of a sample, computed lazily.

    `first`: which test row, from 0, or the next that has a sample. `done`: rows of the
    data that are passed over, until each has been run.
    """
    data = result.dataset
    row = _sample_row(result.split, first, done)
    predict, reference = result.predictors(row)
    pairs = []
    for repeat in range(_REPEATS + 1):  # the first warms up, and does not count
        yield repeat / (_REPEATS + 1)
        pairs.append((predict(), reference()))
    early, other = (
        sorted(journeys, key=lambda journey: journey.seconds)[_REPEATS // 2]
        for journeys in zip(*pairs[1:], strict=True)
    )
    scale = _microseconds(data.unit)
    yield PredictionRun(
        row,
        str(data.y[row]),
        early,
        early.cost * scale,
        1e6 * early.seconds,
        other.cost * scale,
        1e6 * other.seconds,
    )


def _sample_row(split: Split, first: int = 0, done: Collection[int] = ()) -> int:
    """Return the row of a test sample whose features can be computed and timed."""
    data = split.dataset
    if data.pipeline is None or data.samples is None:
        raise DataError(f"{data.name} has no feature functions to run; choose scenes.")
    _microseconds(data.unit)
    in_turn = np.roll(split.rows["test"], -first)
    with_samples = [int(row) for row in in_turn if row < len(data.samples)]
    if not with_samples:
        raise DataError(f"{data.name} keeps no sample of a test row; choose scenes.")
    return next((row for row in with_samples if row not in done), with_samples[0])


def _microseconds(unit: str) -> float:
    """Return how many microseconds a unit of time has."""
    if unit not in _MICROSECONDS:
        raise DataError(
            f"Costs are in {shown(unit)}, not in a unit of time; measure them first."
        )
    return _MICROSECONDS[unit]
