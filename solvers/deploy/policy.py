"""A fitted model as data: what is bought, what is weighed, where a row leaves.

A policy is a graph of nodes. At each node a row buys features, reckons weighted sums of
what it has, and then answers or goes on to a later node. An ensemble has several roots;
their answers are added up. That is all that lines, cascades, trees, forests, tables of
naive Bayes and networks of rectified units need, and a shopping trip what a csNB needs
beside it, so a printer knows of nothing else.

What is bought is a feature; what is weighed is a column, a number made of one feature:
itself, hinged, or what stands for a word, a part of a date or a gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from ..costs.hypergraph import FeatureHypergraph
from ..errors import DeployError
from ..methods.base import CostAwareClassifier
from ..values import GAP_MARKS, DateForm, NumberForm, TimeForm, ValueForm

__all__ = [
    "Answered",
    "DeployablePolicy",
    "ExitIf",
    "ExitKind",
    "Fork",
    "GatedFork",
    "HingedColumn",
    "PolicyColumn",
    "PolicyNode",
    "PolicyRule",
    "Rectified",
    "Shopping",
    "ValueKind",
    "policy_of",
    "priced_policy",
    "toward_first",
]


ExitKind: TypeAlias = Literal["size", "claim", "gap", "outside"]
#: |x - at|, max(x - at, 0), max(at - x, 0).
Hinge: TypeAlias = Literal["fold", "above", "below"]
#: A feature and what is made of it, as methods name a column: the feature, hinge, at.
HingedColumn: TypeAlias = "int | tuple[int, Hinge, float]"


@dataclass(frozen=True)
class ValueKind:
    """How the values of a feature are given: a number, one of some words, a date."""

    kind: Literal["number", "listed", "hashed", "date", "time"] = "number"
    words: tuple[str, ...] = ()  # Of a listed feature; buckets of a hashed one
    is_complete: bool = False  # In training, so that what stands for a gap is a guess
    # Between which bounds lie codes of words, or dates, such as no training row held
    unseen: tuple[tuple[float, float], ...] = ()
    form: ValueForm | None = None  # Of what is no list: how words say it

    @property
    def reader(self) -> ValueForm | None:
        """How words of a number, a date or a time are read; None of a list of words."""
        plain = {"number": NumberForm(), "date": DateForm(), "time": TimeForm()}
        return self.form or plain.get(self.kind)


@dataclass(frozen=True)
class PolicyColumn:
    """A number that nodes weigh, made of one feature."""

    name: str
    feature: int  # Its place among those of the policy
    gap: float | None = None  # What stands for a value that is not known; None: refused
    table: tuple[float, ...] = ()  # For each word of a list, and for any other
    part: str = ""  # Of a date or a time
    latest: float = 0.0  # The day that the age of a date is counted from
    hinge: Hinge | None = None
    at: float = 0.0

    @property
    def is_feature(self) -> bool:
        """Whether it is its feature, as that comes."""
        return self.gap is None and not (self.table or self.part or self.hinge)


@dataclass(frozen=True)
class Answered:
    """The node's values are the answer."""

    # What was asked for cannot occur, as a network knows; the answer is that of
    # nothing known, and it is told
    is_impossible: bool = False


@dataclass(frozen=True)
class Rectified:
    """The answer is so many times the node's value, or 0 where that is negative."""

    weight: float


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
    z squared and 1 / (1 + |z|), are the odds.
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

    error_cost: float
    groups: tuple[tuple[int, ...], ...]  # Columns that are bought together
    cuts: tuple[tuple[float, ...], ...]  # Where the bins of each column end
    # (n_columns, n_bins, n_classes) Logarithm of the share of each bin in each class
    logs: tuple[tuple[tuple[float, ...], ...], ...]


PolicyRule: TypeAlias = Answered | Rectified | Fork | ExitIf | GatedFork | Shopping


