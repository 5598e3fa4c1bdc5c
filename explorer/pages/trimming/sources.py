"""The networks that the trimming page opens: bundled, learned, classic and uploaded."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache

import networkx as nx
import numpy as np
import pandas as pd

from solvers import Dataset
from solvers.bayes import (
    BUNDLED,
    TABLES,
    BayesianClassifier,
    BayesianNetwork,
    LearnedClassifier,
    agreement,
    bundled_classifier,
    classic_network,
    learn_classifier,
    learned_classifier,
    maximum_achievable_agreement,
    read_model,
    sample,
)
from solvers.bayes.learning import Model
from solvers.datasets import from_frame
from solvers.errors import NetworkError, shown

from ...export.call import Call
from ...figures.layout import Places, network_places
from ...session.own_files import OpenedFile

FILE, SESSION = "file", "session"
#: Sources whose network is learned from a table.
LEARNED = (*TABLES, SESSION)
_TITLES = {
    SESSION: "Learned: the open data set",
    "quiz": "The quiz (Fig. 1)",
    "fig3": "The network of Fig. 3",
    "breast_cancer": "Learned: breast cancer",
    "wine": "Learned: wine",
    "digits": "Learned: digits, 8 or not",
}
# Those that can be searched at once; the names are pgmpy's.
_CLASSIC = (
    "alarm",
    "andes",
    "asia",
    "cancer",
    "child",
    "earthquake",
    "hailfinder",
    "hepar2",
    "insurance",
    "sachs",
    "win95pts",
)
# Of the table that is drawn from a person's network.
DRAWN_ROWS = 2_000
# Of each bundled table.
COLUMNS = {"breast_cancer": 30, "wine": 13, "digits": 64}
# Features to begin with: no more joint states than are searched in a moment.
MAX_OPENING_STATES = 2**19
MAX_OPENING_FEATURES = 24


def sources() -> dict[str, str]:
    """Return what can be opened: names by title, classics only where pgmpy is."""
    found = {title: name for name, title in _TITLES.items()}
    if importlib.util.find_spec("pgmpy") is not None:
        found |= {f"Classic: {name}": name for name in _CLASSIC}
    return found


@dataclass(frozen=True)
class OpenRequest:
    """Which network is to be opened."""

    source: str  # A name of `sources`, or "file"
    model: Model = "naive_bayes"  # What is learned, where something is
    n_columns: int = 7  # How many columns are learned from, and in how many states
    n_bins: int = 2
    dataset: Dataset | None = None  # The session's
    file: OpenedFile | None = None  # A person's


@dataclass(frozen=True)
class PublishedRow:
    """A number of the paper and ours."""

    what: str  # What it is of
    published: str  # As printed
    computed: float  # From the printed probability tables


@dataclass(frozen=True, eq=False)
class OpenedNetwork:
    """A network with the question that it is opened with."""

    title: str  # What it is called
    # Target, positive state, features and threshold to begin with
    classifier: BayesianClassifier
    learned: LearnedClassifier | None = None  # The rows that it was learned from
    call: Call | None = None  # That gives the classifier; None where only JSON does
    places: Places = field(default_factory=dict)  # Where variables are drawn
    n_columns: int = 0  # Of the table that it was learned from
    # What the paper says of it, beside what its printed tables give
    published: tuple[PublishedRow, ...] = ()

    @property
    def network(self) -> BayesianNetwork:
        """The network."""
        return self.classifier.network

    @property
    def is_open(self) -> bool:
        """Whether any variable may be the target."""
        return self.learned is None


def open_network(request: OpenRequest) -> Iterator[OpenedNetwork]:
    """Open a network; yields once."""
    if request.source in LEARNED:
        title, learned, call = _learned(request)
        classifier, rows = learned.classifier, learned
    else:
        title, classifier, call = _given(request)
        rows = None
    yield OpenedNetwork(
        title,
        classifier,
        rows,
        call,
        network_places(classifier.network, classifier.target),
        0 if rows is None else _n_columns(request),
        published_rows(request.source),
    )


def _learned(request: OpenRequest) -> tuple[str, LearnedClassifier, Call | None]:
    name = request.source
    kind = "naive Bayes" if request.model == "naive_bayes" else "TAN"
    if name != SESSION:
        learned = _learned_table(name, request.model, request.n_columns, request.n_bins)
        sizes = {"n_columns": request.n_columns, "n_bins": request.n_bins}
        call = Call(learned_classifier, name, request.model, **sizes)
        title = f"{kind} learned from {name.replace('_', ' ')}"
        return title, learned, call.of("classifier")
    if request.dataset is None:
        raise NetworkError("No data set is open; open one first.")
    data = request.dataset
    learned = learn_classifier(
        data.X,
        data.y,
        data.classes[0] if data.positive is None else data.positive,
        data.feature_names,
        request.model,
        n_columns=request.n_columns,
        n_bins=request.n_bins,
        schema=data.schema,
        sample_weight=None if data.roles is None else data.roles.weight,
        groups=None if data.roles is None else data.roles.together(),
    )
    return f"{kind} learned from {data.name}", learned, None


def _n_columns(request: OpenRequest) -> int:
    if request.source == SESSION:
        return request.dataset.n_features
    return COLUMNS[request.source]


@cache
def _learned_table(
    name: str, model: Model, n_columns: int, n_bins: int
) -> LearnedClassifier:
    return learned_classifier(name, model, n_columns=n_columns, n_bins=n_bins)


def _given(request: OpenRequest) -> tuple[str, BayesianClassifier, Call | None]:
    name = request.source
    if name in BUNDLED:
        return _TITLES[name], bundled_classifier(name), Call(bundled_classifier, name)
    if name != FILE:
        asked = _opening_question(_classic(name))
        question = asked.target, asked.positive_state, asked.features
        network = Call(classic_network, name)
        return name, asked, Call(BayesianClassifier, network, *question)
    if request.file is None:
        raise NetworkError("No file was chosen; choose one.")
    found = read_model(request.file.content, request.file.name)
    if isinstance(found, BayesianNetwork):
        found = _opening_question(found)
    return request.file.name[:60], found, None


_classic = cache(classic_network)


def drawn_table(opened: OpenedNetwork) -> Dataset:
    """Return rows drawn from a network: a problem that every page can ask about.

    Each variable is a category that costs one.
    """
    classifier = opened.classifier
    network, target = opened.network, classifier.target
    codes = sample(network, DRAWN_ROWS)
    frame = pd.DataFrame(
        {name: np.array(network.states[name])[codes[name]] for name in network.states}
    )
    others = [name for name in network.states if frame[name].nunique() > 1]
    if target not in others or len(others) < 2:
        raise NetworkError(
            f"{DRAWN_ROWS:,} rows drawn from the network show one state of "
            f"{shown(target)}, or of all others; choose another network or target."
        )
    is_positive = frame[target] == classifier.positive_state
    rest = network.states[target]
    other = f"not {classifier.positive_state}"
    if len(rest) == 2:
        other = next(one for one in rest if one != classifier.positive_state)
    frame[target] = np.where(is_positive, classifier.positive_state, other)
    costs = {name: 1.0 for name in others if name != target}
    table = from_frame(
        frame[others],
        target,
        name=opened.title,
        costs=costs,
        unit="features",
        positive=classifier.positive_state,
        kinds=dict.fromkeys(costs, "category"),
    )
    return replace(table, notes=(f"{DRAWN_ROWS:,} rows are drawn from the network.",))


def _opening_question(network: BayesianNetwork) -> BayesianClassifier:
    """Return a classifier to begin with: a cause, judged by what it shows itself in.

    The threshold is the probability of its positive state, so that decisions differ.
    """
    leaves = set(network.leaves)
    causes = {
        root: len(nx.descendants(network.graph, root) & leaves)
        for root in network.roots
        if network.cardinality(root) > 1
    }
    if not causes or len(network.states) < 2:
        raise NetworkError(
            f"The network has {len(network.states)} variables and no root of two "
            "states or more; open one with a variable to tell and others to tell it by."
        )
    target = max(causes, key=lambda root: causes[root])
    positive = network.states[target][0]
    features = opening_features(network, target)
    prior = float(network.tables[target][0])
    threshold = min(0.99, max(0.01, round(prior, 2)))
    return BayesianClassifier(network, target, positive, features, threshold)


def opening_features(network: BayesianNetwork, target: str) -> tuple[str, ...]:
    """Return the features to judge a target by at first: all, or as many as can be.

    Leaves below it come first, then others below it, then the rest, while they are few
    enough to be searched in a moment; in the network's order.
    """
    below = nx.descendants(network.graph, target)
    leaves = set(network.leaves)
    wanted = sorted(
        (name for name in network.variables if name != target),
        key=lambda name: (name not in leaves, name not in below),
    )
    chosen: set[str] = set()
    n_states = 1
    for name in wanted[: 4 * MAX_OPENING_FEATURES]:
        size = network.cardinality(name)
        is_small = n_states * size <= MAX_OPENING_STATES
        if size > 1 and is_small and len(chosen) < MAX_OPENING_FEATURES:
            chosen.add(name)
            n_states *= size
    return tuple(name for name in network.states if name in chosen)


def published_rows(name: str) -> tuple[PublishedRow, ...]:
    """Return what the paper says of one of its examples, beside what we compute."""
    if name == "fig3":
        pair = maximum_achievable_agreement(bundled_classifier("fig3"), ["F1", "F2"])
        return (PublishedRow("MAA({F1, F2}) at T = .55", "0.56", pair.agreement),)
    if name != "quiz":
        return ()
    quiz = bundled_classifier("quiz")
    passed = (1 + float(quiz.decisions.signed(())[0])) / 2
    found = [PublishedRow("Pr(pass) at T = .07", "32 %", passed)]
    for features, threshold, printed in (
        (["Q3"], 0.15, "75 %"),
        (["Q1", "Q3"], 0.10, "91 %"),
        (["Q2", "Q3"], 0.30, "68 %"),
    ):
        what = f"ECA({{{', '.join(features)}}}), T' = {threshold:.2f}".replace(
            "0.", "."
        )
        found.append(PublishedRow(what, printed, agreement(quiz, features, threshold)))
    return tuple(found)
