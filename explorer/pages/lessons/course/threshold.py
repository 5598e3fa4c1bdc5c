"""Trimming moves the threshold: the old one may be the worst of all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby

from solvers.bayes import (
    BayesianClassifier,
    agreement,
    bundled_classifier,
    maximum_achievable_agreement,
)

from ....figures.picture import Bar, Key, Line, Mark, Picture, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

KEPT = ("F1", "F2")
THRESHOLDS = (0.2, 0.4, 0.45, 0.5, 0.52, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9)


@cache
def original() -> BayesianClassifier:
    """Return the network of the paper's Fig. 3, with its threshold."""
    return bundled_classifier("fig3")


@cache
def agrees(threshold: float, features: tuple[str, ...] = KEPT) -> float:
    """Return how often a trimming with its own threshold decides as the original."""
    return agreement(original(), list(features), threshold)


def kept_at() -> int:
    """Return the position of the original's own threshold."""
    return THRESHOLDS.index(round(original().threshold, 2))


def show(at: int) -> Iterator[Shown]:
    """Draw the agreement at every threshold up to the chosen one, and the interval."""
    best = maximum_achievable_agreement(original(), list(KEPT))
    chosen = THRESHOLDS[at]
    yield Shown(
        _picture(at),
        f"With T' = {chosen:g} the trimming to {' and '.join(KEPT)} decides as the "
        f"original for {100 * agrees(chosen):.2f} % of cases. Best is "
        f"{100 * best.agreement:.2f} %, for T' in {best.threshold_interval}; the "
        f"original's own T is {original().threshold:g}.",
        ("T'", "agreement"),
        [(f"{t:g}", f"{100 * agrees(t):.2f} %") for t in THRESHOLDS[: at + 1]],
    )


def _picture(at: int) -> Picture:
    best = maximum_achievable_agreement(original(), list(KEPT))
    low, high = best.threshold_interval
    shown = THRESHOLDS[: at + 1]
    lines = [
        Line((original().threshold,) * 2, (30, 62), "shared", "dashed", 2),
        *_steps(shown),
    ]
    marks = [
        Mark(t, 100 * agrees(t), "lit", "circle", 13 if t == shown[-1] else 8)
        for t in shown
    ]
    return Picture(
        Axis("threshold T' of the trimming", 0, 1, labelled((0, 0.25, 0.5, 0.75, 1))),
        Axis("agrees with the original (%)", 30, 62, labelled((30, 40, 50, 60))),
        bars=(Bar(float(low), float(high), 30, 62, "faded", 0.35),),
        lines=tuple(lines),
        marks=tuple(marks),
        key=(
            Key("agreement of the trimming", "lit", "solid", "circle"),
            Key("every T' here attains the best", "faded"),
            Key("the original's T", "shared", "dashed"),
        ),
    )


def _steps(shown: tuple[float, ...]) -> list[Line]:
    """Return the steps of the staircase, without what joins them."""
    runs = groupby(shown, key=lambda t: round(agrees(t), 9))
    return [
        Line(places, (100 * height,) * len(places), "lit")
        for height, run in runs
        for places in [tuple(run)]
    ]


def judge() -> RevealedAnswer:
    """Compute what becomes of the agreement if T is kept."""
    kept = agrees(THRESHOLDS[kept_at()])
    best = maximum_achievable_agreement(original(), list(KEPT)).agreement
    right = 0 if kept >= best - 1e-9 else 1 if kept >= 0.5 else 2
    return RevealedAnswer(
        right,
        f"With T' = T = {original().threshold:g} the trimming agrees in "
        f"{100 * kept:.2f} % of cases, less than a coin; moved, it agrees in "
        f"{100 * best:.2f} %. Without F3 the probabilities that the trimming sees lie "
        "elsewhere, and the old threshold cuts through them at the wrong place.",
        kept_at(),
    )


LESSON = Lesson(
    name="threshold",
    order=70,
    short="The threshold of a trimming",
    title="Trimming moves the threshold",
    world=(
        "The network of the ECA paper's Fig. 3: a class and three features of two "
        "states. The original says positive where the probability of the class, given "
        "all three, is at least T. F3 cannot be paid for any more."
    ),
    text=(
        "A trimming sees fewer features, so its probabilities are other numbers, and "
        "the threshold that suited the original need not suit them. Agreement is a "
        "staircase of T': it changes only where T' passes a probability that the "
        "trimming can show. ECA-Trim sorts these and takes the best step; earlier "
        "methods keep T."
    ),
    limit=(
        "Holds when T falls outside of the interval of best thresholds, as here, not "
        "when it lies inside: in the quiz of Fig. 1, trimmed to Q1, the teacher's own "
        "threshold is as good as any."
    ),
    control=Control(
        "Threshold T' of the trimming", tuple(f"{t:g}" for t in THRESHOLDS)
    ),
    question="The trimming keeps the original's threshold. How often does it agree?",
    answers=("as often as it can", "less, but more than a coin", "less than a coin"),
    supposes=(
        "The trimming's probabilities lie elsewhere: what suited three features need "
        "not suit two.",
        "The old threshold cuts through the new probabilities at a worse place than "
        "that.",
        "The old threshold still lies where it decides mostly alike.",
    ),
    show=show,
    judge=judge,
    visit=Visit("trimming", "Trimming", "network=fig3&T=0.55&B=2&charged=ones"),
    names=(*KEPT, "F3"),
    said={
        "agreement of the trimming": ("agreement", "agree", "agrees", "decides as"),
        "every T' here attains the best": ("best is", "best step", "best thresholds"),
        "the original's T": (
            "the original's own T",
            "the original's threshold",
            "threshold that suited the original",
            "keep T",
        ),
    },
)
