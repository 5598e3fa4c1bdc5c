"""Who competes, with how many variants, and the points each may choose from."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from solvers import FrontierPoint, all_methods, evaluate, free_scores
from solvers.frontier.evaluation import Split
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier, Policy

from .replaying import replayed
from .rivals import best_subsets, two_stages

# Ours chooses its C among these three by held-out training rows.
_STRENGTHS = (0.1, 1.0, 10.0)


def _tefe(confidence: str) -> list[dict]:
    return [
        {"confidence": confidence, "order": order, "C": C}
        for order in ("marginal", "value")
        for C in _STRENGTHS
    ]


OURS = "hypergraph cascade"
ONE_THRESHOLD = "one calibrated threshold, same stages"

# What is tried of each method: every path of every variant competes on validation rows.
VARIANTS: dict[str, tuple[str, list[dict]]] = {
    OURS: ("hypergraph_cascade", [{}]),
    f"{OURS}, routed": (
        "hypergraph_cascade",
        [{"model": "logistic", "routing": 2, "stages": 50}],
    ),
    f"{OURS}, not routed": ("hypergraph_cascade", [{"routing": 0}]),
    f"{OURS}, expanded": ("hypergraph_cascade", [{"model": "expanded"}]),
    "forward selection": ("forward_selection", [{}]),
    "static prefix": (
        "static_prefix",
        [{"order": o, "C": C} for o in ("marginal", "value") for C in _STRENGTHS],
    ),
    "TEFE, gap": ("tefe", _tefe("gap")),
    "TEFE, calibrated": ("tefe", _tefe("calibrated")),
    "DAG, t = 9": (
        "dag",
        [{"n_increments": 9, "step_budget": step} for step in (0.05, 0.09)],
    ),
    "DAG, t = 3": (
        "dag",
        [
            {"n_increments": 3, "step_budget": 0.12, "structure": structure}
            for structure in ("chain", "lattice")
        ],
    ),
    "L1": ("l1", [{}]),
    "reweighted L1": ("reweighted_l1", [{}]),
    "ACAFH": ("acafh", [{"p": 0.5}, {"p": 0.2}]),
    "selective ridge": ("selective_ridge", [{}]),
    # As many settings as TEFE has: each of them is priced in every way it knows.
    "LightGBM with costs": (
        "cegb",
        [
            {"n_leaves": leaves, "learning_rate": rate}
            for leaves, rate in ((4, 0.1), (8, 0.1))
        ],
    ),
    "Greedy Miser": ("greedy_miser", [{}]),
    "CSTC": ("cstc", [{"depth": depth} for depth in (1, 2, 3)]),
    "trimmed naive Bayes": ("trimmed_naive_bayes", [{}]),
    "csNB": ("csnb", [{}]),
    "csDT": ("csdt", [{}]),
    "JIT": ("jit", [{}]),
    "Relief + SVM": ("relief_svm", [{"C": C} for C in _STRENGTHS]),
    "random forest": ("random_forest", [{}]),
    "neural network": ("neural_network", [{}]),
}
# What is put together from other libraries: models of a split, as they come.
OUTSIDE: dict[str, Callable[[Split], Iterator]] = {
    "two stages of scikit-learn": two_stages,
    "abess (asks no cost)": best_subsets,
}
ROWS = (*VARIANTS, ONE_THRESHOLD, *OUTSIDE)
# The rows that the claims are about; the others are run only if they are asked for.
TIERS = (
    (OURS, ONE_THRESHOLD, "forward selection", *OUTSIDE),
    ("DAG, t = 9", "DAG, t = 3", "static prefix", "TEFE, gap", "ACAFH"),
    ("LightGBM with costs", "CSTC"),
)
CLAIMED = tuple(row for tier in TIERS for row in tier)


def points_of(method: str, variants, split: Split, accounting: str, tiny: bool):
    """Return every point that a row may choose from, for one accounting."""
    found = []
    for params in [
        {**params, **more} for params in variants for more in _kinds(method)
    ]:
        estimator = all_methods()[method](hypergraph=split.dataset.hypergraph)
        settable = estimator.get_params(deep=False)
        told = {
            "accounting": accounting,
            "objective": score_of(split),
            "random_state": 0,
            **params,
        }
        estimator.set_params(**{k: v for k, v in told.items() if k in settable})
        models = _path(estimator, split)
        found += _scored(models, split, method, tiny)
    return found


def _path(estimator, split: Split) -> Iterator:
    """Return the models of a method's path; of ours those of its policies."""
    train = split.X("train"), split.y("train")
    if not isinstance(estimator, HypergraphCascadeClassifier):
        return estimator.path(*train)
    return _policies(estimator, split)


