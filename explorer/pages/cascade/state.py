"""The cascade page's state: its knobs, and what has been computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import param

from solvers import Dataset
from solvers.decisions.walker import Journey
from solvers.papers.cascades import FIGURES, ExitRound, Series

from ...compute.debounced import Debounced
from ...session.declared import linked, open_panels
from ...session.state import DEFAULT_DATASET, bundled
from .hypergraph_result import HYPERGRAPH, PolicyResult
from .result import CascadeMethod, CascadeResult, PredictionRun
from .tefe_result import TEFE, CascadePicture, ThresholdResult
from .training import (
    OPENING_BUDGET,
    OPENING_SHARE,
    SOURCES,
    TrainedCascade,
    TrainedHypergraph,
)

METHODS: dict[str, CascadeMethod] = {m.name: m for m in (TEFE, HYPERGRAPH)}
WAYS = {"Threshold": "tefe", "Hypergraph": "hypergraph"}
ORDERS = {
    "by own cost (as published)": "alone",
    "by added cost": "marginal",
    "by amortised cost": "amortised",
    "by Relief value per cost": "value",
}
CONFIDENCES = {
    "distance (as published)": "distance",
    "raw decision": "raw",
    "gap to the second": "gap",
    "calibrated gap": "calibrated",
}
BUYING = {
    "single features and blocks": "both",
    "single features": "forward",
    "blocks that share work": "block",
}
MODELS = {
    "logistic": "logistic",
    "logistic, features expanded": "expanded",
    "small boosted trees": "boosted",
    "all of these, routed too (takes longer)": "auto",
}
ROUTINGS = {"none": 0, "one split": 1, "two splits": 2}
OBJECTIVES = {"accuracy": "accuracy", "F1": "f1"}
# Predictions that the timing picture shows.
KEPT_RUNS = 50


class CascadeState(Debounced):
    """What a person asks of the cascades, and what has been computed."""

    # ---------------------------------------------------------------------- either one
    way = param.Selector(
        default="tefe",
        objects=list(WAYS.values()),
        doc="How rows leave.",
        metadata=linked("way"),
    )
    source = param.Selector(
        default="session",
        objects=list(SOURCES),
        doc="What is learned from.",
        metadata=linked("table"),
    )
    session_dataset: Any = param.ClassSelector(
        class_=Dataset, allow_None=True, doc="What the other pages learn from."
    )
    row: Any = param.Integer(
        default=None,
        bounds=(0, None),
        allow_None=True,
        label="Test row",
        doc="Which test row is followed; None: one that leaves early.",
        metadata=linked("row"),
    )
    step = param.Integer(
        default=100_000, bounds=(1, None), doc="Stops that are shown, at most."
    )
    rivals = param.Dict(default={}, doc="Series of each rival that has come.")
    images = param.Dict(default={}, doc="Pictures of rows, as data URIs.")
    asked: Any = param.Selector(
        default="",
        objects=["", *FIGURES],
        doc="Figure of the paper that is asked for.",
        metadata=linked("figure"),
    )
    unfolded: Any = open_panels("The stages, Table 2, the paper's figures.")

    # ------------------------------------------------------------------- one threshold
    share = param.Number(
        default=OPENING_SHARE,
        bounds=(0, 1),
        label="Exit threshold",
        doc="As a quantile of confidence.",
        metadata=linked("exit"),
    )
    C = param.Number(
        default=1.0, bounds=(1e-3, 1e3), label="Regularisation C", metadata=linked("C")
    )
    order = param.Selector(
        default="alone", objects=list(ORDERS.values()), metadata=linked("order")
    )
    confidence = param.Selector(
        default="distance",
        objects=list(CONFIDENCES.values()),
        metadata=linked("confidence"),
    )
    cap = param.Number(
        default=1.0,
        bounds=(0, 1),
        label="Time cap",
        doc="A share.",
        metadata=linked("cap"),
    )
    cascade: Any = param.ClassSelector(class_=TrainedCascade, allow_None=True)
    runs = param.List(default=[], doc="Predictions that were run, newest last.")

    # --------------------------------------------------------------- hypergraph cascade
    budget = param.Number(
        default=OPENING_BUDGET,
        bounds=(0, 1),
        doc="Mean cost of a row, over the cost of all features.",
        metadata=linked("share"),
    )
    buying = param.Selector(
        default="both", objects=list(BUYING.values()), metadata=linked("buys")
    )
    model = param.Selector(
        default="logistic", objects=list(MODELS.values()), metadata=linked("model")
    )
    routing = param.Selector(
        default=0, objects=list(ROUTINGS.values()), metadata=linked("routing")
    )
    objective = param.Selector(
        default="accuracy",
        objects=list(OBJECTIVES.values()),
        metadata=linked("objective"),
    )
    hyper: Any = param.ClassSelector(class_=TrainedHypergraph, allow_None=True)
    policy = param.Integer(default=0, doc="Which policy the budget buys.")
    hyper_runs = param.List(default=[], doc="Predictions that were run, newest last.")

    def __init__(self, **params: Any) -> None:
        params.setdefault("session_dataset", bundled(DEFAULT_DATASET))
        super().__init__(**params)
        self._picture: CascadePicture | None = None
        self._picture_key: Any = None
        for method in METHODS.values():
            self.follow(method.moved)

    @property
    def learned(self) -> Dataset | None:
        """The session's own data set where that is learned from."""
        return self.session_dataset if self.source == "session" else None

    # ----------------------------------------------------------------- what has arrived

    def take(self, trained: TrainedCascade | TrainedHypergraph) -> None:
        """Show a trained cascade."""
        if isinstance(trained, TrainedCascade):
            self._take_cascade(trained)
        else:
            self._take_hyper(trained)

    def _take_cascade(self, cascade: TrainedCascade) -> None:
        update: dict[str, Any] = {"cascade": cascade}
        if self.cascade is None or self.cascade.dataset is not cascade.dataset:
            update |= {"rivals": {}, "images": {}, "runs": []}
        if self.cascade is not None and self.cascade.dataset is not cascade.dataset:
            update["row"] = None
        if self.row is not None:
            self.row = min(self.row, len(cascade.split.rows["test"]) - 1)
        self.param.update(**update)

    def _take_hyper(self, trained: TrainedHypergraph) -> None:
        shown, new = self.hyper and self.hyper.request, trained.request
        is_same = shown and (shown.source, shown.dataset) == (new.source, new.dataset)
        self.param.update(
            hyper=trained,
            policy=trained.policy_within(self.budget),
            hyper_runs=self.hyper_runs if is_same else [],
        )

    @param.depends("budget", watch=True)
    def _look_up(self) -> None:
        if self.hyper is not None:
            self.policy = self.hyper.policy_within(self.budget)

    def take_images(self, images: Iterable[tuple[int, str]]) -> None:
        """Take pictures of rows."""
        self.images = {**self.images, **dict(images)}

    def take_runs(self, method: str, runs: Iterable[PredictionRun]) -> None:
        """Take predictions that were run.

        `runs`: in order.
        """
        together = [*self.runs_of(method), *runs][-KEPT_RUNS:]
        self.param.update(**{METHODS[method].runs: together})

    # -------------------------------------------------------------------- what it shows

    def watch_moves(self, method: str, draw: Callable[[], Any]) -> None:
        """Draw with every move of a method's threshold or budget."""
        chosen = METHODS[method]
        self.param.watch(lambda *_: draw(), [*chosen.inputs, chosen.moved])

    def watch_rests(self, method: str, draw: Callable[[], Any], *others: str) -> None:
        """Draw once the hand rests, and when other parameters change."""
        self.param.watch(lambda *_: draw(), [*METHODS[method].inputs, "rests", *others])

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.cascade is not None or self.hyper is not None:
            return ""
        return (
            "a trained cascade: explorer.pages.cascade.queries.THRESHOLD.answer(state)"
        )

    def result(self, method: str) -> CascadeResult | None:
        """Return what a method does with the test rows; None before it is trained."""
        return self.threshold_result() if method == "tefe" else self.policy_result()

    def threshold_result(self) -> ThresholdResult | None:
        """Return what the exit threshold does with the test rows."""
        return None if self.picture is None else self.picture.at(self.share)

    def policy_result(self) -> PolicyResult | None:
        """Return what the policy does that the budget buys."""
        return None if self.hyper is None else PolicyResult.of(self.hyper, self.policy)

    def runs_of(self, method: str) -> list[PredictionRun]:
        """Return a method's predictions that were run, newest last."""
        return list(getattr(self, METHODS[method].runs))

    def followed(self, method: str) -> int:
        """Return the test row that is followed: the chosen one, or one to open on."""
        result = self.result(method)
        if self.row is not None and result is not None:
            return int(self.row) % result.n_rows
        trained = self.cascade if method == "tefe" else self.hyper
        return 0 if trained is None else trained.early_row

    def journey(self, method: str) -> Journey | None:
        """Return the way of the followed test row; None before a method is trained."""
        result = self.result(method)
        return None if result is None else result.journey(self.followed(method))

    @property
    def picture(self) -> CascadePicture | None:
        """The cascade under the confidence and the cap; the same while these are."""
        if self.cascade is None:
            return None
        kind = self.confidence
        if kind == "calibrated" and not self.cascade.request.is_calibrated:
            kind = self._picture.kind if self._picture else "distance"
        key = (id(self.cascade), kind, self.cap)
        if key != self._picture_key:
            self._picture = CascadePicture(self.cascade, kind, self.cap)
            self._picture_key = key
        return self._picture

    @property
    def has_images(self) -> bool:
        """Whether rows are images that can be shown."""
        return self.cascade is not None and self.cascade.dataset.name == "scenes"

    def here(self) -> tuple[float, float] | None:
        """Return cost and accuracy of what is chosen, by the exit rule.

        None before the first cascade.
        """
        is_drawn = self.way == "hypergraph" and self.hyper_curve() is not None
        found = self.result("hypergraph" if is_drawn else "tefe")
        return None if found is None else (found.cost, found.accuracy)

    def hyper_curve(self) -> Series | None:
        """Return all policies of the hypergraph cascade, beside the same data's curve.

        None unless there is one of the data that are drawn.
        """
        if self.hyper is None or self.cascade is None:
            return None
        mine, other = self.hyper.request, self.cascade.request
        is_same = (mine.source, mine.dataset) == (other.source, other.dataset)
        return self.hyper.curve if is_same else None

    def rounds(self) -> list[ExitRound]:
        """Return who leaves in which round, of the test rows.

        Empty before the first cascade.
        """
        result = self.threshold_result()
        return [] if result is None else result.rounds
