"""How a fitted model decides about a row: nodes that buy, weigh, ask and answer.

At each node a row buys features, reckons weighted sums of what it has, and then answers
or goes on to a later node. An ensemble has several roots; their answers are added up.
That is all that lines, cascades, trees, forests, tables of naive Bayes and networks of
rectified units need, and a shopping trip what a csNB needs beside it.

What is bought is a feature; what is weighed is a column, a number made of one feature:
itself, hinged, or what stands for a word, a part of a date or a gap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.svm import LinearSVC

from ..errors import DeployError, shown
from ..numerics.arrays import Floats, Integers, Mask
from ..numerics.tree_ensemble import TreeEnsemble

# Those of scikit-learn whose decision is a weighted sum, and what they say of it alone.
_LINEAR = (LinearSVC, LogisticRegression, RidgeClassifier)


ExitKind: TypeAlias = Literal["size", "claim", "gap", "outside"]
#: |x - at|, max(x - at, 0), max(at - x, 0).
Hinge: TypeAlias = Literal["fold", "above", "below"]
#: A feature and what is made of it, as methods name a column: the feature, hinge, at.
HingedColumn: TypeAlias = "int | tuple[int, Hinge, float]"


@dataclass(frozen=True)
class Answered:
    """The node's values are the answer."""

    # What was asked for cannot occur, as a network knows; the answer is that of
    # nothing known, and it is told
    is_impossible: bool = False


@dataclass(frozen=True)
class Rectified:
    """Each number of the answer is so many times the node's one value, 0 below 0."""

    weights: tuple[float, ...]  # One for each number of an answer


@dataclass(frozen=True)
class Fork:
    """A row goes on below where the node's value is not larger than a bound."""

    at: float
    below: int
    above: int


@dataclass(frozen=True)
class ExitIf:
    """The node's values are the answer if it is sure of them; else a row goes on.

    `kind`: "size": of one value; "claim": the largest, if it alone is above 0; "gap":
    by how much the largest leads; "outside": one value, or the gap, that does not lie
    strictly between the two numbers of `least`.
    For the others it is divided by the winner's unit, and sure from its `least` on.
    """

    kind: ExitKind
    units: tuple[float, ...]
    least: tuple[float, ...]
    onward: int


@dataclass(frozen=True)
class GatedFork:
    """A row goes on above where its odds are larger than 0.

    The node's first value is a score z, bounded; its second, and `weights` of z, |z|,
    z squared and 1 / (1 + |z|), are the odds. Of more values those before the last are
    scores of classes, and z is by how much the largest leads.
    """

    weights: tuple[float, float, float, float]
    below: int
    above: int


@dataclass(frozen=True)
class Shopping:
    """Naive Bayes that buys the group of columns that promises most, while it pays.

    The answer is the logarithm of the joint probability of each class, normalised; of
    two classes how far the second leads. The node's values are the classes' prior.
    """

    error_cost: float  # Of any, or where these have prices how often they count
    groups: tuple[tuple[int, ...], ...]  # Columns that are bought together
    cuts: tuple[tuple[float, ...], ...]  # Where the bins of each column end
    # (n_columns, n_bins, n_classes) Logarithm of the share of each bin in each class
    logs: tuple[tuple[tuple[float, ...], ...], ...]
    # (n_classes, n_classes) What each answer costs where each class is true; without
    # it an error counts one
    mistakes: tuple[tuple[float, ...], ...] = ()


Rule: TypeAlias = Answered | Rectified | Fork | ExitIf | GatedFork | Shopping


@dataclass(frozen=True)
class Turns:
    """Trees of questions that wait for one another: one feature after the other.

    In each turn the trees that wait for its feature go on until they wait for a later
    one. What they can still say lies between bounds; where these settle the label, a
    row stops, and nothing else is bought.
    """

    n: int  # Turns
    of: tuple[int, ...]  # (n_nodes,) In which turn a node is asked; `n` for a leaf
    # (n_nodes, 1 or n_classes) Between which numbers lies what a tree says behind a
    # node: of two classes by how much the second leads
    least: tuple[tuple[float, ...], ...]
    most: tuple[tuple[float, ...], ...]
    slack: float  # By how much a class has to lead: more than rounding can add up to


