"""Why a subtree may be cut: nothing below can beat what is already in hand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb

from solvers.bayes import BayesianClassifier, SearchEvent, learned_classifier
from solvers.bayes import search_trimmings as search

from ....figures.layout import tree_places
from ....figures.picture import Key, Line, Mark, Picture, Word
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

N_FEATURES, BUDGET = 6, 3
LOOKS = {
    "expanded": ("quiet_text", "circle", True),
    "improved": ("lit", "star", True),
    "bounded": ("shared", "x", True),
    "infeasible": ("faded", "square", False),
    "leaf": ("faded", "circle", False),
    "waiting": ("faded", "circle", False),
}
SAID = {
    "expanded": "its children follow",
    "improved": "the best so far",
    "bounded": "cut: its bound is no better than the best so far",
    "infeasible": "too costly",
    "leaf": "nothing more fits, and it is no better",
}


def original(table: str = "wine") -> BayesianClassifier:
    """Return naive Bayes learned from six columns of a table."""
    return learned_classifier(table, n_columns=N_FEATURES).classifier


@cache
def events(table: str = "wine") -> tuple[SearchEvent, ...]:
    """Return all events of the search."""
    return tuple(search(original(table), BUDGET))


def n_sets() -> int:
    """Return how many sets of features the budget pays for."""
    return sum(comb(N_FEATURES, k) for k in range(BUDGET + 1))


def n_nodes(table: str = "wine") -> int:
    """Return how many nodes the search looks at."""
    return len({event.node for event in events(table)})


def show(at: int) -> Iterator[Shown]:
    """Draw the tree as far as the search has come."""
    seen = events()[: at + 1]
    last = seen[-1]
    best = last.best
    kept = ", ".join(best.features) or "no feature"
    found = (
        f"{_step_text(last)} Best so far: {kept}, which decides as the original for "
        f"{100 * best.agreement:.1f} % of cases."
    )
    yield Shown(
        _picture(at),
        found,
        ("event", "node", "decision", "bound (%)", "what happens"),
        [
            (
                i + 1,
                event.node,
                _decision(event),
                f"{100 * event.mpa:.1f}",
                SAID.get(event.state, "the end"),
            )
            for i, event in enumerate(seen)
        ],
    )


def _step_text(event: SearchEvent) -> str:
    if event.state == "finished":
        return (
            f"Finished: {n_nodes()} nodes looked at; {n_sets()} sets could be paid for."
        )
    return f"{_decision(event).capitalize()}: {SAID[event.state]}."


def _decision(event: SearchEvent) -> str:
    if event.feature is None:
        return "nothing decided"
    return f"{'with' if event.decision == 'included' else 'without'} {event.feature}"


def _picture(at: int) -> Picture:
    first: dict[int, SearchEvent] = {}
    state: dict[int, str] = {}
    for i, event in enumerate(events()[:-1]):
        first.setdefault(event.node, event)
        if i <= at:
            state[event.node] = event.state
    nodes = sorted(first)
    row = {node: i for i, node in enumerate(nodes)}
    parents = [-1 if (p := first[n].parent) is None else row[p] for n in nodes]
    places = tree_places(parents)
    x, depth = places.x, places.depth
    lines, marks, words = [], [], []
    for node, parent in zip(nodes, parents, strict=True):
        if node not in state:
            continue
        i = row[node]
        colour, marker, filled = LOOKS[state[node]]
        if parent >= 0:
            dash = "solid" if first[node].decision == "included" else "dashed"
            ends = (
                (float(x[parent]), float(x[i])),
                (-float(depth[parent]), -float(depth[i])),
            )
            lines.append(Line(*ends, "quiet_text", dash, 1.5))
        marks.append(Mark(float(x[i]), -float(depth[i]), colour, marker, 17, filled))
        words += _names(first[node], float(x[i]), -float(depth[i]))
    return Picture(
        Axis("", -0.75, places.n_leaves - 0.1),
        Axis("", -float(depth.max()) - 0.6, 0.4),
        lines=tuple(lines),
        marks=tuple(marks),
        words=tuple(words),
        key=(
            Key("with the feature", "quiet_text", "solid"),
            Key("without it", "quiet_text", "dashed"),
            Key("expanded", "quiet_text", marker="circle"),
            Key("best so far", "lit", marker="star"),
            Key("cut; ≤ is the bound of all below", "shared", marker="x"),
        ),
    )


def _names(event: SearchEvent, x: float, y: float) -> list[Word]:
    bound = f"≤ {100 * event.mpa:.1f} %"
    if event.feature is None:
        return [Word(x + 0.18, y + 0.1, bound, "left")]
    name = f"{'+' if event.decision == 'included' else '−'} {event.feature}"
    if event.state == "expanded":  # beside the node: lines leave below it
        return [
            Word(x + 0.16, y + 0.26, name, "left"),
            Word(x + 0.16, y + 0.08, bound, "left", colour="quiet_text"),
        ]
    return [Word(x, y - 0.22, name), Word(x, y - 0.4, bound, colour="quiet_text")]


_SHARES = (1 / 3, 2 / 3)


def judge() -> RevealedAnswer:
    """Compute how many nodes had to be looked at."""
    share = n_nodes() / n_sets()
    best = events()[-1].best
    return RevealedAnswer(
        sum(share > bound for bound in _SHARES),
        f"{n_nodes()} nodes prove that no other of the {n_sets()} sets agrees more "
        f"than {100 * best.agreement:.1f} %. Whatever lies below a node sees fewer "
        "features than all it may still use, and seeing less never raises the bound: "
        "where the bound is no better than the best so far, all of it is cut unseen.",
        len(events()) - 1,
    )


LESSON = Lesson(
    name="cutting",
    order=80,
    short="Searching for the best set",
    title="A subtree may be cut unseen when its bound cannot beat the best",
    world=(
        f"Naive Bayes learned from {N_FEATURES} columns of the wine table; a budget "
        f"for {BUDGET} of them. Which {BUDGET} decide most often as all "
        f"{N_FEATURES} do? Branch and bound includes or excludes one after the other, "
        "with a bound on what can still be found at each node."
    ),
    text=(
        f"There are {n_sets()} sets of at most {BUDGET} features. Branch and bound "
        "includes or excludes one feature after the other. At each node a bound (MPA) "
        "says how well any set below could agree at best: it looks at all features "
        "that may still be used, and can only fall further down. Step through the "
        "search and compare each bound with the best agreement so far."
    ),
    limit=(
        "Holds when a few features stand out, as here, not when all are nearly alike: "
        "on six columns of the breast cancer table, which repeat each other, bounds "
        "stay close together and nearly as many nodes are looked at as there are sets."
    ),
    control=Control(
        "Event of the search", tuple(f"{i + 1}" for i in range(len(events())))
    ),
    question=f"How many nodes are looked at to prove the best of {n_sets()} sets?",
    answers=("up to a third as many", "up to two thirds", "more"),
    supposes=(
        "Bounds come close together here, so more must be looked at.",
        "Bounds fall faster than that: a few features stand out, and whole branches "
        "go.",
        "Then hardly anything would be cut; but below a node everything sees less "
        "than its bound supposes.",
    ),
    show=show,
    judge=judge,
    visit=Visit(
        "trimming",
        "Trimming",
        f"network=wine&model=naive_bayes&columns={N_FEATURES}&states=2&T=0.5"
        f"&B={BUDGET}&charged=ones",
    ),
    said={
        "with the feature": ("includes or excludes",),
        "without it": ("includes or excludes",),
        "expanded": ("nodes", "node"),
        "best so far": ("best agreement so far",),
        "cut; ≤ is the bound of all below": ("bound", "bounds"),
    },
)
