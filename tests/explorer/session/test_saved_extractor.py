"""What extracts rows comes back where it came along with us."""

import json

import pytest

from explorer.session.saved import read_session
from solvers import ThriftscopeError
from tests.each import each
from tests.explorer.session.left import priced_here, restored
from tests.explorer.worlds import DECLARED, World
from tests.fuzz.refusal import is_one_sentence


def test_what_was_priced_here_comes_back_with_what_extracts_it():
    world = priced_here()
    found = restored(world).dataset
    assert found.hypergraph.equals(world.session.dataset.hypergraph)
    assert found.costs_note == "Measured here."
    again = found.pipeline.trim(["strokes"]).extract(found.samples[:5])
    column = found.feature_names.index("strokes")
    assert again[:, 0] == pytest.approx(found.X[:5, column], rel=1e-5)
    # And once more: what was read is saved as what was measured.
    once_more = World()
    once_more.autosave._take(restored(world), "Opened")
    assert restored(once_more).dataset.pipeline is not None


def test_a_drawing_that_was_edited_comes_back_with_what_extracts_it():
    world = priced_here()
    world.context.problem.set_unit("ms")
    other = World()
    other.autosave._take(restored(world), "Opened")
    assert other.session.dataset.unit == "ms"
    assert other.session.dataset.pipeline is not None


@each(
    "extractor", [None, 3, {"name": "digits"}, {"name": "gone", "options": {}}], ids=str
)
def test_an_extractor_that_makes_no_sense_is_refused(extractor):
    document = json.loads(priced_here().autosave.text())
    document["data"]["extractor"] = extractor or {"name": "gait", "options": {"n": 1}}
    with pytest.raises(ThriftscopeError) as refused:
        read_session(json.dumps(document), DECLARED)
    assert is_one_sentence(str(refused.value))
