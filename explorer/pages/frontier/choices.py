"""What the frontier page offers of a data set, and what has been asked of it.

Knobs without a control of their own stand in one flat dictionary by ``method.knob``,
only where they differ from the default: so a session, a link and undo take them like
any other choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, get_args
from zlib import crc32

import param
from sklearn.utils import get_tags

from solvers import (
    CostAwareClassifier,
    Dataset,
    Frontier,
    FrontierPoint,
    Knob,
    MistakeCosts,
    Number,
    ThriftscopeError,
    all_methods,
)
from solvers.costs.units import is_time
from solvers.datasets import charging, within_limits
from solvers.decisions.scores import TOTAL_COST, scores_of_classes
from solvers.errors import KnobError, shown
from solvers.frontier.frontier import Charge
from solvers.methods.acafh import PENALTIES
from solvers.papers.figures import all_figures

from ...compute.debounced import Debounced
from ...compute.shared import data_key
from ...export.call import Call
from ...session.declared import LinkText, NamedNumbers, kept, linked, open_panels
from ...session.link import knob_text, knob_value
from ...session.pins import Pin
from ...widgets.text import SCORES, price_text

DEFAULT_METHODS = ("acafh", "forward_selection", "reweighted_l1", "l1")
# Where there are more than two classes.
DEFAULT_OF_MANY = ("hypergraph_cascade", "tefe", "static_prefix", "csdt")


@cache
def _tell_many_apart() -> tuple[str, ...]:
    methods = all_methods().items()
    tags = {name: get_tags(method()).classifier_tags for name, method in methods}
    return tuple(name for name, tag in tags.items() if tag and tag.multi_class)


def is_of_many(dataset: Dataset) -> bool:
    """Return whether a data set has more than two classes."""
    return len(dataset.classes) > 2


def menu_of(dataset: Dataset) -> list[str]:
    """Return the methods that can learn a data set.

    All methods where there are two classes, else those that tell more apart.
    """
    return list(_tell_many_apart() if is_of_many(dataset) else all_methods())


def ticked_on(dataset: Dataset, ticked: Iterable[str] = ()) -> list[str]:
    """Return which methods of a data set's menu are ticked."""
    menu = menu_of(dataset)
    left = [name for name in ticked if name in menu]
    usual = DEFAULT_OF_MANY if is_of_many(dataset) else DEFAULT_METHODS
    return left or [name for name in usual if name in menu]


def left_out(dataset: Dataset) -> list[str]:
    """Return the titles of the methods that cannot learn a data set."""
    menu = menu_of(dataset)
    return [kind.title for name, kind in all_methods().items() if name not in menu]


def scores_of(dataset: Dataset) -> tuple[str, ...]:
    """Return the scores that a data set leaves: some tell only two classes apart."""
    return scores_of_classes(len(dataset.classes))


def chargeable(dataset: Dataset) -> dict[str, str]:
    """Return the units of prices that can be charged; the first is charged now."""
    hypergraph = dataset.hypergraph
    further = {p.name: p.unit for p in hypergraph.prices if p.rule == "sum"}
    return {hypergraph.charged: hypergraph.unit, **further}


def offered(
    dataset: Dataset, price: str, limits: Mapping[str, float]
) -> tuple[Dataset, str]:
    """Return the data set that price and limits leave, and what was refused of them.

    Names that the data set does not know ask for nothing.
    """
    charged = charging(dataset, price) if price in chargeable(dataset) else dataset
    known = {one.name for one in charged.hypergraph.prices}
    try:
        held = {name: limit for name, limit in limits.items() if name in known}
        return within_limits(charged, held), ""
    except ThriftscopeError as error:
        return charged, str(error)


def prices_text(point: FrontierPoint, dataset: Dataset, axes: Frontier) -> str:
    """Return what a point pays of every further price on test rows, in a sentence."""
    paid = [
        price_text(price, point.prices[price.name][axes.accounting])
        for price in dataset.hypergraph.prices
        if price.name in point.prices
    ]
    return f"Beside that: {', '.join(paid)}." if paid else ""


def limits_text(dataset: Dataset, axes: Frontier) -> str:
    """Return the limits that hold, to follow a budget."""
    return "".join(
        f" and {price_text(price, axes.limits[price.name])}"
        for price in dataset.hypergraph.prices
        if price.name in axes.limits
    )


# What has a control for all methods together.
DRAWN = ("p", "penalty", "refit", "budget", "accounting")
# In a link: all knobs stand at their defaults.
NOTHING = "none"
# Of an end, for what was rounded on its way through a slider or a link.
ROUNDING = 1e-5


