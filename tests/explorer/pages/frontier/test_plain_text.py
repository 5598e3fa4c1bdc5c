"""The page says in words what its chosen point does."""

from explorer.compute.traces import Trace
from explorer.pages.frontier.plain_text import PlainText, plain_answer
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled


def test_the_words_follow_the_chosen_point_and_claim_nothing_while_tracing():
    state = FrontierState(dataset=bundled("breast_cancer"), methods=["l1"])
    shown = PlainText(state=state)
    assert shown.view.answer is None
    whole = TRACES.answer(FrontierState(dataset=state.dataset, methods=["l1"]))["l1"]
    state.traces = {"l1": Trace(whole.points[:-2], is_complete=False)}
    state.budget = state.dataset.hypergraph.total_cost / 10
    assert not any(line.startswith("No") for line in plain_answer(state).closing)
    state.traces = {"l1": whole}
    state.budget = state.dataset.hypergraph.total_cost / 8
    state.rests += 1
    answer = shown.view.answer
    assert answer == plain_answer(state)
    assert answer.closing[-1].startswith("Not bought: for")
    assert answer.text() == shown.view._copy.text
