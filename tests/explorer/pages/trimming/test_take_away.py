"""What is taken away of the trimming page decides as the trimming does."""

import io
import itertools
import zipfile

import numpy as np
import panel_material_ui as pmui
import pytest

from explorer.pages.trimming.log import TrimmingQuestion
from explorer.pages.trimming.state import TrimmingState
from explorer.pages.trimming.take_away import take_trimming_away, trimmed_policy
from solvers.bayes import bundled_classifier, trim
from solvers.errors import NetworkError

COSTS = {"Q1": 3.0, "Q2": 1.0, "Q3": 2.0}


def taken(form, budget=4.0):
    original = bundled_classifier("quiz")
    best = trim(original.with_threshold(0.07), budget, COSTS)
    question = TrimmingQuestion(original, 0.07, budget, COSTS, "min")
    return original, best, trimmed_policy(question, best, form)


def test_the_python_file_decides_as_the_trimming():
    original, best, text = taken("python")
    trimmed = original.trimmed(list(best.features), best.threshold)
    space = {"__name__": "policy"}
    exec(text, space)
    for row in itertools.product(range(2), repeat=len(best.features)):
        names = (trimmed.network.states[name] for name in trimmed.features)
        states = (of[k] for of, k in zip(names, row, strict=True))
        got = space["decide"](dict(zip(trimmed.features, states, strict=True)))
        want = bool(trimmed.decide(np.array([row]))[0])
        assert (got.label == trimmed.positive_state) == want
        assert got.cost == sum(COSTS[name] for name in got.computed)
    assert f"with probability {best.agreement:.4f}" in space["__doc__"]


def test_c_and_the_page_come_down_too():
    _, best, content = taken("c")
    header = zipfile.ZipFile(io.BytesIO(content)).read("policy.h").decode()
    assert f"POLICY_FEATURES {len(best.features)}" in header
    assert "About C: one test at a time" in taken("html")[2]


def test_a_trimming_that_sees_nothing_is_told():
    with pytest.raises(NetworkError, match="sees no feature"):
        taken("python", budget=0.0)


def test_before_anything_is_found_nothing_comes_down():
    buttons = take_trimming_away(TrimmingState()).select(pmui.FileDownload)
    found = {button.label: button.callback() for button in buttons}
    assert {"Python file", "C99 (zip)", "Offline page (HTML)"} < set(found)
    assert set(found.values()) == {None}
