"""TEFE: how fast its stages are trained, its curve drawn, and what it is worth.

Run as ``python -m benchmarks.tefe``; writes ``benchmarks/results/tefe.json``. Solvers
are timed, scoring is not; the first run of each is a warm-up and is left out. Scores
are over three folds: two train, the third tests.
"""

import json
import os
import platform
import subprocess
import time
import warnings
from pathlib import Path

import numpy as np
import scipy
import sklearn
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC, LinearSVC

from solvers.datasets.makers.scenes import make_scenes
from solvers.methods.csdt import CSDTClassifier
from solvers.methods.csnb import CSNBClassifier
from solvers.methods.jit import JITClassifier
from solvers.methods.relief_svm import ReliefSVMClassifier
from solvers.methods.static_prefix import StaticPrefixClassifier
from solvers.methods.tefe import TEFEClassifier
from solvers.numerics.exit_curve import ExitCurve
from solvers.numerics.svm_machines import solve_prefixes, solve_svms
from solvers.numerics.svm_optimum import primal_objective
from solvers.numerics.svm_path import solution_path
from solvers.numerics.svm_stages import ColumnScale

RESULTS = Path(__file__).parent / "results" / "tefe.json"
REPETITIONS = 5
RIVAL_REPETITIONS = 3
DECISION_ROUNDS = 30
SIZES = ((1000, 60),)
# Orders that are compared, by where the costs come from.
ORDERS = {"measured": ("alone", "value"), "published": ("alone",)}
COST_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
RIVALS = (
    JITClassifier,
    CSDTClassifier,
    CSNBClassifier,
    ReliefSVMClassifier,
    StaticPrefixClassifier,
)


def timed(run, repetitions=REPETITIONS):
    """Return seconds of wall clock: median, fastest and slowest."""
    return timed_in_turn({"run": run}, repetitions)["run"]


def timed_in_turn(runs, repetitions=REPETITIONS):
    """Time several runs in turn, so that what else the machine does meets them all."""
    seconds = {name: [] for name in runs}
    for repetition in range(repetitions + 1):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            if repetition:  # the first is a warm-up
                seconds[name].append(time.perf_counter() - start)
    return {
        name: {
            "median": float(np.median(found)),
            "fastest": min(found),
            "slowest": max(found),
            "repetitions": repetitions,
        }
        for name, found in seconds.items()
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
        "cores": os.cpu_count(),
        "threads": os.environ.get("OMP_NUM_THREADS", "all"),
        "load": list(os.getloadavg()),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "commit": revision.stdout.strip(),
    }


def noisy(n_samples, n_features, seed=0):
    """Normal features; labels by a random plane, with as much noise again."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features))
    scores = X @ rng.standard_normal(n_features)
    noise = np.sqrt(n_features) * rng.standard_normal(n_samples)
    return X, np.where(scores + noise > 0, 1.0, -1.0)


def digits(one, other):
    """Images of two digits, pixels in units of their spread: they hardly overlap."""
    X, y = load_digits(return_X_y=True)
    X, y = X[np.isin(y, (one, other))], y[np.isin(y, (one, other))]
    scale = ColumnScale.of(X, np.ones(len(X)))
    return scale.standardised(X), np.where(y == one, 1.0, -1.0)


# ------------------------------------------------------------------------------ stages


def by_interior_point(X, y):
    caps = np.ones(len(y))
    machines = []
    for end in range(1, X.shape[1] + 1):
        solved = solve_svms(X[:, :end], y[np.newaxis], caps)
        machines.append((solved.coef[0], solved.intercept[0], solved.gap[0]))
    return machines


def by_path(X, y):
    points = solution_path(X, y, np.ones(len(y)))
    return [(p.coef, p.intercept, np.nan) for p in points if p.beta == 0.0]


def by_estimator(make):
    def run(X, y):
        machines = []
        for end in range(1, X.shape[1] + 1):
            model = make().fit(X[:, :end], y)
            machines.append((model.coef_[0], float(model.intercept_[0]), np.nan))
        return machines

    return run


SOLVERS = {
    "interior point": by_interior_point,
    "path": by_path,
    "SVC": by_estimator(lambda: SVC(kernel="linear")),
    "LinearSVC": by_estimator(
        lambda: LinearSVC(loss="hinge", max_iter=20_000, random_state=0)
    ),
}


def stages(n_samples, n_features):
    """Train every stage by every solver; the exact objective is ours, certified."""
    X, y = noisy(n_samples, n_features)
    best = np.array(objectives(by_interior_point(X, y), X, y))
    seconds = timed_in_turn(
        {name: lambda run=run: run(X, y) for name, run in SOLVERS.items()}
    )
    rows = {}
    for name, run in SOLVERS.items():
        machines = run(X, y)
        excess = np.array(objectives(machines, X, y)) / best - 1.0
        gaps = [gap for _, _, gap in machines]
        rows[name] = {
            "seconds": seconds[name],
            "largest excess of the objective": float(excess.max()),
        }
        if not np.isnan(gaps).any():
            rows[name]["largest relative duality gap"] = float(max(gaps))
    return rows


def objectives(machines, X, y):
    caps = np.ones(len(y))
    return [
        primal_objective(X[:, : len(coef)], y, caps, coef, intercept)
        for coef, intercept, _ in machines
    ]


def shapes():
    """Train stages on tables of other shapes and at other C, in turn with SVC."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1000, 60))
    plane = X @ rng.standard_normal(60) + 0.1 * rng.standard_normal(1000)
    tables = {
        "noisy, 1000 x 60": (*noisy(1000, 60), range(1, 61)),
        "nearly separable, 1000 x 60": (
            X,
            np.where(plane > 0, 1.0, -1.0),
            range(1, 61),
        ),
        "noisy, 200 x 1000": (*noisy(200, 1000), range(50, 1001, 50)),
        "noisy, 200 x 200": (*noisy(200, 200), range(10, 201, 10)),
        "noisy, 30 x 4": (*noisy(30, 4), range(1, 5)),
        "digits 3 and 8": (*digits(3, 8), range(2, 65, 2)),
        "digits 4 and 9": (*digits(4, 9), range(2, 65, 2)),
    }
    return {
        f"{name}, C = {C:g}": against_svc(X, y, C, list(ends))
        for name, (X, y, ends) in tables.items()
        for C in (0.1, 1.0, 10.0)
    }


