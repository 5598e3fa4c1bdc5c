"""Bounds name the stages at which rows may leave."""

import numpy as np

from tests.methods.hypergraph_cascade.by_hand import PATIENT, policy_of


def test_bounds_name_the_stages_at_which_rows_may_leave():
    assert PATIENT.stops == (((1, -2.0, 2.0), (2, np.inf, -np.inf)),)
    at_once = policy_of([np.inf, -2.0, np.inf], [-np.inf, 2.0, -np.inf])
    assert at_once.stops == (((0, np.inf, -np.inf),),)
