"""What models that people have cost a row once they are adopted, and how quick C is.

Run ``python -m benchmarks.adopt``. Forests and boosting of scikit-learn and LightGBM
are trained on bundled data sets; of test rows the mean price is told: of all that a
model looks at, of one tree after the other, and of trees that wait for features. Beside
exported C stand the nested ifs that compilers of forests write, which read every
feature. Writes ``benchmarks/results/adopt.json``; where treelite and tl2cgen are
installed ``python -m benchmarks.adopt treelite`` adds what their C takes.
"""

import importlib.metadata
import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import lightgbm as lgb
import numpy as np
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)

from benchmarks.machine import code_version, machine
from solvers import adopt, all_datasets, split_dataset
from solvers.adopted.reading import read_model
from solvers.deploy import policy_from, to_c

RESULTS = Path(__file__).parent / "results" / "adopt.json"
DATA = ("breast_cancer", "heart", "thyroid", "digit_images", "scenes")
MODELS = {
    "random forest": RandomForestClassifier(100, random_state=0),
    "random forest, depth 4": RandomForestClassifier(100, max_depth=4, random_state=0),
    "extra trees": ExtraTreesClassifier(100, random_state=0),
    "gradient boosting": GradientBoostingClassifier(random_state=0),
    "histogram boosting": HistGradientBoostingClassifier(random_state=0),
    "LightGBM, 8 leaves": lgb.LGBMClassifier(num_leaves=8, n_jobs=1, verbose=-1),
}
REPEATS = 200
BESIDE = "nanoseconds beside tl2cgen"

# What compilers of forests write: each tree is nested ifs, each leaf adds its values.
IFS = """\
static void decide(const double *x, double *sums)
{{
{trees}
}}
"""
CLOCK = """\
#include <stdio.h>
#include <time.h>
{head}
static double rows[{n_rows}][{n_features}];
int main(void)
{{
    struct timespec before, after;
    int i, j, round, labels = 0;
    for (i = 0; i < {n_rows}; ++i)
        for (j = 0; j < {n_features}; ++j)
            if (scanf("%lf", &rows[i][j]) != 1) return 1;
    {ready}
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    for (round = 0; round < {repeats}; ++round)
        for (i = 0; i < {n_rows}; ++i) {{ {decide} }}
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    printf("%d %.9g\\n", labels, ((after.tv_sec - before.tv_sec) * 1e9
        + (after.tv_nsec - before.tv_nsec)) / ({repeats} * {n_rows}.0));
    return 0;
}}
"""


def prices(name):
    """Return of each model what its test rows cost."""
    split, found = split_dataset(all_datasets()[name](), random_state=0), {}
    X, y, test = split.X("train"), split.y("train"), split.X("test")
    for title, model in MODELS.items():
        model.fit(X, y)
        labels, costs = model.predict(test), {}
        for order in ("given", "cheapest"):
            adopted = adopt(model, split.hypergraph, order=order)
            decided = adopted.decide(test)
            assert np.array_equal(decided.labels, labels)
            costs[order] = float(decided.cost.mean())
        whole = float(split.hypergraph.cost(adopted.acquirable_features()[0]))
        found[title] = {
            "accuracy": round(float((labels == split.y("test")).mean()), 4),
            "all that it looks at": round(whole, 3),
            **{order: round(cost, 3) for order, cost in costs.items()},
        }
        print(f"{name:14} {title:24}", found[title])
    return found


def nested(tree, node, depth=1):
    """Return a tree as nested ifs."""
    space = "    " * min(depth, 12)
    if tree.features[node] < 0:
        values = enumerate(tree.values[node].tolist())
        return "".join(f"{space}sums[{k}] += {x!r};\n" for k, x in values if x)
    below, above = (
        nested(tree, way[node], depth + 1) for way in (tree.left, tree.right)
    )
    asked = f"x[{tree.features[node]}] <= {tree.thresholds[node].item()!r}"
    return f"{space}if ({asked}) {{\n{below}{space}}} else {{\n{above}{space}}}\n"


