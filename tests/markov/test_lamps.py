"""What lamp decisions cost, entry by entry."""

import itertools

import numpy as np
import pytest

from solvers.errors import KnobError
from solvers.markov.lamps import lamp_edge_costs, lamp_node_costs

LEVELS = range(3)


@pytest.mark.parametrize("gamma", [0.0, 0.5, 4.0])
def test_calling_a_place_brighter_costs_the_occupant_and_darker_electricity(gamma):
    costs = lamp_node_costs(gamma)
    for predicted, true in itertools.product(LEVELS, LEVELS):
        wanted = gamma if predicted > true else float(predicted < true)
        assert costs[predicted, true] == wanted


@pytest.mark.parametrize("gamma", [0.5, 4.0])
def test_beside_a_place_that_is_rightly_lit_a_wrong_lamp_costs_again(gamma):
    costs = lamp_edge_costs(gamma)
    for a, b, c, d in itertools.product(LEVELS, repeat=4):
        wanted = 0.0
        for (mine, own), (other, truth) in (((a, c), (b, d)), ((b, d), (a, c))):
            if mine > 0 and own > 0:
                wanted += gamma * (other > 0 and truth == 0)
                wanted += float(other == 0 and truth > 0)
        assert costs[a, b, c, d] == wanted


def test_both_ends_of_a_link_pay_alike():
    costs = lamp_edge_costs(2.5)
    assert (costs == costs.transpose(1, 0, 3, 2)).all()
    assert np.count_nonzero(costs) == 32


@pytest.mark.parametrize("costs", [lamp_node_costs, lamp_edge_costs])
@pytest.mark.parametrize("gamma", [-0.1, 101.0, "much"])
def test_an_occupant_s_cost_out_of_range_is_refused(costs, gamma):
    with pytest.raises(KnobError, match="occupant_cost is"):
        costs(gamma)
