"""On every bundled data set: the exports decide about rows that nobody has seen.

Rows are drawn with replacement and moved a little; where columns were encoded, some
values are gaps and words that training did not know. Each method meets some on one
data set of numbers, and each kind of program where columns are encoded.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.special import expit
from sklearn.pipeline import Pipeline

from solvers import all_methods, split_dataset
from solvers.deploy import policy_from, to_c, to_python
from solvers.errors import ThriftscopeError
from tests.bundled import BUNDLED
from tests.each import each

from .decided import module
from .models import SETTINGS
from .test_c import answers, compiled

MOST_TRAINED, MOST_COLUMNS = 120, 10
N_ROWS = 150
# Of each a share of all costs; what one data set charges is nothing on another.
BUDGETS = {"forward_selection": 0.3, "trimmed_naive_bayes": 0.3}
ENCODED = "heart"
OTHERS = sorted(set(BUNDLED) - {ENCODED})
# One of each kind of program that reads encoded columns.
READERS = ["cegb", "csdt", "csnb", "cstc", "hypergraph_cascade", "l1", "tefe"]
READERS += ["neural_network", "trimmed_naive_bayes"]
PAIRS = [(ENCODED, method) for method in READERS]
PAIRS += [
    (OTHERS[j % len(OTHERS)], method) for j, method in enumerate(sorted(SETTINGS))
]


@cache
def opened(name):
    data = BUNDLED[name]()
    if data.n_features > MOST_COLUMNS and data.schema is None:
        chosen = np.linspace(0, data.n_features - 1, MOST_COLUMNS).astype(int)
        prices = data.hypergraph.restrict(chosen)
        narrow = {"X": data.X[:, chosen], "hypergraph": prices}
        data = replace(data, **narrow, pipeline=None, samples=None)
    return data


def estimator(data, method):
    """A model trained on some rows, behind its encoder where there is one."""
    split = split_dataset(data)
    X, y = split.X("train")[:MOST_TRAINED], split.y("train")[:MOST_TRAINED]
    hypergraph = data.hypergraph
    if split.encoder is not None:
        hypergraph = split.encoder.encoded_hypergraph(hypergraph)
    settings = dict(SETTINGS[method])
    if method in BUDGETS:
        settings["budget"] = BUDGETS[method] * hypergraph.total_cost
    model = all_methods()[method](hypergraph=hypergraph, **settings).fit(X, y)
    if split.encoder is None:
        return model, model, lambda rows: rows
    whole = Pipeline([("columns", split.encoder), ("classifier", model)])
    return whole, model, split.encoder.encode


def drawn(data, n_rows):
    """Rows that are like those of the data and are none of them."""
    rng = np.random.default_rng(0)
    rows = data.X[rng.integers(0, len(data.X), n_rows)].astype(float)
    columns = data.schema.columns if data.schema is not None else [None] * rows.shape[1]
    for j, column in enumerate(columns):
        if column is None or column.kind == "number":
            rows[:, j] += rng.normal(0.0, 0.05, n_rows) * (np.nanstd(data.X[:, j]) or 1)
        elif column.is_listed:
            rows[rng.random(n_rows) < 0.02, j] = len(column.values)
        if column is not None:
            rows[rng.random(n_rows) < 0.05, j] = np.nan
    return rows


def decided(name, method, n_rows):
    """The estimator, its policy, rows, what it decides, and how scores compare."""
    data = opened(name)
    try:
        whole, model, encoded = estimator(data, method)
    except ThriftscopeError as error:
        pytest.skip(f"{method} does not take {name}: {error}")
    policy, rows = policy_from(whole), drawn(data, n_rows)
    said = model.decide(encoded(rows))
    # Naive Bayes' posteriors near 1 have lost the digits of their odds.
    squash = expit if method == "trimmed_naive_bayes" else np.asarray
    want = squash(np.asarray(said.scores).reshape(n_rows, -1))

    def are_scores(scores):
        return np.allclose(squash(np.asarray(scores)), want, 1e-9, 1e-9)

    bits = said.acquired[:, list(policy.places)] if model is whole else None
    asked = rows[:, list(policy.places)]
    return whole, policy, asked, said, are_scores, bits


def agree(name, method, n_rows, folder):
    whole, policy, rows, said, are_scores, bits = decided(name, method, n_rows)
    got = answers(compiled(folder, to_c(whole)), rows)
    if not policy.features:  # the same for every row, and told once
        got = np.repeat(got, n_rows, axis=0)
    n_outputs, n_features = policy.n_outputs, len(policy.features)
    labels = np.array(policy.classes)[got[:, 0].astype(int)]
    assert np.array_equal(labels, said.labels)
    assert are_scores(got[:, 1 : 1 + n_outputs])
    assert np.allclose(got[:, 1 + n_outputs], said.cost)
    if bits is not None:
        assert np.array_equal(got[:, 2 + n_outputs : 2 + n_outputs + n_features], bits)
    in_python(whole, policy, rows, said, are_scores, bits)


def in_python(whole, policy, rows, said, are_scores, bits):
    decide = module(to_python(whole))["decide"]
    kinds = list(zip(policy.features, policy.kinds, strict=True))
    found = [
        decide(
            {
                name: as_given(kind, value)
                for (name, kind), value in zip(kinds, row, strict=True)
            }
        )
        for row in rows.tolist()
    ]
    assert [got.label for got in found] == said.labels.tolist()
    assert np.allclose([got.cost for got in found], said.cost)
    assert are_scores(np.reshape([got.score for got in found], (len(rows), -1)))
    if bits is not None:
        names = np.array(policy.features)
        for got, row in zip(found, bits, strict=True):
            assert set(got.computed) == set(names[row])


def as_given(kind, code):
    """A value as people have it, from how a data set keeps it."""
    if kind.kind == "number" or np.isnan(code):
        return None if np.isnan(code) else code
    words = [*kind.words, "what nobody has seen"]
    return words[int(code)]


def test_one_data_set_alone_is_encoded():
    encoded = [name for name in BUNDLED if opened(name).schema is not None]
    assert encoded == [ENCODED]
    assert {name for name, _ in PAIRS} == set(BUNDLED)


@pytest.mark.slow
@each(("name", "method"), PAIRS)
def test_many_rows_are_decided_as_the_estimator_does(name, method, tmp_path):
    agree(name, method, N_ROWS, tmp_path)
