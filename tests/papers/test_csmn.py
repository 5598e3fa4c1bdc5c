"""A verdict follows from the curves, and turns round with them."""

import numpy as np
import pytest

from solvers.markov import MethodSummary
from solvers.papers.csmn import FIGURE_1, FIGURE_2, FIGURE_3, WARM


def figure(values, costs):
    """Curves that stay where they are: one cost for each method."""
    return {
        value: {
            method: MethodSummary(
                method, cost, 1.0, 0.8, 0.0, 6, (cost,) * 6, (0.8,) * 6
            )
            for method, cost in costs.items()
        }
        for value in values
    }


AS_PUBLISHED = {
    "LOGREG": 100.0,
    "MN": 90.0,
    WARM: 90.0,
    "CSMN": 60.0,
    "CSMN w/o CSINF": 130.0,
}


def verdicts(judges, curves):
    return {judge(curves).sentence: judge(curves).outcome for judge in judges}


def test_a_verdict_follows_from_the_curve():
    values = (0.5, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)
    sentence = "CSMN pays less than MN at every ρ."
    cheap = verdicts(FIGURE_1, figure(values, AS_PUBLISHED))
    dear = verdicts(FIGURE_1, figure(values, {**AS_PUBLISHED, "CSMN": 95.0}))
    assert cheap[sentence] == "holds"
    assert dear[sentence] == "does not hold"


def sensed(network_costs):
    """Figure 3 with CSMN at 31 in every fold, and MN where it is said to be."""
    flat = figure((0.2, 1.0, 2.0), {"LOGREG": 45.0, "CSMN": 31.0})
    mean = float(np.mean(network_costs))
    network = MethodSummary(
        "MN", mean, 1.0, 0.8, 0.0, 6, network_costs, (0.8,) * len(network_costs)
    )
    return {cost: {**found, "MN": network} for cost, found in flat.items()}


@pytest.mark.parametrize(
    ("network_costs", "verdict"),
    [
        ((33.0, 33.5, 32.5, 33.0, 33.2, 32.9), "holds"),
        ((43.0, 43.0, 43.0, 23.0, 23.0, 23.0), "within noise"),
        ((29.0, 29.5, 28.5, 29.0, 29.2, 28.9), "does not hold"),
    ],
)
def test_a_mean_that_is_lower_is_not_yet_a_verdict(network_costs, verdict):
    """33.0 against 31.1 means nothing until the seeds agree."""
    found = verdicts(FIGURE_3, sensed(network_costs))
    assert found[FIGURE_3[0](sensed(network_costs)).sentence] == verdict


def test_folds_of_one_seed_count_once():
    """They share training graphs: six folds of two seeds are two results."""
    costs = (29.0, 33.0, 34.0, 28.0, 34.0, 34.2)
    found = FIGURE_3[0](sensed(costs))
    assert found.outcome == "holds"  # both means are 32 or a little above


def test_every_claim_can_be_judged_on_any_curve():
    for judges, values in (
        (FIGURE_1, (0.5, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)),
        (FIGURE_2, (0.0, 0.1, 0.25, 0.4)),
        (FIGURE_3, (0.2, 1.0, 2.0)),
    ):
        found = verdicts(judges, figure(values, AS_PUBLISHED))
        assert set(found.values()) <= {
            "holds",
            "does not hold",
            "within noise",
        }


def test_a_rival_that_pays_nothing_can_be_judged():
    values = (0.5, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)
    free = figure(values, {**AS_PUBLISHED, "CSMN w/o CSINF": 0.0})
    found = verdicts(FIGURE_1, free)
    sentence = "Without costs in inference CSMN is poor at high ρ too."
    assert found[sentence] == "does not hold"
