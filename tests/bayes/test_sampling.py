"""Rows drawn from a network follow its distribution and repeat with the seed."""

import numpy as np
import pytest

from solvers.bayes import joint, sample
from solvers.errors import NetworkError
from tests.bayes.worlds import (
    coin,
    general_network,
)
from tests.each import each


def test_samples_follow_the_joint_distribution():
    network = general_network(np.random.default_rng(2), 3, (2,))
    drawn = sample(network, 40_000, random_state=1)
    counts = np.zeros((2, 2, 2, 2))
    wanted = ("C", "F0", "F1", "F2")
    np.add.at(counts, tuple(drawn[v] for v in wanted), 1 / 40_000)
    assert counts == pytest.approx(joint(network, wanted), abs=0.012)


def test_impossible_states_are_never_drawn():
    drawn = sample(coin(), 5000)
    assert not np.any((drawn["A"] == 1) & (drawn["B"] != 0))


def test_samples_repeat_with_the_seed():
    first, again = (sample(coin(), 50, random_state=3)["B"] for _ in range(2))
    assert first.tolist() == again.tolist()


@each("n_samples", [0, -1, 2.5, True, 10**9])
def test_bad_numbers_of_samples_are_refused(n_samples):
    with pytest.raises(NetworkError, match="n_samples is"):
        sample(coin(), n_samples)
