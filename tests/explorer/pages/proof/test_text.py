"""The words say what is proven, open and ruled out."""

from dataclasses import replace

from explorer.pages.proof.state import ProofState
from explorer.pages.proof.text import ProofText, floor_text, proof_answer, summary_text
from tests.explorer.pages.proof.answered import answer, prove, small


def test_the_words_tell_what_must_be_bought_and_what_the_floor_is_not(heart):
    said = proof_answer(heart)
    text, found = said.text(), heart.answer.nearly.found
    assert (
        f"{found.count} selections are within 1 % of the best, and no other is" in text
    )
    assert (
        "Buy treadmill (86.3 CAD), which exang, oldpeak and slope need." in said.steps
    )
    assert "In all of them: treadmill, " in text
    assert "says nothing of F1" in text
    assert "Interchangeable: " in text


def test_an_open_gap_is_called_open():
    state = answer(prove(small(share=0.9, tol=1e-3), is_short=True))
    one = state.answer.certified
    assert "is better than the best one known (proved)" in summary_text(state)
    low = replace(one, lower=one.upper - 0.2 * one.full_gain, proven=False)
    state.param.update(
        floors=None, base=None, answer=replace(state.answer, certified=low)
    )
    assert "may still be up to 20.0 % better" in summary_text(state)


def test_before_the_answer_the_staircase_says_what_it_knows(state):
    state.share = 0.5
    assert summary_text(state).startswith("No linear model for 1.75 ")
    assert "The gap is closed to 1 % on all budgets." in floor_text(state)
    assert "No floor is proven yet" in summary_text(ProofState())


def test_words_wait_for_the_answer_to_what_is_asked(state):
    words = ProofText(state=state)
    said = words.view.answer
    assert said == proof_answer(state)
    state.share = 0.2
    state.rests += 1
    assert words.view.answer is said
    assert words.view.waiting.endswith("Of what was asked before:")
    state.ridge = 0.3
    assert summary_text(state) == "No floor is proven yet of what is asked."
    answer(prove(state))
    assert words.view.answer == proof_answer(state) != said
    assert words.view.waiting == ""


def test_a_budget_of_nothing_buys_nothing(state):
    state.share = 0.0
    said = proof_answer(answer(state))
    assert said.steps == ("Buy nothing: always say how frequent the class is.",)


def test_what_ruling_out_costs_is_told(state):
    state.rule_out("fft")
    text = proof_answer(answer(prove(state))).text()
    assert "and without fft is better than the best one known (proved)" in text
    assert "With nothing ruled out the best for this money" in text
    state.ridge = 0.2  # of another ridge the floors say nothing
    assert state.unrestricted is None
