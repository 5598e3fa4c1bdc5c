"""What a search has said so far, light enough to be drawn and played again."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from solvers.bayes import (
    BayesianClassifier,
    InstanceTable,
    SearchEvent,
    Trimming,
    instance_table,
    search_trimmings,
)
from solvers.bayes.pricing import Costs, SharedCosts, as_prices
from solvers.errors import ThriftscopeError

from .folding import MAX_READ, DrawnTree, draw_tree

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


def why(event: SearchEvent) -> str:
    """Return what became of a node, and why, in words."""
    best = event.best.agreement
    said = {
        "expanded": f"branches: MPA {event.mpa:.4f} may beat the best, {best:.4f}",
        "improved": f"improves: the best so far, agreement {best:.4f}",
        "bounded": f"cut: MPA {event.mpa:.4f} cannot beat the best, {best:.4f}",
        "infeasible": f"cut: {event.feature} no longer fits in the budget",
        "leaf": "leaf: nothing more fits in the budget",
        "finished": f"finished: the best has agreement {best:.4f}",
    }
    return said[event.state]


def event_text(event: SearchEvent) -> str:
    """Return an event in one line."""
    if event.state == "finished" or event.feature is None:
        said = why(event)
        return said[0].upper() + said[1:]
    decision = "with" if event.decision == "included" else "without"
    return f"{decision.capitalize()} {event.feature}: {why(event)}"


@dataclass(eq=False)
class SearchLog:
    """The events of one search that were kept, and where its nodes are drawn."""

    question: TrimmingQuestion  # What is searched for
    events: list[SearchEvent] = field(default_factory=list)
    tables: dict[tuple[str, ...], InstanceTable] = field(default_factory=dict)
    latest: SearchEvent | None = None
    n_nodes: int = 0
    share: float = 0.0  # Of all sets of features that is decided
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.first_events: list[SearchEvent] = []
        self.parents: list[int] = []
        self._upto: list[int] = []  # nodes met by the end of each event
        self._rows: dict[int, int] = {}
        self._trees: dict[bool, DrawnTree] = {}

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
        for event in news.events:
            self.events.append(event)
            is_drawn = event.parent is None or event.parent in self._rows
            if event.state != "finished" and event.node not in self._rows and is_drawn:
                self._rows[event.node] = len(self.first_events)
                self.parents.append(self._rows.get(_parent(event), -1))
                self.first_events.append(event)
            self._upto.append(len(self.first_events))
        self.tables.update(news.tables)
        self.latest, self.n_nodes = news.latest, news.n_nodes
        self.share = news.share
        self.seconds = news.seconds
        self._trees.clear()

    def tree(self, *, is_folded: bool = False) -> DrawnTree:
        """Return where the nodes that were met are drawn, in the order of meeting.

        `is_folded`: whether a large tree is cut down to what can be read; the ways to
        all that were best are not.
        """
        if is_folded not in self._trees:
            best = {
                row
                for event in self.events
                if event.state == "improved"
                and (found := self.row(event.node)) is not None
                for row in self.way_to(found)
            }
            most = MAX_READ if is_folded else None
            self._trees[is_folded] = draw_tree(self.parents, best, most)
        return self._trees[is_folded]

    def features_by_depth(self) -> dict[int, str]:
        """Return the feature that is decided at each depth, where it is the same."""
        found: dict[int, set[str]] = {}
        for event in self.first_events:
            if event.feature is not None:
                found.setdefault(event.depth, set()).add(event.feature)
        return {depth: one.pop() for depth, one in found.items() if len(one) == 1}

    def nodes_upto(self, n_events: int) -> int:
        """Return how many nodes the first events have met."""
        return self._upto[n_events - 1] if n_events else 0

    def row(self, node: int) -> int | None:
        """Return the place of a node in the order of meeting; None where not drawn."""
        return self._rows.get(node)

    def way_to(self, row: int) -> list[int]:
        """Return the nodes from one to the root."""
        way = []
        while row >= 0:
            way.append(row)
            row = self.parents[row]
        return way

    def best_lines(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the best agreement and the proved bound after each event.

        Shape: `best, bound` (n_kept_events,).
        """
        best = np.array([event.best.agreement for event in self.events])
        bound = np.array([event.best.bound for event in self.events])
        return best, bound


def _parent(event: SearchEvent) -> int:
    return -1 if event.parent is None else event.parent
