"""Trimmed networks of several shapes, and their joint states."""

import itertools

import numpy as np

from solvers.bayes import (
    BayesianClassifier,
    BayesianNetwork,
    bundled_classifier,
    learned_classifier,
    trim,
)


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


def either():
    """A cause that is one of two: it is there exactly where one of them is."""
    return BayesianClassifier(
        BayesianNetwork(
            {name: ("no", "yes") for name in ("lung", "tub", "either", "dysp")},
            {"either": ("lung", "tub"), "dysp": ("either",)},
            {
                "lung": [0.9, 0.1],
                "tub": [0.8, 0.2],
                "either": [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]]],
                "dysp": [[0.9, 0.1], [0.3, 0.7]],
            },
        ),
        "dysp",
        "yes",
        ("either", "lung", "tub"),
    )


CLASSIFIERS = {
    "quiz": lambda: bundled_classifier("quiz"),
    "naive Bayes": lambda: trimmed("breast_cancer", "naive_bayes", 3),
    "tree": lambda: trimmed("breast_cancer", "tan", 3),
    "xor": xor,
    "either": either,
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
