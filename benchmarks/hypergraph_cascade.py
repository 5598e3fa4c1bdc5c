"""The hypergraph cascade beside every other method, under one rule for all.

Run as ``python -m benchmarks.hypergraph_cascade``; writes
``benchmarks/results/hypergraph_cascade.json`` and, for the docs, ``.md`` beside it.
``--tiny`` runs every line on a few rows, to see that it works; ``--worlds`` and
``--seeds`` run a part.

The rule: a method is trained on training rows; each of its models (all variants, all
points of their paths) has its threshold tuned and its cost measured on validation rows;
within a budget the model of the best validation score is taken; test rows report only.
The answer that computes nothing is free for everybody. Methods of the library that are
not there are left out; those that cannot take a data set are named with the reason.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from benchmarks.machine import machine
from solvers import (
    Dataset,
    Frontier,
    FrontierPoint,
    ThriftscopeError,
    all_datasets,
    all_methods,
    evaluate,
    split_dataset,
)
from solvers.evaluation import Split
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier, Policy

RESULTS = Path(__file__).parent / "results" / "hypergraph_cascade.json"
# None of them was looked at while the method was made.
SEEDS = tuple(range(1000, 1005))
SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
ACCOUNTINGS = ("mean", "p95", "max")
OURS = "hypergraph cascade"
TINY_ROWS = 400

# What is tried of each method: every path of every variant competes on validation rows.
VARIANTS = {
    OURS: ("hypergraph_cascade", [{}]),
    f"{OURS}, routed": ("hypergraph_cascade", [{"routing": 2, "stages": 50}]),
    f"{OURS}, expanded": ("hypergraph_cascade", [{"model": "expanded"}]),
    "DAG, t = 9": ("dag", [{"n_increments": 9}]),
    "DAG, t = 3": ("dag", [{"n_increments": 3, "step_budget": 0.12}]),
    "forward selection": ("forward_selection", [{}]),
    "L1": ("l1", [{}]),
    "reweighted L1": ("reweighted_l1", [{}]),
    "ACAFH": ("acafh", [{"p": 0.5}, {"p": 0.2}]),
    "CSTC": ("cstc", [{"depth": 2}, {"depth": 3}]),
    "Greedy Miser": ("greedy_miser", [{}]),
    "LightGBM with costs": ("cegb", [{}]),
    "TEFE, gap": (
        "tefe",
        [
            {"confidence": "gap", "order": order, "C": C}
            for order in ("marginal", "value")
            for C in (0.1, 1.0)
        ],
    ),
    "TEFE, calibrated": (
        "tefe",
        [
            {"confidence": "calibrated", "order": order, "C": C}
            for order in ("marginal", "value")
            for C in (0.1, 1.0)
        ],
    ),
    "static prefix": (
        "static_prefix",
        [{"order": order} for order in ("marginal", "value")],
    ),
    "csNB": ("csnb", [{}]),
    "csDT": ("csdt", [{}]),
}

# ------------------------------------------------------------------------------ worlds


def _generated(name, n_samples, **options):
    def make(seed, tiny):
        rows = TINY_ROWS if tiny else n_samples
        data = all_datasets()[name](n_samples=rows, random_state=seed, **options)
        return split_dataset(data, seed)

    return make


def _bundled(name):
    def make(seed, tiny):
        data = all_datasets()[name]()
        if tiny and name != "scenes":
            data = _some(data, np.arange(data.n_samples) < TINY_ROWS)
        return split_dataset(data, seed)

    return make


def _some(data: Dataset, chosen) -> Dataset:
    return replace(data, X=data.X[chosen], y=data.y[chosen])


def rare_positives(seed, tiny):
    """One row in twenty is positive, everywhere."""
    rows = 3 * TINY_ROWS if tiny else 30_000
    data = all_datasets()["gaussian"](psi=0.1, n_samples=rows, random_state=seed)
    positive = data.y == data.positive
    wanted = int((~positive).sum() / 19)
    kept = ~positive
    kept[np.flatnonzero(positive)[:wanted]] = True
    return split_dataset(_some(data, kept), seed)


def prior_shift(seed, tiny):
    """Four of five positives are gone from the test rows, and only from them."""
    split = _generated("gaussian", 20_000, psi=0.1)(seed, tiny)
    test = split.rows["test"]
    positive = np.flatnonzero(split.y("test") == split.dataset.positive)
    gone = np.random.default_rng(seed).permutation(positive)[: len(positive) * 4 // 5]
    rows = {**split.rows, "test": np.delete(test, gone)}
    return Split(split.dataset, rows)


WORLDS = {
    "signals": _bundled("signals"),
    "gaussian, psi .1": _generated("gaussian", 20_000, psi=0.1),
    "gaussian, psi .3": _generated("gaussian", 20_000, psi=0.3),
    "gaussian, psi .5": _generated("gaussian", 20_000, psi=0.5),
    "sources": _generated("sources", 20_000),
    "regions": _generated("regions", 6000),
    "breast_cancer": _bundled("breast_cancer"),
    "scenes, ten classes": _bundled("scenes"),
    "rare positives": rare_positives,
    "prior shift": prior_shift,
}
# Data sets that a world needs, where its name is not theirs.
NEEDS = {"regions": "regions"}

# ------------------------------------------------------------------------------- points


def points_of(method: str, variants, split: Split, accounting: str, tiny: bool):
    """Return every point that a row may choose from, for one accounting."""
    found = []
    for params in [
        {**params, **more} for params in variants for more in _kinds(method)
    ]:
        estimator = all_methods()[method](hypergraph=split.dataset.hypergraph)
        settable = estimator.get_params(deep=False)
        told = {"accounting": accounting, "random_state": 0, **params}
        estimator.set_params(**{k: v for k, v in told.items() if k in settable})
        models = estimator.path(split.X("train"), split.y("train"))
        found += _scored(models, split, method, tiny)
    return found


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


def nothing_computed(split: Split) -> FrontierPoint:
    """The free answer: all positive, or the commonest class of the training rows."""
    positive = split.dataset.positive
    labels, counts = np.unique(split.y("train"), return_counts=True)
    says = positive if positive is not None else labels[np.argmax(counts)]
    scores = {}
    for part in ("validation", "test"):
        share = float(np.mean(split.y(part) == says))
        f1 = 2 * share / (1 + share)
        scores[part] = {
            "f1": f1 if positive is not None else f1 / len(labels),
            "precision": share,
            "recall": 1.0,
            "accuracy": share,
        }
    free = {"mean": 0.0, "p95": 0.0, "max": 0.0}
    none = np.zeros(split.dataset.n_features, dtype=bool)
    return FrontierPoint(
        "nothing", {}, none, 0, 0, free, scores, 0.0, validation_cost=free
    )


def one_threshold(split: Split, tiny: bool) -> list[FrontierPoint]:
    """One calibrated threshold for all of the cascade's own stages: the ablation."""
    hypergraph = split.dataset.hypergraph
    fitted = HypergraphCascadeClassifier(hypergraph)
    fitted.fit(split.X("train"), split.y("train"))
    return _scored(_thresholded(fitted), split, "one threshold", tiny)


