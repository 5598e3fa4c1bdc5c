"""DAG as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...costs.hypergraph import FeatureHypergraph
from ...decisions.program import GatedFork, Program, ProgramNode, linear_machine
from ...errors import DataError, KnobError
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.distinct_rows import DistinctRows
from ...numerics.inner_folds import anew, deal_folds
from ...numerics.ridge_classes import ClassScores
from ...numerics.ridge_logistic import LogisticModel
from ...values.fields import Described, declared
from ...values.knobs import Choice, Number
from ..adaptive import AdaptiveClassifier
from ..base import LabelledRows, Prices
from ..rows import signed
from .policy import FilterTree, gate_inputs, train_policy
from .states import (
    SURE,
    StateGraph,
    StateScores,
    chain,
    check_base,
    greedy_order,
    increments_by_cover,
    lattice,
    prefix_within,
    score_rows,
    train_state,
)

Structure: TypeAlias = Literal["chain", "lattice"]

_FOLDS = 5
_USUAL_INCREMENTS = {"chain": 9, "lattice": 3}
# A lattice has 2 ** n states.
_MOST_IN_LATTICE = 5
_PATH_BUDGETS = (0.03, 0.075, 0.12, 0.165, 0.21, 0.255, 0.3)
_PATH_WEIGHTS = tuple(np.geomspace(10.0, 0.03, 7).round(4).tolist())


@declared
class DAGClassifier(AdaptiveClassifier):
    """Sensors as a directed acyclic graph: after each state a gate stops or goes on.

    A state has computed some features and has a classifier on them. A row begins with
    few; the gate of each state sees what is computed and either lets the classifier
    decide or computes the features of a further state. Gates are trained from the last
    state back to the first, to minimise errors plus λ times the cost.

    Attributes
    ----------
    state_supports_ : ndarray of bool, shape (n_states, n_features)
        What each state has computed; the first is the start.
    state_costs_ : ndarray of float, shape (n_states,)
        What each state has paid, in the hypergraph's unit.
    state_children_ : tuple of tuple of int
        Where each state may go.
    state_models_ : list
        What each state decides by.
    gates_ : list of FilterTree
        What each state does: action 0 stops, action k goes to its k-th child.
    classes_ : ndarray, shape (n_classes,)
        The labels.

    Notes
    -----
    Decisions are those of the state at which a row stops.

    Of more than two classes a state scores each, by multinomial logistic regression
    unless `base` is given, and a gate sees those scores and by how much the largest
    leads, where it sees one score and its size of two. Of what gates are trained to
    choose by, the error of stopping alone depends on the classes. The last state of a
    chain then has all features that tell something, whatever `step_budget` is.

    Errors are counted on rows that a state's classifier was not trained on: its own
    rows flatter it, and every gate would stop.

    References
    ----------
    .. [1] Wang, Trapeznikov and Saligrama, "Efficient learning by directed acyclic
       graph for resource constrained prediction", 2015.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = DAGClassifier(cost_weight=3.0).fit(X, y)
    >>> model.state_costs_[:3].tolist()  # features, at unit costs
    [3.0, 6.0, 9.0]
    >>> 3.0 < float(model.prediction_cost(X).mean()) < 9.0
    True
    """

    title: ClassVar[str] = "DAG"
    path_knob: ClassVar[str | None] = "cost_weight"

    hypergraph: Prices = None
    cost_weight: Annotated[
        float,
        Number(
            "Cost weight",
            0.0,
            scale="log",
            shown=(0.01, 10.0),
            doc="How many errors computing all features is worth.",
        ),
        "Trade-off, λ in [1]_ times the cost of all features: how many errors "
        "computing everything is worth. Another unit of the costs changes "
        "nothing.",
    ] = 0.3
    base_budget: Annotated[
        float,
        Number(
            "Cost of the first state",
            0.0,
            1.0,
            doc="At most, as a share of the cost of all features.",
        ),
        "What the first state may cost, as a share of the cost of all features.",
    ] = 0.12
    step_budget: Annotated[
        float,
        Number(
            "Cost of a step",
            0.0,
            1.0,
            doc="At most, as a share of the cost of all features.",
        ),
        "What each further group may add, as a share of the cost of all features.",
    ] = 0.09
    structure: Annotated[
        Structure,
        Choice(
            "Structure", ("chain", "lattice"), doc="One way, or all unions of groups."
        ),
        "One way from few features to many, or all unions of a few groups.",
    ] = "chain"
    n_increments: Annotated[
        int | None,
        Number("Further groups", 1, 100, integer=True, optional=True, shown=(1, 20)),
        "Groups beyond the first state: by default 9 for a chain, 3 for a "
        "lattice, which has a state for each of their 2 ** n unions, and may "
        "have 5.",
    ] = None
    groups: Annotated[
        Sequence[Sequence[int] | Sequence[str]] | None,
        Described(
            "sequence of sequences of int or str",
            "The features of the first state, then what is added, instead of a "
            "choice by budgets.",
        ),
    ] = None
    base: Annotated[
        ClassifierMixin | None,
        Described(
            "classifier",
            "scikit-learn classifier of the states, with ``decision_function`` or "
            "``predict_proba``, that takes weights; by default a logistic "
            "regression.",
        ),
    ] = None
    random_state: Annotated[int | None, "Seed of the folds."] = 0

    def _models(self, run: _FoldedRows) -> Iterator[Self]:
        """Yield models for seven costs of the first state, seven λ at each.

        The states are trained once for all λ. Where groups are given only λ changes.
        """
        fixed = run.given is not None
        for budget in (float(self.base_budget),) if fixed else _PATH_BUDGETS:
            for weight in _PATH_WEIGHTS:
                sibling = self._sibling(cost_weight=weight, base_budget=budget)
                yield sibling._take(run)

    def _walk(self, rows: Floats) -> tuple[NDArray, NDArray]:
        """Return what the state at which each row stops says, and has computed."""
        at = np.zeros(len(rows), dtype=int)
        n_classes = len(self.classes_)
        scores = np.zeros(len(rows) if n_classes == 2 else (len(rows), n_classes))
        for state, support in enumerate(self.state_supports_):
            here = np.flatnonzero(at == state)
            known = rows[np.ix_(here, np.flatnonzero(support))]
            scores[here] = score_rows(self.state_models_[state], known, n_classes)
            chosen = self.gates_[state].choose(gate_inputs(known, scores[here]))
            targets = np.array([state, *self.state_children_[state]])
            at[here] = targets[chosen]
        return scores, self.state_supports_[at]

    def acquirable_features(self) -> Mask:
        """Return what each state has computed."""
        check_is_fitted(self)
        return self.state_supports_

    def program(self) -> Program:
        """Return the states, and the matches of their gates that send rows on."""
        check_is_fitted(self)
        states = [
            (np.flatnonzero(support).tolist(), self._linear(model))
            for support, model in zip(
                self.state_supports_, self.state_models_, strict=True
            )
        ]
        return gated_program(states, self.gates_, self.state_children_)

    def _linear(self, model: Any) -> LogisticModel | ClassScores:
        if isinstance(model, LogisticModel | ClassScores):
            return model
        weights, base = linear_machine(self, model)
        if len(self.classes_) > 2:
            return ClassScores(weights, base)
        return LogisticModel(weights[0], float(base[0]))

    def _prepared(self, known: LabelledRows) -> _FoldedRows:
        check_base(self.base)
        if self.structure == "lattice" and self._n_increments > _MOST_IN_LATTICE:
            raise KnobError(
                f"n_increments is {self._n_increments}; a lattice has a state for each "
                f"union of its groups: take {_MOST_IN_LATTICE} at most, or a chain."
            )
        n_classes, training = len(self.classes_), signed(known)
        told = training.signs if n_classes == 2 else known.labels
        rows = DistinctRows.of(
            training.X, told, training.weights, training.row_groups, n_classes
        )
        folds = deal_folds(
            rows.codes, _FOLDS, self.random_state, rows.groups, freely=anew
        )
        given = self._given_groups(training.hypergraph)
        return _FoldedRows(rows, training.hypergraph, folds, given)

    def _given_groups(self, hypergraph: FeatureHypergraph) -> list[Mask] | None:
        if self.groups is None:
            return None
        if not len(self.groups):
            raise DataError(
                "groups is empty; give the features of the first state at least, or "
                "None."
            )
        return [hypergraph.feature_mask(group) for group in self.groups]

    @property
    def _n_increments(self) -> int:
        if self.groups is not None:
            return len(self.groups) - 1
        return int(self.n_increments or _USUAL_INCREMENTS[self.structure])

    def _states(self, run: _FoldedRows) -> tuple[StateGraph, list[StateScores]]:
        """Return states, and what they say of the training rows."""
        base_budget = float(self.base_budget)
        if base_budget not in run.trained:
            make = lattice if self.structure == "lattice" else chain
            graph = make(self._groups(run, base_budget), run.hypergraph)
            scores = [
                train_state(run.rows, support, run.folds, self.base)
                for support in graph.supports
            ]
            run.trained.clear()  # those of another budget are not asked for again
            run.trained[base_budget] = graph, scores
        return run.trained[base_budget]

    def _groups(self, run: _FoldedRows, base_budget: float) -> list[Mask]:
        """Return the features of the first state, and what may be added."""
        hypergraph = run.hypergraph
        if run.given is not None:
            return run.given
        step = float(self.step_budget) * hypergraph.total_cost
        base = base_budget * hypergraph.total_cost
        start = prefix_within(run.order, hypergraph, base)
        n = self._n_increments
        if self.structure == "lattice":
            added = increments_by_cover(run.rows, hypergraph, start, n, step)
            return [start, *added]
        budgets = base + step * np.arange(1, n + 1)
        if run.rows.n_classes > 2:
            budgets[-1] = np.inf  # parting many takes more: the last state has all
        longer = (prefix_within(run.order, hypergraph, budget) for budget in budgets)
        return [start, *longer]

    def _take(self, run: _FoldedRows) -> Self:
        """Choose states, train their classifiers, then their gates."""
        graph, scores = self._states(run)
        self.state_supports_ = graph.supports
        self.state_costs_ = graph.costs
        self.state_children_ = graph.children
        self.state_models_ = [state.model for state in scores]
        # λ per unit of cost, so that the knob means the same in any unit.
        alpha = float(self.cost_weight) / (run.hypergraph.total_cost or 1.0)
        self.gates_ = train_policy(graph, scores, run.rows, alpha)
        return self


@dataclass(frozen=True, eq=False)
class _FoldedRows:
    """One training set, dealt into folds."""

    rows: DistinctRows
    hypergraph: FeatureHypergraph
    folds: Integers
    given: list[Mask] | None
    # States trained last, by the share that the first may cost
    trained: dict[float, tuple[StateGraph, list[StateScores]]] = field(
        default_factory=dict
    )

    @cached_property
    def order(self) -> Integers:
        """All useful features, best value first."""
        return greedy_order(self.rows, self.hypergraph)


# The decision program: a state scores a row, its gate's matches send it on.


#: What a state has computed, and how it scores that.
State: TypeAlias = tuple[list[int], LogisticModel | ClassScores]


def gated_program(
    states: Sequence[State],
    gates: Sequence[FilterTree],
    children: Sequence[Sequence[int]],
) -> Program:
    """Return the nodes of all states; rows come in at the first."""
    # Gates are trained backwards, and lead to later states only: so do nodes, if those
    # of a state stand before those of its children. The places are known once all are.
    plans = [
        _tournament(gate, [None, *onward])
        for gate, onward in zip(gates, children, strict=True)
    ]
    starts = np.cumsum([0, *(_size(plan) for plan in plans)]).tolist()
    nodes: list[ProgramNode] = []
    for state, plan in zip(states, plans, strict=True):
        _lay_out(state, plan, starts, nodes)
    return Program(tuple(nodes))


@dataclass(frozen=True, eq=False)
class _Played:
    """A match, and what follows where the first of two wins, or the second."""

    match: LogisticModel
    below: Any
    above: Any


def _tournament(gate: FilterTree, actions: Sequence[int | None]) -> Any:
    """Return the matches as a tree; its leaves are states, None: answer here."""
    if gate.constant >= 0:
        return actions[gate.constant]
    return _round(list(actions), [], gate.matches)


def _round(arms: list[Any], won: list[Any], matches: Sequence[LogisticModel]) -> Any:
    """Return the tree of what is left of a round: `arms`, behind the winners so far."""
    if len(arms) > 1:
        ways = (_round(arms[2:], [*won, one], matches[1:]) for one in arms[:2])
        return _Played(matches[0], *ways)
    return _round([*won, *arms], [], matches) if won else arms[0]


def _size(plan: Any) -> int:
    """Return how many nodes a plan takes: one a match, one an answer or a way on."""
    if isinstance(plan, _Played):
        return 1 + _size(plan.below) + _size(plan.above)
    return 1


def _lay_out(
    state: State, plan: Any, starts: Sequence[int], nodes: list[ProgramNode]
) -> None:
    """Add the nodes of a plan, the first of which is where rows come in."""
    columns, machine = state
    bought = tuple(columns)
    # A score, or one a class: weights of each column, and where they begin.
    begins = np.atleast_1d(machine.intercept).tolist()
    score = list(map(tuple, np.atleast_2d(machine.weights).T.tolist()))
    if plan is None:
        terms = tuple(zip(columns, score, strict=True))
        bound = SURE if isinstance(machine, LogisticModel) else 0.0
        nodes.append(ProgramNode(tuple(begins), terms, bought, bound=bound))
        return
    if not isinstance(plan, _Played):
        way = starts[plan]
        # Odds without a weight are 0, and those lead below.
        rule = GatedFork((0.0, 0.0, 0.0, 0.0), way, way)
        nodes.append(ProgramNode((0.0, 0.0), (), bought, rule))
        return
    match, n, here = plan.match, len(columns), len(nodes)
    own, base, seen = match.weights[:n], match.intercept, match.weights[n:]
    if isinstance(machine, ClassScores):
        # What the scores weigh is linear in the columns; a lead has no sign.
        of_scores, seen = np.split(seen, [len(begins)])
        own = own + of_scores @ machine.weights
        base += float(of_scores @ machine.intercept)
        seen = np.insert(seen, 1, 0.0)
    odds = [(weight,) for weight in own.tolist()]
    nodes.append(ProgramNode())
    _lay_out(state, plan.below, starts, nodes)
    above = len(nodes)
    _lay_out(state, plan.above, starts, nodes)
    nodes[here] = ProgramNode(
        (*begins, base),
        tuple((c, s + o) for c, s, o in zip(columns, score, odds, strict=True)),
        bought,
        GatedFork(tuple(seen.tolist()), here + 1, above),
        bound=SURE,
    )
