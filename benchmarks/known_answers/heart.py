"""FFTrees' own split of heart disease: what 150 rows choose, on the other 153.

Protocol, fixed before a test row was asked: each method, at every value of its path's
knob on the 150 rows, is judged by ten times five folds of these rows. Of what costs at
most the tree's 123.21 a row on average, the best mean F1 is chosen, with the median of
the thresholds that give it; that one is trained on all 150 rows, and asked once.
Whether other ways of choosing would do better is asked of the 150 rows alone
(`choosing`).
"""

import warnings

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.known_answers import choosing
from benchmarks.known_answers.answers import Answer, f1, resampled_error
from solvers import all_methods
from solvers.datasets import make_heart
from solvers.datasets.splits import Split
from solvers.decisions.scores import best_threshold

BUDGET = 123.21
#: F1 as recomputed on these rows; all but the tree use all columns.
PRINTED = {"tree": (0.8205, 123.21), "forest": (0.843, 323.97), "SVM": (0.815, 323.97)}
PRINTED["logistic regression"] = (0.780, 323.97)
REPEATS, FOLDS = 10, 5


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


def held_out(name, data, rows, repeats=REPEATS):
    """What every model along a path says of rows that it was not trained on.

    `rows`: those that train; values of the knob, scores and costs of shape (repeats,
    n_values, n_rows).
    """
    truth = data.y[rows] == data.positive
    whole = _split(data, rows, rows)
    method = all_methods()[name]
    values = [
        model.get_params(deep=False)[method.path_knob]
        for model in _method(name, whole).path(whole.X("train"), whole.y("train"))
    ]
    values = list(dict.fromkeys(values))
    scores = np.zeros((repeats, len(values), len(rows)))
    costs = np.zeros_like(scores)
    for repeat in range(repeats):
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
        for given, held in folds.split(rows, truth):
            split = _split(data, rows[given], rows[held])
            trained = _trained(name, split)
            for k, value in enumerate(values):
                said = trained(value).decide(split.X("test"))
                used = split.features_of(said.acquired)
                scores[repeat, k, held] = said.scores
                costs[repeat, k, held] = data.hypergraph.cost_rows(used)
    return values, scores, costs


def candidates(values, scores, costs, truth):
    """Mean F1 over the repeats, mean cost, value and threshold of every model."""
    found = []
    for k, value in enumerate(values):
        cuts = [best_threshold(one, truth) for one in scores[:, k]]
        told = [
            f1(one >= cut, truth) for one, cut in zip(scores[:, k], cuts, strict=True)
        ]
        means = float(np.mean(told)), float(costs[:, k].mean())
        found.append((*means, value, float(np.median(cuts))))
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


def measure(names=None):
    """Every line of the page, and what cross-validation said."""
    names = sorted(all_methods()) if names is None else names
    data = make_heart(split="FFTrees")
    train, test = (np.flatnonzero(data.roles.part == p) for p in ("train", "test"))
    truth = data.y[test] == data.positive
    tree, paid = tree_calls(data, test)
    assert abs(f1(tree, truth) - PRINTED["tree"][0]) < 1e-4
    assert abs(paid.mean() - BUDGET) < 0.01
    best, told = {}, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            told[name] = held_out(name, data, train)
            found = candidates(*told[name], data.y[train] == data.positive)
            within = [c for c in found if c[1] <= BUDGET]
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
    ways = choosing.judged(told, data.y[train] == data.positive, BUDGET)
    kept = {"methods": _kept(best, table, truth), "ways of choosing": ways}
    return [one.row() for one in answers], kept


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
