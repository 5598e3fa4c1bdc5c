"""A cascade leaves early: most rows never see the costly test."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....figures.picture import Bar, Key, Line, Mark, Picture, Word
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown
from .two_tests import COSTS, N_TEST, N_TRAIN, THRESHOLDS, cascade, outcome, world

# The picture shows some of the rows, the numbers are of all.
DRAWN = 160
# Within this of the full accuracy is "as good".
NEAR = 0.01
REACH = 5.5


def show(at: int) -> Iterator[Shown]:
    """Draw the rows by both tests, and which of them see the second."""
    threshold = THRESHOLDS[at]
    found, full = outcome(threshold), outcome(np.inf)
    rows = [
        (
            f"{value:g}",
            f"{100 * outcome(value).share_quick:.0f} %",
            f"{outcome(value).mean:.2f}",
            f"{100 * outcome(value).accuracy:.1f} %",
        )
        for value in THRESHOLDS[: at + 1]
    ]
    yield Shown(
        _picture(threshold),
        f"At exit threshold {threshold:g}, {100 * found.share_quick:.0f} % of the test "
        f"rows leave after the quick test. A row costs {found.mean:.2f} µs on average "
        f"and {100 * found.accuracy:.1f} % are right; both tests for every row cost "
        f"{sum(COSTS):g} µs and get {100 * full.accuracy:.1f} %.",
        ("threshold", "leave early", "mean cost (µs)", "right (test)"),
        rows,
    )


# The meter of the mean cost, below the rows.
METER, WIDE, METERED = -REACH + 0.3, 2 * REACH - 0.6, (-REACH - 1.9, -REACH - 1.1)


def _picture(threshold: float) -> Picture:
    split, found = world(), outcome(threshold)
    X = split.X("test")[:DRAWN]
    model = cascade()
    (middle, half), full = _band(threshold), sum(COSTS)
    marks = tuple(
        Mark(
            float(x),
            float(slow),
            "lit" if right else "wrong",
            "circle" if right else "x",
            7 if right else 10,
            not on,
        )
        for (x, slow), on, right in zip(
            X, found.is_slow[:DRAWN], found.is_right[:DRAWN], strict=True
        )
    )
    w, b = model.stage_coef_[0, 1], model.stage_intercept_[0, 1]
    ends = (-REACH, REACH)
    return Picture(
        Axis(f"quick test ({COSTS[0]:g} µs)", *ends),
        Axis(f"slow test ({COSTS[1]:g} µs)", METERED[0] - 0.4, REACH),
        bars=(
            Bar(middle - half, middle + half, -REACH, REACH, "faded", 0.35),
            Bar(METER, METER + WIDE, *METERED, "faded", 0.5, hatch="/"),
            Bar(METER, METER + WIDE * found.mean / full, *METERED, "lit"),
        ),
        lines=(
            Line(ends, tuple(-(w[0] * x + b) / w[1] for x in ends), "text", "dashed"),
            Line((middle, middle), ends, "quiet_text", "dotted"),
        ),
        marks=marks,
        words=(
            Word(METER, METERED[1] + 0.4, f"{found.mean:.2f} of {full:g} µs", "left"),
        ),
        key=(
            Key("left early", "lit", marker="circle"),
            Key("saw both tests", "lit", marker="circle", filled=False),
            Key("labelled wrongly", "wrong", marker="x"),
            Key("not sure enough", "faded"),
            Key("mean cost", "lit"),
            Key("what both tests cost", "faded", hatch=True),
            Key("boundary of both tests", "text", dash="dashed"),
        ),
    )


def _band(threshold: float) -> tuple[float, float]:
    """Return the middle and half the width of where the quick test is not sure."""
    model = cascade()
    weight, intercept = model.stage_coef_[0, 0, 0], model.stage_intercept_[0, 0]
    return float(-intercept / weight), min(threshold, 2 * REACH)


def cheapest_near(quick: float | None = None) -> tuple[int, float]:
    """Return where the cascade first comes near the full accuracy, and its cost.

    `quick`: how much the quick test knows; as in the lesson by default.
    """
    of = {} if quick is None else {"quick": quick}
    goal = outcome(np.inf, **of).accuracy - NEAR
    found = (i for i, t in enumerate(THRESHOLDS) if outcome(t, **of).accuracy >= goal)
    at = next(found, len(THRESHOLDS) - 1)
    return at, outcome(THRESHOLDS[at], **of).mean


_SHARES = (0.25, 0.5, 0.75)


def judge() -> RevealedAnswer:
    """Compute how much of the cost buys an accuracy that is as good."""
    at, cost = cheapest_near()
    share = cost / sum(COSTS)
    found = outcome(THRESHOLDS[at])
    return RevealedAnswer(
        int(np.searchsorted(_SHARES, share)),
        f"At exit threshold {THRESHOLDS[at]:g} the mean cost is {cost:.2f} of "
        f"{sum(COSTS):g} µs, {100 * share:.0f} %, and {100 * found.accuracy:.1f} % are "
        f"right: {100 * found.share_quick:.0f} % of the rows lie so far from the "
        "boundary that the slow test would not change their label.",
        at,
    )


LESSON = Lesson(
    name="cascade",
    order=40,
    short="A quick test and a slow one",
    title="A cascade leaves early: most rows never see the costly test",
    world=(
        f"Two tests of noisy numbers: a quick one for {COSTS[0]:g} µs and a slow, "
        f"better one for {COSTS[1]:g} µs. A row further from the quick test's boundary "
        "than the exit threshold is labelled there and then; the others pay for the "
        f"slow test, too. {N_TRAIN} rows to learn from, {N_TEST} to judge by."
    ),
    text=(
        "TEFE trains one linear SVM on the quick test and one on both. A row whose "
        "quick test lies further from the boundary than the exit threshold is labelled "
        "there and then; only the rows in the grey band pay for the slow test. A wider "
        "band costs more and changes fewer and fewer labels."
    ),
    limit=(
        "Holds when the cheap test settles most rows, not when it knows nothing: then "
        "whoever leaves early is labelled by chance, and nearly the whole cost has to "
        "be paid for the same accuracy."
    ),
    control=Control(
        "Exit threshold of the lesson", tuple(f"{t:g}" for t in THRESHOLDS)
    ),
    question=(
        "How much of the full price keeps one within a point of the full accuracy?"
    ),
    answers=("up to a quarter", "up to a half", "up to three quarters", "more"),
    supposes=(
        "Too few rows are that far from the boundary: with so narrow a band labels "
        "change.",
        "More than half of the cost is needed: too many rows lie near the boundary.",
        "Fewer rows than that need the slow test: most are far from the boundary.",
        "Rows far from the boundary keep their label whatever the slow test says; it "
        "is wasted on them.",
    ),
    show=show,
    judge=judge,
    visit=Visit(
        "cascade",
        "Early exit",
        "table=breast_cancer&order=alone&confidence=distance&cap=1&exit=0.3",
    ),
    said={
        "left early": ("labelled there and then", "leave", "leaves early"),
        "saw both tests": ("pay for the slow test", "both tests"),
        "labelled wrongly": ("labelled by chance", "are right"),
        "not sure enough": ("grey band", "band"),
        "boundary of both tests": ("one on both",),
        "mean cost": ("full price",),
    },
)
