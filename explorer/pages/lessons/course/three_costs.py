"""Mean, 95th percentile and worst row are three different questions."""

from __future__ import annotations

from collections.abc import Iterator

from ....figures.picture import Key, Line, Mark, Picture, labelled
from ....figures.scene import Axis
from ....session.visit import Visit
from .base import Control, Lesson, RevealedAnswer, Shown
from .two_tests import COSTS, N_TEST, THRESHOLDS, outcome

ACCOUNTS = {"mean": "mean over rows", "p95": "95th percentile", "max": "worst row"}
LOOKS = {
    "mean": ("lit", "solid", "circle"),
    "p95": ("shared", "dashed", "triangle"),
    "max": ("quiet_text", "dotted", "square"),
}


def costs(account: str) -> tuple[float, ...]:
    """Return what a test row costs at every threshold, by one accounting.

    In microseconds.
    """
    return tuple(getattr(outcome(t), account) for t in THRESHOLDS)


def asked() -> int:
    """Return the position of the threshold that the question is about."""
    return next(
        i for i, t in enumerate(THRESHOLDS) if outcome(t).share_quick < 1 - 0.05
    )


def show(at: int) -> Iterator[Shown]:
    """Draw the three costs along the threshold."""
    found = outcome(THRESHOLDS[at])
    yield Shown(
        _picture(at),
        f"At exit threshold {THRESHOLDS[at]:g}, {100 * found.share_quick:.0f} % of the "
        f"rows leave after {COSTS[0]:g} µs. Mean {found.mean:.2f} µs, 95th percentile "
        f"{found.p95:.2f} µs, worst row {found.max:.2f} µs.",
        ("threshold", *ACCOUNTS.values()),
        [
            (f"{t:g}", *(f"{getattr(outcome(t), name):.2f}" for name in ACCOUNTS))
            for t in THRESHOLDS[: at + 1]
        ],
    )


def _picture(at: int) -> Picture:
    lines, marks = [], []
    places = tuple(float(i) for i in range(len(THRESHOLDS)))
    for name, (colour, dash, marker) in LOOKS.items():
        found = costs(name)
        lines.append(Line(places[: at + 1], found[: at + 1], colour, dash))
        marks += [
            Mark(x, y, colour, marker, 9, filled=x == at)
            for x, y in zip(places[: at + 1], found, strict=False)
        ]
    whole = sum(COSTS)
    ends = (-0.4, len(THRESHOLDS) - 0.6)
    lines.append(Line(ends, (whole, whole), "faded", "solid", 1.5))
    return Picture(
        Axis(
            "exit threshold",
            *ends,
            {float(i): f"{t:g}" for i, t in enumerate(THRESHOLDS) if i % 2 == 0},
        ),
        Axis("cost of a test row (µs)", 0, 11, labelled((0, 2, 4, 6, 8, 10))),
        lines=tuple(lines),
        marks=tuple(marks),
        key=(
            *(
                Key(ACCOUNTS[name], colour, dash, marker)
                for name, (colour, dash, marker) in LOOKS.items()
            ),
            Key("both tests for every row", "faded", "solid"),
        ),
    )


_BOUNDS = (2.0, 9.0)


def judge() -> RevealedAnswer:
    """Compute the 95th percentile where most rows leave early."""
    at = asked()
    found = outcome(THRESHOLDS[at])
    right = sum(found.p95 >= bound for bound in _BOUNDS)
    return RevealedAnswer(
        right,
        f"{100 * (1 - found.share_quick):.1f} % of the rows go on, more than one in "
        f"twenty, so the row at the 95th percentile is one of them and pays "
        f"{found.p95:.2f} µs, although the mean is {found.mean:.2f} µs.",
        at,
    )


LESSON = Lesson(
    name="three-costs",
    order=60,
    short="Three kinds of cost",
    title="Mean, 95th percentile and worst row are three questions",
    world=(
        f"The quick test for {COSTS[0]:g} µs and the slow one for {COSTS[1]:g} µs once "
        f"more, in a cascade; {N_TEST} test rows."
    ),
    text=(
        "A method that adapts to each row has no single cost. Its mean falls with "
        "every row that leaves early; its worst row pays for everything as soon as one "
        "row goes on; its 95th percentile jumps when one row in twenty does. Which one "
        "counts depends on who pays: the electricity bill, the promised response time, "
        "or the hard deadline."
    ),
    limit=(
        "Holds for methods that adapt to the row, not for a fixed set of features: "
        "there all three are the same number, as at the left end of this picture."
    ),
    control=Control(
        "Exit threshold of the lesson", tuple(f"{t:g}" for t in THRESHOLDS)
    ),
    question=(
        "A little more than one row in twenty goes on to the slow test. What does the "
        "row at the 95th percentile pay?"
    ),
    answers=("under 2 µs", "2 to 9 µs", "9 µs or more"),
    show=show,
    judge=judge,
    # A tree that adapts to the row beside a fixed set of features
    visit=Visit(
        "frontier",
        "Frontier",
        "data=signals&methods=csdt,forward_selection&accounting=p95&budget=20",
    ),
    said={
        ACCOUNTS["mean"]: ("mean",),
        ACCOUNTS["max"]: ("worst row",),
        "both tests for every row": ("pays for everything",),
    },
)
