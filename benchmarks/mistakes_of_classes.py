"""What answers of least expected mistakes save on a table of three classes.

Run as ``python -m benchmarks.mistakes_of_classes``. Models of four methods are trained
on thyroid; the rule is fitted to validation rows, and test rows are answered by the
model's own labels and by the rule. Nothing is chosen on test rows.
"""

import json
import warnings
from pathlib import Path

import numpy as np

from benchmarks.machine import code_version, machine
from solvers import MistakeCosts, all_methods, split_dataset
from solvers.datasets import make_thyroid
from solvers.decisions.scores import cheapest_answers
from solvers.frontier.priced_model import PricedModel

RESULTS = Path(__file__).parent / "results" / "mistakes_of_classes.json"
METHODS = {
    "l1": {"alpha": 0.003},
    "tefe": {},
    "random_forest": {"max_depth": 6},
    "csdt": {},
}
# Somebody ill who is called otherwise, and somebody well who is: in CAD.
ILL, WELL, SEEDS = 400.0, 60.0, range(3)


def saved(method, split, mistakes):
    """Mean cost of a test row's mistakes, and what the rule saves with its error."""
    model = all_methods()[method](split.hypergraph, **METHODS[method])
    model.fit(split.X("train"), split.y("train"))
    known = mistakes.for_classes(split.dataset.classes, split.dataset.positive)
    truth, test = np.searchsorted(model.classes_, split.y("test")), split.X("test")

    def costs(labels):
        return np.asarray(known.costs)[truth, np.searchsorted(model.classes_, labels)]

    own = costs(model.predict(test))
    codes = np.searchsorted(model.classes_, split.y("validation"))
    scores = model.decide(split.X("validation")).scores
    rule = cheapest_answers(scores, codes, known)
    if rule is None:  # its own labels cost no more on validation rows
        return own.mean(), own.mean(), 0.0
    priced = costs(PricedModel.of(model, rule).decide(test).labels)
    error = (own - priced).std(ddof=1) / np.sqrt(len(own))
    return own.mean(), priced.mean(), error


def main():
    """Measure, print and write."""
    warnings.simplefilter("ignore")
    thyroid = make_thyroid()
    costs = [
        [0.0 if t == a else WELL if t == "normal" else ILL for a in thyroid.classes]
        for t in thyroid.classes
    ]
    mistakes = MistakeCosts(costs, classes=[*map(str, thyroid.classes)], unit="CAD")
    found = {}
    for method in METHODS:
        for seed in SEEDS:
            told = saved(method, split_dataset(thyroid, seed), mistakes)
            found.setdefault(method, []).append([round(float(one), 2) for one in told])
        print(method, found[method])
    environment = machine() | {"code": code_version()}
    columns = ("own labels", "priced", "error of the difference")
    record = {"environment": environment, "columns": columns, "rows": found}
    RESULTS.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
