"""Columns are told with what becomes of them, and are what a person says."""

import numpy as np
import pandas as pd
import pytest

from explorer.document.table_use import TableUse
from explorer.session import table_dialog
from explorer.session.own_files import column_plans
from explorer.session.state import bundled
from explorer.session.table_dialog import TableDialog
from solvers.datasets import open_table
from solvers.datasets.table import csv_file, files
from solvers.resources import sample_data
from tests.datasets.written_forms import workbook
from tests.explorer.pages.problem.tables import change, csv, opened, own, shown
from tests.waiting import until_idle


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
    until_idle(dialog.job)
    (rows,) = heads
    assert len(rows) == 5
    assert rows[0][2:4] == ["0", "p0"]
    assert any(0 < share < 1 for share in shares)
    assert "120 rows, 5 columns." in dialog._counts.object
    assert not dialog._head.visible
    assert dialog._mapping.visible
    assert list(dialog._editor.view.plans) == ["age", "pain", "ward", "who", "ill"]


class TestBefore:
    def test_columns_are_told_with_what_becomes_of_them(self, dialog):
        editor = dialog._editor
        assert shown(editor, "age")["missing"] == 10
        assert shown(editor, "age")["becomes"] == "2 columns: age, age is missing."
        assert shown(editor, "who")["out"]
        assert shown(editor, "ill")["role"] == "label"
        note = editor.view.content["note"]
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
        assert [*dialog._positive.options] == ["none: the mean over all", *offered]
        assert opened(dialog).positive is None
        dialog._positive.value = [*dialog._positive.options.values()][2]
        assert str(opened(dialog).positive) == "2"
        dialog._label.value = "ill"
        until_idle(dialog.job)
        assert shown(dialog._editor, "pain")["role"] == "feature"

    def test_what_is_not_offered_is_refused_and_shown_as_it_was(self, dialog):
        before = dialog._editor.view.content
        change(dialog._editor, "pain", "kind", "<b>")
        assert "cannot have the 'kind' '<b>'" in dialog.job.message
        assert dialog._editor.view.content["rows"] == before["rows"]
        assert dialog._editor.view.content["serial"] > before["serial"]

    def test_a_workbook_of_several_sheets_asks_which(self, context):
        dialog = TableDialog(context, context.problem)
        notes = own()[["pain", "ill"]].rename(columns={"pain": "hurts"})
        dialog._table.value = workbook(own(), notes)
        until_idle(dialog.job)
        assert dialog._sheet.visible
        assert dialog._sheet.options == ["Data", "More"]
        assert [*dialog._editor.view.plans] == [*own()]
        dialog._sheet.value = "More"
        until_idle(dialog.job)
        assert [*dialog._editor.view.plans] == ["hurts", "ill"]

    @pytest.mark.parametrize("form", ["costs", "incidence"])
    def test_heart_has_thirteen_tests_in_both_forms_of_costs(self, context, form):
        dialog = TableDialog(context, context.problem)
        dialog._table.value = sample_data("heart", "heart.csv").read_bytes()
        until_idle(dialog.job)
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

    def test_costs_without_a_unit_ask_for_one(self, context):
        dialog = TableDialog(context, context.problem)
        dialog._table.value = csv(own())
        until_idle(dialog.job)
        dialog._prices.value = "by a file of costs, one a column"
        dialog._costs.value = b"feature,cost\nage,1\npain,2\n"
        before = context.session.dataset
        dialog._open()
        until_idle(dialog.job)
        assert dialog.job.message.endswith("name their unit, such as us, ms or CAD.")
        assert context.session.dataset is before
        dialog._unit.value_input = "CAD"
        assert opened(dialog).unit == "CAD"
