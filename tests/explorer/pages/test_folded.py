"""On every page that computes, what says more is closed until somebody opens it."""

import panel as pn

from explorer.pages import all_pages
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from explorer.widgets.folds import FoldHead
from tests.each import each

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


def heads(parts):
    return pn.Column(parts.main, parts.tuned()).select(FoldHead)


@each("name", FOLDED)
def test_what_says_more_is_closed_not_made_and_opened_by_a_link_to_what_it_holds(name):
    context = Context(SessionState(dataset=bundled("breast_cancer")))
    parts, (drawers, within) = all_pages()[name].build(context), FOLDED[name]
    assert not any(head.is_open for head in heads(parts))
    titles = [head.title for head in heads(parts)]
    assert {*drawers} <= {*titles}
    assert within not in titles
    if not within:
        return
    (holder,) = [head for head in heads(parts) if head.title == drawers[0]]
    assert within in holder.holds
    holder.is_open = True
    assert within in [head.title for head in heads(parts)]
