"""ECA-Trim: time and evaluations against exhaustive and published search.

Run with ``python -m benchmarks.eca_trim``; it writes ``results/eca_trim.json`` beside
this file. Every search is timed with its table of decisions, from the classifier to
the trimming, on one thread; the start of Python is not in it. The rivals search the
same tables, so that what differs is how they search. All of them agree on the optimum,
or the run fails.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import networkx
import numpy as np
import opt_einsum
import scipy
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

from solvers.bayes import (
    BayesianClassifier,
    BayesianNetwork,
    classic_network,
    information_gain_selection,
    learn_cut_points,
    learn_naive_bayes,
    learn_tan,
    maximum_achievable_agreement,
    score_affordable_subsets,
    search_trimmings,
    trim,
)
from solvers.bayes.cuts import all_cuts, potential
from solvers.bayes.masses import sum_axes
from solvers.errors import NetworkError

RESULTS = Path(__file__).parent / "results" / "eca_trim.json"
REPETITIONS = 5
THRESHOLDS = np.arange(1, 10) / 10
FEW = (0.3, 0.5, 0.7)  # where nine would take minutes
LARGE_NETWORKS = ("hailfinder", "andes", "pathfinder", "pigs")
SIZES = (8, 10, 12, 13, 14, 16, 19, 20, 22, 24)
# Above these a rival would take minutes; it is skipped, and that is written down.
MOST_FEATURES_OF_RIVALS = 19
# Up to here a rival is timed as often as ours, above in one round.
MOST_REPEATED = 14
# What Table 6 of the paper reports, on the machine and with the code of its authors.
PAPER_SECONDS = {8: 0.039, 12: 1.085, 13: 2.234, 16: 407.571, 19: 4390.71}

Timed = Callable[[BayesianClassifier, int], tuple[float, int]]


def random_naive_bayes(n: int, seed: int) -> BayesianNetwork:
    """Binary features of mixed strength, as in learned networks."""
    rng = np.random.default_rng(seed)
    prior = rng.uniform(0.2, 0.8)
    tables = {"C": [prior, 1 - prior]}
    for j in range(n):
        centre, spread = rng.uniform(0.15, 0.85), rng.uniform(0, 0.3)
        pair = np.clip([centre + spread / 2, centre - spread / 2], 0.02, 0.98)
        tables[f"F{j}"] = np.column_stack([pair, 1 - pair])
    states = {name: ("0", "1") for name in tables}
    return BayesianNetwork(states, {f"F{j}": ("C",) for j in range(n)}, tables)


def ours(classifier: BayesianClassifier, budget: int) -> tuple[float, int]:
    found = trim(classifier, budget)
    return found.agreement, found.evaluations


def exhaustive(classifier: BayesianClassifier, budget: int) -> tuple[float, int]:
    scored = score_affordable_subsets(classifier, budget)
    return float(scored.agreements.max()), len(scored.masks)


def published(classifier: BayesianClassifier, budget: int) -> tuple[float, int]:
    """Algorithm 1 as printed: features as they stand, every node scored and bounded."""
    lengths = classifier.masses.cardinalities
    naive = classifier.is_naive_bayes
    best, evaluations = 0.0, 0

    def score(included: tuple[int, ...], table: np.ndarray, alive: tuple[int, ...]):
        gone = [j not in included for j in alive]
        signed = sum_axes(table[None], [lengths[j] for j in alive], gone)[0]
        if naive:
            return potential(signed)
        return all_cuts(*classifier.masses.of(included), signed).best()[0]

    def visit(included: tuple[int, ...], free: tuple[int, ...], table: np.ndarray):
        nonlocal best, evaluations
        alive = included + free
        evaluations += 1
        best = max(best, score(included, table, alive))
        if not free or len(included) == budget:
            return
        evaluations += 1
        if potential(table) <= best + 1e-12:
            return
        visit((*included, free[0]), free[1:], table)
        gone = [j == free[0] for j in alive]
        rest = sum_axes(table[None], [lengths[j] for j in alive], gone)[0]
        visit(included, free[1:], rest)

    features = tuple(range(len(lengths)))
    visit((), features, classifier.decisions.signed(features))
    return best, evaluations


def measured(
    search: Timed,
    network: BayesianNetwork,
    features: tuple[str, ...],
    budget: int,
    repetitions: int = REPETITIONS,
) -> dict:
    """Time a search over all thresholds, several times; each starts without tables."""
    state = network.states["C"][0]
    thresholds = THRESHOLDS if len(features) <= MOST_FEATURES_OF_RIVALS else FEW
    found, evaluations, rounds = [], [], []
    for repetition in range(repetitions + 1) if repetitions > 1 else [1]:
        seconds = 0.0
        for threshold in thresholds:
            classifier = BayesianClassifier(network, "C", state, features, threshold)
            started = time.perf_counter()
            value, count = search(classifier, budget)
            seconds += time.perf_counter() - started
            if len(found) < len(thresholds):  # each round finds the same
                found.append(value)
                evaluations.append(count)
        if repetition:
            rounds.append(seconds / len(thresholds))
    return {
        "seconds_median": statistics.median(rounds),
        "seconds_low": min(rounds),
        "seconds_high": max(rounds),
        "rounds": len(rounds),
        "thresholds": len(thresholds),
        "evaluations_mean": statistics.mean(evaluations),
        "agreements": found,
    }


def compared(network: BayesianNetwork, features: tuple[str, ...]) -> dict:
    n, budget = len(features), len(features) // 3
    rows = {"ours": measured(ours, network, features, budget)}
    repetitions = REPETITIONS if n <= MOST_REPEATED else 1
    rivals = {"exhaustive": exhaustive, "published order": published}
    for name, search in rivals.items():
        if n > MOST_FEATURES_OF_RIVALS:
            rows[name] = {"skipped": f"{n} features would take minutes"}
            continue
        rows[name] = measured(search, network, features, budget, repetitions)
        same = np.allclose(rows[name]["agreements"], rows["ours"]["agreements"])
        if not same:
            raise NetworkError(f"{name} and ours differ on {n} features; mend one.")
    for row in rows.values():
        row.pop("agreements", None)
    return {"n_features": n, "budget": budget, "searches": rows}


def naive_bayes_rows() -> Iterator[dict]:
    for n in SIZES:
        features = tuple(f"F{j}" for j in range(n))
        row = compared(random_naive_bayes(n, seed=n), features)
        if n in PAPER_SECONDS:
            row["paper_seconds_on_another_network_and_machine"] = PAPER_SECONDS[n]
        yield row


def learned_rows() -> Iterator[dict]:
    tables = {
        "breast cancer": load_breast_cancer(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "digits, 8 or not": load_digits(return_X_y=True),
    }
    for name, (X, y) in tables.items():
        positive = y == (8 if "digits" in name else 0)
        spread = np.argsort(-X.std(axis=0) / (X.mean(axis=0) + 1), kind="stable")
        chosen = np.sort(spread[:13])
        codes = learn_cut_points(X[:, chosen]).codes(X[:, chosen])
        features = tuple(f"x{j}" for j in range(len(chosen)))
        for model, learn in (("naive Bayes", learn_naive_bayes), ("TAN", learn_tan)):
            network = learn(codes, positive.astype(int), target="C")
            yield {"data": name, "model": model, **compared(network, features)}


def classic_rows() -> Iterator[dict]:
    """Section 6.3: each binary root as the class, the leaves as features."""
    for name in ("alarm", "win95pts"):
        network = classic_network(name)
        seconds, gaps, evaluations = [], [], []
        for root in network.roots:
            if network.cardinality(root) != 2:
                continue
            features = tuple(v for v in network.leaves if v != root)
            state = network.states[root][0]
            classifier = BayesianClassifier(network, root, state, features, 0.5)
            budget = len(features) / 3
            informed = list(information_gain_selection(classifier, budget).features)
            for threshold in THRESHOLDS:
                original = classifier.with_threshold(float(threshold))
                started = time.perf_counter()
                found = trim(original, budget)
                seconds.append(time.perf_counter() - started)
                evaluations.append(found.evaluations)
                rival = maximum_achievable_agreement(original, informed)
                gaps.append(found.agreement - rival.agreement)
        yield {
            "network": name,
            "instances": len(seconds),
            "seconds_median": statistics.median(seconds),
            "seconds_low": min(seconds),
            "seconds_high": max(seconds),
            "evaluations_mean": statistics.mean(evaluations),
            "never_below_information_gain": min(gaps) > -1e-12,
            "above_information_gain": sum(gap > 1e-6 for gap in gaps),
            "largest_gain_over_information_gain": max(gaps),
        }


def large_rows() -> Iterator[dict]:
    """Naive Bayes by meeting in the middle, once each, at threshold 0.3."""
    for n, budget in ((24, 8), (26, 5), (28, 5), (32, 3)):
        network = random_naive_bayes(n, seed=n)
        features = tuple(f"F{j}" for j in range(n))
        classifier = BayesianClassifier(network, "C", "0", features, 0.3)
        started = time.perf_counter()
        found = trim(classifier, budget, seconds=60)
        yield {
            "n_features": n,
            "budget": budget,
            "seconds": time.perf_counter() - started,
            "agreement": found.agreement,
            "proved": found.gap == 0.0,
            "gap": found.gap,
            "evaluations": found.evaluations,
        }


def first_event_rows() -> Iterator[dict]:
    """The wait for the first event, or the refusal, of a search on a large network."""
    for name in LARGE_NETWORKS:
        network = classic_network(name)
        target = next(iter(network.roots))
        features = tuple(v for v in network.leaves if v != target)
        state = network.states[target][0]
        classifier = BayesianClassifier(network, target, state, features, 0.3)
        started, busy = time.perf_counter(), time.process_time()
        try:
            first = next(search_trimmings(classifier, len(features) / 3))
            said = {"agreement": first.best.agreement, "bound": first.best.bound}
        except NetworkError as error:
            said = {"refused": str(error)}
        yield {
            "network": name,
            "variables": len(network.variables),
            "features": len(features),
            "joint_states": float(classifier.n_states),
            "seconds": time.perf_counter() - started,
            "cpu_seconds": time.process_time() - busy,
            **said,
        }


def machine() -> dict:
    load = os.getloadavg()
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent,
    )
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "load_average": load[0],
        "threads": os.environ.get("OMP_NUM_THREADS", "all"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "opt_einsum": opt_einsum.__version__,
        "networkx": networkx.__version__,
        "commit": commit.stdout.strip() or "unknown",
        "date": datetime.now(UTC).date().isoformat(),
    }


def classic_or_reason() -> list[dict]:
    try:
        return list(classic_rows())
    except NetworkError as error:
        return [{"skipped": str(error)}]


def main() -> None:
    result = {
        "what": "mean over thresholds 0.1 to 0.9, budget n // 3; "
        f"median, low and high of {REPETITIONS} rounds after one to warm up; rivals "
        f"with more than {MOST_REPEATED} features in one round",
        "machine": machine(),
        "naive_bayes": list(naive_bayes_rows()),
        "learned": list(learned_rows()),
        "classic_networks": classic_or_reason(),
        "halves": list(large_rows()),
        "first_events": {"machine": machine(), "rows": list(first_event_rows())},
    }
    result["machine"]["load_average_at_end"] = os.getloadavg()[0]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for row in result["naive_bayes"]:
        timed = {
            name: f"{search['seconds_median'] * 1e3:.1f} ms, "
            f"{search['evaluations_mean']:.0f} evaluations"
            for name, search in row["searches"].items()
            if "skipped" not in search
        }
        print(row["n_features"], timed)


if __name__ == "__main__":
    main()
