"""Training tells how far it is, scales by training rows alone, and is taken at once."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from explorer.compute import cluster
from explorer.compute.waiting import WAITING
from explorer.pages.cascade.page import _data_line
from explorer.pages.cascade.queries import HYPERGRAPH, QUERIES, THRESHOLD
from explorer.pages.cascade.state import CascadeState
from explorer.pages.cascade.training import (
    RIVALS,
    TrainingRequest,
    trace_rivals,
    train_cascade,
    train_hypergraph,
)
from explorer.session.state import bundled
from solvers.datasets import from_frame, make_gaussian
from solvers.errors import DataError
from solvers.frontier.cluster import portable
from tests.each import each
from tests.explorer.pages.cascade.asked import taken, train


def test_training_tells_how_far_it_is_and_then_gives_the_cascade():
    items = list(train_cascade(THRESHOLD.asks(CascadeState(source="breast_cancer"))))
    assert items[:-1] == sorted(items[:-1])
    assert items[-2] == 1.0
    assert len(items[-1].model.stage_costs_) == 30


def test_columns_are_scaled_by_the_training_rows_alone(trained):
    scaled = trained.scaled("train")
    assert scaled.mean(axis=0) == pytest.approx(np.zeros(30), abs=1e-9)
    assert scaled.std(axis=0) == pytest.approx(np.ones(30))


def test_a_constant_column_is_not_divided_by_zero():
    state = train(CascadeState(source="digits", C=0.01))
    assert np.isfinite(state.cascade.scaled("test")).all()


def test_more_rows_than_are_waited_for_are_left_out():
    request = TrainingRequest(
        "session", make_gaussian(n_samples=4000, n_features=4), 1.0, "alone", False
    )
    cascade = list(train_cascade(request))[-1]
    assert len(cascade.split.rows["train"]) == 1000


def test_the_session_without_data_is_refused():
    request = THRESHOLD.asks(CascadeState(session_dataset=None))
    with pytest.raises(DataError, match="No data set is open; choose other data"):
        list(train_cascade(request))


def test_every_rival_is_traced_on_test_rows(trained):
    last = {series.method: series for series in trace_rivals(trained)}
    assert set(last) == set(RIVALS)
    for series in last.values():
        assert np.all(np.diff(series.x) >= 0)
        assert np.all(series.x <= trained.full_cost * (1 + 1e-9))


def test_columns_that_encode_a_feature_are_told_from_features():
    heart = TrainingRequest("session", bundled("heart"), 1.0, "alone", False)
    cascade = list(train_cascade(heart))[-1]
    assert (cascade.dataset.n_features, cascade.n_columns) == (13, 28)
    assert "13 features, learned from as 28 columns, in" in _data_line(cascade)
    assert " 11 features in" in _data_line(train(CascadeState()).cascade)


def test_stages_are_named_by_the_columns_of_the_table():
    """They were named by encoded ones, as "colour=red, colour is missing"."""
    rng = np.random.default_rng(0)
    size = rng.standard_normal(120)
    kind = np.array(["a", "b", "c"])[np.digitize(size, [-0.4, 0.4])]
    frame = pd.DataFrame(
        {"size": np.where(rng.random(120) < 0.1, np.nan, size), "kind": kind}
    )
    frame["colour"] = rng.choice(["red", "green", "blue"], 120)
    data = from_frame(frame, "kind")
    request = TrainingRequest("session", data, 1.0, "alone", False)
    *_, trained = train_cascade(request)
    assert trained.n_columns > 2
    assert sorted(trained.stage_names) == ["colour", "size"]


@pytest.fixture
def state(items):
    state = CascadeState(source="breast_cancer", way="hypergraph")
    taken(state, items[-1])
    return state


def test_training_tells_how_far_it_is_and_then_gives_the_hypergraph_cascade(
    items,
):
    shares = items[:-1]
    assert shares == sorted(shares)
    assert 0.0 < shares[0] < 0.1
    assert shares[-1] == 1.0


def test_what_was_trained_before_is_taken_at_once(state, items):
    assert not HYPERGRAPH.missing(state)
    state.buying = "block"
    assert HYPERGRAPH.asks(state).order == "block"
    state.buying = "both"
    assert not HYPERGRAPH.missing(state)
    assert state.hyper is items[-1]


@pytest.mark.parametrize(
    ("name", "value"),
    [("buying", "forward"), ("model", "expanded"), ("routing", 1), ("objective", "f1")],
)
def test_every_knob_trains_again(state, name, value):
    state.param.update(**{name: value})
    assert HYPERGRAPH.missing(state)


def test_a_budget_trains_nothing(state, items):
    for share in np.linspace(0.0, 1.0, 21):
        state.budget = share
    assert not HYPERGRAPH.missing(state)
    assert state.hyper is items[-1]


class Elsewhere:
    """A cluster: what it is asked, and what it answers, has travelled."""

    def stream(self, work, *arguments, key, **_):
        self.key = key
        given = pickle.loads(pickle.dumps([portable(one) for one in arguments]))
        yield None  # nothing is new yet
        yield from (pickle.loads(pickle.dumps(one)) for one in work(*given))


@each("way", ["tefe", "hypergraph"])
def test_what_a_cluster_has_trained_is_what_is_trained_here(way, monkeypatch):
    state = CascadeState(way=way, session_dataset=bundled("heart"))
    request = QUERIES[way].asks(state)
    train_it = train_cascade if way == "tefe" else train_hypergraph
    *_, here = train_it(request)
    elsewhere = Elsewhere()
    monkeypatch.setattr(cluster, "_cluster", elsewhere)
    first, *shares, there = train_it(request)
    assert first is WAITING
    assert shares == sorted(shares)
    # Of the table that is open: others would be another's.
    assert there.dataset is request.dataset
    X = there.split.scaled("test") if way == "tefe" else there.split.X("test")
    assert np.array_equal(there.model.predict(X), here.model.predict(X))
    assert there.full_cost == here.full_cost
    asked_by_others = QUERIES[way].asks(CascadeState(session_dataset=bundled("heart")))
    key = elsewhere.key
    [*train_it(asked_by_others)]
    assert elsewhere.key == key is not None
    own = from_frame(pd.DataFrame({"a": [0.0, 1.0] * 30, "y": ["n", "p"] * 30}), "y")
    [*train_it(replace(request, dataset=own))]
    assert elsewhere.key is None
