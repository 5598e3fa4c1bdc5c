"""Columns of a table are what a person says, before it is opened and afterwards."""

import json
import time

import numpy as np
import pandas as pd
import pytest

from explorer.document.table_use import TableUse
from explorer.export.bundle import TABLE
from explorer.export.view_script import script
from explorer.pages.frontier.state import FrontierState
from explorer.pages.frontier.take_away import describe
from explorer.pages.problem import table_dialog
from explorer.pages.problem.columns_part import ColumnsPart
from explorer.pages.problem.table_dialog import TableDialog
from explorer.session.autosave import Autosave
from explorer.session.context import Context
from explorer.session.own_files import column_plans
from explorer.session.saved import read_session
from explorer.session.saved_table import packed_table, unpacked_table
from explorer.session.state import SessionState, bundled
from solvers import split_dataset
from solvers.datasets import open_table
from solvers.datasets.table import csv_file, files
from solvers.interchange import hif_text, to_hif
from solvers.resources import sample_data
from tests.datasets.written_forms import workbook
from tests.fuzz.refusal import is_one_sentence, refusal


@pytest.fixture
def context():
    return Context(SessionState(dataset=bundled("breast_cancer")))


def wait(job):
    deadline = time.monotonic() + 60
    while job.busy:
        assert time.monotonic() < deadline, "it did not end in time"
        time.sleep(0.005)


