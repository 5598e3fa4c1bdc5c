"""Fitted models of every method that can be exported."""

from functools import cache

import numpy as np
import pandas as pd

from solvers import MistakeCosts, all_datasets, all_methods
from solvers.decisions.scores import cheapest_answers
from solvers.frontier.priced_model import PricedModel

# Fewer trees than usual: as many kinds of nodes, in less time.
# A density of the classes behind each purchase, that no export walks.
NOT_EXPORTED = {"look_ahead"}
SETTINGS = {
    "acafh": {},
    "cegb": {"n_estimators": 8},
    "csdt": {},
    "csnb": {},
    "cstc": {"cost_weight": 0.1, "max_iter": 60},
    "dag": {"cost_weight": 0.3},
    "forward_selection": {"budget": 30.0},
    "greedy_miser": {"n_estimators": 8},
    "hypergraph_cascade": {"model": "logistic", "stages": 3, "order": "forward"},
    "jit": {},
    "l1": {},
    "neural_network": {"max_iter": 30},
    "random_forest": {"n_estimators": 6},
    "relief_svm": {"n_selected": 5},
    "reweighted_l1": {},
    "selective_ridge": {},
    "static_prefix": {"n_groups": 3},
    "tefe": {"threshold": 0.8},
    "trimmed_naive_bayes": {"budget": 20.0},
}
OTHERS = {
    "cegb, each row": ("cegb", {"charge": "lazy", "n_estimators": 5}),
    "greedy miser, each row": ("greedy_miser", {"charge": "ways", "n_estimators": 5}),
    "dag, lattice": (
        "dag",
        {"structure": "lattice", "cost_weight": 0.05, "base_budget": 0.03},
    ),
    "hypergraph cascade, expanded": (
        "hypergraph_cascade",
        {"model": "expanded", "stages": 2, "order": "forward"},
    ),
    "hypergraph cascade, boosted": (
        "hypergraph_cascade",
        {"model": "boosted", "stages": 2, "order": "forward"},
    ),
    "hypergraph cascade, routed": (
        "hypergraph_cascade",
        {"model": "logistic", "routing": 1, "stages": 2, "order": "forward"},
    ),
    "tefe, by gaps": ("tefe", {"confidence": "gap", "threshold": 1.5}),
    "tefe, raw": ("tefe", {"confidence": "raw", "threshold": 0.5}),
    "tefe, calibrated": ("tefe", {"confidence": "calibrated", "threshold": 0.95}),
}
OTHERS["csnb, priced"] = (
    "csnb",
    {"mistake_costs": MistakeCosts.binary(miss=9000.0, false_alarm=700.0)},
)
THREE = MistakeCosts([[0.0, 300.0, 9000.0], [900.0, 0.0, 40.0], [70.0, 2500.0, 10.0]])
MANY = {
    "acafh, classes": ("acafh", {"alpha": 0.003}),
    "cegb, classes": ("cegb", {"n_estimators": 8, "alpha": 1e-3, "charge": "lazy"}),
    "csdt, classes": ("csdt", {}),
    "csnb, classes": ("csnb", {}),
    "cstc, classes": ("cstc", {"cost_weight": 0.05, "max_iter": 60}),
    "dag, classes": ("dag", {"cost_weight": 0.3, "base_budget": 0.3}),
    "csnb, classes priced": ("csnb", {"mistake_costs": THREE}),
    "forward selection, classes": ("forward_selection", {"budget": 20.0}),
    "greedy miser, classes": ("greedy_miser", {"n_estimators": 6, "charge": "ways"}),
    "l1, classes": ("l1", {"alpha": 0.02}),
    # As many stages as it takes: a page that charges along the way needs two.
    "hypergraph cascade, classes": ("hypergraph_cascade", {"model": "expanded"}),
    "neural network, classes": ("neural_network", {"max_iter": 30}),
    "random forest, classes": ("random_forest", {"n_estimators": 9, "max_depth": 4}),
    "selective ridge, classes": ("selective_ridge", {}),
    "static prefix, classes": ("static_prefix", {"n_groups": 4}),
    "trimmed naive bayes, classes": ("trimmed_naive_bayes", {"budget": 20.0}),
    "tefe, classes": ("tefe", {"threshold": 0.3}),
    "tefe, classes by gaps": ("tefe", {"confidence": "gap", "threshold": 0.5}),
}
# Trained on a frame whose columns stand in another order than the prices.
BY_NAME = {"l1, by name": ("l1", {})}
# Answers of least cost, of models that do not know of it.
PRICED = {
    f"{name} priced": name
    for name in ("static prefix, classes", "random forest, classes", "tefe, classes")
}
MANY |= {name: MANY[of] for name, of in PRICED.items()}
NAMES = [*SETTINGS, *OTHERS, *MANY, *BY_NAME]


@cache
def table(n_classes=2):
    """The bundled tumours, or a small table of three classes whose columns share."""
    data = all_datasets()["breast_cancer"]()
    if n_classes == 2:
        return data.X, data.y, data.hypergraph
    chosen = list(range(8))
    thirds = np.quantile(data.X[:, 0] + data.X[:, 1], [0.4, 0.7])
    labels = np.digitize(data.X[:, 0] + data.X[:, 1], thirds)
    return data.X[:, chosen], labels, data.hypergraph.restrict(chosen)


@cache
def fitted(name):
    """A fitted model, rows in the order of its prices, and what it decides."""
    known = OTHERS | MANY | BY_NAME
    method, settings = known.get(name) or (name, SETTINGS[name])
    X, y, hypergraph = table(3 if name in MANY else 2)
    model = all_methods()[method](hypergraph=hypergraph, **settings)
    rows = X
    if name in BY_NAME:
        rows = pd.DataFrame(X, columns=hypergraph.features).iloc[:, ::-1]
    model.fit(rows[::2], y[::2])
    if name in PRICED:
        priced = cheapest_answers(model.decision_function(rows), y, THREE)
        assert priced is not None
        model = PricedModel.of(model, priced)
    return model, X, model.decide(rows)
