"""What makes no sense is refused before training; what is tried depends on the rows."""

import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from solvers.errors import KnobError
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from solvers.methods.hypergraph_cascade.settings import Settings, check_most_rows
from tests.each import each
from tests.methods.hypergraph_cascade.variants import PRICES, table


@each(
    ("params", "message"),
    [
        ({"order": "random"}, "order is 'random'"),
        ({"stages": 0}, "stages is 0"),
        ({"routing": 3}, "routing is 3"),
        ({"objective": "recall"}, "objective is 'recall'"),
        ({"budget": -1.0}, "budget is -1"),
        ({"model": "svm"}, "model is 'svm'"),
        ({"model": KNeighborsClassifier()}, "takes no sample_weight"),
        ({"model": GaussianNB}, 'use "auto", "logistic"'),
    ],
)
def test_what_makes_no_sense_is_refused_before_training(params, message):
    X, y = table()
    with pytest.raises(KnobError, match=message):
        HypergraphCascadeClassifier(PRICES, **params).path(X, y)


def settings(**said):
    usual = {
        "order": "both",
        "stages": None,
        "model": "auto",
        "routing": None,
        "objective": None,
        "accounting": "mean",
        "random_state": 0,
    }
    return Settings(**{**usual, **said})


@each(
    ("n_rows", "n_features", "kinds"),
    [
        (50, 6, ["logistic"]),
        (100, 6, ["logistic", "expanded"]),
        (250, 6, ["logistic", "expanded", "boosted"]),
        (250, 300, ["logistic", "boosted"]),
    ],
)
def test_auto_tries_what_there_are_rows_for(n_rows, n_features, kinds):
    recipes = settings(order="forward").recipes(n_rows, n_features)
    assert [one.kind for one in recipes if not one.depth] == kinds
    assert [one.has_to_prove for one in recipes if not one.depth] == [
        kind != "logistic" for kind in kinds
    ]
    assert any(one.depth for one in recipes) == (n_rows >= 250 and n_features < 300)


def test_under_max_rows_are_not_parted_and_stages_end_anywhere():
    one = settings(accounting="max", routing=2, model="logistic")
    (recipe,) = one.recipes(1000, 6)
    assert (recipe.order, recipe.depth) == ("forward", 0)
    assert one.n_stages(recipe) is None


@each("most", [99, 1.5, True, "all"])
def test_no_number_of_rows_is_refused(most):
    with pytest.raises(KnobError, match="max_rows is"):
        check_most_rows(most)