@dataclass(frozen=True, eq=False)
class Opaque:
    """A fitted estimator that answers at a node; it runs, and is no text by itself."""

    name: str  # Of its class
    # From columns, shape (n_columns,), to what it says, shape (n_values,)
    answer: Callable[[Floats], Floats]
    # From a place on: a node that says the same, and nodes that it adds up from there;
    # None where nodes cannot
    expanded: Callable[[int], tuple[ProgramNode, list[ProgramNode]]] | None = None


@dataclass(frozen=True)
class ProgramNode:
    """What happens at one place of the graph."""

    base: tuple[float, ...] = (0.0,)  # Where each value begins
    # A column, and its weight in each value
    terms: tuple[tuple[Any, tuple[float, ...]], ...] = ()
    buys: tuple[int, ...] = ()  # Features, in the order in which they are computed
    rule: Rule = Answered()
    parts: tuple[int, ...] = ()  # Later nodes whose answers are added to the values
    # One value, a gate's score or its lead, is then held between -bound and bound;
    # several become log-probabilities that are no lower; 0: they stay
    bound: float = 0.0
    # What is answered is so many times the values, and so much more
    scale: float = 1.0
    shift: float = 0.0
    opaque: Opaque | None = None  # What answers from the columns in place of weights

    @property
    def features(self) -> tuple[int, ...]:
        """What may be bought here, in order."""
        parents = (c if isinstance(c, int) else c[0] for c in self.columns)
        return tuple(dict.fromkeys([*self.buys, *parents]))

    @property
    def targets(self) -> tuple[int, ...]:
        """Where a row may go on."""
        if isinstance(self.rule, Fork | GatedFork):
            return (*self.parts, self.rule.below, self.rule.above)
        onward = (self.rule.onward,) if isinstance(self.rule, ExitIf) else ()
        return (*self.parts, *onward)

    @property
    def columns(self) -> tuple[Any, ...]:
        """What may be weighed here, in order."""
        shopped = self.rule.groups if isinstance(self.rule, Shopping) else ()
        return (
            *(column for column, _ in self.terms),
            *(column for group in shopped for column in group),
        )


@dataclass(frozen=True)
class PricedAnswers:
    """Which answer is the cheapest, by the probabilities that scores amount to.

    These are the softmax of so many times the scores, and an offset of each class; a
    program's one score of two classes is that of the second, and the other has 0.
    """

    slope: float
    offsets: tuple[float, ...]
    # (n_classes, n_classes) What each answer costs where each class is true
    costs: tuple[tuple[float, ...], ...]

    def scores(self, answers: Floats) -> Floats:
        """Return minus what each answer is expected to cost.

        Of two classes by how much the second is cheaper. Shapes: `answers` (n_rows,
        n_classes), or (n_rows, 1) of two -> the same.
        """
        is_one = answers.shape[1] == 1
        odds = np.column_stack([0.0 * answers, answers]) if is_one else answers
        shares = softmax(self.slope * odds + np.array(self.offsets), axis=1)
        expected = shares @ np.array(self.costs)
        return expected[:, :1] - expected[:, 1:] if is_one else -expected

    @property
    def turned(self) -> PricedAnswers:
        """The same of the classes in the other order."""
        costs = tuple(of_class[::-1] for of_class in self.costs[::-1])
        return PricedAnswers(self.slope, self.offsets[::-1], costs)


@dataclass(frozen=True)
class Program:
    """A decision program: a graph of nodes, and where a row comes in.

    Nodes name features by their place in a row of the model, and columns so as well, or
    with a hinge.
    """

    nodes: tuple[ProgramNode, ...]  # Each leads to later ones only
    roots: tuple[int, ...] = (0,)  # Their answers are added up;
    divisor: float = 1.0  # the sum is divided by it,
    offset: float = 0.0  # and this is added
    steps: float = 0.0  # Values are rounded to so many steps of one; 0: they are not
    # By how much at least each class leads each other in what the roots after one add,
    # (n_roots - 1, n_classes, n_classes): where that settles the label, a row stops.
    # Answers hold a value a class where there are rests or turns, of two classes too,
    # whose score is their difference
    rests: tuple[tuple[tuple[float, ...], ...], ...] = ()
    turns: Turns | None = None  # In which questions are asked before roots answer
    priced: PricedAnswers | None = None  # What makes of the scores what answers save
    # Features whose gap, NaN, is a value: above every bound. Others have none
    gaps: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        n_nodes = len(self.nodes)
        if not self.nodes or not self.roots:
            raise DeployError("The program has no node, or none where a row comes in.")
        for place, node in enumerate(self.nodes):
            if any(not place < target < n_nodes for target in node.targets):
                raise DeployError(
                    f"Node {place} of the program leads to {node.targets}; a way leads "
                    "to later nodes only."
                )
            odd = [c for c in node.columns if not isinstance(c, int | tuple)]
            if odd:
                raise DeployError(
                    f"Node {place} of the program weighs {shown(odd[0])} of type "
                    f"{type(odd[0]).__name__}; give a feature's place as an int, or "
                    "(place, hinge, at)."
                )


