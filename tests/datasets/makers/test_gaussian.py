"""The paper's generator: sizes, sharing, costs and labels as section 6.1.1 says."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from solvers.datasets import make_gaussian
from solvers.errors import KnobError
from tests.each import each


def small(**options):
    return make_gaussian(**{"n_features": 60, "n_samples": 2000, **options})


def test_defaults_are_those_of_the_paper():
    data = make_gaussian()
    assert data.X.shape == (20_000, 100)
    assert data.hypergraph.n_components == 200
    assert data.fractions == (0.25, 0.25, 0.5)
    assert set(data.y) == {-1, 1}


def test_every_feature_generates_itself_and_is_used_once():
    dense = small().hypergraph.incidence.toarray()
    assert dense[:60].diagonal().all()
    assert np.array_equal(dense[60:], np.eye(60))


def test_kinds_and_names_tell_generation_from_utilisation():
    hypergraph = small().hypergraph
    assert hypergraph.kinds == ("generation",) * 60 + ("utilisation",) * 60
    assert hypergraph.components[0] == "generate x0"
    assert hypergraph.components[60] == "use x0"


@each("psi", [0.0, 0.1, 0.5, 1.0])
def test_psi_is_the_share_of_links(psi):
    links = small(psi=psi).hypergraph.incidence.toarray()[:60]
    others = links[~np.eye(60, dtype=bool)]
    assert others.mean() == pytest.approx(psi, abs=4 * np.sqrt(psi * (1 - psi) / 3540))


@each(("law", "least"), [("normal", 0.05), ("folded", 1.0)])
def test_costs_have_a_floor(law, least):
    costs = small(cost_law=law).hypergraph.component_costs
    assert costs.min() >= least


@each(("law", "mean"), [("normal", 2.0), ("folded", 1.798), ("absolute", 0.798)])
def test_costs_follow_their_law(law, mean):
    costs = make_gaussian(0.0, 2000, 100, law).hypergraph.component_costs
    assert costs.mean() == pytest.approx(mean, abs=0.06)


def test_a_linear_model_finds_what_decides():
    data = small(n_samples=8000)
    model = LogisticRegression().fit(data.X[:4000], data.y[:4000])
    assert model.score(data.X[4000:], data.y[4000:]) > 0.9


def test_labels_without_noise_are_linearly_separable():
    data = small(noise=0.0)
    model = LogisticRegression(C=1e6, max_iter=5000).fit(data.X, data.y)
    assert model.score(data.X, data.y) == 1.0


def test_the_seed_decides():
    first, again, other = small(), small(), small(random_state=1)
    assert np.array_equal(first.X, again.X)
    assert first.hypergraph.equals(again.hypergraph)
    assert not first.hypergraph.equals(other.hypergraph)


@each(
    ("options", "sentence"),
    [
        ({"psi": 1.5}, "psi is 1.5; Sharing ψ lies between 0 and 1"),
        ({"psi": float("nan")}, "psi is nan"),
        ({"n_features": 0}, "n_features is 0; Features lies between 1"),
        ({"n_samples": 2.5}, "n_samples is 2.5; Rows is a whole number"),
        ({"cost_law": "cheap"}, "cost_law is 'cheap'; Cost law is one of 'normal'"),
        ({"noise": -1.0}, "noise is -1; Label noise lies between 0"),
        ({"random_state": -1}, "random_state is -1; Seed lies at 0 or above"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(KnobError, match=sentence):
        small(**options)