@dataclass(frozen=True)
class PolicyNode:
    """What happens at one place of the graph."""

    base: tuple[float, ...] = (0.0,)  # Where each value begins
    # A column, and its weight in each value
    terms: tuple[tuple[Any, tuple[float, ...]], ...] = ()
    buys: tuple[int, ...] = ()  # Features, in the order in which they are computed
    rule: PolicyRule = Answered()
    parts: tuple[int, ...] = ()  # Later nodes whose answers are added to the values
    # One value, or a gate's score, is then held between -bound and bound; several
    # become log-probabilities that are no lower; 0: they stay
    bound: float = 0.0
    # What is answered is so many times the values, and so much more
    scale: float = 1.0
    shift: float = 0.0

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
class DeployablePolicy:
    """A decision program, and the prices of what it asks for."""

    title: str  # Of the method
    places: tuple[int, ...]  # Of the features that some node asks for, in a full row
    features: tuple[str, ...]  # Their names
    kinds: tuple[ValueKind, ...]  # How each is given
    columns: tuple[PolicyColumn, ...]  # What is made of them
    components: tuple[str, ...]  # Those that some of these features need
    costs: tuple[float, ...]  # (n_components,)
    needs: tuple[tuple[int, ...], ...]  # The components of each feature
    unit: str
    classes: tuple[Any, ...]
    nodes: tuple[PolicyNode, ...]
    roots: tuple[int, ...]
    divisor: float = 1.0  # The sum of the answers is divided by it,
    offset: float = 0.0  # and this is added
    steps: float = 0.0  # Values are rounded to so many steps of one; 0: they are not
    cut: float = 0.0  # Of two classes the second is called above it,
    calls_at_cut: bool = False  # and at it
    gap_marks: tuple[str, ...] = GAP_MARKS  # Words that stand for no value

    @property
    def n_outputs(self) -> int:
        """Numbers in an answer: one for two classes."""
        return 1 if len(self.classes) == 2 else len(self.classes)

    @property
    def is_plain(self) -> bool:
        """Whether each column is its feature, as that comes."""
        return all(column.is_feature for column in self.columns)

    @property
    def takes_gaps(self) -> bool:
        """Whether something stands for a value that is not known."""
        return any(column.gap is not None for column in self.columns)

    @property
    def guessed(self) -> tuple[int, ...]:
        """Features whose gap something stands for, though training knew of none."""
        if not self.takes_gaps:
            return ()
        return tuple(j for j, kind in enumerate(self.kinds) if kind.is_complete)

    def asked(self, node: PolicyNode) -> tuple[int, ...]:
        """Return the features that a node may ask for, in order."""
        of_columns = (self.columns[column].feature for column in node.columns)
        return tuple(dict.fromkeys([*node.buys, *of_columns]))


def policy_of(
    model: CostAwareClassifier,
    nodes: Sequence[PolicyNode],
    roots: Sequence[int] = (0,),
    **how: Any,
) -> DeployablePolicy:
    """Return the policy of a fitted model on the features that its nodes ask for.

    Nodes name features by their place in a row of the model, and columns so as well, or
    with a hinge.
    """
    prices, names = model._hypergraph(), model._feature_names()
    classes = tuple(model.classes_.tolist())
    return priced_policy(model.title, prices, names, classes, nodes, roots, **how)


