"""The script of a selectivity finds the model and the path."""

import pytest

from explorer.pages.selectivity.page import selectivity_script
from explorer.pages.selectivity.state import ANSWER, PATH, SelectivityState
from explorer.session.state import bundled
from tests.each import each
from tests.explorer.pages.run_script import run


@each(
    "choices",
    [
        {"share": 0.2, "gamma": 3.0},
        {"source": "session", "loss": "logistic", "is_priced": True},
    ],
    ids=["evoked signals", "the session's data, priced"],
)
def test_the_script_of_a_selectivity_finds_the_model_and_the_path(choices):
    state = SelectivityState(dataset=bundled("breast_cancer"), **choices)
    ANSWER.answer(state)
    PATH.answer(state)
    found, told = run(selectivity_script(state))
    answer, trace = state.answer, found["trace"]
    assert trace.model.mu == pytest.approx(answer.fit.mu)
    assert trace.model.objective == pytest.approx(answer.fit.objective, rel=2e-6)
    assert trace.rows.scores(trace.model) == pytest.approx(answer.scores)
    assert trace.rows.counts(trace.model) == answer.counts
    shown = [one.fit.objective for one in state.path]
    assert [fit.objective for fit in trace.path] == pytest.approx(shown, rel=1e-12)
    assert told == f"{trace}\n"
    assert f"{answer.counts['ridge']} ridge" in told.partition("The path:")[0]