def against_svc(X, y, C, ends):
    caps = np.full(len(y), C)

    def ours():
        return list(solve_prefixes(X, y[np.newaxis], caps, ends))

    def theirs():
        for end in ends:
            SVC(kernel="linear", C=C).fit(X[:, :end], y)

    seconds = timed_in_turn({"here": ours, "SVC": theirs}, RIVAL_REPETITIONS)
    return seconds | {
        "ratio": seconds["SVC"]["median"] / seconds["here"]["median"],
        "largest relative duality gap": max(float(s.gap.max()) for s in ours()),
    }


# ------------------------------------------------------------------------------- curve


def curve():
    """Draw the whole threshold curve of 1000 rows by 28 stages, and look one up."""
    rng = np.random.default_rng(0)
    confidences = rng.exponential(size=(1000, 28))
    called, truth = rng.integers(0, 10, (1000, 28)), rng.integers(0, 10, 1000)
    costs = np.cumsum(rng.random(28))

    def draw():
        return ExitCurve.from_stages(confidences, called, truth, costs, 10)

    def draw_everything():
        drawn = draw()
        return drawn.f1, drawn.exits

    drawn = draw()
    lookups = np.linspace(0, 4, 1000)
    return {
        "cost and accuracy": timed(draw),
        "with F1 and exits": timed(draw_everything),
        "1000 lookups": timed(lambda: [drawn.position(value) for value in lookups]),
    }


# -------------------------------------------------------------------------------- worth


def folds(dataset):
    cut = StratifiedKFold(3, shuffle=True, random_state=0)
    return list(cut.split(dataset.X, dataset.y))


def best_within(points):
    """Return the best accuracy within each share of the full cost, on test rows."""
    costs, scores = np.array(points).T
    return {
        f"{share:.0%}": float(scores[costs <= share + 1e-9].max(initial=0.0))
        for share in COST_SHARES
    }


def cascade_points(dataset, train, test, order):
    """Train once, calibrated, and draw the curve of every confidence."""
    model = TEFEClassifier(dataset.hypergraph, order=order, confidence="calibrated")
    model.fit(dataset.X[train], dataset.y[train])
    points = {}
    for confidence in ("distance", "gap", "calibrated"):
        model.set_params(confidence=confidence)
        drawn = model.exit_curve(dataset.X[test], dataset.y[test])
        shares = drawn.cost / model.stage_costs_[-1]
        name = f"TEFE, {confidence}, {order}"
        points[name] = list(zip(shares, drawn.accuracy, strict=True))
    return points


