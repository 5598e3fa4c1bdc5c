"""A table that was read can be read again, without some columns, and by a script."""

import pandas as pd
import pytest

from explorer.document.reading import Reading
from explorer.document.table_use import TableUse
from solvers import read_table
from solvers.datasets.table.files import framed_table

FRAME = pd.DataFrame(
    {
        "age": range(20),
        "dose": [k % 7 for k in range(20)],
        "who": [f"p{k}" for k in range(20)],
        "ill": ["n", "y"] * 10,
    }
)
USE = TableUse({"ill": "label", "who": "left out"})


@pytest.fixture
def reading():
    return Reading(framed_table(FRAME, "visits"), USE, filename="visits.csv")


def test_the_data_set_is_what_is_read_under_the_name_of_its_file(reading):
    data = reading.dataset()
    assert (data.name, data.feature_names) == ("visits", ("age", "dose"))
    assert sorted(set(data.y)) == ["n", "y"]


def test_without_a_column_it_is_read_without_it(reading):
    assert reading.without(["dose"]).dataset().feature_names == ("age",)
    assert reading.dataset().feature_names == ("age", "dose")


def test_a_script_reads_the_same_columns(reading, tmp_path):
    data = reading.dataset()
    origin = reading.origin(data)
    FRAME.to_csv(tmp_path / origin["table_file"], index=False)
    again = read_table(
        tmp_path / "visits.csv", origin["label"], **origin["dataset_options"]
    )
    assert again.feature_names == data.feature_names
    assert (again.X == data.X).all()
    assert again.positive == data.positive


def test_a_table_of_nobody_s_file_has_no_origin(reading):
    nameless = Reading(reading.file, USE)
    assert nameless.origin(nameless.dataset()) == {}
