"""Structured costs: how long, how costly, how near to the optimum.

Run as ``python -m benchmarks.csmn``; writes ``benchmarks/results/csmn.json``.
``python -m benchmarks.csmn claims`` judges the paper's claims anew, alone. Training
and prediction are timed, scoring is not; the first run of each is a warm-up and is left
out. Costs are those of test graphs: two of three graphs train, the third tests.
"""

import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import scipy

from solvers.markov import (
    ConstantLabelClassifier,
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    TruthClassifier,
    compare,
    exact_minimum,
    grow_graphs,
    minimise_energy,
    misclassification_cost,
    sensor_folds,
    simulate_lab,
    summarise,
    take_snapshots,
    trace_curve,
)
from solvers.papers.csmn import claims_table

RESULTS = Path(__file__).parent / "results" / "csmn.json"
REPETITIONS = 5
SIZES = (300, 5000)
AGREEMENTS = np.linspace(0.5, 1.0, 11)
SEEDS = range(3)
# For the claims, as `claims_table` has it.
CLAIM_SEEDS = 4

CLASSIFIERS = {
    "one label": ConstantLabelClassifier(0),
    "truth": TruthClassifier(),
    "LOGREG": NodeLogisticClassifier(),
    "LOGREG with edges": NodeLogisticClassifier(edge_aware=True),
    "MN": MarkovNetworkClassifier(),
    "MN (2006)": MarkovNetworkClassifier("warm"),
    "MN (tree-reweighted)": MarkovNetworkClassifier("tree-reweighted"),
    "MN (pseudo-likelihood)": MarkovNetworkClassifier("pseudo-likelihood"),
    "CSMN": CostSensitiveMarkovNetwork(),
    "CSMN, averaged": CostSensitiveMarkovNetwork(average=True),
    "CSMN w/o CSINF": CostSensitiveMarkovNetwork(cost_sensitive_inference=False),
}


def timed(run, repetitions=REPETITIONS):
    """Return seconds of wall clock and of processor: median, fastest and slowest.

    On a machine that others use too, the two differ by how long one had to wait.
    """
    run()
    wall, processor = [], []
    for _ in range(repetitions):
        start = time.perf_counter(), time.process_time()
        run()
        wall.append(time.perf_counter() - start[0])
        processor.append(time.process_time() - start[1])
    return {
        "median": float(np.median(wall)),
        "fastest": min(wall),
        "slowest": max(wall),
        "processor median": float(np.median(processor)),
        "repetitions": repetitions,
    }


def environment():
    revision = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    )
    return {
        "machine": platform.machine(),
        "system": platform.system(),
        "cores": os.cpu_count(),
        "threads": os.environ.get("OMP_NUM_THREADS", "all"),
        "load before": os.getloadavg()[0],
        "commit": revision.stdout.strip() or "unknown",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }


def comparisons():
    """The paper's four classifiers, three folds."""
    for n_nodes in SIZES:
        graphs = grow_graphs(3, n_nodes, random_state=0)
        repetitions = REPETITIONS if n_nodes < 1000 else 5
        yield {
            "nodes": n_nodes,
            "edges": [graph.n_edges for graph in graphs],
            "seconds": timed(lambda graphs=graphs: list(compare(graphs)), repetitions),
            "target": {300: 0.3, 5000: 2.0}[n_nodes],
        }


def curve():
    """Eleven points of Figure 1: time to the first, and to all."""

    def first():
        points = trace_curve("label_agreement", AGREEMENTS)
        next(points)
        points.close()

    return {
        "points": len(AGREEMENTS),
        "seconds to the first": timed(first),
        "seconds to all": timed(
            lambda: list(trace_curve("label_agreement", AGREEMENTS)), 5
        ),
    }


def parts():
    """Fitting and deciding, classifier by classifier."""
    for n_nodes in SIZES:
        *training, test = grow_graphs(3, n_nodes, random_state=0)
        repetitions = REPETITIONS if n_nodes < 1000 else 5
        for name, model in CLASSIFIERS.items():
            model.fit(training)
            yield {
                "nodes": n_nodes,
                "method": name,
                "fit": timed(lambda m=model, t=training: m.fit(t), min(repetitions, 5)),
                "predict": timed(lambda m=model, t=test: m.predict(t), repetitions),
                "test cost": misclassification_cost(test, model.predict(test)),
            }


