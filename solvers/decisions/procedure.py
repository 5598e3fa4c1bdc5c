"""What a fitted model does, as steps that a person can follow by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats, Integers, Mask
from .program import Answered, ExitIf, Fork, Program, ProgramNode, unsure_between

if TYPE_CHECKING:
    from ..frontier.frontier import FrontierPoint


@dataclass(frozen=True)
class Boundary:
    """Where a number is held to be high."""

    value: float  # The number itself
    inclusive: bool  # Whether that is high as well

    def reached(self, numbers: Any) -> Any:
        """Return whether numbers are high."""
        return numbers >= self.value if self.inclusive else numbers > self.value


#: Where a method by itself calls the second class.
ABOVE_ZERO = Boundary(0.0, inclusive=False)


@dataclass(frozen=True)
class Say:
    """The end of the way: the answer."""

    label: Any  # The class that is said


Successor: TypeAlias = "Say | int"


@dataclass(frozen=True, eq=False)
class Instruction:
    """Compute, add up, and see where that leads."""

    buys: tuple[int, ...]  # Columns that are computed here, and were not before
    weights: Mapping[int, float]  # What each column counts, per unit of the column
    constant: float  # What is added to their sum
    cuts: tuple[Boundary, ...]  # Rising; they part the sum into ranges
    # For each range, from the lowest, the answer or the index of the next step
    ways: tuple[Successor, ...]

    @property
    def asks(self) -> int | None:
        """The column whose value alone is looked at, if there is one."""
        if self.constant == 0.0 and list(self.weights.values()) == [1.0]:
            return next(iter(self.weights))
        return None

    @property
    def is_settled(self) -> bool:
        """Whether the way on is known before anything is computed."""
        return not self.buys and not (self.weights and self.cuts)

    def sums(self, rows: Floats) -> Floats:
        """Return the sum of each row; only columns with a weight are looked at."""
        columns = list(self.weights) if self.cuts else []
        if not columns:
            return np.full(len(rows), self.constant)
        return rows[:, columns] @ np.array([*self.weights.values()]) + self.constant

    def ranges(self, rows: Floats) -> Integers:
        """Return in which range the sum of each row lies."""
        sums = self.sums(rows)
        high = [cut.reached(sums) for cut in self.cuts]
        return np.sum(high, axis=0, dtype=np.int64, initial=0) + np.zeros(
            len(rows), dtype=np.int64
        )


@dataclass(frozen=True, eq=False)
class Ends:
    """Where rows that followed a procedure ended."""

    labels: NDArray  # (n_samples,) What was said
    acquired: Mask  # (n_samples, n_features) What was computed
    # (n_samples,) Where the answer was given; -1 where it is given without any
    step: Integers
    way: Integers  # (n_samples,) Which of the ways of that step; -1 likewise


@dataclass(frozen=True, eq=False)
class Procedure:
    """Steps from the first look at a row to its label.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers.methods.forward_selection import ForwardSelectionClassifier
    >>> X = np.array([[0.0, 3.0], [1.0, 3.0], [2.0, 3.0], [3.0, 3.0]])
    >>> model = ForwardSelectionClassifier(budget=1).fit(X, [0, 0, 1, 1])
    >>> procedure = model.procedure()
    >>> procedure.steps[0].buys, procedure.follow(X).labels.tolist()
    ((0,), [0, 0, 1, 1])
    """

    steps: tuple[Instruction, ...]  # Each leads to later ones only
    start: Successor = (
        0  # The first step, or the answer where nothing has to be computed
    )

    @classmethod
    def of(cls, steps: Sequence[Instruction], start: Successor = 0) -> Procedure:
        """Return steps without those that nobody reaches or that settle nothing."""

        def settled(way: Successor) -> Successor:
            while isinstance(way, int) and steps[way].is_settled:
                found = steps[way]
                way = found.ways[int(found.ranges(np.zeros((1, 0)))[0])]
            return way

        kept: dict[int, Instruction] = {}
        waiting = [settled(start)]
        while waiting:
            way = waiting.pop()
            if isinstance(way, Say) or way in kept:
                continue
            found = steps[way]
            ways = [settled(following) for following in found.ways]
            kept[way] = step(
                found.buys, found.weights, found.constant, found.cuts, ways
            )
            waiting.extend(kept[way].ways)
        numbers = {old: new for new, old in enumerate(sorted(kept))}

        def numbered(way: Successor) -> Successor:
            return way if isinstance(way, Say) else numbers[way]

        made = [
            replace(kept[old], ways=tuple(map(numbered, kept[old].ways)))
            for old in sorted(kept)
        ]
        return cls(tuple(made), numbered(settled(start)))

    def in_columns(self, centre: Floats, width: Floats) -> Procedure:
        """Return the same steps for columns as they are before they were scaled.

        Shapes: `centre` (n_features,), `width` (n_features,): what was taken from each
        column, and what it was then divided by.
        """
        made = []
        for one in self.steps:
            weights = {j: weight / width[j] for j, weight in one.weights.items()}
            shift = sum(weight * centre[j] for j, weight in weights.items())
            constant = one.constant - float(shift)
            made.append(replace(one, weights=weights, constant=constant))
        return Procedure(tuple(made), self.start)

    def turned(self) -> Procedure:
        """Return the same steps, and sums that answer negated: higher is lower.

        What asks for one column, or only parts the ways of rows, stays.
        """
        return Procedure(tuple(map(_turned, self.steps)), self.start)

    def follow(self, rows: Floats) -> Ends:
        """Return what somebody who follows the steps says of rows, and computes.

        Shapes: `rows` (n_samples, n_features).
        """
        n_rows = len(rows)
        labels = np.empty(n_rows, dtype=object)
        acquired = np.zeros(rows.shape, dtype=bool)
        at, way = np.full(n_rows, -1), np.full(n_rows, -1)
        waiting: list[tuple[Successor, Integers]] = [(self.start, np.arange(n_rows))]
        while waiting:
            where, here = waiting.pop()
            if isinstance(where, Say):
                labels[here] = where.label
                continue
            found = self.steps[where]
            acquired[np.ix_(here, np.array(found.buys, dtype=int))] = True
            at[here], way[here] = where, found.ranges(rows[here])
            for i, following in enumerate(found.ways):
                waiting.append((following, here[way[here] == i]))
        return Ends(np.array(labels.tolist()), acquired, at, way)


def step(
    buys: Iterable[int],
    weights: Floats | Mapping[int, float],
    constant: float,
    cuts: Sequence[Boundary],
    ways: Sequence[Successor],
) -> Instruction:
    """Return a step whose neighbouring ranges lead to different places."""
    if not isinstance(weights, Mapping):
        weights = {int(j): float(weights[j]) for j in np.flatnonzero(weights)}
    kept: list[Boundary] = []
    merged = [ways[0]]
    for cut, way in zip(cuts, ways[1:], strict=True):
        if way != merged[-1]:
            kept.append(cut)
            merged.append(way)
    return Instruction(
        tuple(buys), weights, float(constant), tuple(kept), tuple(merged)
    )


def _turned(one: Instruction) -> Instruction:
    if one.asks is not None or not any(isinstance(way, Say) for way in one.ways):
        return one
    cuts = [Boundary(0.0 - cut.value, not cut.inclusive) for cut in one.cuts[::-1]]
    return replace(
        one,
        weights={j: -weight for j, weight in one.weights.items()},
        constant=0.0 - one.constant,  # 0 has no sign
        cuts=tuple(cuts),
        ways=one.ways[::-1],
    )


def procedure_of(
    program: Program, classes: Sequence[Any] | NDArray, cut: Boundary = ABOVE_ZERO
) -> Procedure | None:
    """Return the steps of a program that a person can follow: a chain or tree of sums.

    None of any other. `cut`: where the decision begins that calls the second of two
    classes; of more, the label of the largest value is said.
    """
    nodes = program.nodes
    is_chain = len(program.roots) == 1 and (program.divisor, program.offset) == (1, 0)
    is_chain &= program.turns is None and program.priced is None
    if not is_chain or not all(map(_is_followed, nodes)):
        return None
    root = program.roots[0]
    known: dict[int, tuple[int, ...]] = {root: ()}
    steps = []
    for at, node in enumerate(nodes):
        before = known.get(at, ())
        buys = [j for j in node.features if j not in before]
        for target in node.targets:
            known.setdefault(target, (*before, *buys))
        weights = {column: w for column, (w, *_) in node.terms if w != 0.0}
        cuts, ways = _ways(nodes, at, classes, cut)
        steps.append(step(buys, weights, node.base[0], cuts, ways))
    return Procedure.of(steps, root)


def _is_followed(node: ProgramNode) -> bool:
    """Return whether a node is one sum of features as they come, or says one label."""
    is_kind = isinstance(node.rule, Answered | ExitIf | Fork)
    is_plain = all(isinstance(column, int) for column, _ in node.terms)
    is_one = len(node.base) == 1 or not node.terms
    is_bare = not (node.parts or node.bound or node.opaque)
    return is_kind and is_plain and is_one and is_bare


def _ways(
    nodes: Sequence[ProgramNode],
    at: int,
    classes: Sequence[Any] | NDArray,
    cut: Boundary,
) -> tuple[list[Boundary], list[Successor]]:
    """Return where the sum of a node is cut, and where each range leads."""
    rule = nodes[at].rule
    if isinstance(rule, Fork):
        return _questions(nodes, at)
    base = nodes[at].base
    if len(base) > 1:
        return [], [Say(classes[int(np.argmax(base))])]
    low, high = 0.0, 0.0
    if isinstance(rule, ExitIf):
        low, high = unsure_between(rule)
    first, second = (Say(label) for label in classes)
    if not low < high:
        return [cut], [first, second]
    ends = Boundary(low, inclusive=False), Boundary(high, inclusive=True)
    # At the same number, the cut that holds it to be high comes first.
    cuts = sorted([*ends, cut], key=lambda one: (one.value, not one.inclusive))
    ways: list[Successor] = []
    for n_reached in range(len(cuts) + 1):
        reached = cuts[:n_reached]
        is_unsure = ends[0] in reached and ends[1] not in reached
        said = second if cut in reached else first
        ways.append(rule.onward if is_unsure and isinstance(rule, ExitIf) else said)
    return cuts, ways


def _questions(
    nodes: Sequence[ProgramNode], at: int
) -> tuple[list[Boundary], list[Successor]]:
    """Return the cuts of questions about one column, one after the other."""
    cuts: list[Boundary] = []
    ways: list[Successor] = []
    here = nodes[at]
    while isinstance(here.rule, Fork):
        cuts.append(Boundary(here.rule.at, inclusive=False))
        ways.append(here.rule.below)
        last, following = here.rule.above, nodes[here.rule.above]
        if (following.terms, following.base) != (here.terms, here.base):
            break
        here = following
    return cuts, [*ways, last]


def point_procedure(
    point: FrontierPoint, positive: Any, rule: str = "tuned"
) -> Procedure | None:
    """Return the steps of a point's model; sums are the higher the more positive.

    None where nobody can follow it.

    `positive`: the label that the threshold is for, to which sums are compared.
    `rule`: "tuned", or "default" for the model's own, which more than two classes have.
    """
    classes = point.model.classes_
    if len(classes) > 2:
        return None if point.priced else point.model.procedure()
    is_turned = classes[1] != positive
    cut = ABOVE_ZERO
    if rule != "default":
        cut = Boundary(point.threshold, inclusive=True)
        if is_turned:
            cut = Boundary(0.0 - point.threshold, inclusive=False)
    found = point.model.procedure(cut)
    return found.turned() if is_turned and found is not None else found
