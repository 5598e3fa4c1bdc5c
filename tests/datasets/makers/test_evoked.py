"""The evoked signals have the published spectrum and a response to find."""

import numpy as np
import pytest

from solvers.datasets.makers.evoked import make_evoked, published_spectrum, response_map
from solvers.errors import DataError, KnobError
from solvers.methods.selective_ridge import SelectiveRidgeClassifier
from tests.each import each


@pytest.fixture(scope="module")
def evoked():
    return make_evoked()


def test_eigenvalues_are_those_published(evoked):
    eigenvalues = np.linalg.eigvalsh(evoked.X @ evoked.X.T)[::-1]
    published = [16369.8, 1435.2, 1076.2, 134.0, 32.2]
    assert eigenvalues[[0, 1, 2, 19, 49]] == pytest.approx(published)


def test_size_is_that_published(evoked):
    assert evoked.X.shape == (196, 6600)
    assert sorted(np.bincount(evoked.y == 1)) == [98, 98]


def test_spectrum_falls_and_scales_with_the_table():
    spectrum = published_spectrum(300, 500)
    assert len(spectrum) == 300
    assert np.all(np.diff(spectrum) < 0)
    assert published_spectrum(300, 1000) == pytest.approx(2 * spectrum)


def test_same_seed_gives_the_same_table():
    assert np.array_equal(make_evoked(40, 4, 10).X, make_evoked(40, 4, 10).X)
    other = make_evoked(40, 4, 10, random_state=1)
    assert not np.array_equal(make_evoked(40, 4, 10).X, other.X)


def test_values_of_a_channel_share_its_cost(evoked):
    first, second, elsewhere = 0, 1, 100
    cost = evoked.hypergraph.cost
    assert cost([first]) == 101.0
    assert cost([first, second]) == 102.0
    assert cost([first, elsewhere]) == 202.0


def test_columns_are_named_by_channel_and_time(evoked):
    assert evoked.feature_names[0] == "ch00@5.5ms"
    assert evoked.feature_names[-1] == "ch65@1094.5ms"


def test_response_is_one_spot():
    spot = response_map(66, 100)
    assert spot.shape == (66, 100)
    assert 0.9 < spot.max() <= 1.0
    assert np.count_nonzero(spot.max(axis=1)) == 8


def test_the_response_is_found_where_it_is():
    strong = make_evoked(strength=3.0)
    model = SelectiveRidgeClassifier(mu=1.0, loss="logistic", standardise=False)
    model.fit(strong.X, strong.y)
    near = response_map(66, 100).ravel() > 0.1
    assert model.support_.any()
    assert near[np.argmax(np.abs(model.coef_[0]))]


@each(
    ("options", "error", "sentence"),
    [
        ({"n_samples": 3}, KnobError, "n_samples is 3; Rows lies between 20"),
        ({"n_channels": 2.5}, KnobError, "n_channels is 2.5; Channels is a whole"),
        ({"strength": -1}, KnobError, "strength is -1; Strength lies"),
        ({"n_channels": 100_000, "n_times": 10_000}, DataError, "does not fit in mem"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(options, error, sentence):
    with pytest.raises(error, match=sentence):
        make_evoked(**options)
