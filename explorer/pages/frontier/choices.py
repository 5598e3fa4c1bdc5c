"""What the frontier page has been asked: the data, and the knobs that were turned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import param

from solvers import Dataset, Frontier, MistakeCosts, all_methods
from solvers.costs.units import is_time
from solvers.decisions.scores import TOTAL_COST
from solvers.frontier.frontier import Charge
from solvers.methods.acafh import PENALTIES
from solvers.papers.figures import all_figures

from ...compute.debounced import Debounced
from ...compute.shared import data_key
from ...export.call import Call
from ...session.declared import NamedNumbers, kept, linked, open_panels
from ...session.pins import Pin
from ...widgets.text import SCORES
from .offering import DEFAULT_METHODS, scores_of
from .settings import MethodSettings, settings_of

#: For a mistake, or a second.
MOST_PAID = 1e9


class FrontierChoices(Debounced):
    """What is learned, by which methods, charged how, within which budget."""

    dataset: Any = param.ClassSelector(class_=Dataset, doc="What is learned.")
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
        objects=list(all_methods()),
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
        objects=list(PENALTIES),
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
    miss = param.Number(
        default=0.0,
        bounds=(0, MOST_PAID),
        label="A missed case costs",
        doc="Of more than two classes: any mistake. Where it and false alarms cost "
        "nothing, mistakes have no price.",
        metadata=linked("miss", everywhere=True),
    )
    false_alarm = param.Number(
        default=0.0,
        bounds=(0, MOST_PAID),
        label="A false alarm costs",
        metadata=linked("falsealarm", everywhere=True),
    )
    worth = param.Number(
        default=0.0,
        bounds=(0, MOST_PAID),
        label="A second of computing is worth",
        doc="In the money of mistakes, where times are paid; 0: mistakes are times.",
        metadata=linked("worth", everywhere=True),
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
        default=True,
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
    is_figure_asked = param.Boolean(
        default=False,
        doc="Whether the figure is computed where a link opens it.",
        metadata=linked("compute", is_kept=False),
    )
    unfolded: Any = open_panels(
        "Methods whose settings are open, the chosen model's inside, the points."
    )
    random_state = param.Integer(default=0, doc="Seed of the split and the methods.")

    def method_params(self, method: str) -> dict[str, Any]:
        """Return the parameters that a method is to be given, without λ."""
        known = all_methods()[method]().get_params(deep=False)
        shared = {"p": self.p, "penalty": self.penalty, "refit": self.refit}
        chosen = {name: value for name, value in shared.items() if name in known}
        return chosen | settings_of(self.settings, method)

    def trace_key(self, method: str, seed: int | None = None) -> Any:
        """Return what a method's trace is known by, on this split or another."""
        seed = self.random_state if seed is None else seed
        data = data_key(self.dataset) or id(self.dataset)
        return data, *self.run_key(method, self.method_params(method), seed)

    def run_key(
        self, method: str, params: Mapping[str, Any], seed: int
    ) -> tuple[Any, ...]:
        """Return what a run of a method is known by, among those on the same data."""
        mistakes = self.mistakes()
        rules = self.threshold, seed, None if mistakes is None else repr(mistakes)
        return all_methods()[method], tuple(sorted(params.items())), *rules

    def mark_key(self, method: str) -> Any:
        """Return what a method's point at this λ is known by."""
        return *self.trace_key(method), self.alpha

    def mistakes_call(self) -> Call | None:
        """Return the call that makes what mistakes cost; None without a price."""
        n_classes, paid = len(self.dataset.classes), (self.miss, self.false_alarm)
        costs = [[0.0, self.false_alarm], [self.miss, 0.0]]
        if n_classes > 2:
            paid = (self.miss,)
            costs = [
                [self.miss * (truth != said) for said in range(n_classes)]
                for truth in range(n_classes)
            ]
        if not any(paid):
            return None
        if self.worth and is_time(self.dataset.unit):
            rate = {"unit": "money", "rate": self.worth, "per": "s"}
            return Call(MistakeCosts, costs, **rate)
        return Call(MistakeCosts, costs)

    def mistakes(self) -> MistakeCosts | None:
        """Return what mistakes cost; None where they have no price."""
        call = self.mistakes_call()
        return None if call is None else call()

    def scores(self) -> tuple[str, ...]:
        """Return the scores that there are of the data, at what mistakes cost."""
        priced = () if self.mistakes_call() is None else (TOTAL_COST,)
        return *scores_of(self.dataset), *priced

    def axes(self) -> Frontier:
        """Return the frontier without points: what is charged, and which score."""
        unit, limits = self.dataset.unit, self.limits
        known = {price.name for price in self.dataset.hypergraph.prices}
        return Frontier(
            (),
            self.accounting,
            self.score if self.score in self.scores() else "f1",
            charge=self.charge if is_time(unit) else "features",
            unit=unit,
            confidence=self.confidence,
            limits={n: v for n, v in limits.items() if n in known and v >= 0},
        )
