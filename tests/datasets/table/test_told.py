"""A column has one use, and every column that is named is there."""

import pytest

from solvers.datasets.table.told import TableOptions
from solvers.errors import ThriftscopeError

COLUMNS = ["age", "sex", "kind", "patient"]


def test_uses_are_the_roles_that_have_a_column():
    told = TableOptions("kind", roles={"group": "patient", "time": None})
    assert told.uses == {"group": "patient"}
    told.check(COLUMNS)


@pytest.mark.parametrize(
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
