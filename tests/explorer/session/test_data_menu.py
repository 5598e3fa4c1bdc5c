"""The bar names the open problem; its menu opens an example, or asks for one's own."""

from dataclasses import replace

import pytest

from explorer.session.context import Context
from explorer.session.data_menu import OWN, DataMenu, facts
from explorer.session.examples import EXAMPLES, title_of
from explorer.session.state import DEFAULT_DATASET, SessionState, bundled
from solvers import FeatureHypergraph
from solvers.datasets import all_datasets, dataset_facts
from tests.waiting import until


@pytest.fixture
def menu():
    return DataMenu(Context(SessionState()))


def choose(menu, label):
    items = menu._button.items
    (place,) = [k for k, item in enumerate(items) if item["label"].startswith(label)]
    menu._button._handle_msg({"type": "click", "item": place})


def test_every_example_is_a_data_set_and_tells_why_it_is_there():
    assert {name for name, *_ in EXAMPLES} < set(all_datasets())
    assert len({title for _, title, _ in EXAMPLES}) == len(EXAMPLES)
    assert EXAMPLES[0][0] == DEFAULT_DATASET
    for name, title, asked in EXAMPLES:
        assert asked[-1] in ".?"
        is_invented = dataset_facts(name).prices == "invented"
        assert is_invented == ("invented" in title.lower())


def test_an_example_says_before_it_is_opened_how_large_it_is_and_who_priced_it(menu):
    labels = [item["label"] for item in menu._button.items]
    assert any(
        label.endswith("(7,200 rows, 3 classes, published prices)") for label in labels
    )
    choose(menu, "Thyroid")
    told = "21 features, 69.8 CAD for all, tells 3 classes apart"
    until(lambda: told in menu._facts.object)


def test_an_example_is_opened_and_named_in_the_bar(menu):
    session = menu._context.session
    assert menu._button.label == "Data: Published"
    assert "11 features, 40.2 µs for all, predicts intruder" in menu._facts.object
    choose(menu, "Medical tests")
    told = "13 features, 324 CAD for all, predicts ill"
    until(lambda: told in menu._facts.object)
    assert session.dataset.name == "heart"
    assert menu._button.label == "Data: Medical tests"


def test_ones_own_table_is_asked_for_and_named_as_it_is(menu):
    choose(menu, OWN)
    assert menu.dialog._dialog.open
    session = menu._context.session
    name = "<img src=x>" * 9
    session.open(replace(session.dataset, name=name))
    assert title_of(session.dataset) == f"{name[:27]}…"
    assert "tells 10 classes apart" in facts(bundled("scenes"))
    heart = bundled("heart")
    alone = FeatureHypergraph.independent([1.0] * 13, heart.feature_names)
    heart = replace(heart, hypergraph=replace(alone, unit="features"))
    assert facts(heart) == "13 features, predicts ill"


def test_a_page_with_a_subject_of_its_own_says_so():
    context = Context(SessionState())
    menu = DataMenu(context, {"structured": "a graph", "frontier": ""}.get)
    assert "predicts intruder" in menu._facts.object
    context.session.page = "structured"
    assert menu._facts.object == "<p>a graph</p>"


def test_pages_ask_for_a_table_by_the_same_dialog(menu):
    menu._context.bring()
    assert menu.dialog._dialog.open


def test_it_is_told_that_what_is_drawn_is_not_what_a_page_asks_about():
    context = Context(SessionState())
    menu, editor = DataMenu(context), context.problem.editor
    context.session.page = "frontier"
    first = editor.drawing.feature_ids[0]
    editor.receive({"op": "delete", "nodes": [first]})
    assert "does not fit the table" in menu._facts.object
    assert "asks about what was there before" in menu.behind.text  # at every width
    context.session.page = "problem"  # it says itself what does not
    assert menu.behind.text == ""
    assert "does not fit the table" in menu._facts.object
    context.session.page = "frontier"
    context.problem.leave_out_columns()
    assert "predicts intruder" in menu._facts.object
    assert menu.behind.text == ""
