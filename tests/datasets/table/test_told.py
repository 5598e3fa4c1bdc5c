"""A column has one use, and every column that is named is there."""

import pytest

from solvers.datasets import read_table
from solvers.datasets.table.assembly import TableOptions
from solvers.errors import ThriftscopeError
from tests.each import each

COLUMNS = ["age", "sex", "kind", "patient"]


def test_uses_are_the_roles_that_have_a_column():
    told = TableOptions("kind", roles={"group": "patient", "time": None})
    assert told.uses == {"group": "patient"}
    told.check(COLUMNS)


@each(
    ("options", "sentence"),
    [
        ({"label": "class"}, "'class'"),
        ({"leave_out": ["gone"]}, "'gone'"),
        ({"free": ["gone"]}, "'gone'"),
        ({"kinds": {"gone": "number"}}, "'gone'"),
        ({"roles": {"group": "gone"}}, "'gone'"),
        ({"leave_out": ["kind"]}, "'kind' is put to two uses"),
        ({"leave_out": ["age"], "free": ["age"]}, "'age' is put to two uses"),
        ({"roles": {"group": "kind"}}, "'kind' is put to two uses"),
    ],
)
def test_what_is_not_there_or_used_twice_is_refused_by_name(options, sentence):
    with pytest.raises(ThriftscopeError, match=sentence):
        TableOptions(**{"label": "kind", **options}).check(COLUMNS)


def test_names_that_look_the_same_are_those_of_the_table():
    """A macOS writes ö as two signs."""
    rows = "gro\u0308ße,pla\u0308tze,y\n" + "1,4,a\n2,5,b\n3,6,b\n" * 4
    read = read_table(
        rows.encode(),
        "y",
        costs={"größe": 2.0},
        kinds={"größe": "number"},
        free=["plätze"],
    )
    assert read.feature_names == ("gro\u0308ße", "pla\u0308tze")
    assert read.hypergraph.component_costs.tolist() == [2.0, 0.0]
