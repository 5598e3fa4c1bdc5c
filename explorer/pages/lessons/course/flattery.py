"""A threshold tuned on the rows that it is judged on flatters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from solvers import Dataset, FeatureHypergraph
from solvers.datasets.splits import Split
from solvers.frontier.evaluation import evaluate
from solvers.methods.l1 import L1Classifier

from ....figures.picture import Key, Line, Mark, Picture, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

# From many to few: the lesson ends where the question asks.
SIZES = (640, 320, 160, 80, 40, 20)
N_TRAIN, N_FRESH = 200, 1000
REPEATS = 20
STRENGTHS = (0.3, 0.15)
# Below this a difference of F1 is noise here.
SMALL = 0.03
NAMES = {"validation": "rows it was tuned on", "test": "fresh rows"}
LOOKS = {
    "validation": ("text", "dashed", "triangle"),
    "test": ("lit", "solid", "circle"),
}


@cache
def scores(size: int) -> tuple[float, float]:
    """Return mean F1 on the rows that the threshold was tuned on, and on fresh ones."""
    found = [_one(size, seed) for seed in range(REPEATS)]
    tuned, fresh = np.mean(found, axis=0)
    return float(tuned), float(fresh)


def _one(size: int, seed: int) -> tuple[float, float]:
    rng = np.random.default_rng(seed)
    n = N_TRAIN + size + N_FRESH
    y = rng.integers(0, 2, n)
    signal = (2 * y - 1)[:, np.newaxis] * np.array(STRENGTHS)
    data = Dataset(
        "weak signal",
        signal + rng.standard_normal(signal.shape),
        y,
        FeatureHypergraph.independent([1.0, 1.0]),
    )
    cuts = np.split(np.arange(n), [N_TRAIN, N_TRAIN + size])
    split = Split(data, dict(zip(("train", "validation", "test"), cuts, strict=True)))
    model = L1Classifier(data.hypergraph, alpha=1e-4)
    model.fit(split.X("train"), split.y("train"))
    point = evaluate(model, split, threshold="tuned")
    return point.scores["validation"]["f1"], point.scores["test"]["f1"]


def show(at: int) -> Iterator[Shown]:
    """Draw both F1 over the number of rows, size by size."""
    for done in range(at + 1):
        tuned, fresh = scores(SIZES[done])
        yield Shown(
            _picture(done),
            f"Tuned on {SIZES[done]} rows, the threshold scores F1 {tuned:.3f} on "
            f"those rows and {fresh:.3f} on fresh ones: it flatters by "
            f"{tuned - fresh:.3f}. Means over {REPEATS} draws.",
            ("rows", *(f"F1 on {name}" for name in NAMES.values()), "flattery"),
            [
                (size, *(f"{f1:.3f}" for f1 in (*scores(size), flattery(size))))
                for size in SIZES[: done + 1]
            ],
            (done + 1) / (at + 1),
        )


def flattery(size: int) -> float:
    """Return by how much F1 on the tuned rows is above F1 on fresh ones."""
    tuned, fresh = scores(size)
    return tuned - fresh


def _picture(at: int) -> Picture:
    lines, marks = [], []
    # Fewer to the right, as on the slider.
    x = tuple(-float(np.log2(size)) for size in SIZES[: at + 1])
    for position, (colour, dash, marker) in enumerate(LOOKS.values()):
        y = tuple(scores(size)[position] for size in SIZES[: at + 1])
        lines.append(Line(x, y, colour, dash))
        marks += [Mark(*place, colour, marker, 10) for place in zip(x, y, strict=True)]
    return Picture(
        Axis(
            "rows that the threshold is tuned on",
            -float(np.log2(SIZES[0])) - 0.3,
            -float(np.log2(SIZES[-1])) + 0.3,
            {-float(np.log2(size)): str(size) for size in SIZES},
        ),
        Axis("F1", 0.6, 0.8, labelled((0.6, 0.65, 0.7, 0.75, 0.8))),
        lines=tuple(lines),
        marks=tuple(marks),
        key=tuple(
            Key(NAMES[part], colour, dash, marker)
            for part, (colour, dash, marker) in LOOKS.items()
        ),
    )


_BOUNDS = (0.01, 0.05)


def judge() -> RevealedAnswer:
    """Compute by how much twenty rows flatter."""
    many, few = flattery(SIZES[0]), flattery(SIZES[-1])
    return RevealedAnswer(
        sum(few > bound for bound in _BOUNDS),
        f"On {SIZES[-1]} rows the best threshold also fits their noise: F1 is "
        f"{few:.3f} higher there than on fresh rows. With {SIZES[0]} rows "
        f"{many:.3f} is left. That is why this app tunes on validation rows and "
        "reports on test rows.",
        len(SIZES) - 1,
    )


LESSON = Lesson(
    name="flattery",
    order=110,
    short="Tuned on a few rows",
    title="A threshold judged on the rows it was tuned on flatters",
    world=(
        f"Two weak features and two classes. A linear model is trained on {N_TRAIN} "
        "rows, its decision threshold is tuned for F1 on a few more, and F1 is read "
        f"off twice: there, and on {N_FRESH} rows that nobody has seen."
    ),
    text=(
        "Choosing the best of many thresholds picks up the noise of the rows on which "
        "one chooses. The F1 of that choice on those rows is the best of all, so it is "
        "too good; the F1 on fresh rows is what a customer will see. Every number on "
        "the Frontier page is chosen on validation rows and reported on test rows."
    ),
    limit=(
        "Holds for few rows, not for many: with hundreds of rows for one threshold "
        "little is left of it. Tuning more than a threshold needs more."
    ),
    control=Control("Rows to tune on", tuple(str(size) for size in SIZES)),
    question=f"Tuned on {SIZES[-1]} rows: how much higher is F1 there than elsewhere?",
    answers=("by less than 0.01", "by 0.01 to 0.05", "by more than 0.05"),
    supposes=(
        "One picks the best of many thresholds, and with it the noise of twenty rows.",
        "Twenty rows have more noise than that to fit.",
        "One threshold alone cannot fit so much noise of these rows.",
    ),
    show=show,
    judge=judge,
    visit=Visit(
        "frontier",
        "Frontier",
        # The words name the score on the 50 rows that chose, too
        "data=gaussian&made=n_samples:200,n_features:20,noise:2"
        "&methods=forward_selection,l1&threshold=tuned&budget=60",
        "In plain words",
    ),
    said={
        NAMES["validation"]: ("tuned on", "validation rows", "those rows"),
        NAMES["test"]: ("fresh ones", "test rows", "nobody has seen", "elsewhere"),
    },
)
