"""Mean, 95th percentile and worst row are three different questions."""

from __future__ import annotations

from collections.abc import Iterator

from ....figures.picture import Bar, Key, Line, Mark, Picture, Word, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown
from .two_tests import COSTS, N_TEST, THRESHOLDS, outcome

ACCOUNTS = {"mean": "mean over rows", "p95": "95th percentile", "max": "worst row"}
LOOKS = {
    "mean": ("lit", "solid", "circle"),
    "p95": ("text", "dashed", "triangle"),
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
    """Draw the three costs at a threshold."""
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
    """Draw all rows by what they pay, the cheapest first, and the three costs."""
    found, whole = outcome(THRESHOLDS[at]), sum(COSTS)
    early = 100 * found.share_quick
    of_all = 100.0, found.max
    places = {"mean": (50.0, found.mean), "p95": (95.0, found.p95), "max": of_all}
    lines = [
        Line((0.0, 100.0), (found.mean, found.mean), *LOOKS["mean"][:2]),
        Line((95.0, 95.0), (0.0, found.p95), *LOOKS["p95"][:2]),
        Line((0.0, 100.0), (whole, whole), "quiet_text", "solid", 1.5),
    ]
    words = [
        Word(
            place,
            height + 0.7,
            f"{height:.2f} µs",
            "right" if place > 50 else "center",
        )
        for place, height in (places["mean"], places["p95"])
    ]
    return Picture(
        Axis("test rows, cheapest first (%)", -2, 103, labelled((0, 25, 50, 75, 95))),
        Axis("cost of a test row (µs)", 0, 11.5, labelled((0, 2, 4, 6, 8, 10))),
        bars=(
            Bar(0.0, early, 0.0, COSTS[0], "faded", 0.6),
            Bar(early, 100.0, 0.0, whole, "faded"),
        ),
        lines=tuple(lines),
        marks=tuple(
            Mark(*places[name], LOOKS[name][0], LOOKS[name][2], 11) for name in LOOKS
        ),
        words=tuple(words),
        key=(
            Key("what rows pay", "faded"),
            *(
                Key(ACCOUNTS[name], colour, dash, marker)
                for name, (colour, dash, marker) in LOOKS.items()
            ),
            Key("both tests for every row", "quiet_text", "solid"),
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
        "there all three are the same number, as here at an exit threshold of 0."
    ),
    control=Control(
        "Exit threshold of the lesson", tuple(f"{t:g}" for t in THRESHOLDS)
    ),
    question=(
        "A little more than one row in twenty goes on to the slow test. What does the "
        "row at the 95th percentile pay?"
    ),
    answers=("under 2 µs", "2 to 9 µs", "9 µs or more"),
    supposes=(
        "That is near the mean; but the 95th percentile is one row's price, not an "
        "average.",
        "No row pays that: a row pays for the quick test, or for both.",
        "Fewer than one row in twenty goes on, so the row at the 95th percentile "
        "left early.",
    ),
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
