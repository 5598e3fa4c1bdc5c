"""What was computed about one sample, and its bill; copied into what is exported."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..values.names import matched_names

# What was computed about one sample, and its bill; copied into what is exported.


class BillLine(NamedTuple):
    """One purchase: what was paid, and what the policy said once it had that."""

    feature: str
    cost: float  # What it added to the bill
    already_paid: tuple[str, ...]  # Components that it shares with what was there
    score: float | tuple[float, ...] | None  # None: nothing was said before the next


class FeatureValues(dict[str, float]):
    """Features by name, in the order in which they were first asked for.

    `sample`: numbers, or functions that compute them; each is called once.
    `known`: names by which the sample may call them with other signs.
    """

    def __init__(self, sample: Mapping[str, Any], known: Iterable[str] = ()) -> None:
        self.sample = sample
        self.called: dict[str, str] = {}  # In the sample, where it is other signs
        names = _names_in(sample)
        for given, name in matched_names(names, known).items():
            if name in self.called or name in names:
                raise ValueError(
                    f"The sample has feature {name!r} twice, in signs that look the "
                    "same; give it once."
                )
            self.called[name] = given

    def __missing__(self, name: str) -> float:
        try:
            given = self.sample[self.called.get(name, name)]
        except KeyError:
            raise ValueError(
                f"The sample has no feature {name!r}; give a number, or a function "
                "that computes it."
            ) from None
        number = self[name] = self.number(name, given() if callable(given) else given)
        return number

    def number(self, name: str, given: Any) -> float:
        """Return a feature's value as a number."""
        number = math.nan if given is None else float(given)
        if math.isnan(number):
            raise without_a_value(name)
        if math.isinf(number):
            raise ValueError(f"Feature {name!r} is {number}; give a finite number.")
        return number


def _names_in(sample: Any) -> list[str]:
    """Return the texts among the keys of a mapping, or of what is used as one."""
    keys = sample.keys() if hasattr(sample, "keys") else ()
    return [key for key in keys if isinstance(key, str)]


def without_a_value(name: str) -> ValueError:
    """Return what is raised where a feature is missing of which none ever was."""
    return ValueError(
        f"Feature {name!r} is nan; give a finite number, or read the table with "
        f"kinds={{{name!r}: {{'has_gaps': True}}}} and train again."
    )


class Basket:
    """What was computed about one sample, and what the policy said meanwhile.

    `columns`: what is weighed, by name; the features themselves unless others are made.
    """

    def __init__(
        self, features: FeatureValues, columns: Mapping[str, float] | None = None
    ) -> None:
        self.features = features
        self.columns = features if columns is None else columns
        self.said: dict[int, Sequence[float]] = {}  # By the number of purchases
        self.why = ""  # It stopped
        self.is_impossible = False  # What was computed cannot occur, and has no answer

    def say(self, scores: Sequence[float]) -> None:
        """Note what the policy says after its last purchase."""
        self.said[len(self.features)] = scores


def unseen_features(
    features: Mapping[str, float],
    unseen: Mapping[str, Sequence[tuple[float, float]]],
) -> tuple[str, ...]:
    """Return the features with a word, or a date, such as no training row held.

    `unseen`: of some features between which bounds such codes lie.
    """
    return tuple(
        name
        for name, ranges in unseen.items()
        if name in features and any(a < features[name] < b for a, b in ranges)
    )


def added_by(
    features: Iterable[str],
    known: Iterable[str],
    needs: Mapping[str, Sequence[str]],
    costs: Mapping[str, float],
) -> float:
    """Return what features add to the bill of those that are known."""
    paid = {part for name in known for part in needs[name]}
    news = {part for name in features for part in needs[name]} - paid
    return math.fsum(costs[part] for part in news)


def bill_lines(
    computed: Sequence[str],
    said: Mapping[int, Sequence[float]],
    needs: Mapping[str, Sequence[str]],
    costs: Mapping[str, float],
) -> tuple[BillLine, ...]:
    """Return a line for each feature that was computed, in this order."""
    lines = []
    for number, name in enumerate(computed, start=1):
        before = computed[: number - 1]
        paid = {part for other in before for part in needs[other]}
        shared = tuple(part for part in needs[name] if part in paid)
        scores = said.get(number)
        score = None
        if scores is not None:
            score = scores[0] if len(scores) == 1 else tuple(scores)
        cost = added_by([name], before, needs, costs)
        lines.append(BillLine(name, cost, shared, score))
    return tuple(lines)
