"""Chosen entries as one function give what they give alone, and shared calls once."""

import numpy as np
import pytest

from solvers.features.tracing.plan import ClockedPlan, SharedPlan
from tests.each import each
from tests.features.tracing.signals import SIGNALS, crest, energy, peak, traced_all


@pytest.fixture(scope="module")
def structure():
    return traced_all([peak, energy, crest]).structure


@each("columns", [[0], [1, 2], [0, 1, 2], []])
def test_chosen_columns_are_what_their_functions_give(structure, columns):
    plan, functions = SharedPlan(structure, columns), (peak, energy, crest)
    for sample in SIGNALS:
        assert plan.run(sample) == tuple(functions[j](sample) for j in columns)


def test_nothing_of_a_sample_is_held_once_it_is_done(structure):
    plan = SharedPlan(structure, [0, 1, 2])
    plan.run(SIGNALS[0])
    assert all(one is None for one in plan.held)
    with pytest.raises(IndexError):
        plan.run(3.0)
    assert all(one is None for one in plan.held)


def test_who_failed_is_named_with_the_sample(structure):
    plan = SharedPlan(structure, [0, 1])
    with pytest.raises(IndexError) as caught:
        plan.run(3.0)
    said = str(plan.blame(caught.value, "sample 3"))
    assert said.startswith("Feature 'peak' failed on sample 3 with IndexError")


def test_every_component_has_a_time_of_its_own_and_shared_ones_are_found(structure):
    plan = ClockedPlan(structure)
    times = plan.nanoseconds(SIGNALS[0], [2, 0, 1])
    assert times.shape == (len(structure.components),)
    assert (np.asarray(times) > 0).all()
    assert plan.unshared(SIGNALS[:1]) == {}