def own(n=120):
    rng = np.random.default_rng(0)
    age, pain = rng.normal(50, 9, n).round(1), rng.integers(1, 4, n)
    table = pd.DataFrame({"age": age, "pain": pain, "ward": np.arange(n) // 6})
    table.loc[:9, "age"] = np.nan
    ill = np.where(table["age"].fillna(50) + 9 * (pain == 2) > 52, "yes", "no")
    return table.assign(who=[f"p{k}" for k in range(n)], ill=ill)


def csv(table):
    return table.to_csv(index=False).encode()


def test_plans_of_many_columns_come_a_few_at_once_and_in_order():
    numbers = pd.DataFrame(np.random.default_rng(0).random((20, 120)))
    table = numbers.add_prefix("x").assign(ill=["yes", "no"] * 10)
    file = open_table(csv(table))
    sent = list(column_plans(file, TableUse({"ill": "label"}), list(table)))
    assert [len(some) for some in sent] == [50, 50, 21]
    assert [plan.name for some in sent for plan in some] == list(table)


def test_of_a_large_table_the_first_rows_come_before_the_others(context, monkeypatch):
    for module, names in (
        (csv_file, ("_LARGE", "_BLOCK")),
        (files, ("_LARGE", "_HEAD")),
    ):
        for name in names:
            monkeypatch.setattr(module, name, 1000)
    heads, shares = [], []
    dialog = TableDialog(context, context.problem)
    dialog._head.param.watch(lambda e: heads.append(e.new), "rows")
    dialog.job.param.watch(lambda e: shares.append(e.new), "progress")

    def here(work, *arguments):
        yield from work(*arguments)

    monkeypatch.setattr(table_dialog, "sandboxed", here)
    dialog._table.value = csv(own())
    wait(dialog.job)
    (rows,) = heads
    assert len(rows) == 5
    assert rows[0][2:4] == ["0", "p0"]
    assert any(0 < share < 1 for share in shares)
    assert "120 rows, 5 columns." in dialog._counts.object
    assert not dialog._head.visible
    assert dialog._mapping.visible
    assert list(dialog._editor.view.plans) == ["age", "pain", "ward", "who", "ill"]


def change(editor, name, key, value):
    editor.view._receive({"op": "column", "name": name, "key": key, "value": value})
    wait(editor._job)


@pytest.fixture
def dialog(context):
    made = TableDialog(context, context.problem)
    made._table.filename = "mine.csv"
    made._table.value = csv(own())
    wait(made.job)
    return made


def opened(dialog):
    dialog._open()
    wait(dialog.job)
    assert dialog.job.message == ""
    return dialog._context.session.dataset


@pytest.fixture
def part(context, dialog):
    opened(dialog)
    made = ColumnsPart(context, context.problem)
    made.compute()
    wait(made.job)
    return made


def shown(editor, name):
    rows = editor.view.pane.content["rows"]
    return next(row for row in rows if row["name"] == name)


class TestBefore:
    def test_columns_are_told_with_what_becomes_of_them(self, dialog):
        editor = dialog._editor
        assert shown(editor, "age")["missing"] == 10
        assert shown(editor, "age")["becomes"] == "2 columns: age, age is missing."
        assert shown(editor, "who")["out"]
        assert shown(editor, "ill")["role"] == "label"
        note = editor.view.pane.content["note"]
        assert note == "3 features, learned from as 4 columns."

    def test_what_is_changed_is_what_is_opened(self, dialog):
        change(dialog._editor, "pain", "kind", "category")
        change(dialog._editor, "age", "gaps", "drop")
        change(dialog._editor, "ward", "role", "group")
        dataset = opened(dialog)
        assert dataset.feature_names == ("age", "pain")
        assert dataset.n_samples == 110
        assert dataset.schema.columns[1].kind == "category"
        assert len(np.unique(dataset.roles.group)) == 19
        assert dataset.positive == "yes"

    def test_another_label_is_followed_by_its_classes(self, dialog):
        change(dialog._editor, "pain", "role", "label")
        assert dialog._label.value == "pain"
        assert shown(dialog._editor, "ill")["role"] == "feature"
        counts = own()["pain"].value_counts().sort_index()
        offered = [f"{value} ({n} rows)" for value, n in counts.items()]
        assert [*dialog._positive.options] == offered
        dialog._label.value = "ill"
        wait(dialog.job)
        assert shown(dialog._editor, "pain")["role"] == "feature"

    def test_what_is_not_offered_is_refused_and_shown_as_it_was(self, dialog):
        before = dialog._editor.view.pane.content
        change(dialog._editor, "pain", "kind", "<b>")
        assert "cannot have the 'kind' '<b>'" in dialog.job.message
        assert dialog._editor.view.pane.content["rows"] == before["rows"]
        assert dialog._editor.view.pane.content["serial"] > before["serial"]

    def test_a_workbook_of_several_sheets_asks_which(self, context):
        dialog = TableDialog(context, context.problem)
        notes = own()[["pain", "ill"]].rename(columns={"pain": "hurts"})
        dialog._table.value = workbook(own(), notes)
        wait(dialog.job)
        assert dialog._sheet.visible
        assert dialog._sheet.options == ["Data", "More"]
        assert [*dialog._editor.view.plans] == [*own()]
        dialog._sheet.value = "More"
        wait(dialog.job)
        assert [*dialog._editor.view.plans] == ["hurts", "ill"]

    @pytest.mark.parametrize("form", ["costs", "incidence"])
    def test_heart_has_thirteen_tests_in_both_forms_of_costs(self, context, form):
        dialog = TableDialog(context, context.problem)
        dialog._table.value = sample_data("heart", "heart.csv").read_bytes()
        wait(dialog.job)
        if form == "costs":
            dialog._prices.value = "by a file of costs, one a column"
            costs = sample_data("heart", "heart_costs.csv").read_bytes()
            dialog._costs.value = costs
        else:
            context.problem.open_hypergraph(bundled("heart").hypergraph, "Loaded")
            first = "by the drawing; refuse names that disagree"
            dialog._prices.value = first
        dataset = opened(dialog)
        assert dataset.n_features == 13
        assert dataset.hypergraph.total_cost == bundled("heart").hypergraph.total_cost


class TestAfter:
    def test_a_change_is_learned_at_once_and_undone_with_the_drawing(self, part):
        session, editor = part.context.session, part._problem.editor
        before = session.dataset
        change(part.editor, "pain", "kind", "category")
        assert session.dataset.schema.columns[1].kind == "category"
        assert editor.undoes == "Took pain as category"
        editor.undo()
        wait(part.job)
        assert session.dataset is before
        assert shown(part.editor, "pain")["kind"] == "number"
        editor.redo()
        wait(part.job)
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
        wait(part.job)
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
        wait(part.job)
        change(part.editor, "chol", "role", "left out")
        reloaded = reload(context)
        assert "chol" not in reloaded.context.session.dataset.feature_names
        change(reloaded.editor, "chol", "role", "feature")
        found = reloaded.context.session.dataset
        assert found.schema.columns[found.feature_names.index("chol")].kind == "number"
        both = ["chol", "fbs"]
        assert found.hypergraph.cost(both) == bundled("heart").hypergraph.cost(both)

    @pytest.mark.parametrize(
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
    wait(keeper._reading)
    assert keeper.message == ""
    part = ColumnsPart(fresh, fresh.problem)
    part.compute()
    wait(part.job)
    return part


class TestTakenAway:
    @pytest.fixture
    def changed(self, part):
        change(part.editor, "pain", "kind", "category")
        change(part.editor, "age", "gaps", "value")
        change(part.editor, "ward", "role", "group")
        return part.context.session

    @pytest.mark.parametrize("in_bundle", [False, True])
    def test_the_script_reads_the_same_data(
        self, changed, in_bundle, tmp_path, monkeypatch
    ):
        state = FrontierState(dataset=changed.dataset)
        text = script(describe(state, changed, in_bundle=in_bundle))
        source = text[text.index("dataset = read_table") :].split("\n)\n")[0] + "\n)"
        if in_bundle:
            from explorer.export.bundle import _table

            (tmp_path / TABLE).write_bytes(_table(changed.dataset))
        else:
            (tmp_path / "mine.csv").write_bytes(csv(own()))
        graph = hif_text(to_hif(changed.dataset.hypergraph))
        (tmp_path / "hypergraph.json").write_text(graph, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        names = {}
        exec("from solvers import read_hypergraph, read_table\n" + source, names)
        again = names["dataset"]
        assert again.schema == changed.dataset.schema
        assert np.array_equal(again.X, changed.dataset.X, equal_nan=True)
        assert again.y.tolist() == changed.dataset.y.tolist()
        for part in ("train", "validation", "test"):
            ours, theirs = split_dataset(changed.dataset), split_dataset(again)
            assert np.array_equal(ours.X(part), theirs.X(part))