def _thresholded(fitted) -> Iterator[HypergraphCascadeClassifier]:
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
                model = copy.copy(fitted)
                policy = Policy(number, (low,), (high,), 0.0, 0.0, 0.0, 0.0, 0.0)
                model.policies_ = (policy,)
                yield model


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


# --------------------------------------------------------------------------- comparison


def compare(split: Split, tiny: bool) -> tuple[dict, dict]:
    """Return what every row is worth at every budget, and why rows are missing."""
    floor = nothing_computed(split)
    rows, missing = {}, {}
    for name, (method, variants) in VARIANTS.items():
        reason = _why_not(method, split)
        if reason:
            missing[name] = reason
            continue
        shared = "accounting" not in all_methods()[method]().get_params()
        found, row = [], {}
        for accounting in ACCOUNTINGS:
            if not found or not shared:
                try:
                    found = points_of(method, variants, split, accounting, tiny)
                except ThriftscopeError as error:
                    missing[name] = str(error)
                    break
            row[accounting] = summary([floor, *found], accounting, split)
        else:
            rows[name] = row
    found = one_threshold(split, tiny)
    rows["one calibrated threshold, same stages"] = {
        accounting: summary([floor, *found], accounting, split)
        for accounting in ACCOUNTINGS
    }
    return rows, missing


def _why_not(method: str, split: Split) -> str:
    if method not in all_methods():
        return "not in this version of the library"
    takes_many = all_methods()[method]().__sklearn_tags__().classifier_tags.multi_class
    if split.dataset.positive is None and not takes_many:
        return "takes two classes only"
    return ""


def summary(points, accounting: str, split: Split) -> dict:
    """Return test scores within shares of the full cost, chosen on validation rows."""
    score = "f1" if split.dataset.positive is not None else "accuracy"
    full = split.dataset.hypergraph.total_cost
    frontier = Frontier(points, accounting, score)
    chosen = [frontier.best_within(share * full * (1 + 1e-9)) for share in SHARES]
    return {
        "score": [point.scores["test"][score] for point in chosen],
        "paid": [point.cost[accounting] / full for point in chosen],
        "hypervolume": frontier.hypervolume(full),
        "models": len(points) - 1,
        "seconds": sum(point.seconds for point in points),
    }


def paired(runs: list[dict]) -> dict:
    """Return means over seeds, and ours minus each other row with standard errors."""
    table = {}
    for accounting in ACCOUNTINGS:
        ours = np.array([run[OURS][accounting]["score"] for run in runs])
        table[accounting] = {}
        for name in runs[0]:
            if any(name not in run for run in runs):
                continue
            parts = [run[name][accounting] for run in runs]
            scores = np.array([part["score"] for part in parts])
            entry = {
                key: np.mean([part[key] for part in parts], axis=0).tolist()
                for key in ("score", "paid", "hypervolume", "models", "seconds")
            }
            if name != OURS:
                ahead = ours - scores
                entry["ours ahead by"] = ahead.mean(axis=0).tolist()
                if len(runs) > 1:
                    error = ahead.std(axis=0, ddof=1) / np.sqrt(len(runs))
                    entry["standard error"] = error.tolist()
            table[accounting][name] = entry
    return table


