"""Classifiers side by side: cross-validated, streamed result by result."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from ..checks import check_choice, check_count, eager
from ..errors import DataError
from .classifier import HealthReport, Labelling, NetworkClassifier, StructuredClassifier
from .graph import CostGraph, paid_costs
from .growth import check_growth, grow_graphs
from .methods import (
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
)

CurveKnob: TypeAlias = Literal["label_agreement", "extra_links", "attribute_strength"]
Fold: TypeAlias = tuple[Sequence[CostGraph], Sequence[CostGraph]]


@dataclass(frozen=True, eq=False)
class FoldResult:
    """What one classifier paid on the test graphs of one fold."""

    method: str  #: Name of the classifier
    fold: int  #: From 0
    cost: float  #: Mean cost of a test graph, nodes and edges together
    #: What of it was paid on nodes and on edges
    node_cost: float
    edge_cost: float
    accuracy: float  #: Share of test nodes labelled rightly
    #: Time for training and for all test graphs
    fit_seconds: float
    predict_seconds: float
    #: The worst of the test graphs; None for classifiers without inference
    health: HealthReport | None = None
    #: One for each test graph, where `compare` was asked to keep them
    decisions: tuple[Labelling, ...] = ()


@dataclass(frozen=True)
class MethodSummary:
    """Results of one classifier over folds and seeds."""

    method: str  #: Name of the classifier
    cost: float  #: Mean cost of a graph
    standard_error: float  #: Of `cost`; NaN for a single result
    accuracy: float  #: Mean share of nodes labelled rightly
    #: Share of the results in which one label took over a test graph
    stuck_share: float
    n_results: int  #: How many results this is the mean of
    #: The single results, in the order in which they came
    costs: tuple[float, ...] = ()
    accuracies: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class CurvePoint:
    """All classifiers at one setting and one seed."""

    knob: str  #: What is varied
    value: float  #: Its value
    seed: int  #: Seed of the graphs
    results: tuple[FoldResult, ...]  #: One for each classifier and fold


def standard_classifiers() -> dict[str, StructuredClassifier]:
    """Return the four classifiers of the paper's Figure 1, unfitted, by name."""
    return {
        "LOGREG": NodeLogisticClassifier(),
        "MN": MarkovNetworkClassifier(),
        "CSMN": CostSensitiveMarkovNetwork(),
        "CSMN w/o CSINF": CostSensitiveMarkovNetwork(cost_sensitive_inference=False),
    }


def leave_one_out(
    graphs: Sequence[CostGraph],
) -> list[tuple[list[CostGraph], list[CostGraph]]]:
    """Return folds that test on one graph each and train on the others.

    Parameters
    ----------
    graphs : sequence of CostGraph
        Two or more.

    Returns
    -------
    list of (list of CostGraph, list of CostGraph)
        Training graphs, test graphs.

    Raises
    ------
    DataError
        If there are fewer than two graphs.
    """
    if len(graphs) < 2:
        raise DataError(
            f"There are {len(graphs)} graphs; cross-validation needs two or more."
        )
    return [
        ([*graphs[:fold], *graphs[fold + 1 :]], [graphs[fold]])
        for fold in range(len(graphs))
    ]


@eager
def compare(
    folds: Iterable[Fold] | Sequence[CostGraph],
    classifiers: Mapping[str, StructuredClassifier] | None = None,
    *,
    keep_decisions: bool = False,
) -> Iterator[FoldResult | None]:
    """Return results as they come, classifier by classifier within each fold.

    Parameters
    ----------
    folds : iterable of (training graphs, test graphs), or sequence of CostGraph
        Graphs alone are cross-validated, each tested on once.
    classifiers : mapping of str to StructuredClassifier, optional
        What to compare; the paper's four by default. They are copied.
    keep_decisions : bool, default=False
        Whether results hold the labels and the grounds of every decision.

    Returns
    -------
    iterator of FoldResult

    Raises
    ------
    DataError
        Before the first result, if there are too few graphs or no classifier.
    """
    chosen = standard_classifiers() if classifiers is None else dict(classifiers)
    if not chosen:
        raise DataError("There is no classifier to compare; name at least one.")
    given = folds if not isinstance(folds, Sequence) else list(folds)
    if isinstance(given, list) and all(isinstance(g, CostGraph) for g in given):
        given = leave_one_out(given)
    yield None  # checked
    for index, (training, test) in enumerate(given):
        for name, classifier in chosen.items():
            own = deepcopy(classifier)
            yield _result(name, index, own, training, test, keep_decisions)


def _result(
    name: str,
    fold: int,
    classifier: StructuredClassifier,
    training: Sequence[CostGraph],
    test: Sequence[CostGraph],
    keep_decisions: bool,
) -> FoldResult:
    start = time.perf_counter()
    classifier.fit(training)
    fitted = time.perf_counter()
    decisions = [classifier.decide(graph) for graph in test]
    ended = time.perf_counter()
    paid = [
        [part.sum() for part in paid_costs(graph, decision.labels)]
        for graph, decision in zip(test, decisions, strict=True)
    ]
    node_cost, edge_cost = np.mean(paid, axis=0)
    right = np.concatenate(
        [g.truth == d.labels for g, d in zip(test, decisions, strict=True)]
    )
    return FoldResult(
        name,
        fold,
        float(node_cost + edge_cost),
        float(node_cost),
        float(edge_cost),
        float(right.mean()),
        fitted - start,
        ended - fitted,
        _worst_health(classifier, test, decisions),
        tuple(decisions) if keep_decisions else (),
    )


