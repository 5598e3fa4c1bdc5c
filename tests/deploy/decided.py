"""An exported file as a module, and what it must say of every row."""

import numpy as np
import pytest
from scipy.special import expit

from solvers.decisions.running import run
from solvers.deploy import to_python

from .models import fitted


def module(text):
    space = {"__name__": "policy"}
    exec(text, space)
    return space


def watched(sample, asked):
    """Functions that give the values of a sample, and note that they were called."""
    return {
        name: lambda name=name: asked.append(name) or sample[name] for name in sample
    }


def sample_reader(row, names):
    """What gives a feature of a row by its name."""
    return dict(zip(names.tolist(), row, strict=True)).__getitem__


def check_every_row(name):
    """The exported file decides as the estimator does, and asks for no more.

    So does the walker, which many samples of a service are given to.
    """
    model, X, said = fitted(name)
    walker = model.walker()
    # Naive Bayes' posteriors near 1 have lost the digits of their odds.
    squash = expit if name == "trimmed_naive_bayes" else np.asarray
    if not name.startswith("csnb"):  # shops a row at a time
        ran = run(model.program(), X, 1 if len(model.classes_) == 2 else 3)
        assert np.array_equal(ran.acquired, said.acquired)
        assert np.allclose(squash(ran.scores), squash(said.scores), 1e-9, 1e-9)
    decide = module(to_python(model))["decide"]
    names = np.array(model.hypergraph.features)
    # Trained on every second: every seventh are rows of both kinds.
    for i, row in list(enumerate(X.tolist()))[::7]:
        asked = []
        sample = watched(dict(zip(names.tolist(), row, strict=True)), asked)
        got = decide(sample)
        assert got.label == said.labels[i]
        assert tuple(asked) == got.computed, "each feature is computed once"
        assert set(asked) == set(names[said.acquired[i]])
        assert got.cost == pytest.approx(said.cost[i], rel=1e-12)
        asked.clear()
        journey = walker.walk(lambda feature, of=sample: of[feature]())
        assert journey.label == walker.decide(sample_reader(row, names)) == got.label
        assert sorted(asked) == sorted(journey.features) == sorted(got.computed)
        assert journey.cost == pytest.approx(got.cost, rel=1e-12)
        assert np.allclose(squash(got.score), squash(said.scores[i]), 1e-9, 1e-9)