def unsure_between(rule: ExitIf) -> tuple[float, float]:
    """Return strictly between which numbers one value goes on; none where low >= high.

    As exact as the division by its unit: at the bound itself a row leaves.
    """
    if rule.kind == "outside":
        low, high = rule.least
        return low, high
    (unit,), (least,) = rule.units, rule.least
    if least <= 0.0:
        return math.inf, math.inf
    size = least * unit
    while size / unit >= least and math.isfinite(size):
        size = math.nextafter(size, -math.inf)
    while size / unit < least:
        size = math.nextafter(size, math.inf)
    return -size, size


def written_out(program: Program, model: object) -> Program:
    """Return a program of nodes alone, for whoever writes it down.

    `model`: whose name a refusal says.
    """
    nodes = list(program.nodes)
    for place, node in enumerate(program.nodes):
        if node.opaque is None:
            continue
        if node.opaque.expanded is None:
            name = node.opaque.name
            raise refusal(model, f"{name} answers inside of it, which is not linear")
        sums, behind = node.opaque.expanded(len(nodes))
        nodes[place] = replace(
            node, base=sums.base, terms=sums.terms, parts=sums.parts, opaque=None
        )
        nodes += behind
    return replace(program, nodes=tuple(nodes))


def refusal(model: object, why: str = "no way to export it is known") -> DeployError:
    """Return what says by name that a model cannot be exported."""
    title = getattr(model, "title", "") or type(model).__name__
    return DeployError(
        f"{title} cannot be exported: {why}; choose a method that can, such as L1, "
        "TEFE or csDT."
    )


def is_linear(estimator: object) -> bool:
    """Return whether a foreign classifier's decision is a weighted sum."""
    is_known = type(estimator) in _LINEAR
    return is_known and getattr(estimator, "solver", "") != "liblinear"


def linear_machine(model: object, estimator: Any) -> tuple[Floats, Floats]:
    """Return weights and intercepts of a linear classifier inside of a model.

    Shapes: (n_outputs, n_columns), (n_outputs,).
    """
    name = type(estimator).__name__
    if not is_linear(estimator):
        raise refusal(model, f"{name} answers inside of it, which is not linear")
    weights = np.array(estimator.coef_, dtype=np.float64)
    intercepts = np.array(estimator.intercept_, dtype=np.float64)
    return weights, np.broadcast_to(intercepts, len(weights))


def linear_node(
    columns: Sequence[int] | Integers,
    weights: Floats,
    base: Floats,
    buys: Sequence[int] | Integers,
    rule: Rule,
) -> ProgramNode:
    """Return a node that weighs columns.

    Shapes: `columns` (n_columns,), `weights` (n_values, n_columns), `base` (n_values,).
    """
    terms = zip(np.asarray(columns).tolist(), weights.T.tolist(), strict=True)
    return ProgramNode(
        tuple(base.tolist()),
        tuple((feature, tuple(of_values)) for feature, of_values in terms),
        tuple(np.asarray(buys, dtype=int).tolist()),
        rule,
    )


def question(
    column: Any,
    at: float,
    below: int,
    above: int,
    buys: Sequence[int] = (),
    *,
    gaps_below: bool = False,
) -> ProgramNode:
    """Return a node that asks whether a column's value is larger than a bound.

    `gaps_below`: NaN, which is above every bound, goes below all the same.
    """
    if gaps_below:  # the negated value is asked, and the ways change places
        fork = Fork(math.nextafter(-at, -math.inf), above, below)
        return ProgramNode((0.0,), ((column, (-1.0,)),), tuple(buys), fork)
    return ProgramNode((0.0,), ((column, (1.0,)),), tuple(buys), Fork(at, below, above))


