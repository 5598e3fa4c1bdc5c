"""Why ℓ½ and not ℓ1: a source is taken whole or left whole."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solvers import CostAwareClassifier, FeatureHypergraph
from solvers.methods.acafh import ACAFHClassifier
from solvers.methods.reweighted_l1 import ReweightedL1Classifier

from ....figures.picture import Bar, Key, Line, Picture, Word
from ....figures.scene import Axis
from ....session.link import Visit
from ....widgets.text import counted
from .base import Control, Lesson, RevealedAnswer, Shown

FEATURES = ("A", "B", "C", "D", "E", "F")
N_SHARING = 3
SOURCE, OWN, ALONE = 4.0, 0.5, 3.0
# What decides the labels: the source's features each a little less than the others.
WEIGHTS = (0.8, 0.8, 0.8, 1.0, 1.0, 1.0)
ALPHAS = (
    0.005,
    0.006,
    0.007,
    0.008,
    0.009,
    0.01,
    0.011,
    0.012,
    0.013,
    0.014,
    0.016,
    0.018,
    0.02,
    0.022,
)
METHODS = {"acafh": "ℓ½", "reweighted_l1": "ℓ1"}
N_ROWS = 400


@cache
def rows() -> tuple[NDArray[np.float64], NDArray[np.int_]]:
    """Return six independent features and the labels that they decide.

    Shape: `X` (400, 6), `y` (400,).
    """
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N_ROWS, len(FEATURES)))
    noisy = X @ np.array(WEIGHTS) + 0.5 * rng.standard_normal(N_ROWS)
    return X, (noisy > 0).astype(int)


def prices(*, is_shared: bool = True) -> FeatureHypergraph:
    """Return what the features cost.

    `is_shared`: whether A, B and C share a source, or each has one of its own.
    """
    m = len(FEATURES)
    if not is_shared:
        alone = [SOURCE + OWN] * N_SHARING + [ALONE] * (m - N_SHARING)
        return FeatureHypergraph.independent(alone, FEATURES)
    incidence = np.vstack([np.arange(m) < N_SHARING, np.eye(m, dtype=bool)])
    own = [OWN] * N_SHARING + [ALONE] * (m - N_SHARING)
    return FeatureHypergraph(incidence, [SOURCE, *own], FEATURES)


@cache
def fitted(method: str, at: int, *, is_shared: bool = True) -> CostAwareClassifier:
    """Return a method's model at a trade-off, with the weights of its penalty."""
    graph, alpha = prices(is_shared=is_shared), ALPHAS[at]
    model: CostAwareClassifier
    if method == "acafh":
        model = ACAFHClassifier(graph, alpha=alpha, p=0.5, refit=False)
    else:
        model = ReweightedL1Classifier(graph, alpha=alpha, refit=False)
    return model.fit(*rows())


def n_opened(method: str, at: int) -> int:
    """Return how many features of the source a model uses."""
    return int(np.count_nonzero(fitted(method, at).support_[:N_SHARING]))


def half_opened(method: str) -> list[int]:
    """Return where a model pays for the source but leaves a feature of it unused."""
    return [i for i in range(len(ALPHAS)) if 0 < n_opened(method, i) < N_SHARING]


def show(at: int) -> Iterator[Shown]:
    """Draw the weights of both models at a trade-off."""
    said = [
        f"{title} uses {counted(int(model.support_.sum()), 'feature')}, "
        f"{n_opened(name, at)} of "
        f"the source, for {model.cost_:g} µs"
        for name, title in METHODS.items()
        for model in [fitted(name, at)]
    ]
    yield Shown(
        _picture(at),
        f"At λ = {ALPHAS[at]:g}, {'; '.join(said)}.",
        ("λ", *(f"{title}: {what}" for title in METHODS.values() for what in WHAT)),
        [
            (f"{ALPHAS[i]:g}", *(cell for name in METHODS for cell in _cells(name, i)))
            for i in range(at + 1)
        ],
    )


WHAT = ("features", "cost (µs)", "right (training)")


def _cells(name: str, at: int) -> tuple[str, ...]:
    model = fitted(name, at)
    used = "".join(FEATURES[j] for j in np.flatnonzero(model.support_)) or "none"
    return used, f"{model.cost_:g}", f"{100 * model.score(*rows()):.0f} %"