# --------------------------------------------------------------------------------- time


def training(tiny: bool) -> dict:
    """Train 25 stages on 5000 rows of 100 features, and look budgets up."""
    split = _generated("gaussian", 10_000, psi=0.1)(0, tiny)
    model = HypergraphCascadeClassifier(split.dataset.hypergraph, stages=25)
    seconds = []
    for _ in range(1 if tiny else 6):
        started = time.process_time()
        clone(model).fit(split.X("train"), split.y("train"))
        seconds.append(time.process_time() - started)
    model.fit(split.X("train"), split.y("train"))
    budgets = np.linspace(0, split.dataset.hypergraph.total_cost, 500)
    started = time.perf_counter()
    for budget in budgets:
        _ = model.at_budget(budget).policy_
    return {
        "rows x features": split.X("train").shape,
        "processor seconds, first run left out": seconds[1:] or seconds,
        "policies compared": model.n_policies_,
        "look-up, ms": 1e3 * (time.perf_counter() - started) / len(budgets),
    }


def overhead(tiny: bool) -> dict:
    """Time decisions alone on images, against what the cheapest stage computes."""
    data = all_datasets()["scenes"]()
    model = HypergraphCascadeClassifier(data.hypergraph, objective="accuracy")
    model.fit(data.X[100:], data.y[100:])
    model = model.at_budget(0.3 * data.hypergraph.total_cost)
    names = data.hypergraph.features
    deciding, measured, charged = [], [], []
    for number in range(10 if tiny else 100):
        known = dict(zip(names, data.X[number].tolist(), strict=True))
        journeys = [model.predict_one(known.__getitem__) for _ in range(5)]
        deciding.append(min(journey.seconds for journey in journeys))
        journey = model.predict_one(data.pipeline.open(data.samples[number]))
        measured.append(journey.seconds)
        charged.append(journey.cost)
    priced = [row.cost for row in model.stage_table() if row.cost > 0]
    return {
        "deciding, us a row": 1e6 * float(np.mean(deciding)),
        "measured with extraction, us a row": 1e6 * float(np.mean(measured)),
        "charged, us a row": float(np.mean(charged)),
        "cheapest stage, us": min(priced),
    }


# ------------------------------------------------------------------------------- output


def markdown(results: dict) -> str:
    """Return one table a world and accounting, as the docs show them."""
    lines = []
    head = " | ".join(f"{share:.0%}" for share in SHARES)
    for world, found in results["worlds"].items():
        for accounting, rows in found["table"].items():
            lines += [f"{world}, {accounting} cost, {found['seeds']} seeds:", ""]
            lines += [f"| method | {head} | area |", "|---" * (len(SHARES) + 2) + "|"]
            for name, entry in rows.items():
                cells = " | ".join(f"{value:.3f}" for value in entry["score"])
                lines.append(f"| {name} | {cells} | {entry['hypervolume']:.3f} |")
                if "standard error" in entry:
                    pairs = zip(
                        entry["ours ahead by"], entry["standard error"], strict=True
                    )
                    ahead = " | ".join(f"{a:+.3f} ± {e:.3f}" for a, e in pairs)
                    lines.append(f"| ours ahead by | {ahead} | |")
            lines.append("")
        for name, reason in found["missing"].items():
            lines.append(f"Left out: {name}, {reason}.")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true", help="a few rows, two seeds")
    parser.add_argument("--seeds", type=int, default=len(SEEDS))
    parser.add_argument("--worlds", nargs="*", default=list(WORLDS))
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    results = {"environment": machine(), "shares of the full cost": SHARES}
    results["worlds"] = {}
    with threadpool_limits(1):
        fill(results, options)
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    options.out.with_suffix(".md").write_text(markdown(results) + "\n", "utf-8")
    print(json.dumps({key: results[key] for key in ("training", "overhead")}, indent=1))


def fill(results: dict, options: argparse.Namespace) -> None:
    """Add what every world gives, and the times."""
    for world in options.worlds:
        if NEEDS.get(world, "gaussian") not in all_datasets():
            print(f"{world}: no such data set in this version")
            continue
        runs, missing = [], {}
        for seed in SEEDS[: 2 if options.tiny else options.seeds]:
            started = time.perf_counter()
            rows, absent = compare(WORLDS[world](seed, options.tiny), options.tiny)
            runs.append(rows)
            missing |= absent
            print(f"{world}, seed {seed}: {time.perf_counter() - started:.0f} s")
        results["worlds"][world] = {
            "seeds": len(runs),
            "missing": missing,
            "table": paired(runs),
            "runs": runs,
        }
    results["training"] = training(options.tiny)
    results["overhead"] = overhead(options.tiny)


if __name__ == "__main__":
    main()