def priced_policy(
    title: str,
    prices: FeatureHypergraph,
    names: Sequence[str],
    classes: tuple[Any, ...],
    nodes: Sequence[PolicyNode],
    roots: Sequence[int] = (0,),
    **how: Any,
) -> DeployablePolicy:
    """Return a policy on the features that its nodes ask for, and their prices."""
    for place, node in enumerate(nodes):
        if any(not place < target < len(nodes) for target in node.targets):
            raise DeployError(
                f"Node {place} of the policy leads to {node.targets}; a way leads to "
                "later nodes only."
            )
    hinged = {_hinged(column) for node in nodes for column in node.columns}
    bought = {feature for node in nodes for feature in node.buys}
    asked = sorted(bought | {feature for feature, _, _ in hinged})
    place_of = {feature: place for place, feature in enumerate(asked)}
    # Features that come as they are stand first, in their order: a plain policy's
    # columns are its features.
    made: list[tuple[int, Hinge | None, float]] = [(j, None, 0.0) for j in asked]
    made += sorted(hinged - set(made))
    column_of = {key: place for place, key in enumerate(made)}
    incidence = prices.incidence.toarray()[:, asked]
    computed = incidence.any(axis=1).nonzero()[0].tolist()
    return DeployablePolicy(
        title=title,
        places=tuple(asked),
        features=tuple(names[feature] for feature in asked),
        kinds=(ValueKind(),) * len(asked),
        columns=tuple(
            PolicyColumn(
                _hinged_name(names[j], hinge, at),
                place_of[j],
                hinge=hinge,
                at=float(at),
            )
            for j, hinge, at in made
        ),
        components=tuple(prices.components[c] for c in computed),
        costs=tuple(prices.component_costs[computed].tolist()),
        needs=tuple(
            tuple(column.nonzero()[0].tolist()) for column in incidence[computed].T
        ),
        unit=prices.unit,
        classes=classes,
        nodes=tuple(_moved(node, place_of, column_of) for node in nodes),
        roots=tuple(roots),
        **how,
    )


def toward_first(policy: DeployablePolicy) -> DeployablePolicy:
    """Return a policy of two classes in the other order, to the same labels.

    Every score is that of before, negated: higher speaks for the first class. What
    answers is turned, and what only parts the ways of rows stays.
    """
    return replace(
        policy,
        classes=policy.classes[::-1],
        nodes=tuple(map(_turned, policy.nodes)),
        offset=_negated(policy.offset),
        cut=_negated(policy.cut),
        calls_at_cut=not policy.calls_at_cut,
    )


def _turned(node: PolicyNode) -> PolicyNode:
    rule = node.rule
    if isinstance(rule, Fork | GatedFork):
        return node
    if isinstance(rule, Rectified):
        return replace(node, rule=Rectified(_negated(rule.weight)))
    if isinstance(rule, Shopping):
        logs = tuple(tuple(bin_[::-1] for bin_ in column) for column in rule.logs)
        return replace(node, base=node.base[::-1], rule=replace(rule, logs=logs))
    if isinstance(rule, ExitIf) and rule.kind == "outside":
        rule = replace(rule, least=tuple(_negated(at) for at in rule.least[::-1]))
    return replace(
        node,
        base=tuple(map(_negated, node.base)),
        terms=tuple((c, tuple(map(_negated, weights))) for c, weights in node.terms),
        shift=_negated(node.shift),
        rule=rule,
    )


def _negated(value: float) -> float:
    return 0.0 - value  # 0 has no sign


def _hinged(column: Any) -> tuple[int, Hinge | None, float]:
    return column if isinstance(column, tuple) else (column, None, 0.0)


def _hinged_name(name: str, hinge: Hinge | None, at: float) -> str:
    """Return what a column is called, with all digits of where it hinges."""
    if hinge == "fold":
        return f"|{name} - {at!r}|"
    return f"{name} {hinge} {at!r}" if hinge else name


def _moved(
    node: PolicyNode, place_of: dict[int, int], column_of: dict[Any, int]
) -> PolicyNode:
    """Return a node that counts features and columns by their places in the policy."""
    rule = node.rule
    if isinstance(rule, Shopping):
        groups = tuple(tuple(column_of[_hinged(c)] for c in g) for g in rule.groups)
        rule = replace(rule, groups=groups)
    return replace(
        node,
        base=tuple(float(value) for value in node.base),
        terms=tuple(
            (column_of[_hinged(c)], tuple(map(float, weights)))
            for c, weights in node.terms
        ),
        buys=tuple(place_of[j] for j in node.buys),
        rule=rule,
    )
