"""Three classes, the source's own split, blood tests of one draw, a free index."""

import numpy as np
import pytest

from solvers import Frontier, split_dataset, trace_frontier
from solvers.datasets import make_thyroid
from solvers.methods.random_forest import RandomForestClassifier

BLOOD = {"TSH": 22.78, "T3": 11.41, "TT4": 14.51, "T4U": 11.41}


@pytest.fixture(scope="module")
def thyroid():
    return make_thyroid()


def test_rows_are_split_as_the_source_splits_them(thyroid):
    rows = split_dataset(thyroid, 3).rows
    assert np.array_equal(rows["test"], np.arange(3772, 7200))
    assert len(rows["train"]) + len(rows["validation"]) == 3772
    labels, counts = np.unique(thyroid.y, return_counts=True)
    assert dict(zip(labels.tolist(), counts.tolist(), strict=True)) == {
        "hyperfunction": 166,
        "subnormal": 368,
        "normal": 6666,
    }


def test_prices_alone_and_together_are_those_of_the_schedule(thyroid):
    prices = thyroid.hypergraph
    alone = dict(zip(prices.features, prices.marginal_costs().tolist(), strict=True))
    assert {name: alone[name] for name in BLOOD} == pytest.approx(BLOOD)
    assert [alone[name] for name in prices.features[:16]] == [1.0] * 16
    assert prices.cost(list(BLOOD)) == pytest.approx(sum(BLOOD.values()) - 3 * 2.10)
    assert prices.price("delay").of_rows(
        prices.required_component_rows(
            np.array(
                [
                    [name == "age" for name in prices.features],
                    [name == "T3" for name in prices.features],
                ]
            )
        )
    ).tolist() == [0.0, 1.0]


def test_the_index_follows_from_two_tests_at_no_price_of_its_own(thyroid):
    prices = thyroid.hypergraph
    assert prices.cost(["FTI"]) == prices.cost(["TT4", "T4U"])
    assert prices.cost(["TT4", "T4U", "FTI"]) == prices.cost(["TT4", "T4U"])
    paid = prices.required_components(["TT4", "T4U"])
    assert prices.marginal_costs(paid)[prices.features.index("FTI")] == 0.0
    TT4, T4U, FTI = (
        thyroid.X[:, prices.features.index(n)] for n in ("TT4", "T4U", "FTI")
    )
    assert np.mean(np.abs(TT4 / T4U / 10 - FTI) < 0.004) > 0.98


def test_blood_tells_what_answers_do_not(thyroid):
    frontier = Frontier(
        trace_frontier(RandomForestClassifier(n_estimators=20), thyroid)
    )
    answers, all_of_it = frontier.best_within(16.0), frontier.best_within(70.0)
    scores = [best.scores["test"]["f1"] for best in (answers, all_of_it) if best]
    assert scores[-1] > 0.9
    assert len(scores) < 2 or scores[0] < 0.5