def _worst_health(
    classifier: StructuredClassifier,
    test: Sequence[CostGraph],
    decisions: Sequence[Labelling],
) -> HealthReport | None:
    if not isinstance(classifier, NetworkClassifier):
        return None
    reports = [classifier.health(g, d) for g, d in zip(test, decisions, strict=True)]
    return min(reports, key=lambda r: (r.stuck_at is None, r.converged, -r.residual))


def summarise(results: Iterable[FoldResult]) -> list[MethodSummary]:
    """Return one summary for each classifier, in the order of first appearance.

    Parameters
    ----------
    results : iterable of FoldResult
        From one comparison or several.

    Returns
    -------
    list of MethodSummary
    """
    by_method: dict[str, list[FoldResult]] = {}
    for result in results:
        by_method.setdefault(result.method, []).append(result)
    return [_summary(method, found) for method, found in by_method.items()]


def _summary(method: str, results: Sequence[FoldResult]) -> MethodSummary:
    costs = np.array([result.cost for result in results])
    n = len(costs)
    stuck = [r.health is not None and r.health.stuck_at is not None for r in results]
    return MethodSummary(
        method,
        float(costs.mean()),
        float(costs.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan"),
        float(np.mean([result.accuracy for result in results])),
        float(np.mean(stuck)),
        n,
        tuple(costs.tolist()),
        tuple(result.accuracy for result in results),
    )


@eager
def trace_curve(
    knob: CurveKnob,
    values: Iterable[float],
    *,
    seeds: Iterable[int] = range(1),
    classifiers: Mapping[str, StructuredClassifier] | None = None,
    n_graphs: int = 3,
    **setting: Any,
) -> Iterator[CurvePoint | None]:
    """Return the points of a cost curve as they come, as in Figures 1 and 2 of [1]_.

    The whole curve of the first seed comes first, so it stands early; further seeds
    then narrow the error bars.

    Parameters
    ----------
    knob : {"label_agreement", "extra_links", "attribute_strength"}
        What is varied.
    values : iterable of float
        Its values.
    seeds : iterable of int, default=range(1)
        Seeds of the graphs.
    classifiers : mapping of str to StructuredClassifier, optional
        What to compare; the paper's four by default.
    n_graphs : int, default=3
        Graphs at each point, cross-validated.
    **setting
        The rest of what `grow_graphs` takes.

    Returns
    -------
    iterator of CurvePoint

    Raises
    ------
    ThriftscopeError
        Before the first point, if an argument is out of range.

    References
    ----------
    .. [1] Sen and Getoor (2006), section 6.2.
    """
    check_choice("knob", knob, get_args(CurveKnob))
    wanted = [float(value) for value in values]
    chosen = standard_classifiers() if classifiers is None else dict(classifiers)
    seed_list = list(seeds)
    check_count("n_graphs", n_graphs, 2)
    for value in wanted:
        check_growth(**{**setting, knob: value})
    yield None  # checked
    for seed in seed_list:
        for value in wanted:
            graphs = grow_graphs(
                n_graphs, **{**setting, knob: value}, random_state=seed
            )
            results = tuple(compare(graphs, chosen))
            yield CurvePoint(knob, value, seed, results)


def split_graph(graph: CostGraph, n_parts: int = 3) -> list[CostGraph]:
    """Return parts of about equal size that keep neighbours together.

    Nodes are dealt out in the order of a depth-first walk, so that few links run
    between parts; those that do are lost.

    Parameters
    ----------
    graph : CostGraph
        The whole.
    n_parts : int, default=3
        How many parts.

    Returns
    -------
    list of CostGraph

    Raises
    ------
    KnobError
        If there are fewer than two parts.
    DataError
        If there are fewer nodes than parts.
    """
    check_count("n_parts", n_parts, 2)
    if graph.n_nodes < n_parts:
        raise DataError(
            f"The graph has {graph.n_nodes} nodes for {n_parts} parts; give more nodes."
        )
    return [
        induced_graph(graph, np.sort(nodes))
        for nodes in np.array_split(_walk(graph), n_parts)
    ]


def induced_graph(graph: CostGraph, nodes: NDArray[np.intp]) -> CostGraph:
    """Return some nodes of a graph, given in rising order, and the links among them."""
    place = np.full(graph.n_nodes, -1, dtype=np.intp)
    place[nodes] = np.arange(len(nodes))
    ends = place[graph.edges]
    kept = (ends >= 0).all(axis=1)
    names = graph.node_names
    return CostGraph(
        graph.attributes[nodes],
        ends[kept],
        None if graph.labels is None else graph.labels[nodes],
        graph.node_costs[nodes],
        graph.edge_costs[kept],
        node_names=names and tuple(names[node] for node in nodes),
        label_names=graph.label_names,
        positions=None if graph.positions is None else graph.positions[nodes],
    )


def _walk(graph: CostGraph) -> NDArray[np.intp]:
    """Return all nodes depth first, one connected component after the other."""
    n, ends = graph.n_nodes, graph.edges.T
    links = sparse.csr_array((np.ones(graph.n_edges), ends), shape=(n, n))
    _, component = csgraph.connected_components(links, directed=False)
    first = np.unique(component, return_index=True)[1]
    walks = [
        csgraph.depth_first_order(
            links, start, directed=False, return_predecessors=False
        )
        for start in first.tolist()
    ]
    return np.concatenate(walks).astype(np.intp)
