"""A session comes back as it was left; what is refused changes nothing."""

import json

import numpy as np

from explorer.document.recipes import DataRecipe, made, recipe_of
from explorer.session import saved_table
from explorer.session.checked import packed
from explorer.session.own_files import refuse_unlearnable
from explorer.session.saved import SavedSession, read_session
from solvers.datasets import make_sources
from tests.each import each
from tests.explorer.session.left import changed
from tests.explorer.worlds import DECLARED, World, own_table
from tests.fuzz.refusal import is_one_sentence, refusal


def reopened(world):
    """Another person's session, after opening this one's file."""
    other = World()
    other.autosave._take(read_session(world.autosave.text(), DECLARED), "Opened")
    return other


def test_every_scalar_choice_comes_back():
    world = World()
    world.frontier.param.update(alpha=0.02, p=0.3, penalty="mcp", methods=["l1"])
    world.cascade.param.update(cap=0.4, confidence="calibrated", source="session")
    world.session.param.update(page="cascade", dark=True)
    other = reopened(world)
    assert other.autosave.document() == world.autosave.document()


def test_a_page_that_was_never_built_keeps_its_choices():
    world = World()
    world.choices.set("structured", {"scene": "growth", "label_agreement": 0.7})
    other = reopened(world)
    assert other.choices.values("structured")["label_agreement"] == 0.7


def test_an_edited_drawing_comes_back_on_its_table():
    world = World()
    drawing = world.editor.drawing
    feature = drawing.feature_ids[3]
    for message in (
        {"op": "set", "node": feature, "name": "renamed"},
        {"op": "set", "node": drawing.component_ids[0], "cost": 7.25},
        {"op": "move", "places": {str(feature): [11.0, -4.0]}},
    ):
        world.editor.receive(message)
    other = reopened(world)
    assert other.session.dataset.hypergraph.equals(world.session.dataset.hypergraph)
    assert np.array_equal(other.session.dataset.X, world.session.dataset.X)
    assert other.context.problem.disagreement == ""


def test_a_drawing_that_disagrees_with_its_table_comes_back_as_it_is():
    world = World()
    world.editor.receive(
        {"op": "delete", "nodes": [world.editor.drawing.feature_ids[2]]}
    )
    other = reopened(world)
    assert other.context.problem.n_unpriced == 1
    assert other.editor.drawing.hypergraph.equals(world.editor.drawing.hypergraph)


def test_an_own_table_comes_back_to_the_last_bit():
    table = own_table()
    other = reopened(World(table))
    found = other.session.dataset
    assert found.X.tobytes() == table.X.tobytes()
    assert found.y.tolist() == table.y.tolist()
    assert (found.name, found.positive, found.notes) == ("own", "sick", ("One note.",))
    assert found.hypergraph.equals(table.hypergraph)


@each("labels", [[0, 1], [False, True], [-1.5, 2.0]], ids=str)
def test_labels_of_an_own_table_keep_their_type(labels):
    plain = own_table()
    y = np.array(labels)[(plain.y == "well").astype(int)]
    table = type(plain)("own", plain.X, y, plain.hypergraph)
    found = saved_table.unpacked_table(
        json.loads(json.dumps(saved_table.packed_table(table)))
    )
    assert found.y.dtype == table.y.dtype
    assert found.y.tolist() == table.y.tolist()


def test_a_generated_data_set_is_kept_by_its_recipe():
    recipe = DataRecipe("sources", {"n_samples": 500})
    world = World(made(make_sources(n_samples=500), recipe))
    assert len(world.autosave.text()) < 3_000
    assert np.array_equal(reopened(world).session.dataset.X, world.session.dataset.X)


def test_edited_costs_do_not_hide_where_rows_come_from():
    world = World()
    world.context.problem.set_unit("us")
    assert recipe_of(world.session.dataset) == DataRecipe("breast_cancer")
    assert recipe_of(world.session.dataset, as_priced=True) is None


@each(
    "text",
    [
        "", "{", "[]", "null", '{"format": "thriftscope-session"}', "[" * 10_000,
        changed(version=2), changed(version=True), changed(format="x"),
        changed(page="../../etc"), changed(page=3), changed(dark="yes"),
        changed(more=1), changed(data={"name": "signals"}),
        changed(data={"name": "etc", "options": {}}),
        changed(data={"name": "sources", "options": {"n_samples": 10**9}}),
        changed(data={"name": "sources", "options": {"noise": "<b>"}}),
        changed(data={"table": "abc"}), changed(table={"key": 1}),
        changed(drawing={"hypergraph": {}}), changed(drawing=[1]),
        changed(choices=[]), changed(choices={"frontier": 3}),
        changed(choices={"nowhere": {}}), changed(choices={"frontier": {"x": 1}}),
        changed(choices={"frontier": {"p": 7}}),
        changed(choices={"frontier": {"p": True}}),
        changed(choices={"frontier": {"alpha": -1}}),
        changed(choices={"frontier": {"methods": ["<b>x</b>"]}}),
        changed(choices={"frontier": {"methods": "l1"}}),
        changed(choices={"frontier": {"penalty": "../../etc"}}),
        changed(choices={"frontier": {"budget": None}}),
        changed(choices={"frontier": {"pins": [{}]}}),
        changed(choices={"frontier": {"pins": [1, 2, 3, 4]}}),
        changed(choices={"cascade": {"source": ["own"]}}),
        changed(choices={"trimming": {"costs": "x"}}),
        changed(choices={"trimming": {"costs": 7}}),
        changed(choices={"trimming": {"costs": {"x": "y"}}}),
        changed(choices={"structured": {"n_nodes": 2.5}}),
        changed(choices={"structured": {"n_nodes": 10**12}}),
        changed().replace('"p": 0.5', '"p": NaN'),
        changed().replace('"p": 0.5', '"p": 1e999'),
        changed().replace('"p": 0.5', '"p": ' + "9" * 5_000),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_a_sentence(text):
    sentence = refusal(lambda: read_session(text, DECLARED))
    assert sentence is not None
    assert is_one_sentence(sentence)


def test_what_is_too_long_is_not_even_parsed(monkeypatch):
    monkeypatch.setattr("explorer.session.saved.MAX_TEXT", 10)
    assert "at most 10" in str(refusal(lambda: read_session("[" * 99, DECLARED)))


def test_packed_rows_that_want_to_be_endless_are_refused():
    table = saved_table.packed_table(own_table())
    table["values"] = packed(np.zeros(10**6).tobytes())
    assert "damaged" in str(refusal(lambda: saved_table.unpacked_table(table)))


@each("positive", [[], ["sick"], {}, "nobody"])
def test_a_positive_class_that_is_none_is_refused(positive):
    document = json.loads(World(own_table()).autosave.text())
    document["table"]["positive"] = positive
    sentence = refusal(lambda: read_session(json.dumps(document), DECLARED))
    assert is_one_sentence(sentence)


def test_a_budget_beyond_everything_buys_everything():
    text = changed(choices={"frontier": {"budget": 1e9}})
    found = read_session(text, DECLARED)
    full_cost = found.dataset.hypergraph.total_cost
    assert found.choices["frontier"]["budget"] == full_cost


def test_a_fresh_session_is_one_that_can_be_learned():
    refuse_unlearnable(SavedSession().dataset)
