"""The frontier page's state: what was asked and the points that came."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from operator import is_not
from types import MappingProxyType
from typing import Any

import param

from solvers import (
    CostAwareClassifier,
    Dataset,
    Frontier,
    FrontierPoint,
    all_methods,
    free_scores,
    split_dataset,
)
from solvers.costs.budgets import room_of
from solvers.decisions.scores import LABEL_SCORES, TOTAL_COST
from solvers.frontier import TestingStops, where_testing_stops
from solvers.frontier.bands import Band
from solvers.frontier.comparison import lead_sentence, method_bands
from solvers.frontier.evaluation import Split
from solvers.frontier.free_answer import free_answer

from ...compute.shared import SHARED, SHARED_SPLITS, Results, data_key
from ...compute.traces import Chosen, Trace
from ...session.state import DEFAULT_DATASET, bundled, opening_budget, repriced
from ...widgets.text import unit_text
from .choices import (
    FrontierChoices,
    is_of_many,
    menu_of,
    offered,
    picked_name,
    ticked_on,
)


class Refitters:
    """What fits each method again at other parameters, with the work kept so far.

    Preparing takes time: it is done on first use, on the worker's thread.
    """

    def __init__(self) -> None:
        self._known: dict[Any, tuple[Any, Callable[..., CostAwareClassifier]]] = {}

    def clear(self) -> None:
        """Forget all: the data are other ones."""
        self._known.clear()

    def of(
        self,
        method: str,
        split: Split,
        params: Mapping[str, Any],
        settings: Mapping[str, Any] = MappingProxyType({}),
    ) -> Callable[..., CostAwareClassifier]:
        """Return what fits a method on the training rows.

        `settings`: those of `params` that are prepared for; others move without.
        """
        key, wanted = (method, id(split)), dict(settings)
        if key not in self._known or self._known[key][0] != wanted:
            self._known[key] = wanted, _lazy_refitter(method, split, wanted)
        refit = self._known[key][1]
        moved = {name: value for name, value in params.items() if name not in wanted}
        return lambda **more: refit(**moved, **more)


def _lazy_refitter(
    method: str, split: Split, settings: Mapping[str, Any]
) -> Callable[..., CostAwareClassifier]:
    estimator = all_methods()[method](hypergraph=split.hypergraph, **settings)
    prepared: list[Callable[..., CostAwareClassifier]] = []
    lock = threading.Lock()

    def refit(**params: Any) -> CostAwareClassifier:
        # A request that a newer one has made stale may still be at its last model.
        with lock:
            if not prepared:
                prepared.append(estimator.refitter(**split.training))
            return prepared[0](**params)

    return refit


#: What changes where points stand and which of them are best.
AXES = ("accounting", "score", "charge", "confidence", "limits")
LOST = (
    "The model that was picked is on none of the lines as they are asked for now: the "
    "best within the budget is lit."
)
#: What mistakes cost.
MISTAKES = ("miss", "false_alarm", "worth")


class FrontierState(FrontierChoices):
    """What the frontier page has been asked, and what has been computed for it.

    The first split is the one that the page shows; others follow by their seed.
    """

    refused = param.String(default="", doc="What was refused of the limits.")
    lost = param.String(default="", doc="That what was picked is on no line any more.")
    picked = param.Parameter(default=None, doc="The point of `pick`, once it is there.")
    traces = param.Dict(default={}, doc="Trace of each ticked method.")
    marks = param.Dict(default={}, doc="Point of each method at exactly λ.")
    full = param.Number(default=0.0, doc="Where the axis of cost ends by now.")
    n_arrived = param.Integer(default=0, doc="How many runs on other splits have come.")

    def __init__(self, **params: Any) -> None:
        params.setdefault("dataset", bundled(DEFAULT_DATASET))
        params.setdefault("methods", ticked_on(params["dataset"]))
        super().__init__(**params)
        # Not before: until then it would be the menu of every session.
        self.param.methods.objects = menu_of(self.dataset)
        # What is known, so that turning a knob back costs nothing.
        self._own = Results()
        self.refitters = Refitters()
        self._split: Split | None = None
        # What computes nothing scores on a split: it is asked for on every move.
        self._free: tuple[Any, ...] = (None, "", None, 0.0, "")
        # Whether mistakes had a price when it was last asked.
        self._were_priced = False
        self._stopped: tuple[Any, ...] = (None, None, None)
        # The data at the price and without the limits that are theirs.
        self._given = self.dataset
        # Ticked where there are as many classes as not now: two, or more.
        self._ticked: list[str] = []
        # What is derived from what was asked and has come, until either changes: on
        # every move each view asks for it.
        self._asked: tuple[Any, ...] = ()
        self._come: tuple[Any, ...] = ()
        self._derived: dict[str, Any] = {}
        # What the bands were made of, and they: they are asked for on every move.
        self._bands: tuple[Any, dict[str, Band]] = (None, {})
        self.follow("budget")
        self.param.watch(lambda *_: self._offer(), ["price", "limits"])
        self._offer()
        self.param.watch(lambda *_: self._follow_full(), ["traces", *AXES])
        self.param.watch(lambda _: self._hold(), "charge")
        self._is_dropping = False  # A pick that is on no line any more
        picks = ["pick", "reason", "methods", "traces"]
        self.param.watch(lambda *_: self._find_picked(), picks)
        stands = ["marks", "picked", "reason", *AXES]
        self.param.watch(lambda *_: self._stand(), stands)
        chosen = ["budget", "pick", "alpha", "dataset"]
        self.param.watch(self._chosen_anew, chosen)
        priced = [*MISTAKES, "dataset"]
        self.param.watch(lambda *_: self._price(), priced)
        # Once whoever offers scores has heard of it.
        self.param.watch(lambda *_: self._count(), priced, precedence=1)

    def _hold(self) -> None:
        """Let the budget end at what can be spent, once deciding is not charged."""
        if not self.charges_deciding():
            self.budget = min(self.budget, self.full_cost())

    def _price(self) -> None:
        """Forget points that do not know what their mistakes cost."""
        if self.mistakes_call() is not None and not self._were_priced:
            self.param.update(traces={}, marks={}, picked=None)

    def _count(self) -> None:
        """Count tests and mistakes together while mistakes have a price.

        What was chosen for other data gives way where these do not have it.
        """
        is_priced = self.mistakes_call() is not None
        if is_priced != self._were_priced:
            self._were_priced = is_priced
            self.score = TOTAL_COST if is_priced else "f1"
        axes = self.axes()  # What these data have of what was chosen
        self.param.update(score=axes.score, charge=axes.charge)

    # ---------------------------------------------------------------- what is known

    @property
    def results(self) -> Results:
        """What is known of these data: to all, where all can have them."""
        return self._own if data_key(self.dataset) is None else SHARED

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.frontier().points:
            return ""
        return "points: explorer.pages.frontier.queries.TRACES.answer(state)"

    def split(self) -> Split:
        """Return the data set cut into parts; the same object while nothing changes."""
        if self._split is None or self._split.dataset is not self.dataset:
            shared = SHARED_SPLITS.get((data_key(self.dataset), self.random_state))
            self._split = shared or split_dataset(self.dataset, self.random_state)
        return self._split

    # ------------------------------------------------------------------------- the data

    def open_dataset(self, dataset: Dataset) -> None:
        """Take a data set, and drop all that was computed for another one.

        It is offered at the chosen price, without what no limit allows. Of the same
        table at other prices the budget buys the same share.
        """
        is_same_table = dataset.y is self._given.y
        self._given = dataset
        dataset, refused = offered(dataset, self.price, self.limits)
        budget = self._repriced(dataset) if is_same_table else opening_budget(dataset)
        self._take(dataset, budget, refused)

    def _offer(self) -> None:
        """Learn from what price and limits leave by now."""
        dataset, refused = offered(self._given, self.price, self.limits)
        before = self.dataset.hypergraph
        is_charged = dataset.hypergraph.charged == before.charged
        if is_charged and dataset.feature_names == before.features:
            self.refused = refused
            return
        # Less on offer is no other price: the budget is still what can be spent.
        kept = min(self.budget, dataset.hypergraph.total_cost)
        self._take(dataset, kept if is_charged else self._repriced(dataset), refused)

    def _repriced(self, dataset: Dataset) -> float:
        before = self.dataset.hypergraph.total_cost
        if before == 0:  # a share of nothing is none
            return opening_budget(dataset)
        return repriced(self.budget, before, dataset.hypergraph.total_cost)

    def _take(self, dataset: Dataset, budget: float, refused: str) -> None:
        self._own.clear()
        self.refitters.clear()
        self._split = self._cut_again(dataset)
        if is_of_many(self.dataset) == is_of_many(dataset):
            methods = self.methods
        else:
            methods, self._ticked = ticked_on(dataset, self._ticked), self.methods
        self.param.update(
            traces={},
            marks={},
            pick="",
            picked=None,
            reason="budget",
            refused=refused,
        )
        self.param.methods.objects = menu_of(dataset)
        self.param.update(dataset=dataset, methods=methods, budget=budget)

    def _cut_again(self, dataset: Dataset) -> Split | None:
        """Return the rows cut as they are; None where they are of another table.

        At other prices they stay, and to cut many takes longer than an edit may.
        """
        before = self._split
        if before is None:
            return None
        told = before.dataset
        is_same = (
            dataset.y is told.y
            and dataset.roles is told.roles
            and dataset.fractions == told.fractions
        )
        return Split(dataset, before.rows) if is_same else None

    @property
    def led(self) -> tuple[str, ...]:
        """The choices that another leads: the budget, unless it leads itself."""
        if self._is_dropping:
            return ("budget", "pick", "reason")
        return () if self.reason == "budget" else ("budget",)

    def choose_point(self, point: FrontierPoint) -> None:
        """Light a point that has come, until another choice lights one."""
        self.param.update(picked=point, pick=picked_name(point), reason="picked")

    def _find_picked(self) -> None:
        """Take the picked point from the lines; where it is on none, pick none.

        What is lit could not be had again from what the address says.
        """
        if not self.pick or self.reason != "picked":
            return
        method, is_over = self.pick.rpartition("-")[0], True
        came: tuple[FrontierPoint, ...] = ()
        if method in self.methods:
            # What is drawn may still be what was asked for before.
            whole = self._trace(method, self.random_state)
            is_over, line = whole is not None, whole or self.traces.get(method)
            came = () if line is None else line.points
        found = [one for one in came if picked_name(one) == self.pick]
        if found:
            self.picked = found[0]
        elif is_over:
            self._is_dropping = True
            self.param.update(pick="", picked=None, reason="budget")
            self.lost = LOST
            self._is_dropping = False
        elif self.picked is not None and picked_name(self.picked) != self.pick:
            self.picked = None  # it is still to come

    def _chosen_anew(self, *events: param.parameterized.Event) -> None:
        """Say no more that a pick was lost, once something else is chosen."""
        is_stale = any(one.new != getattr(self, one.name) for one in events)
        if not (self._is_dropping or is_stale):
            self.lost = ""

    def _stand(self) -> None:
        """Let the budget stand at the point that λ or a hand has chosen: it is the one.

        Whoever moves the budget then begins there.
        """
        chosen = self.chosen()
        if chosen is not None and chosen.reason != "budget":
            self.budget = min(self.axes().held(chosen.point), self.full_cost())

    # ------------------------------------------------------------------ what it shows

    def axes(self) -> Frontier:
        """Return the frontier without points: what is charged, and which score."""
        return self._once("axes", super().axes)

    def frontier(self, method: str | None = None) -> Frontier:
        """Return the points that have come, of one method or of all."""

        def derive() -> Frontier:
            ticked = [name for name in self.methods if name in self.traces]
            names = [method] if method else ticked
            points = [point for name in names for point in self.traces[name].points]
            return self.axes().holding(self._placed(points))

        return self._once(f"frontier {method}", derive)

    def placed_marks(self) -> dict[str, FrontierPoint]:
        """Return the models at exactly λ that have a place, by ticked methods."""
        known = (self.marks[name] for name in self.methods if name in self.marks)
        return {mark.method: mark for mark in self._placed(known)}

    def charges_deciding(self) -> bool:
        """Return whether a point stands where deciding puts it, and waits to be timed.

        Else that is done once it is seen, since it takes as long as to find it.
        """
        return self.axes().charge != "features"

    def _placed(self, points: Iterable[FrontierPoint]) -> list[FrontierPoint]:
        """Return those of which all is known that they are charged for."""
        if not self.charges_deciding():
            return [*points]
        return [one for one in points if one.decision_seconds is not None]

    def full_cost(self) -> float:
        """Return where the axis of cost ends: all features, and deciding if charged."""
        total, axes = float(self.dataset.hypergraph.total_cost), self.axes()
        if not self.charges_deciding():
            return total
        # Of all that are drawn: what is beaten stands there as well.
        return total + max(map(axes.deciding, self.frontier().points), default=0.0)

    def floor(self) -> float:
        """Return the score on test rows of what computes nothing."""
        return float(self._free_now()[3])

    def free_called(self) -> str:
        """Return what is answered where nothing is computed; empty where that ranks."""
        return str(self._free_now()[4])

    def _free_now(self) -> tuple[Any, ...]:
        split, score, mistakes = self.split(), self.axes().score, self.mistakes()
        if self._free[0] is not split or self._free[1:3] != (score, mistakes):
            found = free_scores(split, score, mistakes)["test"]
            said = ""
            if score in (*LABEL_SCORES, "weighted_f1", TOTAL_COST):
                said = f"Every row {free_answer(split, score, mistakes)}"
            self._free = split, score, mistakes, found, said
        return self._free

    def stops(self) -> TestingStops | None:
        """Return where testing stops paying; None where mistakes have no price."""
        return self._once("stops", self._stops)

    def _stops(self) -> TestingStops | None:
        mistakes, points = self.mistakes(), self.frontier().points
        # Kept wherever the budget stands: it is asked for on each move.
        axes = [getattr(self, axis) for axis in AXES]
        asked = [[*self.methods], axes, mistakes, id(self.dataset)]
        if self._stopped[0] is self.traces and self._stopped[1] == asked:
            return self._stopped[2]
        # Those at hand may have been traced at another price, or at none.
        if mistakes is None or not all(TOTAL_COST in p.scores["test"] for p in points):
            return None
        stops = where_testing_stops(self.frontier(), self.split(), mistakes)
        self._stopped = self.traces, asked, stops
        return stops

    def best_within_budget(self) -> dict[str, FrontierPoint]:
        """Return each method's best point that the budget pays for."""

        def derive() -> dict[str, FrontierPoint]:
            found = {
                name: self.frontier(name).best_within(self.budget)
                for name in self.methods
                if name in self.traces
            }
            return {name: point for name, point in found.items() if point is not None}

        return self._once("best", derive)

    def chosen(self) -> Chosen | None:
        """Return the point that is lit."""
        return self._once("chosen", self._choose)

    def _choose(self) -> Chosen | None:
        picked = [] if self.picked is None else self._placed([self.picked])
        if self.reason == "picked" and picked:
            return Chosen(picked[0], "picked")
        if self.reason == "alpha":
            for mark in self.placed_marks().values():
                return Chosen(mark, "alpha")
        best = self.frontier().best_within(self.budget)
        return None if best is None else Chosen(best, "budget")

    # ------------------------------------------------------------------- other splits

    def bands(self) -> dict[str, Band]:
        """Return mean and spread of every method that was traced on all splits.

        Empty for a single split.
        """
        seeds = self.seeds()
        if len(seeds) < 2:
            return {}
        found = {
            name: [self._trace(name, seed) for seed in seeds] for name in self.methods
        }
        traces = {name: runs for name, runs in found.items() if all(runs)}
        axes = self.axes()
        axis = (axes.accounting, axes.score, axes.charge, axes.confidence, axes.limits)
        key = axis, [[id(t) for t in runs] for runs in traces.values()]
        if key != self._bands[0]:
            frontiers = {
                name: [axes.holding(run.points) for run in runs if run]
                for name, runs in traces.items()
            }
            self._bands = key, method_bands(frontiers, self.floor())
        return self._bands[1]

    def split_frontiers(self) -> list[Frontier]:
        """Return the frontier of all ticked methods on each split, the first one first.

        Only that of the first split until those of all others have come.
        """
        found = [
            [self._trace(name, seed) for name in self.methods] for seed in self.seeds()
        ]
        if not all(all(traces) for traces in found):
            return [self.frontier()]
        return [
            self.axes().holding(p for trace in traces if trace for p in trace.points)
            for traces in found
        ]

    def noise(self) -> str:
        """Return whether the best method's lead within the budget is noise."""
        train, _, test = self.dataset.fractions
        unit = unit_text(self.dataset.unit)
        return lead_sentence(self.bands(), self.budget, unit, test / train)

    def splits_within(self) -> tuple[int, int] | None:
        """Return on how many splits the best stays within the budget, of how many.

        On test rows; None before all splits have come, or where a split buys nothing.
        """
        if self.n_runs < 2:
            return None  # asked on every move
        room, frontiers = room_of(self.budget), self.split_frontiers()
        best = [frontier.best_within(self.budget) for frontier in frontiers]
        if len(best) < 2 or None in best:
            return None
        within = sum(
            frontier.cost(point) <= room
            for frontier, point in zip(frontiers, best, strict=True)
            if point is not None
        )
        return within, len(best)

    def seeds(self) -> list[int]:
        """Return the seed of each split, that of the page's first."""
        return [self.random_state + run for run in range(self.n_runs)]

    def _trace(self, method: str, seed: int) -> Trace | None:
        return self.results.traces.get(self.trace_key(method, seed))

    # ------------------------------------------------------------------------ plumbing

    def _once(self, name: str, derive: Callable[[], Any]) -> Any:
        """Return what was derived already of what is asked and has come by now."""
        axes = [getattr(self, axis) for axis in AXES]
        asked = ([*self.methods], self.budget, self.reason, *axes)
        come = (self.dataset, self.traces, self.marks, self.picked)
        if asked != self._asked or any(map(is_not, come, self._come)) or not self._come:
            self._asked, self._come, self._derived = asked, come, {}
        if name not in self._derived:
            self._derived[name] = derive()
        return self._derived[name]

    def _follow_full(self) -> None:
        """Take note of where the axis of cost ends, unless points still come."""
        if all(trace.is_complete for trace in self.traces.values()):
            self.full = self.full_cost()
