"""More features than samples: selecting keeps what ridge drowns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from solvers.methods.selective_ridge import (
    SelectiveRidgeClassifier,
    maximum_selectivity,
)

from ....figures.picture import Key, Line, Mark, Picture, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

N_ROWS, N_TEST = 40, 1000
N_RELEVANT = 3
SIZES = (5, 10, 20, 40, 80, 160, 400, 1000)
ASKED = SIZES.index(160)
# Of the selectivity that leaves no feature.
SHARE = 0.3
SEEDS = range(3)


@dataclass(frozen=True)
class Score:
    """How both models do, as means over three draws."""

    selective: float  # Share of 1000 test rows that is right
    ridge: float
    n_used: float  # Features that selective ridge uses
    gap: float  # The largest relative duality gap: the proof


@cache
def score(n_features: int, *, is_spread: bool = False) -> Score:
    """Return how ridge and selective ridge do on 40 rows.

    `is_spread`: whether all columns matter a little, instead of three that decide.
    """
    found = [_one(n_features, seed, is_spread) for seed in SEEDS]
    selective, ridge, used, gap = np.array(found).T
    return Score(
        float(selective.mean()),
        float(ridge.mean()),
        float(used.mean()),
        float(gap.max()),
    )


def _one(n: int, seed: int, is_spread: bool) -> tuple[float, float, float, float]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N_ROWS + N_TEST, n))
    weights = np.ones(n) if is_spread else np.arange(n) < N_RELEVANT
    weights = 2.0 * weights / np.sqrt(weights.sum())
    y = (X @ weights + 0.3 * rng.standard_normal(len(X)) > 0).astype(int)
    train, test = slice(N_ROWS), slice(N_ROWS, None)
    most = maximum_selectivity(X[train], 2.0 * y[train] - 1, gamma=1.0, loss="hinge")
    # The columns have one spread but for chance: the problem as published.
    models = [
        SelectiveRidgeClassifier(mu=mu, standardise=False).fit(X[train], y[train])
        for mu in (SHARE * most, 0.0)
    ]
    right, right_of_all = (
        float(np.mean(model.predict(X[test]) == y[test])) for model in models
    )
    chosen = models[0]
    gap = chosen.duality_gap_ / chosen.objective_
    return right, right_of_all, float(chosen.support_.sum()), gap


def show(at: int) -> Iterator[Shown]:
    """Draw both models' accuracy over the number of features, size by size."""
    for done in range(at + 1):
        n = SIZES[done]
        few, spread = score(n), score(n, is_spread=True)
        yield Shown(
            _picture(done),
            f"{n} features, {N_ROWS} rows: selective ridge is right for "
            f"{100 * few.selective:.1f} % of test rows with {few.n_used:.0f} features, "
            f"ridge for {100 * few.ridge:.1f} % with all. Where all features matter a "
            f"little: {100 * spread.selective:.1f} and {100 * spread.ridge:.1f} %. "
            f"Proved to a relative gap of {few.gap:.0e}.",
            ("features", "selective", "ridge", "selective, spread", "ridge, spread"),
            [_row(size) for size in SIZES[: done + 1]],
            (done + 1) / (at + 1),
        )


def _row(size: int) -> tuple[str, ...]:
    found = (score(size), score(size, is_spread=True))
    rights = [right for one in found for right in (one.selective, one.ridge)]
    return str(size), *(f"{100 * right:.1f} %" for right in rights)


