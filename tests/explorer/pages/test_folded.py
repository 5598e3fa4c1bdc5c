"""On every page that computes, what says more is closed until somebody opens it."""

import panel as pn
import pytest

from explorer.pages import all_pages
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from explorer.widgets.folds import FoldHead

# By page: the drawers that a new person reads of, and a panel that stands in the first.
FOLDED = {
    "problem": (["Further prices", "Bring an extractor"], ""),
    "frontier": (
        ["Details", "In words", "Compare", "The papers' figures", "Take away"],
        "All points in a table",
    ),
    "cascade": (["Details", "In words", "The papers' figures", "Take away"], "Stages"),
    "trimming": (["Details", "In words", "The papers' figures", "Take away"], ""),
    "selectivity": (
        ["Details", "The papers' figures", "Take away"],
        "The path as a table",
    ),
    "proof": (["Details", "In words", "Take away"], "Rule something out"),
    "structured": (
        ["Details", "The papers' figures", "Take away"],
        "The curve in numbers",
    ),
}


@pytest.fixture(params=FOLDED)
def page(request):
    context = Context(SessionState(dataset=bundled("breast_cancer")))
    return all_pages()[request.param].build(context), *FOLDED[request.param]


def heads(parts):
    return pn.Column(parts.main, parts.tuned).select(FoldHead)


def test_what_says_more_is_closed_and_not_made(page):
    parts, drawers, within = page
    assert not any(head.is_open for head in heads(parts))
    titles = [head.title for head in heads(parts)]
    assert {*drawers} <= {*titles}
    assert within not in titles


def test_a_link_to_what_stands_in_a_drawer_opens_that_too(page):
    parts, (drawer, *_), within = page
    if not within:
        return
    (holder,) = [head for head in heads(parts) if head.title == drawer]
    assert within in holder.holds
    holder.is_open = True
    assert within in [head.title for head in heads(parts)]
