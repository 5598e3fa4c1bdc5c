"""The script of the frontier page gives the numbers that are on screen."""

import contextlib
import io

import numpy as np

from explorer.pages.frontier.queries import MARKS, RUNS, TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.pages.frontier.take_away import frontier_script
from explorer.session.declared import link_names
from explorer.session.state import SessionState, bundled
from tests.each import each

# What of the screen a script does not speak of, and why.
NOT_IN_SCRIPT = {
    "figure",  # it has a table and a picture of its own to take away
    "is_figure_asked",
    "unfolded",  # it opens a panel
    "pick",  # the script names the point's parameters
    "log_cost",  # it changes how the axis is drawn, and no number
}


def on_screen(**choices):
    """A state after all that it asks for has been computed."""
    data = bundled("breast_cancer")
    state = FrontierState(dataset=data, **choices)
    state.budget = 0.25 * data.hypergraph.total_cost
    TRACES.answer(state)
    RUNS.answer(state)
    return state


def printed(state):
    """What the script of a state prints."""
    text = frontier_script(state, SessionState(dataset=state.dataset))
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(text, "thriftscope_view.py", "exec"), {"__name__": "__main__"})
    return told.getvalue()


@each(
    "choices",
    [
        {"methods": ["csdt"]},
        {
            "methods": ["l1", "csdt"],
            "n_runs": 3,
            "accounting": "max",
            "threshold": "default",
            "score": "balanced_accuracy",
            "confidence": 0.95,
            "settings": {"l1.n_alphas": 8},
        },
    ],
    ids=["one split", "three splits"],
)
def test_the_script_prints_what_is_on_screen(choices):
    state = on_screen(**choices)
    told = printed(state)
    point = state.chosen().point
    score, cost = point.scores["test"][state.score], point.cost[state.accounting]
    assert f"{point.method}, {state.score} {score:.3f} on test rows, {cost:.6g}" in told
    for name, band in state.bands().items():
        at = np.searchsorted(band.costs, state.budget, side="right") - 1
        mean, error = band.mean[at], band.standard_error[at]
        assert f"{name} on 3 splits: {state.score} {mean:.3f} +- {error:.3f}" in told
    # The screen rounds the budget, and names its unit its own way.
    assert state.noise().partition(" differ ")[2] in told


def test_the_script_prints_the_point_that_was_picked():
    state = on_screen(methods=["l1"], settings={"l1.n_alphas": 8})
    best = state.chosen().point
    picked = next(p for p in state.traces["l1"].points if p.scores != best.scores)
    state.choose_point(picked)
    score = picked.scores["test"][state.score]
    assert f"Chosen: l1, {state.score} {score:.3f} on test rows" in printed(state)


def test_the_script_names_every_choice_of_the_page():
    state = on_screen(
        methods=["acafh"],
        alpha=0.0123,
        p=0.375,
        penalty="scad",
        refit=False,
        settings={"acafh.gamma": 2.75, "acafh.n_alphas": 5, "acafh.candidates": "best"},
        threshold="default",
        accounting="p95",
        score="roc_auc",
        charge="batch_row",
        confidence=0.8,
    )
    state.n_runs = 3  # which no word of the script needs computed
    MARKS.answer(state)
    state.reason = "alpha"
    text = frontier_script(state, SessionState(dataset=state.dataset))
    for said in ("'acafh'", "0.375", "'scad'", "'refit': False", "2.75", "'default'"):
        assert said in text
    assert "'alpha': 0.0123" in text
    assert "accounting='p95'" in text
    assert "score='roc_auc'" in text
    assert "charge='batch_row'" in text
    assert "confidence=0.8" in text
    assert "n_splits=3" in text
    assert f"budget={state.budget!r}" in text
    told = {"methods", "alpha", "p", "penalty", "refit", "settings", "threshold"}
    told |= {
        "accounting",
        "n_runs",
        "budget",
        "reason",
        "score",
        "charge",
        "confidence",
        *("price", "limits"),  # where there are several: test_prices.py
        *("miss", "false_alarm", "worth"),  # where they are given: test_mistakes.py
    }
    names = link_names(FrontierState) | link_names(FrontierState, everywhere=True)
    assert {*names} - NOT_IN_SCRIPT == told
