"""Columns of an open table are changed, undone and kept with the session."""

import json

import numpy as np

from explorer.pages.problem.data import ColumnsPart
from explorer.session.autosave import Autosave
from explorer.session.context import Context
from explorer.session.data_dialog import DataDialog
from explorer.session.saved import read_session
from explorer.session.saved_table import packed_table, unpacked_table
from explorer.session.state import SessionState, bundled
from tests.each import each
from tests.explorer.tables import change, csv, opened, own, shown
from tests.fuzz.refusal import is_one_sentence, refusal
from tests.waiting import until_idle


class TestAfter:
    def test_a_change_is_learned_at_once_and_undone_with_the_drawing(self, part):
        session, editor = part.context.session, part._problem.editor
        before = session.dataset
        change(part.editor, "pain", "kind", "category")
        assert session.dataset.schema.columns[1].kind == "category"
        assert editor.undoes == "Took pain as category"
        editor.undo()
        until_idle(part.job)
        assert session.dataset is before
        assert shown(part.editor, "pain")["kind"] == "number"
        editor.redo()
        until_idle(part.job)
        assert shown(part.editor, "pain")["kind"] == "category"

    def test_costs_that_were_edited_stay(self, part):
        problem = part._problem
        node = problem.editor.drawing.component_ids[0]
        problem.editor.receive({"op": "set", "node": node, "cost": 7})
        change(part.editor, "pain", "kind", "category")
        assert part.context.session.dataset.hypergraph.cost(["age"]) == 7
        change(part.editor, "pain", "role", "left out")
        assert part.context.session.dataset.feature_names == ("age", "ward")
        change(part.editor, "pain", "role", "feature")
        dataset = part.context.session.dataset
        assert set(dataset.feature_names) == {"age", "pain", "ward"}
        assert dataset.hypergraph.cost(["age"]) == 7
        assert dataset.hypergraph.cost(["pain"]) == 1
        assert problem.disagreement == ""

    def test_what_cannot_be_learned_from_is_refused_and_changes_nothing(self, part):
        before = part.context.session.dataset
        change(part.editor, "age", "role", "label")
        assert "continuous" in part.job.message
        assert part.context.session.dataset is before
        assert shown(part.editor, "age")["role"] == "feature"

    def test_the_order_of_values_is_a_person_s(self, part):
        change(part.editor, "pain", "kind", "ordered")
        assert shown(part.editor, "pain")["values"] == "1 < 2 < 3"
        change(part.editor, "pain", "values", "3 < 1 < 2")
        assert part.context.session.dataset.schema.columns[1].values == ("3", "1", "2")

    def test_columns_of_a_bundled_table_change_too(self, context):
        context.session.open(bundled("heart"))
        part = ColumnsPart(context, context.problem)
        part.compute()
        until_idle(part.job)
        change(part.editor, "ca", "kind", "category")
        dataset = context.session.dataset
        kinds = {column.name: column.kind for column in dataset.schema}
        assert kinds["ca"] == "category"
        assert dataset.hypergraph is bundled("heart").hypergraph
        assert dataset.source == bundled("heart").source

    def test_a_session_brings_kinds_and_roles_back(self, part):
        change(part.editor, "ward", "role", "group")
        change(part.editor, "pain", "kind", "category")
        dataset = part.context.session.dataset
        again = unpacked_table(packed_table(dataset))
        assert again.schema == dataset.schema
        assert np.array_equal(again.roles.group, dataset.roles.group)

    def test_a_column_left_out_is_still_there_after_a_reload(self, part):
        before = part.context.session.dataset
        change(part.editor, "ward", "role", "group")
        change(part.editor, "pain", "role", "left out")
        reloaded = reload(part.context)
        assert reloaded.context.session.dataset.feature_names == ("age",)
        uses = {name: plan.role for name, plan in reloaded.editor.view.plans.items()}
        roles = ["feature", "left out", "group", "left out", "label"]
        assert uses == dict(zip(own().columns, roles, strict=True))
        change(reloaded.editor, "pain", "role", "feature")
        change(reloaded.editor, "ward", "role", "feature")
        again = reloaded.context.session.dataset
        assert sorted(again.feature_names) == sorted(before.feature_names)
        for j, name in enumerate(before.feature_names):
            at = again.feature_names.index(name)
            assert np.array_equal(again.X[:, at], before.X[:, j], equal_nan=True)

    def test_a_column_that_comes_back_after_a_reload_costs_what_it_did(self, context):
        context.session.open(bundled("heart"))
        part = ColumnsPart(context, context.problem)
        part.compute()
        until_idle(part.job)
        change(part.editor, "chol", "role", "left out")
        reloaded = reload(context)
        assert "chol" not in reloaded.context.session.dataset.feature_names
        change(reloaded.editor, "chol", "role", "feature")
        found = reloaded.context.session.dataset
        assert found.schema.columns[found.feature_names.index("chol")].kind == "number"
        both = ["chol", "fbs"]
        assert found.hypergraph.cost(both) == bundled("heart").hypergraph.cost(both)

    def test_a_column_that_a_session_cannot_keep_is_named_after_a_reload(self, part):
        change(part.editor, "age", "gaps", "drop")
        change(part.editor, "pain", "role", "left out")
        dataset = reload(part.context).context.session.dataset
        (said,) = (note for note in dataset.notes if "not kept with a session" in note)
        assert "('pain', 'who')" in said
        assert "10 rows of the file are not in the table" in said
        assert is_one_sentence(said)

    def test_columns_too_large_for_a_session_are_named_after_a_reload(self, context):
        letters = np.random.default_rng(0).integers(97, 123, (120, 60_000))
        essays = [row.astype("u1").tobytes().decode() for row in letters]
        dialog = DataDialog(context)
        dialog.open()
        dialog._table.filename = "mine.csv"
        dialog._table.value = csv(own().assign(essay=essays)[["essay", *own()]])
        until_idle(dialog.job)
        opened(dialog)
        session = reload(context).context.session
        (said,) = (n for n in session.dataset.notes if "not kept with a session" in n)
        assert "('essay', 'who'): they are too large, or hold what no CSV can" in said
        assert is_one_sentence(said)
        assert session.dataset.feature_names == ("age", "pain", "ward")

    def test_prices_that_are_refused_stay_asked_for_when_the_table_is_planned(
        self, dialog
    ):
        """A file can be refused before the columns of its table are known."""
        prices = dialog._prices
        prices.upload.value = b"feature,cost\nage,-1\n"
        until_idle(prices._job)
        prices.begin(dialog._editor.view.features, dialog._editor.view.plans)
        before = dialog._context.session.dataset
        dialog._open()
        assert prices.source.value == "file"
        assert "-1" in dialog.job.message
        assert dialog._context.session.dataset is before

    def test_a_unit_that_was_asked_for_comes_back_with_the_columns(self, dialog):
        dialog._prices.upload.value = b"feature,cost\nage,1\npain,2\nward,3\n"
        until_idle(dialog._prices._job)
        dialog._prices.unit.value_input = "CAD"
        opened(dialog)
        part = ColumnsPart(dialog._context, dialog._problem)
        part.compute()
        until_idle(part.job)
        change(part.editor, "pain", "role", "left out")
        reloaded = reload(dialog._context)
        change(reloaded.editor, "pain", "role", "feature")
        graph = reloaded.context.session.dataset.hypergraph
        assert (graph.unit, graph.cost(["pain"])) == ("CAD", 2.0)

    @each(
        ("key", "value"),
        [
            ("names", ["age"]),
            ("roles", {"age": "king"}),
            ("kinds", {"age": {"kind": 3}}),
            ("left_out", "AAAA"),
            ("missing", "burn"),
            ("prices", {"nodes": 1}),
            ("filename", 7),
        ],
    )
    def test_a_damaged_session_is_refused(self, part, key, value):
        change(part.editor, "pain", "role", "left out")
        text = Autosave(part.context, DECLARED).text()
        document = json.loads(text)
        document["table"]["reading"][key] = value
        said = refusal(lambda: read_session(json.dumps(document), DECLARED))
        assert said is not None
        assert is_one_sentence(said)


DECLARED = {"frontier": (None, ()), "problem": (None, ())}


def reload(context):
    """Return the columns of the session that a browser has kept."""
    text = Autosave(context, DECLARED).text()
    fresh = Context(SessionState(dataset=bundled("breast_cancer")))
    keeper = Autosave(fresh, DECLARED)
    keeper.open(text.encode())
    until_idle(keeper._reading)
    assert keeper.message == ""
    part = ColumnsPart(fresh, fresh.problem)
    part.compute()
    until_idle(part.job)
    return part