@cache
def _parameters(method: type[CostAwareClassifier]) -> Mapping[str, Any]:
    """Return the parameters of a method where they stand at first."""
    return MappingProxyType(method().get_params(deep=False))


def open_knobs(method: str) -> dict[str, Knob]:
    """Return the knobs of a method that are neither drawn already nor its path."""
    found = all_methods()[method]
    return {
        name: knob
        for name, knob in found.knobs.items()
        if name not in DRAWN and name != found.path_knob
    }


def defaults_of(method: str) -> dict[str, Any]:
    """Return where the open knobs of a method stand at first."""
    params = _parameters(all_methods()[method])
    return {name: params[name] for name in open_knobs(method)}


def settings_of(settings: Mapping[str, Any], method: str) -> dict[str, Any]:
    """Return the settings of one method by the names of its parameters."""
    split = ((key.rpartition("."), value) for key, value in settings.items())
    return {name: value for (owner, _, name), value in split if owner == method}


def with_values(
    settings: Mapping[str, Any], method: str, values: Mapping[str, Any]
) -> dict[str, Any]:
    """Return settings in which a method's are these; defaults are not written down."""
    others = {k: v for k, v in settings.items() if k.rpartition(".")[0] != method}
    first = defaults_of(method)
    turned = {
        f"{method}.{name}": value
        for name, value in values.items()
        if not _is_same(value, first[name])
    }
    return others | turned


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9)
    return bool(one == other)


class MethodSettings(param.Dict, LinkText):
    """Settings by ``method.knob``, each one within what its control can show."""

    allowed = "settings as in fumi.max_depth:3, within what their controls show"

    def _validate(self, val: Any) -> None:
        super()._validate(val)
        for key, value in val.items():
            _check(key, value)

    def to_text(self, values: Mapping[str, Any]) -> str:
        """Return settings as they stand in a link."""
        items = (f"{key}:{knob_text(value)}" for key, value in values.items())
        return ",".join(items) or NOTHING

    def from_text(self, text: str) -> tuple[dict[str, Any], bool]:
        """Return the settings of a link, those left out that do not fit."""
        items = [] if text == NOTHING else text.split(",")
        found = dict(_read(items))
        if items and not found:
            raise ValueError("no setting of it fits")
        return found, len(found) == len(items)


def _read(items: Iterable[str]) -> Iterable[tuple[str, Any]]:
    for item in items:
        try:
            key, _, text = item.rpartition(":")
            value = knob_value(text, _knob(key))
            _check(key, value)
        except (ThriftscopeError, ValueError, OverflowError):
            continue
        yield key, value


def _knob(key: Any) -> Knob:
    method, _, name = str(key).rpartition(".")
    knobs = open_knobs(method) if method in all_methods() else {}
    if name not in knobs:
        raise KnobError(
            f"There is no setting {shown(key)}; open the settings of a method."
        )
    return knobs[name]


def _check(key: Any, value: Any) -> None:
    """Refuse a value that the knob refuses, or that its slider could not show.

    A link could ask for a million million steps otherwise.
    """
    knob = _knob(key)
    knob.check(str(key), value)
    if isinstance(knob, Number) and knob.shown is not None and value is not None:
        low, high = knob.shown
        if not low - ROUNDING * abs(low) <= value <= high + ROUNDING * abs(high):
            raise KnobError(
                f"{key} is {value:g}; its control goes from {low:g} to {high:g}."
            )


def picked_name(point: FrontierPoint) -> str:
    """Return what a point is known by wherever its path is traced again.

    Its method and all its parameters, in as many digits as every processor has alike.
    """
    told = (f"{key}={knob_text(_short(point.params[key]))}" for key in point.params)
    return f"{point.method}-{crc32(','.join(sorted(told)).encode()):08x}"


def _short(value: Any) -> Any:
    return float(f"{value:.9g}") if isinstance(value, float) else value


class EachOnce(param.ListSelector):
    """Some of the objects, none of them twice."""

    def _validate(self, val: Any) -> None:
        super()._validate(val)
        if val is not None and len({*val}) < len(val):
            raise ValueError(f"{self.label} names one of them twice; name each once.")


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
    methods = EachOnce(
        default=list(DEFAULT_METHODS),
        objects=list(all_methods()),
        doc="Names of the ticked methods.",
        metadata=linked("methods", everywhere=True),
    )
    alpha = param.Number(
        default=0.003,
        bounds=(0, 1),
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
        label="A second is worth",
        doc="Of computing, in the money of mistakes, where times are paid; 0: mistakes "
        "are times.",
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
    pick = param.String(
        default="",
        label="The point that is picked",
        doc="As `picked_name` calls it; empty until one is.",
        metadata=linked("pick", everywhere=True),
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
        known = _parameters(all_methods()[method])
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
