"""Pages that ask what money buys stand at one budget, whoever has moved it."""

import pytest

from explorer.pages.frontier.page import FrontierPage
from explorer.pages.proof.page import ProofPage
from explorer.session.context import Context
from explorer.session.state import SessionState
from tests.explorer.worlds import own_table


@pytest.fixture
def opened():
    """Both pages of one session, the frontier in front."""
    context = Context(SessionState(dataset=own_table()))
    frontier, proof = FrontierPage(context), ProofPage(context)
    context.choices.adopt("frontier", frontier.state, ["budget", "reason"])
    context.choices.adopt("proof", proof.state, ["source", "share"])
    yield context, frontier.state, proof
    context.abandon()


def turn_to(page, context):
    context.session.page = page.name
    page.start()


def test_proof_opens_at_the_budget_of_the_frontier(opened):
    context, frontier, proof = opened
    frontier.budget = 0.8 * context.session.dataset.hypergraph.total_cost
    turn_to(proof, context)
    assert proof.state.share == pytest.approx(0.8)


def test_a_budget_that_proof_was_opened_at_leads(opened):
    context, frontier, proof = opened
    proof.state.share = 0.6  # by a link to it
    turn_to(proof, context)
    full = context.session.dataset.hypergraph.total_cost
    assert proof.state.share == 0.6
    assert frontier.budget == pytest.approx(0.6 * full)


def test_what_is_moved_on_proof_is_moved_everywhere_and_is_one_step(opened):
    context, frontier, proof = opened
    frontier.reason = "alpha"
    turn_to(proof, context)
    before, resting = frontier.budget, []
    proof.state.settle_by(resting.append)
    proof.state.share = 0.9
    assert frontier.budget == before  # the hand still moves
    resting.pop()()
    full = context.session.dataset.hypergraph.total_cost
    assert frontier.budget == pytest.approx(0.9 * full)
    assert frontier.reason == "budget"
    context.undo_stack.undo()
    resting.pop()()
    assert frontier.budget == pytest.approx(before)
    assert context.session.page == "proof"


def test_a_table_that_is_not_the_open_problem_has_a_budget_of_its_own(opened):
    context, frontier, proof = opened
    before = frontier.budget
    proof.state.source = "heart"
    turn_to(proof, context)
    proof.state.share = 0.9
    assert frontier.budget == before


def test_a_link_over_what_was_kept_leads_though_the_hand_has_not_rested(opened):
    context, frontier, proof = opened
    turn_to(proof, context)
    proof.state.settle_by([].append)
    full = context.session.dataset.hypergraph.total_cost
    frontier.budget = 0.2 * full  # as it was kept
    assert proof.state.share == pytest.approx(0.2)
    proof.state.share = proof.state.param.share.default
    proof.state.share = 0.6
    proof.start()
    assert frontier.budget == pytest.approx(0.6 * full)
