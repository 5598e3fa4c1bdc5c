"""On every page that computes, what is advanced is closed until somebody opens it."""

import panel as pn
import pytest

from explorer.pages import all_pages
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from explorer.widgets.folds import FoldHead

# By page: headings that a new person reads, and nothing of what is below them.
FOLDED = {
    "problem": ["Further prices", "Bring an extractor"],
    "frontier": ["All points in a table", "Inside the chosen model"],
    "cascade": ["Stages", "The paper's figures"],
    "trimming": ["How much is searched (Table 6)"],
    "selectivity": ["The path as a table", "Time against the number of features"],
    "proof": ["Rule something out", "How the search runs"],
    "structured": ["What of the paper reproduces", "The curve in numbers"],
}


@pytest.mark.parametrize("name", FOLDED)
def test_what_is_advanced_is_closed(name):
    context = Context(SessionState(dataset=bundled("breast_cancer")))
    parts = all_pages()[name].build(context)
    heads = pn.Column(parts.main, parts.controls).select(FoldHead)
    assert not any(head.is_open for head in heads)
    assert {*FOLDED[name]} <= {head.title for head in heads}
