"""What a search has said so far, light enough to be drawn and played again."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.bayes import (
    BayesianClassifier,
    InstanceTable,
    LearnedClassifier,
    SearchEvent,
    Trimming,
    instance_table,
    search_trimmings,
)
from solvers.bayes.pricing import Costs, SharedCosts, as_prices
from solvers.errors import ThriftscopeError

from ...figures.trimming_search import TrimmingSearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

# More nodes than this are no picture; the search goes on, and they are counted.
MAX_NODES = 2_000
# Tables of more joint states are not for reading.
MAX_INSTANCES = 512
# A redraw takes a browser about 30 ms.
NEWS_SECONDS = 0.06


@dataclass(frozen=True, eq=False)
class TrimmingQuestion:
    """What is searched for."""

    original: BayesianClassifier  # Its threshold plays no part
    threshold: float  # T and B
    budget: float
    costs: Costs = None  # What features cost; one each where None
    unit: str = ""  # Of the costs; empty where they are one each

    @property
    def prices(self) -> SharedCosts:
        """What features cost, as tables."""
        return as_prices(self.original.features, self.costs, 0.0)

    def classifier(self) -> BayesianClassifier:
        """Return the original at T; what it computes first may take a while."""
        return self.original.with_threshold(self.threshold)


@dataclass(frozen=True, eq=False)
class SearchUpdate:
    """What a search did since it last spoke."""

    events: tuple[SearchEvent, ...]  # Those that are kept
    latest: SearchEvent  # The last of all
    n_nodes: int  # How many there were so far, kept or not
    share: float  # Share of all sets of features that is decided
    seconds: float  # Since the search began, its tables included
    # What the sets that were best can show, where that can be read
    tables: Mapping[tuple[str, ...], InstanceTable]


def follow_search(
    question: TrimmingQuestion, max_nodes: int = MAX_NODES
) -> Iterator[SearchUpdate]:
    """Search, and say now and then what happened.

    `max_nodes`: nodes whose events are kept; later ones are counted, and kept only
    where they improve.
    """
    began = time.monotonic()
    classifier = question.classifier()
    spoke = began
    kept: list[SearchEvent] = []
    seen: set[int] = set()
    tables: dict[tuple[str, ...], InstanceTable] = {}
    n_nodes, share = 0, 0.0
    for event in search_trimmings(classifier, question.budget, question.costs):
        is_last = event.state == "finished"
        n_nodes = max(n_nodes, event.node + 1)
        share += _decided(event)
        improves = event.state == "improved"
        if len(seen) < max_nodes or event.node in seen or is_last or improves:
            kept.append(event)
            seen.add(event.node)
        now = time.monotonic()
        if is_last or now - spoke >= NEWS_SECONDS:
            _add_tables(tables, classifier, (*kept, event))
            done = 1.0 if is_last else min(share, 1.0)
            since = now - began
            yield SearchUpdate(tuple(kept), event, n_nodes, done, since, dict(tables))
            kept, tables, spoke = [], {}, time.monotonic()


def _decided(event: SearchEvent) -> float:
    """Return the share of all sets that an event decides: a node halves its parent's.

    Nodes that say nothing more close what is below them.
    """
    closes = event.state in ("bounded", "leaf") or (
        event.state == "improved" and not event.undecided
    )
    return 0.5**event.depth if closes else 0.0


def _add_tables(
    tables: dict[tuple[str, ...], InstanceTable],
    classifier: BayesianClassifier,
    events: Iterable[SearchEvent],
) -> None:
    for chosen in dict.fromkeys(event.best.features for event in events):
        sizes = [classifier.network.cardinality(name) for name in chosen]
        if chosen in tables or np.prod(sizes, dtype=float) > MAX_INSTANCES:
            continue
        try:
            tables[chosen] = instance_table(classifier, list(chosen))
        except ThriftscopeError:
            return  # the search itself is by samples: there are no exact tables


def test_rows(
    classifier: BayesianClassifier, learned: LearnedClassifier
) -> NDArray[np.intp]:
    """Return the test rows, of each feature of a classifier a column."""
    names = learned.classifier.features
    return learned.test_codes[:, [names.index(one) for one in classifier.features]]


def truth(
    classifier: BayesianClassifier,
    learned: LearnedClassifier,
    labels: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return which rows are of the state that the classifier calls positive."""
    same = classifier.positive_state == learned.classifier.positive_state
    return labels if same else ~labels


def accuracy(
    classifier: BayesianClassifier,
    learned: LearnedClassifier,
    features: Sequence[str] | None = None,
    threshold: float | None = None,
) -> float:
    """Return which share of the test rows a trimming decides rightly; all by default.

    `features`, `threshold`: of the trimming.
    """
    rows = test_rows(classifier, learned)
    kept = None if features is None else list(features)
    said = classifier.decide(rows, kept, threshold)
    right = said == truth(classifier, learned, learned.test_labels)
    return float(np.average(right, weights=learned.test_weights))


class SearchLog(TrimmingSearch):
    """The events of one search that were kept, and what is known of all of it."""

    def __init__(self, question: TrimmingQuestion) -> None:
        super().__init__()
        self.question = question  # What is searched for
        self.tables: dict[tuple[str, ...], InstanceTable] = {}
        self.latest: SearchEvent | None = None
        self.n_nodes = 0
        self.share = 0.0  # Of all sets of features that is decided
        self.seconds = 0.0
        self._accuracies: dict[Any, tuple[float, float]] = {}

    @property
    def is_complete(self) -> bool:
        """Whether the search has come to its end."""
        return self.latest is not None and self.latest.state == "finished"

    @property
    def best(self) -> Trimming | None:
        """The best of all that came, with what is proved about it."""
        return None if self.latest is None else self.latest.best

    def extend(self, news: SearchUpdate) -> None:
        """Take what has come."""
        self.add(news.events)
        self.tables.update(news.tables)
        self.latest, self.n_nodes = news.latest, news.n_nodes
        self.share = news.share
        self.seconds = news.seconds

    def accuracies(
        self, learned: LearnedClassifier, best: Trimming
    ) -> tuple[float, float] | None:
        """Return which share of the test rows a trimming decides rightly, and all do.

        None where another network was learned from these rows.
        """
        original, key = self.question.original, (best.features, best.threshold)
        if original.network is not learned.classifier.network:
            return None
        if key not in self._accuracies:
            classifier = self.question.classifier()
            self._accuracies[key] = (
                accuracy(classifier, learned, best.features, best.threshold),
                accuracy(classifier, learned),
            )
        return self._accuracies[key]

    def best_lines(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the best agreement and the proved bound after each event.

        Shape: `best, bound` (n_kept_events,).
        """
        best = np.array([event.best.agreement for event in self.events])
        bound = np.array([event.best.bound for event in self.events])
        return best, bound
