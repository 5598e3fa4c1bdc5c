"""A person's table of three classes stands on every page."""

import pytest
from sklearn.datasets import load_wine

from explorer.pages import all_pages
from explorer.pages.frontier import choices
from explorer.pages.frontier.answer import summary_text
from explorer.pages.frontier.controls import _menu_note
from explorer.pages.frontier.decisions import DecisionPart
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from solvers import all_methods, read_table
from tests.each import each


@pytest.fixture(scope="module")
def wine(tmp_path_factory):
    path = tmp_path_factory.mktemp("wine") / "wine.csv"
    bunch = load_wine(as_frame=True)
    kinds = [bunch.target_names[kind] for kind in bunch.target]
    bunch.data.assign(kind=kinds).to_csv(path, index=False)
    return read_table(path, "kind")


@each("name", all_pages())
def test_every_page_is_built(wine, name):
    assert all_pages()[name].build(Context(SessionState(dataset=wine, page="none")))


@each("name", all_pages())
def test_every_page_is_built_on_a_bundled_one_of_parted_rows(name):
    session = SessionState(dataset=bundled("thyroid"), page=name)
    assert all_pages()[name].build(Context(session))


def test_methods_that_cannot_are_left_out_by_name(wine, monkeypatch):
    assert list(FrontierState(dataset=wine).param.methods.objects) == list(
        all_methods()
    )
    assert _menu_note(wine) == "<p>3 classes. F1 is the mean over the classes.</p>"
    able = tuple(name for name in all_methods() if name not in ("cstc", "dag"))
    monkeypatch.setattr(choices, "_tell_many_apart", lambda: able)
    assert list(FrontierState(dataset=wine).param.methods.objects) == list(able)
    assert "CSTC and DAG: left out, as only two are told apart." in _menu_note(wine)


def test_points_come_and_the_chosen_model_can_be_looked_into(wine):
    state = FrontierState(dataset=wine, methods=["static_prefix", "csnb"])
    state.budget = wine.hypergraph.total_cost / 2
    TRACES.answer(state)
    state.score = "balanced_accuracy"
    assert "Balanced accuracy 0." in summary_text(state)
    state.score = "roc_auc"  # for two classes only
    assert "F1 0." in summary_text(state)
    part = DecisionPart(state=state)
    part._fold.is_open = True
    said = [getattr(one, "object", None) for one in part._inside.objects]
    assert any("Called class_" in text for text in said if isinstance(text, str))