def bin_questions(
    column: Any,
    cuts: Sequence[float],
    ways: Sequence[int],
    begin: int,
    buys: Sequence[int] = (),
) -> list[ProgramNode]:
    """Return questions, from a place on, which lead each bin of a column its way.

    `ways`: one more than there are cuts; `buys`: of the first question.
    """
    onward = [*range(begin + 1, begin + len(cuts)), ways[-1]]
    return [
        question(column, at, ways[k], onward[k], () if k else buys)
        for k, at in enumerate(cuts)
    ]


def ensemble_nodes(
    ensemble: TreeEnsemble, thresholds: Floats, begin: int = 0
) -> tuple[list[ProgramNode], list[int]]:
    """Return the nodes of all trees, from a place on, and where each tree begins."""
    tree = ensemble.tree
    ways = (tree.left + begin, tree.right + begin)
    values = tree.values.reshape(len(tree.features), -1)
    gaps = np.zeros(len(values), bool) if tree.gaps_left is None else tree.gaps_left
    columns = (tree.features, thresholds, *ways, values, gaps)
    nodes = [
        ProgramNode(tuple(said))
        if feature < 0
        else question(feature, at, left, right, gaps_below=to_left)
        for feature, at, left, right, said, to_left in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]
    return nodes, (ensemble.roots + begin).tolist()


def weighed_sum(
    support: Mask, coef: Floats, intercept: Floats, steps: float = 0.0
) -> Program:
    """Return the program of one node, which buys all that it weighs, and answers.

    Shapes: `support` (n_features,), `coef` (n_values, n_features), `intercept`
    (n_values,).
    """
    chosen = np.flatnonzero(support)
    node = linear_node(chosen, coef[:, chosen], intercept, chosen, Answered())
    return Program((node,), steps=steps)


def node_data(
    node: ProgramNode, feature: Callable[[int], Any], column: Callable[[int], Any]
) -> dict[str, Any]:
    """Return a node as a mapping without what is empty.

    `feature`, `column`: what stands for a feature, and for a column.
    """
    data: dict[str, Any] = {}
    if node.base != (0.0,):
        data["base"] = node.base
    if node.terms:
        data["terms"] = tuple((column(j), weights) for j, weights in node.terms)
    if node.buys:
        data["buys"] = tuple(map(feature, node.buys))
    if node.parts:
        data["parts"] = node.parts
    if node.bound:
        data["bound"] = node.bound
    if (node.scale, node.shift) != (1.0, 0.0):
        data["scale"] = (node.scale, node.shift)
    return data | _rule_data(node.rule, column)


def _rule_data(rule: Any, column: Callable[[int], Any]) -> dict[str, Any]:
    if isinstance(rule, Fork):
        return {"fork": (rule.at, rule.below, rule.above)}
    if isinstance(rule, GatedFork):
        return {"gate": (rule.weights, rule.below, rule.above)}
    if isinstance(rule, Rectified):
        return {"rectified": rule.weights}
    if isinstance(rule, ExitIf):
        return {"exit": (rule.kind, rule.units, rule.least, rule.onward)}
    if isinstance(rule, Shopping):
        names = [column(j) for group in rule.groups for j in group]
        return {
            "shop": (
                rule.error_cost,
                tuple(tuple(map(column, group)) for group in rule.groups),
                dict(zip(names, rule.cuts, strict=True)),
                dict(zip(names, rule.logs, strict=True)),
                rule.mistakes,
            )
        }
    return {"impossible": True} if rule == Answered(is_impossible=True) else {}


def turns_data(turns: Turns | None) -> dict[str, Any] | None:
    """Return turns as a mapping; None where there are none."""
    return None if turns is None else dict(vars(turns))


def priced_data(priced: PricedAnswers | None) -> tuple[Any, ...]:
    """Return what makes costs of scores, as `machine.priced_scores` takes it."""
    return () if priced is None else tuple(vars(priced).values())


def spelt(column: Any, names: Sequence[str]) -> str:
    """Return what a column is called, with all digits of where it hinges."""
    feature, hinge, at = (column, None, 0.0) if isinstance(column, int) else column
    name = names[feature]
    if hinge == "fold":
        return f"|{name} - {at!r}|"
    return f"{name} {hinge} {at!r}" if hinge else name