def _picture(at: int) -> Picture:
    most = max(float(np.abs(_weights(name, 0)).max()) for name in METHODS)
    bars, words, lines = [], [], []
    for row, (name, title) in enumerate(METHODS.items()):
        base = 1.35 * (1 - row)
        weights = np.abs(_weights(name, at)) / most
        for j, weight in enumerate(weights):
            hatch = "/" if row else " "
            bars.append(Bar(j - 0.3, j + 0.3, base, base + weight, name, 1.0, hatch))
            if not weight:
                words.append(Word(j, base + 0.07, "0", colour="quiet_text"))
        lines.append(Line((-0.5, 5.5), (base, base), "quiet_text", width=1))
        cost = fitted(name, at).cost_
        words.append(Word(-0.45, base + 1.17, f"{title}: {cost:g} µs", "left"))
    bars.append(Bar(-0.45, 2.45, -0.12, -0.04, "shared"))
    words.append(Word(1.0, -0.24, f"one source, {SOURCE:g} µs"))
    words.append(Word(4.0, -0.24, f"{ALONE:g} µs each"))
    return Picture(
        Axis("feature", -0.6, 5.6, {float(j): n for j, n in enumerate(FEATURES)}),
        Axis("", -0.35, 2.7),
        bars=tuple(bars),
        lines=tuple(lines),
        words=tuple(words),
        key=(
            Key("size of the weight, ℓ½", "acafh"),
            Key("size of the weight, ℓ1", "reweighted_l1", hatch=True),
            Key("the shared source", "shared"),
        ),
    )


def _weights(name: str, at: int) -> NDArray[np.float64]:
    return np.asarray(fitted(name, at).coef_[0])


def judge() -> RevealedAnswer:
    """Compute which of the two opens the source for some of its features only."""
    half, one = half_opened("acafh"), half_opened("reweighted_l1")
    right = {(False, True): 0, (True, False): 1, (True, True): 2, (False, False): 3}
    at = one[-1] if one else half[-1] if half else 0
    return RevealedAnswer(
        right[bool(half), bool(one)],
        f"At {len(one)} of {len(ALPHAS)} settings ℓ1 pays for the source but uses only "
        f"part of it, ℓ½ at {len(half)}. ℓ1 charges each feature "
        "for the source in full, as if it were alone; under ℓ½ what a source is "
        "charged grows ever more slowly, so the next of its features is nearly free.",
        at,
    )


LESSON = Lesson(
    name="quasi-norm",
    order=20,
    short="Two penalties, ℓ½ and ℓ1",
    title="ℓ½ takes a source whole or leaves it; ℓ1 pays for it and uses a part",
    world=(
        "Six independent features. A, B and C come from one source of "
        f"{SOURCE:g} µs and cost {OWN:g} µs more each; D, E and F cost {ALONE:g} µs "
        f"each. {N_ROWS} rows. Two linear models charge the weights for what they lean "
        "on: ℓ1 feature by feature, ℓ½ by a root of the sum."
    ),
    text=(
        "Both models minimise loss plus λ times a charge on the weights that lean on "
        "each component. With ℓ1 the charge adds up feature by feature. With "
        "ℓ½ it is a root of the sum: the first feature pays for the source, the next "
        "ones hardly anything. Raise λ and see which weights go to zero together, and "
        "how much ℓ1 also shrinks the weights that stay."
    ),
    limit=(
        "Holds when several features share a costly source, not when nothing is "
        "shared; and it has a price: ℓ½ leaps, and between its few selections it "
        "offers nothing, where ℓ1 has a model for nearly every budget."
    ),
    control=Control("Trade-off of the lesson", tuple(f"λ = {a:g}" for a in ALPHAS)),
    question="Which of the two pays for the source but leaves some of A, B, C out?",
    answers=("ℓ1 only", "ℓ½ only", "both", "neither"),
    supposes=(
        "ℓ1 charges each feature for the source as if it were alone, and takes it "
        "whole here all the same.",
        "It is the other way round: under ℓ½ the next feature of an open source is "
        "nearly free.",
        "For one of them the next feature of an open source is nearly free, so it "
        "takes all three.",
        "One of them charges each feature for the source in full, and so leaves some "
        "out of a source that is paid.",
    ),
    show=show,
    judge=judge,
    visit=Visit(
        "frontier",
        "Frontier",
        # Four sources each: ℓ½ reads about three features off a source, ℓ1 one or two
        "data=sources&made=n_sources:8,features_per_source:8,n_samples:1500"
        "&p=0.5&penalty=lp&methods=acafh,reweighted_l1,l1&budget=15",
    ),
    said={
        "size of the weight, ℓ½": ("ℓ½", "both models", "two linear models"),
        "size of the weight, ℓ1": ("ℓ1", "both models", "two linear models"),
        "the shared source": ("source",),
    },
)