def decoding():
    """Energy of our decoding against the optimum that HiGHS proves."""
    for n_nodes in SIZES:
        *training, test = grow_graphs(3, n_nodes, random_state=1)
        energies = MarkovNetworkClassifier().fit(training).decide(test).energies
        ours, optimum = minimise_energy(energies), exact_minimum(energies)
        yield {
            "nodes": n_nodes,
            "energy above the optimum": energies.total(ours) - energies.total(optimum),
            "ours": timed(lambda e=energies: minimise_energy(e), 5),
            "HiGHS": timed(lambda e=energies: exact_minimum(e), 5),
        }


def test_costs():
    """Mean cost of a test graph, over seeds and folds."""
    for agreement in (0.6, 0.75, 0.85, 0.95):
        results = []
        for seed in SEEDS:
            graphs = grow_graphs(3, label_agreement=agreement, random_state=seed)
            results.extend(compare(graphs, CLASSIFIERS))
        for summary in summarise(results):
            yield {"label agreement": agreement, **vars(summary)}


def bounds():
    """How far the labels found may be from the smallest objective, in nats."""
    for n_nodes in SIZES:
        for average in (False, True):
            traces = []
            for seed in SEEDS:
                *training, test = grow_graphs(3, n_nodes, random_state=seed)
                model = CostSensitiveMarkovNetwork(average=average).fit(training)
                traces.append(model.trace(test))
            yield {
                "nodes": n_nodes,
                "averaged": average,
                "gaps": [trace.gap for trace in traces],
                "periods": [trace.period for trace in traces],
            }


def priors():
    """CSMN's mean test cost for several λ."""
    chosen = {
        f"{a:g}": CostSensitiveMarkovNetwork(alpha=a) for a in (0.1, 1, 5, 20, 60)
    }
    for agreement in (0.7, 0.85, 1.0):
        results = []
        for seed in SEEDS:
            graphs = grow_graphs(3, label_agreement=agreement, random_state=seed)
            results.extend(compare(graphs, chosen))
        costs = {s.method: (s.cost, s.standard_error) for s in summarise(results)}
        yield {"label agreement": agreement, "cost and standard error": costs}


def collapses():
    """Weak attributes: how far one label takes over, by how MN is trained."""
    for training in ("cold", "warm", "tree-reweighted", "exact"):
        rows = []
        for seed in SEEDS:
            *graphs, test = grow_graphs(
                3, label_agreement=0.8, attribute_strength=0.15, random_state=seed
            )
            model = MarkovNetworkClassifier(training).fit(graphs)
            decision = model.decide(test)
            report = model.health(test, decision)
            cost = misclassification_cost(test, decision.labels)
            rows.append((report.one_class_share, report.nats_above_cold, cost))
        shares, above, costs = zip(*rows, strict=True)
        yield {
            "training": training,
            "share of one label": shares,
            "nats above cold": above,
            "test costs": costs,
        }


def sensors():
    """One comparison on the made-up laboratory, at γ = 1."""
    readings = simulate_lab(9, random_state=0)
    snapshots = take_snapshots(readings, max_snapshots=12)
    start = time.perf_counter()
    results = list(compare(sensor_folds(readings, snapshots), CLASSIFIERS))
    seconds = time.perf_counter() - start
    return {
        "snapshots": len(snapshots),
        "seconds for all": seconds,
        "costs": [vars(summary) for summary in summarise(results)],
    }


def claims():
    """What the paper says and what came out, each with its computed verdict."""
    start = time.process_time()
    rows = claims_table(n_seeds=CLAIM_SEEDS)
    return {
        "commit": environment()["commit"],
        "seeds": CLAIM_SEEDS,
        "processor seconds": time.process_time() - start,
        "rows": rows,
    }


def write(report):
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


def main(parts_wanted=()):
    if "claims" in parts_wanted:
        write(json.loads(RESULTS.read_text()) | {"claims": claims()})
        return
    report = {
        "environment": environment(),
        "comparison": list(comparisons()),
        "curve": curve(),
        "parts": list(parts()),
        "decoding": list(decoding()),
        "costs (two of three graphs train, one tests)": list(test_costs()),
        "sensors (two of three folds train, one tests)": sensors(),
        "bounds": list(bounds()),
        "priors (two of three graphs train, one tests)": list(priors()),
        "collapses": list(collapses()),
        "claims": claims(),
    }
    report["environment"]["load after"] = os.getloadavg()[0]
    write(report)
    for row in report["comparison"]:
        seconds = row["seconds"]
        print(
            f"{row['nodes']} nodes: {seconds['median']:.3f} s "
            f"({seconds['fastest']:.3f} to {seconds['slowest']:.3f}), of it "
            f"{seconds['processor median']:.3f} s of processor, "
            f"target {row['target']} s"
        )
    print(f"written to {RESULTS.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
