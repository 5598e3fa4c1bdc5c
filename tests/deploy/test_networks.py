"""A trimmed network leaves and decides as it does, gaps included."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logit

from solvers import FeatureHypergraph
from solvers.bayes import (
    BayesianClassifier,
    BayesianNetwork,
    bundled_classifier,
    learned_classifier,
    trim,
)
from solvers.deploy import (
    PricedNetwork,
    itemised,
    policy_from,
    to_c,
    to_html,
    to_python,
)
from solvers.errors import DeployError

from .test_c import CHECKED, answers, compiled
from .test_python import module, watched


def trimmed(table, model, budget, n_columns=7):
    original = learned_classifier(table, model, n_columns=n_columns).classifier
    best = trim(original, budget)
    return original.trimmed(list(best.features), best.threshold)


def xor():
    """The second feature matters, but says nothing alone; one state cannot be."""
    return BayesianClassifier(
        BayesianNetwork(
            {"C": ("no", "yes", "?"), "a": ("0", "1", "2"), "b": ("0", "1")},
            {"C": ("a", "b")},
            {
                "a": [0.5, 0.5, 0.0],
                "b": [0.5, 0.5],
                "C": [
                    [[0.8, 0.1, 0.1], [0.1, 0.9, 0.0]],
                    [[0.2, 0.8, 0.0], [0.7, 0.3, 0.0]],
                    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
                ],
            },
        ),
        "C",
        "yes",
        ("a", "b"),
    )


CLASSIFIERS = {
    "quiz": lambda: bundled_classifier("quiz"),
    "naive Bayes": lambda: trimmed("breast_cancer", "naive_bayes", 4),
    "tree": lambda: trimmed("breast_cancer", "tan", 4),
    "xor": xor,
}


def states(classifier):
    """Every joint state, a gap among those of each feature."""
    sizes = [classifier.network.cardinality(name) for name in classifier.features]
    return itertools.product(*(range(-1, size) for size in sizes))


def decided(classifier, row):
    """The positive class's probability, and whether it is called; -1 is a gap."""
    seen = [j for j, state in enumerate(row) if state >= 0]
    codes = np.maximum([row], 0)
    return (
        classifier.posterior(codes, seen)[0],
        bool(classifier.decide(codes, seen)[0]),
    )


def named(classifier, row):
    network = classifier.network
    return {
        name: network.states[name][state] if state >= 0 else None
        for name, state in zip(classifier.features, row, strict=True)
    }


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_state_is_decided_as_the_network_does(name):
    classifier = CLASSIFIERS[name]()
    decide = module(to_python(classifier))["decide"]
    for row in states(classifier):
        asked = []
        got = decide(watched(named(classifier, row), asked))
        posterior, is_called = decided(classifier, row)
        assert (got.label == classifier.positive_state) == is_called
        assert tuple(asked) == got.computed
        assert got.cost == len(asked)
        seen = [
            state if of in asked else -1
            for of, state in zip(classifier.features, row, strict=True)
        ]
        of_seen = logit(np.clip(decided(classifier, seen)[0], 1e-300, 1 - 1e-16))
        if abs(of_seen) < 30 and not np.isclose(posterior, classifier.threshold):
            assert got.score == pytest.approx(of_seen, 1e-6, 1e-9)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_nothing_is_asked_that_cannot_change_the_decision(name):
    classifier = CLASSIFIERS[name]()
    decide = module(to_python(classifier))["decide"]
    for row in states(classifier):
        bought = decide(named(classifier, row)).computed
        before = [
            state if of in bought[:-1] else None
            for of, state in zip(classifier.features, row, strict=True)
        ]
        ways = itertools.product(
            *(
                range(-1, classifier.network.cardinality(of)) if s is None else [s]
                for of, s in zip(classifier.features, before, strict=True)
            )
        )
        if bought:
            assert len({decided(classifier, way)[1] for way in ways}) == 2


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_c_decides_alike_and_no_sanitiser_complains(name, tmp_path):
    classifier = CLASSIFIERS[name]()
    policy = policy_from(classifier)
    rows = np.array(list(states(classifier)), dtype=float)
    rows[rows < 0] = np.nan
    got = answers(
        compiled(tmp_path, to_c(classifier), CHECKED), rows[:, list(policy.places)]
    )
    want = [decided(classifier, row)[1] for row in states(classifier)]
    assert got[:, 0].astype(bool).tolist() == want


def test_components_that_features_share_are_paid_once():
    classifier = bundled_classifier("quiz")
    names = classifier.features
    prices = FeatureHypergraph(
        np.vstack([np.ones(len(names)), np.eye(len(names))]),
        [5.0, *np.ones(len(names))],
        names,
        unit="min",
    )
    priced = PricedNetwork(classifier, prices)
    decide = module(to_python(priced))["decide"]
    for row in states(classifier):
        got = decide(named(classifier, row))
        assert got.cost == (prices.cost(list(got.computed)) if got.computed else 0.0)
    bill = itemised(policy_from(priced), [0.0] * len(names))
    assert [line.cost for line in bill.lines[:2]] == [6.0, 1.0]


def test_the_page_has_the_states_and_no_table_is_endless():
    text = to_html(trimmed("breast_cancer", "tan", 3))
    assert len(text) < 300_000
    wide = learned_classifier("breast_cancer", "tan", n_columns=24).classifier
    with pytest.raises(DeployError, match="Trim it to a smaller budget"):
        to_python(wide)


probabilities = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(1e-6, 1 - 1e-6)).map(
    lambda p: [p, 1.0 - p]
)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(probabilities, probabilities), min_size=1, max_size=4),
    probabilities,
    st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]),
)
def test_random_naive_bayes_decides_alike(tables, prior, threshold):
    names = [f"x{k}" for k in range(len(tables))]
    network = BayesianNetwork(
        {"C": ("+", "-")} | dict.fromkeys(names, ("u", "v")),
        dict.fromkeys(names, ("C",)),
        {"C": prior} | dict(zip(names, map(list, tables), strict=True)),
    )
    classifier = BayesianClassifier(network, "C", "+", names, threshold)
    decide = module(to_python(classifier))["decide"]
    for row in states(classifier):
        posterior, is_called = decided(classifier, row)
        if abs(posterior - threshold) > 1e-9:
            assert (decide(named(classifier, row)).label == "+") == is_called