def seconds_of_c(texts, rows, source, flags=("-O2",)):
    """Return the sum of labels and nanoseconds a row, of a program that is compiled."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for file, text in {**texts, "clock.c": source}.items():
            (folder / file).write_text(text)
        sources = [*(f for f in texts if f.endswith(".c")), "clock.c"]
        command = ["gcc", "-std=gnu99", *flags, *sources, "-lm", "-o", "clock"]
        subprocess.run(command, cwd=folder, check=True)
        told = "\n".join(" ".join(map(repr, row)) for row in rows.tolist())
        runs = [
            subprocess.run(
                [folder / "clock"],
                input=told,
                capture_output=True,
                text=True,
                check=True,
            ).stdout.split()
            for _ in range(3)
        ]
    return int(runs[0][0]), min(float(run[1]) for run in runs)


def as_ifs(model, rows):
    """Return what the nested ifs of a forest take."""
    ensemble = read_model(model).decides.ensemble
    trees = "".join(nested(ensemble.tree, root) for root in ensemble.roots.tolist())
    n = ensemble.tree.values.shape[1]
    decide = f"""double sums[{n}] = {{0}}; int k, best = 0; decide(rows[i], sums);
        for (k = 1; k < {n}; ++k) if (sums[k] > sums[best]) best = k; labels += best;"""
    source = CLOCK.format(
        head=IFS.format(trees=trees),
        ready="",
        decide=decide,
        n_rows=len(rows),
        n_features=rows.shape[1],
        repeats=REPEATS,
    )
    return seconds_of_c({}, rows, source)


def as_treelite(model, rows):
    """Return what the C that tl2cgen writes of a forest takes."""
    import tl2cgen
    import treelite

    n = len(model.classes_)
    with tempfile.TemporaryDirectory() as made:
        tl2cgen.generate_c_code(treelite.sklearn.import_model(model), made, params={})
        texts = {
            path.name: path.read_text()
            for path in Path(made).iterdir()
            if path.suffix in (".c", ".h")
        }
    decide = f"""double sums[{n}] = {{0}}; int k, best = 0;
        predict(entries[i], 0, sums);
        for (k = 1; k < {n}; ++k) if (sums[k] > sums[best]) best = k; labels += best;"""
    n_rows, n_features = rows.shape
    source = CLOCK.format(
        head='#include "header.h"\n'
        f"static union Entry entries[{n_rows}][{n_features}];",
        # Its rows are entries that may be missing.
        ready=f"""for (i = 0; i < {n_rows}; ++i)
        for (j = 0; j < {n_features}; ++j) entries[i][j].fvalue = rows[i][j];""",
        decide=decide,
        n_rows=n_rows,
        n_features=n_features,
        repeats=REPEATS,
    )
    return seconds_of_c(texts, rows, source)


def as_policy(adopted, rows):
    """Return what the exported C takes, with callbacks that copy a number."""
    texts = to_c(adopted)
    del texts["policy_example.c"]
    policy = policy_from(adopted)
    header = texts["policy.h"]
    lines = [line for line in header.splitlines() if line.endswith(";") and "(" in line]
    features = [
        line for line in lines if line.startswith("policy_real policy_feature_")
    ]
    shared = [line for line in lines if line.startswith("void policy_component_")]
    calls = [
        f"{line[:-1]} {{ (void)workspace; return ((const double *)sample)[{place}]; }}"
        for line, place in zip(features, policy.places, strict=True)
    ] + [f"{line[:-1]} {{ (void)sample; (void)workspace; }}" for line in shared]
    source = CLOCK.format(
        head='#include "policy.h"\n' + "\n".join(calls),
        ready="",
        decide="labels += policy_decide(rows[i], 0).label;",
        n_rows=len(rows),
        n_features=rows.shape[1],
        repeats=REPEATS,
    )
    return seconds_of_c(texts, rows, source)


def speed(name, *, treelite=False):
    """Return what a decision takes in C, features apart; beside tl2cgen's if asked."""
    split, found = split_dataset(all_datasets()[name](), random_state=0), {}
    rows = split.X("test")[:200]
    for title in ("random forest", "random forest, depth 4"):
        model = MODELS[title].fit(split.X("train"), split.y("train"))
        n_ifs, ifs = as_ifs(model, rows)
        told = {"nested ifs": round(ifs)}
        if treelite:
            n_theirs, theirs = as_treelite(model, rows)
            assert n_theirs == n_ifs
            told["treelite"] = round(theirs)
        for order in ("given", "cheapest"):
            adopted = adopt(model, split.hypergraph, order=order)
            n_labels, took = as_policy(adopted, rows)
            assert n_labels == n_ifs
            told |= {order: round(took), f"{order}, ratio": round(took / ifs, 2)}
            if treelite:
                told[f"{order}, ratio to treelite"] = round(took / theirs, 2)
        found[title] = told
        print(f"{name:14} {title:24} ns a row", told)
    return found


def beside_treelite():
    """Return what a decision takes beside the C of tl2cgen, machine and code told.

    On one table: of forests of ten classes a compiler of C takes minutes.
    """
    return {
        "machine": machine(),
        "code": code_version(),
        "tl2cgen": importlib.metadata.version("tl2cgen"),
        **speed("breast_cancer", treelite=True),
    }


def main():
    """Measure, print and write."""
    warnings.simplefilter("ignore")
    if sys.argv[1:] == ["treelite"]:
        told = json.loads(RESULTS.read_text()) | {BESIDE: beside_treelite()}
    else:
        told = {"machine": machine(), "code": code_version()}
        found = {name: prices(name) for name in DATA}
        took = {name: speed(name) for name in ("breast_cancer", "digit_images")}
        told |= {
            "mean price of a test row": found,
            "nanoseconds of a decision in C": took,
        }
    RESULTS.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
