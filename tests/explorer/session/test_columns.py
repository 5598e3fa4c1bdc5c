"""Columns are told with what becomes of them, and are what a person says."""

from html import unescape
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from explorer.document.reading import TableUse
from explorer.session import data_dialog
from explorer.session.data_dialog import DataDialog
from explorer.session.own_files import column_plans
from explorer.session.state import bundled
from solvers.costs.interchange.sources import sample_data
from solvers.datasets import open_table
from solvers.datasets.table import csv_file, files
from tests.datasets.written_forms import workbook
from tests.each import each
from tests.explorer.tables import change, csv, opened, own, shown
from tests.waiting import until, until_idle

SOURCES = {"costs": "file", "incidence": "drawing", "typed": "typed"}


def dialog_of_heart(context):
    """The dialog, with the bundled table of tests chosen as if it were one's own."""
    dialog = DataDialog(context)
    dialog.open()
    dialog._table.value = sample_data("heart", "heart.csv").read_bytes()
    until_idle(dialog.job)
    return dialog


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
    dialog = DataDialog(context)
    dialog.open()
    dialog._head.param.watch(lambda e: heads.append(e.new), "rows")
    dialog.job.param.watch(lambda e: shares.append(e.new), "progress")

    def here(work, *arguments):
        yield from work(*arguments)

    monkeypatch.setattr(data_dialog, "sandboxed", here)
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
        assert note == "3 features, learned from as 4 columns. Left out: 'who'."
        # What needs a look comes first.
        assert next(row["name"] for row in editor.view.content["rows"]) == "who"

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
        until(lambda: dialog._editor.view.content["serial"] > before["serial"])

    def test_a_workbook_of_several_sheets_asks_which(self, context):
        dialog = DataDialog(context)
        dialog.open()
        notes = own()[["pain", "ill"]].rename(columns={"pain": "hurts"})
        dialog._table.value = workbook(own(), notes)
        until_idle(dialog.job)
        assert dialog._sheet.visible
        assert dialog._sheet.options == ["Data", "More"]
        assert not dialog._first_line.visible  # it names the columns of a workbook
        assert [*dialog._editor.view.plans] == [*own()]
        dialog._sheet.value = "More"
        until_idle(dialog.job)
        assert [*dialog._editor.view.plans] == ["hurts", "ill"]

    def test_where_no_column_can_be_the_label_it_says_so_at_once_and_why(self, dialog):
        table = pd.DataFrame(
            {"size": np.arange(600) / 7.0, "kind": np.arange(600) % 60}
        )
        dialog._table.value = csv(table)
        until_idle(dialog.job)
        assert "'kind' has 60, 'size' has 600" in unescape(dialog._asked.object)
        assert "600 rows, 2 columns" in dialog._counts.object

    def test_a_second_table_is_opened_once_its_columns_are_shown(self, dialog):
        session = dialog._context.session
        before = session.dataset
        dialog._table.value = b"not a table"
        until_idle(dialog.job)
        refused = dialog.job.message
        dialog._open()
        assert (dialog.job.message, session.dataset) == (refused, before)
        dialog._table.value = csv(own()[["pain", "ill"]])
        until_idle(dialog.job)
        assert not dialog._use.disabled
        assert opened(dialog).feature_names == ("pain",)

    def test_what_is_left_out_is_taken_back_as_is_offered(self, dialog):
        editor = dialog._editor
        key, value, _ = shown(editor, "who")["back"]
        change(editor, "who", key, value)
        assert not shown(editor, "who")["out"]
        change(editor, "who", "role", "left out")
        key, value, _ = shown(editor, "who")["back"]
        change(editor, "who", key, value)
        assert "who" in editor.view.features

    @pytest.mark.parametrize("form", ["costs", "incidence", "typed"])
    def test_heart_has_thirteen_tests_in_all_forms_of_costs(self, context, form):
        costs = sample_data("heart", "heart_costs.csv").read_bytes()
        if form == "incidence":
            context.problem.open_hypergraph(bundled("heart").hypergraph, "Loaded")
        dialog = dialog_of_heart(context)
        prices = dialog._prices
        if form == "costs":
            prices.upload.value = costs
        elif form == "typed":
            prices.source.value = "typed"
            lines = pd.read_csv(BytesIO(costs)).iloc[:, :2].to_numpy()
            prices.typed.value = "\n".join(f"{name}: {cost}" for name, cost in lines)
            until_idle(prices._job)
            prices.unit.value_input = "CAD"
        until_idle(prices._job)
        assert prices.source.value == SOURCES[form]
        assert "13 of 13 features have a price." in prices._told.object
        dataset = opened(dialog)
        assert dataset.n_features == 13
        assert dataset.unit == "CAD"
        shared = bundled("heart").hypergraph.total_cost  # of the groups, typed none
        each = pd.read_csv(BytesIO(costs)).iloc[:, 1].sum()
        total = dataset.hypergraph.total_cost
        assert total == pytest.approx(each if form == "typed" else shared)

    def test_costs_without_a_unit_or_a_column_ask_for_them(self, dialog):
        session, prices = dialog._context.session, dialog._prices
        before = session.dataset
        prices.upload.value = b"feature,cost\nage,1\npain,2\n"
        until_idle(prices._job)
        dialog._open()
        assert dialog.job.message.endswith("name their unit, such as us, ms or CAD.")
        prices.unit.value_input = "CAD"
        dialog._open()
        assert "No price is known of 'ward'" in dialog.job.message
        assert session.dataset is before
        prices.missing.value = "free"
        assert opened(dialog).unit == "CAD"
        assert session.dataset.hypergraph.cost(["ward"]) == 0.0

    def test_prices_that_cannot_be_read_open_nothing_and_say_why(self, dialog):
        prices, before = dialog._prices, dialog._context.session.dataset
        prices.upload.value = b"feature,cost_us\nage,-1\n"
        until_idle(prices._job)
        dialog._open()
        assert "-1" in dialog.job.message
        # What is asked for elsewhere is not taken from the file.
        prices.upload.value = b"feature,cost_us\nage,1\npain,1\nward,1\n"
        prices.source.value = "typed"
        until_idle(prices._job)
        dialog._open()
        assert "There are no prices yet" in dialog.job.message
        assert dialog._context.session.dataset is before

    def test_an_empty_file_is_refused_as_others_are(self, dialog):
        def bring_an_empty_file(file_input):  # as a browser tells it: without a byte
            file_input._handle_msg({"status": "initializing"})
            file_input._handle_msg({"status": "finished"})

        prices = dialog._prices
        for file_input, job in (
            (prices.upload, prices._job),
            (dialog._table, dialog.job),
        ):
            file_input.value = b"not,what\nis,asked\n"
            until_idle(job)
            bring_an_empty_file(file_input)
            until_idle(job)
            assert job.message.startswith("The file is empty")

    def test_what_was_said_of_other_prices_does_not_stand_beside(self, dialog):
        prices = dialog._prices
        prices.upload.value = b"feature,cost_us\nage,1\nPain (points),1\n"
        until_idle(prices._job)
        assert "2 of 3 features have a price; none has" in prices._told.object
        assert "No column is called" not in prices._told.object
        prices.upload.value = b"feature,cost_us\nage,-1\n"
        until_idle(prices._job)
        assert "-1" in prices._job.message
        assert "have a price" not in prices._told.object
        prices.source.value = "ones"
        assert prices._job.message == ""

    @each(
        ("typed", "sentence"),
        [
            ("age 1", "'age 1' is no list of prices; write a line a column: its name"),
            ("age: 1,234", "The cost '1,234' may be 1.234 or 1234; write it without"),
        ],
    )
    def test_typed_prices_that_are_none_are_told_how_to_be_typed(
        self, dialog, typed, sentence
    ):
        dialog._prices.source.value = "typed"
        dialog._prices.typed.value = typed
        until_idle(dialog._prices._job)
        assert dialog._prices._job.message.startswith(sentence)

    def test_a_table_without_a_header_is_told_to_have_none(self, context):
        dialog = DataDialog(context)
        dialog.open()
        rows = own()[["pain", "ward"]].assign(ill=own()["ill"] == "yes").astype(int)
        dialog._table.value = rows.to_csv(index=False, header=False).encode()
        until_idle(dialog.job)
        assert dialog._use.disabled
        assert dialog._written.visible
        dialog._first_line.value = False
        until_idle(dialog.job)
        assert [*dialog._editor.view.plans] == ["column 1", "column 2", "column 3"]
        opened(dialog)
        origin = context.problem.editor.drawing.table.origin
        assert origin["dataset_options"]["has_header"] is False

    def test_how_a_file_is_written_is_told_and_what_was_said_of_columns_stays(
        self, dialog
    ):
        table = own().assign(dose=[f"{k + 1},250" for k in range(120)])
        table["pain"] = table["pain"].astype(str).where(table.index > 4, "kA")
        dialog._table.value = csv(table[["dose", *own()]])
        until_idle(dialog.job)
        # Beside points of decimals, commas would part thousands.
        change(dialog._editor, "ward", "role", "group")
        dialog._decimal.value = ","
        until_idle(dialog.job)
        dialog._gaps.value = "kA; ?"
        until_idle(dialog.job)
        assert shown(dialog._editor, "dose")["kind"] == "number"
        assert shown(dialog._editor, "pain")["missing"] == 5
        assert shown(dialog._editor, "ward")["role"] == "group"
        dataset = opened(dialog)
        assert dataset.X[0, list(dataset.feature_names).index("dose")] == 1.25
        origin = dialog._problem.editor.drawing.table.origin
        marks = {"gaps": ["", "kA", "?"], "decimal": ","}
        assert origin["dataset_options"]["marks"] == marks

    def test_what_may_be_read_in_two_ways_names_the_field_that_settles_it(self, dialog):
        odd = {
            "dose": [f"{k + 1},250" for k in range(120)],
            "mixed": ["1.5", "2,5"] * 60,
            "seen": [f"{1 + k % 9:02d}/{1 + k % 7:02d}/2024" for k in range(120)],
        }
        dialog._table.value = csv(own()[["ill"]].assign(**odd))
        until_idle(dialog.job)
        said = {name: shown(dialog._editor, name)["warnings"] for name in odd}
        for name, field in (
            ("dose", dialog._decimal),
            ("mixed", dialog._decimal),
            ("seen", dialog._order),
        ):
            (sentence,) = said[name]
            assert sentence.endswith(f" Choose which it is at “{field.label}” above.")
            assert "--" not in sentence
        assert "'1,250' may be 1.25 or 1250" in said["dose"][0]
        dialog._decimal.value = ","
        until_idle(dialog.job)
        assert shown(dialog._editor, "dose")["kind"] == "number"

    def test_the_rarer_class_is_looked_for_unless_one_says_otherwise(self, dialog):
        counts = own()["ill"].value_counts()
        assert dialog._positive.value == "yes"
        rows = own().replace({"ill": {"yes": "bad", "no": "good"}})
        dialog._table.value = csv(rows)
        until_idle(dialog.job)
        rarer = {"yes": "bad", "no": "good"}[counts.idxmin()]
        assert dialog._positive.value == rarer
        assert f"“{rarer}”, the rarer of two, is what is looked for" in (
            dialog._asked.object
        )
