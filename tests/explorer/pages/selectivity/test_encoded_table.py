"""On a table of words, gaps and dates coefficients are named, and features counted."""

import re

import numpy as np
import pandas as pd
import pytest

from explorer.export.column_text import ColumnText
from explorer.pages.selectivity.coefficient_map import CoefficientMap
from explorer.pages.selectivity.curves import CoefficientPath
from explorer.pages.selectivity.page import data_line
from explorer.pages.selectivity.parts import PathTable
from explorer.pages.selectivity.state import ANSWER, PATH, SelectivityState
from explorer.pages.selectivity.text import certificate_text, map_text, summary_text
from explorer.session.state import bundled
from explorer.widgets.text import cost_text
from solvers import split_dataset
from solvers.datasets import from_frame
from tests.explorer.worlds import words_gaps_and_dates

LABELS = {"late", "late: missing", "age", "pain: dull", "pain: none", "pain: another"}


@pytest.fixture(scope="module")
def state():
    found = SelectivityState(
        dataset=words_gaps_and_dates(), source="session", share=0.3
    )
    ANSWER.answer(found)
    PATH.answer(found)
    return found


def features_used(answer):
    """The features of the table that some column of is not zero, by their names."""
    encoder = answer.bench.data.split.encoder
    owner = np.array(["late", "pain", "seen", "age"])[encoder.column_of_]
    return {
        state: set(owner[answer.fit.states == state]) for state in ("boundary", "ridge")
    }


def test_a_coefficient_is_named_by_its_feature_and_what_it_tells_of_it(state):
    names = state.answer.bench.data.names
    assert set(names) >= LABELS
    assert {name for name in names if name.startswith("seen: ")}
    drawn = [*CoefficientMap(state=state)._shown["bars"].columns["name"]]
    drawn += [*CoefficientPath(state=state)._shown["ridge"].columns["name"]]
    assert set(drawn) <= set(names)
    assert "=" not in map_text(state.answer)


def test_labels_of_columns_whose_names_collide_stay_apart():
    late = np.where(np.arange(40) % 5, np.arange(40.0), np.nan)
    frame = pd.DataFrame({"late": late, "late: missing": late[::-1] ** 2})
    table = from_frame(frame.assign(stage=["low", "top"] * 20), "stage")
    labels = ColumnText(table, split_dataset(table).encoder).labels()
    assert len(set(labels)) == len(labels) == 4


def test_features_are_counted_as_the_table_has_them(state):
    for answer in state.path:
        used = features_used(answer)
        assert answer.counts == {
            "zero": 4 - len(used["boundary"] | used["ridge"]),
            "boundary": len(used["boundary"] - used["ridge"]),
            "ridge": len(used["ridge"]),
        }
    table = PathTable(state=state)._table.rows
    assert {sum(row[2:5]) for row in table} == {4}
    used = features_used(state.answer)
    n_used = len(used["boundary"] | used["ridge"])
    assert f"{n_used} of 4 features used" in summary_text(state.answer)
    price = cost_text(state.answer.cost, state.answer.bench.data.dataset.unit)
    assert f"{n_used} of 4 kept, for {price}: " in summary_text(state.answer)
    proof = " ".join(certificate_text(state.answer))
    assert "no model of all 4 features" in proof
    assert f"of {n_used} features used" in proof


def test_it_is_said_what_one_coefficient_stands_for(state):
    assert "of one value of a category" in data_line(state.bench)
    line = state.bench.data.line
    assert re.search(r"4 features, learned from as \d+ columns, ", line)
    plain = SelectivityState(dataset=bundled("breast_cancer"), source="session")
    ANSWER.answer(plain)
    assert "category" not in data_line(plain.bench)
    assert " 30 features, 284 training" in plain.bench.data.line
