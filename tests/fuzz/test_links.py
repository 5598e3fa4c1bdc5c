"""Whatever a link says, the session opens: what fits is taken, the rest left out."""

from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.pages.frontier.state import FrontierState
from explorer.pages.selectivity.state import SelectivityState
from explorer.session.link import MAX_LINK, read_link, read_page_link, write_link
from explorer.session.state import SessionState, bundled
from tests.fuzz.refusal import is_one_sentence

KEYS = ("page", "data", "lambda", "p", "budget", "accounting", "penalty", "threshold")
KEYS = (*KEYS, "refit", "methods")
ODD = st.one_of(
    st.text(max_size=12),
    st.floats().map(str),
    st.integers().map(str),
    st.sampled_from(
        ["1e999", "-0", "nan", "yes", "lp", "digits", "acafh,l1", "\0", "٣"]
    ),
    st.sampled_from(["<script>", "../../etc", "%00", "a" * 300, "1_000", "0x10"]),
)
QUERIES = st.one_of(
    st.dictionaries(st.sampled_from(KEYS), ODD).map(lambda d: "?" + urlencode(d)),
    st.text(max_size=60).map(lambda text: "?" + text),
    st.binary(max_size=60).map(lambda raw: "?" + raw.decode("latin1")),
)


@pytest.fixture(scope="module")
def dataset():
    return bundled("breast_cancer")


@settings(max_examples=60, deadline=None)
@given(QUERIES)
def test_any_link_opens_a_session_that_a_link_describes(dataset, query):
    session, frontier = SessionState(dataset=dataset), FrontierState(dataset=dataset)
    read_link(query, session, frontier)
    again = SessionState(dataset=session.dataset)
    same = FrontierState(dataset=session.dataset)
    link = write_link(session, frontier)
    read_link(link, again, same)
    assert write_link(again, same) == link


@settings(max_examples=60, deadline=None)
@given(ODD, ODD, ODD)
def test_any_link_to_a_page_leaves_its_state_within_bounds(gamma, loss, is_priced):
    state = SelectivityState()
    names = ("gamma", "loss", "is_priced")
    query = "?" + urlencode(dict(zip(names, (gamma, loss, is_priced), strict=True)))
    read_page_link(query, state, {name: name for name in names})
    assert 1e-3 <= state.gamma <= 1e3
    assert state.loss in state.param.loss.objects
    assert isinstance(state.is_priced, bool)


def test_a_link_longer_than_the_cap_changes_nothing(dataset):
    session, frontier = SessionState(dataset=dataset), FrontierState(dataset=dataset)
    (refused,) = read_link("?p=0.9&x=" + "a" * MAX_LINK, session, frontier)
    assert is_one_sentence(refused)
    assert frontier.p == 0.5
