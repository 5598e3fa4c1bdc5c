"""The frontier page's state: the knobs that were turned and the points that came."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, get_args

import param

from solvers import (
    Dataset,
    Frontier,
    FrontierPoint,
    all_methods,
    free_scores,
    split_dataset,
)
from solvers.evaluation import Split
from solvers.frontier import Charge
from solvers.papers.figures import all_figures
from solvers.units import is_time

from ...compute.debounced import Debounced
from ...compute.shared import SHARED, SHARED_SPLITS, Results, data_key
from ...compute.traces import Chosen, Trace
from ...session.declared import NamedNumbers, kept, linked, open_panels
from ...session.pins import Pin
from ...widgets.text import SCORES
from .marking import MarkRequest, Refitters
from .menus import DEFAULT_METHODS, menu_of, scores_of, ticked_on
from .offering import offered
from .runs import all_positive_f1
from .settings import MethodSettings, settings_of
from .split_runs import SplitRuns
from .streams import TraceItem, TraceRequest

__all__ = ["AXES", "FrontierState"]

#: What changes where points stand and which of them are best.
AXES = ("accounting", "score", "charge", "confidence", "limits")


class FrontierState(Debounced):
    """What the frontier page has been asked, and what has been computed for it."""

    dataset: Any = param.ClassSelector(
        class_=Dataset, allow_None=True, doc="What is learned."
    )
    # Choices, those that others depend on first.
    price = param.String(
        default="",
        label="Price",
        doc="Which price is charged; that of the data where it is empty or unknown.",
        metadata=linked("price", everywhere=True),
    )
    limits: Any = NamedNumbers(
        default={},
        label="Limits",
        doc="The most that may be paid of further prices, by name.",
        metadata=linked("limits", everywhere=True),
    )
    methods = param.ListSelector(
        default=list(DEFAULT_METHODS),
        objects=[],
        doc="Names of the ticked methods.",
        metadata=linked("methods", everywhere=True),
    )
    alpha = param.Number(
        default=0.003,
        bounds=(0, None),
        label="Trade-off λ",
        metadata=linked("lambda", everywhere=True),
    )
    p = param.Number(
        default=0.5,
        bounds=(0, 1),
        label="Quasi-norm p",
        metadata=linked("p", everywhere=True),
    )
    penalty: Any = param.Selector(
        default="lp",
        objects=["lp", "mcp", "scad"],
        metadata=linked("penalty", everywhere=True),
    )
    refit = param.Boolean(
        default=True,
        doc="Refit without penalty on the support.",
        metadata=linked("refit", everywhere=True),
    )
    settings: Any = MethodSettings(
        default={},
        label="Settings of a method",
        doc="Knobs that have no control of their own, by method and name.",
        metadata=linked("settings", everywhere=True),
    )
    threshold: Any = param.Selector(
        default="tuned",
        objects=["tuned", "default"],
        label="Decision threshold",
        metadata=linked("threshold", everywhere=True),
    )
    accounting: Any = param.Selector(
        default="mean",
        objects=["mean", "p95", "max"],
        metadata=linked("accounting", everywhere=True),
    )
    n_runs: Any = param.Selector(
        default=1,
        objects=[1, 3, 5],
        label="Splits",
        doc="How many splits.",
        metadata=linked("splits", everywhere=True),
    )
    score: Any = param.Selector(
        default="f1",
        objects=list(SCORES),
        label="Score",
        doc="What is best within the budget, on validation rows.",
        metadata=linked("score", everywhere=True),
    )
    charge: Any = param.Selector(
        default="features",
        objects=list(get_args(Charge)),
        label="Charged",
        doc="Features alone, or the measured time of deciding as well.",
        metadata=linked("charge", everywhere=True),
    )
    confidence: Any = param.Selector(
        default=0.0,
        objects=[0.0, 0.8, 0.95],
        label="Margin",
        doc="With which confidence other rows stay within the budget.",
        metadata=linked("margin", everywhere=True),
    )
    log_cost = param.Boolean(
        default=False,
        label="Logarithmic cost",
        doc="Whether the axis of cost goes by powers of ten.",
        metadata=linked("logcost", everywhere=True),
    )
    budget = param.Number(
        default=0.0,
        bounds=(0, None),
        label="Runtime budget",
        doc="In the unit of the costs.",
        metadata=linked("budget", everywhere=True),
    )
    reason: Any = param.Selector(
        default="budget",
        objects=["budget", "alpha", "picked"],
        label="The point that is lit",
        metadata=linked("lit", everywhere=True),
    )
    pins = param.List(
        default=[],
        item_type=Pin,
        label="Pinned frontiers",
        doc="Frontiers that were put aside.",
        metadata=kept(),
    )
    figure: Any = param.Selector(
        default="2",
        objects=list(all_figures()),
        doc="Figure of the paper.",
        metadata=linked("figure", is_kept=False),
    )
    unfolded: Any = open_panels(
        "Methods whose settings are open, the chosen model's inside, the points."
    )

    refused = param.String(default="", doc="What was refused of the limits.")
    random_state = param.Integer(default=0, doc="Seed of the split and the methods.")
    picked = param.Parameter(default=None, doc="The point picked by hand.")
    traces = param.Dict(default={}, doc="Trace of each ticked method.")
    marks = param.Dict(default={}, doc="Point of each method at exactly λ.")
    full = param.Number(default=0.0, doc="Where the axis of cost ends by now.")
    n_arrived = param.Integer(default=0, doc="How many runs on other splits have come.")

    def __init__(self, **params: Any) -> None:
        self.param.methods.objects = menu_of(params.get("dataset"))
        params.setdefault("methods", ticked_on(params.get("dataset")))
        super().__init__(**params)
        # What is known, so that turning a knob back costs nothing.
        self._own = Results()
        self._refitters = Refitters()
        self._split: Split | None = None
        # The data at the price and without the limits that are theirs.
        self._given = self.dataset
        # Ticked on the other menu: for two classes, or for more.
        self._ticked: list[str] = []
        #: The same methods on other splits.
        self.runs = SplitRuns(self)
        self.follow("budget")
        self.param.watch(lambda *_: self._offer(), ["price", "limits"])
        if self.dataset is not None:
            self._offer()
        self.param.watch(lambda *_: self._follow_full(), ["traces", *AXES])

    # ------------------------------------------------------------- what is to be done

    @property
    def results(self) -> Results:
        """What is known of these data: to all, where all can have them."""
        return self._own if data_key(self.dataset) is None else SHARED

    def method_params(self, method: str) -> dict[str, Any]:
        """Return the parameters that a method is to be given, without λ."""
        known = all_methods()[method]().get_params(deep=False)
        shared = {"p": self.p, "penalty": self.penalty, "refit": self.refit}
        chosen = {name: value for name, value in shared.items() if name in known}
        return chosen | settings_of(self.settings, method)

    def trace_key(self, method: str, seed: int | None = None) -> Any:
        """Return what a method's trace is known by, on this split or another."""
        params = tuple(sorted(self.method_params(method).items()))
        seed = self.random_state if seed is None else seed
        data = data_key(self.dataset) or id(self.dataset)
        return data, all_methods()[method], params, self.threshold, seed

    def mark_key(self, method: str) -> Any:
        """Return what a method's point at this λ is known by."""
        return *self.trace_key(method), self.alpha

    def missing_traces(self) -> TraceRequest | None:
        """Return what has to be traced, after showing what is known already.

        None where every ticked method's trace is at hand.
        """
        if self.dataset is None:
            return None
        wanted = {name: self.method_params(name) for name in self.methods}
        kept = {name: self.results.traces.get(self.trace_key(name)) for name in wanted}
        shown = {
            name: kept[name] or self.traces.get(name)
            for name in wanted
            if kept[name] or name in self.traces
        }
        self.traces = {name: trace for name, trace in shown.items() if trace}
        missing = {name: wanted[name] for name in wanted if kept[name] is None}
        if not missing:
            return None
        return TraceRequest(self.dataset, missing, self.threshold, self.random_state)

    def missing_marks(self) -> MarkRequest | None:
        """Return what has to be fitted at exactly λ, after showing what is known.

        None where no ticked method has a λ, or every such mark is at hand.
        """
        with_alpha = [n for n in self.methods if all_methods()[n].path_knob == "alpha"]
        keys = {name: self.mark_key(name) for name in with_alpha if self.dataset}
        found = {name: self.results.marks.get(key) for name, key in keys.items()}
        known = {name: point for name, point in found.items() if point is not None}
        missing = [name for name in keys if name not in known]
        if known or not missing:
            shown = {n: self.marks[n] for n in missing if n in self.marks}
            self.marks = {**shown, **known}
        if not missing:
            return None
        split = self.split()
        refitters = {
            name: self._refitters.of(
                name,
                split,
                self.method_params(name),
                settings_of(self.settings, name),
            )
            for name in missing
        }
        return MarkRequest(refitters, self.alpha, split, self.threshold)

    def split(self) -> Split:
        """Return the data set cut into parts; the same object while nothing changes."""
        if self._split is None or self._split.dataset is not self.dataset:
            shared = SHARED_SPLITS.get((data_key(self.dataset), self.random_state))
            self._split = shared or split_dataset(self.dataset, self.random_state)
        return self._split

    # ---------------------------------------------------------------- what has arrived

    def collector(self) -> Callable[[Iterable[TraceItem]], None]:
        """Return what takes the items of one tracing request.

        The first point of a method replaces its old curve; until then that stays.
        """
        fresh: dict[str, Trace] = {}
        keys = {name: self.trace_key(name) for name in self.methods}
        traces = self.results.traces

        def collect(items: Iterable[TraceItem]) -> None:
            for item in items:
                points = fresh[item.method].points if item.method in fresh else ()
                if item.point is not None:
                    points = (*points, item.point)
                fresh[item.method] = Trace(points, item.point is None)
                if item.point is None:
                    traces[keys[item.method]] = fresh[item.method]
            self.traces = {**self.traces, **fresh}

        return collect

    def mark_collector(self) -> Callable[[Iterable[TraceItem]], None]:
        """Return what takes the points that were fitted at exactly this λ."""
        keys = {name: self.mark_key(name) for name in self.methods}
        known = self.results.marks

        def collect(items: Iterable[TraceItem]) -> None:
            arrived = {item.method: item.point for item in items if item.point}
            for name, point in arrived.items():
                known[keys[name]] = point
            marks = {**self.marks, **arrived}
            self.marks = {name: marks[name] for name in self.methods if name in marks}

        return collect

    def open_dataset(self, dataset: Dataset, budget: float) -> None:
        """Take a data set, and drop all that was computed for another one.

        It is offered at the chosen price, without what no limit allows.

        `budget`: where the budget stands, in the unit of the costs.
        """
        self._given = dataset
        dataset, refused = offered(dataset, self.price, self.limits)
        self._take(dataset, budget, refused)

    def _offer(self) -> None:
        """Learn from what price and limits leave by now."""
        if self._given is None:
            return
        dataset, refused = offered(self._given, self.price, self.limits)
        before = self.dataset.hypergraph
        is_charged = dataset.hypergraph.charged == before.charged
        if is_charged and dataset.feature_names == before.features:
            self.refused = refused
            return
        budget = self.budget
        if not is_charged:
            # The same share of what there is to pay, in the new coin.
            budget *= dataset.hypergraph.total_cost / (before.total_cost or 1.0)
        self._take(dataset, budget, refused)

    def _take(self, dataset: Dataset, budget: float, refused: str) -> None:
        budget = min(budget, dataset.hypergraph.total_cost)
        self._own.clear()
        self._refitters.clear()
        self._split = None
        if menu_of(self.dataset) == menu_of(dataset):
            methods = self.methods
        else:
            methods, self._ticked = ticked_on(dataset, self._ticked), self.methods
        self.param.update(
            traces={}, marks={}, picked=None, reason="budget", refused=refused
        )
        self.param.methods.objects = menu_of(dataset)
        self.param.update(dataset=dataset, methods=methods, budget=budget)

    # ------------------------------------------------------------------ what it shows

    def frontier(self, method: str | None = None) -> Frontier:
        """Return the points that have come, of one method or of all."""
        names = [method] if method else [n for n in self.methods if n in self.traces]
        points = [point for name in names for point in self.traces[name].points]
        return self.axes().holding(points)

    def axes(self) -> Frontier:
        """Return the frontier without points: what is charged, and which score."""
        unit = "us" if self.dataset is None else self.dataset.unit
        return Frontier(
            (),
            self.accounting,
            self.score if self.score in scores_of(self.dataset) else "f1",
            charge=self.charge if is_time(unit) else "features",
            unit=unit,
            confidence=self.confidence,
            limits=self._held_limits(),
        )

    def _held_limits(self) -> dict[str, float]:
        prices = () if self.dataset is None else self.dataset.hypergraph.prices
        known = {price.name for price in prices}
        return {n: v for n, v in self.limits.items() if n in known and v >= 0}

    def full_cost(self) -> float:
        """Return where the axis of cost ends: all features, and deciding if charged."""
        total, axes = float(self.dataset.hypergraph.total_cost), self.axes()
        if axes.charge == "features":
            return total
        points = self.frontier().undominated()
        return total + max(map(axes.deciding, points), default=0.0)

    def floor(self) -> float:
        """Return the score on test rows of what computes nothing."""
        score = self.axes().score
        if score == "f1":
            return all_positive_f1(self.dataset)
        return free_scores(self.split(), score)["test"]

    def best_within_budget(self) -> dict[str, FrontierPoint]:
        """Return each method's best point that the budget pays for."""
        found = {
            name: self.frontier(name).best_within(self.budget)
            for name in self.methods
            if name in self.traces
        }
        return {name: point for name, point in found.items() if point is not None}

    def chosen(self) -> Chosen | None:
        """Return the point that is lit."""
        if self.reason == "picked" and self.picked is not None:
            return Chosen(self.picked, "picked")
        if self.reason == "alpha":
            for name in self.methods:
                if name in self.marks:
                    return Chosen(self.marks[name], "alpha")
        best = self.frontier().best_within(self.budget)
        return None if best is None else Chosen(best, "budget")

    # ------------------------------------------------------------------------ plumbing

    def _follow_full(self) -> None:
        """Take note of where the axis of cost ends, unless points still come."""
        if all(trace.is_complete for trace in self.traces.values()):
            self.full = 0.0 if self.dataset is None else self.full_cost()
