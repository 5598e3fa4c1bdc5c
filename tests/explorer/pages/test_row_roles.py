"""What pages learn knows the weights and groups of the rows of the open data set."""

import threading

import numpy as np
import pytest

from explorer.pages.cascade.training import (
    HypergraphRequest,
    TrainingRequest,
    train_cascade,
    train_hypergraph,
)
from explorer.pages.frontier.state import Refitters
from explorer.pages.proof import streams as proof_streams
from explorer.pages.proof.questions import open_data
from explorer.pages.selectivity.streams import PreparedProblem, RidgeQuestion
from explorer.pages.trimming.sources import OpenRequest, open_network
from solvers import Dataset, FeatureHypergraph, split_dataset
from solvers.datasets.rows import RowRoles
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from solvers.methods.l1 import L1Classifier
from solvers.methods.selective_ridge import maximum_selectivity
from solvers.methods.tefe import TEFEClassifier


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(60), 5)
    X = rng.standard_normal((60, 4))[group] + 0.2 * rng.standard_normal((300, 4))
    y = X @ [1.0, -1.0, 0.5, 0.0] + rng.standard_normal(300) > 0
    roles = RowRoles(group=group, weight=rng.uniform(0.2, 4.0, 300))
    prices = FeatureHypergraph.independent([1.0, 2.0, 3.0, 4.0])
    return Dataset("own", X, y.astype(int), prices, roles=roles)


@pytest.fixture(scope="module")
def split(data):
    return split_dataset(data)


@pytest.fixture(scope="module")
def rows(split):
    weight = split.weight("train")
    X = split.X("train")
    centre = np.average(X, axis=0, weights=weight)
    width = np.sqrt(np.average((X - centre) ** 2, axis=0, weights=weight))
    return (X - centre) / width, split.y("train"), weight


def test_a_cascade_by_budget(data, split):
    request = HypergraphRequest("session", data, "both", "logistic", 0, "f1")
    *_, trained = train_hypergraph(request)
    model = HypergraphCascadeClassifier(split.hypergraph, model="logistic")
    train = split.X("train"), split.y("train"), split.weight("train")
    model.fit(*train, groups=split.groups("train"))
    told = [(policy.mean, policy.score) for policy in model.policies_]
    assert [(p.mean, p.score) for p in trained.model.policies_] == told


def test_a_cascade_by_threshold_and_its_units(data, split, rows):
    request = TrainingRequest("session", data, 1.0, "alone", is_calibrated=True)
    *_, trained = train_cascade(request)
    model = TEFEClassifier(split.hypergraph, confidence="calibrated")
    model.fit(*rows, groups=split.groups("train"))
    assert np.array_equal(trained.scaled("train"), rows[0])
    said = model.stage_confidences(rows[0])
    assert np.array_equal(trained.model.stage_confidences(rows[0]), said)


def test_a_selection_by_selectivity(data, rows):
    bench = PreparedProblem.of(RidgeQuestion("session", data, 1.0, "hinge", False))
    X, y, weight = rows
    signs = np.where(y == 1, 1.0, -1.0)
    told = {"gamma": 1.0, "loss": "hinge"}
    largest = maximum_selectivity(X, signs, **told, sample_weight=weight)
    assert bench.largest == pytest.approx(largest)
    assert bench.largest != pytest.approx(maximum_selectivity(X, signs, **told))


def test_the_model_at_one_trade_off_on_the_frontier(split):
    marked = Refitters().of("l1", split, {})(alpha=0.02)
    alone = L1Classifier(split.hypergraph, alpha=0.02)
    alone.fit(split.X("train"), split.y("train"), split.weight("train"))
    assert np.array_equal(marked.coef_, alone.coef_)


def test_a_network_to_trim(data):
    (opened,) = open_network(OpenRequest("session", n_columns=4, dataset=data))
    learned, weight = opened.learned, data.roles.weight
    assert {*learned.train_weights, *learned.test_weights} == {*weight}
    judged = {np.flatnonzero(weight == w)[0] // 5 for w in learned.test_weights}
    assert judged.isdisjoint(learned.train_groups)
    assert len(judged) == 12


def test_choices_of_methods_beside_a_proof(data, monkeypatch):
    found, heard = open_data("session", data), []

    def hears(_, X, y, weight, *, groups):
        # A page of another test may still be answering on a thread of its own.
        if threading.current_thread() is threading.main_thread():
            heard.append((weight, groups))
        return iter(())

    monkeypatch.setattr(proof_streams, "chosen_features", hears)
    list(proof_streams.method_points(found, 0.01))
    split = split_dataset(data)
    for weight, groups in heard:
        assert np.array_equal(weight, split.weight("train"))
        assert np.array_equal(groups, split.groups("train"))
    assert heard