def _picture(at: int) -> Picture:
    x = tuple(float(np.log10(size)) for size in SIZES[: at + 1])
    lines, marks = [], []
    for name, colour, marker in (
        ("selective", "selective_ridge", "circle"),
        ("ridge", "lit", "triangle"),
    ):
        for is_spread in (False, True):
            y = tuple(
                100 * getattr(score(size, is_spread=is_spread), name)
                for size in SIZES[: at + 1]
            )
            dash, width = ("dotted", 1.5) if is_spread else ("solid", 2.5)
            lines.append(Line(x, y, colour, dash, width))
            if not is_spread:
                marks += [Mark(*at_, colour, marker) for at_ in zip(x, y, strict=True)]
    rows = float(np.log10(N_ROWS))
    lines.append(Line((rows, rows), (45, 100), "quiet_text", "dashed", 1))
    return Picture(
        Axis(
            "features (log scale); dashed: as many as rows",
            float(np.log10(SIZES[0])) - 0.1,
            float(np.log10(SIZES[-1])) + 0.1,
            {float(np.log10(size)): str(size) for size in SIZES if size != 10},
        ),
        Axis("right (% of test rows)", 45, 100, labelled((50, 60, 70, 80, 90, 100))),
        lines=tuple(lines),
        marks=tuple(marks),
        key=(
            Key(
                "selective ridge, 3 features decide",
                "selective_ridge",
                "solid",
                "circle",
            ),
            Key("ridge, 3 features decide", "lit", "solid", "triangle"),
            Key("selective ridge, all matter a little", "selective_ridge", "dotted"),
            Key("ridge, all matter a little", "lit", "dotted"),
        ),
    )


_BOUNDS = (0.02, 0.08)


def judge() -> RevealedAnswer:
    """Compute the lead of selective ridge with four times as many features as rows."""
    found = score(SIZES[ASKED])
    lead = found.selective - found.ridge
    return RevealedAnswer(
        2 - sum(lead > bound for bound in _BOUNDS),
        f"With {SIZES[ASKED]} features and {N_ROWS} rows selective ridge is right for "
        f"{100 * found.selective:.1f} % of test rows, ridge for "
        f"{100 * found.ridge:.1f} %. Ridge gives every feature some weight, so noise "
        f"adds up; selective ridge keeps {found.n_used:.0f} of them.",
        ASKED,
    )


LESSON = Lesson(
    name="features",
    order=90,
    short="More features than samples",
    title="With more features than samples, selecting keeps what ridge drowns",
    world=(
        f"{N_ROWS} rows to learn from. Three features decide the label; all others are "
        "noise, more and more of them. Ridge shrinks all weights and drops none; "
        f"selective ridge draws small weights to zero. {N_TEST} rows to judge by; "
        f"means of {len(SEEDS)} draws."
    ),
    text=(
        "Ridge shrinks all weights and drops none. Selective ridge draws weights below "
        "μ to zero and shrinks the others as ridge does. With far more features than "
        "rows many models fit perfectly; which of them is chosen decides what it is "
        "worth. The solver works with one unknown a row, so a thousand features are no "
        "harder than a hundred, and it proves its answer by the duality gap."
    ),
    limit=(
        "Holds when few of many features matter, not when all matter a little "
        "(dotted): there ridge is ahead, and selecting throws signal away. Beyond some "
        f"point neither knows much: {N_ROWS} rows cannot point to {N_RELEVANT} in "
        f"{SIZES[-1]}."
    ),
    control=Control("Features to choose from", tuple(str(size) for size in SIZES), 0),
    question=(
        f"{SIZES[ASKED]} features, {N_ROWS} rows: by how much does selecting lead "
        "ridge, in points of accuracy?"
    ),
    answers=("by more than 8", "by 2 to 8", "by less, or not at all"),
    supposes=(
        "Ridge drowns less than that: some of what it keeps does matter.",
        "Noise adds up faster: every one of the features has some weight with ridge.",
        "It would be so if all features mattered a little; here three of them do.",
    ),
    show=show,
    judge=judge,
    visit=Visit(
        "selectivity", "Selection", "table=evoked&share=0.3&loss=hinge&map=states"
    ),
    said={
        "selective ridge, 3 features decide": ("selective ridge", "selecting"),
        "ridge, 3 features decide": ("ridge",),
        "selective ridge, all matter a little": ("matter a little",),
        "ridge, all matter a little": ("matter a little",),
    },
)