def _policies(estimator: HypergraphCascadeClassifier, split: Split) -> Iterator:
    estimator.fit(split.X("train"), split.y("train"))
    yield from replayed(estimator, estimator.policies_, split)


def score_of(split: Split) -> str:
    """Return what everybody is judged by: F1, or accuracy for more than two classes."""
    return "accuracy" if split.dataset.positive is None else "f1"


def _kinds(method: str) -> list[dict]:
    """Return every way of charging that a method knows, where it has several."""
    kinds = ("coupled", "lazy", "shared")
    for name, knob in all_methods()[method].knobs.items():
        known = [kind for kind in kinds if kind in getattr(knob, "options", ())]
        if len(known) > 1:
            return [{name: kind} for kind in known]
    return [{}]


def _scored(models, split: Split, name: str, tiny: bool) -> list[FrontierPoint]:
    started, found = time.perf_counter(), []
    for number, model in enumerate(models):
        seconds = time.perf_counter() - started
        point = evaluate(model, split, name=name, seconds=seconds)
        found.append(replace(point, model=None))
        if tiny and number >= 5:
            break
        started = time.perf_counter()
    return found


def floor_of(split: Split) -> dict[str, float]:
    """Return what the free answer scores: all positive, or the commonest class."""
    return free_scores(split, score_of(split))


def outside_points(name: str, split: Split, tiny: bool) -> list[FrontierPoint]:
    """Return the points of a row from another library."""
    return _scored(OUTSIDE[name](split), split, name, tiny)


def one_threshold(split: Split, tiny: bool) -> list[FrontierPoint]:
    """One calibrated threshold for all of the cascade's own stages: the ablation."""
    hypergraph = split.dataset.hypergraph
    fitted = HypergraphCascadeClassifier(
        hypergraph, model="logistic", objective=score_of(split)
    )
    fitted.fit(split.X("train"), split.y("train"))
    models = replayed(fitted, _thresholded(fitted), split)
    return _scored(models, split, "one threshold", tiny)


def _thresholded(fitted: HypergraphCascadeClassifier) -> Iterator[Policy]:
    is_binary = len(fitted.classes_) == 2
    for number, member in enumerate(fitted.members_):
        (leaf,) = member.leaves
        for centre in (0.5, 0.4, 0.3, 0.2) if is_binary else (0.5,):
            middle = np.log(centre / (1 - centre))
            for sure in np.linspace(0.02, 0.98, 25):
                bounds = [
                    _odds_bounds(c, middle, 4.0 * np.arctanh(sure))
                    if is_binary
                    else _rate_bounds(c, sure)
                    for c in leaf.calibrations
                ]
                low, high = np.array(bounds).T
                low[-1], high[-1] = np.inf, -np.inf
                yield Policy(number, (low,), (high,), 0.0, 0.0, 0.0, 0.0, 0.0)


def _odds_bounds(platt, middle: float, width: float) -> tuple[float, float]:
    """Return the scores between which odds are within a width of the middle."""
    if platt.slope == 0.0:
        goes_on = abs(platt.intercept - middle) < width
        return (-np.inf, np.inf) if goes_on else (np.inf, -np.inf)
    edges = (middle - platt.intercept + np.array([-width, width])) / platt.slope
    return float(edges[0]), float(edges[1])


def _rate_bounds(shares, sure: float) -> tuple[float, float]:
    at = int(np.argmax(shares.rates >= sure))
    is_reached = shares.rates[at] >= sure
    return -np.inf, float(shares.scores[at]) if is_reached else np.inf
