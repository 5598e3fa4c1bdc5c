"""What a person says of columns is read so, and can be read again, by a script too."""

import pandas as pd
import pytest

from explorer.document.reading import Reading, TableUse
from solvers import read_table
from solvers.datasets.table.files import framed_table
from solvers.errors import DataError
from tests.each import each

OPTIONS = {
    "label": "bought",
    "group": "patient",
    "leave_out": ["id"],
    "free": ["age"],
    "kinds": {"pain": {"kind": "ordered", "values": ["low", "high"]}},
    "positive": "yes",
}


def test_arguments_of_the_reader_come_back_as_they_were():
    assert TableUse.of(OPTIONS).options() == OPTIONS
    assert TableUse.of({}).options() == {}


def test_a_column_of_which_nothing_is_said_is_a_feature():
    use = TableUse.of(OPTIONS)
    assert use.of_column("age") == ("free", None)
    assert use.of_column("height") == ("feature", None)
    assert use.label == "bought"


@each("role", ["label", "group", "weight"])
def test_a_role_that_one_column_has_goes_over_to_another(role):
    use = TableUse({"old": role}).changed("new", "role", role)
    assert use.roles == {"new": role}


def test_many_columns_may_be_left_out():
    use = TableUse.of(OPTIONS).left_out(["name", "note"])
    assert use.options()["leave_out"] == ["id", "name", "note"]


def test_another_label_forgets_which_of_the_old_was_positive():
    use = TableUse.of(OPTIONS)
    assert use.changed("pain", "role", "label").positive is None
    assert use.changed("bought", "role", "feature").positive is None
    assert use.changed("age", "role", "feature").positive == "yes"


def test_another_kind_keeps_what_is_said_of_gaps_alone():
    use = TableUse().changed("x", "gaps", "fill")
    numbers = use.changed("x", "kind", "number")
    assert numbers.kinds["x"]["kind"] == "number"
    assert numbers.kinds["x"]["gaps"] == "fill"


def test_the_order_of_values_is_typed_with_less_than_signs():
    use = TableUse().changed("pain", "values", " low < middle <high ", "ordered")
    assert use.kinds["pain"] == {"kind": "ordered", "values": ["low", "middle", "high"]}


MANY = " < ".join(map(str, range(1001)))


@each("text", ["low", "low < low", "", "<", 5, MANY])
def test_what_is_no_order_is_refused(text):
    with pytest.raises(DataError, match="order"):
        TableUse().changed("pain", "values", text, "ordered")


@each(
    ("key", "value"),
    [("role", "king"), ("kind", "smell"), ("gaps", "ignore"), ("colour", "red")],
)
def test_what_is_not_offered_is_refused(key, value):
    with pytest.raises(DataError, match="choose one that is offered"):
        TableUse().changed("x", key, value)


def test_a_change_leaves_the_use_before_as_it_was():
    before = TableUse.of(OPTIONS)
    before.changed("age", "role", "left out")
    assert before == TableUse.of(OPTIONS)


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
