"""A decision of the exported Python file is timed on rows as people give them."""

from dataclasses import replace

import numpy as np
import pytest

from solvers.deploy import measure_python, policy_from
from solvers.deploy.decision_time import _sample
from solvers.deploy.policy import ValueKind
from tests.deploy.classifiers import CLASSIFIERS

from .models import fitted


def test_what_the_rows_ask_for_is_what_the_estimator_charges():
    model, X, said = fitted("tefe")
    policy = policy_from(model)
    taken = measure_python(policy, X[:40, list(policy.places)])
    assert taken.cost == pytest.approx(np.mean(said.cost[:40]))
    assert taken.seconds >= 0.0
    assert measure_python(policy, X[:0, list(policy.places)]) is None


def test_states_of_a_network_are_given_as_words():
    policy = policy_from(CLASSIFIERS["quiz"]())
    taken = measure_python(policy, np.zeros((2, len(policy.features))))
    assert taken.cost > 0.0


def test_codes_become_words_dates_and_gaps():
    policy = policy_from(fitted("l1")[0])
    kinds = (ValueKind("listed", ("a", "b")), ValueKind("date"), ValueKind())
    row = [1.0, 1.5, np.nan]
    asked = replace(policy, features=("x", "y", "z"), kinds=kinds)
    want = {"x": "b", "y": "1970-01-02T12:00:00", "z": None}
    assert _sample(asked, row) == want
    assert _sample(asked, [7.0, 0.0, 2.0])["x"] == "another"
