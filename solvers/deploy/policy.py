"""A decision program on the features that it asks for, and their prices: as data."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..costs.hypergraph import FeatureHypergraph
from ..decisions.program import (
    ExitIf,
    Fork,
    GatedFork,
    Hinge,
    PricedAnswers,
    Program,
    ProgramNode,
    Rectified,
    Shopping,
    Turns,
    spelt,
    written_out,
)
from ..methods.base import CostAwareClassifier
from ..values import GAP_MARKS, DateForm, NumberForm, TimeForm, ValueForm


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
    nodes: tuple[ProgramNode, ...]
    roots: tuple[int, ...]
    divisor: float = 1.0  # The sum of the answers is divided by it,
    offset: float = 0.0  # and this is added
    steps: float = 0.0  # Values are rounded to so many steps of one; 0: they are not
    # As a program has them: when parts, or bounds of parts, settle the answer
    rests: tuple[tuple[tuple[float, ...], ...], ...] = ()
    turns: Turns | None = None
    priced: PricedAnswers | None = None  # As a program has it
    cut: float = 0.0  # Of two classes the second is called above it,
    calls_at_cut: bool = False  # and at it
    gap_marks: tuple[str, ...] = GAP_MARKS  # Words that stand for no value

    @property
    def n_outputs(self) -> int:
        """Numbers in an answer: one for two classes."""
        return 1 if len(self.classes) == 2 else len(self.classes)

    @property
    def n_sums(self) -> int:
        """Numbers that roots answer: one a class where these may settle the label."""
        is_each = bool(self.rests) or self.turns is not None
        return len(self.classes) if is_each else self.n_outputs

    @property
    def is_plain(self) -> bool:
        """Whether each column is its feature, a number as that comes."""
        are_numbers = all(kind.kind == "number" for kind in self.kinds)
        return are_numbers and all(column.is_feature for column in self.columns)

    @property
    def takes_gaps(self) -> bool:
        """Whether something stands for a value that is not known."""
        return any(column.gap is not None for column in self.columns)

    @property
    def gapless(self) -> tuple[int, ...]:
        """Features of which a value is refused that is not known."""
        taken = {column.feature for column in self.columns if column.gap is not None}
        return tuple(j for j in range(len(self.features)) if j not in taken)

    @property
    def guessed(self) -> tuple[int, ...]:
        """Features whose gap something stands for, though training knew of none."""
        if not self.takes_gaps:
            return ()
        return tuple(j for j, kind in enumerate(self.kinds) if kind.is_complete)

    def asked(self, node: ProgramNode) -> tuple[int, ...]:
        """Return the features that a node may ask for, in order."""
        of_columns = (self.columns[column].feature for column in node.columns)
        return tuple(dict.fromkeys([*node.buys, *of_columns]))


def policy_of(model: CostAwareClassifier) -> DeployablePolicy:
    """Return the policy of a fitted model on the features that its program asks for."""
    prices, names = model._hypergraph(), model._feature_names()
    classes = tuple(model.classes_.tolist())
    program = written_out(model.program(), model)
    policy = priced_policy(model.title, prices, names, classes, program)
    return replace(policy, kinds=tuple(map(_kind(model.words), policy.places)))


def _kind(words: Mapping[int, tuple[str, ...]]) -> Callable[[int], ValueKind]:
    """Return what says how a feature is given, by its place in a full row."""

    def kind(place: int) -> ValueKind:
        if place not in words:
            return ValueKind()
        n_words = len(words[place])
        unseen = ((n_words - 0.5, n_words + 0.5),)
        return ValueKind("listed", words[place], unseen=unseen)

    return kind


def priced_policy(
    title: str,
    prices: FeatureHypergraph,
    names: Sequence[str],
    classes: tuple[Any, ...],
    program: Program,
    **how: Any,
) -> DeployablePolicy:
    """Return a policy on the features that a program asks for, and their prices."""
    nodes = program.nodes
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
                spelt((j, hinge, at), names),
                place_of[j],
                gap=math.nan if j in program.gaps else None,
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
        roots=program.roots,
        divisor=program.divisor,
        offset=program.offset,
        steps=program.steps,
        rests=program.rests,
        turns=program.turns,
        priced=program.priced,
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
        rests=tuple(tuple(zip(*rest, strict=True)) for rest in policy.rests),
        turns=policy.turns and _turned_bounds(policy.turns),
        priced=policy.priced and policy.priced.turned,
        offset=_negated(policy.offset),
        cut=_negated(policy.cut),
        calls_at_cut=not policy.calls_at_cut,
    )


def _turned_bounds(turns: Turns) -> Turns:
    """Return bounds of negated leads."""
    least = tuple(tuple(map(_negated, most)) for most in turns.most)
    most = tuple(tuple(map(_negated, least)) for least in turns.least)
    return replace(turns, least=least, most=most)


def _turned(node: ProgramNode) -> ProgramNode:
    rule = node.rule
    if isinstance(rule, Fork | GatedFork):
        return node
    if isinstance(rule, Rectified):
        return replace(node, rule=Rectified(tuple(map(_negated, rule.weights))))
    if isinstance(rule, Shopping):
        logs = tuple(tuple(bin_[::-1] for bin_ in column) for column in rule.logs)
        mistakes = tuple(of_class[::-1] for of_class in rule.mistakes[::-1])
        rule = replace(rule, logs=logs, mistakes=mistakes)
        return replace(node, base=node.base[::-1], rule=rule)
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


def _moved(
    node: ProgramNode, place_of: dict[int, int], column_of: dict[Any, int]
) -> ProgramNode:
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
