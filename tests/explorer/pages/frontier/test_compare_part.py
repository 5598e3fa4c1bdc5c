"""A model that somebody brings stands where its labels and its price put it."""

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.linear_model import RidgeClassifier

from explorer.compute.traces import Trace
from explorer.pages.frontier.compare_part import BroughtPart
from explorer.pages.frontier.frontier_plot import FrontierPlot
from explorer.pages.frontier.state import FrontierState
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from solvers import trace_frontier
from tests.waiting import until_idle

lgb = pytest.importorskip("lightgbm")
QUIET = {"verbose": -1, "n_jobs": 1, "n_estimators": 8, "num_leaves": 6}


@pytest.fixture(scope="module")
def state():
    state = FrontierState(dataset=bundled("published"))
    points = tuple(trace_frontier("csdt", state.dataset))
    state.param.update(methods=["csdt"], traces={"csdt": Trace(points, True)})
    return state


@pytest.fixture(scope="module")
def booster(state):
    split = state.split()
    names = [*state.dataset.feature_names]
    model = lgb.LGBMClassifier(**QUIET)
    return model.fit(split.X("train"), split.y("train"), feature_name=names)


def bring(part, name, content):
    part._file.filename = name
    part._file.value = content
    until_idle(part._reading)
    until_idle(part._comparing)


def test_a_booster_stands_on_the_frontier_with_its_bill_and_its_rivals(
    state, booster, read_here
):
    context, plot = (
        Context(SessionState(dataset=state.dataset)),
        FrontierPlot(state=state),
    )
    part, split = BroughtPart(context, state, plot), state.split()
    text = booster.booster_.model_to_string().encode()
    bring(part, "mine.txt", text)
    says = booster.booster_.predict(split.X("test")) > 0.5
    right = np.mean(booster.classes_[says.astype(int)] == split.y("test"))
    assert plot.brought.scores["test"]["accuracy"] == pytest.approx(right)
    star = plot._renderers["brought"].data_source.data
    assert star["y"] == [plot.brought.scores["test"][state.score]]
    assert "mine.txt" in part._bill.object
    assert f"{100 * right:.1f} %" in part._bill.object
    first = part._rival.object
    assert "confidence 0.95" in first
    part.most = 0.05
    until_idle(part._comparing)
    assert part._rival.object != first
    linear = RidgeClassifier().fit(
        pd.DataFrame(split.X("train"), columns=state.dataset.feature_names),
        split.y("train"),
    )
    bring(part, "linear.skops", skops.io.dumps(linear))
    assert plot.brought.method == "linear.skops"
    part._show(None)
    bring(part, "mine.txt", text)
    # What is no model is refused in a sentence, and what was brought stays.
    bring(part, "broken.txt", text[: len(text) // 2])
    assert part._reading.message
    assert plot.brought.method == "mine.txt"
    # Of another table nothing is known of it.
    state.open_dataset(bundled("heart"))
    assert plot.brought is None
    assert part._bill.object == part._rival.object == ""
    assert not len(plot._renderers["brought"].data_source.data["x"])
