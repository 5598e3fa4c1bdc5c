"""FFTrees' own split of heart disease: what 150 rows choose, on the other 153.

Protocol, fixed before a test row was looked at: each of `METHODS`, at every value of
its path on the 150 rows, is judged by three times five folds of these rows. Of what
costs at most the tree's 123.21 a row on average, the best pooled F1 is chosen, with the
threshold that gives it; that one is trained on all 150 rows, and asked once.
"""

import warnings

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.known_answers.answers import Answer, f1, resampled_error
from solvers import all_methods
from solvers.datasets import make_heart
from solvers.datasets.splits import Split
from solvers.decisions.scores import best_threshold

BUDGET = 123.21
#: F1 as recomputed on these rows; all but the tree use all columns.
PRINTED = {"tree": (0.8205, 123.21), "forest": (0.843, 323.97), "SVM": (0.815, 323.97)}
PRINTED["logistic regression"] = (0.780, 323.97)
#: Those whose whole path takes less than two minutes for the fifteen folds.
METHODS = (
    *("acafh", "cegb", "csdt", "csnb", "dag", "forward_selection"),
    *("hypergraph_cascade", "jit", "l1", "look_ahead", "reweighted_l1"),
)
REPEATS, FOLDS = 3, 5


def tree_calls(data, rows):
    """What FFTrees' tree calls each row, and what it pays: thal, then cp, then ca."""
    names, schema = data.feature_names, tuple(data.schema)

    def is_one_of(name, *words):
        told = schema[names.index(name)].values
        codes = [told.index(word) for word in words]
        return np.isin(data.X[rows, names.index(name)], codes)

    defect = is_one_of("thal", "reversable defect", "fixed defect")
    pain = is_one_of("cp", "asymptomatic")
    vessels = data.X[rows, names.index("ca")] > 0
    needs = {"thal": np.ones(len(rows), bool), "cp": ~defect, "ca": ~defect & pain}
    acquired = np.zeros((len(rows), len(names)), dtype=bool)
    for name, who in needs.items():
        acquired[:, names.index(name)] = who
    return defect | (pain & vessels), data.hypergraph.cost_rows(acquired)


def candidates(name, data, rows):
    """Cross-validated F1, threshold and mean cost of every model along a path.

    `rows`: those that train; a list of (f1, cost, knob, value, threshold).
    """
    truth = data.y[rows] == data.positive
    whole = _split(data, rows, rows)
    method = all_methods()[name]
    values = [
        model.get_params(deep=False)[method.path_knob]
        for model in _method(name, whole).path(whole.X("train"), whole.y("train"))
    ]
    values = list(dict.fromkeys(values))
    scores = np.zeros((REPEATS, len(values), len(rows)))
    costs = np.zeros_like(scores)
    for repeat in range(REPEATS):
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
        for given, held in folds.split(rows, truth):
            split = _split(data, rows[given], rows[held])
            trained = _trained(name, split)
            for k, value in enumerate(values):
                said = trained(value).decide(split.X("test"))
                used = split.features_of(said.acquired)
                scores[repeat, k, held] = said.scores
                costs[repeat, k, held] = data.hypergraph.cost_rows(used)
    found = []
    for k, value in enumerate(values):
        cuts = [best_threshold(one, truth) for one in scores[:, k]]
        told = [
            f1(one >= cut, truth) for one, cut in zip(scores[:, k], cuts, strict=True)
        ]
        entry = (float(np.mean(told)), float(costs[:, k].mean()), method.path_knob)
        found.append((*entry, value, float(np.median(cuts))))
    return found


def _trained(name, split):
    """What gives the model at a value of the path's knob."""
    method = _method(name, split)
    X, y = split.X("train"), split.y("train")
    if hasattr(method, "at_budget"):  # one training for every budget
        return method.fit(X, y).at_budget
    refit = method.refitter(X, y)
    return lambda value: refit(**{method.path_knob: value})


def _method(name, split):
    model = all_methods()[name](hypergraph=split.hypergraph)
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=0)
    return model


def _split(data, train, test):
    return Split(data, {"train": train, "validation": test, "test": test})


def measure(names=METHODS):
    """Every line of the page, and what cross-validation said."""
    data = make_heart(split="FFTrees")
    train, test = (np.flatnonzero(data.roles.part == p) for p in ("train", "test"))
    truth = data.y[test] == data.positive
    tree, paid = tree_calls(data, test)
    assert abs(f1(tree, truth) - PRINTED["tree"][0]) < 1e-4
    assert abs(paid.mean() - BUDGET) < 0.01
    best = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            within = [c for c in candidates(name, data, train) if c[1] <= BUDGET]
            if within:
                best[name] = max(within, key=lambda c: (c[0], -c[1]))
            print(f"heart {name}: {best.get(name)}", flush=True)
        table = {name: _tested(name, best[name], data, train, test) for name in best}
    chosen = max(best, key=lambda name: (best[name][0], -best[name][1]))
    answers = []
    for who, (score, price) in PRINTED.items():
        called, cost = table[chosen][:2]
        rivals = tree if who == "tree" else None
        error = (
            resampled_error(f1, (called, rivals, truth))
            if who == "tree"
            else _alone(called, truth)
        )
        answers.append(
            Answer(
                problem="Heart disease, FFTrees' split",
                who=f"FFTrees' {who}, at {price:.2f} CAD",
                score="F1",
                budget=f"{BUDGET} CAD a row",
                theirs=score,
                ours=float(f1(called, truth)),
                method=all_methods()[chosen].title,
                error=error,
                n="153 test rows, resampled"
                + (
                    ""
                    if who == "tree"
                    else "; of ours alone, as their rows are not known"
                ),
                note=f"{cost.mean():.2f} CAD a row, {cost.max():.2f} at most; "
                f"F1 {best[chosen][0]:.3f} in cross-validation",
            )
        )
    return [one.row() for one in answers], {"methods": _kept(best, table, truth)}


def _tested(name, candidate, data, train, test):
    *_, value, cut = candidate
    split = _split(data, train, test)
    said = _trained(name, split)(value).decide(split.X("test"))
    used = split.features_of(said.acquired)
    return said.scores >= cut, data.hypergraph.cost_rows(used)


def _alone(called, truth):
    never = np.zeros(len(truth), dtype=bool)
    return resampled_error(f1, (called, never, truth))


def _kept(best, table, truth):
    return {
        name: {
            "cross-validated f1": round(best[name][0], 4),
            "cross-validated cost": round(best[name][1], 2),
            "test f1": round(float(f1(table[name][0], truth)), 4),
            "test cost": round(float(table[name][1].mean()), 2),
            "test cost at most": round(float(table[name][1].max()), 2),
        }
        for name in best
    }