def rival_points(dataset, train, test, method):
    full = dataset.hypergraph.total_cost
    return [
        (
            model.prediction_cost(dataset.X[test]).mean() / full,
            model.score(dataset.X[test], dataset.y[test]),
        )
        for model in method(dataset.hypergraph).path(dataset.X[train], dataset.y[train])
    ]


def worth(costs):
    """Trace what every method gets right within shares of the full cost."""
    dataset = make_scenes(costs=costs)
    parts = []
    for train, test in folds(dataset):
        points = {m.title: rival_points(dataset, train, test, m) for m in RIVALS}
        for order in ORDERS[costs]:
            points |= cascade_points(dataset, train, test, order)
        parts.append({name: best_within(found) for name, found in points.items()})
    return {
        name: {
            share: float(np.mean([part[name][share] for part in parts]))
            for share in shares
        }
        for name, shares in parts[0].items()
    }


def training_of_scenes():
    dataset = make_scenes()

    def run(solver):
        return TEFEClassifier(dataset.hypergraph, solver=solver).fit(
            dataset.X, dataset.y
        )

    return {
        "interior point": timed(lambda: run("interior_point"), RIVAL_REPETITIONS),
        "largest relative duality gap": float(run("interior_point").stage_gap_.max()),
    }


def journeys():
    """Compare the measured time of lazy predictions with what they should cost."""
    dataset = make_scenes()
    model = TEFEClassifier(dataset.hypergraph, confidence="gap", threshold=1.0)
    model.fit(dataset.X[100:], dataset.y[100:])
    seconds, costs = [], []
    for image in dataset.samples:
        journey = model.predict_one(dataset.pipeline.open(image))
        seconds.append(journey.seconds)
        costs.append(journey.cost)
    return {
        "measured, mean us": float(1e6 * np.mean(seconds)),
        "predicted, mean us": float(np.mean(costs)),
        "all features, us": float(model.stage_costs_[-1]),
    }


def deciding():
    """Time decisions alone on images, per stage asked, beside extracting a stage.

    All features are known, so that what is left is reading them and deciding; reading
    alone is taken off. The least of many rounds, everything in turn.
    """
    dataset = make_scenes()
    X, y, names = dataset.X, dataset.y, dataset.hypergraph.features
    model = TEFEClassifier(dataset.hypergraph, confidence="gap").fit(X[200:], y[200:])
    budget = 0.3 * model.stage_costs_[-1]
    model.set_params(threshold=model.threshold_for(budget, X[:200]))
    tables = [dict(zip(names, row, strict=True)) for row in X[:50].tolist()]
    walker = model.walker()
    ways = [walker.walk(table.__getitem__) for table in tables]
    first = ways[0].stops[0].features
    runs = {
        "decide": walker.decide,
        "walk": walker.walk,
        "reading": None,
    }
    least = {name: np.full(len(tables), np.inf) for name in (*runs, "extracting")}
    for _ in range(DECISION_ROUNDS):
        for i, (table, way) in enumerate(zip(tables, ways, strict=True)):
            read = table.__getitem__
            for name, run in runs.items():
                start = time.perf_counter()
                run(read) if run else [*map(read, way.features)]
                least[name][i] = min(least[name][i], time.perf_counter() - start)
            sample = dataset.pipeline.open(dataset.samples[i]).feature
            start = time.perf_counter()
            [*map(sample, first)]
            least["extracting"][i] = min(
                least["extracting"][i], time.perf_counter() - start
            )
    mean = {name: 1e6 * float(found.mean()) for name, found in least.items()}
    stages = float(np.mean([len(way.stops) for way in ways]))
    added = {
        name: (mean[name] - mean["reading"]) / stages for name in ("decide", "walk")
    }
    return {
        "stages asked a row": stages,
        "us a row": mean,
        "us a stage, reading left out": added,
        "first stage charged, us": float(model.stage_costs_[0]),
        "first stage extracted here, us": mean["extracting"],
        "share of the first stage extracted": {
            name: found / mean["extracting"] for name, found in added.items()
        },
        "stages charged, us": np.diff(model.stage_costs_, prepend=0.0).tolist(),
    }


def main():
    warnings.simplefilter("ignore", ConvergenceWarning)  # LinearSVC's, told by excess
    results = {
        "environment": environment(),
        "stages": {f"{n} x {m}": stages(n, m) for n, m in SIZES},
        "shapes": shapes(),
        "curve, 1000 x 28": curve(),
        "scenes, 10 classes, 28 stages": training_of_scenes(),
        "journeys": journeys(),
        "deciding": deciding(),
        "best test accuracy within a share of the cost": {
            costs: worth(costs) for costs in ("measured", "published")
        },
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
