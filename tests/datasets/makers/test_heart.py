"""Real patients at real prices: nothing is lost, and the prices are those published."""

import csv

import numpy as np
import pytest

from solvers import Frontier, split_dataset, trace_frontier
from solvers.costs.interchange import read_incidence_csv
from solvers.costs.interchange.sources import sample_data
from solvers.datasets import make_heart
from tests.each import each

FULL_PRICES = {
    "age": 1.0, "sex": 1.0, "cp": 1.0, "trestbps": 1.0, "chol": 7.27, "fbs": 5.2,
    "restecg": 15.5, "thalach": 102.9, "exang": 87.3, "oldpeak": 87.3, "slope": 87.3,
    "ca": 100.9, "thal": 102.9,
}  # fmt: skip


@pytest.fixture(scope="module")
def heart():
    return make_heart()


@pytest.fixture(scope="module")
def raw_rows():
    text = sample_data("heart", "heart.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def test_every_patient_and_every_test_is_kept(heart, raw_rows):
    assert heart.X.shape == (303, 13)
    assert heart.feature_names == tuple(FULL_PRICES)
    assert [str(label) for label in heart.y] == [row["disease"] for row in raw_rows]
    assert heart.positive == "ill"
    for column in ("age", "chol", "oldpeak"):
        j = heart.feature_names.index(column)
        assert heart.X[:, j].tolist() == [float(row[column]) for row in raw_rows]


def test_a_gap_is_told_to_the_methods(heart, raw_rows):
    gaps = [[row[name] == "?" for name in heart.feature_names] for row in raw_rows]
    assert np.array_equal(np.isnan(heart.X), gaps)
    assert np.sum(gaps) == 6
    assert {"ca is missing", "thal is missing"} <= set(
        split_dataset(heart).encoder.names_
    )


def test_on_the_split_of_fftrees_its_tree_gets_what_its_authors_print(heart):
    parted = make_heart(split="FFTrees")
    rows = split_dataset(parted, 5).rows["test"]
    assert (len(rows), np.isnan(parted.X).sum()) == (153, 0)
    names, values = parted.feature_names, tuple(parted.schema)

    def is_one_of(name, *words):
        told = values[names.index(name)].values
        codes = [told.index(word) for word in words]
        return np.isin(parted.X[rows, names.index(name)], codes)

    defect = is_one_of("thal", "reversable defect", "fixed defect")
    pain = is_one_of("cp", "asymptomatic")
    vessels = parted.X[rows, names.index("ca")] > 0
    called, ill = defect | (pain & vessels), parted.y[rows] == "ill"
    counts = [(called & ill), (called & ~ill), (~called & ill), (~called & ~ill)]
    assert [int(one.sum()) for one in counts] == [64, 19, 9, 61]
    assert parted.hypergraph.equals(heart.hypergraph)


def test_prices_alone_and_together_are_those_published(heart):
    hypergraph = heart.hypergraph
    alone = dict(zip(hypergraph.features, hypergraph.marginal_costs(), strict=True))
    assert alone == pytest.approx(FULL_PRICES)
    assert sum(alone.values()) == pytest.approx(600.57)
    assert hypergraph.total_cost == pytest.approx(323.97)
    assert heart.unit == "CAD"


@each(
    ("tests", "price"),
    [
        (["chol", "fbs"], 7.27 + 3.1),
        (["exang", "oldpeak", "slope"], 87.3 + 2),
        (["thalach", "thal"], 102.9 + 1),
        (["exang", "thalach"], 87.3 + 102.9),
    ],
)
def test_each_further_test_of_a_group_costs_its_discount(heart, tests, price):
    assert heart.hypergraph.cost(tests) == pytest.approx(price)


def test_a_test_stays_one_feature_however_many_columns_encode_it(heart):
    split = split_dataset(heart)
    pain = [j for j, n in enumerate(split.encoder.names_) if n.startswith("cp=")]
    assert len(pain) > 2
    assert split.hypergraph.cost(pain) == pytest.approx(1.0)


def test_both_files_of_prices_say_the_same(heart):
    table = read_incidence_csv(sample_data("heart", "heart_incidence.csv"))
    rows = np.random.default_rng(0).random((50, 13)) < 0.4
    assert table.cost_rows(rows) == pytest.approx(heart.hypergraph.cost_rows(rows))


def test_fifty_dollars_buy_more_than_calling_everybody_ill(heart):
    def f1(seed):
        frontier = Frontier(
            trace_frontier("forward_selection", heart, random_state=seed)
        )
        best = frontier.best_within(50.0)
        assert heart.hypergraph.cost(best.features) <= 50
        return best.scores["test"]["f1"]

    assert np.mean([f1(seed) for seed in range(10)]) >= 0.70
