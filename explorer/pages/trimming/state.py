"""The trimming page's state: the network, the question, and the search for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import param

from solvers import Dataset, FeatureHypergraph
from solvers.bayes import BayesianClassifier, BayesianNetwork
from solvers.bayes.pricing import Costs as Charged
from solvers.bayes.pricing import SharedCosts, as_prices
from solvers.errors import ThriftscopeError

from ...session.declared import NamedNumbers, Names, kept, linked, open_panels
from ...session.own_files import OpenedFile
from ...session.state import DEFAULT_DATASET, bundled, repriced
from .log import TrimmingQuestion
from .playback import Playback
from .sources import (
    FILE,
    LEARNED,
    SESSION,
    OpenedNetwork,
    OpenRequest,
    opening_features,
    sources,
)

#: How features are charged, by what it is called on screen.
CHARGES = {
    "one each": "ones",
    "as edited below": "edited",
    "by the open hypergraph, shared components once": "hypergraph",
}
MAX_COST = 1e9
# What is said while there is no answer: before a network is open, and after.
EMPTY, UNSEARCHED = "Opening the network.", "Nothing is found yet."


class Costs(NamedNumbers):
    """Costs by feature, none negative and none endless."""

    def _validate_value(self, val: Any, allow_None: bool) -> None:
        super()._validate_value(val, allow_None)
        if not isinstance(val or {}, Mapping):
            raise ValueError("Costs are numbers by name.")
        costs = (val or {}).values()
        if not all(isinstance(c, int | float) and 0 <= c <= MAX_COST for c in costs):
            raise ValueError(f"a cost is a number from 0 to {MAX_COST:g}")


class TrimmingState(Playback):
    """What the trimming page has been asked, and what has been found."""

    # Choices, those that others depend on first.
    files: Any = param.List(
        default=[],
        item_type=OpenedFile,
        bounds=(0, 1),
        label="Your file",
        doc="A person's network.",
        metadata=kept(),
    )
    source: Any = param.Selector(
        default=SESSION,
        objects=[*sources().values(), FILE],
        doc="What is opened.",
        metadata=linked("network"),
    )
    model: Any = param.Selector(
        default="naive_bayes",
        objects=["naive_bayes", "tan"],
        doc="What is learned.",
        metadata=linked("model"),
    )
    n_columns = param.Integer(
        default=7,  # of which the whole search can be read
        bounds=(2, 24),
        doc="Columns learned from.",
        metadata=linked("columns"),
    )
    n_bins = param.Integer(
        default=2, bounds=(2, 4), doc="States of a column.", metadata=linked("states")
    )
    target = param.String(
        default="", doc="The class variable.", metadata=linked("target")
    )
    positive = param.String(
        default="",
        doc="Its state that counts as positive.",
        metadata=linked("positive"),
    )
    features: Any = Names(
        default=[], item_type=str, label="Features", metadata=linked("features")
    )
    charging: Any = param.Selector(
        default="ones", objects=list(CHARGES.values()), metadata=linked("charged")
    )
    costs: Any = Costs(
        default={},
        label="Costs",
        doc="Edited costs by feature; else one each.",
        metadata=linked("costs"),
    )
    threshold: Any = param.Number(
        default=None,
        bounds=(0, 1),
        allow_None=True,
        label="Decision threshold T",
        doc="None: as opened.",
        metadata=linked("T"),
    )
    # After all that moves it: what features cost together.
    budget: Any = param.Number(
        default=None,
        bounds=(0, None),
        allow_None=True,
        label="Feature budget B",
        doc="None: a third.",
        metadata=linked("B"),
    )

    unfolded: Any = open_panels("The figures that are computed on demand.")

    dataset: Any = param.ClassSelector(
        class_=Dataset, allow_None=True, doc="The session's data set."
    )
    opened: Any = param.ClassSelector(class_=OpenedNetwork, allow_None=True)

    following: Any = param.Parameter(
        doc="A log, and the best trimming of the next step up."
    )
    picked = param.String(default="", doc="The feature whose cost is edited.")

    def __init__(self, **params: Any) -> None:
        params.setdefault("dataset", bundled(DEFAULT_DATASET))
        super().__init__(**params)
        self._original: tuple[Any, BayesianClassifier] | None = None
        self.opened_with: OpenRequest | None = None
        self._is_forgotten = self._is_restored = False
        self._is_budget_new = True
        # The features that the budget was meant for, and what they cost together.
        self._stood: tuple[list[str], float] = ([], 0.0)
        self.param.watch(lambda *_: self._take_target(), "target")
        self.param.watch(
            lambda *_: self._fit_budget(), ["features", "charging", "costs"]
        )

    # ------------------------------------------------------------------------ opening

    def open_request(self) -> OpenRequest:
        """Return which network is to be opened."""
        source = self.source
        if source == FILE and self.files:
            return OpenRequest(FILE, file=self.files[0])
        if source == FILE:  # it was too large to be kept
            source = self.param.source.default
        if source not in LEARNED:
            return OpenRequest(source)
        data = self.dataset if source == SESSION else None
        return OpenRequest(source, self.model, self.n_columns, self.n_bins, data)

    def take(self, opened: OpenedNetwork, request: OpenRequest) -> None:
        """Take a network that was opened, with the question that it brings.

        What a link or a session asked for stays as far as it fits.
        """
        first, network = opened.classifier, opened.network
        stays = not self._is_forgotten
        is_fitting = stays and opened.is_open and self.target in network.states
        target = self.target if is_fitting else first.target
        states = network.states[target]
        if target == first.target:
            positive, features = first.positive_state, first.features
        else:
            positive, features = states[0], opening_features(network, target)
        if stays and self.positive in states:
            positive = self.positive
        others = set(network.states) - {target}
        is_asked = stays and (self._is_restored or self.opened is None)
        if is_asked and self.features and others.issuperset(self.features):
            features = tuple(self.features)
        fits = is_asked and others.issuperset(self.costs)
        costs = self.costs if fits else {}
        is_kept = stays and self.threshold is not None
        charging = self.charging if is_asked else "ones"
        self.opened_with = request
        self._is_forgotten = self._is_restored = False
        asked = () if self.log is None else self.log.question.original.features
        if not {*asked} <= {*network.states}:  # no answer about what is drawn now
            self.param.update(log=None, position=None)
        kept, stood = self.budget if stays else None, self._stood
        self._is_budget_new = kept is None
        self.param.update(
            opened=opened,
            source=request.source,
            files=[request.file] if request.file else [],
            target=target,
            positive=positive,
            features=list(features),
            threshold=self.threshold if is_kept else first.threshold,
            charging=charging,
            costs=costs,
            picked="",
            is_playing=False,
        )
        self._charge_by_what_fits(request)
        self._fit_budget()
        self._is_budget_new = False
        if kept is not None:
            total = self.total_cost()
            is_repriced = not is_asked and self._is_share_of(*stood)
            self.budget = (
                repriced(kept, stood[1], total) if is_repriced else min(kept, total)
            )

    def _charge_by_what_fits(self, request: OpenRequest) -> None:
        shared = self.hypergraph() is not None
        if request.source == SESSION and self.charging == "ones" and shared:
            self.charging = "hypergraph"
        if self.charging == "hypergraph" and not shared:
            self.charging = "ones"

    def forget(self) -> None:
        """Let the next network bring its own question; until then all stays."""
        self._is_forgotten = True

    def keep_question(self) -> None:
        """Ask the next network what is asked now, as far as it fits: a link did.

        One that is open already brings the rest once more, where nothing else is asked.
        """
        self._is_forgotten = False
        if self.features:
            return
        self.budget = self.budget or None  # a slider without a range said 0
        if self.opened is not None and self.open_request() == self.opened_with:
            self.take(self.opened, self.opened_with)

    def restore_question(self) -> None:
        """Ask it all of that, with features and costs: a session did, or undo.

        A session that was kept before this page was seen asks nothing: where its
        network is open already, that brings its own question once more.
        """
        if self.open_request() != self.opened_with:
            self._is_forgotten, self._is_restored = False, True
        elif self.opened is not None and not self.target:
            self.forget()
            self.take(self.opened, self.opened_with)

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.log is not None:
            return ""
        return (
            "a search: explorer.pages.trimming.queries.SEARCH.answer(state), once "
            "state.take has a network"
        )

    @property
    def is_learned(self) -> bool:
        """Whether the network is learned from a table."""
        return self.source in LEARNED

    @property
    def is_filled(self) -> bool:
        """Whether a network is open, with all that is asked of it."""
        network = self.network()
        return network is not None and {self.target, *self.features} <= {
            *network.states
        }

    def network(self) -> BayesianNetwork | None:
        """Return the network that is open."""
        return None if self.opened is None else self.opened.network

    def is_of_network(self, dataset: Dataset | None = None) -> bool:
        """Return whether a table was drawn from the network that is open.

        `dataset`: the table; the session's by default.
        """
        data = dataset or self.dataset
        is_given = self.opened is not None and self.opened.learned is None
        return is_given and data is not None and data.name == self.opened.title

    def left_out(self) -> str:
        """Return how many variables are no features, and why; empty where all are."""
        opened, network = self.opened, self.network()
        others = set(network.states) - {self.target, *self.features}
        told = []
        if others:
            why = " together they have more joint states than are searched in a moment"
            every = opening_features(network, self.target)
            is_cut = len(self.features) < len(network.states) - 1 == len(every)
            said = "" if is_cut else f":{why}"
            told.append(f"{len(others)} more can be added under Features{said}. ")
        n_columns = len(network.states) - 1
        if opened.n_columns > n_columns:
            told.append(
                f"Of {opened.n_columns} columns the {n_columns} that tell most are "
                "learned from; Tune takes more. "
            )
        return "".join(told)

    def accuracies(self) -> tuple[float, float] | None:
        """Return which share of test rows the best decides rightly, and all features.

        None where the network was not learned from rows.
        """
        log, best = self.log, self.best()
        learned = None if self.opened is None else self.opened.learned
        if learned is None or best is None:
            return None
        return log.accuracies(learned, best)

    # --------------------------------------------------------------------- the question

    def _take_target(self) -> None:
        network = self.network()
        if network is None or self.target not in network.states:
            return
        states = network.states[self.target]
        if self.positive not in states or self.target in self.features:
            self.param.update(
                positive=self.positive if self.positive in states else states[0],
                features=list(opening_features(network, self.target)),
            )

    def hypergraph(self) -> FeatureHypergraph | None:
        """Return the session's hypergraph where it prices every feature by name."""
        if self.dataset is None or not self.features:
            return None
        hypergraph = self.dataset.hypergraph
        known = set(hypergraph.features)
        return hypergraph if all(name in known for name in self.features) else None

    @property
    def unit(self) -> str:
        """Unit of the costs; empty where they are counts or a person's numbers."""
        hypergraph = self.hypergraph() if self.charging == "hypergraph" else None
        return "" if hypergraph is None else hypergraph.unit

    def charged(self) -> Charged:
        """Return what features cost, as the solver takes it."""
        if self.charging == "hypergraph":
            return self.hypergraph()
        if self.charging == "edited":
            return {name: self.costs.get(name, 1.0) for name in self.features}
        return None

    def set_cost(self, feature: str, cost: float) -> None:
        """Give a feature a cost, and charge by edited costs from now on."""
        if 0 <= cost <= MAX_COST:
            edited = {**self.costs, feature: float(cost)}
            self.param.update(costs=edited, charging="edited")

    def prices(self) -> SharedCosts:
        """Return what features cost, as tables."""
        return as_prices(self.features, self.charged(), 0.0)

    def total_cost(self) -> float:
        """Return what all features cost together."""
        return float(self.prices().component_costs.sum()) if self.features else 0.0

    def cost_of(self, feature: str) -> float:
        """Return what a feature costs alone."""
        return float(self.prices().alone()[self.features.index(feature)])

    def _fit_budget(self) -> None:
        """Open with a third of what all features cost; at other prices keep the share.

        Of fewer features the budget is at most what they cost.
        """
        if self.opened is None or not self.features:
            return
        total, is_counted = self.total_cost(), self.charging == "ones"
        if self._is_budget_new or self.budget is None:
            third = float(max(2, len(self.features) // 3))
            self.budget = min(third, total) if is_counted else total / 3
        elif self._is_share_of(*self._stood):
            share = repriced(self.budget, self._stood[1], total)
            self.budget = float(max(round(share), share > 0)) if is_counted else share
        else:
            self.budget = min(self.budget, total)
        self._stood = ([*self.features], total)

    def _is_share_of(self, features: list[str], total: float) -> bool:
        """Return whether a budget was a share of what the same features cost."""
        return features == self.features and total > 0

    def question(self) -> TrimmingQuestion | None:
        """Return what is to be searched for; None while nothing is open."""
        is_ready = self.opened is not None and bool(self.features)
        if not is_ready or self.threshold is None or self.budget is None:
            return None
        try:
            original = self._classifier()
        except ThriftscopeError:
            return None  # the target has changed, and what goes with it has not yet
        return TrimmingQuestion(
            original, self.threshold, self.budget, self.charged(), self.unit
        )

    @property
    def is_answered(self) -> bool:
        """Whether the log that is shown is of what is asked now."""
        asked = self.question()
        if self.log is None or asked is None:
            return False
        shown = self.log.question
        return shown.original is asked.original and (
            shown.threshold,
            shown.budget,
            shown.costs,
        ) == (asked.threshold, asked.budget, asked.costs)

    def asked(self) -> tuple[Any, ...] | None:
        """Return what a search is known by; None while nothing can be asked."""
        question = self.question()
        if question is None:
            return None
        shared = question.costs if self.charging == "hypergraph" else None
        edited = tuple(self.costs.items())
        asked = (question.original, question.threshold, question.budget)
        return (*asked, self.charging, edited, shared)

    def _classifier(self) -> BayesianClassifier:
        """Return the classifier; the same while its variables are, with its tables."""
        key = (self.opened, self.target, self.positive, tuple(self.features))
        if self._original is None or self._original[0] != key:
            first = self.opened.classifier
            same = (first.target, first.positive_state, first.features) == key[1:]
            made = first if same else BayesianClassifier(self.network(), *key[1:])
            self._original = (key, made)
        return self._original[1]
