"""Session files with broken bytes or odd values are opened or refused, never worse."""

import copy
import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.session.own_files import OpenedFile
from explorer.session.saved import read_session
from solvers import ThriftscopeError
from tests.explorer.worlds import DECLARED, World, own_table
from tests.fuzz.refusal import is_one_sentence, refusal
from tests.fuzz.test_files import mutated

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | st.text(max_size=12),
    lambda inside: (
        st.lists(inside, max_size=4)
        | st.dictionaries(st.text(max_size=8), inside, max_size=4)
    ),
    max_leaves=8,
)
PIN = {
    "name": "before", "data": "own", "rows": 40, "hypergraph": "2 components",
    "unit": "us", "accounting": "mean", "full_cost": 3.5, "methods": ["L1"],
    "steps": [[0.5, 0.5, 0.8, 0.7], [3.5, 3.5, 0.9, 0.8]], "runs": [],
}  # fmt: skip


@pytest.fixture(scope="module")
def document():
    """A session with a table, an edited drawing and a pin."""
    world = World(own_table())
    node = world.editor.drawing.component_ids[0]
    world.editor.receive({"op": "set", "node": node, "cost": 2.0})
    found = json.loads(world.autosave.text())
    found["choices"]["frontier"]["pins"] = [PIN]
    file = OpenedFile("network", "mine.json", b"{}").plain()
    found["choices"]["trimming"] = {"files": [file], "costs": {"Q1": 2.0}}
    return found


def places(value, path=()):
    """Where something stands in a document."""
    yield path
    if not isinstance(value, dict | list):
        return
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inside in pairs:
        yield from places(inside, (*path, key))


def put(document, path, value):
    """The document with another value at a place."""
    if not path:
        return value
    document = copy.deepcopy(document)
    inside = document
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return document


def opens_or_refuses(text):
    """Open a text; a refusal is one sentence and has changed nothing."""
    world = World(own_table())
    before = world.everything()
    sentence = refusal(
        lambda: world.autosave._take(read_session(text, DECLARED), "Opened")
    )
    if sentence is None:
        world.autosave.text()
        return
    assert is_one_sentence(sentence), sentence
    assert world.everything() == before


def test_the_seed_itself_is_opened(document):
    assert refusal(lambda: read_session(json.dumps(document), DECLARED)) is None


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(JSON)
def test_any_json_is_refused(value):
    sentence = refusal(lambda: read_session(json.dumps(value), DECLARED))
    assert sentence is not None
    assert is_one_sentence(sentence)


@settings(max_examples=150, suppress_health_check=[*HealthCheck], deadline=None)
@given(st.data())
def test_odd_values_anywhere_are_opened_or_refused(document, data):
    path = data.draw(st.sampled_from([*places(document)]))
    opens_or_refuses(json.dumps(put(document, path, data.draw(JSON))))


def test_broken_bytes_are_opened_or_refused(document):
    seed, rng = json.dumps(document).encode(), np.random.default_rng(0)
    for _ in range(150):
        opens_or_refuses(mutated(seed, rng))


def test_a_refusal_is_a_child_of_ours(document):
    with pytest.raises(ThriftscopeError, match="version 9"):
        read_session(json.dumps({**document, "version": 9}), DECLARED)
