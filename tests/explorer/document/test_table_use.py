"""What a person says of columns: as arguments of the reader, and change by change."""

import pytest

from explorer.document.table_use import TableUse
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
