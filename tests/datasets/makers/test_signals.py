"""The default data set: 54 features that share, and a frontier that is a curve."""

import json
from collections import Counter
from itertools import islice

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from solvers import split_dataset
from solvers.costs.interchange.sources import sample_data
from solvers.datasets import make_signals
from solvers.datasets.makers.signals import (
    BENIGN,
    SIGNALS,
    TRAITS,
    signals_pipeline,
    simulated_table,
    simulated_windows,
)
from solvers.errors import KnobError


@pytest.fixture(scope="module")
def signals():
    return make_signals()


def score(dataset, features):
    """F1 on test rows at the threshold of best F1 on validation rows."""
    split = split_dataset(dataset)
    columns = dataset.hypergraph.feature_mask(features)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=100, max_iter=1000))
    model.fit(split.X("train")[:, columns], split.y("train") == "intruder")

    truth = {part: split.y(part) == "intruder" for part in split.rows}
    value = {
        part: model.decision_function(split.X(part)[:, columns]) for part in split.rows
    }

    def f1(part, cut):
        called = value[part] > cut
        return 2 * (called & truth[part]).sum() / (called.sum() + truth[part].sum())

    cuts = np.quantile(value["validation"], np.linspace(0.01, 0.99, 99))
    return f1("test", max(cuts, key=lambda cut: f1("validation", cut)))


def gain_per_cost_order(dataset):
    """Features in order of explained variance for each further microsecond."""
    split, hypergraph = split_dataset(dataset), dataset.hypergraph
    X = StandardScaler().fit_transform(split.X("train"))
    y = (split.y("train") == "intruder") - 0.5
    order: list[int] = []
    residual = np.column_stack([X, y - y.mean()])
    while len(order) < dataset.n_features:
        paid = hypergraph.required_components(np.array(order, dtype=int))
        norms = (residual[:, :-1] ** 2).sum(axis=0)
        gains = (residual[:, :-1].T @ residual[:, -1]) ** 2 / np.maximum(norms, 1e-9)
        gains[order] = -1
        order.append(int(np.argmax(gains / (hypergraph.marginal_costs(paid) + 0.01))))
        direction = residual[:, order[-1]] / np.sqrt(max(norms[order[-1]], 1e-9))
        residual = residual - np.outer(direction, direction @ residual)
    return order


def test_54_features_share_in_30_blocks(signals):
    hypergraph = signals.hypergraph
    assert (hypergraph.n_features, hypergraph.n_components) == (54, 54)
    assert len(set(hypergraph.connected_components()[1])) == 30
    assert (signals.n_samples, signals.unit) == (6000, "us")


def test_sharing_is_that_of_the_functions(signals):
    hypergraph = signals.hypergraph
    needed = hypergraph.required_components(["gaps_down_kurtosis"])
    names = [hypergraph.components[i] for i in np.flatnonzero(needed)]
    assert names == ["gaps_down_mean", "gaps_down_deviation", "gaps_down_kurtosis"]


def test_rows_are_what_the_pipeline_computes_of_the_windows(signals):
    assert len(signals.samples) == 300
    computed = signals.pipeline.extract(signals.samples)
    np.testing.assert_allclose(signals.X[:300], computed, rtol=1e-6)
    assert signals.pipeline.features == signals.feature_names


def test_bundled_and_simulated_rows_are_the_same(signals):
    X, y, _ = simulated_table(signals_pipeline(), 120, 0)
    assert np.array_equal(X, signals.X[:120])
    assert np.array_equal(y, signals.y[:120])


def test_fewer_windows_are_the_first_ones(signals):
    few = make_signals(150)
    assert np.array_equal(few.X, signals.X[:150])
    assert len(few.samples) == 150


def test_another_seed_gives_other_windows_at_the_same_costs(signals):
    other = make_signals(150, random_state=1)
    assert not np.array_equal(other.X, signals.X[:150])
    assert other.hypergraph.equals(signals.hypergraph)
    assert len(other.samples) == 150


def test_too_few_windows_are_refused():
    with pytest.raises(KnobError, match="n_samples is 3; Windows lies between 100"):
        make_signals(3)


def test_costs_name_the_machine_that_they_were_measured_on(signals):
    assert "CPython" in signals.costs_note
    costs = json.loads(sample_data("signals", "costs.json").read_text("utf-8"))
    assert all(0 < cost < 100 for cost in costs["costs"].values())
    assert all(costs["spread"][name] < costs["costs"][name] for name in costs["costs"])


def test_always_positive_scores_about_one_half(signals):
    share = np.mean(signals.y == "intruder")
    assert 0.45 < 2 * share / (1 + share) < 0.55


def test_all_features_score_about_97(signals):
    assert 0.95 < score(signals, signals.feature_names) < 0.99


def test_the_best_cheap_feature_scores_about_70(signals):
    alone = signals.hypergraph.marginal_costs()
    cheap = [n for n, c in zip(signals.feature_names, alone, strict=True) if c < 2]
    assert 0.62 < max(score(signals, [name]) for name in cheap) < 0.75


def test_the_frontier_is_a_curve_and_not_a_step(signals):
    order, hypergraph = gain_per_cost_order(signals), signals.hypergraph

    def best_within(share):
        budget = share * hypergraph.total_cost
        prefixes = (order[:n] for n in range(len(order), 0, -1))
        return score(signals, next(p for p in prefixes if hypergraph.cost(p) <= budget))

    scores = [best_within(share) for share in (0.02, 0.05, 0.1, 0.2, 1.0)]
    steps = np.diff(scores)
    assert 0.58 < scores[0] < 0.72
    assert np.all(steps > 0.005)
    assert steps.max() < 0.2


@pytest.fixture(scope="module")
def drawn():
    return list(islice(simulated_windows(0), 400))


def test_a_window_gives_two_sources_in_three_directions(drawn):
    assert len(SIGNALS) == 6
    assert all(tuple(sorted(window)) == tuple(sorted(SIGNALS)) for _, window in drawn)


def test_every_kind_occurs_and_a_third_is_an_intruders(drawn):
    kinds = Counter(kind for kind, _ in drawn)
    assert set(kinds) == {"intruder", *BENIGN}
    assert 0.27 < kinds["intruder"] / len(drawn) < 0.40


def test_sizes_are_whole_bytes_that_fit_a_frame(drawn):
    for _, window in drawn:
        sizes = window["sizes_total"]
        assert sizes.min() >= 40
        assert sizes.max() <= 1500
        assert np.array_equal(sizes, np.floor(sizes))


def test_both_directions_make_up_the_total(drawn):
    for _, window in drawn:
        both = np.concatenate([window["sizes_up"], window["sizes_down"]])
        assert np.array_equal(np.sort(both), np.sort(window["sizes_total"]))
        assert len(window["gaps_total"]) == len(window["sizes_total"]) - 1
        assert window["gaps_total"].min() >= 0
        assert window["gaps_up"].min() > 0


def test_there_are_enough_packets_for_every_statistic(drawn):
    assert min(len(values) for _, window in drawn for values in window.values()) >= 11


def test_the_same_seed_gives_the_same_windows(drawn):
    for (kind, window), (again, other) in zip(
        drawn[:20], simulated_windows(0), strict=False
    ):
        assert kind == again
        assert all(np.array_equal(window[name], other[name]) for name in SIGNALS)
    _, other = next(simulated_windows(1))
    assert not np.array_equal(other["sizes_up"], drawn[0][1]["sizes_up"])


def test_every_kind_has_a_habit_for_every_trait():
    for habits in BENIGN.values():
        assert all(len(habits[way]) == len(TRAITS) for way in ("up", "down"))
