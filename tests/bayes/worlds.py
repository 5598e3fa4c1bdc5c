"""Small random networks and classifiers, and what can be listed about them."""

import itertools

import numpy as np
from hypothesis import strategies as st

from solvers import FeatureHypergraph
from solvers.bayes import (
    BayesianClassifier,
    BayesianNetwork,
    maximum_achievable_agreement,
)
from solvers.bayes.pricing import as_prices


def named(n):
    return tuple(f"F{j}" for j in range(n))


def naive_network(rng, n, cardinalities=(2,), zeros=False):
    prior = rng.uniform(0.05, 0.95)
    states, parents, tables = {"C": ("+", "-")}, {}, {"C": [prior, 1 - prior]}
    for name in named(n):
        k = int(rng.choice(cardinalities))
        table = rng.dirichlet(np.ones(k), 2)
        if zeros and k > 1 and rng.random() < 0.5:
            table[rng.integers(2), rng.integers(k)] = 0
            table /= table.sum(axis=1, keepdims=True)
        states[name], parents[name] = tuple(map(str, range(k))), ("C",)
        tables[name] = table
    return BayesianNetwork(states, parents, tables)


def general_network(rng, n, cardinalities=(2, 3), zeros=False, hidden=0):
    names = ["C", *named(n), *(f"H{i}" for i in range(hidden))]
    rng.shuffle(names)
    sizes = {v: 2 if v == "C" else int(rng.choice(cardinalities)) for v in names}
    parents = {
        v: tuple(rng.permutation(names[:i])[: rng.integers(0, 3)].tolist())
        for i, v in enumerate(names)
    }
    tables = {}
    for v in names:
        shape = [sizes[p] for p in parents[v]]
        table = rng.dirichlet(np.ones(sizes[v]), shape)
        if zeros and sizes[v] > 1 and rng.random() < 0.5:
            table[..., 0] = np.where(rng.random(shape) < 0.5, 0, table[..., 0])
            table /= table.sum(axis=-1, keepdims=True)
        tables[v] = table
    states = {v: tuple(map(str, range(sizes[v]))) for v in names}
    return BayesianNetwork(states, parents, tables)


@st.composite
def classifiers(draw, max_features=5, naive=None):
    """A classifier over one to a few features, with and without impossible states."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(1, max_features))
    zeros = draw(st.booleans())
    cardinalities = draw(st.sampled_from([(2,), (1, 2, 3)]))
    if draw(st.booleans()) if naive is None else naive:
        network = naive_network(rng, n, cardinalities, zeros)
    else:
        network = general_network(rng, n, cardinalities, zeros, draw(st.integers(0, 2)))
    threshold = draw(st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0]))
    return BayesianClassifier(network, "C", network.states["C"][0], named(n), threshold)


@st.composite
def budgets_and_costs(draw, features):
    """A budget, and costs: none, one each, or components that are shared."""
    n = len(features)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["unit", "each", "shared"]))
    if kind == "unit":
        return float(draw(st.integers(0, n))), None
    if kind == "each":
        costs = rng.integers(0, 5, n) / 2
        return draw(st.floats(0, 2.5)) * n / 2, costs
    m = draw(st.integers(1, 5))
    incidence = rng.random((m, n)) < 0.4
    incidence[rng.integers(m, size=n), np.arange(n)] = True
    costs = FeatureHypergraph(incidence, rng.random(m) * 3, features)
    return draw(st.floats(0, 1)) * costs.total_cost, costs


def subsets(n):
    for size in range(n + 1):
        yield from itertools.combinations(range(n), size)


def affordable(classifier, budget, costs):
    """Return the sets within the budget, by asking about each."""
    prices = as_prices(classifier.features, costs, budget)
    n = len(classifier.features)
    return [chosen for chosen in subsets(n) if prices.fits(prices.cost(chosen))]


def exhaustive(classifier, budget, costs):
    """Return the best agreement of any set within the budget."""
    sets = affordable(classifier, budget, costs)
    return max(maximum_achievable_agreement(classifier, s).agreement for s in sets)


def listed_joint(network):
    """Pr of every joint state of all variables, as one array, by multiplication."""
    names = network.variables
    shape = [network.cardinality(name) for name in names]
    table = np.ones(shape)
    for name in names:
        scope = (*network.parents[name], name)
        axes = [names.index(v) for v in scope]
        order = np.argsort(axes)
        factor = network.tables[name].transpose(order)
        wide = [1] * len(names)
        for axis in axes:
            wide[axis] = shape[axis]
        table = table * factor.reshape(wide)
    return names, table


def listed(classifier):
    """Rows of all joint states of the features, with Pr(positive, f) and Pr(f)."""
    names, table = listed_joint(classifier.network)
    wanted = (classifier.target, *classifier.features)
    others = tuple(i for i, v in enumerate(names) if v not in wanted)
    kept = [v for v in names if v in wanted]
    summed = table.sum(axis=others).transpose([kept.index(v) for v in wanted])
    positive = classifier.network.state_index(
        classifier.target, classifier.positive_state
    )
    rows = np.array(list(np.ndindex(*summed.shape[1:])))
    return rows, summed[positive].ravel(), summed.sum(axis=0).ravel()


def listed_agreement(classifier, chosen, threshold):
    """ECA by its definition, one joint state after the other."""
    rows, positive, total = listed(classifier)
    keys = [tuple(row[list(chosen)]) for row in rows]
    own, all_mass = {}, {}
    for key, a, p in zip(keys, positive, total, strict=True):
        own[key] = own.get(key, 0) + a
        all_mass[key] = all_mass.get(key, 0) + p
    agree = 0.0
    for key, a, p in zip(keys, positive, total, strict=True):
        if p > 0:
            original = a / p >= classifier.threshold - 1e-12
            trimmed = own[key] / all_mass[key] >= threshold - 1e-12
            agree += p * (original == trimmed)
    return agree


def listed_posteriors(classifier, chosen):
    rows, positive, total = listed(classifier)
    masses = {}
    for row, a, p in zip(rows, positive, total, strict=True):
        key = tuple(row[list(chosen)])
        before = masses.get(key, (0, 0))
        masses[key] = (before[0] + a, before[1] + p)
    return sorted(a / p for a, p in masses.values() if p > 0)


def listed_achievable(classifier, chosen):
    """MAA by trying every posterior, and a threshold above all of them."""
    tried = [0.0, 1.0, *listed_posteriors(classifier, chosen)]
    return max(listed_agreement(classifier, chosen, t) for t in tried)


def listed_potential(classifier, chosen):
    """MPA by its definition."""
    rows, positive, total = listed(classifier)
    sides = {}
    for row, a, p in zip(rows, positive, total, strict=True):
        side = sides.setdefault(tuple(row[list(chosen)]), [0.0, 0.0])
        if p > 0:
            side[int(a / p >= classifier.threshold - 1e-12)] += p
    return sum(max(side) for side in sides.values())


def coin(**changes):
    """Return a network of a coin and what follows from it, with parts changed."""
    parts = {
        "states": {"A": ("0", "1"), "B": ("0", "1", "2")},
        "parents": {"B": ("A",)},
        "tables": {"A": [0.4, 0.6], "B": [[0.2, 0.3, 0.5], [1, 0, 0]]},
    }
    return BayesianNetwork(**{**parts, **changes})
